//! BMP, the device-independent bitmap of Windows and OS/2, read and written row by row in memory that depends on the
//! picture's width only.
//!
//! There is no standard. The sources are Microsoft's pages on `BITMAPINFOHEADER` and its successors, the OS/2 toolkit's
//! `BITMAPINFO2`, and Jason Summers' BMP Suite with its remarks; where they leave a question open, Chromium decides.
//! Read first: `decode/header.rs` for the variants of a file.
//!
//! ```
//! use codec_bmp::{create, open};
//! use raster::{Budget, FrameHeader, ImageSpec, Limits, Metadata, Notes, PixelFormat, Size, Wanted, RowReader};
//!
//! let budget = Budget::new(&Limits::default());
//! let (size, pixels) = (Size::new(2, 1), PixelFormat::RGB8);
//! let mut file = Vec::new();
//! let mut writer = create(&mut file, &ImageSpec::single(size, pixels, &budget))?;
//! writer.begin_frame(&FrameHeader::new(size, pixels), &Metadata::default())?;
//! writer.write_row(&[255, 0, 0, 0, 0, 255])?;
//! writer.finish()?;
//!
//! let mut reader = open(&file, &budget, &Notes::default())?;
//! let mut row = [0; 6];
//! if let Some(mut frame) = reader.next_frame(&Wanted::FULL_SIZE)? {
//!     frame.rows.read_row(&mut row)?;
//! }
//! assert_eq!(row, [255, 0, 0, 0, 0, 255]);
//! # Ok::<(), raster::Error>(())
//! ```

mod decode;
mod density;
mod encode;
mod error;
mod repack;

use raster::limits::MAX_SIDE;
use raster::{
    Budget, ByteSink, ByteSource, Channels, Depth, Format, FormatTraits, ImageReader, ImageSpec, ImageWriter,
    MetadataRoom, Notes, Profiles, Result, Sequences,
};

/// The features of a BMP. Greys are a palette of colours, so a profile is always one for RGB, and grey with alpha is
/// stored as RGB with alpha.
pub const FORMAT: FormatTraits = FormatTraits {
    format: Format::Bmp,
    max_side: MAX_SIDE,
    sequences: Sequences::NONE,
    channels: &[Channels::Gray, Channels::Rgb, Channels::Rgba],
    depth: Depth::Eight,
    profiles: Profiles::Color,
    metadata: MetadataRoom { resolution: true, ..MetadataRoom::NONE },
};

/// Opens a file: reads its headers, palette and colour profile, and reads the code of an RLE file once to find its
/// rows. Rows are grey when all colours of a palette are grey, else RGB, with alpha when a header declares it.
///
/// # Errors
/// `Malformed`, `Unsupported` (embedded JPEG and PNG, CMYK, OS/2's Huffman code), `Limit` or `Io`.
pub fn open<'a>(source: &'a dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Box<dyn ImageReader + 'a>> {
    Ok(Box::new(decode::Reader::open(source, budget, notes)?))
}

/// Opens an entry of an icon. It begins with its info header at offset `at`, has no file header, and has a mask behind
/// its pixels. Rows are grey or RGB with alpha. Offsets in errors count from the start of the file.
///
/// # Errors
/// As [`open`]; run-length code is `Unsupported`.
pub fn open_icon<'a>(
    source: &'a dyn ByteSource,
    at: u64,
    budget: &Budget,
    notes: &Notes,
) -> Result<Box<dyn ImageReader + 'a>> {
    Ok(Box::new(decode::IconReader::open(source, at, budget, notes)?))
}

/// Creates a file of one frame. Grey becomes 8 bits with a grey palette; colour becomes 24 bits, or 8 bits with a
/// palette when the picture is held and has few enough colours; pixels with alpha become 32 bits with masks. An RGB
/// profile is embedded, any other is left out.
///
/// # Errors
/// `Unsupported` above 8 bits a sample, `Limit` when the file exceeds BMP's 32-bit fields or the budget, `Io`.
pub fn create<'a>(sink: &'a mut dyn ByteSink, spec: &ImageSpec<'_>) -> Result<Box<dyn ImageWriter + 'a>> {
    Ok(Box::new(encode::Writer::create(sink, spec)?))
}
