//! The rows of a frame inside a rectangle. Rows above it are read and dropped, rows below never read.

use raster::{FrameHeader, Rect, Result, RowReader, Size};

/// Yields the cropped part of a frame, `rect.height` rows of `rect.width` pixels in the frame's own format.
pub(crate) struct Crop<'a> {
    rows: &'a mut dyn RowReader,
    rect: Rect,
    /// Byte offset of the rectangle in a row.
    left: usize,
    /// One whole row; empty when the rectangle is as wide as the frame.
    whole: Vec<u8>,
    next: u32,
    /// Told of each row.
    on_row: &'a dyn Fn(),
}

impl<'a> Crop<'a> {
    pub(crate) fn new(
        frame: (&'a mut dyn RowReader, FrameHeader),
        rect: Rect,
        budget: &raster::Budget,
        on_row: &'a dyn Fn(),
    ) -> Result<Self> {
        let (rows, header) = frame;
        let cut = rect.width < header.size.width;
        let whole = if cut || rect.y > 0 { budget.filled(header.row_bytes(), 0)? } else { Vec::new() };
        Ok(Self { rows, rect, left: header.pixels.row_bytes(rect.x) as usize, whole, next: 0, on_row })
    }

    pub(crate) fn size(&self) -> Size {
        self.rect.size()
    }
}

impl RowReader for Crop<'_> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        while self.next < self.rect.y {
            self.rows.read_row(&mut self.whole)?;
            self.next += 1;
            (self.on_row)();
        }
        self.next += 1;
        if self.whole.len() > row.len() {
            self.rows.read_row(&mut self.whole)?;
            row.copy_from_slice(&self.whole[self.left..self.left + row.len()]);
        } else {
            self.rows.read_row(row)?;
        }
        (self.on_row)();
        Ok(())
    }
}
