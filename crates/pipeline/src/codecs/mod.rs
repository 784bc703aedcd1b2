//! The registry of codecs. This folder is the only place of the pipeline that names formats; all other code uses a
//! format's [`FormatTraits`].
//!
//! A new format needs an arm in [`codec`], a variant of [`Encoding`] if it can be written, and a line in `sniff.rs`.
//! The compiler requires the first two.

pub(crate) mod drawing;
mod optional;
mod sniff;

use raster::{
    Budget, ByteSink, ByteSource, CheckedWriter, Depth, Error, FindGainMap, Format, FormatTraits, ImageInfo,
    ImageReader, ImageSpec, ImageWriter, Metadata, Notes, Orientation, PictureEncoder, Result, StoredGainMap,
};

pub(crate) use codec_jpeg::describes_gain_map;
pub use sniff::sniff;

/// The function that opens a file.
type Open = for<'a> fn(&'a dyn ByteSource, &Budget, &Notes) -> Result<Box<dyn ImageReader + 'a>>;
/// The function that reads the header of a file.
type Header = fn(&dyn ByteSource, &Budget, &Notes) -> Result<ImageInfo>;
/// The function that copies a file with other metadata.
type RewriteMetadata = fn(&dyn ByteSource, &mut dyn ByteSink, &Metadata, &Budget) -> Result<()>;

/// The function that copies a file turned without loss, with other metadata.
type TurnCopy = fn(&dyn ByteSource, &mut dyn ByteSink, Orientation, &Metadata, &Budget) -> Result<()>;

/// The functions of a codec.
struct Codec {
    traits: &'static FormatTraits,
    open: Open,
    /// For formats that may be written where they cannot be opened.
    header: Option<Header>,
    /// The default encoding, or `None` when the format is only read.
    encoding: Option<Encoding>,
    rewrite_metadata: Option<RewriteMetadata>,
    /// Whether files turn their pictures themselves, so that an orientation in EXIF means nothing.
    ignores_exif_orientation: bool,
    /// `None` for formats without loss, whose pixels are turned.
    turn: Option<TurnCopy>,
    /// `None` for formats whose files have no gain maps that can be read.
    find_gain_map: Option<FindGainMap>,
}

impl Codec {
    /// A codec that cannot copy a file with other metadata.
    const fn new(traits: &'static FormatTraits, open: Open, encoding: Option<Encoding>) -> Self {
        Self {
            traits,
            open,
            header: None,
            encoding,
            rewrite_metadata: None,
            ignores_exif_orientation: false,
            turn: None,
            find_gain_map: None,
        }
    }
}

/// Returns the codec of a format, or `None` when there is none yet.
fn codec(format: Format) -> Option<Codec> {
    let codec = match format {
        Format::Jpeg => Codec {
            rewrite_metadata: Some(|source, sink, metadata, _| codec_jpeg::rewrite_metadata(source, sink, metadata)),
            turn: Some(codec_jpeg::turn),
            find_gain_map: Some(codec_jpeg::find_gain_map),
            ..Codec::new(&codec_jpeg::FORMAT, codec_jpeg::open, Some(Encoding::Jpeg(codec_jpeg::Options::default())))
        },
        Format::Png => Codec {
            rewrite_metadata: Some(codec_png::rewrite_metadata),
            ..Codec::new(&codec_png::FORMAT, codec_png::open, Some(Encoding::Png(codec_png::Options::default())))
        },
        Format::Tiff => {
            Codec::new(&codec_tiff::FORMAT, codec_tiff::open, Some(Encoding::Tiff(codec_tiff::Options::default())))
        }
        Format::Bmp => Codec::new(&codec_bmp::FORMAT, codec_bmp::open, Some(Encoding::Bmp)),
        Format::Ico => Codec::new(&codec_ico::FORMAT, codec_ico::open, Some(Encoding::Ico)),
        Format::Gif => Codec {
            rewrite_metadata: Some(|source, sink, metadata, _| codec_gif::rewrite_metadata(source, sink, metadata)),
            ..Codec::new(&codec_gif::FORMAT, codec_gif::open, Some(Encoding::Gif(codec_gif::Options::default())))
        },
        Format::WebP => Codec {
            rewrite_metadata: Some(|source, sink, metadata, _| codec_webp::rewrite_metadata(source, sink, metadata)),
            ..Codec::new(&codec_webp::FORMAT, codec_webp::open, Some(Encoding::WebP(codec_webp::Options::LOSSLESS)))
        },
        Format::Qoi => Codec::new(&codec_qoi::FORMAT, codec_qoi::open, None),
        Format::Pnm => Codec::new(&codec_pnm::FORMAT, codec_pnm::open, None),
        Format::Tga => Codec::new(&codec_tga::FORMAT, codec_tga::open, None),
        Format::Raw => {
            Codec::new(&codec_raw::FORMAT, codec_raw::open, Some(Encoding::Raw(codec_raw::Options::default())))
        }
        Format::Svg => return drawing::codec(),
        Format::Avif | Format::Heic | Format::Jxl => return optional::codec(format),
    };
    Some(codec)
}

/// The format of the file to write, with the options of its codec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// A baseline JPEG.
    Jpeg(codec_jpeg::Options),
    /// A PNG.
    Png(codec_png::Options),
    /// A TIFF.
    Tiff(codec_tiff::Options),
    /// A BMP.
    Bmp,
    /// An icon.
    Ico,
    /// A GIF.
    Gif(codec_gif::Options),
    /// A WebP. A lossy one needs an encoder outside of the core.
    WebP(codec_webp::Options),
    /// An AVIF. It needs an encoder outside of the core.
    Avif(codec_avif::Options),
    /// A JPEG XL. It needs an encoder outside of the core.
    Jxl(codec_jxl::Options),
    /// A drawing that stays one, with another size.
    Svg,
    /// Raw rows.
    Raw(codec_raw::Options),
}

impl Encoding {
    /// Returns the default encoding of a format.
    ///
    /// # Errors
    /// `Unsupported` for formats that cannot be written.
    pub fn new(format: Format) -> Result<Self> {
        let encoding = codec(format).and_then(|codec| codec.encoding);
        encoding.ok_or(Error::Unsupported { format, feature: "writing" })
    }

    /// Returns the format of results for which none was chosen: that of the source. If the core cannot write it, opaque
    /// photographs of 8 bits become JPEG and everything else becomes PNG.
    #[must_use]
    pub fn format_like(source: &ImageInfo) -> Format {
        let ImageInfo { format, row_format, frames, .. } = *source;
        let encoding = codec(format).and_then(|codec| codec.encoding);
        if encoding.is_some_and(|encoding| !encoding.is_outside_only()) {
            return format;
        }
        let fits_jpeg = frames == 1 && !row_format.has_alpha() && row_format.depth() == Depth::Eight;
        if matches!(format, Format::Avif | Format::Heic) && fits_jpeg { Format::Jpeg } else { Format::Png }
    }

    /// Whether only an encoder outside of the core makes such files, with every option.
    #[must_use]
    pub const fn is_outside_only(&self) -> bool {
        matches!(self, Self::Avif(_) | Self::Jxl(_))
    }

    /// Returns the features of the format.
    #[must_use]
    pub const fn traits(&self) -> &'static FormatTraits {
        match self {
            Self::Jpeg(_) => &codec_jpeg::FORMAT,
            Self::Png(_) => &codec_png::FORMAT,
            Self::Tiff(_) => &codec_tiff::FORMAT,
            Self::Bmp => &codec_bmp::FORMAT,
            Self::Ico => &codec_ico::FORMAT,
            Self::Gif(_) => &codec_gif::FORMAT,
            Self::WebP(_) => &codec_webp::FORMAT,
            Self::Avif(_) => &codec_avif::WRITTEN,
            Self::Jxl(_) => &codec_jxl::WRITTEN,
            Self::Svg => &drawing::SVG,
            Self::Raw(_) => &codec_raw::FORMAT,
        }
    }

    /// Returns the encoding of a gain map, with the quality of the source.
    pub(crate) fn of_gain_maps() -> Self {
        Self::Jpeg(codec_jpeg::Options::default())
    }

    /// Creates a file. The writer refuses calls in a wrong order.
    ///
    /// # Errors
    /// Errors of the codec.
    pub fn create<'a>(&self, sink: &'a mut dyn ByteSink, spec: &ImageSpec<'_>) -> Result<Box<dyn ImageWriter + 'a>> {
        let writer = match self {
            Self::Jpeg(options) => codec_jpeg::create(sink, spec, options),
            Self::Png(options) => codec_png::create(sink, spec, options),
            Self::Tiff(options) => codec_tiff::create(sink, spec, options),
            Self::Bmp => codec_bmp::create(sink, spec),
            Self::Ico => codec_ico::create(sink, spec),
            Self::Gif(options) => codec_gif::create(sink, spec, options),
            Self::WebP(codec_webp::Options { is_lossless: false, .. }) => Err(codec_webp::LOSSY),
            Self::WebP(options) => codec_webp::create(sink, spec, *options, codec_webp::Lossless),
            Self::Avif(_) | Self::Jxl(_) => Err(Error::Unsupported {
                format: self.traits().format,
                feature: "writing by this program (the page can)",
            }),
            Self::Svg => Err(Error::Unsupported { format: Format::Svg, feature: "making a drawing of pixels" }),
            Self::Raw(options) => codec_raw::create(sink, spec, options),
        };
        Ok(Box::new(CheckedWriter::new(writer?, spec)))
    }

    /// Creates a file whose pictures are encoded outside of the core.
    ///
    /// # Errors
    /// Errors of the codec; `Unsupported` for formats that have no such encoder.
    pub(crate) fn create_outside<'a>(
        &self,
        sink: &'a mut dyn ByteSink,
        spec: &ImageSpec<'_>,
        encoder: Box<dyn PictureEncoder + 'a>,
    ) -> Result<Box<dyn ImageWriter + 'a>> {
        let writer = match *self {
            Self::WebP(options) => codec_webp::create(sink, spec, options, encoder),
            Self::Avif(options) => codec_avif::create(sink, spec, options, encoder),
            Self::Jxl(options) => codec_jxl::create(sink, spec, options, encoder),
            _ => {
                let format = self.traits().format;
                Err(Error::Unsupported { format, feature: "an encoder outside of the core" })
            }
        };
        Ok(Box::new(CheckedWriter::new(writer?, spec)))
    }
}

/// Reads the header of a file, also where its format can be written and not opened.
///
/// # Errors
/// Errors of the codec; `Unsupported` for formats without one.
pub(crate) fn header(format: Format, source: &dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<ImageInfo> {
    match supported(format)?.header {
        Some(header) => header(source, budget, notes),
        None => Ok(open(format, source, budget, notes)?.info().clone()),
    }
}

/// Returns the features of a format.
///
/// # Errors
/// `Unsupported` for formats without a codec.
pub fn traits(format: Format) -> Result<&'static FormatTraits> {
    Ok(supported(format)?.traits)
}

/// Opens a file of a known format. `notes` collects the warnings.
///
/// # Errors
/// Errors of the codec; `Unsupported` for formats without one.
pub fn open<'a>(
    format: Format,
    source: &'a dyn ByteSource,
    budget: &Budget,
    notes: &Notes,
) -> Result<Box<dyn ImageReader + 'a>> {
    (supported(format)?.open)(source, budget, notes)
}

fn supported(format: Format) -> Result<Codec> {
    codec(format).ok_or(Error::Unsupported { format, feature: "" })
}

/// Finds the gain map of a file, if its format has them.
///
/// # Errors
/// Errors of the codec.
pub(crate) fn find_gain_map(format: Format, source: &dyn ByteSource, budget: &Budget) -> Result<Option<StoredGainMap>> {
    let find = codec(format).and_then(|codec| codec.find_gain_map);
    find.map_or(Ok(None), |find| find(source, budget))
}

/// Copies a file of a format with other metadata; pixels and profile stay the same.
///
/// # Errors
/// Errors of the codec; `Unsupported` for formats whose codec cannot do this.
pub(crate) fn rewrite_metadata(
    format: Format,
    source: &dyn ByteSource,
    sink: &mut dyn ByteSink,
    metadata: &Metadata,
    budget: &Budget,
) -> Result<()> {
    let rewrite = codec(format).and_then(|codec| codec.rewrite_metadata);
    let rewrite = rewrite.ok_or(Error::Unsupported { format, feature: "replacing metadata" })?;
    rewrite(source, sink, metadata, budget)
}

/// Returns the orientation that the EXIF of a picture states, which stays turned by `orientation`.
pub(crate) fn exif_orientation(format: Format, orientation: Orientation) -> Orientation {
    let is_ignored = codec(format).is_some_and(|codec| codec.ignores_exif_orientation);
    if is_ignored { Orientation::Upright } else { orientation }
}

/// Copies a file of a format turned without loss, with other metadata and the profile among them.
///
/// # Errors
/// Errors of the codec; `Unsupported` for formats whose codec cannot do this, and for pictures.
pub(crate) fn turn(
    format: Format,
    source: &dyn ByteSource,
    sink: &mut dyn ByteSink,
    (turn, metadata): (Orientation, &Metadata),
    budget: &Budget,
) -> Result<()> {
    let copy = codec(format).and_then(|codec| codec.turn);
    let copy = copy.ok_or(Error::Unsupported { format, feature: "turning without loss" })?;
    copy(source, sink, turn, metadata, budget)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_codec_is_registered_under_its_own_format() {
        for format in Format::ALL {
            let Some(codec) = codec(format) else { continue };
            assert_eq!(codec.traits.format, format);
            assert!(codec.encoding.is_none_or(|encoding| encoding.traits().format == format), "{format}");
        }
    }
}
