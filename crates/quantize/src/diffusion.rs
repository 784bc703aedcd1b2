//! Error diffusion (R. W. Floyd, L. Steinberg, 1976): what a pixel's palette colour lacks is added to its neighbours.

use raster::{Budget, Result};
use simd::I32x4;

use crate::coder::Coder;
use crate::oklab::distance;
use crate::palette::{Nearest, Palette, Rgb0};

/// Red, green and blue in 1/256 of a code; the last number is 0.
type Sums = [i32; 4];

/// What the pixels of the next row are to be changed by. Pixel `x` is at `x + 1`.
#[derive(Default)]
pub(crate) struct Errors(Vec<Sums>);

impl Errors {
    pub(crate) fn new(width: u32, budget: &Budget) -> Result<Self> {
        Ok(Self(budget.filled(u64::from(width) + 1, [0; 4])?))
    }

    /// Starts a row, whose pixels come from left to right, each once.
    #[inline(always)]
    pub(crate) fn start(&mut self) -> Wave<'_> {
        let zero = I32x4::splat(0);
        Wave { sums: &mut self.0, x: 0, right: zero, below: [zero; 2] }
    }
}

/// A row while errors are handed on. Those of the row below take the places of the pixels that are done.
pub(crate) struct Wave<'a> {
    sums: &'a mut [Sums],
    /// The pixel that comes.
    x: usize,
    /// What the pixel that comes is to be changed by because of the one before.
    right: I32x4,
    /// The same for the pixels below the one before and below the one that comes.
    below: [I32x4; 2],
}

impl Wave<'_> {
    /// Returns the colour that the next pixel shall have, in 1/256 of a code.
    #[inline(always)]
    pub(crate) fn target(&self, wanted: Rgb0) -> I32x4 {
        let error = I32x4::load(&self.sums[self.x + 1]) + self.right;
        (I32x4::from_bytes(wanted).shl::<8>() + error).clamp(I32x4::splat(0), I32x4::splat(255 << 8))
    }

    /// Passes the next pixel, and adds five eighths of what the chosen colour lacks to its neighbours. Less than all of
    /// it: see `tests/bench/README.md`.
    #[inline(always)]
    pub(crate) fn hand_on(&mut self, target: I32x4, chosen: Rgb0) {
        let missing = target - I32x4::from_bytes(chosen).shl::<8>();
        let error = (missing.shl::<2>() + missing).over_power_of_two::<3>();
        let sixteenth = I32x4::over_power_of_two::<4>;
        let [three, five] = [error.shl::<1>() + error, error.shl::<2>() + error].map(sixteenth);
        (self.below[0] + three).store(&mut self.sums[self.x]);
        self.below = [self.below[1] + five, sixteenth(error)];
        self.right = sixteenth(error.shl::<3>() - error);
        self.x += 1;
    }

    /// Passes the next pixel, which is shown as it is.
    #[inline(always)]
    pub(crate) fn skip(&mut self) {
        self.below[0].store(&mut self.sums[self.x]);
        self.right = I32x4::splat(0);
        self.below = [self.below[1], self.right];
        self.x += 1;
    }

    /// Ends the row.
    #[inline(always)]
    pub(crate) fn end(self) {
        self.below[0].store(&mut self.sums[self.x]);
    }
}

/// Returns the nearest codes of a colour in 1/256 of a code.
#[inline(always)]
pub(crate) fn rounded(target: I32x4) -> Rgb0 {
    (target + I32x4::splat(128)).shr::<8>().to_bytes()
}

/// A row to be mapped to a palette.
pub struct Row<'a> {
    /// The colours to be shown. Pixels with alpha 0 stay as they are.
    pub wanted: &'a [[u8; 4]],
    /// The colours that are visible already; alpha 0 means none.
    pub shown: &'a [[u8; 4]],
    /// The index of pixels that stay as they are.
    pub keep: u8,
    /// The result.
    pub indices: &'a mut [u8],
}

/// Maps rows to a palette, top to bottom and left to right, as compressors want them.
pub struct Diffusion {
    errors: Errors,
    /// How much larger than the nearest colour's the square of a distance may be.
    tolerance: f32,
}

impl Diffusion {
    /// For rows of `width` pixels. A colour may be further away than the nearest if this makes the data shorter: the
    /// squares of the distances in Oklab differ by at most the square of `tolerance`.
    ///
    /// # Errors
    /// `Limit` when the budget does not pay for two rows of errors.
    pub fn new(width: u32, tolerance: f32, budget: &Budget) -> Result<Self> {
        Ok(Self { errors: Errors::new(width, budget)?, tolerance: tolerance * tolerance })
    }

    /// Chooses an index for each pixel of the row and gives it to the coder.
    pub fn row(&mut self, palette: &mut Palette, row: Row<'_>, coder: &mut impl Coder) {
        let Row { wanted, shown, keep, indices } = row;
        let mut wave = self.errors.start();
        let mut last = [0; 4];
        let mut nearest = palette.find(last);
        for ((&[r, g, b, alpha], &shown), index) in wanted.iter().zip(shown).zip(indices) {
            if alpha == 0 {
                *index = kept(palette, shown, keep, coder);
                wave.skip();
                continue;
            }
            let [sr, sg, sb, is_seen] = shown;
            let seen = [sr, sg, sb, 0];
            // It does not depend on the pixels before, so the processor can find it while they are still computed.
            let place = (is_seen != 0).then(|| palette.find(seen).lab);
            let target = wave.target([r, g, b, 0]);
            let wanted = rounded(target);
            // In flat areas, the processor need not wait for the answer.
            if wanted != last {
                (last, nearest) = (wanted, palette.find(wanted));
            }
            let is_close = |place| distance(nearest.lab, place) <= nearest.apart + self.tolerance;
            let (best, chosen) = match place.is_some_and(is_close) {
                true => (keep, seen),
                false => (nearest.index, palette.color(nearest.index)),
            };
            let other = coded(palette, &nearest, (best, self.tolerance), coder);
            *index = other.unwrap_or(best);
            wave.hand_on(target, other.map_or(chosen, |other| palette.color(other)));
        }
        wave.end();
    }
}

/// The index of a pixel that stays as it is: `keep`, or a colour of the palette that looks the same.
#[inline(always)]
fn kept(palette: &mut Palette, [r, g, b, is_seen]: [u8; 4], keep: u8, coder: &mut impl Coder) -> u8 {
    if coder.extend(keep) {
        return keep;
    }
    if is_seen != 0 && coder.candidates() != 0 {
        let same = palette.find([r, g, b, 0]);
        if same.apart == 0.0 && coder.extend(same.index) {
            return same.index;
        }
    }
    coder.restart(keep);
    keep
}

/// Gives the coder the best index of a pixel, or another one if the best needs a new code and the colour of the other,
/// which is returned, is within the tolerance.
#[inline(always)]
fn coded(palette: &mut Palette, nearest: &Nearest, (best, tolerance): (u8, f32), coder: &mut impl Coder) -> Option<u8> {
    if coder.extend(best) {
        return None;
    }
    // Most strings are not continued by any index.
    let may_be_other = tolerance > 0.0 && coder.candidates() != 0;
    let other = may_be_other.then(|| palette.similar(nearest, tolerance, coder)).flatten();
    if other.is_none() {
        coder.restart(best);
    }
    other
}

#[cfg(test)]
#[path = "diffusion_tests.rs"]
mod tests;
