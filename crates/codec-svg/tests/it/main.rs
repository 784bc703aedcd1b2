//! The integration tests, as one binary: linking costs more than compiling.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise and says what it left out"
)]

mod bombs;
mod corpus;
mod crafted;
mod hostile;

use codec_svg::{Reader, View};
use raster::{Budget, ImageInfo, ImageReader, Limits, Notes, Rect, Result, Size};
use testkit::{Picture, read_all};

/// A document with this content and these attributes of the root.
fn document(attributes: &str, content: &str) -> String {
    format!("<svg xmlns='http://www.w3.org/2000/svg' {attributes}>{content}</svg>")
}

/// Draws a document, at its own size where none is wanted.
fn draw(file: &[u8], target: Option<Size>, limits: &Limits) -> Result<(ImageInfo, Picture)> {
    draw_with(file, target, limits, &Notes::default())
}

/// The same; `notes` collects the warnings.
fn draw_with(file: &[u8], target: Option<Size>, limits: &Limits, notes: &Notes) -> Result<(ImageInfo, Picture)> {
    let reader = Reader::open(&file, &Budget::new(limits), notes)?;
    let size = reader.info().size;
    let view = View { crop: Rect::whole(size), target: target.unwrap_or(size) };
    let mut reader = reader.with_views(vec![view]);
    let picture = read_all(&mut reader)?;
    Ok((reader.info().clone(), picture))
}
