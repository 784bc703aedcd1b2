//! The two types of samples: bytes, and numbers of up to 16 bits for 12-bit and lossless pictures.

use super::plane::Plane;
use super::sequential::Block;
use super::wide;

/// A sample and the steps that differ between the two types.
pub(super) trait Sample: Copy {
    /// Writes the samples of the block at `at` in a row of MCUs. Coefficients behind number `last` in zigzag order are
    /// 0.
    fn write_block(plane: &mut Plane<Self>, mcu_row: u32, at: (u32, u32), block: &Block, last: usize);

    /// Writes two samples for each of a row of at least two: three quarters of it and a quarter of its neighbour.
    fn double_columns(row: &[Self], into: &mut [Self]);

    /// Writes row `y` of twice the rows: three quarters of the nearer row and a quarter of the other one.
    fn double_rows(near: &[Self], far: &[Self], y: u32, into: &mut [Self]);

    /// Does both at once.
    fn double_both(near: &[Self], far: &[Self], into: &mut [Self]);
}

/// The amount that is added before a division by 4: the remainders are rounded in turn down and up.
const fn row_bias(y: u32) -> u16 {
    if y.is_multiple_of(2) { 1 } else { 2 }
}

impl Sample for u8 {
    #[inline(always)]
    fn write_block(plane: &mut Plane<Self>, mcu_row: u32, at: (u32, u32), block: &Block, last: usize) {
        plane.write(mcu_row, at, block, last);
    }

    fn double_columns(row: &[Self], into: &mut [Self]) {
        simd::double_columns(row, into);
    }

    fn double_rows(near: &[Self], far: &[Self], y: u32, into: &mut [Self]) {
        let bias = row_bias(y);
        for ((sample, &near), &far) in into.iter_mut().zip(near).zip(far) {
            *sample = ((3 * u16::from(near) + u16::from(far) + bias) >> 2) as Self;
        }
    }

    fn double_both(near: &[Self], far: &[Self], into: &mut [Self]) {
        simd::double_both(near, far, into);
    }
}

/// Only 12-bit pictures are interpolated, so no sum of samples exceeds 16 × 4095.
impl Sample for u16 {
    fn write_block(plane: &mut Plane<Self>, mcu_row: u32, at: (u32, u32), block: &Block, _: usize) {
        let samples = wide::inverse_dct(block, &plane.steps);
        plane.write_rows::<8>(mcu_row, at, samples.as_chunks().0);
    }

    fn double_columns(row: &[Self], into: &mut [Self]) {
        for (x, pair) in (0..row.len()).zip(into.as_chunks_mut().0) {
            let this = 3 * row[x];
            let (before, after) = neighbours(row, x);
            *pair = [(this + before + 1) >> 2, (this + after + 2) >> 2];
        }
    }

    fn double_rows(near: &[Self], far: &[Self], y: u32, into: &mut [Self]) {
        for ((sample, near), far) in into.iter_mut().zip(near).zip(far) {
            *sample = (3 * near + far + row_bias(y)) >> 2;
        }
    }

    fn double_both(near: &[Self], far: &[Self], into: &mut [Self]) {
        for (x, pair) in (0..near.len()).zip(into.as_chunks_mut().0) {
            let this = 3 * (3 * near[x] + far[x]);
            let (near, far) = (neighbours(near, x), neighbours(far, x));
            *pair = [(this + 3 * near.0 + far.0 + 8) >> 4, (this + 3 * near.1 + far.1 + 7) >> 4];
        }
    }
}

/// Returns the samples before and behind the one at `x`; at an end, that sample itself.
fn neighbours(row: &[u16], x: usize) -> (u16, u16) {
    (row[x.saturating_sub(1)], row[(x + 1).min(row.len() - 1)])
}
