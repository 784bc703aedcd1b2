//! Resampling: rows of working pixels of one size in, rows of another size out, with memory bounded by the width.
//!
//! Read `weights` first for what is computed, then `resampler` for the order of the passes.
//! [`reference`](mod@reference) is the slow twin.
//!
//! The order of every floating-point addition is part of the meaning: it depends on the sizes and the kernel alone, so
//! that the result is the same to the bit on every machine and however the rows are pulled. Nothing is fused, clipped
//! or rounded between the passes.

mod horizontal;
mod kernel;
mod resampler;
mod strip;
mod tile;
mod vertical;
mod weights;

#[cfg(feature = "reference")]
pub mod reference;

pub use kernel::Kernel;
pub use resampler::Resampler;
pub use strip::{Column, STRIP, StripSource};
