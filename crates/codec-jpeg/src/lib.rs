//! JPEG (ITU-T T.81, JFIF, Adobe's and EXIF's segments): reading through our own marker scan, writing
//! baseline files.
//!
//! Read first: [`markers`] for what is known before a pixel is decoded, `decode` for how pixels come (today through
//! `zune-jpeg`, which no other file names), `encode` for how they go.

mod abbreviated;
mod cmyk;
mod decode;
mod encode;
mod error;
mod extended;
mod frame;
mod icc;
mod markers;
mod parts;
mod quality;
mod reader;
mod relabel;
mod segments;
mod tables;

pub use abbreviated::{Abbreviated, Segment};
pub use encode::{Options, Subsampling, create};
pub use extended::can_extend;
pub use reader::open;
pub use relabel::relabel;
pub use segments::{MAX_EXIF, MAX_XMP};

/// The longest side T.81's frame header can hold (B.2.2: 16 bits), in pixels.
const MAX_SIDE: u32 = 65_535;
