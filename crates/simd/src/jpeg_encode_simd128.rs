//! The steps of JPEG encoding for browsers: WebAssembly SIMD128. Results equal
//! [the specification](crate::jpeg_encode).

use core::arch::wasm32::{
    f32x4_add, f32x4_convert_i32x4, f32x4_floor, f32x4_mul, f32x4_splat, i8x16, i8x16_bitmask, i8x16_narrow_i16x8,
    i8x16_splat, i8x16_swizzle, i16x8, i16x8_abs, i16x8_add, i16x8_eq, i16x8_narrow_i32x4, i16x8_shl, i16x8_shr,
    i16x8_splat, i16x8_sub, i32x4_add, i32x4_dot_i16x8, i32x4_extend_high_i16x8, i32x4_extend_low_i16x8, i32x4_shr,
    i32x4_splat, i32x4_sub, u8x16, u8x16_narrow_i16x8, u16x8_extadd_pairwise_u8x16, u16x8_extend_high_u8x16,
    u16x8_extend_low_u8x16, u16x8_shr, u64x2, v128, v128_and, v128_or, v128_xor,
};
use core::hint::black_box;

use crate::jpeg_encode;
use crate::jpeg_inverse_simd128::transposed;
use crate::jpeg_simd128::{Sums, interleaved, load_words, store_words, sums};
use crate::simd128::{F32x4, load_bytes, store_bytes};

/// Does what [the specification](jpeg_encode::rgb_to_ycbcr) does, 16 pixels at a time.
pub fn rgb_to_ycbcr(rgb: &[u8], [y, cb, cr]: [&mut [u8]; 3]) {
    let (factors, order) = (Factors::loaded(), Separation::loaded());
    let mut done = 0;
    let sixteens = rgb.as_chunks::<48>().0.iter().zip(y.as_chunks_mut().0);
    for (((rgb, y), cb), cr) in sixteens.zip(cb.as_chunks_mut().0).zip(cr.as_chunks_mut().0) {
        let rgb = rgb.as_chunks().0;
        let rgb = order.separated(core::array::from_fn(|i| load_bytes(&rgb[i])));
        let low = factors.ycbcr_of_eight(rgb.map(|bytes| u16x8_extend_low_u8x16(bytes)));
        let high = factors.ycbcr_of_eight(rgb.map(|bytes| u16x8_extend_high_u8x16(bytes)));
        let ycbcr: [v128; 3] = core::array::from_fn(|i| u8x16_narrow_i16x8(low[i], high[i]));
        store_bytes(ycbcr[0], y);
        store_bytes(ycbcr[1], cb);
        store_bytes(ycbcr[2], cr);
        done += 16;
    }
    let rest = [y, cb, cr].map(|row| &mut row[done..]);
    jpeg_encode::rgb_to_ycbcr(&rgb[3 * done..], rest);
}

/// The constants of the conversion, for pairs of red and green and of green and blue. V8 would create them again in
/// each step of a loop if they were known to it.
struct Factors {
    luminance: Sums,
    blue: Sums,
    red: Sums,
    half: v128,
    middle: v128,
}

impl Factors {
    #[inline(always)]
    fn loaded() -> Self {
        let pairs = |a, b| black_box(i16x8(a, b, a, b, a, b, a, b));
        // Half of the share of green is in either pair. 32,768 is subtracted as a negative number.
        Self {
            luminance: [pairs(19_595, 19_235), pairs(19_235, 7471)],
            blue: [pairs(-11_059, -21_709), pairs(0, -32_768)],
            red: [pairs(-32_768, 27_439), pairs(0, -5329)],
            half: black_box(i32x4_splat(0x8000)),
            middle: black_box(i32x4_splat((128 << 16) + 0x7FFF)),
        }
    }

    #[inline(always)]
    fn ycbcr_of_eight(&self, [r, g, b]: [v128; 3]) -> [v128; 3] {
        let (rg, gb) = (interleaved(r, g), interleaved(g, b));
        let sums = |factors: Sums, sum: fn(v128, v128, v128) -> v128, offset: v128| {
            let of = |half: usize| {
                let (a, b) = (i32x4_dot_i16x8(rg[half], factors[0]), i32x4_dot_i16x8(gb[half], factors[1]));
                i32x4_shr(sum(offset, a, b), 16)
            };
            i16x8_narrow_i32x4(of(0), of(1))
        };
        [
            sums(self.luminance, |offset, a, b| i32x4_add(i32x4_add(a, b), offset), self.half),
            sums(self.blue, |offset, a, b| i32x4_sub(i32x4_add(offset, a), b), self.middle),
            sums(self.red, |offset, a, b| i32x4_add(i32x4_sub(offset, a), b), self.middle),
        ]
    }
}

/// The constants for the separation of the bytes of pixels: the lanes that a channel has in the first, the second and
/// the third vector, and the order of the bytes that come from these lanes.
struct Separation {
    lanes: [v128; 3],
    orders: [v128; 3],
}

impl Separation {
    #[inline(always)]
    fn loaded() -> Self {
        let lanes = [
            i8x16(-1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1),
            i8x16(0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0),
            i8x16(0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0),
        ];
        let orders = [
            u8x16(0, 3, 6, 9, 12, 15, 2, 5, 8, 11, 14, 1, 4, 7, 10, 13),
            u8x16(1, 4, 7, 10, 13, 0, 3, 6, 9, 12, 15, 2, 5, 8, 11, 14),
            u8x16(2, 5, 8, 11, 14, 1, 4, 7, 10, 13, 0, 3, 6, 9, 12, 15),
        ];
        Self { lanes: lanes.map(black_box), orders: orders.map(black_box) }
    }

    /// Returns the channels of the pixels in three vectors.
    #[inline(always)]
    fn separated(&self, [a, b, c]: [v128; 3]) -> [v128; 3] {
        let [x, y, z] = self.lanes;
        let channel = |x, y, z| v128_or(v128_or(v128_and(a, x), v128_and(b, y)), v128_and(c, z));
        let channels = [channel(x, z, y), channel(y, x, z), channel(z, y, x)];
        core::array::from_fn(|i| i8x16_swizzle(channels[i], self.orders[i]))
    }
}

/// Does what [the specification](jpeg_encode::halve_both) does, eight averages at a time.
pub fn halve_both(upper: &[u8], lower: &[u8], into: &mut [u8]) {
    let half = black_box(i16x8(1, 2, 1, 2, 1, 2, 1, 2));
    let mut done = 0;
    let sixteens = upper.as_chunks().0.iter().zip(lower.as_chunks().0);
    for ((upper, lower), into) in sixteens.zip(into.as_chunks_mut::<8>().0) {
        let [upper, lower] = [upper, lower].map(|row| u16x8_extadd_pairwise_u8x16(load_bytes(row)));
        let averages = u16x8_shr(i16x8_add(i16x8_add(upper, lower), half), 2);
        *into = u64x2_first(u8x16_narrow_i16x8(averages, averages)).to_le_bytes();
        done += 8;
    }
    jpeg_encode::halve_both(&upper[2 * done..], &lower[2 * done..], &mut into[done..]);
}

#[inline(always)]
fn u64x2_first(vector: v128) -> u64 {
    core::arch::wasm32::u64x2_extract_lane::<0>(vector)
}

/// Does what [the specification](jpeg_encode::forward_dct) does. The constants are sums of those of the specification,
/// as each pair of products is added by one instruction.
#[must_use]
pub fn forward_dct(samples: &[u8], stride: usize) -> [i16; 64] {
    let middle = i16x8_splat(128);
    let row = |y: usize| {
        let bytes = samples[y * stride..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        i16x8_sub(u16x8_extend_low_u8x16(u64x2(bytes, 0)), middle)
    };
    let columns = pass::<11>(transposed(core::array::from_fn(row)), |sum| i16x8_shl(sum, 2));
    let rows = pass::<15>(transposed(columns), |sum| i16x8_shr(i16x8_add(sum, i16x8_splat(2)), 2));
    let mut coefficients = [0; 64];
    for (row, into) in rows.into_iter().zip(coefficients.as_chunks_mut().0) {
        store_words(row, into);
    }
    coefficients
}

/// The factors of the odd parts of sums, and of differences.
const FACTORS: [[i16; 8]; 8] = {
    const fn pairs(a: i16, b: i16) -> [i16; 8] {
        [a, b, a, b, a, b, a, b]
    }
    [
        pairs(4433 + 6270, 4433),
        pairs(4433, 4433 - 15_137),
        pairs(9633 - 16_069, 9633),
        pairs(9633, 9633 - 3196),
        pairs(12_299 - 7373, -7373),
        pairs(25_172 - 20_995, -20_995),
        pairs(-20_995, 16_819 - 20_995),
        pairs(-7373, 2446 - 7373),
    ]
};

/// Transforms eight columns. Sums of products are divided by 2 to the power of `SHIFT`; `whole` is applied to plain
/// sums.
#[inline(always)]
fn pass<const SHIFT: u32>(c: [v128; 8], whole: impl Fn(v128) -> v128) -> [v128; 8] {
    let factors = black_box(&FACTORS);
    let half = i32x4_splat(1 << (SHIFT - 1));
    let products = |pairs: Sums, i: usize| pairs.map(|pair| i32x4_dot_i16x8(pair, load_words(&factors[i])));
    let narrow = |sums: Sums| {
        let [low, high] = sums.map(|sum| i32x4_shr(i32x4_add(sum, half), SHIFT));
        i16x8_narrow_i32x4(low, high)
    };
    let [s0, s1, s2, s3] = core::array::from_fn(|i| i16x8_add(c[i], c[7 - i]));
    let [d0, d1, d2, d3] = core::array::from_fn(|i| i16x8_sub(c[i], c[7 - i]));
    let (even0, even1) = (i16x8_add(s0, s3), i16x8_add(s1, s2));
    let odd = interleaved(i16x8_sub(s0, s3), i16x8_sub(s1, s2));
    let pairs = interleaved(i16x8_add(d1, d3), i16x8_add(d0, d2));
    let (third, fourth) = (products(pairs, 2), products(pairs, 3));
    let (outer, inner) = (interleaved(d0, d3), interleaved(d1, d2));
    [
        whole(i16x8_add(even0, even1)),
        narrow(sums(products(outer, 4), fourth)),
        narrow(products(odd, 0)),
        narrow(sums(products(inner, 5), third)),
        whole(i16x8_sub(even0, even1)),
        narrow(sums(products(inner, 6), fourth)),
        narrow(products(odd, 1)),
        narrow(sums(products(outer, 7), third)),
    ]
}

/// Does what [the specification](jpeg_encode::quantized) does.
#[must_use]
pub fn quantized(coefficients: &[i16; 64], halves: &[i16; 64], inverses: &[f32; 64]) -> [i16; 64] {
    let (half, whole) = (black_box(f32x4_splat(0.5)), black_box(f32x4_splat((1 << 23) as f32)));
    let mut quotients = [0; 64];
    let rows = coefficients.as_chunks().0.iter().zip(halves.as_chunks().0).zip(inverses.as_chunks::<8>().0);
    for (((row, halves), inverses), into) in rows.zip(quotients.as_chunks_mut().0) {
        let row = load_words(row);
        let sign = i16x8_shr(row, 15);
        let sum = i16x8_add(i16x8_abs(row), load_words(halves));
        let inverses = inverses.as_chunks().0;
        // Behind the addition, the quotient is the lower part of the float's bits.
        let quotient = |sum: v128, inverses: &[f32; 4]| {
            let product = f32x4_mul(f32x4_add(f32x4_convert_i32x4(sum), half), F32x4::load(inverses).into_vector());
            i32x4_sub(f32x4_add(f32x4_floor(product), whole), whole)
        };
        let quotients = i16x8_narrow_i32x4(
            quotient(i32x4_extend_low_i16x8(sum), &inverses[0]),
            quotient(i32x4_extend_high_i16x8(sum), &inverses[1]),
        );
        store_words(i16x8_sub(v128_xor(quotients, sign), sign), into);
    }
    quotients
}

/// Does what [the specification](jpeg_encode::nonzero) does.
#[must_use]
pub fn nonzero(block: &[i16; 64]) -> u64 {
    let zero = i8x16_splat(0);
    let zeros = block.as_chunks().0.as_chunks::<2>().0.iter().rev().fold(0, |bits, [low, high]| {
        let [low, high] = [low, high].map(|row| i16x8_eq(load_words(row), zero));
        bits << 16 | u64::from(i8x16_bitmask(i8x16_narrow_i16x8(low, high)))
    });
    !zeros
}
