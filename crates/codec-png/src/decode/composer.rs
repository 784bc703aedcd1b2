//! The frames of an animation as they are seen: drawn on a canvas, one after the other.

use animation::Canvas;
use raster::{Budget, Error, PixelFormat, Result, Size};

use super::frames::AnimationFrame;
use super::stored_rows::StoredRows;
use crate::error::Cause;

/// A canvas, and a row of a frame on its way to it.
pub(crate) struct Composer {
    pub(crate) canvas: Canvas,
    row: Vec<u8>,
    frame_pixels: PixelFormat,
}

impl Composer {
    /// A blank canvas of `pixels` for frames of `frame_pixels`. `restores`: see [`Canvas::new`].
    ///
    /// # Errors
    /// `Limit` when the budget does not pay for the canvas.
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

    /// Draws a frame. Returns how many of its rows are whole, which are fewer than all for a first frame whose data
    /// break off after a row.
    ///
    /// # Errors
    /// `Malformed` when the data of a later frame, or of the first row, break or end before; `Io`.
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
