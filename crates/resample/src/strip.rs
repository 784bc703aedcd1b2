//! What the resampler pulls: working values in strips of rows.

use core::task::Poll;

use raster::{Channels, Result, Size};

/// One channel of one column of a strip: row `r` is at `[r / 4][r % 4]`.
pub type Column = [[f32; 4]; 2];

/// Rows in a strip.
pub const STRIP: usize = 8;

/// A picture as working values, in strips of [`STRIP`] rows, top to bottom.
///
/// The rows of a strip lie side by side, so that one vector holds one channel of four rows. Pictures without alpha or
/// without colour then waste no lanes.
pub trait StripSource {
    /// Pixels of the whole picture.
    fn size(&self) -> Size;

    /// The channels of a pixel. Colour is premultiplied by alpha, as in [`raster::Pixel`].
    fn channels(&self) -> Channels;

    /// Writes the next strip: channel `c` of column `x` at `x * channels().count() + c`; `strip` has exactly those
    /// columns. Below the last row of the picture the values are unspecified.
    ///
    /// `Pending` means that the strip is not complete yet; the same call is then to be repeated.
    ///
    /// # Errors
    /// Those of the reader behind it.
    fn poll_strip(&mut self, strip: &mut [Column]) -> Poll<Result<()>>;
}
