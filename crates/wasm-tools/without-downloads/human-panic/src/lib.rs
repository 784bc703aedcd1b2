//! Nothing: only wasm-pack's own program, which is not built here, uses this crate.
