//! Vectors of four `i32` for native builds: SSE2, which every x86-64 processor has.

use core::arch::x86_64::{
    __m128i, _mm_add_epi32, _mm_and_si128, _mm_andnot_si128, _mm_cmpgt_epi32, _mm_cvtsi32_si128, _mm_cvtsi128_si32,
    _mm_or_si128, _mm_packs_epi32, _mm_packus_epi16, _mm_set1_epi32, _mm_setzero_si128, _mm_slli_epi32, _mm_srai_epi32,
    _mm_sub_epi32, _mm_unpacklo_epi8, _mm_unpacklo_epi16,
};
use core::ops::{Add, Sub};

/// Four `i32`. Every operation works lane by lane, and wraps.
#[derive(Clone, Copy, Debug)]
pub struct I32x4(__m128i);

impl I32x4 {
    /// Returns a vector with `value` in every lane.
    #[inline(always)]
    #[must_use]
    #[allow(unsafe_code, reason = "SSE instructions")]
    pub fn splat(value: i32) -> Self {
        // SAFETY: every x86-64 has SSE2.
        Self(unsafe { _mm_set1_epi32(value) })
    }

    /// Reads four lanes; the first number becomes lane 0.
    #[inline(always)]
    #[must_use]
    #[allow(unsafe_code, reason = "a copy between types of one layout")]
    pub fn load(lanes: &[i32; 4]) -> Self {
        // SAFETY: both types are 16 bytes, and every bit pattern is a value of either.
        Self(unsafe { core::mem::transmute::<[i32; 4], __m128i>(*lanes) })
    }

    /// Writes four lanes; lane 0 becomes the first number.
    #[inline(always)]
    #[allow(unsafe_code, reason = "a copy between types of one layout")]
    pub fn store(self, lanes: &mut [i32; 4]) {
        // SAFETY: both types are 16 bytes, and every bit pattern is a value of either.
        *lanes = unsafe { core::mem::transmute::<__m128i, [i32; 4]>(self.0) };
    }

    /// Returns four bytes as lanes; the first becomes lane 0.
    #[inline(always)]
    #[must_use]
    #[allow(unsafe_code, reason = "SSE instructions")]
    pub fn from_bytes(bytes: [u8; 4]) -> Self {
        // SAFETY: every x86-64 has SSE2.
        Self(unsafe {
            let zero = _mm_setzero_si128();
            let bytes = _mm_cvtsi32_si128(i32::from_le_bytes(bytes));
            _mm_unpacklo_epi16(_mm_unpacklo_epi8(bytes, zero), zero)
        })
    }

    /// Returns the lanes as bytes: those below 0 become 0, those above 255 become 255.
    #[inline(always)]
    #[must_use]
    #[allow(unsafe_code, reason = "SSE instructions")]
    pub fn to_bytes(self) -> [u8; 4] {
        // SAFETY: every x86-64 has SSE2.
        let bytes = unsafe {
            let words = _mm_packs_epi32(self.0, self.0);
            _mm_cvtsi128_si32(_mm_packus_epi16(words, words))
        };
        bytes.to_le_bytes()
    }

    /// Clamps each lane to a range; `low` is not above `high`.
    #[inline(always)]
    #[must_use]
    #[allow(unsafe_code, reason = "SSE instructions")]
    pub fn clamp(self, low: Self, high: Self) -> Self {
        // SAFETY: every x86-64 has SSE2.
        Self(unsafe {
            let is_above = _mm_cmpgt_epi32(self.0, low.0);
            let above = _mm_or_si128(_mm_and_si128(is_above, self.0), _mm_andnot_si128(is_above, low.0));
            let is_beyond = _mm_cmpgt_epi32(above, high.0);
            _mm_or_si128(_mm_and_si128(is_beyond, high.0), _mm_andnot_si128(is_beyond, above))
        })
    }

    /// Shifts each lane to the left.
    #[inline(always)]
    #[must_use]
    #[allow(unsafe_code, reason = "SSE instructions")]
    pub fn shl<const BITS: i32>(self) -> Self {
        // SAFETY: every x86-64 has SSE2.
        Self(unsafe { _mm_slli_epi32::<BITS>(self.0) })
    }

    /// Shifts each lane to the right, which rounds down.
    #[inline(always)]
    #[must_use]
    #[allow(unsafe_code, reason = "SSE instructions")]
    pub fn shr<const BITS: i32>(self) -> Self {
        // SAFETY: every x86-64 has SSE2.
        Self(unsafe { _mm_srai_epi32::<BITS>(self.0) })
    }

    /// Divides each lane by a power of two, rounded toward 0.
    #[inline(always)]
    #[must_use]
    #[allow(unsafe_code, reason = "SSE instructions")]
    pub fn over_power_of_two<const BITS: i32>(self) -> Self {
        // SAFETY: every x86-64 has SSE2.
        Self(unsafe {
            // The power less one for lanes below 0, else 0.
            let less_one = _mm_set1_epi32((1 << BITS) - 1);
            let more = _mm_and_si128(_mm_srai_epi32::<31>(self.0), less_one);
            _mm_srai_epi32::<BITS>(_mm_add_epi32(self.0, more))
        })
    }
}

impl Add for I32x4 {
    type Output = Self;
    #[inline(always)]
    #[allow(unsafe_code, reason = "an SSE instruction")]
    fn add(self, other: Self) -> Self {
        // SAFETY: every x86-64 has SSE2.
        Self(unsafe { _mm_add_epi32(self.0, other.0) })
    }
}

impl Sub for I32x4 {
    type Output = Self;
    #[inline(always)]
    #[allow(unsafe_code, reason = "an SSE instruction")]
    fn sub(self, other: Self) -> Self {
        // SAFETY: every x86-64 has SSE2.
        Self(unsafe { _mm_sub_epi32(self.0, other.0) })
    }
}
