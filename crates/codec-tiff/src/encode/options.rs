//! The options of a TIFF.

/// The options of a TIFF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The compression of the strips.
    pub compression: Compression,
}

raster::choices! {
    /// The lossless compression of the strips. Differences of neighbouring samples (predictor 2) are coded instead of
    /// the samples when that makes the first strip of a page smaller.
    pub enum Compression: default Lzw {
        /// Supported by all TIFF readers: 0.60 of the bytes of ten photographs of the Kodak set.
        Lzw = "lzw",
        /// 0.54 of those bytes for 15 % more time; some older readers do not support it.
        Deflate = "deflate",
        /// Uncompressed rows.
        None = "none",
    }
}

impl Compression {
    /// Returns the number of TIFF 6.0 §8, or of Adobe's Photoshop TIFF technical notes for Deflate.
    pub(super) const fn number(self) -> u16 {
        match self {
            Self::None => 1,
            Self::Lzw => 5,
            Self::Deflate => 8,
        }
    }
}
