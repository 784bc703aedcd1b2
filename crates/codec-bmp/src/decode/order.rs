//! The order of rows: the row of the file that is next when a picture is read from its top.

use raster::{Error, FrameHeader, Result};

/// The frame of a bitmap, and the number of its rows that were read.
pub(super) struct RowOrder {
    pub(super) frame: FrameHeader,
    top_down: bool,
    /// The number of rows read.
    next: u32,
}

impl RowOrder {
    pub(super) const fn new(frame: FrameHeader, top_down: bool) -> Self {
        Self { frame, top_down, next: 0 }
    }

    /// Returns the number of the row for `row`, counted from the file's first.
    ///
    /// # Errors
    /// `Contradiction` behind the last row and for a `row` of another length.
    pub(super) fn next(&mut self, row: &[u8]) -> Result<u32> {
        let height = self.frame.size.height;
        if self.next == height || row.len() as u64 != self.frame.row_bytes() {
            return Err(Error::Contradiction("a row that this picture does not have"));
        }
        let y = if self.top_down { self.next } else { height - 1 - self.next };
        self.next += 1;
        Ok(y)
    }
}
