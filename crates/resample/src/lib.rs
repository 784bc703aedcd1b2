//! Resampling: rows of working pixels of one size become rows of another size, in memory that depends on the width
//! only.
//!
//! Read `weights` first for what is computed, then `resampler` for the order of the passes.
//! [`reference`](mod@reference) is the slow reference implementation.
//!
//! The order of every floating-point addition is specified: it depends on the sizes and the kernel only. Therefore the
//! result is the same to the bit on every machine and for every order of calls. Nothing is fused, clipped or rounded
//! between the passes.

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
