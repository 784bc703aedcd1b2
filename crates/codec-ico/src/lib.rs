//! ICO and CUR, Windows' icons and cursors: a directory of pictures of one motif, each a PNG file or a bitmap without
//! file header. Frames come largest first, so that whoever wants one picture takes the first.
//!
//! Sources: Microsoft's "Icons" (1995) and its pages on `NEWHEADER` and `RESDIR`; where those are silent, what Chromium
//! and icoutils do. Read first: `decode.rs`.

mod decode;
mod directory;
mod encode;
mod error;

use raster::rows::Create;
use raster::{Budget, ByteSink, ByteSource, ImageReader, ImageWriter, Result};

/// How to write an icon. There is nothing to choose: an entry's size decides how it is stored.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {}

/// Opens a file: reads its directory and the header of each entry. What the directory says of an entry's size and depth
/// is often wrong; the entry's own header counts. Entries that cannot be read are left out with a warning. Bitmaps come
/// with alpha, from their mask where they have none of their own.
///
/// # Errors
/// `Malformed`, `Unsupported` or `Limit` when no entry can be read: why the first cannot; `Io`.
pub fn open<'a>(source: &'a dyn ByteSource, budget: &Budget) -> Result<Box<dyn ImageReader + 'a>> {
    Ok(Box::new(decode::Reader::open(source, budget)?))
}

/// Starts an icon of `create.frames` entries, each at most 256 pixels wide and high, whose sizes come with their
/// headers. From 64 pixels on they are PNG files, below bitmaps of 32 bits with a mask, as Windows' own icons are: older
/// readers know PNG for large entries only. No metadata are kept.
///
/// # Errors
/// `Unsupported` above 8 bits a sample, `Limit` for longer sides, for more than 65 535 entries and when the budget does
/// not pay for one entry; `Io`.
pub fn create<'a>(
    sink: &'a mut dyn ByteSink,
    create: &Create<'_>,
    _options: &Options,
) -> Result<Box<dyn ImageWriter + 'a>> {
    Ok(Box::new(encode::Writer::create(sink, create)?))
}
