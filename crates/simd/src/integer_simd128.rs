//! Vectors of four `i32` for browsers: WebAssembly SIMD128.

use core::arch::wasm32::{
    i16x8_extend_low_u8x16, i16x8_narrow_i32x4, i32x4_add, i32x4_extend_low_u16x8, i32x4_extract_lane, i32x4_max,
    i32x4_min, i32x4_shl, i32x4_shr, i32x4_splat, i32x4_sub, u8x16_narrow_i16x8, u32x4_shr, v128,
};
use core::ops::{Add, Sub};

/// Four `i32`. Every operation works lane by lane, and wraps.
#[derive(Clone, Copy, Debug)]
pub struct I32x4(v128);

impl I32x4 {
    /// Returns a vector with `value` in every lane.
    #[inline(always)]
    #[must_use]
    pub fn splat(value: i32) -> Self {
        Self(i32x4_splat(value))
    }

    /// Reads four lanes; the first number becomes lane 0.
    #[inline(always)]
    #[must_use]
    #[allow(unsafe_code, reason = "a copy between types of one layout")]
    pub fn load(lanes: &[i32; 4]) -> Self {
        // SAFETY: both types are 16 bytes, and every bit pattern is a value of either.
        Self(unsafe { core::mem::transmute::<[i32; 4], v128>(*lanes) })
    }

    /// Writes four lanes; lane 0 becomes the first number.
    #[inline(always)]
    #[allow(unsafe_code, reason = "a copy between types of one layout")]
    pub fn store(self, lanes: &mut [i32; 4]) {
        // SAFETY: both types are 16 bytes, and every bit pattern is a value of either.
        *lanes = unsafe { core::mem::transmute::<v128, [i32; 4]>(self.0) };
    }

    /// Returns four bytes as lanes; the first becomes lane 0.
    #[inline(always)]
    #[must_use]
    pub fn from_bytes(bytes: [u8; 4]) -> Self {
        let bytes = i32x4_splat(i32::from_le_bytes(bytes));
        Self(i32x4_extend_low_u16x8(i16x8_extend_low_u8x16(bytes)))
    }

    /// Returns the lanes as bytes: those below 0 become 0, those above 255 become 255.
    #[inline(always)]
    #[must_use]
    pub fn to_bytes(self) -> [u8; 4] {
        let words = i16x8_narrow_i32x4(self.0, self.0);
        i32x4_extract_lane::<0>(u8x16_narrow_i16x8(words, words)).to_le_bytes()
    }

    /// Clamps each lane to a range; `low` is not above `high`.
    #[inline(always)]
    #[must_use]
    pub fn clamp(self, low: Self, high: Self) -> Self {
        Self(i32x4_min(i32x4_max(self.0, low.0), high.0))
    }

    /// Shifts each lane to the left.
    #[inline(always)]
    #[must_use]
    pub fn shl<const BITS: i32>(self) -> Self {
        Self(i32x4_shl(self.0, BITS as u32))
    }

    /// Shifts each lane to the right, which rounds down.
    #[inline(always)]
    #[must_use]
    pub fn shr<const BITS: i32>(self) -> Self {
        Self(i32x4_shr(self.0, BITS as u32))
    }

    /// Divides each lane by a power of two, rounded toward 0.
    #[inline(always)]
    #[must_use]
    pub fn over_power_of_two<const BITS: i32>(self) -> Self {
        // The power less one for lanes below 0, else 0.
        let more = u32x4_shr(i32x4_shr(self.0, 31), 32 - BITS as u32);
        Self(i32x4_shr(i32x4_add(self.0, more), BITS as u32))
    }
}

impl Add for I32x4 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(i32x4_add(self.0, other.0))
    }
}

impl Sub for I32x4 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(i32x4_sub(self.0, other.0))
    }
}
