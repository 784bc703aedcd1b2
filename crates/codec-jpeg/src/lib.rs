//! JPEG (ITU-T T.81, JFIF, Adobe's and EXIF's segments): reading through our own marker scan, writing
//! baseline files.
//!
//! Read first: [`markers`] for what is known before a pixel is decoded, `decode` for how pixels come (today through
//! `zune-jpeg`, which no other file names), `encode` for how they go.

mod decode;
mod encode;
mod error;
mod extended_xmp;
mod icc;
mod marker;
mod quality;
mod relabel;
mod segments;

pub use decode::{Abbreviated, StreamRows, open};
pub use encode::{Options, Subsampling, create};
pub use extended_xmp::can_extend;
pub use marker::write_segment;
pub use relabel::relabel;
pub use segments::{MAX_EXIF, MAX_XMP};

/// The longest side T.81's frame header can hold (B.2.2: 16 bits), in pixels.
const MAX_SIDE: u32 = 65_535;
