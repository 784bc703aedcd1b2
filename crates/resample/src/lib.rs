//! Resampling: rows of working pixels of one size become rows of another size, in memory that depends on the width
//! only.
//!
//! Read `weights` first for what is computed, then `resampler` for the order of the passes.
//! [`reference`](mod@reference) is the slow reference implementation.
//!
//! The order of every floating-point addition is specified: it depends on the sizes and the kernel only. Therefore the
//! result is the same to the bit on every machine and for every order of calls. Nothing is fused or rounded
//! between the passes, and nothing is clipped unless ringing is to be limited ([`Ringing::Limited`]).
//!
//! ```
//! use core::task::Poll;
//! use raster::{Budget, Channels, Limits, Pixel, Result, Size};
//! use resample::{Column, Kernel, Resampler, StripSource};
//!
//! /// A grey picture of two columns and eight rows: black on the left, white on the right.
//! struct Halves;
//!
//! impl StripSource for Halves {
//!     fn size(&self) -> Size {
//!         Size::new(2, 8)
//!     }
//!
//!     fn channels(&self) -> Channels {
//!         Channels::Gray
//!     }
//!
//!     fn poll_strip(&mut self, strip: &mut [Column]) -> Poll<Result<()>> {
//!         strip.copy_from_slice(&[[[0.0; 4]; 2], [[1.0; 4]; 2]]);
//!         Poll::Ready(Ok(()))
//!     }
//! }
//!
//! let budget = Budget::new(&Limits::default());
//! let mut resampler = Resampler::new(Halves, Size::new(1, 1), Kernel::Box, &budget)?;
//! let mut row = [Pixel::default()];
//! assert!(matches!(resampler.poll_row(&mut row), Poll::Ready(Ok(()))));
//! assert_eq!(row[0].0[0], 0.5);
//! # Ok::<(), raster::Error>(())
//! ```

mod area;
mod horizontal;
mod kernel;
mod resampler;
mod ringing;
mod strip;
mod tile;
mod vertical;
mod weights;
mod window;

#[cfg(feature = "reference")]
pub mod reference;

pub use area::Area;
pub use kernel::Kernel;
pub use resampler::Resampler;
pub use ringing::{Filter, Ringing};
pub use strip::{Column, STRIP, StripSource};
pub use window::{Geometry, Window};
