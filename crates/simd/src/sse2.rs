//! The implementation for native builds: SSE2, which every x86-64 processor has.

use core::arch::x86_64::{
    __m128, _MM_TRANSPOSE4_PS, _mm_add_ps, _mm_div_ps, _mm_max_ps, _mm_min_ps, _mm_mul_ps, _mm_set1_ps, _mm_sub_ps,
};
use core::ops::{Add, Div, Mul, Sub};

/// Four `f32`. Every operation works lane by lane.
#[derive(Clone, Copy, Debug)]
pub struct F32x4(__m128);

impl F32x4 {
    /// Four zeros.
    #[allow(unsafe_code, reason = "the constant has no safe constructor")]
    // SAFETY: both types are 16 bytes, and every bit pattern is a value of either.
    pub const ZERO: Self = Self(unsafe { core::mem::transmute::<[f32; 4], __m128>([0.0; 4]) });

    /// Returns a vector with `value` in every lane.
    #[inline(always)]
    #[must_use]
    #[allow(unsafe_code, reason = "an SSE instruction")]
    pub fn splat(value: f32) -> Self {
        // SAFETY: every x86-64 has SSE2.
        Self(unsafe { _mm_set1_ps(value) })
    }

    /// Reads four lanes; the first number becomes lane 0.
    #[inline(always)]
    #[must_use]
    #[allow(unsafe_code, reason = "a copy between types of one layout")]
    pub fn load(lanes: &[f32; 4]) -> Self {
        // SAFETY: both types are 16 bytes, and every bit pattern is a value of either.
        Self(unsafe { core::mem::transmute::<[f32; 4], __m128>(*lanes) })
    }

    /// Writes four lanes; lane 0 becomes the first number.
    #[inline(always)]
    #[allow(unsafe_code, reason = "a copy between types of one layout")]
    pub fn store(self, lanes: &mut [f32; 4]) {
        // SAFETY: both types are 16 bytes, and every bit pattern is a value of either.
        *lanes = unsafe { core::mem::transmute::<__m128, [f32; 4]>(self.0) };
    }

    /// Transposes: lane `i` of vector `j` becomes lane `j` of vector `i`.
    #[inline(always)]
    #[must_use]
    #[allow(unsafe_code, reason = "SSE instructions")]
    pub fn transpose([mut a, mut b, mut c, mut d]: [Self; 4]) -> [Self; 4] {
        // SAFETY: every x86-64 has SSE2.
        unsafe { _MM_TRANSPOSE4_PS(&mut a.0, &mut b.0, &mut c.0, &mut d.0) };
        [a, b, c, d]
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
    #[allow(unsafe_code, reason = "SSE instructions")]
    pub fn min(self, other: Self) -> Self {
        // SAFETY: every x86-64 has SSE2. The instruction returns its second operand when the comparison fails.
        Self(unsafe { _mm_min_ps(self.0, other.0) })
    }

    /// Returns the larger of each two lanes, `other`'s when they are equal or one is a NaN.
    #[inline(always)]
    #[must_use]
    #[allow(unsafe_code, reason = "SSE instructions")]
    pub fn max(self, other: Self) -> Self {
        // SAFETY: every x86-64 has SSE2. The instruction returns its second operand when the comparison fails.
        Self(unsafe { _mm_max_ps(self.0, other.0) })
    }

    /// The bits of each lane.
    #[inline(always)]
    #[must_use]
    #[allow(unsafe_code, reason = "a copy between types of one layout")]
    pub fn to_bits(self) -> [u32; 4] {
        // SAFETY: both types are 16 bytes, and every bit pattern is a value of either.
        unsafe { core::mem::transmute::<__m128, [u32; 4]>(self.0) }
    }
}

impl Add for F32x4 {
    type Output = Self;
    #[inline(always)]
    #[allow(unsafe_code, reason = "an SSE instruction")]
    fn add(self, other: Self) -> Self {
        // SAFETY: every x86-64 has SSE2.
        Self(unsafe { _mm_add_ps(self.0, other.0) })
    }
}

impl Sub for F32x4 {
    type Output = Self;
    #[inline(always)]
    #[allow(unsafe_code, reason = "an SSE instruction")]
    fn sub(self, other: Self) -> Self {
        // SAFETY: every x86-64 has SSE2.
        Self(unsafe { _mm_sub_ps(self.0, other.0) })
    }
}

impl Mul for F32x4 {
    type Output = Self;
    #[inline(always)]
    #[allow(unsafe_code, reason = "an SSE instruction")]
    fn mul(self, other: Self) -> Self {
        // SAFETY: every x86-64 has SSE2.
        Self(unsafe { _mm_mul_ps(self.0, other.0) })
    }
}

impl Div for F32x4 {
    type Output = Self;
    #[inline(always)]
    #[allow(unsafe_code, reason = "an SSE instruction")]
    fn div(self, other: Self) -> Self {
        // SAFETY: every x86-64 has SSE2.
        Self(unsafe { _mm_div_ps(self.0, other.0) })
    }
}
