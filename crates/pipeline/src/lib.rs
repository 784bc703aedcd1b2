//! The engine: it converts a file to a resized file. Only this crate knows all codecs.
//!
//! [`probe`] reads a header; [`run`] runs a [`Job`], and [`run_in_steps`] runs it in steps. Read `run.rs` first.
//! `plan.rs` decides, `stages.rs` lists the stages, `row_loop.rs` writes a picture, `verify.rs` checks the result.

mod canvas;
mod codecs;
mod convert;
mod crop;
mod door;
mod emit;
mod flatten;
mod frames;
mod gain_map;
mod ingest;
mod inks;
mod job;
mod labels;
mod last;
mod light;
mod picture;
mod plan;
mod progress;
mod relabel;
mod row_loop;
mod rows;
mod run;
mod seal;
mod sharpen;
mod stages;
mod target;
mod turn;
mod verify;
mod written;

pub use codec_avif::Options as AvifOptions;
pub use codec_gif::Options as GifOptions;
pub use codec_jpeg::{Coding as JpegCoding, Options as JpegOptions, Subsampling};
pub use codec_jxl::Options as JxlOptions;
pub use codec_png::{Options as PngOptions, PaletteUse};
pub use codec_raw::Options as RawOptions;
pub use codec_tiff::{Compression, Options as TiffOptions};
pub use codec_webp::{LOSSY as NO_LOSSY_WEBP, Options as WebpOptions};
pub use codecs::{Encoding, open, sniff, traits};
pub use door::{Stage, decode_in_steps, encode_in_steps, stage_in_steps};
pub use job::{Canvas, Decoding, Job, LightChoice, Part, ProfileChoice, Sharpening};
pub use metadata::{Policy, respects, surely_respects};
pub use relabel::{Changes, relabel};
pub use run::{Report, resize_drawing, run, run_in_steps};

use raster::{Budget, ByteSource, ImageInfo, Limits, Notes, Result};

/// Reads a file's header only: its format, its size, and the memory that reading it takes. `notes` collects the
/// warnings.
///
/// # Errors
/// `NotAnImage`, `Malformed`, `Unsupported`, `Limit` or `Io`, depending on the header.
pub fn probe(source: &dyn ByteSource, limits: &Limits, notes: &Notes) -> Result<ImageInfo> {
    let format = sniff(source)?;
    let reader = open(format, source, &Budget::new(limits), notes)?;
    Ok(reader.info().clone())
}
