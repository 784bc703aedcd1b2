//! JPEG XL (ISO/IEC 18181): pictures of 8 and 16 bits, grey or colour, with alpha, and animations.
//!
//! The crate `jxl` decodes whole pictures; this crate reads the boxes around the codestream, describes the file, sets
//! the limits and gives out rows. The decoder turns pictures upright. A [`raster::PictureEncoder`] from outside encodes
//! single pictures of 8 bits in sRGB, and [`create`] writes the boxes around them. Without the feature `decode`, files
//! are written, their headers are read, and files are copied with other metadata. Read first: `decode.rs`, `encode.rs`.

mod boxes;
#[cfg(feature = "decode")]
mod colors;
#[cfg(feature = "decode")]
mod decode;
mod encode;
mod header;
mod rewrite;
#[cfg(feature = "decode")]
mod stream;

pub use encode::{Options, create};
pub use header::header;
pub use rewrite::rewrite_metadata;
#[cfg(feature = "decode")]
pub use rewrite::unpack;

use raster::limits::MAX_SIDE;
#[cfg(feature = "decode")]
use raster::{Budget, ByteSource, ImageReader, Notes, Result};
use raster::{Channels, Depth, Format, FormatTraits, MetadataRoom, Profiles, Sequences, Texts};

/// The features of a JPEG XL file.
pub const FORMAT: FormatTraits = FormatTraits {
    format: Format::Jxl,
    max_side: MAX_SIDE,
    sequences: Sequences { animation: true, ..Sequences::NONE },
    channels: &[Channels::Gray, Channels::GrayAlpha, Channels::Rgb, Channels::Rgba],
    depth: Depth::Sixteen,
    profiles: Profiles::GrayOrColor,
    metadata: MetadataRoom {
        exif: u32::MAX as usize,
        xmp: u32::MAX as usize,
        xmp_extension: None,
        iptc: false,
        texts: Texts::None,
        resolution: false,
        signal: true,
        gain_map: false,
    },
};

/// The features of a JPEG XL file that is written.
pub const WRITTEN: FormatTraits = FormatTraits {
    sequences: Sequences::NONE,
    channels: &[Channels::Rgb, Channels::Rgba],
    depth: Depth::Eight,
    profiles: Profiles::None,
    metadata: MetadataRoom { signal: false, ..FORMAT.metadata },
    ..FORMAT
};

/// Opens a file: reads its header, its metadata and, of an animation, the headers of all frames. Rows are grey or RGB,
/// with alpha if the file has it, of 8 bits or, if the file has more, of 16. Floating-point samples become 16 bits.
///
/// # Errors
/// `Malformed`, `Limit` or `Io`; `Unsupported` for pictures of inks.
#[cfg(feature = "decode")]
pub fn open<'a>(source: &'a dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Box<dyn ImageReader + 'a>> {
    Ok(Box::new(decode::Reader::open(source, budget, notes)?))
}
