//! Whole pictures through the row traits.

use raster::{Channels, ImageReader, ImageWriter, Metadata, PixelFormat, Result, RowFormat};

use crate::Picture;

/// Reads the next frame whole; for a reader that was just opened, the first. Inks stand in the places of red, green, blue
/// and alpha: [`ImageReader::info`] tells which they are.
///
/// # Errors
/// Those of the reader.
///
/// # Panics
/// When there is no further frame, or when its pixels have five samples.
pub fn read_all(reader: &mut dyn ImageReader) -> Result<Picture> {
    let frame = reader.next_frame()?.expect("a frame to read");
    let pixels = match frame.info.row_format {
        RowFormat::Colors(pixels) => pixels,
        RowFormat::Inks { depth, alpha } => {
            assert!(!alpha, "four inks fit in a picture, alpha beside them does not");
            PixelFormat::new(Channels::Rgba, depth)
        }
    };
    let mut picture = Picture::blank(frame.info.size, pixels);
    let row_bytes = picture.row_bytes();
    for row in picture.rows.chunks_exact_mut(row_bytes) {
        frame.rows.read_row(row)?;
    }
    Ok(picture)
}

/// Writes one frame whole and completes the file.
///
/// # Errors
/// Those of the writer.
pub fn write_all(writer: Box<dyn ImageWriter + '_>, picture: &Picture) -> Result<()> {
    write_with(writer, picture, &Metadata::default())
}

/// The same with descriptions.
///
/// # Errors
/// Those of the writer.
pub fn write_with(mut writer: Box<dyn ImageWriter + '_>, picture: &Picture, metadata: &Metadata) -> Result<()> {
    writer.begin_frame(&picture.header(), metadata)?;
    for y in 0..picture.size.height {
        writer.write_row(picture.row(y))?;
    }
    writer.finish()
}
