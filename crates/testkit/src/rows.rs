//! Whole pictures through the row traits.

use raster::rows::{Column, STRIP, StripSource};
use raster::{Channels, ImageReader, ImageWriter, Metadata, Pixel, PixelFormat, Result, RowFormat, RowSource, Size};

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

/// Working pixels from memory, as a source of strips.
#[derive(Clone, Debug)]
pub struct PixelRows {
    size: Size,
    channels: Channels,
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
        Self { size, channels: Channels::Rgba, pixels, next: 0 }
    }

    /// The same pixels, handed out in fewer channels.
    #[must_use]
    pub fn in_channels(self, channels: Channels) -> Self {
        Self { channels, ..self }
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

impl StripSource for PixelRows {
    fn size(&self) -> Size {
        self.size
    }

    fn channels(&self) -> Channels {
        self.channels
    }

    fn read_strip(&mut self, strip: &mut [Column]) -> Result<()> {
        let width = self.size.width as usize;
        let lanes: &[usize] = match self.channels {
            Channels::Gray => &[0],
            Channels::GrayAlpha => &[0, 3],
            Channels::Rgb => &[0, 1, 2],
            Channels::Rgba => &[0, 1, 2, 3],
        };
        assert_eq!(strip.len(), width * lanes.len(), "a strip of the source's width");
        strip.fill([[f32::NAN; 4]; 2]); // Nobody may look below the bottom.
        for (r, row) in self.pixels[self.next * width..].chunks(width).take(STRIP).enumerate() {
            let values = row.iter().flat_map(|pixel| lanes.iter().map(|&lane| pixel.0[lane]));
            strip.iter_mut().zip(values).for_each(|(column, value)| column[r / 4][r % 4] = value);
            self.next += 1;
        }
        Ok(())
    }
}
