//! The specification of inverse transforms to fewer samples than a block has coefficients, with libjpeg's arithmetic
//! (`jidctred.c`). The result is the picture at a half or a quarter of its size.
#![cfg_attr(
    all(target_arch = "wasm32", target_feature = "simd128"),
    allow(
        dead_code,
        unreachable_pub,
        reason = "only tests use the parts of the specification that have a vector implementation"
    )
)]

use crate::jpeg::{BETWEEN_BITS, CONSTANT_BITS};

/// The factors of coefficients 2 and 6 in four samples.
pub(crate) const FOUR_EVEN: [i16; 2] = [
    15_137, // 1.847 759 065
    -6270,  // 0.765 366 865
];

/// The factors of coefficients 1, 3, 5 and 7 in the outer two of four samples.
pub(crate) const FOUR_OUTER: [i16; 4] = [
    20_995, // 2.562 915 447
    7373,   // 0.899 976 223
    -4926,  // 0.601 344 887
    -4176,  // 0.509 795 579
];

/// The factors of these coefficients in the inner two of four samples.
pub(crate) const FOUR_INNER: [i16; 4] = [
    8697,    // 1.061 594 337
    -17_799, // 2.172 734 803
    11_893,  // 1.451 774 981
    -1730,   // 0.211 164 243
];

/// The factors of these coefficients in two samples.
pub(crate) const TWO_ODD: [i16; 4] = [
    29_692,  // 3.624 509 785
    -10_426, // 1.272 758 580
    6967,    // 0.850 430 095
    -5906,   // 0.720 959 822
];

/// Returns 4 × 4 samples of a block of quantised coefficients.
#[inline]
#[must_use]
pub fn inverse_dct_4(coefficients: &[i16; 64], steps: &[i16; 64]) -> [u8; 16] {
    transformed(coefficients, steps, CONSTANT_BITS + 1, |c| {
        let even = products(&[c[2], c[6]], &FOUR_EVEN);
        let outer = products(&[c[1], c[3], c[5], c[7]], &FOUR_OUTER);
        let inner = products(&[c[1], c[3], c[5], c[7]], &FOUR_INNER);
        let middle = i32::from(c[0]) << (CONSTANT_BITS + 1);
        let (high, low) = (middle.wrapping_add(even), middle.wrapping_sub(even));
        [high.wrapping_add(outer), low.wrapping_add(inner), low.wrapping_sub(inner), high.wrapping_sub(outer)]
    })
}

/// Returns 2 × 2 samples of a block of quantised coefficients.
#[inline]
#[must_use]
pub fn inverse_dct_2(coefficients: &[i16; 64], steps: &[i16; 64]) -> [u8; 4] {
    transformed(coefficients, steps, CONSTANT_BITS + 2, |c| {
        let odd = products(&[c[1], c[3], c[5], c[7]], &TWO_ODD);
        let middle = i32::from(c[0]) << (CONSTANT_BITS + 2);
        [middle.wrapping_add(odd), middle.wrapping_sub(odd)]
    })
}

/// Returns the `N` × `N` samples that `transform` makes of the columns and then of the rows. Its results have
/// `fraction` fraction bits.
#[inline(always)]
fn transformed<const N: usize, const SAMPLES: usize>(
    coefficients: &[i16; 64],
    steps: &[i16; 64],
    fraction: u32,
    transform: impl Fn(&[i16; 8]) -> [i32; N],
) -> [u8; SAMPLES] {
    let mut rows = [[0; 8]; N];
    for x in 0..8 {
        let column = core::array::from_fn(|y| coefficients[8 * y + x].wrapping_mul(steps[8 * y + x]));
        for (row, value) in rows.iter_mut().zip(transform(&column)) {
            row[x] = rounded(value, fraction - BETWEEN_BITS);
        }
    }
    let mut samples = [0; SAMPLES];
    for (line, row) in samples.chunks_mut(N).zip(&rows) {
        for (sample, value) in line.iter_mut().zip(transform(row)) {
            let level = rounded(value, fraction + BETWEEN_BITS + 3);
            *sample = (level.clamp(-128, 127) + 128) as u8;
        }
    }
    samples
}

#[inline(always)]
fn products<const N: usize>(values: &[i16; N], factors: &[i16; N]) -> i32 {
    values.iter().zip(factors).fold(0, |sum, (&a, &b)| sum.wrapping_add(i32::from(a) * i32::from(b)))
}

/// Returns the value divided by 2 to the power of `shift`, rounded, in 16 bits.
#[inline(always)]
fn rounded(value: i32, shift: u32) -> i16 {
    let rounded = value.wrapping_add(1 << (shift - 1)) >> shift;
    rounded.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}
