//! The twin for browsers: WebAssembly SIMD128.

use core::arch::wasm32::{f32x4_add, f32x4_div, f32x4_mul, f32x4_splat, f32x4_sub, i32x4_shuffle, v128};
use core::ops::{Add, Div, Mul, Sub};

/// Four `f32`, lane by lane.
#[derive(Clone, Copy, Debug)]
pub struct F32x4(v128);

impl F32x4 {
    /// Four zeros.
    #[allow(unsafe_code, reason = "the constant has no safe constructor")]
    // SAFETY: both types are 16 bytes, and every bit pattern is a value of either.
    pub const ZERO: Self = Self(unsafe { core::mem::transmute::<[f32; 4], v128>([0.0; 4]) });

    /// The same value in every lane.
    #[inline(always)]
    #[must_use]
    pub fn splat(value: f32) -> Self {
        Self(f32x4_splat(value))
    }

    /// Lane 0 is the first.
    #[inline(always)]
    #[must_use]
    #[allow(unsafe_code, reason = "a copy between types of one layout")]
    pub fn load(lanes: &[f32; 4]) -> Self {
        // SAFETY: both types are 16 bytes, and every bit pattern is a value of either.
        Self(unsafe { core::mem::transmute::<[f32; 4], v128>(*lanes) })
    }

    /// Lane 0 becomes the first.
    #[inline(always)]
    #[allow(unsafe_code, reason = "a copy between types of one layout")]
    pub fn store(self, lanes: &mut [f32; 4]) {
        // SAFETY: both types are 16 bytes, and every bit pattern is a value of either.
        *lanes = unsafe { core::mem::transmute::<v128, [f32; 4]>(self.0) };
    }

    /// Lane `i` of vector `j` becomes lane `j` of vector `i`.
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
