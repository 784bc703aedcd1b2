//! Writing: the boxes around a picture that a [`PictureEncoder`] makes. The picture is held until its last row.

use isobmff::{CodePoints, Coded, Container, Still};
use raster::{
    Budget, ByteSink, Compression, Effort, Error, Format, FrameHeader, ImageSpec, ImageWriter, Metadata, Picture,
    PictureEncoder, Quality, Result, limits,
};

use crate::WRITTEN;
use crate::sequence_header::describe;

/// The options of an AVIF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The quality on libavif's scale. `None` means that of the source, clamped to 75 to 92 on JPEG's scale, or 85 when
    /// it is unknown, translated to this scale.
    pub quality: Option<Quality>,
    /// The time spent on fewer bytes.
    pub effort: Effort,
}

/// Returns the quality for a source whose own quality on JPEG's scale is estimated as `source`. Six photographs of the
/// Kodak set have the same SSIMULACRA2 as JPEGs of quality 75, 80, 85 and 92 at 63, 68, 74 and 87.
fn like_source(source: Option<u8>) -> Quality {
    let jpeg = Quality::for_source(None, source).hundredths();
    Quality::from_hundredths(6200 + jpeg.saturating_sub(7500) * 14 / 10)
}

/// Creates an AVIF file with one picture.
///
/// # Errors
/// `Limit` for sides of 0 or above 65,536 pixels and when the budget does not pay for the pixels; `Unsupported` for
/// several pictures.
pub fn create<'a>(
    sink: &'a mut dyn ByteSink,
    spec: &ImageSpec<'_>,
    options: Options,
    encoder: impl PictureEncoder + 'a,
) -> Result<Box<dyn ImageWriter + 'a>> {
    limits::check_size(spec.size, WRITTEN.max_side)?;
    if spec.frames > 1 {
        return Err(Error::Unsupported { format: Format::Avif, feature: "several pictures in one file" });
    }
    Ok(Box::new(Writer {
        sink,
        budget: spec.budget.clone(),
        frame: FrameHeader::new(spec.size, spec.pixels),
        quality: options.quality.unwrap_or_else(|| like_source(spec.source_quality)),
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
    quality: Quality,
    effort: Effort,
    encoder: E,
    metadata: Metadata,
    /// The rows so far.
    pixels: Vec<u8>,
}

impl<E: PictureEncoder> ImageWriter for Writer<'_, E> {
    fn begin_frame(&mut self, header: &FrameHeader, metadata: &Metadata) -> Result<()> {
        self.budget.charge(metadata.byte_len())?;
        let Metadata { icc, exif, xmp, signal, .. } = metadata.clone();
        self.metadata = Metadata { icc, exif, xmp, signal, ..Metadata::default() };
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
        let compression = Compression::Lossy { quality: self.quality };
        let encoded = self.encoder.encode(&picture, compression, self.effort, &self.budget)?;
        self.pixels = Vec::new();
        self.write(&encoded)
    }
}

impl<E> Writer<'_, E> {
    /// Writes the picture of the encoder's file `encoded` with our description of it.
    fn write(&mut self, encoded: &[u8]) -> Result<()> {
        let defect = Error::Contradiction("the encoder's file has no picture");
        let container = Container::read(&encoded, Format::Avif, &self.budget)?;
        let item = container.primary()?;
        let alpha = container.alpha(item.id);
        let [colors, alpha_data] =
            [Some(item), alpha].map(|item| item.map(|item| container.bytes(&encoded, item, &self.budget)).transpose());
        let (colors, alpha_data) = (colors?.unwrap_or_default(), alpha_data?);
        let configuration = |item| container.configuration(item);
        let (Some(of_colors), Some(found)) = (configuration(item), describe(&[], &colors)) else {
            return Err(defect);
        };
        let alpha = alpha_data.as_ref().zip(alpha.and_then(configuration));
        let Metadata { icc, exif, xmp, signal, .. } = &self.metadata;
        let FrameHeader { size, pixels, .. } = self.frame;
        Still {
            format: Format::Avif,
            brands: &[*b"avif", *b"mif1", *b"miaf"],
            kind: *b"av01",
            configuration_kind: *b"av1C",
            size,
            depth: found.depth,
            channels: if pixels.channels.has_color() { 3 } else { 1 },
            colors: Coded { configuration: of_colors, data: &colors },
            alpha: alpha.map(|(data, configuration)| Coded { configuration, data }),
            code_points: match signal {
                Some(signal) => {
                    let [primaries, transfer, ..] = signal.code_points.map(u16::from);
                    CodePoints { primaries, transfer, ..found.code_points }
                }
                // Samples without a profile are sRGB.
                None if icc.is_none() => CodePoints { primaries: 1, transfer: 13, ..found.code_points },
                None => found.code_points,
            },
            icc: icc.as_deref(),
            exif: exif.as_deref(),
            xmp: xmp.as_deref(),
        }
        .write(self.sink)
    }
}
