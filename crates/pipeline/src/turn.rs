//! The stage that turns the resampled picture upright. Mirrored rows are turned one by one; every other turn holds the
//! whole picture in memory, charged to the budget. The picture is small after resampling.

use core::task::{Poll, ready};

use raster::{Budget, Orientation, Result};
use resample::STRIP;

use crate::rows::{Rows, Shape};

/// The stage that reverses the pixels of each row.
pub(crate) struct Mirror<R> {
    rows: R,
    /// The bytes in a pixel.
    bytes: usize,
}

impl<R: Rows> Mirror<R> {
    pub(crate) const fn new(rows: R, shape: Shape) -> Self {
        Self { rows, bytes: shape.pixels.bytes() }
    }
}

impl<R: Rows> Rows for Mirror<R> {
    fn poll_row(&mut self, row: &mut [u8]) -> Poll<Result<()>> {
        ready!(self.rows.poll_row(row))?;
        // Reversing the bytes of the row and then of each pixel reverses the pixels.
        row.reverse();
        row.chunks_exact_mut(self.bytes).for_each(<[u8]>::reverse);
        Poll::Ready(Ok(()))
    }
}

/// The stage that turns a whole picture in memory.
pub(crate) struct Turn<R> {
    rows: R,
    /// The shape of the input.
    shape: Shape,
    orientation: Orientation,
    /// One row of the input.
    row: Vec<u8>,
    /// The number of rows read.
    taken: u32,
    /// The upright picture.
    upright: Vec<u8>,
    /// The number of its bytes that were returned.
    given: usize,
}

impl<R: Rows> Turn<R> {
    /// Creates the stage over rows of this shape.
    pub(crate) fn new(rows: R, shape: Shape, orientation: Orientation, budget: &Budget) -> Result<Self> {
        let bytes = shape.size.area().saturating_mul(shape.pixels.bytes() as u64);
        let (row, upright) = (budget.filled(shape.row_bytes(), 0)?, budget.filled(bytes, 0)?);
        Ok(Self { rows, shape, orientation, row, taken: 0, upright, given: 0 })
    }

    /// Reads rows until the picture is complete. Pauses after each strip of them.
    fn poll_picture(&mut self) -> Poll<Result<()>> {
        while self.taken < self.shape.size.height {
            ready!(self.rows.poll_row(&mut self.row))?;
            self.place(self.taken);
            self.taken += 1;
            if self.taken.is_multiple_of(STRIP as u32) {
                return Poll::Pending;
            }
        }
        Poll::Ready(Ok(()))
    }

    /// Copies the pixels of the stored row `y` to their upright positions.
    fn place(&mut self, y: u32) {
        let Shape { size, pixels } = self.shape;
        let width = self.orientation.turn(size).width as usize;
        let index = |x: u32| {
            let (x, y) = self.orientation.upright_position((x, y), size);
            y as usize * width + x as usize
        };
        // Along a stored row the upright index changes by a constant step.
        let mut at = index(0);
        let step = if size.width > 1 { index(1).wrapping_sub(at) } else { 0 };
        let bytes = pixels.bytes();
        for pixel in self.row.chunks_exact(bytes) {
            self.upright[at * bytes..][..bytes].copy_from_slice(pixel);
            at = at.wrapping_add(step);
        }
    }
}

impl<R: Rows> Rows for Turn<R> {
    fn poll_row(&mut self, row: &mut [u8]) -> Poll<Result<()>> {
        ready!(self.poll_picture())?;
        row.copy_from_slice(&self.upright[self.given..][..row.len()]);
        self.given += row.len();
        Poll::Ready(Ok(()))
    }
}
