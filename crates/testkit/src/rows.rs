//! Whole pictures through the row traits.

use raster::{ImageReader, ImageWriter, Metadata, Pixel, Result, RowSource, Size};

use crate::Picture;

/// Reads the next frame whole; for a reader that was just opened, the first.
///
/// # Errors
/// Those of the reader.
///
/// # Panics
/// When there is no further frame.
pub fn read_all(reader: &mut dyn ImageReader) -> Result<Picture> {
    let frame = reader.next_frame()?.expect("a frame to read");
    let mut picture = Picture::blank(frame.header.size, frame.header.pixels);
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

/// Working pixels from memory, as a source of rows.
#[derive(Clone, Debug)]
pub struct PixelRows {
    size: Size,
    pixels: Vec<Pixel>,
    next: usize,
}

impl PixelRows {
    /// Rows of `size.width` pixels, in order.
    ///
    /// # Panics
    /// When `pixels` are not as many as `size` says.
    #[must_use]
    pub fn new(size: Size, pixels: Vec<Pixel>) -> Self {
        assert_eq!(pixels.len() as u64, size.area());
        Self { size, pixels, next: 0 }
    }

    /// Every row of a source.
    ///
    /// # Errors
    /// Those of the source.
    pub fn collect(source: &mut dyn RowSource) -> Result<Self> {
        let size = source.size();
        let mut pixels = vec![Pixel::default(); usize::try_from(size.area()).expect("fits in memory")];
        for row in pixels.chunks_exact_mut(size.width as usize) {
            source.read_row(row)?;
        }
        Ok(Self::new(size, pixels))
    }

    /// All pixels, read or not.
    #[must_use]
    pub fn pixels(&self) -> &[Pixel] {
        &self.pixels
    }
}

impl RowSource for PixelRows {
    fn size(&self) -> Size {
        self.size
    }

    fn read_row(&mut self, row: &mut [Pixel]) -> Result<()> {
        let width = self.size.width as usize;
        assert_eq!(row.len(), width, "a row of the source's width");
        row.copy_from_slice(&self.pixels[self.next * width..][..width]);
        self.next += 1;
        Ok(())
    }
}
