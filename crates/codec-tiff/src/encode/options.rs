//! What a caller may choose.

/// How a TIFF is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// How strips are coded.
    pub compression: Compression,
}

raster::choices! {
    /// The lossless code of the strips. Differences of neighbouring samples (predictor 2) are coded instead of the
    /// samples wherever that makes the first strip of a page smaller.
    pub enum Compression: default Lzw {
        /// Read by everything that reads TIFF: 0.60 of the bytes of ten photographs of the Kodak set.
        Lzw = "lzw",
        /// 0.54 of those bytes for 15 % more time; some older readers lack it.
        Deflate = "deflate",
        /// Rows as they are.
        None = "none",
    }
}

impl Compression {
    /// TIFF 6.0 §8; Adobe's Photoshop TIFF technical notes for Deflate.
    pub(super) const fn number(self) -> u16 {
        match self {
            Self::None => 1,
            Self::Lzw => 5,
            Self::Deflate => 8,
        }
    }
}
