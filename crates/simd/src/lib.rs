//! Four `f32` at once, with one meaning everywhere: each lane is computed as the scalar operation of IEEE 754 would be, rounded to
//! nearest, never fused. [`scalar`] is the specification; the vector twins are tested against it bit for bit.
//!
//! The only crate with `unsafe`. Only what the engine uses is here.
//!
//! Not-a-number: a lane is NaN in every implementation or in none; its sign and payload are unspecified, since WebAssembly leaves
//! them open.

mod scalar;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use simd128::F32x4;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub use scalar::F32x4;

#[cfg(test)]
mod tests;
