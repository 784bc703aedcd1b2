//! SVG, drawings: they are drawn at the size that is wanted, never resampled, and written as the same drawing with
//! another size. `resvg` converts and draws; this crate decides what may be drawn, and in which pieces.
//!
//! Nothing outside of a document is ever read: scripts, links to other files and fonts of the machine have no effect,
//! and the user is told ([`Warning::PartsLeftOut`](raster::Warning::PartsLeftOut)). Read first: `document.rs`, then
//! `draw.rs`.
//!
//! ```
//! use codec_svg::{Reader, View};
//! use raster::{Budget, ImageReader, Limits, Notes, Rect, RowReader, Size, Wanted};
//!
//! let file = b"<svg xmlns='http://www.w3.org/2000/svg' width='2' height='2'><path d='M0 0H9V9H0' fill='red'/></svg>";
//! let view = View { crop: Rect::whole(Size::new(2, 2)), target: Size::new(100, 100) };
//! let budget = Budget::new(&Limits::default());
//! let mut reader = Reader::open(&&file[..], &budget, &Notes::default())?.with_views(vec![view]);
//! let mut row = [0; 400];
//! if let Some(mut frame) = reader.next_frame(&Wanted::FULL_SIZE)? {
//!     frame.rows.read_row(&mut row)?;
//! }
//! assert_eq!(row[..4], [255, 0, 0, 255]);
//! # Ok::<(), raster::Error>(())
//! ```

mod cost;
mod decode;
mod document;
mod draw;
mod embedded;
mod font;
mod growth;
mod inspect;
mod root;
#[cfg(test)]
mod seams;
mod styles;
mod text;
mod xml;

use raster::{Budget, ByteSink, ByteSource, Error, Format, ImageReader, Notes, Result};

pub use decode::Reader;
pub use document::Document;
pub use draw::View;

/// Opens a document. Its frame is drawn at its own size.
///
/// # Errors
/// Those of [`Document::open`].
pub fn open<'a>(source: &'a dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Box<dyn ImageReader + 'a>> {
    Ok(Box::new(Reader::open(source, budget, notes)?))
}

/// Copies a document with another size; all but the root's start tag stays as it is. A compressed document is written
/// as a plain one, because results are called `.svg`.
///
/// # Errors
/// Those of [`Document::open`], and of the sink; `Unsupported` where only a part of the document is wanted.
pub fn resize(source: &dyn ByteSource, sink: &mut dyn ByteSink, view: View, budget: &Budget) -> Result<()> {
    let document = Document::open(source, budget)?;
    if view.crop.size() != document.size() {
        return Err(Error::Unsupported { format: Format::Svg, feature: "cropping without drawing" });
    }
    sink.write(&document.resized(view.target))
}
