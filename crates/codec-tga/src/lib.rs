//! TGA, Truevision's format: colours, greys and palettes, plain or run-length coded, from any corner, read row by row.
//!
//! Source: "Truevision TGA File Format Specification", version 2.0 (1991). Read first: `header.rs`.
//!
//! ```
//! use raster::{Budget, Limits, Notes, RowReader, Wanted};
//!
//! // Type 2, 1 × 2 pixels of 24 bits, blue first, the lowest row first.
//! let mut file = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 24, 0];
//! file.extend([1, 2, 3, 4, 5, 6]);
//! let mut reader = codec_tga::open(&file, &Budget::new(&Limits::default()), &Notes::default())?;
//! let mut row = [0; 3];
//! if let Some(mut frame) = reader.next_frame(&Wanted::FULL_SIZE)? {
//!     frame.rows.read_row(&mut row)?;
//! }
//! assert_eq!(row, [6, 5, 4]);
//! # Ok::<(), raster::Error>(())
//! ```

mod decode;
mod header;
mod runs;
mod unpack;

use raster::{
    Budget, ByteSource, Channels, Depth, Format, FormatTraits, ImageReader, MetadataRoom, Notes, Profiles, Result,
    Sequences,
};

/// What a TGA can hold.
pub const FORMAT: FormatTraits = FormatTraits {
    format: Format::Tga,
    max_side: 65_535, // sides have 16 bits
    sequences: Sequences::NONE,
    channels: &[Channels::Gray, Channels::GrayAlpha, Channels::Rgb, Channels::Rgba],
    depth: Depth::Eight,
    profiles: Profiles::None,
    metadata: MetadataRoom::NONE,
};

/// Whether a file begins as a TGA. The format has no magic number: each field of the header has to be sound, and those
/// of a palette that is not there have to be 0. Ask this only of files that no other format claims.
#[must_use]
pub fn is_tga(head: &[u8]) -> bool {
    head.first_chunk().is_some_and(|head| header::Header::parse(head).is_some())
}

/// Opens a file: reads its header and palette, asks the extension area what alpha means, and walks once over run-length
/// code to find its rows.
///
/// # Errors
/// `Malformed`, `Limit` or `Io`.
pub fn open<'a>(source: &'a dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Box<dyn ImageReader + 'a>> {
    Ok(Box::new(decode::Reader::open(source, budget, notes)?))
}
