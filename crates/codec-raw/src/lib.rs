//! The format in which parts of the engine exchange pictures. A decoder in a worker of its own sends rows to the core
//! in this format, and the core sends rows to an encoder. A file contains all data of [`raster::ImageInfo`],
//! [`raster::Frame`] and [`raster::Metadata`]. Writer and reader only go forwards, so that a file can be sent while it
//! is written.
//!
//! A file consists of a start and blocks. Numbers are little-endian.
//!
//! | bytes of the start | what |
//! |---|---|
//! | 0–7 | [`MAGIC`] |
//! | 8–11 | version, 3 |
//!
//! | bytes of a block | what |
//! |---|---|
//! | 0–3 | its kind, four letters |
//! | 4–7 | length of its body |
//! | 8 … | its body |
//!
//! Blocks have this order: `HEAD`, then for each frame `FRAM` and a `ROW␣` for each of its rows, at last `END␣`. A
//! `LOST` replaces a frame, or the rest of its rows, that could not be read. A `NOTE` precedes the frame or row that
//! caused it.
//!
//! The bodies, field by field; numbers have four bytes unless stated otherwise:
//!
//! - `HEAD`: shape; one byte each for the sequence (0 single, 1 pages, 2 animation, 3 sizes), the quality of the
//!   original (1 to 100, or 0), the bits of a sample and the samples of a pixel in the original; the number of frames,
//!   how often an animation plays, the number of frame sizes; the frame sizes (width, height); the format of the
//!   original (text); metadata; a `GAIN` block if the original holds a gain map; a `PLTE` block without fields if it
//!   stores colours in a palette; a `NOTE` block for each warning so far.
//! - `GAIN`: nothing where the map is not carried; else a byte 1 if only the maker's notes say how strong it is, or 0;
//!   a block `XMP␣` and a block `ISO␣` where the map has one; a block `FILE` with its file.
//! - `FRAM`: shape; numerator and denominator of the delay in seconds (0 and 0 for none); a byte 0 for the metadata of
//!   the frame before (of the head for the first), or 1 and metadata.
//! - `ROW␣`: pixels from left to right, exactly as [`raster::RowFormat`] lays them out.
//! - `NOTE`: the number of a warning (one byte); its two figures, 0 where there is none; its word (text).
//! - `LOST`: the format that is damaged (text); the offset in its file (8 bytes); the cause (text).
//! - `END␣`: nothing.
//!
//! | field | bytes |
//! |---|---|
//! | text | length, UTF-8 |
//! | shape | row format, bits in a sample (8 or 16), EXIF's orientation (one byte each); width, height |
//! | row format | 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha, 5 CMYK, 6 CMYK and alpha |
//! | metadata | the number of parts, then each part as a block |
//! | `ICCP`, `EXIF`, `XMP␣`, `XMPX`, `IPTC` | as their standards write them; `XMPX` is the second packet |
//! | `TEXT` | keyword, language, translated keyword, text (four texts) |
//! | `DENS` | pixels per inch across and down (64-bit floats) |
//! | `SGNL` | code points (4); same in the profile (1); 1 and mastering display (24), or 0; 1 and light level (8), or 0
//! |

mod block;
mod decode;
mod encode;
mod error;
mod gain_map;
mod head;
mod metadata;
mod note;
mod transfer;

use raster::limits::MAX_SIDE;
use raster::{
    Budget, ByteSink, ByteSource, Channels, Depth, Format, FormatTraits, ImageReader, ImageSpec, ImageWriter,
    MetadataRoom, Notes, Profiles, Result, Sequences, Texts,
};

pub use gain_map::gain_map_rows;
pub use transfer::transfer;

/// The first eight bytes of a file. The first byte is not text; the last four reveal transfers that change line ends.
pub const MAGIC: &[u8] = b"\x93ROW\r\n\x1a\n";

/// The features of raw rows.
pub const FORMAT: FormatTraits = FormatTraits {
    format: Format::Raw,
    max_side: MAX_SIDE,
    sequences: Sequences { animation: true, ..Sequences::NONE },
    channels: &[Channels::Gray, Channels::GrayAlpha, Channels::Rgb, Channels::Rgba],
    depth: Depth::Sixteen,
    profiles: Profiles::GrayOrColor,
    metadata: MetadataRoom {
        exif: usize::MAX,
        xmp: usize::MAX,
        xmp_extension: None,
        iptc: true,
        texts: Texts::Any,
        resolution: true,
        signal: true,
        gain_map: false,
    },
};

/// The properties of the original file, from which the rows come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The format of the original; [`Format::Raw`] when there is none.
    pub origin: Format,
    /// Estimate of the quality setting of the original, 1 to 100.
    pub quality: Option<u8>,
    /// Whether the original stores its colours in a palette.
    pub has_palette: bool,
}

impl Default for Options {
    /// Returns the options of rows without an original.
    fn default() -> Self {
        Self { origin: Format::Raw, quality: None, has_palette: false }
    }
}

/// Opens a file and reads its head. The reader holds one block other than rows at a time; rows are read directly into
/// the caller's buffer. Every call may be repeated after [`raster::IoError::NotYet`].
///
/// # Errors
/// `Malformed` for a head that is not of this version, `Limit` for sides of 0 or above [`raster::limits::MAX_SIDE`] and
/// for a head that exceeds the budget, `Io`. Behind the head, `Malformed` means that the original is damaged. Damage of
/// the raw rows themselves is `Io`, because the program that writes them has failed.
pub fn open<'a>(source: &'a dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Box<dyn ImageReader + 'a>> {
    Ok(Box::new(decode::Reader::open(source, budget, notes)?))
}

/// Creates a file. Its head is written with the first frame.
///
/// # Errors
/// `Limit` for sides as in [`open`], `Io`.
pub fn create<'a>(
    sink: &'a mut dyn ByteSink,
    spec: &ImageSpec<'_>,
    options: &Options,
) -> Result<Box<dyn ImageWriter + 'a>> {
    Ok(Box::new(encode::Writer::create(sink, spec, options)?))
}
