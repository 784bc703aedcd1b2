//! Writing: the boxes around a picture that a [`PictureEncoder`] makes.

use isobmff::{CodePoints, Coded, Container, Still};
use raster::outside::{EncodedPicture, StillWriter, Surroundings};
use raster::{
    ByteSink, Compression, Effort, EncoderSettings, Error, Format, FrameHeader, ImageSpec, ImageWriter, Metadata,
    PictureEncoder, Quality, Result,
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
    let quality = options.quality.unwrap_or_else(|| like_source(spec.source_quality));
    let settings = EncoderSettings { compression: Compression::Lossy { quality }, effort: options.effort };
    let surroundings = Surroundings { format: Format::Avif, max_side: WRITTEN.max_side, write };
    StillWriter::create(sink, spec, surroundings, settings, encoder)
}

/// Writes the picture of the encoder's file with our description of it.
fn write(sink: &mut dyn ByteSink, encoded: &EncodedPicture<'_>) -> Result<()> {
    let EncodedPicture { file, metadata: Metadata { icc, exif, xmp, signal, .. }, budget, .. } = encoded;
    let FrameHeader { size, pixels, .. } = encoded.frame;
    let container = Container::read(file, Format::Avif, budget)?;
    let item = container.primary()?;
    let alpha = container.alpha(item.id);
    let colors = container.bytes(file, item, budget)?;
    let alpha_data = alpha.map(|alpha| container.bytes(file, alpha, budget)).transpose()?;
    let (Some(configuration), Some(found)) = (container.configuration(item), describe(&[], &colors)) else {
        return Err(Error::Contradiction("the encoder's file has no picture"));
    };
    let alpha = alpha_data.as_ref().zip(alpha.and_then(|alpha| container.configuration(alpha)));
    Still {
        format: Format::Avif,
        brands: &[*b"avif", *b"mif1", *b"miaf"],
        kind: *b"av01",
        configuration_kind: *b"av1C",
        size,
        depth: found.depth,
        channels: if pixels.channels.has_color() { 3 } else { 1 },
        colors: Coded { configuration, data: &colors },
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
    .write(sink)
}
