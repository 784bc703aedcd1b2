//! From full colour to a palette of up to 256 colours: [`Histogram`] chooses them, [`Diffusion`] maps rows to them.
//! [`AlphaHistogram`] and [`AlphaPalette`] do the same for still pictures, whose pixels may have any alpha.
//!
//! Colours are compared in Oklab. There is neither chance nor time in it, and sums have a fixed order, so every machine
//! finds the same palettes. Memory does not depend on the height of a picture. The crate knows no file format.
//!
//! It is not the crate `quantette`, because that takes cube roots from the standard library, which differ between
//! machines in the last bit, and holds whole pictures.
//!
//! ```
//! use quantize::{Diffusion, Histogram, Palette, Row};
//! use raster::{Budget, Limits};
//!
//! let budget = Budget::new(&Limits::default());
//! let wanted = [[250, 0, 0, 255], [0, 0, 250, 255], [251, 0, 0, 255], [9, 9, 9, 0]];
//! let mut histogram = Histogram::new(&budget)?;
//! wanted.iter().filter(|pixel| pixel[3] > 0).for_each(|&[r, g, b, _]| histogram.add([r, g, b]));
//! let mut palette = Palette::new(&histogram.palette(2));
//! let mut indices = [0; 4];
//! let row = Row { wanted: &wanted, shown: &[[0; 4]; 4], keep: 255, indices: &mut indices };
//! Diffusion::new(4, 0.0, &budget)?.row(&mut palette, row, &mut ());
//! assert_eq!(indices[0], indices[2]);
//! assert_ne!(indices[0], indices[1]);
//! assert_eq!(indices[3], 255);
//! # Ok::<(), raster::Error>(())
//! ```

mod alpha;
mod clusters;
mod coder;
mod diffusion;
mod histogram;
mod oklab;
mod palette;
mod search;

pub use alpha::{AlphaHistogram, AlphaPalette};
pub use coder::{Coder, candidate};
pub use diffusion::{Diffusion, Row};
pub use histogram::Histogram;
pub use palette::Palette;
