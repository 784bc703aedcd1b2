//! The steps of JPEG decoding for browsers: WebAssembly SIMD128. Results equal [the specification](crate::jpeg).

use core::arch::wasm32::{
    i8x16, i8x16_swizzle, i16x8, i16x8_add, i16x8_mul, i16x8_narrow_i32x4, i16x8_q15mulr_sat, i16x8_shuffle,
    i16x8_splat, i16x8_sub, i32x4_add, i32x4_dot_i16x8, i32x4_extend_high_i16x8, i32x4_extend_low_i16x8, i32x4_shl,
    i32x4_shr, i32x4_splat, i32x4_sub, u8x16, u8x16_narrow_i16x8, u16x8_extend_high_u8x16, u16x8_extend_low_u8x16,
    u16x8_shl, u16x8_shr, u64x2, v128, v128_and, v128_or,
};
use core::hint::black_box;
use core::ops::Range;

use crate::jpeg;
use crate::simd128::{load_bytes, store_bytes};

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
    // V8 would create these constants again in each step.
    let [left_half, right_half] = [8, 7].map(|half| black_box(i16x8_splat(half)));
    let triple = |words| i16x8_add(i16x8_add(words, words), words);
    let eights = near.as_chunks().0.iter().zip(far.as_chunks().0);
    let sums = eights.map(|(near, far)| i16x8_add(triple(extended(near)), extended(far)));
    let done = double(sums, into, |[before, this, after]| {
        let this = triple(this);
        let left = u16x8_shr(i16x8_add(i16x8_add(this, before), left_half), 4);
        let right = u16x8_shr(i16x8_add(i16x8_add(this, after), right_half), 4);
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
    let (factors, order) = (ColorFactors::loaded(), Interleaving::loaded());
    let sixteens = y.as_chunks::<16>().0.iter().zip(cb.as_chunks().0).zip(cr.as_chunks().0);
    let mut done = 0;
    for (((y, cb), cr), into) in sixteens.zip(rgb.as_chunks_mut::<48>().0) {
        let [y, cb, cr] = [y, cb, cr].map(load_bytes);
        let halves = [
            factors.rgb_of_eight([y, cb, cr].map(|bytes| u16x8_extend_low_u8x16(bytes))),
            factors.rgb_of_eight([y, cb, cr].map(|bytes| u16x8_extend_high_u8x16(bytes))),
        ];
        let rgb = core::array::from_fn(|i| u8x16_narrow_i16x8(halves[0][i], halves[1][i]));
        for (third, into) in order.interleaved(rgb).into_iter().zip(into.as_chunks_mut().0) {
            store_bytes(third, into);
        }
        done += 16;
    }
    jpeg::ycbcr_to_rgb([y, cb, cr].map(|row| &row[done..]), &mut rgb[3 * done..]);
}

/// The constants of the conversion, which V8 would create again in each step of a loop if they were known to it.
struct ColorFactors {
    middle: v128,
    red: v128,
    green: v128,
    blue: v128,
    half: v128,
}

impl ColorFactors {
    #[inline(always)]
    fn loaded() -> Self {
        let green = i16x8(-22_554, 18_734, -22_554, 18_734, -22_554, 18_734, -22_554, 18_734);
        Self {
            middle: black_box(i16x8_splat(128)),
            red: black_box(i16x8_splat(13_173)),
            green: black_box(green),
            blue: black_box(i16x8_splat(-7471)),
            half: black_box(i32x4_splat(0x8000)),
        }
    }

    #[inline(always)]
    fn rgb_of_eight(&self, [y, cb, cr]: [v128; 3]) -> [v128; 3] {
        let (cb, cr) = (i16x8_sub(cb, self.middle), i16x8_sub(cr, self.middle));
        let red = i16x8_add(cr, i16x8_q15mulr_sat(cr, self.red));
        let blue = i16x8_add(i16x8_add(cb, cb), i16x8_q15mulr_sat(cb, self.blue));
        let [low, high] = interleaved(cb, cr).map(|pairs| i32x4_dot_i16x8(pairs, self.green));
        let [low, high] = [low, high].map(|sum| i32x4_shr(i32x4_add(sum, self.half), 16));
        let green = i16x8_sub(i16x8_narrow_i32x4(low, high), cr);
        [red, green, blue].map(|difference| i16x8_add(y, difference))
    }
}

/// The constants for the interleaving of three vectors: which bytes of a vector are its places of each third, and the
/// lanes that the three vectors have in the first, the second and the third of the results.
struct Interleaving {
    orders: [v128; 3],
    lanes: [v128; 3],
}

impl Interleaving {
    #[inline(always)]
    fn loaded() -> Self {
        let orders = [
            u8x16(0, 11, 6, 1, 12, 7, 2, 13, 8, 3, 14, 9, 4, 15, 10, 5),
            u8x16(5, 0, 11, 6, 1, 12, 7, 2, 13, 8, 3, 14, 9, 4, 15, 10),
            u8x16(10, 5, 0, 11, 6, 1, 12, 7, 2, 13, 8, 3, 14, 9, 4, 15),
        ];
        let lanes = [
            i8x16(-1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1),
            i8x16(0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0),
            i8x16(0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0),
        ];
        Self { orders: orders.map(black_box), lanes: lanes.map(black_box) }
    }

    /// Returns the bytes of three vectors in turn.
    #[inline(always)]
    fn interleaved(&self, vectors: [v128; 3]) -> [v128; 3] {
        let [r, g, b] = core::array::from_fn(|i| i8x16_swizzle(vectors[i], self.orders[i]));
        let [x, y, z] = self.lanes;
        let third = |x, y, z| v128_or(v128_or(v128_and(r, x), v128_and(g, y)), v128_and(b, z));
        [third(x, y, z), third(z, x, y), third(y, z, x)]
    }
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

#[inline(always)]
#[allow(unsafe_code, reason = "a copy between types of one layout")]
pub(crate) fn store_words(vector: v128, words: &mut [i16; 8]) {
    // SAFETY: both types are 16 bytes, and every bit pattern is a value of either.
    *words = unsafe { core::mem::transmute::<v128, [i16; 8]>(vector) };
}
