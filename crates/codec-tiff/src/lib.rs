//! TIFF (TIFF 6.0, its supplements, BigTIFF), read row by row in memory bounded by the picture's width.
//!
//! Read first: `decode/mod.rs` for the way of a row, `decode/page.rs` for what a directory must say before one is read.

mod decode;
mod error;
mod tag;

use raster::{Budget, ByteSource, ImageReader, Result};

/// Opens a file: walks its directories, tells pages from previews and masks, and reads what the first page's tags say.
/// Greys stay grey, palettes, YCbCr, Lab and LogLuv come as RGB, inks as CMYK; samples of up to 8 bits as 8, others as
/// 16.
///
/// # Errors
/// `Malformed`, `Unsupported`, `Limit` or `Io`.
pub fn open<'a>(source: &'a dyn ByteSource, budget: &Budget) -> Result<Box<dyn ImageReader + 'a>> {
    Ok(Box::new(decode::Reader::open(source, budget)?))
}
