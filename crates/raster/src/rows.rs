//! How pictures travel: a reader yields frames, a frame yields rows, a writer takes both.
//!
//! The caller owns every row buffer. Calls are synchronous: a job is one call that returns when the file is written.

use crate::{Budget, Format, Orientation, Pixel, PixelFormat, Result, Size, Warning};

/// What a header says about a picture. Grows by warnings while rows are read.
#[derive(Clone, Debug)]
pub struct ImageInfo {
    /// The file's format.
    pub format: Format,
    /// Pixels as stored, before orientation.
    pub size: Size,
    /// Frames, pages or entries that can be read; at least 1.
    pub frames: u32,
    /// How samples lie in the file; rows come as [`FrameHeader::pixels`] says.
    pub stored: Stored,
    /// How the rows of the first frame will come.
    pub pixels: PixelFormat,
    /// How the stored picture is to be turned to stand upright.
    pub orientation: Orientation,
    /// The embedded ICC profile, byte for byte, if it is sound enough to be carried.
    pub icc: Option<Vec<u8>>,
    /// Estimate of the quality setting the file was written with, 1 to 100, for lossy formats.
    pub quality: Option<u8>,
    /// Bytes of memory that reading every row will hold at once, buffers of libraries included.
    pub working_set: u64,
    /// What the user should know; no duplicates.
    pub warnings: Vec<Warning>,
}

impl ImageInfo {
    /// Adds a warning once.
    pub fn warn(&mut self, warning: Warning) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }
}

/// A pixel as it lies in the file, before a reader unpacks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Bits in a sample, or in a palette index; of BMP, whose samples may differ in size, in a pixel.
    pub depth: u8,
    /// Samples in a pixel once a palette is looked up, alpha included: 1 to 4.
    pub channels: u8,
}

/// One frame's shape. Further fields (delay, offset, disposal) join it with the formats that have them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameHeader {
    /// Pixels in the frame.
    pub size: Size,
    /// How its rows lie in memory.
    pub pixels: PixelFormat,
}

impl FrameHeader {
    /// Bytes in a row.
    #[must_use]
    pub const fn row_bytes(&self) -> u64 {
        self.pixels.row_bytes(self.size.width)
    }
}

/// A frame that is being read.
pub struct Frame<'a> {
    /// Its shape.
    pub header: FrameHeader,
    /// Its rows, top to bottom.
    pub rows: &'a mut dyn RowReader,
}

/// An opened file: `open → info → (next_frame → read_row × height) × frames`. Rows not read are skipped.
pub trait ImageReader {
    /// What is known so far. Complete after `open` but for warnings that rows bring.
    fn info(&self) -> &ImageInfo;

    /// The next frame, or nothing after the last.
    ///
    /// # Errors
    /// Any: the frame's own header may be malformed, or its buffers exceed the budget.
    fn next_frame(&mut self) -> Result<Option<Frame<'_>>>;
}

/// The rows of one frame as stored pixels.
pub trait RowReader {
    /// Writes the next row, top to bottom; `row` has exactly [`FrameHeader::row_bytes`] bytes. Missing data at the end
    /// of a truncated file become blank rows (zeros) and [`Warning::Truncated`].
    ///
    /// # Errors
    /// `Malformed` when not even a first row can be had, `Io` when the carrier fails.
    fn read_row(&mut self, row: &mut [u8]) -> Result<()>;
}

/// A file being written: `create → (begin_frame → write_row × height) × frames → finish`.
pub trait ImageWriter {
    /// Starts a frame.
    ///
    /// # Errors
    /// `Unsupported` or `Limit` when the format cannot hold it, `Io` when the sink fails.
    fn begin_frame(&mut self, header: &FrameHeader) -> Result<()>;

    /// Takes the next row, top to bottom, exactly [`FrameHeader::row_bytes`] bytes.
    ///
    /// # Errors
    /// `Io` when the sink fails, `Limit` when the encoder's buffers exceed the budget.
    fn write_row(&mut self, row: &[u8]) -> Result<()>;

    /// Completes the file. A writer dropped without it leaves a broken file.
    ///
    /// # Errors
    /// As [`ImageWriter::write_row`]; `Contradiction` when rows are missing.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// What a writer needs to know before the first frame.
pub struct Create<'a> {
    /// The picture's size in pixels.
    pub size: Size,
    /// How its rows will come.
    pub pixels: PixelFormat,
    /// The ICC profile to embed, where the format can.
    pub icc: Option<&'a [u8]>,
    /// Pays for the encoder's buffers.
    pub budget: &'a Budget,
}

/// Working pixels, top to bottom, `size().height` times.
pub trait RowSource {
    /// Shape of the whole.
    fn size(&self) -> Size;

    /// Writes the next row; `row` has exactly `size().width` pixels.
    ///
    /// # Errors
    /// Whatever the reader behind it meets.
    fn read_row(&mut self, row: &mut [Pixel]) -> Result<()>;
}

impl<S: RowSource + ?Sized> RowSource for &mut S {
    fn size(&self) -> Size {
        (**self).size()
    }

    fn read_row(&mut self, row: &mut [Pixel]) -> Result<()> {
        (**self).read_row(row)
    }
}
