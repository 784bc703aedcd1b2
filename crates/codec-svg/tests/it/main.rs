//! The integration tests, as one binary: linking costs more than compiling.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise and says what it left out"
)]

mod corpus;
mod crafted;
mod hostile;

use codec_svg::{Reader, View};
use raster::{Budget, ImageInfo, Limits, Notes, Rect, Result, RowReader, Size};
use testkit::Picture;

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
    let mut reader = Reader::open(&file, &Budget::new(limits), notes)?;
    let size = reader.info().size;
    let target = target.unwrap_or(size);
    let mut frame = reader.draw(View { crop: Rect::whole(size), target })?;
    let mut picture = Picture::blank(target, raster::PixelFormat::RGBA8);
    let row_bytes = picture.row_bytes();
    for row in picture.rows.chunks_exact_mut(row_bytes) {
        frame.rows.read_row(row)?;
    }
    Ok((reader.info().clone(), picture))
}
