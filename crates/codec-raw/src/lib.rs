//! Bare rows behind 24 bytes: how parts outside the core (the drawing of SVG, codecs in modules of their own) hand
//! pictures over, in both directions. Everything is little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 0–7 | [`MAGIC`] |
//! | 8 | version, 1 |
//! | 9 | samples in a pixel: 1 grey, 2 grey and alpha, 3 red, green, blue, 4 these and alpha; alpha is straight |
//! | 10 | bits in a sample: 8 or 16 |
//! | 11 | 0 |
//! | 12–15 | width in pixels |
//! | 16–19 | height in pixels |
//! | 20–23 | 0 |
//! | 24 … | the rows, top to bottom, exactly as [`raster::PixelFormat`] lays them out, without padding |
//!
//! The length of the file follows from the header; a file of another length is broken, not truncated: it has a program
//! at its other end, not a download.

mod decode;
mod encode;
mod error;
mod header;

use raster::rows::Create;
use raster::{Budget, ByteSink, ByteSource, ImageReader, ImageWriter, Result};

pub use header::{HEADER_LEN, MAGIC};

/// How to write raw rows. There is nothing to choose.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {}

/// Opens a file. Holds no memory: each row is read from the source straight into the caller's.
///
/// # Errors
/// `Malformed` for a header that is not of this version or does not match the length of the file, `Limit` for sides of
/// 0 or above [`raster::limits::MAX_SIDE`], `Io`.
pub fn open<'a>(source: &'a dyn ByteSource, _budget: &Budget) -> Result<Box<dyn ImageReader + 'a>> {
    Ok(Box::new(decode::Reader::open(source)?))
}

/// Starts a file of one frame and writes its header. A colour profile cannot be held and is left out.
///
/// # Errors
/// `Limit` for sides as in [`open`], `Io`.
pub fn create<'a>(
    sink: &'a mut dyn ByteSink,
    create: &Create<'_>,
    _options: &Options,
) -> Result<Box<dyn ImageWriter + 'a>> {
    Ok(Box::new(encode::Writer::create(sink, create)?))
}
