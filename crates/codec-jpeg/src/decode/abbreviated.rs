//! Abbreviated streams, for TIFF. Its strips and tiles are JPEG streams whose tables (T.81 B.4) and whose meaning of
//! the components (TIFF 6.0 §22 and its technical note 2) are in other parts of the TIFF. Metadata in the stream are
//! ignored.

use std::rc::Rc;

use raster::{Budget, ByteSource, Result, Size};

use super::frame::Model;
use super::head::{Head, read_head};
use super::samples::{self, Samples};
use super::scale::Scale;

/// A stream whose header was read.
pub struct Abbreviated<'a> {
    source: Rc<dyn ByteSource + 'a>,
    head: Head,
}

/// The rows of a decoded stream.
pub struct StreamRows<'a>(Samples<'a>);

impl StreamRows<'_> {
    /// Writes the next row, or its left part that fits into `row`: interleaved samples of grey, RGB, or four components
    /// as stored. Returns false and writes nothing when the data ended before.
    ///
    /// # Errors
    /// `Malformed` when there are no data for the first row, `Io`.
    pub fn read_row(&mut self, row: &mut [u8]) -> Result<bool> {
        self.0.read_row(row)
    }
}

impl<'a> Abbreviated<'a> {
    /// Reads a stream's header. Tables may precede it, with a start-of-image marker but without an end marker.
    /// `is_ycbcr` states whether three components are YCbCr, to be converted to RGB, or are RGB already; the stream's
    /// own markers for this are ignored.
    ///
    /// # Errors
    /// `Malformed`, `Limit`, `Io`.
    pub fn open(source: impl ByteSource + 'a, is_ycbcr: bool) -> Result<Self> {
        let mut head = read_head(&source)?;
        head.model = match head.frame.components.len() {
            1 => Model::Gray,
            3 if is_ycbcr => Model::YCbCr,
            3 => Model::Rgb,
            4 => Model::Cmyk { inverted: false },
            _ => Model::Other,
        };
        Ok(Self { source: Rc::new(source), head })
    }

    /// Returns the size of the stream in pixels.
    #[must_use]
    pub fn size(&self) -> Size {
        self.head.frame.size
    }

    /// Returns the number of samples in a pixel.
    #[must_use]
    pub fn components(&self) -> usize {
        self.head.frame.components.len()
    }

    /// Returns the number of bits in a sample of the rows: 8, or 16 for more precise samples, which are scaled to the
    /// whole range.
    #[must_use]
    pub fn row_bits(&self) -> u8 {
        if self.head.frame.precision > 8 { 16 } else { 8 }
    }

    /// Returns the bytes that decoding will hold, including the samples.
    #[must_use]
    pub fn memory(&self) -> u64 {
        samples::memory(&self.head)
    }

    /// Starts decoding the stream.
    ///
    /// # Errors
    /// `Unsupported`, `Malformed` when the first scan's header is not valid, `Limit`, `Io`.
    pub fn decode(&self, budget: &Budget) -> Result<StreamRows<'a>> {
        Samples::new(Rc::clone(&self.source), &self.head, Scale::full(&self.head.frame), budget).map(StreamRows)
    }
}
