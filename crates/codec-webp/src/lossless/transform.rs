//! The transforms (RFC 9649 §3.5) that an encoder applied, and their inverses for one row.

use raster::{Budget, Result, Size};

use super::bits::Bits;
use super::pixels::{Pixels, squares};
use super::{Argb, channels, green};

/// The number of kinds of transforms. Each occurs at most once.
pub(super) const KINDS: usize = 4;

/// The pixel left of the first one.
const BLACK: Argb = 0xFF00_0000;

/// A transform with its parameters.
pub(super) enum Transform {
    /// The difference to a value that is predicted from pixels before.
    Predict {
        squares: Squares<u8>,
        /// The row above, and behind it the first pixel of this row.
        above: Vec<Argb>,
    },
    /// Red and blue without a part of the other channels.
    Decorrelate(Squares<Argb>),
    /// Red and blue without green.
    SubtractGreen,
    /// Indices of colours, 1 to 8 in a pixel.
    Palette {
        colors: Vec<Argb>,
        /// The number of indices in a pixel, as a power of two.
        packed: u32,
    },
}

/// A parameter for each square of the picture.
pub(super) struct Squares<T> {
    /// The side of a square, as a power of two.
    bits: u32,
    /// The number of squares in a row.
    width: usize,
    values: Vec<T>,
}

impl<T> Squares<T> {
    fn read(bits: &mut Bits<'_>, size: Size, budget: &Budget, value: fn(Argb) -> T) -> Result<Self> {
        let (side, squares) = squares(bits, size);
        let values = Pixels::all(bits, squares, budget, value)?;
        Ok(Self { bits: side, width: squares.width as usize, values })
    }

    /// Calls `each` for the pixels of each square in row `y`, with the column of the first.
    fn for_row(&self, y: u32, row: &mut [Argb], mut each: impl FnMut(&T, usize, &mut [Argb])) {
        let values = &self.values[(y as usize >> self.bits) * self.width..][..self.width];
        for (square, (value, pixels)) in values.iter().zip(row.chunks_mut(1 << self.bits)).enumerate() {
            each(value, square << self.bits, pixels);
        }
    }
}

impl Transform {
    /// Reads a transform of a picture of this size. Returns it with the width of the picture before it.
    pub(super) fn read(bits: &mut Bits<'_>, size: Size, budget: &Budget) -> Result<(Self, u32)> {
        let transform = match bits.read(2) {
            0 => Self::Predict {
                squares: Squares::read(bits, size, budget, green)?,
                above: budget.filled(u64::from(size.width) + 1, 0)?,
            },
            1 => Self::Decorrelate(Squares::read(bits, size, budget, |pixel| pixel)?),
            2 => Self::SubtractGreen,
            _ => return Self::palette(bits, size, budget),
        };
        Ok((transform, size.width))
    }

    fn palette(bits: &mut Bits<'_>, size: Size, budget: &Budget) -> Result<(Self, u32)> {
        let count = bits.read(8) + 1;
        let mut colors = Pixels::all(bits, Size::new(count, 1), budget, |pixel| pixel)?;
        for n in 1..colors.len() {
            colors[n] = sum(colors[n], colors[n - 1]);
        }
        let packed = match count {
            0..=2 => 3,
            3..=4 => 2,
            5..=16 => 1,
            _ => 0,
        };
        Ok((Self::Palette { colors, packed }, size.width.div_ceil(1 << packed)))
    }

    /// Undoes the transform in row `y`. The pixels of a palette are at the front of the row, which becomes longer.
    pub(super) fn undo(&mut self, y: u32, row: &mut [Argb]) {
        match self {
            Self::Predict { squares, above } => {
                let width = above.len() - 1;
                predict(squares, y, above, &mut row[..width]);
            }
            Self::Decorrelate(squares) => squares.for_row(y, row, |&factors, _, pixels| {
                pixels.iter_mut().for_each(|pixel| *pixel = correlated(*pixel, factors));
            }),
            Self::SubtractGreen => row.iter_mut().for_each(|pixel| {
                let green = *pixel >> 8 & 0xFF;
                *pixel = sum(*pixel, green << 16 | green);
            }),
            Self::Palette { colors, packed } => look_up(colors, *packed, row),
        }
    }
}

/// Replaces indices by colours. Indices without a colour become transparent.
fn look_up(colors: &[Argb], packed: u32, row: &mut [Argb]) {
    let bits = 8 >> packed;
    for x in (0..row.len()).rev() {
        let indices = u32::from(green(row[x >> packed]));
        let place = (x as u32 & ((1 << packed) - 1)) * bits;
        let index = indices >> place & ((1 << bits) - 1);
        row[x] = colors.get(index as usize).copied().unwrap_or_default();
    }
}

/// Adds parts of green to red and blue, and a part of red to blue (RFC 9649 §3.5.2).
fn correlated(pixel: Argb, factors: Argb) -> Argb {
    let [green_to_red, green_to_blue, red_to_blue, _] = channels(factors);
    let [blue, green, red, alpha] = channels(pixel);
    let part = |factor: u8, color: u8| ((i32::from(factor as i8) * i32::from(color as i8)) >> 5) as u8;
    let red = red.wrapping_add(part(green_to_red, green));
    let blue = blue.wrapping_add(part(green_to_blue, green)).wrapping_add(part(red_to_blue, red));
    Argb::from_le_bytes([blue, green, red, alpha])
}

/// Adds the predicted pixels to a row, and keeps the row for the next one.
fn predict(squares: &Squares<u8>, y: u32, above: &mut [Argb], row: &mut [Argb]) {
    if y == 0 {
        let mut left = BLACK;
        for pixel in &mut *row {
            *pixel = sum(*pixel, left);
            left = *pixel;
        }
    } else {
        row[0] = sum(row[0], above[0]);
        above[row.len()] = row[0];
        let mut left = row[0];
        squares.for_row(y, row, |&mode, start, pixels| {
            let skipped = usize::from(start == 0);
            let from = start + skipped - 1;
            left = add_predictions(mode, left, &above[from..], &mut pixels[skipped..]);
        });
    }
    above[..row.len()].copy_from_slice(row);
}

/// Adds the predictions of a mode to pixels; `left` is the pixel before them, and `above` begins above it. Returns the
/// last pixel.
fn add_predictions(mode: u8, left: Argb, above: &[Argb], pixels: &mut [Argb]) -> Argb {
    /// Each mode has a loop of its own.
    #[inline(always)]
    fn run(left: Argb, above: &[Argb], pixels: &mut [Argb], predict: impl Fn(Argb, [Argb; 3]) -> Argb) -> Argb {
        pixels.iter_mut().zip(above.windows(3)).fold(left, |left, (pixel, above)| {
            *pixel = sum(*pixel, predict(left, [above[0], above[1], above[2]]));
            *pixel
        })
    }
    match mode & 15 {
        1 => run(left, above, pixels, |l, _| l),
        2 => run(left, above, pixels, |_, [_, t, _]| t),
        3 => run(left, above, pixels, |_, [_, _, tr]| tr),
        4 => run(left, above, pixels, |_, [tl, _, _]| tl),
        5 => run(left, above, pixels, |l, [_, t, tr]| mean(mean(l, tr), t)),
        6 => run(left, above, pixels, |l, [tl, _, _]| mean(l, tl)),
        7 => run(left, above, pixels, |l, [_, t, _]| mean(l, t)),
        8 => run(left, above, pixels, |_, [tl, t, _]| mean(tl, t)),
        9 => run(left, above, pixels, |_, [_, t, tr]| mean(t, tr)),
        10 => run(left, above, pixels, |l, [tl, t, tr]| mean(mean(l, tl), mean(t, tr))),
        11 => run(left, above, pixels, |l, [tl, t, _]| nearer(l, t, tl)),
        12 => run(left, above, pixels, |l, [tl, t, _]| per_channel(l, t, tl, |l, t, tl| l + t - tl)),
        13 => run(left, above, pixels, |l, [tl, t, _]| {
            let mean = mean(l, t);
            per_channel(mean, mean, tl, |mean, _, tl| mean + (mean - tl) / 2)
        }),
        _ => run(left, above, pixels, |_, _| BLACK),
    }
}

/// Adds each channel, modulo 256.
const fn sum(a: Argb, b: Argb) -> Argb {
    const EVEN: u32 = 0x00FF_00FF;
    let even = ((a & EVEN) + (b & EVEN)) & EVEN;
    let odd = ((a >> 8 & EVEN) + (b >> 8 & EVEN)) & EVEN;
    odd << 8 | even
}

/// Returns the mean of each channel, rounded down.
const fn mean(a: Argb, b: Argb) -> Argb {
    ((a ^ b) >> 1 & 0x7F7F_7F7F) + (a & b)
}

/// Returns whichever of left and top is nearer to left + top − top left.
fn nearer(left: Argb, top: Argb, top_left: Argb) -> Argb {
    let distance = |a: Argb, b: Argb| -> u32 {
        channels(a).into_iter().zip(channels(b)).map(|(a, b)| u32::from(a.abs_diff(b))).sum()
    };
    if distance(top, top_left) < distance(left, top_left) { left } else { top }
}

/// Computes each channel of a pixel, limited to 0 to 255.
fn per_channel(a: Argb, b: Argb, c: Argb, value: impl Fn(i32, i32, i32) -> i32) -> Argb {
    let (a, b, c) = (channels(a), channels(b), channels(c));
    Argb::from_le_bytes(core::array::from_fn(|n| value(a[n].into(), b[n].into(), c[n].into()).clamp(0, 255) as u8))
}
