//! The module that reads JPEG XL: loaded with the first such file, in a worker of its own. It sends raw rows to the
//! core.

#![allow(unreachable_pub, reason = "JavaScript imports the module")]

use heif::Device;
use raster::{Budget, ByteSource, ImageReader, Notes, Result};

border::decoder!(open);

/// Opens a file. No device decodes JPEG XL.
fn open<'a>(
    source: &'a dyn ByteSource,
    _: Option<&'a dyn Device>,
    budget: &Budget,
    notes: &Notes,
) -> Result<Box<dyn ImageReader + 'a>> {
    codec_jxl::open(source, budget, notes)
}
