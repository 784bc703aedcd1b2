//! How pictures travel: a reader yields frames, a frame yields rows, a writer takes both.
//!
//! The caller owns every row buffer. Calls are synchronous; only between two written rows can a job pause.

use std::rc::Rc;

use crate::{Budget, Format, Metadata, Orientation, PixelFormat, Result, RowFormat, Size, Warning};

/// What a header says about a picture. Grows by warnings while rows are read.
#[derive(Clone, Debug)]
pub struct ImageInfo {
    /// The file's format.
    pub format: Format,
    /// Pixels of the first frame as stored, before orientation; of animations, the canvas.
    pub size: Size,
    /// Frames, pages or entries that can be read; at least 1.
    pub frames: u32,
    /// What several frames are to each other.
    pub sequence: Sequence,
    /// The upright size of every frame, in order; empty where all are like the first.
    pub frame_sizes: Vec<Size>,
    /// How samples lie in the file; rows come as [`FrameInfo::row_format`] says.
    pub stored: Stored,
    /// How the rows of the first frame will come.
    pub row_format: RowFormat,
    /// How the stored picture is to be turned to stand upright.
    pub orientation: Orientation,
    /// Descriptions of the first frame.
    pub metadata: Rc<Metadata>,
    /// Estimate of the quality setting the file was written with, 1 to 100, for lossy formats.
    pub quality: Option<u8>,
    /// Bytes of memory that reading every row will hold at once, buffers of libraries included.
    pub working_set: u64,
    /// Whether the file also holds a gain map, from which HDR screens make brighter lights. Readers do not hand it out.
    pub gain_map: bool,
    /// What the user should know; no duplicates.
    pub warnings: Vec<Warning>,
}

impl ImageInfo {
    /// A single upright picture without metadata, stored with the samples that its rows have. Readers replace the
    /// fields in which their file differs.
    #[must_use]
    pub fn still(format: Format, size: Size, row_format: RowFormat) -> Self {
        Self {
            format,
            size,
            frames: 1,
            sequence: Sequence::Single,
            frame_sizes: Vec::new(),
            stored: Stored { depth: row_format.depth().bits(), channels: row_format.count().min(4) as u8 },
            row_format,
            orientation: Orientation::Upright,
            metadata: Rc::default(),
            quality: None,
            working_set: 0,
            gain_map: false,
            warnings: Vec::new(),
        }
    }

    /// Adds a warning once.
    pub fn warn(&mut self, warning: Warning) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }
}

/// What the frames of a file are to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sequence {
    /// There is only one.
    #[default]
    Single,
    /// Pages, each a picture of its own.
    Pages,
    /// One after the other in time; readers hand out what is seen on the whole canvas.
    Animation {
        /// How often it runs; 0 is for ever.
        plays: u32,
    },
    /// The same picture in several sizes, the largest first.
    Sizes,
}

/// A pixel as it lies in the file, before a reader unpacks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Bits in a sample, or in a palette index; of BMP, whose samples may differ in size, in a pixel.
    pub depth: u8,
    /// Samples in a pixel once a palette is looked up, alpha included: 1 to 4.
    pub channels: u8,
}

/// One frame's shape, as a reader tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameInfo {
    /// Pixels in the frame.
    pub size: Size,
    /// How its rows lie in memory.
    pub row_format: RowFormat,
    /// How it is to be turned to stand upright.
    pub orientation: Orientation,
    /// How long an animation shows it.
    pub delay: Option<Delay>,
}

impl FrameInfo {
    /// A still, upright frame.
    #[must_use]
    pub const fn new(size: Size, row_format: RowFormat) -> Self {
        Self { size, row_format, orientation: Orientation::Upright, delay: None }
    }

    /// Bytes in a row.
    #[must_use]
    pub const fn row_bytes(&self) -> u64 {
        self.row_format.row_bytes(self.size.width)
    }
}

impl From<FrameHeader> for FrameInfo {
    fn from(header: FrameHeader) -> Self {
        let FrameHeader { size, pixels, orientation, delay } = header;
        Self { size, row_format: pixels.into(), orientation, delay }
    }
}

/// One frame's shape, as a writer takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameHeader {
    /// Pixels in the frame.
    pub size: Size,
    /// How its rows lie in memory.
    pub pixels: PixelFormat,
    /// How it is to be turned to stand upright. Frames are written upright.
    pub orientation: Orientation,
    /// How long an animation shows it.
    pub delay: Option<Delay>,
}

/// A time in seconds, as a fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delay {
    /// Above the line.
    pub numerator: u32,
    /// Below it; never 0.
    pub denominator: u32,
}

impl FrameHeader {
    /// A still, upright frame.
    #[must_use]
    pub const fn new(size: Size, pixels: PixelFormat) -> Self {
        Self { size, pixels, orientation: Orientation::Upright, delay: None }
    }

    /// Bytes in a row.
    #[must_use]
    pub const fn row_bytes(&self) -> u64 {
        self.pixels.row_bytes(self.size.width)
    }
}

/// A frame that is being read.
pub struct Frame<'a> {
    /// Its shape.
    pub info: FrameInfo,
    /// What the file says about it.
    pub metadata: Rc<Metadata>,
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
    /// Writes the next row, top to bottom; `row` has exactly [`FrameInfo::row_bytes`] bytes. Missing data at the end
    /// of a truncated file become blank rows (zeros) and [`Warning::Truncated`].
    ///
    /// # Errors
    /// `Malformed` when not even a first row can be had, `Io` when the carrier fails.
    fn read_row(&mut self, row: &mut [u8]) -> Result<()>;
}

impl<R: RowReader + ?Sized> RowReader for &mut R {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        (**self).read_row(row)
    }
}

impl<R: RowReader + ?Sized> RowReader for Box<R> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        (**self).read_row(row)
    }
}

/// A file being written: `create → (begin_frame → write_row × height) × frames → finish`.
pub trait ImageWriter {
    /// Starts a frame. Formats with one description for all take the first frame's, and of it what they can hold.
    ///
    /// # Errors
    /// `Unsupported` or `Limit` when the format cannot hold it, `Io` when the sink fails.
    fn begin_frame(&mut self, header: &FrameHeader, metadata: &Metadata) -> Result<()>;

    /// Takes the next row, top to bottom, exactly [`FrameHeader::row_bytes`] bytes.
    ///
    /// # Errors
    /// `Io` when the sink fails, `Limit` when the encoder's buffers exceed the budget.
    fn write_row(&mut self, row: &[u8]) -> Result<()>;

    /// Completes the file, even if fewer frames came than were announced. A writer dropped without it leaves a broken
    /// file.
    ///
    /// # Errors
    /// As [`ImageWriter::write_row`]; `Contradiction` when rows are missing.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// What a writer needs to know before the first frame.
pub struct ImageSpec<'a> {
    /// The first frame's size in pixels; an animation's canvas.
    pub size: Size,
    /// How the first frame's rows will come.
    pub pixels: PixelFormat,
    /// How many frames will come at most; at least 1.
    pub frames: u32,
    /// What the frames are to each other.
    pub sequence: Sequence,
    /// The estimated quality of the source, for lossy writers that are to match it.
    pub source_quality: Option<u8>,
    /// The budget that pays for the encoder's buffers.
    pub budget: &'a Budget,
}

impl<'a> ImageSpec<'a> {
    /// A single picture.
    #[must_use]
    pub const fn single(size: Size, pixels: PixelFormat, budget: &'a Budget) -> Self {
        Self { size, pixels, frames: 1, sequence: Sequence::Single, source_quality: None, budget }
    }
}
