//! SVG, drawings: they are drawn at the size that is wanted, never resampled, and written as the same drawing with
//! another size. `resvg` converts and draws; this crate decides what may be drawn, and in which pieces.
//!
//! Nothing outside of a document is ever read: scripts, links to other files and fonts of the machine have no effect,
//! and the user is told ([`Warning::PartsLeftOut`](raster::Warning::PartsLeftOut)). Read first: `document.rs`, then
//! `draw.rs`.
//!
//! ```
//! use codec_svg::{Reader, View};
//! use raster::{Budget, Limits, Notes, Rect, Size, RowReader};
//!
//! let file = b"<svg xmlns='http://www.w3.org/2000/svg' width='2' height='2'><path d='M0 0H9V9H0' fill='red'/></svg>";
//! let mut reader = Reader::open(&&file[..], &Budget::new(&Limits::default()), &Notes::default())?;
//! let view = View { crop: Rect::whole(Size::new(2, 2)), target: Size::new(100, 100) };
//! let mut row = [0; 400];
//! reader.draw(view)?.rows.read_row(&mut row)?;
//! assert_eq!(row[..4], [255, 0, 0, 255]);
//! # Ok::<(), raster::Error>(())
//! ```

mod cost;
mod decode;
mod document;
mod draw;
mod embedded;
mod font;
mod inspect;
mod root;
#[cfg(test)]
mod seams;
mod text;
mod xml;

use raster::limits::MAX_SIDE;
use raster::{
    Budget, ByteSource, Channels, Depth, Format, FormatTraits, ImageReader, MetadataRoom, Notes, Profiles, Result,
    Sequences,
};

pub use decode::Reader;
pub use document::Document;
pub use draw::View;

/// What a drawing can hold.
pub const FORMAT: FormatTraits = FormatTraits {
    format: Format::Svg,
    max_side: MAX_SIDE,
    sequences: Sequences::NONE,
    channels: &[Channels::Rgba],
    depth: Depth::Eight,
    profiles: Profiles::None,
    metadata: MetadataRoom::NONE,
};

/// Opens a document. Its frame is drawn at the size that the caller wants, else at its own.
///
/// # Errors
/// Those of [`Document::open`].
pub fn open<'a>(source: &'a dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Box<dyn ImageReader + 'a>> {
    Ok(Box::new(Reader::open(source, budget, notes)?))
}
