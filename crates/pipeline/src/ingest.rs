//! The stage from stored pixels to working values: samples are looked up in a table, colour is multiplied by alpha, and
//! the rows of a strip are stored side by side.

use core::task::{Poll, ready};

use raster::{Budget, Channels, Depth, PixelFormat, Result, Size};
use resample::{Column, STRIP, StripSource};

use crate::light::Light;
use crate::rows::{Rows, Shape};

/// The stage that converts rows to strips of working values.
pub(crate) struct Ingest<R> {
    rows: R,
    shape: Shape,
    /// The working value of every code.
    values: Vec<f32>,
    /// A strip of stored rows.
    stored: Vec<u8>,
    /// The number of rows in `stored`.
    filled: usize,
    /// The number of rows that are not read yet.
    left: usize,
}

impl<R: Rows> Ingest<R> {
    /// Creates the stage over `rows` of this shape. The table takes 1 KiB for eight bits, 256 KiB for sixteen.
    pub(crate) fn new(rows: R, shape: Shape, light: &Light, budget: &Budget) -> Result<Self> {
        let stored = budget.filled(shape.row_bytes() * STRIP as u64, 0)?;
        let values = light.values(shape.pixels.depth, budget)?;
        Ok(Self { rows, shape, values, stored, filled: 0, left: shape.size.height as usize })
    }
}

impl<R: Rows> StripSource for Ingest<R> {
    fn size(&self) -> Size {
        self.shape.size
    }

    fn channels(&self) -> Channels {
        self.shape.pixels.channels
    }

    fn poll_strip(&mut self, strip: &mut [Column]) -> Poll<Result<()>> {
        let row_bytes = self.stored.len() / STRIP;
        while self.filled < self.left.min(STRIP) {
            let row = &mut self.stored[self.filled * row_bytes..][..row_bytes];
            ready!(self.rows.poll_row(row))?;
            self.filled += 1;
        }
        self.left -= self.filled;
        self.filled = 0;
        Table { format: self.shape.pixels, values: &self.values }.strip(&self.stored, strip);
        Poll::Ready(Ok(()))
    }
}

/// The working values of one stored format.
struct Table<'a> {
    format: PixelFormat,
    /// The working value of every code.
    values: &'a [f32],
}

impl Table<'_> {
    /// Converts [`STRIP`] stored rows, one after another, to as many columns as `strip` has.
    fn strip(&self, stored: &[u8], strip: &mut [Column]) {
        match (self.format.depth, self.format.channels) {
            (Depth::Eight, Channels::Gray | Channels::Rgb) => self.opaque::<1>(stored, strip),
            (Depth::Eight, Channels::GrayAlpha) => self.with_alpha::<1, 2>(stored, strip),
            (Depth::Eight, Channels::Rgba) => self.with_alpha::<1, 4>(stored, strip),
            (Depth::Sixteen, Channels::Gray | Channels::Rgb) => self.opaque::<2>(stored, strip),
            (Depth::Sixteen, Channels::GrayAlpha) => self.with_alpha::<2, 2>(stored, strip),
            (Depth::Sixteen, Channels::Rgba) => self.with_alpha::<2, 4>(stored, strip),
        }
    }

    /// Converts samples of `BYTES` bytes, without alpha.
    fn opaque<const BYTES: usize>(&self, stored: &[u8], strip: &mut [Column]) {
        let rows = split(stored.as_chunks::<BYTES>().0, strip.len());
        let values = self.values::<BYTES>();
        // Four columns at once: their addresses differ by constants.
        let (fours, rest) = strip.as_chunks_mut::<4>();
        let done = 4 * fours.len();
        for (i, four) in fours.iter_mut().enumerate() {
            for (r, row) in rows.iter().enumerate() {
                let samples = &row.as_chunks::<4>().0[i];
                for (sample, column) in samples.iter().zip(&mut *four) {
                    column[r / 4][r % 4] = values[code(sample)];
                }
            }
        }
        for (i, column) in rest.iter_mut().enumerate() {
            for (r, row) in rows.iter().enumerate() {
                column[r / 4][r % 4] = values[code(&row[done + i])];
            }
        }
    }

    /// Converts pixels of `CHANNELS` samples of `BYTES` bytes; the last sample is alpha.
    fn with_alpha<const BYTES: usize, const CHANNELS: usize>(&self, stored: &[u8], strip: &mut [Column]) {
        let (columns, _) = strip.as_chunks_mut::<CHANNELS>();
        let rows = split(stored.as_chunks::<BYTES>().0.as_chunks::<CHANNELS>().0, columns.len());
        let values = self.values::<BYTES>();
        for (x, column) in columns.iter_mut().enumerate() {
            for (r, row) in rows.iter().enumerate() {
                let samples = row[x].each_ref().map(code);
                let alpha = samples[CHANNELS - 1] as f32 / f32::from(self.format.depth.max());
                for channel in 0..CHANNELS - 1 {
                    column[channel][r / 4][r % 4] = values[samples[channel]] * alpha;
                }
                column[CHANNELS - 1][r / 4][r % 4] = alpha;
            }
        }
    }

    /// Returns the table for samples of `BYTES` bytes. Its length is a constant, which removes the bounds check of
    /// look-ups: 4 % of the total time of a 24-megapixel JPEG in wasm.
    fn values<const BYTES: usize>(&self) -> &[f32] {
        &self.values[..1 << (8 * BYTES)]
    }
}

/// Returns [`STRIP`] rows of `len` values that follow each other in `stored`.
fn split<T>(stored: &[T], len: usize) -> [&[T]; STRIP] {
    core::array::from_fn(|r| &stored[r * len..][..len])
}

/// Returns a stored sample as a number.
#[inline(always)]
fn code<const BYTES: usize>(sample: &[u8; BYTES]) -> usize {
    sample.iter().rev().fold(0, |code, &byte| code << 8 | usize::from(byte))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::light::SRGB;
    use raster::{Limits, Pixel};

    /// Converts a strip of stored rows to working pixels, one row after another.
    pub(crate) fn pixels(format: PixelFormat, light: &Light, stored: &[u8]) -> Vec<Pixel> {
        let channels = format.channels.count();
        let width = stored.len() / STRIP / format.bytes();
        let mut strip = vec![Column::default(); width * channels];
        let values = light.values(format.depth, &Budget::new(&Limits::default())).unwrap();
        Table { format, values: &values }.strip(stored, &mut strip);
        let value = |x: usize, row: usize, channel: usize| strip[x * channels + channel][row / 4][row % 4];
        let pixel = |x, row| match format.channels {
            Channels::Gray => Pixel([value(x, row, 0), value(x, row, 0), value(x, row, 0), 1.0]),
            Channels::GrayAlpha => Pixel([value(x, row, 0), value(x, row, 0), value(x, row, 0), value(x, row, 1)]),
            Channels::Rgb => Pixel([value(x, row, 0), value(x, row, 1), value(x, row, 2), 1.0]),
            Channels::Rgba => Pixel([value(x, row, 0), value(x, row, 1), value(x, row, 2), value(x, row, 3)]),
        };
        (0..STRIP).flat_map(|row| (0..width).map(move |x| (x, row))).map(|(x, row)| pixel(x, row)).collect()
    }

    /// Converts one row, tested at every position of a strip.
    fn ingest(channels: Channels, depth: Depth, light: &Light, stored: &[u8]) -> Vec<Pixel> {
        let format = PixelFormat::new(channels, depth);
        let width = stored.len() / format.bytes();
        let at = |place: usize| {
            let mut strip = vec![0xEE; STRIP * stored.len()];
            strip[place * stored.len()..][..stored.len()].copy_from_slice(stored);
            pixels(format, light, &strip)[place * width..][..width].to_vec()
        };
        assert!((1..STRIP).all(|place| at(place) == at(0)), "{format:?}");
        at(0)
    }

    #[test]
    fn each_format_fills_its_channels() {
        let (one, part) = (1.0, 51.0 / 255.0);
        let table = [
            (Channels::Gray, vec![255, 51], vec![[one, one, one, one], [part, part, part, one]]),
            (Channels::GrayAlpha, vec![255, 51], vec![[part; 4]]),
            (Channels::Rgb, vec![255, 51, 0], vec![[one, part, 0.0, one]]),
            (Channels::Rgba, vec![255, 51, 0, 255, 9, 8, 7, 0], vec![[one, part, 0.0, one], [0.0; 4]]),
        ];
        for (channels, stored, want) in table {
            let want: Vec<Pixel> = want.into_iter().map(Pixel).collect();
            assert_eq!(ingest(channels, Depth::Eight, &Light::Encoded, &stored), want, "{channels:?}");
            // Byte v at eight bits is the pair (v, v) at sixteen: v · 257.
            let stored: Vec<u8> = stored.iter().flat_map(|&byte| [byte, byte]).collect();
            assert_eq!(ingest(channels, Depth::Sixteen, &Light::Encoded, &stored), want, "{channels:?}");
        }
    }

    #[test]
    fn linear_light_applies_to_colour_and_not_to_alpha() {
        let [Pixel([r, g, b, a])] = ingest(Channels::Rgba, Depth::Eight, &SRGB, &[188, 10, 255, 128])[..] else {
            panic!("one pixel")
        };
        // IEC 61966-2-1: 188 is half the light (0.5029), 10 lies in the linear part.
        let want = [0.502_886_5, 10.0 / 255.0 / 12.92, 1.0].map(|linear| linear * 128.0 / 255.0);
        for (got, want) in [r, g, b].into_iter().zip(want) {
            assert!((f64::from(got) - want).abs() < 1e-6, "{got} {want}");
        }
        assert_eq!(a, 128.0 / 255.0);
    }

    #[test]
    fn sixteen_bit_samples_are_little_endian() {
        let pixels = ingest(Channels::Gray, Depth::Sixteen, &Light::Encoded, &[0x34, 0x12]);
        assert_eq!(pixels[0].0[0], 0x1234 as f32 / 65_535.0);
    }
}
