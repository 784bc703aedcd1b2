//! Writing: the boxes around a picture that a [`PictureEncoder`] makes.

use raster::outside::{StillWriter, Surroundings};
use raster::{
    ByteSink, Compression, Effort, EncoderSettings, Format, ImageSpec, ImageWriter, PictureEncoder, Quality, Result,
};

use crate::{WRITTEN, boxes};

/// The options of a JPEG XL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether every sample keeps its value.
    pub is_lossless: bool,
    /// The quality of `cjxl`, which is about that of JPEG. `None` means that of the source, clamped to 75 to 92, or 85
    /// when it is unknown.
    pub quality: Option<Quality>,
    /// The time spent on fewer bytes.
    pub effort: Effort,
}

/// Creates a JPEG XL file with one picture.
///
/// # Errors
/// `Limit` for sides of 0 and when the budget does not pay for the pixels; `Unsupported` for several pictures.
pub fn create<'a>(
    sink: &'a mut dyn ByteSink,
    spec: &ImageSpec<'_>,
    options: Options,
    encoder: impl PictureEncoder + 'a,
) -> Result<Box<dyn ImageWriter + 'a>> {
    let compression = match options.is_lossless {
        true => Compression::Lossless,
        false => Compression::Lossy { quality: Quality::for_source(options.quality, spec.source_quality) },
    };
    let surroundings = Surroundings {
        format: Format::Jxl,
        max_side: WRITTEN.max_side,
        write: |sink, encoded| boxes::write(sink, encoded.metadata, encoded.file),
    };
    StillWriter::create(sink, spec, surroundings, EncoderSettings { compression, effort: options.effort }, encoder)
}
