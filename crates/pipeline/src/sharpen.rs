//! The stage that sharpens a picture after it was shrunk: an unsharp mask of 3 × 3 pixels. It works on 16-bit rows, in
//! integers.
//!
//! For each pixel, its luma is compared with the blurred luma around it, and a part of the difference is added to red,
//! green and blue alike, so that edges get no coloured fringes. The values are encoded ones, because equal steps of
//! them look about equal; in linear light the dark side of an edge would change more visibly than the bright one. The
//! blur is the binomial kernel (1 2 1)² / 16, a Gaussian of σ = 0.71. The finest pattern, columns that alternate, gets
//! 1.5 times its contrast with `Mild`, as from the mild sharpening of sharp and vipsthumbnail (their kernel is −1
//! around 32, divided by 24), and twice its contrast with `Strong`.
//!
//! Like `vips_sharpen`, the stage leaves out small differences and limits large ones: below [`THRESHOLD`] there are
//! noise and the steps of smooth gradients; [`MOST_LIGHTER`] and [`MOST_DARKER`] bound the halos of hard edges, and
//! bright halos, which are seen first, more narrowly.
//!
//! Pixels count in the blur in proportion to their alpha, and alpha itself is not changed. Beyond the edges of the
//! picture its outermost pixels are repeated.

use core::task::{Poll, ready};

use raster::{Budget, Channels, Result};

use crate::job::Sharpening;
use crate::rows::{Rows, Shape};

/// The largest difference of luma that is not sharpened: two levels of 8 bits.
const THRESHOLD: i64 = 2 * 257;

/// The most by which a sample can become lighter: a tenth of white, as in `vips_sharpen`.
const MOST_LIGHTER: i64 = 65_535 / 10;

/// The most by which a sample can become darker: a fifth of white, as in `vips_sharpen`.
const MOST_DARKER: i64 = 65_535 / 5;

/// The sum of the kernel's weights.
const WEIGHTS: i64 = 16;

/// The parts of red, green and blue in luma (ITU-R BT.709), in units of 1/65,536.
const LUMA: [u32; 3] = [13_933, 46_871, 4_732];

/// The stage that sharpens 16-bit rows.
pub(crate) struct Sharpen<R> {
    rows: R,
    channels: Channels,
    height: u32,
    /// The part of a difference that is added, in halves.
    halves: i64,
    /// The last three rows that were read: row y is at y % 3.
    lines: [Line; 3],
    /// The sum of each column of the three rows around the next one.
    columns: Vec<Sum>,
    /// The number of rows read.
    read: u32,
    /// The number of rows written.
    given: u32,
}

/// A row of the picture.
struct Line {
    stored: Vec<u8>,
    tones: Vec<Tone>,
}

/// The luma and the alpha of a pixel.
#[derive(Clone, Copy, Default)]
struct Tone {
    luma: u16,
    alpha: u16,
}

/// Weighted sums over several pixels.
#[derive(Clone, Copy, Default)]
struct Sum {
    /// The sum of luma times alpha.
    luma: u64,
    alpha: u64,
}

impl<R: Rows> Sharpen<R> {
    /// Creates the stage over 16-bit `rows` of this shape.
    pub(crate) fn new(rows: R, shape: Shape, sharpening: Sharpening, budget: &Budget) -> Result<Self> {
        let width = u64::from(shape.size.width);
        let line = || -> Result<Line> {
            Ok(Line { stored: budget.filled(shape.row_bytes(), 0)?, tones: budget.filled(width, Tone::default())? })
        };
        Ok(Self {
            rows,
            channels: shape.pixels.channels,
            height: shape.size.height,
            halves: match sharpening {
                Sharpening::Off => 0,
                Sharpening::Mild => 1,
                Sharpening::Strong => 2,
            },
            lines: [line()?, line()?, line()?],
            columns: budget.filled(width, Sum::default())?,
            read: 0,
            given: 0,
        })
    }

    /// Sums the columns of the three rows around row `y`.
    fn sum_columns(&mut self, y: u32) {
        let tones = |y: u32| &self.lines[y as usize % 3].tones;
        let (above, row, below) = (tones(y.saturating_sub(1)), tones(y), tones((y + 1).min(self.height - 1)));
        for (((sum, above), row), below) in self.columns.iter_mut().zip(above).zip(row).zip(below) {
            *sum = binomial(above.sum(), row.sum(), below.sum());
        }
    }

    /// Writes row `y`, whose columns were summed.
    fn write(&self, y: u32, out: &mut [u8]) {
        let Line { stored, tones } = &self.lines[y as usize % 3];
        out.copy_from_slice(stored);
        let colors = self.channels.count() - usize::from(self.channels.has_alpha());
        let pixels = out.as_chunks_mut::<2>().0.chunks_exact_mut(self.channels.count());
        let last = tones.len() - 1;
        for (x, (pixel, tone)) in pixels.zip(tones).enumerate() {
            if tone.alpha == 0 {
                continue;
            }
            let sum = |x: usize| self.columns[x];
            let around = binomial(sum(x.saturating_sub(1)), sum(x), sum((x + 1).min(last)));
            let change = change(i64::from(tone.luma), around.blurred(), self.halves);
            for sample in &mut pixel[..colors] {
                let sharper = i64::from(u16::from_le_bytes(*sample)) + change;
                *sample = (sharper.clamp(0, 65_535) as u16).to_le_bytes();
            }
        }
    }
}

impl<R: Rows> Rows for Sharpen<R> {
    fn poll_row(&mut self, row: &mut [u8]) -> Poll<Result<()>> {
        let y = self.given;
        while self.read < self.height.min(y + 2) {
            let line = &mut self.lines[self.read as usize % 3];
            ready!(self.rows.poll_row(&mut line.stored))?;
            line.measure(self.channels);
            self.read += 1;
        }
        self.sum_columns(y);
        self.write(y, row);
        self.given += 1;
        Poll::Ready(Ok(()))
    }
}

impl Line {
    /// Computes the tones of the stored pixels.
    fn measure(&mut self, channels: Channels) {
        let pixels = self.stored.as_chunks::<2>().0.chunks_exact(channels.count());
        for (tone, pixel) in self.tones.iter_mut().zip(pixels) {
            let sample = |channel: usize| u16::from_le_bytes(pixel[channel]);
            let luma = if channels.has_color() { luma([0, 1, 2].map(sample)) } else { sample(0) };
            let alpha = if channels.has_alpha() { sample(pixel.len() - 1) } else { u16::MAX };
            *tone = Tone { luma, alpha };
        }
    }
}

impl Tone {
    fn sum(self) -> Sum {
        let alpha = u64::from(self.alpha);
        Sum { luma: u64::from(self.luma) * alpha, alpha }
    }
}

impl Sum {
    /// Returns the mean luma of the pixels, times [`WEIGHTS`].
    fn blurred(self) -> i64 {
        ((self.luma * WEIGHTS as u64 + self.alpha / 2) / self.alpha) as i64
    }
}

/// Returns the sum of three neighbours with the weights 1, 2 and 1.
fn binomial(one: Sum, two: Sum, three: Sum) -> Sum {
    Sum { luma: one.luma + 2 * two.luma + three.luma, alpha: one.alpha + 2 * two.alpha + three.alpha }
}

fn luma(color: [u16; 3]) -> u16 {
    let sum: u32 = color.iter().zip(LUMA).map(|(&sample, part)| u32::from(sample) * part).sum();
    ((u64::from(sum) + 0x8000) >> 16) as u16
}

/// Returns what is added to the samples of a pixel, rounded, for its luma and the blurred luma times [`WEIGHTS`].
fn change(luma: i64, blurred: i64, halves: i64) -> i64 {
    let difference = luma * WEIGHTS - blurred;
    let above_threshold = (difference.abs() - THRESHOLD * WEIGHTS).max(0);
    let change = (above_threshold * halves + WEIGHTS) / (2 * WEIGHTS);
    if difference > 0 { change.min(MOST_LIGHTER) } else { -change.min(MOST_DARKER) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::tests::{Memory, read_row};
    use raster::{Depth, Limits, PixelFormat, Size};
    use testkit::{Picture, generate};

    const ALL: [Channels; 4] = [Channels::Gray, Channels::GrayAlpha, Channels::Rgb, Channels::Rgba];

    const fn deep(channels: Channels) -> PixelFormat {
        PixelFormat::new(channels, Depth::Sixteen)
    }

    fn sharpened(picture: &Picture, sharpening: Sharpening) -> Picture {
        let Picture { size, pixels, .. } = *picture;
        let rows = Memory::new(picture.rows.clone());
        let budget = Budget::new(&Limits::default());
        let mut stage = Sharpen::new(rows, Shape { size, pixels }, sharpening, &budget).unwrap();
        let mut rows = vec![0; picture.rows.len()];
        for row in rows.chunks_exact_mut(pixels.row_bytes(size.width) as usize) {
            read_row(&mut stage, row).unwrap();
        }
        Picture { size, pixels, rows }
    }

    /// The slow twin: every pixel from the nine around it, in the words of the module's description.
    fn slow(picture: &Picture, sharpening: Sharpening) -> Picture {
        let Picture { size, pixels, .. } = *picture;
        let channels = pixels.channels;
        let colors = if channels.has_color() { 3 } else { 1 };
        let sample = |x, y, channel| i64::from(picture.sample(x, y, channel));
        let alpha = |x, y| if channels.has_alpha() { sample(x, y, colors) } else { 65_535 };
        let luma = |x, y| match colors {
            1 => sample(x, y, 0),
            _ => (13_933 * sample(x, y, 0) + 46_871 * sample(x, y, 1) + 4_732 * sample(x, y, 2) + 32_768) / 65_536,
        };
        let at = |i: u32, step: i64, side: u32| (i64::from(i) + step).clamp(0, i64::from(side) - 1) as u32;
        let mut rows = Vec::new();
        for (x, y) in (0..size.height).flat_map(|y| (0..size.width).map(move |x| (x, y))) {
            let (mut weighted, mut weights) = (0, 0);
            for (across, down) in (-1..=1).flat_map(|down| (-1..=1).map(move |across| (across, down))) {
                let (x, y) = (at(x, across, size.width), at(y, down, size.height));
                let weight = (2 - across.abs()) * (2 - down.abs()) * alpha(x, y);
                weighted += weight * luma(x, y);
                weights += weight;
            }
            let visible = alpha(x, y) > 0;
            let difference = if visible { 16 * luma(x, y) - (16 * weighted + weights / 2) / weights } else { 0 };
            let above = (difference.abs() - 16 * 514).max(0);
            let by = match sharpening {
                Sharpening::Off => 0,
                Sharpening::Mild => (above + 16) / 32,
                Sharpening::Strong => (above + 8) / 16,
            };
            let by = if difference > 0 { by.min(6_553) } else { -by.min(13_107) };
            let sharper = (0..colors).map(|channel| (sample(x, y, channel) + by).clamp(0, 65_535));
            let pixel = sharper.chain(channels.has_alpha().then(|| alpha(x, y)));
            rows.extend(pixel.flat_map(|sample| (sample as u16).to_le_bytes()));
        }
        Picture { size, pixels, rows }
    }

    #[test]
    fn rows_equal_the_slow_twin() {
        for (seed, channels) in (1..).zip(ALL) {
            for size in [Size::new(23, 17), Size::new(1, 9), Size::new(9, 1), Size::new(2, 2), Size::new(1, 1)] {
                let pictures = [
                    generate::noise(size, deep(channels), seed),
                    generate::gradient(size, deep(channels)),
                    generate::zone_plate(size, deep(channels)),
                ];
                for (picture, sharpening) in pictures.iter().flat_map(|p| Sharpening::ALL.map(|s| (p, s))) {
                    let name = format!("{channels:?} {size:?} {sharpening:?}");
                    assert_eq!(sharpened(picture, sharpening), slow(picture, sharpening), "{name}");
                }
            }
        }
    }

    #[test]
    fn flat_areas_smooth_gradients_and_faint_noise_stay() {
        for channels in ALL {
            let pixels = deep(channels);
            let size = Size::new(40, 30);
            let level = |number: u32| f64::from(number) / 255.0;
            let pictures = [
                generate::flat(size, pixels, [0.3, 0.6, 0.9, 0.5]),
                Picture::paint(size, pixels, |x, _| [level(x), level(2 * x), level(3 * x), 1.0]),
                Picture::paint(size, pixels, |x, y| [level(100 + (x + y) % 2); 4]),
            ];
            for picture in pictures {
                assert_eq!(sharpened(&picture, Sharpening::Strong), picture, "{channels:?}");
            }
        }
    }

    /// The samples beside an edge between two greys become lighter and darker, by no more than the limits.
    #[test]
    fn an_edge_gets_steeper_within_limits() {
        let row = |dark: f64, light: f64, sharpening| {
            let edge = |x, _| if x < 4 { [dark, dark, dark, 1.0] } else { [light, light, light, 1.0] };
            let picture = sharpened(&Picture::paint(Size::new(8, 3), deep(Channels::Rgb), edge), sharpening);
            [2, 3, 4, 5].map(|x| picture.sample(x, 1, 1))
        };
        // A quarter of the step is above the blur, less the threshold; half of that is added.
        assert_eq!(row(0.4, 0.6, Sharpening::Mild), [26_214, 24_833, 40_702, 39_321]);
        assert_eq!(row(0.4, 0.6, Sharpening::Strong), [26_214, 23_451, 42_084, 39_321]);
        assert_eq!(row(0.2, 0.8, Sharpening::Strong), [13_107, 3_791, 58_981, 52_428]);
    }

    #[test]
    fn hidden_pixels_have_no_influence() {
        let visible = |x| if x < 4 { 1.0 } else { 0.0 };
        let picture = |hidden: f64| {
            let color = move |x| if x < 4 { 0.5 } else { hidden };
            Picture::paint(Size::new(8, 8), deep(Channels::Rgba), |x, _| [color(x), color(x), color(x), visible(x)])
        };
        for hidden in [0.0, 1.0] {
            assert_eq!(sharpened(&picture(hidden), Sharpening::Strong), picture(hidden));
        }
    }
}
