//! What a caller may choose.

use raster::Quality;

/// The options of a JPEG.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The quality on libjpeg's scale. `None` means the quality of the source, clamped to 75 to 92, or 85 when it is
    /// unknown.
    pub quality: Option<Quality>,
    /// The resolution of colour.
    pub subsampling: Subsampling,
    /// The order and the choice of coefficients.
    pub coding: Coding,
    /// The number of rows of MCUs between restart markers; 0 for none.
    pub restart_rows: u16,
}

raster::choices! {
    /// The order and the choice of a file's coefficients.
    pub enum Coding: default Baseline {
        /// Row by row. Memory depends on the width only.
        Baseline = "baseline",
        /// The same pixels from coarse to fine, in fewer bytes. The coefficients of the whole picture are held.
        Progressive = "progressive",
        /// Progressive, with coefficients that are chosen so that the file is small for its quality.
        Smallest = "smallest",
    }
}

raster::choices! {
    /// The number of luminance samples that share one sample of colour.
    pub enum Subsampling: default Auto {
        /// Full from quality 90 and for graphics, else reduced.
        Auto = "auto",
        /// Colour at full resolution: 4:4:4.
        Full = "full",
        /// Colour at half the resolution across and down: 4:2:0.
        Reduced = "reduced",
    }
}
