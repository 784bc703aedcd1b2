//! Vectors of four `f32` or `i32`, and the steps of decoding JPEG. Every implementation gives the same results; tests
//! compare the vector implementations with the specifications [`scalar`], [`integer`] and [`jpeg`] bit for bit. Each
//! lane of floats is computed like the scalar operation of IEEE 754, rounded to nearest and never fused.
//!
//! Native builds use SSE2, because the compiler vectorises the arrays of the specification only in part: the vertical
//! pass over a 24-megapixel picture takes 62 ms with them and 16 ms with SSE2.
//!
//! This is the only crate with `unsafe`. It contains only the operations that the engine uses.
//!
//! NaN: a lane is NaN in every implementation or in none. The sign and the payload of a NaN are unspecified, because
//! WebAssembly leaves them open.

mod integer;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod integer_simd128;
#[cfg(target_arch = "x86_64")]
mod integer_sse2;
mod jpeg;
mod jpeg_encode;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod jpeg_encode_simd128;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod jpeg_inverse_simd128;
mod jpeg_scaled;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod jpeg_scaled_simd128;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod jpeg_simd128;
mod scalar;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(target_arch = "x86_64")]
mod sse2;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use integer_simd128::I32x4;
#[cfg(target_arch = "x86_64")]
pub use integer_sse2::I32x4;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use jpeg_encode_simd128::{forward_dct, halve_both, nonzero, quantized, rgb_to_ycbcr};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use jpeg_inverse_simd128::{inverse_dct, inverse_dct_of_few};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use jpeg_scaled_simd128::{inverse_dct_2, inverse_dct_4};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use jpeg_simd128::{double_both, double_columns, ycbcr_to_rgb};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use simd128::{F32x4, swap_rgb};
#[cfg(target_arch = "x86_64")]
pub use sse2::F32x4;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub use jpeg::{double_both, double_columns, inverse_dct, inverse_dct_of_few, ycbcr_to_rgb};
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub use jpeg_encode::{forward_dct, halve_both, nonzero, quantized, rgb_to_ycbcr};
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub use jpeg_scaled::{inverse_dct_2, inverse_dct_4};
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub use scalar::swap_rgb;
#[cfg(not(any(all(target_arch = "wasm32", target_feature = "simd128"), target_arch = "x86_64")))]
pub use {integer::I32x4, scalar::F32x4};

pub use jpeg::rgb_of_ycbcr;

#[cfg(test)]
mod integer_tests;
#[cfg(test)]
mod jpeg_encode_tests;
#[cfg(test)]
mod jpeg_tests;
#[cfg(test)]
mod tests;
