//! Conversion of rows of luma and chroma, as AV1 and HEVC store them, to rows of RGB or grey.
//!
//! A [`Converter`] takes a row of luma and the two nearest rows of each chroma plane. Chroma with fewer samples than
//! luma is interpolated linearly, between the places at which the file says that its samples are. Results are within
//! half a level of exact arithmetic (tests/exact.rs). Depths of 8 bits give rows of 8 bits, more give 16.
//!
//! The arithmetic is that of ITU-T H.273, §8.3: `E = (sample - zero) / span`, then the matrix.

#![forbid(unsafe_code)]

mod alpha;
mod chroma;
mod convert;
mod matrix;

pub use alpha::{put_alpha, unpremultiply};
pub use convert::{Coding, Converter, Rows};
pub use matrix::Matrix;

/// How many chroma samples there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampling {
    /// 4:0:0: none.
    Gray,
    /// 4:2:0: one for two columns and two rows.
    Half,
    /// 4:2:2: one for two columns.
    Columns,
    /// 4:4:4: one for each pixel.
    Full,
}

impl Sampling {
    /// Returns the number of chroma samples in a row of `width` pixels.
    #[must_use]
    pub const fn width(self, width: u32) -> u32 {
        match self {
            Self::Gray => 0,
            Self::Half | Self::Columns => width.div_ceil(2),
            Self::Full => width,
        }
    }

    /// Returns the number of rows of chroma for `height` rows.
    #[must_use]
    pub const fn height(self, height: u32) -> u32 {
        match self {
            Self::Gray => 0,
            Self::Half => height.div_ceil(2),
            Self::Columns | Self::Full => height,
        }
    }
}

/// Where a chroma sample is among the luma samples that it covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Siting {
    /// In their centre, as in JPEG.
    #[default]
    Center,
    /// In the left column, between the rows, as in MPEG-2.
    Left,
    /// At the first of them.
    TopLeft,
    /// In the first row, between the columns.
    Top,
}
