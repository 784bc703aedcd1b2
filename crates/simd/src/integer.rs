//! The scalar specification of vectors of four `i32`. Targets without a vector implementation use it.
#![cfg_attr(
    any(all(target_arch = "wasm32", target_feature = "simd128"), target_arch = "x86_64"),
    allow(
        dead_code,
        unreachable_pub,
        reason = "only tests use the specification where a vector implementation exists"
    )
)]

use core::ops::{Add, Sub};

/// Four `i32`. Every operation works lane by lane, and wraps.
#[derive(Clone, Copy, Debug)]
pub struct I32x4([i32; 4]);

impl I32x4 {
    /// Returns a vector with `value` in every lane.
    #[inline(always)]
    #[must_use]
    pub fn splat(value: i32) -> Self {
        Self([value; 4])
    }

    /// Reads four lanes; the first number becomes lane 0.
    #[inline(always)]
    #[must_use]
    pub fn load(lanes: &[i32; 4]) -> Self {
        Self(*lanes)
    }

    /// Writes four lanes; lane 0 becomes the first number.
    #[inline(always)]
    pub fn store(self, lanes: &mut [i32; 4]) {
        *lanes = self.0;
    }

    /// Returns four bytes as lanes; the first becomes lane 0.
    #[inline(always)]
    #[must_use]
    pub fn from_bytes(bytes: [u8; 4]) -> Self {
        Self(bytes.map(i32::from))
    }

    /// Returns the lanes as bytes: those below 0 become 0, those above 255 become 255.
    #[inline(always)]
    #[must_use]
    pub fn to_bytes(self) -> [u8; 4] {
        self.0.map(|lane| lane.clamp(0, 255) as u8)
    }

    /// Clamps each lane to a range; `low` is not above `high`.
    #[inline(always)]
    #[must_use]
    pub fn clamp(self, low: Self, high: Self) -> Self {
        self.zip(low, i32::max).zip(high, i32::min)
    }

    /// Shifts each lane to the left.
    #[inline(always)]
    #[must_use]
    pub fn shl<const BITS: i32>(self) -> Self {
        Self(self.0.map(|lane| lane << BITS))
    }

    /// Shifts each lane to the right, which rounds down.
    #[inline(always)]
    #[must_use]
    pub fn shr<const BITS: i32>(self) -> Self {
        Self(self.0.map(|lane| lane >> BITS))
    }

    /// Divides each lane by a power of two, rounded toward 0.
    #[inline(always)]
    #[must_use]
    pub fn over_power_of_two<const BITS: i32>(self) -> Self {
        Self(self.0.map(|lane| lane / (1 << BITS)))
    }

    #[inline(always)]
    fn zip(self, other: Self, operation: impl Fn(i32, i32) -> i32) -> Self {
        Self(core::array::from_fn(|lane| operation(self.0[lane], other.0[lane])))
    }
}

impl Add for I32x4 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, i32::wrapping_add)
    }
}

impl Sub for I32x4 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, i32::wrapping_sub)
    }
}
