//! Writing: the boxes around a picture that a [`PictureEncoder`] makes. The picture is held until its last row.

use raster::{
    Budget, ByteSink, Compression, Effort, Error, Format, FrameHeader, ImageSpec, ImageWriter, Metadata, Picture,
    PictureEncoder, Quality, Result, limits,
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
    limits::check_size(spec.size, WRITTEN.max_side)?;
    if spec.frames > 1 {
        return Err(Error::Unsupported { format: Format::Jxl, feature: "several pictures in one file" });
    }
    let compression = match options.is_lossless {
        true => Compression::Lossless,
        false => Compression::Lossy { quality: Quality::for_source(options.quality, spec.source_quality) },
    };
    Ok(Box::new(Writer {
        sink,
        budget: spec.budget.clone(),
        frame: FrameHeader::new(spec.size, spec.pixels),
        compression,
        effort: options.effort,
        encoder,
        metadata: Metadata::default(),
        pixels: spec.budget.reserved(spec.pixels.row_bytes(spec.size.width) * u64::from(spec.size.height))?,
    }))
}

struct Writer<'a, E> {
    sink: &'a mut dyn ByteSink,
    budget: Budget,
    frame: FrameHeader,
    compression: Compression,
    effort: Effort,
    encoder: E,
    metadata: Metadata,
    /// The rows so far.
    pixels: Vec<u8>,
}

impl<E: PictureEncoder> ImageWriter for Writer<'_, E> {
    fn begin_frame(&mut self, header: &FrameHeader, metadata: &Metadata) -> Result<()> {
        self.budget.charge(metadata.byte_len())?;
        let Metadata { exif, xmp, .. } = metadata.clone();
        self.metadata = Metadata { exif, xmp, ..Metadata::default() };
        self.frame = *header;
        Ok(())
    }

    fn write_row(&mut self, row: &[u8]) -> Result<()> {
        self.pixels.extend_from_slice(row);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        let FrameHeader { size, pixels: format, .. } = self.frame;
        let picture = Picture { size, format, pixels: &self.pixels };
        let codestream = self.encoder.encode(&picture, self.compression, self.effort, &self.budget)?;
        boxes::write(self.sink, &self.metadata, &codestream)
    }
}
