//! The inverse transform of JPEG for browsers: WebAssembly SIMD128. Results equal [the specification](crate::jpeg).

use core::arch::wasm32::{
    i8x16_narrow_i16x8, i8x16_shuffle, i8x16_splat, i16x8_add, i16x8_mul, i16x8_narrow_i32x4, i16x8_shuffle, i16x8_sub,
    i32x4_add, i32x4_dot_i16x8, i32x4_shr, i32x4_shuffle, i32x4_splat, i32x4_sub, i64x2_shuffle, v128,
    v128_store64_lane, v128_xor,
};
use core::hint::black_box;

use crate::jpeg_simd128::{Sums, differences, interleaved, load_words, scaled, sums};

/// A pair of factors, for each pair of numbers of a vector.
type Pairs = [i16; 8];

const fn pairs(a: i16, b: i16) -> Pairs {
    [a, b, a, b, a, b, a, b]
}

/// The factors of whole blocks: of coefficients 2 and 6 and of the sums and the pairs of odd ones. They are sums of
/// those of the specification, as each pair of products is added by one instruction.
const WHOLE: [Pairs; 8] = [
    pairs(4433 + 6270, 4433),
    pairs(4433, 4433 - 15_137),
    pairs(9633 - 16_069, 9633),
    pairs(9633, 9633 - 3196),
    pairs(-7373, 12_299 - 7373),
    pairs(-20_995, 25_172 - 20_995),
    pairs(16_819 - 20_995, -20_995),
    pairs(2446 - 7373, -7373),
];

/// The factors of blocks with four coefficients in a row or column: of coefficients 0 and 2 in the first four results,
/// and of coefficients 1 and 3.
const FEW: [Pairs; 8] = [
    pairs(1 << 13, 4433 + 6270),
    pairs(1 << 13, 4433),
    pairs(1 << 13, -4433),
    pairs(1 << 13, -4433 - 6270),
    pairs(9633 - 3196 + 12_299 - 7373, 9633),
    pairs(9633, 9633 - 16_069 + 25_172 - 20_995),
    pairs(9633 - 3196, 9633 - 20_995),
    pairs(9633 - 7373, 9633 - 16_069),
];

/// Does what [the specification](jpeg::inverse_dct) does.
#[inline]
pub fn inverse_dct(coefficients: &[i16; 64], steps: &[i16; 64], into: &mut [u8], stride: usize) {
    let columns = transformed::<11>(core::array::from_fn(|y| dequantized(coefficients, steps, y)));
    store_transposed(transformed::<18>(transposed(columns)), into, stride);
}

/// Does what [the specification](jpeg::inverse_dct) does for a block that has coefficients in the first four rows and
/// columns only.
#[inline]
pub fn inverse_dct_of_few(coefficients: &[i16; 64], steps: &[i16; 64], into: &mut [u8], stride: usize) {
    let columns = transformed_few(core::array::from_fn(|y| dequantized(coefficients, steps, y)));
    store_transposed(columns, into, stride);
}

#[inline(always)]
fn dequantized(coefficients: &[i16; 64], steps: &[i16; 64], y: usize) -> v128 {
    i16x8_mul(load_words(&coefficients.as_chunks().0[y]), load_words(&steps.as_chunks().0[y]))
}

/// Returns the transforms of the eight columns, divided by 2 to the power of `SHIFT`.
#[inline(always)]
fn transformed<const SHIFT: u32>(c: [v128; 8]) -> [v128; 8] {
    let factors = black_box(&WHOLE);
    let products = |pairs: Sums, i: usize| pairs.map(|pair| i32x4_dot_i16x8(pair, load_words(&factors[i])));
    let pairs = interleaved(c[2], c[6]);
    let (high, low) = (products(pairs, 0), products(pairs, 1));
    let half = [i32x4_splat(1 << (SHIFT - 1)); 2];
    let sum = sums(scaled::<13>(i16x8_add(c[0], c[4])), half);
    let difference = sums(scaled::<13>(i16x8_sub(c[0], c[4])), half);
    let even = [sums(sum, high), sums(difference, low), differences(difference, low), differences(sum, high)];

    let pairs = interleaved(i16x8_add(c[7], c[3]), i16x8_add(c[5], c[1]));
    let (third, fourth) = (products(pairs, 2), products(pairs, 3));
    let (outer, inner) = (interleaved(c[7], c[1]), interleaved(c[5], c[3]));
    let odd = [
        sums(products(outer, 4), fourth),
        sums(products(inner, 5), third),
        sums(products(inner, 6), fourth),
        sums(products(outer, 7), third),
    ];
    let narrow = |[low, high]: Sums| i16x8_narrow_i32x4(i32x4_shr(low, SHIFT), i32x4_shr(high, SHIFT));
    let mut rows = c;
    for i in 0..4 {
        rows[i] = narrow(sums(even[i], odd[i]));
        rows[7 - i] = narrow(differences(even[i], odd[i]));
    }
    rows
}

/// Returns both transforms of a block that has coefficients in the left half of four rows only.
#[inline(always)]
fn transformed_few(c: [v128; 4]) -> [v128; 8] {
    let factors = black_box(&FEW);
    let low = |a, b| i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b);
    let rows = four_transforms::<11>(factors, low(c[0], c[2]), low(c[1], c[3]));
    let [a, b, c, d] = [0, 2, 4, 6].map(|y| i16x8_narrow_i32x4(rows[y], rows[y + 1]));
    let even = |a, b| i16x8_shuffle::<0, 2, 4, 6, 8, 10, 12, 14>(a, b);
    let odd = |a, b| i16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(a, b);
    let upper = four_transforms::<18>(factors, even(a, b), odd(a, b));
    let lower = four_transforms::<18>(factors, even(c, d), odd(c, d));
    core::array::from_fn(|x| i16x8_narrow_i32x4(upper[x], lower[x]))
}

/// Returns the transforms of four times four coefficients, divided by 2 to the power of `SHIFT`.
#[inline(always)]
fn four_transforms<const SHIFT: u32>(factors: &[Pairs; 8], even: v128, odd: v128) -> [v128; 8] {
    let half = i32x4_splat(1 << (SHIFT - 1));
    let mut results = [half; 8];
    for i in 0..4 {
        let even = i32x4_add(i32x4_dot_i16x8(even, load_words(&factors[i])), half);
        let odd = i32x4_dot_i16x8(odd, load_words(&factors[4 + i]));
        results[i] = i32x4_shr(i32x4_add(even, odd), SHIFT);
        results[7 - i] = i32x4_shr(i32x4_sub(even, odd), SHIFT);
    }
    results
}

#[inline(always)]
pub(crate) fn transposed(rows: [v128; 8]) -> [v128; 8] {
    let [a, b, c, d] = [0, 2, 4, 6].map(|y| interleaved(rows[y], rows[y + 1]));
    let low = |a, b| i32x4_shuffle::<0, 4, 1, 5>(a, b);
    let high = |a, b| i32x4_shuffle::<2, 6, 3, 7>(a, b);
    // Each vector has the elements of two columns in four rows.
    let upper = [low(a[0], b[0]), high(a[0], b[0]), low(a[1], b[1]), high(a[1], b[1])];
    let lower = [low(c[0], d[0]), high(c[0], d[0]), low(c[1], d[1]), high(c[1], d[1])];
    core::array::from_fn(|x| match x % 2 {
        0 => i64x2_shuffle::<0, 2>(upper[x / 2], lower[x / 2]),
        _ => i64x2_shuffle::<1, 3>(upper[x / 2], lower[x / 2]),
    })
}

/// Stores the samples of eight columns of levels around 0, row by row.
#[inline(always)]
fn store_transposed(c: [v128; 8], into: &mut [u8], stride: usize) {
    let [a, b, c, d] = core::array::from_fn(|x| i8x16_narrow_i16x8(c[x], c[x + 4]));
    let left = |a, b| i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b);
    let right = |a, b| i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b);
    // Four columns of four rows in each vector.
    let (left, right) = (interleaved(left(a, b), left(c, d)), interleaved(right(a, b), right(c, d)));
    let middle = i8x16_splat(-128);
    let rows = [0, 1].map(|half| {
        let (left, right) = (left[half], right[half]);
        [i32x4_shuffle::<0, 4, 1, 5>(left, right), i32x4_shuffle::<2, 6, 3, 7>(left, right)]
    });
    for (rows, into) in rows.as_flattened().iter().zip(into.chunks_mut(2 * stride)) {
        let rows = v128_xor(*rows, middle);
        store_half::<0>(rows, into);
        store_half::<1>(rows, &mut into[stride..]);
    }
}

/// Stores eight bytes of a vector at the start of `into`.
#[inline(always)]
#[allow(unsafe_code, reason = "a store of half a vector")]
fn store_half<const HALF: usize>(vector: v128, into: &mut [u8]) {
    let into: &mut [u8] = &mut into[..8];
    // SAFETY: `into` has eight bytes, and the instruction needs no alignment.
    unsafe { v128_store64_lane::<HALF>(vector, into.as_mut_ptr().cast()) };
}
