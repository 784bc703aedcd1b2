//! The steps of JPEG decoding for browsers: WebAssembly SIMD128. Results equal [the specification](crate::jpeg).

use core::arch::wasm32::{
    i8x16_narrow_i16x8, i8x16_shuffle, i8x16_splat, i16x8, i16x8_add, i16x8_mul, i16x8_narrow_i32x4, i16x8_q15mulr_sat,
    i16x8_shuffle, i16x8_splat, i16x8_sub, i32x4_add, i32x4_dot_i16x8, i32x4_extend_high_i16x8, i32x4_extend_low_i16x8,
    i32x4_shl, i32x4_shr, i32x4_shuffle, i32x4_splat, i32x4_sub, i64x2_shuffle, u8x16_narrow_i16x8,
    u16x8_extend_high_u8x16, u16x8_extend_low_u8x16, u16x8_shl, u16x8_shr, u64x2, v128, v128_or, v128_xor,
};
use core::ops::Range;

use crate::jpeg;
use crate::simd128::{load_bytes, store_bytes};

/// Does what [the specification](jpeg::inverse_dct) does.
#[inline]
#[must_use]
pub fn inverse_dct(coefficients: &[i16; 64], steps: &[i16; 64]) -> [u8; 64] {
    let (coefficients, steps) = (coefficients.as_chunks().0, steps.as_chunks().0);
    let rows = core::array::from_fn(|y| i16x8_mul(load_words(&coefficients[y]), load_words(&steps[y])));
    let columns = transformed::<11>(rows);
    let rows = transposed(transformed::<18>(transposed(columns)));
    let middle = i8x16_splat(-128);
    let mut samples = [0; 64];
    for (pair, into) in rows.as_chunks::<2>().0.iter().zip(samples.as_chunks_mut().0) {
        store_bytes(v128_xor(i8x16_narrow_i16x8(pair[0], pair[1]), middle), into);
    }
    samples
}

/// The sums of products of pairs of numbers, in two vectors.
pub(crate) type Sums = [v128; 2];

/// Returns `a × first + b × second` for each pair of `a` and `b`, which are interleaved.
#[inline(always)]
pub(crate) fn products(pairs: Sums, first: i16, second: i16) -> Sums {
    let factors = i16x8(first, second, first, second, first, second, first, second);
    pairs.map(|pairs| i32x4_dot_i16x8(pairs, factors))
}

#[inline(always)]
pub(crate) fn interleaved(a: v128, b: v128) -> Sums {
    [i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b), i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b)]
}

#[inline(always)]
pub(crate) fn sums(a: Sums, b: Sums) -> Sums {
    [i32x4_add(a[0], b[0]), i32x4_add(a[1], b[1])]
}

#[inline(always)]
pub(crate) fn differences(a: Sums, b: Sums) -> Sums {
    [i32x4_sub(a[0], b[0]), i32x4_sub(a[1], b[1])]
}

/// Returns eight numbers times 2 to the power of `SHIFT`.
#[inline(always)]
pub(crate) fn scaled<const SHIFT: u32>(words: v128) -> Sums {
    [i32x4_extend_low_i16x8(words), i32x4_extend_high_i16x8(words)].map(|half| i32x4_shl(half, SHIFT))
}

/// Returns the transforms of the eight columns, divided by 2 to the power of `SHIFT`. The constants are sums of those
/// of the specification, as each pair of products is added by one instruction.
#[inline(always)]
fn transformed<const SHIFT: u32>(c: [v128; 8]) -> [v128; 8] {
    let pairs = interleaved(c[2], c[6]);
    let (high, low) = (products(pairs, 4433 + 6270, 4433), products(pairs, 4433, 4433 - 15_137));
    let half = [i32x4_splat(1 << (SHIFT - 1)); 2];
    let sum = sums(scaled::<13>(i16x8_add(c[0], c[4])), half);
    let difference = sums(scaled::<13>(i16x8_sub(c[0], c[4])), half);
    let even = [sums(sum, high), sums(difference, low), differences(difference, low), differences(sum, high)];

    let pairs = interleaved(i16x8_add(c[7], c[3]), i16x8_add(c[5], c[1]));
    let (third, fourth) = (products(pairs, 9633 - 16_069, 9633), products(pairs, 9633, 9633 - 3196));
    let (outer, inner) = (interleaved(c[7], c[1]), interleaved(c[5], c[3]));
    let odd = [
        sums(products(outer, -7373, 12_299 - 7373), fourth),
        sums(products(inner, -20_995, 25_172 - 20_995), third),
        sums(products(inner, 16_819 - 20_995, -20_995), fourth),
        sums(products(outer, 2446 - 7373, -7373), third),
    ];
    let narrow = |[low, high]: Sums| i16x8_narrow_i32x4(i32x4_shr(low, SHIFT), i32x4_shr(high, SHIFT));
    let mut rows = [half[0]; 8];
    for i in 0..4 {
        rows[i] = narrow(sums(even[i], odd[i]));
        rows[7 - i] = narrow(differences(even[i], odd[i]));
    }
    rows
}

#[inline(always)]
fn transposed(rows: [v128; 8]) -> [v128; 8] {
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

/// Does what [the specification](jpeg::double_columns) does, eight pairs at a time.
pub fn double_columns(row: &[u8], into: &mut [u8]) {
    let words = row.as_chunks().0.iter().map(extended);
    let done = double(words, into, |[before, this, after]| {
        let this = i16x8_mul(this, i16x8_splat(3));
        let left = u16x8_shr(i16x8_add(i16x8_add(this, before), i16x8_splat(1)), 2);
        let right = u16x8_shr(i16x8_add(i16x8_add(this, after), i16x8_splat(2)), 2);
        [left, right]
    });
    let pairs = into.as_chunks_mut().0;
    jpeg::double_inner_columns(&row[..row.len().min(done.start + 1)], &mut pairs[1..done.start.max(1)]);
    jpeg::double_inner_columns(&row[done.end - 1..], &mut pairs[done.end..]);
    jpeg::double_outer_columns(row, pairs);
}

/// Does what [the specification](jpeg::double_both) does, eight pairs at a time.
pub fn double_both(near: &[u8], far: &[u8], into: &mut [u8]) {
    let eights = near.as_chunks().0.iter().zip(far.as_chunks().0);
    let sums = eights.map(|(near, far)| i16x8_add(i16x8_mul(extended(near), i16x8_splat(3)), extended(far)));
    let done = double(sums, into, |[before, this, after]| {
        let this = i16x8_mul(this, i16x8_splat(3));
        let left = u16x8_shr(i16x8_add(i16x8_add(this, before), i16x8_splat(8)), 4);
        let right = u16x8_shr(i16x8_add(i16x8_add(this, after), i16x8_splat(7)), 4);
        [left, right]
    });
    let pairs = into.as_chunks_mut().0;
    let begin = near.len().min(done.start + 1);
    jpeg::double_inner_both(&near[..begin], &far[..begin], &mut pairs[1..done.start.max(1)]);
    jpeg::double_inner_both(&near[done.end - 1..], &far[done.end - 1..], &mut pairs[done.end..]);
    jpeg::double_outer_both(near, far, pairs);
}

/// Writes the pairs that `pair` makes of eight numbers, with those before and behind each. Returns the numbers whose
/// pairs were written: all but the first and the last eights.
#[inline(always)]
fn double(
    mut eights: impl Iterator<Item = v128>,
    into: &mut [u8],
    pair: impl Fn([v128; 3]) -> [v128; 2],
) -> Range<usize> {
    let (Some(mut before), Some(mut this)) = (eights.next(), eights.next()) else { return 1..1 };
    let mut end = 8;
    for (after, into) in eights.zip(into.as_chunks_mut().0.iter_mut().skip(1)) {
        let left = i16x8_shuffle::<7, 8, 9, 10, 11, 12, 13, 14>(before, this);
        let right = i16x8_shuffle::<1, 2, 3, 4, 5, 6, 7, 8>(this, after);
        let [left, right] = pair([left, this, right]);
        store_bytes(v128_or(left, u16x8_shl(right, 8)), into);
        (before, this) = (this, after);
        end += 8;
    }
    8..end
}

/// Does what [the specification](jpeg::ycbcr_to_rgb) does, 16 pixels at a time. Red is Y + Cr + 0.402 Cr, green is
/// Y − Cr + (0.286 Cr − 0.344 Cb), blue is Y + 2 Cb − 0.228 Cb, so that the constants fit into 16 bits. For red and
/// blue, 15 of these bits give the same results as the specification's 16.
pub fn ycbcr_to_rgb([y, cb, cr]: [&[u8]; 3], rgb: &mut [u8]) {
    let sixteens = y.as_chunks::<16>().0.iter().zip(cb.as_chunks().0).zip(cr.as_chunks().0);
    let mut done = 0;
    for (((y, cb), cr), into) in sixteens.zip(rgb.as_chunks_mut::<48>().0) {
        let [y, cb, cr] = [y, cb, cr].map(load_bytes);
        let halves = [
            rgb_of_eight([y, cb, cr].map(|bytes| u16x8_extend_low_u8x16(bytes))),
            rgb_of_eight([y, cb, cr].map(|bytes| u16x8_extend_high_u8x16(bytes))),
        ];
        let [r, g, b] = core::array::from_fn(|i| u8x16_narrow_i16x8(halves[0][i], halves[1][i]));
        let thirds = interleaved_bytes(r, g, b);
        for (third, into) in thirds.into_iter().zip(into.as_chunks_mut().0) {
            store_bytes(third, into);
        }
        done += 16;
    }
    jpeg::ycbcr_to_rgb([y, cb, cr].map(|row| &row[done..]), &mut rgb[3 * done..]);
}

#[inline(always)]
fn rgb_of_eight([y, cb, cr]: [v128; 3]) -> [v128; 3] {
    let (cb, cr) = (i16x8_sub(cb, i16x8_splat(128)), i16x8_sub(cr, i16x8_splat(128)));
    let red = i16x8_add(cr, i16x8_q15mulr_sat(cr, i16x8_splat(13_173)));
    let blue = i16x8_add(i16x8_add(cb, cb), i16x8_q15mulr_sat(cb, i16x8_splat(-7471)));
    let [low, high] =
        products(interleaved(cb, cr), -22_554, 18_734).map(|sum| i32x4_shr(i32x4_add(sum, i32x4_splat(0x8000)), 16));
    let green = i16x8_sub(i16x8_narrow_i32x4(low, high), cr);
    [red, green, blue].map(|difference| i16x8_add(y, difference))
}

/// Returns the bytes of three vectors in turn.
#[inline(always)]
fn interleaved_bytes(r: v128, g: v128, b: v128) -> [v128; 3] {
    // Of red and green, as many as the third needs, then blue between them.
    let rg = i8x16_shuffle::<0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5>(r, g);
    let first = i8x16_shuffle::<0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15>(rg, b);
    let rg = i8x16_shuffle::<21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26>(r, g);
    let second = i8x16_shuffle::<0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15>(rg, b);
    let rg = i8x16_shuffle::<0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0>(r, g);
    let third = i8x16_shuffle::<26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31>(rg, b);
    [first, second, third]
}

/// Returns eight bytes as 16-bit numbers.
#[inline(always)]
fn extended(bytes: &[u8; 8]) -> v128 {
    u16x8_extend_low_u8x16(u64x2(u64::from_le_bytes(*bytes), 0))
}

#[inline(always)]
#[allow(unsafe_code, reason = "a copy between types of one layout")]
pub(crate) fn load_words(words: &[i16; 8]) -> v128 {
    // SAFETY: both types are 16 bytes, and every bit pattern is a value of either.
    unsafe { core::mem::transmute::<[i16; 8], v128>(*words) }
}
