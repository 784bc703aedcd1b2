//! The module that reads JPEG XL: loaded with the first such file, in a worker of its own. It sends raw rows to the
//! core, or a copy of the file whose metadata the core can read.

#![allow(unreachable_pub, reason = "JavaScript imports the module")]

use border::{JsSink, JsSource, Sink, Source, StepsAnswer};
use heif::Device;
use raster::{Budget, ByteSource, ImageReader, Limits, Notes, StoredGainMap};

border::decoder!(open, find_gain_map, 5);

/// Copies a file with plain metadata instead of compressed ones, within `memory` bytes.
///
/// # Errors
/// None that a file can cause: failures of files are values.
#[wasm_bindgen]
pub fn unpack(source: &Source, sink: &Sink, memory: f64) -> Result<Ts<StepsAnswer>, JsError> {
    let (mut copy, budget) = (JsSink::new(sink), Budget::new(&Limits { memory: memory as u64 }));
    let result = codec_jxl::unpack(&JsSource::new(source), &mut copy, &budget).and_then(|()| copy.flush());
    Ok(StepsAnswer::from(result).into_ts()?)
}

/// Opens a file. No device decodes JPEG XL.
fn open<'a>(
    source: &'a dyn ByteSource,
    _: Option<&'a dyn Device>,
    budget: &Budget,
    notes: &Notes,
) -> raster::Result<Box<dyn ImageReader + 'a>> {
    codec_jxl::open(source, budget, notes)
}

/// Returns no gain map: those of JPEG XL are not read.
#[allow(clippy::unnecessary_wraps, reason = "the function of a codec")]
fn find_gain_map(_: &dyn ByteSource, _: &Budget) -> raster::Result<Option<StoredGainMap>> {
    Ok(None)
}
