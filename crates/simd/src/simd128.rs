//! The twin for browsers: WebAssembly SIMD128.

use core::arch::wasm32::{f32x4_add, f32x4_div, f32x4_mul, f32x4_splat, f32x4_sub, v128};
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
