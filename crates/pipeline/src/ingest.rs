//! The stage from stored pixels to working values: samples are looked up in a table, colour is multiplied by alpha, and
//! the rows of a strip are stored side by side.

use core::ops::Range;
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
    /// The columns of the last strip that are not transparent in all rows.
    filled_columns: Range<usize>,
}

impl<R: Rows> Ingest<R> {
    /// Creates the stage over `rows` of this shape. The table takes 1 KiB for eight bits, 256 KiB for sixteen.
    pub(crate) fn new(rows: R, shape: Shape, light: &Light, budget: &Budget) -> Result<Self> {
        let stored = budget.filled(shape.row_bytes() * STRIP as u64, 0)?;
        let values = light.values(shape.pixels.depth, budget)?;
        let left = shape.size.height as usize;
        Ok(Self { rows, shape, values, stored, filled: 0, left, filled_columns: 0..0 })
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
        let table = Table { format: self.shape.pixels, values: &self.values };
        self.filled_columns = table.strip(&self.stored, strip);
        Poll::Ready(Ok(()))
    }

    fn filled_columns(&self) -> Range<usize> {
        self.filled_columns.clone()
    }
}

/// The working values of one stored format.
struct Table<'a> {
    format: PixelFormat,
    /// The working value of every code.
    values: &'a [f32],
}

impl Table<'_> {
    /// Converts [`STRIP`] stored rows, one after another, to as many columns as `strip` has. Returns those that can
    /// have values other than 0.
    fn strip(&self, stored: &[u8], strip: &mut [Column]) -> Range<usize> {
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
    fn opaque<const BYTES: usize>(&self, stored: &[u8], strip: &mut [Column]) -> Range<usize> {
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
        0..done + rest.len()
    }

    /// Converts pixels of `CHANNELS` samples of `BYTES` bytes; the last sample is alpha. Columns on the left and the
    /// right that are transparent in all rows are filled with zeros.
    fn with_alpha<const BYTES: usize, const CHANNELS: usize>(
        &self,
        stored: &[u8],
        strip: &mut [Column],
    ) -> Range<usize> {
        let (columns, _) = strip.as_chunks_mut::<CHANNELS>();
        let rows = split(stored.as_chunks::<BYTES>().0.as_chunks::<CHANNELS>().0, columns.len());
        let values = self.values::<BYTES>();
        let filled = not_transparent(&rows);
        columns[..filled.start].fill([[[0.0; 4]; 2]; CHANNELS]);
        columns[filled.end..].fill([[[0.0; 4]; 2]; CHANNELS]);
        let max = usize::from(self.format.depth.max());
        for (x, column) in filled.clone().zip(&mut columns[filled.clone()]) {
            for (r, row) in rows.iter().enumerate() {
                let samples = row[x].each_ref().map(code);
                let alpha = match samples[CHANNELS - 1] {
                    0 => 0.0,
                    alpha if alpha == max => 1.0,
                    alpha => alpha as f32 / max as f32,
                };
                for channel in 0..CHANNELS - 1 {
                    column[channel][r / 4][r % 4] = values[samples[channel]] * alpha;
                }
                column[CHANNELS - 1][r / 4][r % 4] = alpha;
            }
        }
        filled
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

/// Returns the columns from the first to the last with a pixel whose last sample is not 0.
fn not_transparent<const BYTES: usize, const CHANNELS: usize>(
    rows: &[&[[[u8; BYTES]; CHANNELS]]; STRIP],
) -> Range<usize> {
    let is_seen = |pixel: &[[u8; BYTES]; CHANNELS]| pixel[CHANNELS - 1] != [0; BYTES];
    let width = rows[0].len();
    let (mut start, mut end) = (width, 0);
    for row in rows {
        start = row[..start].iter().position(is_seen).unwrap_or(start);
        end = row[end..].iter().rposition(is_seen).map_or(end, |last| end + last + 1);
    }
    start.min(end)..end
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

    /// The strip is as wide as the pixels that are seen, and the buffer behind it is not empty.
    #[test]
    fn columns_that_no_row_fills_are_zero() {
        let format = PixelFormat::RGBA8;
        let values = SRGB.values(format.depth, &Budget::new(&Limits::default())).unwrap();
        for (first, last) in [(0, 0), (0, 9), (3, 5), (9, 9), (4, 4)] {
            let mut stored = [[9, 8, 7, 0]; 10 * STRIP];
            stored[4 * 10 + first][3] = 255;
            stored[10 + last][3] = 1;
            let mut strip = vec![[[5.0; 4]; 2]; 40];
            let filled = Table { format, values: &values }.strip(stored.as_flattened(), &mut strip);
            assert_eq!(filled, first..last + 1);
            let is_zero = |column: &Column| column.as_flattened().iter().all(|&value| value == 0.0);
            for (x, columns) in strip.chunks(4).enumerate() {
                assert_eq!(columns.iter().all(is_zero), x != first && x != last, "{x}");
            }
        }
        let mut strip = vec![[[5.0; 4]; 2]; 40];
        assert_eq!(Table { format, values: &values }.strip(&[0; 320], &mut strip), 0..0);
        assert_eq!(strip, vec![[[0.0; 4]; 2]; 40]);
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
