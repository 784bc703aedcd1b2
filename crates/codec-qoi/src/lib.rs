//! QOI, the "Quite OK Image" format, read row by row: one pass over the file, in the memory of a window.
//!
//! Source: the specification at qoiformat.org (version 1.0, one page). Read first: `decode.rs`.
//!
//! ```
//! use raster::{Budget, Limits, Notes, RowReader, Wanted};
//!
//! // Two pixels: one as red, green and blue, and a run of one.
//! let file = [b"qoif".as_slice(), &[0, 0, 0, 2, 0, 0, 0, 1, 3, 0], &[0xFE, 9, 8, 7, 0xC0], &[0, 0, 0, 0, 0, 0, 0, 1]];
//! let file = file.concat();
//! let mut reader = codec_qoi::open(&file, &Budget::new(&Limits::default()), &Notes::default())?;
//! let mut row = [0; 6];
//! if let Some(mut frame) = reader.next_frame(&Wanted::FULL_SIZE)? {
//!     frame.rows.read_row(&mut row)?;
//! }
//! assert_eq!(row, [9, 8, 7, 9, 8, 7]);
//! # Ok::<(), raster::Error>(())
//! ```

mod decode;

use raster::limits::MAX_SIDE;
use raster::{
    Budget, ByteSource, Channels, Depth, Format, FormatTraits, ImageReader, MetadataRoom, Notes, Profiles, Result,
    Sequences,
};

/// What a QOI can hold.
pub const FORMAT: FormatTraits = FormatTraits {
    format: Format::Qoi,
    max_side: MAX_SIDE,
    sequences: Sequences::NONE,
    channels: &[Channels::Rgb, Channels::Rgba],
    depth: Depth::Eight,
    profiles: Profiles::None,
    metadata: MetadataRoom::NONE,
};

/// Opens a file: reads its header. Rows come as RGB or RGBA, as the header says.
///
/// # Errors
/// `Malformed`, `Limit` or `Io`.
pub fn open<'a>(source: &'a dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Box<dyn ImageReader + 'a>> {
    Ok(Box::new(decode::Reader::open(source, budget, notes)?))
}
