//! The input of the resampler: working values in strips of rows.

use core::ops::Range;
use core::task::Poll;

use raster::{Channels, Result, Size};

/// One channel of one column of a strip: row `r` is at `[r / 4][r % 4]`.
pub type Column = [[f32; 4]; 2];

/// Rows in a strip.
pub const STRIP: usize = 8;

/// A picture as working values, in strips of [`STRIP`] rows, top to bottom.
///
/// The rows of a strip lie side by side: one vector holds one channel of four rows. Pictures without alpha or without
/// colour therefore waste no lanes.
pub trait StripSource {
    /// Returns the size of the whole picture.
    fn size(&self) -> Size;

    /// Returns the channels of a pixel. Colour is premultiplied by alpha, as in [`raster::Pixel`].
    fn channels(&self) -> Channels;

    /// Writes the next strip. Channel `c` of column `x` is at `x * channels().count() + c`; `strip` has exactly the
    /// length of all columns. Values below the last row of the picture are unspecified.
    ///
    /// `Pending` means that the strip is not complete yet; the caller then repeats the same call.
    ///
    /// # Errors
    /// Errors of the source.
    fn poll_strip(&mut self, strip: &mut [Column]) -> Poll<Result<()>>;

    /// Returns the columns of the strip written last that can have values other than 0.
    fn filled_columns(&self) -> Range<usize> {
        0..self.size().width as usize
    }
}
