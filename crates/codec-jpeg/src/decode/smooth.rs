//! Smoothing of unfinished progressive pictures, as in libjpeg-turbo 2.1: where the first coefficients of a block are
//! not known to their last bit, they are estimated from the first coefficients of 5 × 5 blocks (compare T.81 K.8).

use super::scan::Scan;
use super::scan_head::Pass;
use super::sequential::{Block, place};

/// The number of rows of MCUs whose coefficients must be read before a row can be smoothed, and that are held for it.
pub(super) const ROWS_AHEAD: u32 = 2;
pub(super) const ROWS_HELD: u32 = 2 * ROWS_AHEAD + 1;

/// The number of coefficients that can be estimated.
const ESTIMATED: usize = 10;

/// How well the first coefficients of a component in zigzag order are known: the number of low bits that are missing,
/// or `None` when no scan contains the coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known([Option<u8>; ESTIMATED]);

impl Known {
    /// Whether no coefficient but the first is known.
    fn is_first_only(&self) -> bool {
        self.0[1..].iter().all(Option::is_none)
    }
}

/// What is known of a component where the last scan of the picture has data, and where it has none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Knowledge {
    pub(super) with_last: Known,
    pub(super) without_last: Known,
}

/// Returns what is known of each component, or `None` if there is nothing to estimate, or the first coefficients or the
/// steps are missing.
pub(super) fn knowledge(scans: &[Scan<'_>], steps: &[&Block]) -> Option<Vec<Knowledge>> {
    let unknown = Known([None; ESTIMATED]);
    let mut all = vec![Knowledge { with_last: unknown, without_last: unknown }; steps.len()];
    for (number, scan) in scans.iter().enumerate() {
        for component in scan.components() {
            let Knowledge { with_last, without_last } = &mut all[component];
            // libjpeg-turbo takes a component as it was before its own last scan, even when others follow.
            *without_last = if number == 0 { Known([Some(0); ESTIMATED]) } else { *with_last };
            let (band, low) = band_of(scan.pass)?;
            for bits in with_last.0.iter_mut().take(band.1 + 1).skip(band.0) {
                *bits = Some(low as u8);
            }
        }
    }
    if scans.len() == 1 {
        all.iter_mut().for_each(|known| known.without_last = unknown);
    }
    let has_steps = |steps: &&Block| (0..ESTIMATED).all(|number| steps[place(number)] != 0);
    let is_possible = steps.iter().all(has_steps) && all.iter().all(|known| known.with_last.0[0].is_some());
    let is_useful = all.iter().any(|known| known.with_last.0[1..].iter().any(|bits| *bits != Some(0)));
    (is_possible && is_useful).then_some(all)
}

/// Returns the numbers of the first and the last coefficient of a progressive scan, and of the low bits it leaves out.
const fn band_of(pass: Pass) -> Option<((usize, usize), u32)> {
    match pass {
        Pass::Sequential | Pass::Lossless { .. } => None,
        Pass::DcFirst { low } | Pass::DcRefinement { low } => Some(((0, 0), low)),
        Pass::AcFirst { band, low } | Pass::AcRefinement { band, low } => Some(((band.first, band.last), low)),
    }
}

/// Returns the rows of blocks above and below row `y`, nearest existing ones at the edges. A component has `height`
/// rows, and `down` in an MCU. As in libjpeg-turbo 2.1, the second rows count only from the second row of MCUs on and
/// up to the second last, or inside of a row of MCUs.
pub(super) fn rows(y: u32, down: u32, height: u32) -> [u32; 5] {
    let (mcu_row, last) = (y / down, (height - 1) / down);
    // The rows that only fill the last MCUs are no neighbours.
    let below_in_mcu = if mcu_row == last { height - 1 - y } else { down - 1 - y % down };
    let up = y.saturating_sub(1);
    let second_up = if y % down > 1 || mcu_row > 1 { y - 2 } else { up };
    let below = if below_in_mcu > 0 || mcu_row < last { y + 1 } else { y };
    let second_below = if below_in_mcu > 1 || mcu_row + 1 < last { y + 2 } else { below };
    [second_up, up, y, below, second_below]
}

/// The first coefficients of 5 × 5 blocks.
#[derive(Default)]
pub(super) struct Window([[i32; 5]; 5]);

impl Window {
    /// Centres the window at column `x` of `width`.
    pub(super) fn advance(&mut self, rows: &[&[Block]; 5], x: u32, width: u32) {
        for (line, row) in self.0.iter_mut().zip(rows) {
            for (first, offset) in line.iter_mut().zip(-2..) {
                let column = x.saturating_add_signed(offset);
                // libjpeg-turbo 2.1 wraps around where there are two columns.
                let edge = if width == 2 { 0 } else { width - 1 };
                let column = if column < width { column } else { edge };
                *first = row[column as usize][0].into();
            }
        }
    }

    /// Returns the sum of the coefficients, multiplied by their weights.
    fn sum(&self, weights: &Weights) -> i64 {
        let products = self.0.as_flattened().iter().zip(weights.as_flattened());
        products.map(|(&first, &weight)| i64::from(first) * i64::from(weight)).sum()
    }
}

/// Estimates coefficients of the block in the middle of the window. Only those that are 0 and not known to the last bit
/// change, and the first one if no other is known.
pub(super) fn estimate(block: &mut Block, window: &Window, steps: &Block, known: &Known) {
    let step = |number: usize| i64::from(steps[place(number)] as u16);
    let is_first_only = known.is_first_only();
    let weights = if is_first_only { &FROM_FIRST_ONLY[..] } else { &FROM_MORE };
    for (number, weights) in (1..).zip(weights) {
        let coefficient = &mut block[place(number)];
        if known.0[number] != Some(0) && *coefficient == 0 {
            let estimate = divided(step(0) * window.sum(weights), step(number));
            // A larger number would have shown in the bits that are known.
            let limit = known.0[number].map_or(i64::MAX, |missing| (1 << missing) - 1);
            *coefficient = estimate.clamp(-limit, limit) as i16;
        }
    }
    if is_first_only {
        block[0] = divided(step(0) * window.sum(&FIRST), step(0)) as i16;
    }
}

/// Returns a weighted sum, whose weights have 8 fraction bits, in steps; halves are rounded away from 0.
const fn divided(sum: i64, step: i64) -> i64 {
    ((step << 7) + sum.abs()) / (step << 8) * sum.signum()
}

/// The weights of 5 × 5 first coefficients in the estimate of one coefficient.
type Weights = [[i16; 5]; 5];

const fn transposed(weights: &Weights) -> Weights {
    let mut result = [[0; 5]; 5];
    let mut i = 0;
    while i < 25 {
        result[i % 5][i / 5] = weights[i / 5][i % 5];
        i += 1;
    }
    result
}

/// The weights for coefficients 1 to 9 in zigzag order where no coefficient but the first is known.
static FROM_FIRST_ONLY: [Weights; 9] = [
    SLOPE,
    transposed(&SLOPE),
    transposed(&CURVE),
    [[-1, 0, 0, 0, 1], [0, 9, 0, -9, 0], [0; 5], [0, -9, 0, 9, 0], [1, 0, 0, 0, -1]],
    CURVE,
    WAVE,
    TWIST,
    transposed(&TWIST),
    transposed(&WAVE),
];
/// The weights for coefficients 1 to 5 where others are known.
static FROM_MORE: [Weights; 5] = [
    NEAR_SLOPE,
    transposed(&NEAR_SLOPE),
    transposed(&NEAR_CURVE),
    [[0, -1, 0, 1, 0], [-1, 10, 0, -10, 1], [0; 5], [1, -10, 0, 10, -1], [0, 1, 0, -1, 0]],
    NEAR_CURVE,
];
const FIRST: Weights =
    [[-2, -6, -8, -6, -2], [-6, 6, 42, 6, -6], [-8, 42, 152, 42, -8], [-6, 6, 42, 6, -6], [-2, -6, -8, -6, -2]];
const SLOPE: Weights =
    [[-1, -1, 0, 1, 1], [-3, 13, 0, -13, 3], [-3, 38, 0, -38, 3], [-3, 13, 0, -13, 3], [-1, -1, 0, 1, 1]];
const CURVE: Weights = [[0; 5], [0, 2, -5, 2, 0], [1, 7, -14, 7, 1], [0, 2, -5, 2, 0], [0; 5]];
const WAVE: Weights = [[0; 5], [0, 1, 0, -1, 0], [0, 2, 0, -2, 0], [0, 1, 0, -1, 0], [0; 5]];
const TWIST: Weights = [[0; 5], [0, 1, -3, 1, 0], [0; 5], [0, -1, 3, -1, 0], [0; 5]];
const NEAR_SLOPE: Weights = [[0; 5], [0; 5], [-7, 50, 0, -50, 7], [0; 5], [0; 5]];
const NEAR_CURVE: Weights = [[0; 5], [0; 5], [-1, 13, -24, 13, -1], [0; 5], [0; 5]];
