//! TIFF (TIFF 6.0, its supplements, BigTIFF), read row by row in memory that depends on the picture's width only.
//!
//! Read first: `decode/mod.rs` for the steps of a row, `decode/page.rs` for the properties that a directory states,
//! `encode/mod.rs` for writing. The crate `ifd` reads and writes directories.
//!
//! ```
//! use codec_tiff::Options;
//! use raster::ImageSpec;
//! use raster::{Budget, FrameHeader, Limits, Metadata, Notes, PixelFormat, Size, Wanted, RowReader};
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
//! let mut reader = codec_tiff::open(&file, &budget, &Notes::default())?;
//! let mut frame = reader.next_frame(&Wanted::FULL_SIZE)?.expect("a page");
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
    MetadataRoom, Notes, Profiles, Result, Sequences, Texts,
};

pub use encode::{Compression, Options};

/// The features of a TIFF.
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
        gain_map: false,
    },
};

/// Opens a file: walks its directories, separates pages from previews and masks, and reads the tags of the first page.
/// The buffers of a page are allocated when it is read, after those of the previous page were dropped. Greys stay grey;
/// palettes, YCbCr, Lab and LogLuv become RGB; CMYK stays inks. Samples of up to 8 bits are returned as 8 bits, others
/// as 16.
///
/// # Errors
/// `Malformed`, `Unsupported`, `Limit` or `Io`.
pub fn open<'a>(source: &'a dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Box<dyn ImageReader + 'a>> {
    Ok(Box::new(decode::Reader::open(source, budget, notes)?))
}

/// Creates a file of up to `spec.frames` pages, each with its own size and layout. One strip and the tables of strips
/// are held in memory. Offsets get 64 bits when the length of the file requires them.
///
/// Each page keeps its ICC profile, XMP, IPTC and resolution, and the descriptive tags of EXIF.
///
/// # Errors
/// `Limit` for a side of 0 or above [`raster::limits::MAX_SIDE`] pixels and when the budget is too small for the
/// buffers, `Io` when the sink fails.
pub fn create<'a>(
    sink: &'a mut dyn ByteSink,
    spec: &ImageSpec<'_>,
    options: &Options,
) -> Result<Box<dyn ImageWriter + 'a>> {
    Ok(Box::new(encode::Writer::create(sink, spec, options)?))
}
