//! Inverse transforms to fewer samples for browsers: WebAssembly SIMD128. Results equal
//! [the specification](crate::jpeg_scaled).

use core::arch::wasm32::{
    i8x16_narrow_i16x8, i8x16_shuffle, i8x16_splat, i16x8_mul, i16x8_narrow_i32x4, i16x8_shuffle, i32x4, i32x4_add,
    i32x4_dot_i16x8, i32x4_extend_low_i16x8, i32x4_extract_lane, i32x4_shl, i32x4_shr, i32x4_shuffle, i32x4_splat,
    i32x4_sub, v128, v128_xor,
};

use crate::jpeg_scaled::{FOUR_EVEN, FOUR_INNER, FOUR_OUTER, TWO_ODD};
use crate::jpeg_simd128::{differences, interleaved, load_words, products, scaled, sums};
use crate::simd128::store_bytes;

/// Does what [the specification](crate::jpeg_scaled::inverse_dct_4) does.
#[inline]
#[must_use]
pub fn inverse_dct_4(coefficients: &[i16; 64], steps: &[i16; 64]) -> [u8; 16] {
    let c = dequantized(coefficients, steps);
    let (first, second) = (interleaved(c[1], c[3]), interleaved(c[5], c[7]));
    let outer = sums(products(first, FOUR_OUTER[0], FOUR_OUTER[1]), products(second, FOUR_OUTER[2], FOUR_OUTER[3]));
    let inner = sums(products(first, FOUR_INNER[0], FOUR_INNER[1]), products(second, FOUR_INNER[2], FOUR_INNER[3]));
    let even = products(interleaved(c[2], c[6]), FOUR_EVEN[0], FOUR_EVEN[1]);
    let middle = sums(scaled::<14>(c[0]), [i32x4_splat(1 << 11); 2]);
    let (high, low) = (sums(middle, even), differences(middle, even));
    let [r0, r1, r2, r3] = [sums(high, outer), sums(low, inner), differences(low, inner), differences(high, outer)]
        .map(|[low, high]| i16x8_narrow_i32x4(i32x4_shr(low, 12), i32x4_shr(high, 12)));

    // Each of these vectors has two columns of four rows.
    let (upper, lower) = (interleaved(r0, r1), interleaved(r2, r3));
    let columns = |half: usize| {
        let (a, b) = (upper[half], lower[half]);
        [i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<2, 6, 3, 7>(a, b)]
    };
    let ([c01, c23], [c45, c67]) = (columns(0), columns(1));
    let dot = |pairs: v128, a: i16, b: i16| i32x4_dot_i16x8(pairs, i32x4_splat(pair(a, b)));
    let odd =
        [i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(c01, c23), i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(c45, c67)];
    let [outer, inner] = [FOUR_OUTER, FOUR_INNER]
        .map(|factors| i32x4_add(dot(odd[0], factors[0], factors[1]), dot(odd[1], factors[2], factors[3])));
    let even = dot(i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(c23, c67), FOUR_EVEN[0], FOUR_EVEN[1]);
    let middle = i32x4_add(i32x4_shl(i32x4_extend_low_i16x8(c01), 14), i32x4_splat(1 << 18));
    let (high, low) = (i32x4_add(middle, even), i32x4_sub(middle, even));
    let [s0, s1, s2, s3] =
        [i32x4_add(high, outer), i32x4_add(low, inner), i32x4_sub(low, inner), i32x4_sub(high, outer)]
            .map(|column| i32x4_shr(column, 19));
    let levels = i8x16_narrow_i16x8(i16x8_narrow_i32x4(s0, s1), i16x8_narrow_i32x4(s2, s3));
    let rows = i8x16_shuffle::<0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15>(levels, levels);
    let mut samples = [0; 16];
    store_bytes(v128_xor(rows, i8x16_splat(-128)), &mut samples);
    samples
}

/// Does what [the specification](crate::jpeg_scaled::inverse_dct_2) does.
#[inline]
#[must_use]
pub fn inverse_dct_2(coefficients: &[i16; 64], steps: &[i16; 64]) -> [u8; 4] {
    let c = dequantized(coefficients, steps);
    let odd = sums(
        products(interleaved(c[1], c[3]), TWO_ODD[0], TWO_ODD[1]),
        products(interleaved(c[5], c[7]), TWO_ODD[2], TWO_ODD[3]),
    );
    let middle = sums(scaled::<15>(c[0]), [i32x4_splat(1 << 12); 2]);
    let [upper, lower] = [sums(middle, odd), differences(middle, odd)]
        .map(|[low, high]| i16x8_narrow_i32x4(i32x4_shr(low, 13), i32x4_shr(high, 13)));

    // The odd coefficients of both rows: each lane of a sum has two of the four products.
    let factors = i32x4(pair(0, TWO_ODD[0]), pair(0, TWO_ODD[1]), pair(0, TWO_ODD[2]), pair(0, TWO_ODD[3]));
    let (a, b) = (i32x4_dot_i16x8(upper, factors), i32x4_dot_i16x8(lower, factors));
    let halves = i32x4_add(i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<2, 6, 3, 7>(a, b));
    let odd = i32x4_add(halves, i32x4_shuffle::<2, 3, 0, 1>(halves, halves));
    let first = i32x4_extend_low_i16x8(i16x8_shuffle::<0, 8, 0, 8, 0, 8, 0, 8>(upper, lower));
    let middle = i32x4_add(i32x4_shl(first, 15), i32x4_splat(1 << 19));
    // The left samples of both rows, then the right ones.
    let sums = i32x4_shuffle::<0, 1, 4, 5>(i32x4_add(middle, odd), i32x4_sub(middle, odd));
    let words = i16x8_narrow_i32x4(i32x4_shr(sums, 20), i32x4_splat(0));
    let levels = v128_xor(i8x16_narrow_i16x8(words, words), i8x16_splat(-128));
    let [top_left, bottom_left, top_right, bottom_right] = i32x4_extract_lane::<0>(levels).to_le_bytes();
    [top_left, top_right, bottom_left, bottom_right]
}

#[inline(always)]
fn dequantized(coefficients: &[i16; 64], steps: &[i16; 64]) -> [v128; 8] {
    let (coefficients, steps) = (coefficients.as_chunks().0, steps.as_chunks().0);
    core::array::from_fn(|y| i16x8_mul(load_words(&coefficients[y]), load_words(&steps[y])))
}

/// Returns two numbers of 16 bits as a lane of 32 bits.
#[inline(always)]
const fn pair(low: i16, high: i16) -> i32 {
    (high as i32) << 16 | (low as u16) as i32
}
