//! The common parts of animated formats: [`Canvas`] draws stored frames, which cover a part of a canvas, and
//! [`FramePair`] finds the part of each frame that must be written.
//!
//! The engine passes whole frames from stage to stage, as a viewer shows them. Formats store less: a rectangle of each
//! frame, how it is combined with the visible pixels ([`Blending`]), and what happens to it at the end of its time
//! ([`Disposal`]). This crate converts between the two and knows no format.
//!
//! ```
//! use animation::{Blending, Canvas, Disposal, Placement};
//! use raster::{Budget, Limits, PixelFormat, Rect, Size};
//!
//! let budget = Budget::new(&Limits::default());
//! let mut canvas = Canvas::new(Size::new(3, 1), PixelFormat::RGB8, PixelFormat::RGBA8, false, &budget)?;
//! let region = Rect { x: 1, y: 0, width: 1, height: 1 };
//! canvas.begin(Placement { region, disposal: Disposal::Keep, blending: Blending::Replace });
//! canvas.draw_row(&[9, 9, 9]);
//! assert_eq!(canvas.row(0), [0, 0, 0, 0, 9, 9, 9, 255, 0, 0, 0, 0]);
//! # Ok::<(), raster::Error>(())
//! ```

mod canvas;
mod delay;
mod over;
mod pair;
mod placement;

pub use canvas::Canvas;
pub use delay::{DEFAULT_DELAY, fit_16_bits};
pub use pair::FramePair;
pub use placement::{Blending, Disposal, Placement, shows_background};
