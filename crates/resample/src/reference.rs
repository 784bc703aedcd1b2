//! The slow twin and the specification: a whole picture in f64, written from the definition and nothing else. It shares no code
//! with the rest of the crate, not even the kernels.
