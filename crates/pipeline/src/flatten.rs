//! The stage that composites transparent pictures over a background, for formats without alpha. It works on encoded
//! values, as browsers do. Its input has 16 bits, so that the result is rounded once.

use core::cell::Cell;
use core::task::{Poll, ready};

use raster::{Budget, Channels, Result};

use crate::rows::{Rows, Shape};

/// The stage that makes 16-bit rows with alpha opaque and rounds them to 8 bits.
pub(crate) struct Flatten<'a, R> {
    rows: R,
    from: Channels,
    to: Channels,
    background: [u8; 3],
    /// Set when a pixel was not opaque.
    seen_transparent: &'a Cell<bool>,
    row: Vec<u8>,
}

/// The background of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ground {
    /// The background's red, green and blue.
    pub(crate) color: [u8; 3],
    /// The channels of the opaque picture.
    pub(crate) channels: Channels,
}

impl<'a, R: Rows> Flatten<'a, R> {
    /// Creates the stage over `rows` of this shape: 16 bit, with alpha.
    pub(crate) fn new(
        rows: R,
        shape: Shape,
        ground: Ground,
        seen_transparent: &'a Cell<bool>,
        budget: &Budget,
    ) -> Result<Self> {
        let row = budget.filled(shape.row_bytes(), 0)?;
        let Ground { color, channels } = ground;
        Ok(Self { rows, from: shape.pixels.channels, to: channels, background: color, seen_transparent, row })
    }
}

/// Returns `sample` (16 bit, straight) at `alpha` over `background` (8 bit), rounded half up to 8 bits.
fn over(sample: u16, alpha: u16, background: u8) -> u8 {
    const MAX: u64 = 65_535;
    let background = u64::from(background) * 257;
    let sum = u64::from(sample) * u64::from(alpha) + background * (MAX - u64::from(alpha));
    // The sum is in units of 1/65535²; one 8-bit level is 257 · 65535 of them.
    ((sum * 2 + 257 * MAX) / (2 * 257 * MAX)) as u8
}

impl<R: Rows> Rows for Flatten<'_, R> {
    fn poll_row(&mut self, out: &mut [u8]) -> Poll<Result<()>> {
        ready!(self.rows.poll_row(&mut self.row))?;
        let colors = self.from.count() - 1;
        let stored = self.row.chunks_exact(2 * (colors + 1));
        for (pixel, out) in stored.zip(out.chunks_exact_mut(self.to.count())) {
            let sample = |i: usize| u16::from_le_bytes([pixel[2 * i], pixel[2 * i + 1]]);
            let alpha = sample(colors);
            if alpha != u16::MAX {
                self.seen_transparent.set(true);
            }
            for (i, out) in out.iter_mut().enumerate() {
                *out = over(sample(i.min(colors - 1)), alpha, self.background[i]);
            }
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opaque_pixels_round_and_clear_ones_show_the_background() {
        for level in 0..=255_u8 {
            assert_eq!(over(u16::from(level) * 257, u16::MAX, 9), level);
            assert_eq!(over(12_345, 0, level), level);
        }
        assert_eq!(over(0, 32_768, 255), 127); // 255 · 32767 / 65535 = 127.498…
        assert_eq!(over(0, 32_767, 255), 128);
    }
}
