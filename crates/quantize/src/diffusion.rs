//! Error diffusion (R. W. Floyd, L. Steinberg, 1976): what a pixel's palette colour lacks is added to its neighbours.

use raster::{Budget, Result};

use crate::palette::Palette;

/// The part of an error that is handed on, in sixteenths. Less than all of it: see `tests/bench/README.md`.
const STRENGTH: i32 = 12;

/// Maps rows to a palette, top to bottom. Equal rows give equal indices.
pub struct Diffusion {
    /// What the pixels of this row and the next are to be changed by, in 1/256 of a code; one more at both ends.
    errors: [Vec<[i32; 3]>; 2],
    /// Rows go to the right and to the left in turn.
    leftwards: bool,
}

impl Diffusion {
    /// For rows of `width` pixels.
    ///
    /// # Errors
    /// `Limit` when the budget does not pay for two rows of errors.
    pub fn new(width: u32, budget: &Budget) -> Result<Self> {
        let row = || budget.filled(u64::from(width) + 2, [0; 3]);
        Ok(Self { errors: [row()?, row()?], leftwards: false })
    }

    /// Writes the index of a palette colour for each pixel of `wanted`, or `keep` for pixels that stay as they are:
    /// those with alpha 0, which take part in nothing, and those for which the colour in `shown` (alpha 0: none) is
    /// at least as close as all colours of the palette.
    pub fn row(
        &mut self,
        palette: &mut Palette,
        wanted: &[[u8; 4]],
        shown: &[[u8; 4]],
        (keep, indices): (u8, &mut [u8]),
    ) {
        let width = wanted.len().min(shown.len()).min(indices.len()).min(self.errors[0].len() - 2);
        let [current, below] = &mut self.errors;
        below.fill([0; 3]);
        for step in 0..width {
            let x = if self.leftwards { width - 1 - step } else { step };
            let [r, g, b, alpha] = wanted[x];
            if alpha == 0 {
                indices[x] = keep;
                continue;
            }
            let target = [r, g, b].map(i32::from);
            let target: [i32; 3] = core::array::from_fn(|i| (target[i] * 256 + current[x + 1][i]).clamp(0, 255 * 256));
            let code = target.map(|value| ((value + 128) >> 8) as u8);
            let nearest = palette.find(code);
            let [sr, sg, sb, seen] = shown[x];
            let stays = seen != 0 && palette.apart(code, [sr, sg, sb]) <= nearest.apart;
            let chosen = if stays { [sr, sg, sb] } else { palette.colors()[usize::from(nearest.index)] };
            indices[x] = if stays { keep } else { nearest.index };
            let (ahead, behind) = if self.leftwards { (x, x + 2) } else { (x + 2, x) };
            for i in 0..3 {
                let error = (target[i] - i32::from(chosen[i]) * 256) * STRENGTH / 16;
                current[ahead][i] += error * 7 / 16;
                below[behind][i] += error * 3 / 16;
                below[x + 1][i] += error * 5 / 16;
                below[ahead][i] += error / 16;
            }
        }
        self.errors.swap(0, 1);
        self.leftwards = !self.leftwards;
    }
}
