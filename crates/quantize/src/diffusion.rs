//! Error diffusion (R. W. Floyd, L. Steinberg, 1976): what a pixel's palette colour lacks is added to its neighbours.

use raster::{Budget, Result};

use crate::palette::{Nearest, Palette};

/// The part of an error that is handed on, in sixteenths. Less than all of it: see `tests/bench/README.md`.
const STRENGTH: i32 = 10;

/// Red, green and blue in 1/256 of a code; the last number is 0 and lets the compiler take four at once.
pub(crate) type Sums = [i32; 4];

/// What the pixels of a row and of the next are to be changed by; one more at both ends.
pub(crate) struct Errors {
    current: Vec<Sums>,
    below: Vec<Sums>,
}

impl Errors {
    pub(crate) fn new(width: u32, budget: &Budget) -> Result<Self> {
        let row = || budget.filled(u64::from(width) + 2, [0; 4]);
        Ok(Self { current: row()?, below: row()? })
    }

    /// Returns the colour that the pixel `x` shall have.
    #[inline(always)]
    pub(crate) fn target(&self, x: usize, wanted: [u8; 3]) -> Sums {
        let (wanted, error) = (sums(wanted), &self.current[x + 1]);
        core::array::from_fn(|i| (wanted[i] + error[i]).clamp(0, 255 * 256))
    }

    /// Adds what the chosen colour lacks to the neighbours of the pixel `x`.
    #[inline(always)]
    pub(crate) fn hand_on(&mut self, x: usize, target: Sums, chosen: [u8; 3]) {
        let chosen = sums(chosen);
        if target == chosen {
            return;
        }
        let error: Sums = core::array::from_fn(|i| (target[i] - chosen[i]) * STRENGTH / 16);
        let add = |to: &mut Sums, part: i32| (0..4).for_each(|i| to[i] += error[i] * part / 16);
        add(&mut self.current[x + 2], 7);
        let [left, middle, right] = &mut self.below[x..x + 3] else { return };
        add(left, 3);
        add(middle, 5);
        add(right, 1);
    }

    pub(crate) fn next_row(&mut self) {
        core::mem::swap(&mut self.current, &mut self.below);
        self.below.fill([0; 4]);
    }
}

/// Returns a colour in 1/256 of a code.
#[inline(always)]
fn sums([r, g, b]: [u8; 3]) -> Sums {
    [r, g, b, 0].map(|code| i32::from(code) * 256)
}

/// Returns the nearest codes of a colour.
#[inline(always)]
pub(crate) fn rounded(target: Sums) -> [u8; 3] {
    let [r, g, b, _] = target.map(|value| ((value + 128) >> 8) as u8);
    [r, g, b]
}

/// A compressor that takes the indices of a picture in their order.
pub trait Coder {
    /// Whether an index continues a string that the compressor knows, so that no further code is needed.
    fn continues(&self, index: u8) -> bool;

    /// Takes an index if it continues a string that the compressor knows. Returns whether it was taken.
    fn extend(&mut self, index: u8) -> bool;

    /// Takes an index.
    fn append(&mut self, index: u8);
}

/// Indices that are not compressed while they are chosen.
impl Coder for () {
    fn continues(&self, _index: u8) -> bool {
        true
    }

    fn extend(&mut self, _index: u8) -> bool {
        true
    }

    fn append(&mut self, _index: u8) {}
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
        for (x, ((&[r, g, b, alpha], &shown), index)) in wanted.iter().zip(shown).zip(indices).enumerate() {
            if alpha == 0 {
                *index = kept(palette, shown, keep, coder);
                continue;
            }
            let target = self.errors.target(x, [r, g, b]);
            let nearest = palette.find(rounded(target));
            let [sr, sg, sb, seen] = shown;
            let stays = seen != 0 && palette.apart(&nearest, [sr, sg, sb]) <= nearest.apart + self.tolerance;
            let best = if stays { keep } else { nearest.index };
            *index = coded(palette, &nearest, (best, self.tolerance), coder);
            let chosen = if stays && *index == keep { [sr, sg, sb] } else { palette.colors()[usize::from(*index)] };
            self.errors.hand_on(x, target, chosen);
        }
        self.errors.next_row();
    }
}

/// The index of a pixel that stays as it is: `keep`, or a colour of the palette that looks the same.
fn kept(palette: &mut Palette, [r, g, b, seen]: [u8; 4], keep: u8, coder: &mut impl Coder) -> u8 {
    if coder.extend(keep) {
        return keep;
    }
    let same = palette.find([r, g, b]);
    if seen != 0 && same.apart == 0.0 && coder.extend(same.index) {
        return same.index;
    }
    coder.append(keep);
    keep
}

/// The index of a pixel: the best one, unless it needs a new code and a colour within the tolerance does not.
fn coded(palette: &mut Palette, nearest: &Nearest, (best, tolerance): (u8, f32), coder: &mut impl Coder) -> u8 {
    if coder.extend(best) {
        return best;
    }
    if tolerance > 0.0
        && let Some(other) = palette.similar(nearest, tolerance, |index| coder.continues(index))
    {
        coder.append(other);
        return other;
    }
    coder.append(best);
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::Limits;

    /// A compressor that knows only strings of one index.
    struct Only(u8);

    impl Coder for Only {
        fn continues(&self, index: u8) -> bool {
            index == self.0
        }

        fn extend(&mut self, index: u8) -> bool {
            index == self.0
        }

        fn append(&mut self, _index: u8) {}
    }

    fn indices(wanted: u8, shown: [u8; 4], tolerance: f32, known: u8) -> u8 {
        let mut palette = Palette::new(&[[100; 3], [103; 3], [200; 3]]);
        let mut indices = [0];
        let row = Row { wanted: &[[wanted, wanted, wanted, 255]], shown: &[shown], keep: 3, indices: &mut indices };
        let mut diffusion = Diffusion::new(1, tolerance, &Budget::new(&Limits::default())).unwrap();
        diffusion.row(&mut palette, row, &mut Only(known));
        indices[0]
    }

    #[test]
    fn a_similar_color_is_taken_where_it_needs_no_code() {
        assert_eq!(indices(100, [0; 4], 0.02, 1), 1);
        assert_eq!(indices(100, [0; 4], 0.02, 2), 0, "too far away");
        assert_eq!(indices(100, [0; 4], 0.0, 1), 0, "no tolerance");
        assert_eq!(indices(100, [0; 4], 0.02, 0), 0, "the nearest is known, too");
    }

    #[test]
    fn a_pixel_stays_where_it_is_close_enough() {
        let shown = |code: u8| [code, code, code, 255];
        assert_eq!(indices(100, shown(102), 0.02, 3), 3);
        assert_eq!(indices(100, shown(102), 0.0, 3), 0);
        assert_eq!(indices(101, shown(101), 0.0, 2), 3, "closer than the palette");
        assert_eq!(indices(100, [102, 102, 102, 0], 0.02, 3), 0, "nothing is shown");
    }
}
