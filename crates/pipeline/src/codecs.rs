//! The registry: which codec reads and writes which format. These matches are all of it.

use raster::rows::Create;
use raster::{
    Budget, ByteSink, ByteSource, Channels, Depth, Error, Format, ImageReader, ImageWriter, Metadata, PixelFormat,
    Result, Sequence, Warning,
};

use crate::job::Output;

/// Opens a file of a known format.
///
/// # Errors
/// The codec's own; `Unsupported` for formats without one.
pub fn open<'a>(format: Format, source: &'a dyn ByteSource, budget: &Budget) -> Result<Box<dyn ImageReader + 'a>> {
    match format {
        Format::Jpeg => codec_jpeg::open(source, budget),
        Format::Png => codec_png::open(source, budget),
        Format::Bmp => codec_bmp::open(source, budget),
        Format::Tiff => codec_tiff::open(source, budget),
        Format::Ico => codec_ico::open(source, budget),
        Format::Raw => codec_raw::open(source, budget),
        Format::Gif | Format::WebP | Format::Svg | Format::Avif | Format::Heic | Format::Jxl => {
            Err(Error::Unsupported { format, feature: "" })
        }
    }
}

/// Starts a file of a format, coded as is usual for it; `quality` (1 to 100) is for the lossy ones.
///
/// # Errors
/// The codec's own; `Unsupported` for formats that cannot be written.
pub fn create<'a>(
    format: Format,
    quality: u8,
    sink: &'a mut dyn ByteSink,
    create: &Create<'_>,
) -> Result<Box<dyn ImageWriter + 'a>> {
    create_as(&Output::new(format), quality, sink, create)
}

/// Starts the file that a job asks for. Its quality has been resolved: it can depend on the source.
pub(crate) fn create_as<'a>(
    output: &Output,
    quality: u8,
    sink: &'a mut dyn ByteSink,
    create: &Create<'_>,
) -> Result<Box<dyn ImageWriter + 'a>> {
    let Output { format, effort, compression, .. } = *output;
    match format {
        Format::Jpeg => {
            codec_jpeg::create(sink, create, &codec_jpeg::Options { quality, ..codec_jpeg::Options::default() })
        }
        Format::Png => codec_png::create(sink, create, &codec_png::Options { effort }),
        Format::Bmp => codec_bmp::create(sink, create, &codec_bmp::Options::default()),
        Format::Ico => codec_ico::create(sink, create, &codec_ico::Options::default()),
        Format::Raw => codec_raw::create(sink, create, &codec_raw::Options::default()),
        Format::Tiff => codec_tiff::create(sink, create, &codec_tiff::Options { compression }),
        Format::Gif | Format::WebP | Format::Svg | Format::Avif | Format::Heic | Format::Jxl => {
            Err(Error::Unsupported { format, feature: "writing" })
        }
    }
}

/// Whether a file of that format can hold a sequence of that kind, and not only one picture of it.
#[must_use]
pub const fn holds(format: Format, sequence: Sequence) -> bool {
    match sequence {
        Sequence::Single => true,
        Sequence::Pages => matches!(format, Format::Tiff),
        Sequence::Animation { .. } => matches!(format, Format::Png | Format::Raw),
        Sequence::Sizes => matches!(format, Format::Ico),
    }
}

/// Copies a file of a format with other metadata; pixels and profile stay as they are.
///
/// # Errors
/// The codec's own; `Unsupported` for formats where it is not done.
pub(crate) fn relabel(
    format: Format,
    source: &dyn ByteSource,
    sink: &mut dyn ByteSink,
    metadata: &Metadata,
    budget: &Budget,
) -> Result<()> {
    match format {
        Format::Jpeg => codec_jpeg::relabel(source, sink, metadata),
        Format::Png => codec_png::relabel(source, sink, metadata, budget),
        _ => Err(Error::Unsupported { format, feature: "replacing metadata" }),
    }
}

/// Takes from `metadata` what a file of that format cannot hold; a note for what is only too long for it.
pub(crate) fn fit_metadata(format: Format, metadata: &mut Metadata) -> Vec<Warning> {
    match format {
        Format::Png | Format::Tiff | Format::Raw => Vec::new(),
        Format::Jpeg => {
            let exif = metadata.exif.take_if(|exif| exif.len() > codec_jpeg::MAX_EXIF);
            let xmp = metadata.xmp.take_if(|xmp| xmp.len() > codec_jpeg::MAX_XMP);
            let parts = [exif.map(|_| Warning::Skipped("exif")), xmp.map(|_| Warning::Skipped("xmp"))];
            parts.into_iter().flatten().collect()
        }
        _ => {
            let resolution = metadata.resolution.filter(|_| format == Format::Bmp);
            *metadata = Metadata { icc: metadata.icc.take(), resolution, ..Metadata::default() };
            Vec::new()
        }
    }
}

/// How a file of that format holds pixels like `wanted` with the least loss: 16 bit and alpha stay where they can, grey
/// stays grey.
pub(crate) fn storable(format: Format, wanted: PixelFormat) -> PixelFormat {
    let color = wanted.channels.has_color();
    match format {
        Format::Jpeg => PixelFormat::new(Channels::new(color, false), Depth::Eight),
        // BMP knows no grey with alpha.
        Format::Bmp => {
            let alpha = wanted.channels.has_alpha();
            PixelFormat::new(Channels::new(color || alpha, alpha), Depth::Eight)
        }
        Format::Ico => PixelFormat::RGBA8,
        _ => wanted,
    }
}

/// The colour space that an ICC profile must be for to stand in a file of that format with those channels (ICC.1:2022
/// table 19); nothing where it cannot stand at all. BMP's greys are a palette of colours.
pub(crate) const fn profile_space(format: Format, channels: Channels) -> Option<[u8; 4]> {
    match format {
        Format::Jpeg | Format::Png | Format::Tiff | Format::Raw if !channels.has_color() => Some(*b"GRAY"),
        Format::Jpeg | Format::Png | Format::Tiff | Format::Bmp | Format::Raw => Some(*b"RGB "),
        _ => None,
    }
}
