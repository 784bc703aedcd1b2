//! Composition of an animation's visible frames: they are drawn on a canvas, one after the other.

use animation::Canvas;
use raster::{Budget, Error, PixelFormat, Result, Size};

use super::frames::AnimationFrame;
use super::stored_rows::StoredRows;
use crate::error::Cause;

/// A canvas, and a buffer for one row of a stored frame.
pub(crate) struct Composer {
    pub(crate) canvas: Canvas,
    row: Vec<u8>,
    frame_pixels: PixelFormat,
}

impl Composer {
    /// Creates a blank canvas of `pixels` for frames of `frame_pixels`. `restores`: see [`Canvas::new`].
    ///
    /// # Errors
    /// `Limit` when the budget is too small for the canvas.
    pub(crate) fn new(
        size: Size,
        frame_pixels: PixelFormat,
        pixels: PixelFormat,
        restores: bool,
        budget: &Budget,
    ) -> Result<Self> {
        let canvas = Canvas::new(size, frame_pixels, pixels, restores, budget)?;
        Ok(Self { canvas, row: budget.filled(frame_pixels.row_bytes(size.width), 0)?, frame_pixels })
    }

    /// Draws a frame. Returns the number of its whole rows, which is smaller than its height for a first frame whose
    /// data end early after a row.
    ///
    /// # Errors
    /// `Malformed` when the data of a later frame, or of the first row, are damaged or end early; `Io`.
    pub(crate) fn draw(&mut self, frame: &AnimationFrame, rows: &mut StoredRows<'_>) -> Result<u32> {
        let is_first = self.canvas.frames() == 0;
        let placement = frame.control.placement;
        let row = &mut self.row[..self.frame_pixels.row_bytes(placement.region.width) as usize];
        let mut whole = placement.region.height;
        self.canvas.begin(placement);
        for y in 0..placement.region.height {
            match rows.read(row) {
                Ok(true) => {}
                Ok(false) if is_first => whole = whole.min(y),
                Ok(false) => return Err(Cause::DataEnds.at(frame.data.offset)),
                Err(Error::Malformed { .. }) if is_first && y > 0 => return Ok(whole.min(y)),
                Err(error) => return Err(error),
            }
            self.canvas.draw_row(row);
        }
        Ok(whole)
    }
}
