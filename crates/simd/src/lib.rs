//! Four `f32` at once, with one meaning everywhere: each lane is computed as the scalar operation of IEEE 754 would be,
//! rounded to nearest, never fused. [`scalar`] is the specification; the vector twins are tested against it bit for
//! bit.
//!
//! SSE2 serves native builds, since the compiler leaves the specification's arrays in part unvectorised: the pass down
//! the columns of a 24-megapixel picture takes 62 ms with them and 16 with SSE2.
//!
//! The only crate with `unsafe`. Only what the engine uses is here.
//!
//! Not-a-number: a lane is NaN in every implementation or in none; its sign and payload are unspecified, since
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
