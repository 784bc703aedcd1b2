//! The implementation for browsers: WebAssembly SIMD128.

use core::arch::wasm32::{
    f32x4_add, f32x4_div, f32x4_mul, f32x4_pmax, f32x4_pmin, f32x4_splat, f32x4_sub, i8x16_swizzle, i32x4_shuffle,
    u8x16, v128,
};
use core::hint::black_box;
use core::ops::{Add, Div, Mul, Sub};

use crate::scalar;

/// Four `f32`. Every operation works lane by lane.
#[derive(Clone, Copy, Debug)]
pub struct F32x4(v128);

impl F32x4 {
    /// Four zeros.
    #[allow(unsafe_code, reason = "the constant has no safe constructor")]
    // SAFETY: both types are 16 bytes, and every bit pattern is a value of either.
    pub const ZERO: Self = Self(unsafe { core::mem::transmute::<[f32; 4], v128>([0.0; 4]) });

    /// Returns a vector with `value` in every lane.
    #[inline(always)]
    #[must_use]
    pub fn splat(value: f32) -> Self {
        Self(f32x4_splat(value))
    }

    /// Reads four lanes; the first number becomes lane 0.
    #[inline(always)]
    #[must_use]
    #[allow(unsafe_code, reason = "a copy between types of one layout")]
    pub fn load(lanes: &[f32; 4]) -> Self {
        // SAFETY: both types are 16 bytes, and every bit pattern is a value of either.
        Self(unsafe { core::mem::transmute::<[f32; 4], v128>(*lanes) })
    }

    /// Returns the vector.
    #[inline(always)]
    pub(crate) const fn into_vector(self) -> v128 {
        self.0
    }

    /// Writes four lanes; lane 0 becomes the first number.
    #[inline(always)]
    #[allow(unsafe_code, reason = "a copy between types of one layout")]
    pub fn store(self, lanes: &mut [f32; 4]) {
        // SAFETY: both types are 16 bytes, and every bit pattern is a value of either.
        *lanes = unsafe { core::mem::transmute::<v128, [f32; 4]>(self.0) };
    }

    /// Transposes: lane `i` of vector `j` becomes lane `j` of vector `i`.
    #[inline(always)]
    #[must_use]
    pub fn transpose([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        let (ab, cd) = (i32x4_shuffle::<0, 4, 1, 5>(a.0, b.0), i32x4_shuffle::<0, 4, 1, 5>(c.0, d.0));
        let (ef, gh) = (i32x4_shuffle::<2, 6, 3, 7>(a.0, b.0), i32x4_shuffle::<2, 6, 3, 7>(c.0, d.0));
        [
            Self(i32x4_shuffle::<0, 1, 4, 5>(ab, cd)),
            Self(i32x4_shuffle::<2, 3, 6, 7>(ab, cd)),
            Self(i32x4_shuffle::<0, 1, 4, 5>(ef, gh)),
            Self(i32x4_shuffle::<2, 3, 6, 7>(ef, gh)),
        ]
    }

    /// Clamps each lane: a value below `low` and a NaN become `low`, a value above `high` becomes `high`.
    #[inline(always)]
    #[must_use]
    pub fn clamp(self, low: Self, high: Self) -> Self {
        self.max(low).min(high)
    }

    /// Returns the smaller of each two lanes, `other`'s when they are equal or one is a NaN.
    #[inline(always)]
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self(f32x4_pmin(other.0, self.0))
    }

    /// Returns the larger of each two lanes, `other`'s when they are equal or one is a NaN.
    #[inline(always)]
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self(f32x4_pmax(other.0, self.0))
    }

    /// The bits of each lane.
    #[inline(always)]
    #[must_use]
    #[allow(unsafe_code, reason = "a copy between types of one layout")]
    pub fn to_bits(self) -> [u32; 4] {
        // SAFETY: both types are 16 bytes, and every bit pattern is a value of either.
        unsafe { core::mem::transmute::<v128, [u32; 4]>(self.0) }
    }
}

impl Add for F32x4 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(f32x4_add(self.0, other.0))
    }
}

impl Sub for F32x4 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(f32x4_sub(self.0, other.0))
    }
}

impl Mul for F32x4 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(f32x4_mul(self.0, other.0))
    }
}

impl Div for F32x4 {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(f32x4_div(self.0, other.0))
    }
}

/// Exchanges bytes as [the specification](scalar::swap_rgb) does, five pixels at a time. Each step also reads and
/// writes the byte behind its pixels; the next step or the scalar rest overwrites it.
pub fn swap_rgb(from: &[u8], into: &mut [u8]) {
    let order = black_box(u8x16(2, 1, 0, 5, 4, 3, 8, 7, 6, 11, 10, 9, 14, 13, 12, 15));
    let mut done = 0;
    while let (Some(from), Some(into)) = (from[done..].first_chunk(), into[done..].first_chunk_mut()) {
        store_bytes(i8x16_swizzle(load_bytes(from), order), into);
        done += 15;
    }
    scalar::swap_rgb(&from[done..], &mut into[done..]);
}

#[inline(always)]
#[allow(unsafe_code, reason = "a copy between types of one layout")]
pub(crate) fn load_bytes(bytes: &[u8; 16]) -> v128 {
    // SAFETY: both types are 16 bytes, and every bit pattern is a value of either.
    unsafe { core::mem::transmute::<[u8; 16], v128>(*bytes) }
}

#[inline(always)]
#[allow(unsafe_code, reason = "a copy between types of one layout")]
pub(crate) fn store_bytes(vector: v128, bytes: &mut [u8; 16]) {
    // SAFETY: both types are 16 bytes, and every bit pattern is a value of either.
    *bytes = unsafe { core::mem::transmute::<v128, [u8; 16]>(vector) };
}
