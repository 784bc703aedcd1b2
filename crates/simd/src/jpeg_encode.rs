//! The specification of the steps of JPEG encoding, with libjpeg's arithmetic: conversion of colours, averages of
//! colours, forward transform and quantisation. Targets without a vector implementation use it.
#![cfg_attr(
    all(target_arch = "wasm32", target_feature = "simd128"),
    allow(
        dead_code,
        unreachable_pub,
        reason = "only tests use the parts of the specification that have a vector implementation"
    )
)]

use core::array::from_fn;

use crate::jpeg::{BETWEEN_BITS, CONSTANT_BITS};

/// Converts RGB pixels to JFIF's YCbCr in 16-bit fixed point, rounded to nearest: luminance halves up, chrominance
/// halves down. The shortest slice sets the number of pixels.
pub fn rgb_to_ycbcr(rgb: &[u8], [y, cb, cr]: [&mut [u8]; 3]) {
    for (((&[r, g, b], y), cb), cr) in rgb.as_chunks::<3>().0.iter().zip(y).zip(cb).zip(cr) {
        let [r, g, b] = [r, g, b].map(i32::from);
        *y = ((19_595 * r + 38_470 * g + 7471 * b + 0x8000) >> 16) as u8; // 0.299, 0.587, 0.114
        *cb = ((-11_059 * r - 21_709 * g + 32_768 * b + (128 << 16) + 0x7FFF) >> 16) as u8; // 0.168 74, 0.331 26, 0.5
        *cr = ((32_768 * r - 27_439 * g - 5329 * b + (128 << 16) + 0x7FFF) >> 16) as u8; // 0.5, 0.418 69, 0.081 31
    }
}

/// Averages two by two samples of two rows; even columns round up from three quarters on, odd ones from a half.
pub fn halve_both(upper: &[u8], lower: &[u8], into: &mut [u8]) {
    let pairs = upper.as_chunks::<2>().0.iter().zip(lower.as_chunks::<2>().0);
    for ((x, into), (upper, lower)) in into.iter_mut().enumerate().zip(pairs) {
        let sum: u16 = upper.iter().chain(lower).map(|&sample| u16::from(sample)).sum();
        *into = ((sum + 1 + x as u16 % 2) >> 2) as u8;
    }
}

/// Returns the coefficients of the eight by eight samples at the start of `samples`, whose rows are `stride` apart:
/// eight times too large, in natural order. The arithmetic is that of the IJG's accurate integer transform (Loeffler,
/// Ligtenberg and Moschytz, ICASSP 1989, with 12 multiplications).
#[must_use]
pub fn forward_dct(samples: &[u8], stride: usize) -> [i16; 64] {
    // The eight rows are transformed side by side, then the transposed eight columns.
    let mut columns = [[0; 8]; 8];
    for (row, line) in samples.chunks(stride).take(8).enumerate() {
        for (column, &sample) in columns.iter_mut().zip(line) {
            column[row] = i32::from(sample) - 128;
        }
    }
    pass(&mut columns, |sum| sum << BETWEEN_BITS, |sum| descale(sum, CONSTANT_BITS - BETWEEN_BITS));
    let mut rows: [[i32; 8]; 8] = from_fn(|y| from_fn(|x| columns[x][y]));
    pass(&mut rows, |sum| descale(sum, BETWEEN_BITS), |sum| descale(sum, CONSTANT_BITS + BETWEEN_BITS));
    from_fn(|i| rows[i / 8][i % 8] as i16)
}

/// Transforms one dimension eight times: element `i` of each transform is in `lanes[i]`. `whole` is applied to plain
/// sums, `product` to sums of products.
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "the loop goes over the lanes of eight elements")]
fn pass(lanes: &mut [[i32; 8]; 8], whole: impl Fn(i32) -> i32, product: impl Fn(i32) -> i32) {
    for lane in 0..8 {
        let [a, b, c, d, e, f, g, h] = from_fn(|i| lanes[i][lane]);
        let (s0, s1, s2, s3) = (a + h, b + g, c + f, d + e);
        let (d0, d1, d2, d3) = (a - h, b - g, c - f, d - e);

        let (even0, even1, odd0, odd1) = (s0 + s3, s1 + s2, s0 - s3, s1 - s2);
        let turned = (odd0 + odd1) * 4433; // 0.541 196 100
        lanes[0][lane] = whole(even0 + even1);
        lanes[4][lane] = whole(even0 - even1);
        lanes[2][lane] = product(turned + odd0 * 6270); // 0.765 366 865
        lanes[6][lane] = product(turned - odd1 * 15_137); // 1.847 759 065

        let z5 = (d0 + d1 + d2 + d3) * 9633; // 1.175 875 602
        let (z1, z2) = ((d0 + d3) * -7373, (d1 + d2) * -20_995); // 0.899 976 223, 2.562 915 447
        let (z3, z4) = ((d1 + d3) * -16_069 + z5, (d0 + d2) * -3196 + z5); // 1.961 570 560, 0.390 180 644
        lanes[1][lane] = product(d0 * 12_299 + z1 + z4); // 1.501 321 110
        lanes[3][lane] = product(d1 * 25_172 + z2 + z3); // 3.072 711 026
        lanes[5][lane] = product(d2 * 16_819 + z2 + z4); // 2.053 119 869
        lanes[7][lane] = product(d3 * 2446 + z1 + z3); // 0.298 631 336
    }
}

/// Removes `bits` fraction bits, rounding halves up.
#[inline(always)]
const fn descale(value: i32, bits: u32) -> i32 {
    (value + (1 << (bits - 1))) >> bits
}

/// Divides coefficients and rounds to nearest, halves away from zero. `halves` are half the divisors, `inverses` their
/// reciprocals. Coefficients are at most 2¹⁴, divisors at most 2¹¹.
#[must_use]
pub fn quantized(coefficients: &[i16; 64], halves: &[i16; 64], inverses: &[f32; 64]) -> [i16; 64] {
    from_fn(|i| {
        let (value, sign) = (i32::from(coefficients[i]), coefficients[i] >> 15);
        // The added half protects exact quotients from rounding down: up to 2²⁰ the error of f32 is smaller than a
        // half.
        let quotient = (((value.abs() + i32::from(halves[i])) as f32 + 0.5) * inverses[i]) as i16;
        (quotient ^ sign) - sign
    })
}

/// Returns the numbers of the elements that are not 0, as bits.
#[must_use]
pub fn nonzero(block: &[i16; 64]) -> u64 {
    block.iter().rev().fold(0, |bits, &value| bits << 1 | u64::from(value != 0))
}
