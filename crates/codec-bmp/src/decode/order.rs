//! The order of rows: the row of the file that is next when a picture is read from its top.

use raster::FrameHeader;

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

    /// Returns the number of the next row, counted from the file's first.
    pub(super) const fn next(&mut self) -> u32 {
        let y = if self.top_down { self.next } else { self.frame.size.height - 1 - self.next };
        self.next += 1;
        y
    }
}
