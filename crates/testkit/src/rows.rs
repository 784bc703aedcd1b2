//! Reading and writing of whole pictures through the row traits.

use raster::{Channels, ImageReader, ImageWriter, Metadata, PixelFormat, Result, RowFormat, RowReader, Wanted};

use crate::Picture;

/// Reads the next frame whole; for a reader that was just opened, the first. Inks are stored in the positions of red,
/// green, blue and alpha; [`ImageReader::info`] states which they are. Alpha beside inks is left out.
///
/// # Errors
/// Errors of the reader.
///
/// # Panics
/// When there is no further frame.
pub fn read_all(reader: &mut dyn ImageReader) -> Result<Picture> {
    let mut frame = reader.next_frame(&Wanted::FULL_SIZE)?.expect("a frame to read");
    let pixels = match frame.info.row_format {
        RowFormat::Colors(pixels) => pixels,
        RowFormat::Inks { depth, .. } => PixelFormat::new(Channels::Rgba, depth),
    };
    let mut picture = Picture::blank(frame.info.size, pixels);
    let row_bytes = picture.row_bytes();
    let (kept, stored) = (pixels.bytes(), frame.info.row_format.count() * pixels.depth.bytes());
    let mut stored_row = vec![0; frame.info.row_bytes() as usize];
    for row in picture.rows.chunks_exact_mut(row_bytes) {
        frame.rows.read_row(&mut stored_row)?;
        let pixels = row.chunks_exact_mut(kept).zip(stored_row.chunks_exact(stored));
        pixels.for_each(|(pixel, stored)| pixel.copy_from_slice(&stored[..kept]));
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

/// Writes one frame whole with metadata and completes the file.
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
