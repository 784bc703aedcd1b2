//! The options of a PNG.

use raster::Effort;

/// The options of [`create`](crate::create).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The time spent on fewer bytes; the pixels are the same. `Fast` searches a little for repetitions, only where
    /// some are likely, `Default` thoroughly there, and `Smallest` everywhere, as zlib does. The bench README has
    /// figures: in wasm, ten photographs of the Kodak set take 59, 65 and 884 ms for 6.58, 6.57 and 6.24 MB; ten
    /// screenshots take 230, 227 and 1314 ms for 2.41, 2.30 and 2.22 MB.
    pub effort: Effort,
    /// The use of palettes.
    pub palette: PaletteUse,
}

raster::choices! {
    /// The use of palettes. A picture that has no more colours than a palette holds gets one in any case.
    pub enum PaletteUse: default LikeSource {
        /// A picture of more colours is reduced to a palette if its source has one and the file gets smaller.
        /// Animations and pictures of more than 32 MiB are not.
        LikeSource = "like-source",
        /// Every pixel keeps its colour.
        Exact = "exact",
    }
}
