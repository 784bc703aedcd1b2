//! The options of a PNG.

/// The options of [`create`](crate::create).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The time spent on fewer bytes.
    pub effort: Effort,
}

raster::choices! {
    /// The time that the encoder spends on fewer bytes; the pixels are the same. `tests/bench/README.md` has the
    /// figures: in wasm, ten photographs of the Kodak set take 59, 65 and 884 ms for 6.58, 6.57 and 6.24 MB; ten
    /// screenshots take 230, 227 and 1314 ms for 2.41, 2.30 and 2.22 MB.
    pub enum Effort: default Default {
        /// A short search for repetitions, only where some are likely.
        Fast = "fast",
        /// A thorough search where repetitions are likely, none elsewhere.
        Default = "default",
        /// zlib's thorough search everywhere: about 5 % fewer bytes for many times the time.
        Smallest = "smallest",
    }
}
