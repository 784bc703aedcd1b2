//! Vectors of four `f32`. Every implementation gives the same results: each lane is computed like the scalar operation
//! of IEEE 754, rounded to nearest and never fused. [`scalar`] is the specification; tests compare the vector
//! implementations with it bit for bit.
//!
//! Native builds use SSE2, because the compiler vectorises the arrays of the specification only in part: the vertical
//! pass over a 24-megapixel picture takes 62 ms with them and 16 ms with SSE2.
//!
//! This is the only crate with `unsafe`. It contains only the operations that the engine uses.
//!
//! NaN: a lane is NaN in every implementation or in none. The sign and the payload of a NaN are unspecified, because
//! WebAssembly leaves them open.

mod scalar;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(target_arch = "x86_64")]
mod sse2;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use simd128::{F32x4, swap_rgb, ycbcr_to_rgb};
#[cfg(target_arch = "x86_64")]
pub use sse2::F32x4;

#[cfg(not(any(all(target_arch = "wasm32", target_feature = "simd128"), target_arch = "x86_64")))]
pub use scalar::F32x4;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub use scalar::{swap_rgb, ycbcr_to_rgb};

#[cfg(test)]
mod tests;
