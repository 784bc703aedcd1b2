//! ICO and CUR, the icons and cursors of Windows: a directory of several sizes of one picture. Each is a PNG file or a
//! bitmap without file header. Frames are returned largest first. Cursors are read; icons are read and written.
//!
//! The sources are Microsoft's "Icons" (1995) and its pages on `NEWHEADER` and `RESDIR`; where they leave a question
//! open, Chromium and icoutils decide. Read first: `decode.rs`.
//!
//! ```
//! use codec_ico::{create, open};
//! use raster::{Budget, FrameHeader, ImageSpec, Limits, Metadata, Notes, PixelFormat, Size, Wanted, RowReader};
//!
//! let budget = Budget::new(&Limits::default());
//! let (size, pixels) = (Size::new(1, 1), PixelFormat::RGBA8);
//! let mut file = Vec::new();
//! let mut writer = create(&mut file, &ImageSpec::single(size, pixels, &budget))?;
//! writer.begin_frame(&FrameHeader::new(size, pixels), &Metadata::default())?;
//! writer.write_row(&[255, 0, 0, 128])?;
//! writer.finish()?;
//!
//! let mut reader = open(&file, &budget, &Notes::default())?;
//! let mut row = [0; 4];
//! if let Some(mut frame) = reader.next_frame(&Wanted::FULL_SIZE)? {
//!     frame.rows.read_row(&mut row)?;
//! }
//! assert_eq!(row, [255, 0, 0, 128]);
//! # Ok::<(), raster::Error>(())
//! ```

mod decode;
mod directory;
mod encode;
mod error;

use raster::{
    Budget, ByteSink, ByteSource, Channels, Depth, Format, FormatTraits, ImageReader, ImageSpec, ImageWriter,
    MetadataRoom, Notes, Profiles, Result, Sequences,
};

/// The features of an icon.
pub const FORMAT: FormatTraits = FormatTraits {
    format: Format::Ico,
    max_side: 256, // the directory has one byte for each side
    sequences: Sequences { sizes: true, ..Sequences::NONE },
    channels: &[Channels::Rgba],
    depth: Depth::Eight,
    profiles: Profiles::None,
    metadata: MetadataRoom::NONE,
};

/// Opens a file: reads its directory and the header of each entry. The sizes and depths in directories are often wrong,
/// so those of the entries' own headers are used. Entries that cannot be read are left out with a warning. Bitmaps have
/// alpha, from their mask if they have none of their own.
///
/// # Errors
/// `Malformed`, `Unsupported` or `Limit` when no entry can be read, with the reason of the first; `Io`.
pub fn open<'a>(source: &'a dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Box<dyn ImageReader + 'a>> {
    Ok(Box::new(decode::Reader::open(source, budget, notes)?))
}

/// Creates an icon of `spec.frames` entries, each at most 256 pixels wide and high; the frame headers state the sizes.
/// Entries from 64 pixels on are PNG files; smaller ones are bitmaps of 32 bits with a mask, as in Windows' own icons:
/// older readers support PNG for large entries only. No metadata are kept.
///
/// # Errors
/// `Unsupported` above 8 bits a sample, `Limit` for longer sides, for more than 65 535 entries and when the budget is
/// too small for one entry; `Io`.
pub fn create<'a>(sink: &'a mut dyn ByteSink, spec: &ImageSpec<'_>) -> Result<Box<dyn ImageWriter + 'a>> {
    Ok(Box::new(encode::Writer::create(sink, spec)?))
}
