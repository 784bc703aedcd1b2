//! The stage that crops a frame. Rows above the rectangle are read and dropped, rows below it are not read.

use core::task::{Poll, ready};

use raster::{Budget, FrameInfo, Rect, Result};
use resample::{Area, STRIP};

use crate::rows::Rows;

/// The rows inside a rectangle, in the format of the frame.
pub(crate) struct Crop<R> {
    rows: R,
    /// The number of rows above the rectangle that must still be dropped.
    above: u32,
    /// The byte offset of the rectangle in a row.
    left: usize,
    /// One whole row of the frame.
    whole: Vec<u8>,
}

impl<R: Rows> Crop<R> {
    /// Creates the stage over `rows` of `frame`; `rect` lies in the frame.
    pub(crate) fn new(rows: R, frame: &FrameInfo, rect: Rect, budget: &Budget) -> Result<Self> {
        let left = frame.row_format.row_bytes(rect.x) as usize;
        Ok(Self { rows, above: rect.y, left, whole: budget.filled(frame.row_bytes(), 0)? })
    }

    /// Drops the rows above the rectangle. Pauses after each strip of them.
    fn poll_above(&mut self) -> Poll<Result<()>> {
        while self.above > 0 {
            ready!(self.rows.poll_row(&mut self.whole))?;
            self.above -= 1;
            if self.above.is_multiple_of(STRIP as u32) {
                return Poll::Pending;
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl<R: Rows> Rows for Crop<R> {
    fn poll_row(&mut self, row: &mut [u8]) -> Poll<Result<()>> {
        ready!(self.poll_above())?;
        if row.len() == self.whole.len() {
            return self.rows.poll_row(row);
        }
        ready!(self.rows.poll_row(&mut self.whole))?;
        row.copy_from_slice(&self.whole[self.left..self.left + row.len()]);
        Poll::Ready(Ok(()))
    }
}

/// Returns the pixels of a reduced frame that a part of the whole frame touches, and the part of them that it covers.
pub(crate) fn reduced(part: Rect, reduction: u32) -> (Rect, Area) {
    let rect = Rect { x: part.x % reduction, y: part.y % reduction, ..part };
    let pixels = |start: u32, length: u32| (start + length).div_ceil(reduction);
    let (width, height) = (pixels(rect.x, rect.width), pixels(rect.y, rect.height));
    let crop = Rect { x: part.x / reduction, y: part.y / reduction, width, height };
    (crop, Area { rect, per_pixel: reduction })
}
