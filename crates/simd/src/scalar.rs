//! The scalar specification. Targets without a vector implementation use it.
#![cfg_attr(
    any(all(target_arch = "wasm32", target_feature = "simd128"), target_arch = "x86_64"),
    allow(
        dead_code,
        unreachable_pub,
        reason = "only tests use the specification where a vector implementation exists"
    )
)]

use core::ops::{Add, Div, Mul, Sub};

/// Four `f32`. Every operation works lane by lane.
#[derive(Clone, Copy, Debug)]
pub struct F32x4([f32; 4]);

impl F32x4 {
    /// Four zeros.
    pub const ZERO: Self = Self([0.0; 4]);

    /// Returns a vector with `value` in every lane.
    #[inline(always)]
    #[must_use]
    pub fn splat(value: f32) -> Self {
        Self([value; 4])
    }

    /// Reads four lanes; the first number becomes lane 0.
    #[inline(always)]
    #[must_use]
    pub fn load(lanes: &[f32; 4]) -> Self {
        Self(*lanes)
    }

    /// Writes four lanes; lane 0 becomes the first number.
    #[inline(always)]
    pub fn store(self, lanes: &mut [f32; 4]) {
        *lanes = self.0;
    }

    /// Transposes: lane `i` of vector `j` becomes lane `j` of vector `i`.
    #[inline(always)]
    #[must_use]
    pub fn transpose(vectors: [Self; 4]) -> [Self; 4] {
        core::array::from_fn(|i| Self(core::array::from_fn(|j| vectors[j].0[i])))
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
        self.zip(other, |a, b| if a < b { a } else { b })
    }

    /// Returns the larger of each two lanes, `other`'s when they are equal or one is a NaN.
    #[inline(always)]
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    /// The bits of each lane.
    #[inline(always)]
    #[must_use]
    pub fn to_bits(self) -> [u32; 4] {
        self.0.map(f32::to_bits)
    }

    #[inline(always)]
    fn zip(self, other: Self, operation: impl Fn(f32, f32) -> f32) -> Self {
        Self(core::array::from_fn(|lane| operation(self.0[lane], other.0[lane])))
    }
}

impl Add for F32x4 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
}

impl Sub for F32x4 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }
}

impl Mul for F32x4 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }
}

impl Div for F32x4 {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.zip(other, |a, b| a / b)
    }
}

/// Exchanges the first and the third of every three bytes, which turns blue, green, red into red, green, blue and back.
/// The shorter of the two slices sets the number of pixels.
pub fn swap_rgb(from: &[u8], into: &mut [u8]) {
    for (&[a, b, c], into) in from.as_chunks().0.iter().zip(into.as_chunks_mut().0) {
        *into = [c, b, a];
    }
}
