//! Lines of samples as stored: inflated and unfiltered, not yet expanded.

use raster::{Budget, ByteSource, Result};

use super::data::{DataStart, ImageData};
use crate::error::Cause;
use crate::filter::Filter;
use crate::header::Header;

/// The lines of one plane: a whole picture, or one pass of an interlaced one.
pub(crate) struct Lines<'a> {
    data: ImageData<'a>,
    /// The current line behind its filter byte.
    line: Vec<u8>,
    /// The previous line behind its filter byte; zeros at first.
    above: Vec<u8>,
    unit: usize,
    offset: u64,
}

impl<'a> Lines<'a> {
    /// Returns the bytes of memory for lines of `width` pixels.
    pub(crate) const fn memory(header: Header, width: u32) -> u64 {
        ImageData::MEMORY + 2 * (header.line_bytes(width) + 1)
    }

    /// Creates a reader of lines of `width` pixels from the chunks from `start` on.
    pub(crate) fn new(
        source: &'a dyn ByteSource,
        start: DataStart,
        header: Header,
        width: u32,
        budget: &Budget,
    ) -> Result<Self> {
        let bytes = header.line_bytes(width) + 1;
        Ok(Self {
            data: ImageData::new(source, start, budget)?,
            line: budget.filled(bytes, 0)?,
            above: budget.filled(bytes, 0)?,
            unit: header.filter_unit(),
            offset: start.offset,
        })
    }

    /// Skips raw bytes of other planes.
    ///
    /// # Errors
    /// As [`Lines::next`].
    pub(crate) fn skip(&mut self, raw_bytes: u64) -> Result<()> {
        self.data.skip(raw_bytes)
    }

    /// See [`ImageData::last_crc_is_sound`].
    pub(crate) fn last_crc_is_sound(&mut self) -> Result<bool> {
        self.data.last_crc_is_sound()
    }

    /// Returns the next line's samples, packed as in the file.
    ///
    /// # Errors
    /// `Malformed` when the data are damaged or end early; `Io`.
    pub(crate) fn next(&mut self) -> Result<&[u8]> {
        core::mem::swap(&mut self.line, &mut self.above);
        self.data.read(&mut self.line)?;
        let filter = Filter::from_byte(self.line[0]).ok_or_else(|| Cause::Filter(self.line[0]).at(self.offset))?;
        filter.undo(self.unit, &self.above[1..], &mut self.line[1..]);
        Ok(&self.line[1..])
    }
}
