//! The inverse transforms (RFC 6386 §14).

use super::predict::{Area, LEFT};
use super::tokens::Coefficients;

/// Returns the direct coefficients of the 16 blocks of luma (§14.3).
pub(super) fn inverse_walsh(input: &Coefficients) -> Coefficients {
    let mut columns = [0; 16];
    for x in 0..4 {
        let [a, b, c, d] = [0, 4, 8, 12].map(|y| i32::from(input[x + y]));
        let sums = walsh([a, b, c, d]);
        (0..4).for_each(|y| columns[x + 4 * y] = sums[y]);
    }
    let mut output = [0; 16];
    for (row, output) in columns.as_chunks::<4>().0.iter().zip(output.as_chunks_mut::<4>().0) {
        let [a, b, c, d] = *row;
        *output = walsh([a + 3, b, c, d]).map(|sum| (sum >> 3) as i16);
    }
    output
}

const fn walsh([a, b, c, d]: [i32; 4]) -> [i32; 4] {
    let (outer, inner) = (a + d, b + c);
    let (outer_difference, inner_difference) = (a - d, b - c);
    [outer + inner, outer_difference + inner_difference, outer - inner, outer_difference - inner_difference]
}

/// Adds the block of 4 × 4 pixels with these coefficients to the prediction at (`x`, `y`) (§14.4).
pub(super) fn add_inverse_dct(input: &Coefficients, area: &mut Area, x: usize, y: usize) {
    let mut columns = [0; 16];
    for column in 0..4 {
        let sums = dct([0, 4, 8, 12].map(|row| i32::from(input[column + row])));
        (0..4).for_each(|row| columns[column + 4 * row] = sums[row]);
    }
    for (row, coefficients) in columns.as_chunks::<4>().0.iter().enumerate() {
        let [a, b, c, d] = *coefficients;
        let sums = dct([a + 4, b, c, d]);
        for (pixel, sum) in area[1 + y + row][LEFT + x..][..4].iter_mut().zip(sums) {
            *pixel = (i32::from(*pixel) + (sum >> 3)).clamp(0, 255) as u8;
        }
    }
}

/// One dimension of the transform. The factors are √2 cos(π/8) and √2 sin(π/8) in 16 bits. Products beyond 32 bits,
/// which only broken files have, wrap.
const fn dct([a, b, c, d]: [i32; 4]) -> [i32; 4] {
    const fn cosine(value: i32) -> i32 {
        value + (value.wrapping_mul(20_091) >> 16)
    }
    const fn sine(value: i32) -> i32 {
        value.wrapping_mul(35_468) >> 16
    }
    let (even, even_difference) = (a + c, a - c);
    let odd_difference = sine(b) - cosine(d);
    let odd = cosine(b) + sine(d);
    [even + odd, even_difference + odd_difference, even_difference - odd_difference, even - odd]
}
