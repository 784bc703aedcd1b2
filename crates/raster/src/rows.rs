//! Readers and writers of pictures: a reader returns frames, a frame returns rows, a writer receives both.
//!
//! The caller owns every row buffer. Calls are synchronous; a job can pause only between two written rows.

use std::rc::Rc;

use crate::{
    Budget, CheckedRows, Format, Metadata, Notes, Orientation, PixelFormat, Rect, Result, RowFormat, Size,
    StoredGainMap,
};

/// The description of a file from its header. It does not change after the file is opened; warnings go to
/// [`Notes`](crate::Notes).
#[derive(Clone, Debug)]
pub struct ImageInfo {
    /// The file's format.
    pub format: Format,
    /// The size of the first frame as stored, before orientation; of animations, the canvas.
    pub size: Size,
    /// The number of frames, pages or entries that can be read; at least 1.
    pub frames: u32,
    /// The relation of several frames.
    pub sequence: Sequence,
    /// The upright size of every frame, in order; empty when all equal the first.
    pub frame_sizes: Vec<Size>,
    /// The format of samples in the file; [`FrameInfo::row_format`] is the format of rows.
    pub stored: Stored,
    /// The row format of the first frame.
    pub row_format: RowFormat,
    /// The orientation of the stored picture.
    pub orientation: Orientation,
    /// The metadata of the first frame.
    pub metadata: Rc<Metadata>,
    /// An estimate of the quality setting with which the file was written, 1 to 100, for lossy formats.
    pub quality: Option<u8>,
    /// The bytes of memory that reading holds at once, including the buffers of libraries.
    pub working_set: u64,
    /// Whether the file also contains a gain map, which HDR screens use for brighter lights.
    pub gain_map: bool,
    /// The gain map of raw rows, whose file cannot be read twice. Other readers do not return it.
    pub carried_gain_map: Option<Rc<StoredGainMap>>,
    /// Whether the first frame stores its colours in a palette.
    pub has_palette: bool,
}

impl ImageInfo {
    /// Creates the description of a single upright picture without metadata, stored with the samples of its rows.
    /// Readers replace the fields in which their file differs.
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
            carried_gain_map: None,
            has_palette: false,
        }
    }
}

/// The relation of a file's frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sequence {
    /// There is one frame only.
    #[default]
    Single,
    /// Pages, each a picture of its own.
    Pages,
    /// Frames that follow each other in time; readers return the visible pixels of the whole canvas.
    Animation {
        /// How often the animation runs; 0 means without end.
        plays: u32,
    },
    /// The same picture in several sizes, the largest first.
    Sizes,
}

/// The format of a pixel in the file, before a reader unpacks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The bits in a sample or in a palette index; for BMP, whose samples may differ in size, in a pixel.
    pub depth: u8,
    /// The samples in a pixel after the palette look-up, including alpha: 1 to 4.
    pub channels: u8,
}

/// The description of one frame by a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameInfo {
    /// The size of the frame in pixels, as its rows come. It differs from the stored size only if [`Wanted::size`]
    /// asked for another.
    pub size: Size,
    /// The size of the frame in the file.
    pub full_size: Size,
    /// The number of the file's columns and rows that each pixel covers. It is more than 1 only if [`Wanted::size`]
    /// allowed it. The last column and row can then cover less: `size` is the quotient of `full_size`, rounded up.
    pub reduction: u32,
    /// The format of its rows.
    pub row_format: RowFormat,
    /// The orientation.
    pub orientation: Orientation,
    /// The time for which an animation shows it.
    pub delay: Option<Delay>,
    /// The pixels that can differ from those of the frame before it in the file; of the first frame, all. `None` if the
    /// reader does not tell.
    pub changed: Option<Rect>,
}

impl FrameInfo {
    /// Creates the description of a still, upright frame.
    #[must_use]
    pub const fn new(size: Size, row_format: RowFormat) -> Self {
        Self {
            size,
            full_size: size,
            reduction: 1,
            row_format,
            orientation: Orientation::Upright,
            delay: None,
            changed: None,
        }
    }

    /// Returns the bytes in a row.
    #[must_use]
    pub const fn row_bytes(&self) -> u64 {
        self.row_format.row_bytes(self.size.width)
    }
}

impl From<FrameHeader> for FrameInfo {
    fn from(header: FrameHeader) -> Self {
        let FrameHeader { size, pixels, orientation, delay } = header;
        Self { orientation, delay, ..Self::new(size, pixels.into()) }
    }
}

/// The description of one frame for a writer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameHeader {
    /// The size of the frame in pixels.
    pub size: Size,
    /// The format of its rows.
    pub pixels: PixelFormat,
    /// The orientation. Frames are written upright.
    pub orientation: Orientation,
    /// The time for which an animation shows it.
    pub delay: Option<Delay>,
}

/// A time in seconds, as a fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delay {
    /// The numerator.
    pub numerator: u32,
    /// The denominator; never 0.
    pub denominator: u32,
}

impl FrameHeader {
    /// Creates the description of a still, upright frame.
    #[must_use]
    pub const fn new(size: Size, pixels: PixelFormat) -> Self {
        Self { size, pixels, orientation: Orientation::Upright, delay: None }
    }

    /// Returns the bytes in a row.
    #[must_use]
    pub const fn row_bytes(&self) -> u64 {
        self.pixels.row_bytes(self.size.width)
    }
}

/// A frame being read.
pub struct Frame<'a> {
    /// The description of the frame.
    pub info: FrameInfo,
    /// Its metadata.
    pub metadata: Rc<Metadata>,
    /// Its rows, top to bottom.
    pub rows: CheckedRows<'a>,
}

impl<'a> Frame<'a> {
    /// Creates a frame whose rows come from `rows`, which is called in the right order only.
    pub fn new(info: FrameInfo, metadata: Rc<Metadata>, rows: &'a mut dyn RowReader) -> Self {
        Self { info, metadata, rows: CheckedRows::new(rows, info.size.height, info.row_bytes()) }
    }
}

/// The request of a caller for the next frame. Readers may give more, never less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The size of the whole stored frame, before orientation, that the caller needs; `None` for full size.
    ///
    /// A reader that can decode at less than full size for less work (JPEG at 1/2, 1/4, 1/8) may choose the smallest
    /// such size with both sides at least as long as these. A reader of drawings (SVG) may draw at exactly this
    /// size, larger than [`ImageInfo::size`] too; a reader of pixels never enlarges. Every other reader ignores it.
    /// [`FrameInfo::size`] is the size of the rows that come.
    pub size: Option<Size>,
}

impl Wanted {
    /// The frame at full size. Only then are the rows exactly those of the file.
    pub const FULL_SIZE: Self = Self { size: None };
}

/// A reader of an opened file: `open → info → (next_frame → read_row × height) × frames`. Rows that are not read are
/// skipped.
pub trait ImageReader {
    /// Returns the description of the file, which does not change after `open`.
    fn info(&self) -> &ImageInfo;

    /// Returns the next frame, or `None` after the last.
    ///
    /// # Errors
    /// Any: the frame's own header may be malformed, or its buffers exceed the budget.
    fn next_frame(&mut self, wanted: &Wanted) -> Result<Option<Frame<'_>>>;
}

/// A reader of one frame's rows of stored pixels.
pub trait RowReader {
    /// Writes the next row, top to bottom; `row` has exactly [`FrameInfo::row_bytes`] bytes. Missing data at the end
    /// of a truncated file become blank rows (zeros) and [`Warning::Truncated`](crate::Warning::Truncated).
    ///
    /// # Errors
    /// `Malformed` when not even the first row can be read, `Io` when the source fails.
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

/// A writer of a file: `create → (begin_frame → write_row × height) × frames → finish`.
pub trait ImageWriter {
    /// Starts a frame. Formats with one set of metadata for all frames store the first frame's, as far as they support
    /// it.
    ///
    /// # Errors
    /// `Unsupported` or `Limit` when the format does not support the frame, `Io` when the sink fails.
    fn begin_frame(&mut self, header: &FrameHeader, metadata: &Metadata) -> Result<()>;

    /// Writes the next row, top to bottom, of exactly [`FrameHeader::row_bytes`] bytes.
    ///
    /// # Errors
    /// `Io` when the sink fails, `Limit` when the encoder's buffers exceed the budget.
    fn write_row(&mut self, row: &[u8]) -> Result<()>;

    /// Completes the file, even if fewer frames were written than announced. A writer that is dropped without this call
    /// leaves an incomplete file.
    ///
    /// # Errors
    /// The errors of [`ImageWriter::write_row`]; `Contradiction` when rows are missing.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// The properties of a file that a writer needs before the first frame.
pub struct ImageSpec<'a> {
    /// The first frame's size in pixels; an animation's canvas.
    pub size: Size,
    /// The row format of the first frame.
    pub pixels: PixelFormat,
    /// The largest number of frames; at least 1.
    pub frames: u32,
    /// The relation of the frames.
    pub sequence: Sequence,
    /// The estimated quality of the source, which lossy writers use by default.
    pub source_quality: Option<u8>,
    /// Whether the source stores its colours in a palette.
    pub source_palette: bool,
    /// Whether the pictures also have these colours, unchanged.
    pub keeps_palette: bool,
    /// The list that collects the warnings of the writer.
    pub notes: Notes,
    /// The budget that is charged for the encoder's buffers.
    pub budget: &'a Budget,
}

impl<'a> ImageSpec<'a> {
    /// Creates the specification of a single picture.
    #[must_use]
    pub fn single(size: Size, pixels: PixelFormat, budget: &'a Budget) -> Self {
        Self {
            size,
            pixels,
            frames: 1,
            sequence: Sequence::Single,
            source_quality: None,
            source_palette: false,
            keeps_palette: false,
            notes: Notes::default(),
            budget,
        }
    }
}
