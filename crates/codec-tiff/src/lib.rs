//! TIFF (TIFF 6.0, its supplements, BigTIFF), read row by row in memory bounded by the picture's width.
//!
//! Read first: `decode/mod.rs` for the way of a row, `decode/page.rs` for what a directory must say before one is read,
//! `encode/mod.rs` for how a file is written.

mod decode;
mod encode;
mod error;
mod tag;

use raster::rows::Create;
use raster::{Budget, ByteSink, ByteSource, ImageReader, ImageWriter, Result};

pub use encode::{Compression, Options};

/// Opens a file: walks its directories, tells pages from previews and masks, and reads what the first page's tags say.
/// Greys stay grey, palettes, YCbCr, Lab and LogLuv come as RGB, inks as CMYK; samples of up to 8 bits as 8, others as
/// 16.
///
/// # Errors
/// `Malformed`, `Unsupported`, `Limit` or `Io`.
pub fn open<'a>(source: &'a dyn ByteSource, budget: &Budget) -> Result<Box<dyn ImageReader + 'a>> {
    Ok(Box::new(decode::Reader::open(source, budget)?))
}

/// Starts a file of up to `create.frames` pages, each of its own size and layout. All that is held is one strip, and
/// what says where the strips are. Offsets become 64 bits long when the file turns out to need them.
///
/// Each page keeps its ICC profile, XMP, IPTC and resolution, and of EXIF what describes the picture.
///
/// # Errors
/// `Unsupported` for inks, `Limit` for a side of 0 or above [`raster::limits::MAX_SIDE`] pixels and when the budget does
/// not pay for the buffers, `Io` when the sink fails.
pub fn create<'a>(
    sink: &'a mut dyn ByteSink,
    create: &Create<'_>,
    options: &Options,
) -> Result<Box<dyn ImageWriter + 'a>> {
    Ok(Box::new(encode::Writer::create(sink, create, options)?))
}
