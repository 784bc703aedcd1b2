//! The module that reads JPEG XL: loaded with the first such file, in a worker of its own. It sends raw rows to the
//! core.

#![allow(unreachable_pub, reason = "JavaScript imports the module")]

use heif::Device;
use raster::{Budget, ByteSource, ImageReader, Notes, Result, StoredGainMap};

border::decoder!(open, find_gain_map);

/// Opens a file. No device decodes JPEG XL.
fn open<'a>(
    source: &'a dyn ByteSource,
    _: Option<&'a dyn Device>,
    budget: &Budget,
    notes: &Notes,
) -> Result<Box<dyn ImageReader + 'a>> {
    codec_jxl::open(source, budget, notes)
}

/// Returns no gain map: those of JPEG XL are not read.
#[allow(clippy::unnecessary_wraps, reason = "the function of a codec")]
fn find_gain_map(_: &dyn ByteSource, _: &Budget) -> Result<Option<StoredGainMap>> {
    Ok(None)
}
