//! TIFF (TIFF 6.0, its supplements, BigTIFF), read row by row in memory bounded by the picture's width.
//!
//! Read first: `decode/mod.rs` for the way of a row, `decode/page.rs` for what a directory must say before a row is
//! read, `encode/mod.rs` for how a file is written. The crate `ifd` reads and writes directories.
//!
//! ```
//! use codec_tiff::Options;
//! use raster::ImageSpec;
//! use raster::{Budget, FrameHeader, Limits, Metadata, PixelFormat, Size};
//!
//! let budget = Budget::new(&Limits::default());
//! let header = FrameHeader::new(Size::new(2, 1), PixelFormat::GRAY8);
//! let mut file = Vec::new();
//! let create = ImageSpec::single(header.size, header.pixels, &budget);
//! let mut writer = codec_tiff::create(&mut file, &create, &Options::default())?;
//! writer.begin_frame(&header, &Metadata::default())?;
//! writer.write_row(&[0, 255])?;
//! writer.finish()?;
//!
//! let mut reader = codec_tiff::open(&file, &budget)?;
//! let frame = reader.next_frame()?.expect("a page");
//! let mut row = [0; 2];
//! frame.rows.read_row(&mut row)?;
//! assert_eq!(row, [0, 255]);
//! # Ok::<(), raster::Error>(())
//! ```

mod decode;
mod encode;
mod error;

use raster::limits::MAX_SIDE;
use raster::{
    Budget, ByteSink, ByteSource, Channels, Depth, Format, FormatTraits, ImageReader, ImageSpec, ImageWriter,
    MetadataRoom, Profiles, Result, Sequences, Texts,
};

pub use encode::{Compression, Options};

/// What a TIFF can hold.
pub const FORMAT: FormatTraits = FormatTraits {
    format: Format::Tiff,
    max_side: MAX_SIDE,
    sequences: Sequences { pages: true, ..Sequences::NONE },
    channels: &[Channels::Gray, Channels::GrayAlpha, Channels::Rgb, Channels::Rgba],
    depth: Depth::Sixteen,
    profiles: Profiles::GrayOrColor,
    metadata: MetadataRoom {
        exif: usize::MAX,
        xmp: usize::MAX,
        xmp_extension: None,
        iptc: true,
        texts: Texts::None,
        resolution: true,
        signal: false,
    },
};

/// Opens a file: walks its directories, tells pages from previews and masks, and reads what the first page's tags say.
/// The buffers of a page are allocated when its turn comes, those of the page before being dropped. Greys stay grey,
/// palettes, YCbCr, Lab and LogLuv come as RGB, inks as inks; samples of up to 8 bits as 8, others as 16.
///
/// # Errors
/// `Malformed`, `Unsupported`, `Limit` or `Io`.
pub fn open<'a>(source: &'a dyn ByteSource, budget: &Budget) -> Result<Box<dyn ImageReader + 'a>> {
    Ok(Box::new(decode::Reader::open(source, budget)?))
}

/// Starts a file of up to `spec.frames` pages, each of its own size and layout. One strip is held, and the tables of
/// strips. Offsets get 64 bits when the file turns out to need them.
///
/// Each page keeps its ICC profile, XMP, IPTC and resolution, and of EXIF what describes the picture.
///
/// # Errors
/// `Limit` for a side of 0 or above [`raster::limits::MAX_SIDE`] pixels and when the budget does
/// not pay for the buffers, `Io` when the sink fails.
pub fn create<'a>(
    sink: &'a mut dyn ByteSink,
    spec: &ImageSpec<'_>,
    options: &Options,
) -> Result<Box<dyn ImageWriter + 'a>> {
    Ok(Box::new(encode::Writer::create(sink, spec, options)?))
}
