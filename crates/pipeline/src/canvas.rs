//! The stage that places the upright picture on a larger canvas.

use core::ops::Range;
use core::task::{Poll, ready};

use raster::{Budget, Depth, PixelFormat, Result};

use crate::job::Canvas;
use crate::rows::{Rows, Shape};

/// A picture with its canvas around it.
pub(crate) struct OnCanvas<R> {
    rows: R,
    /// The number of the next row of the canvas.
    next: u32,
    /// The rows of the canvas that the picture covers.
    covered: Range<u32>,
    /// The bytes of a row that the picture covers.
    inside: Range<usize>,
    /// The first row of the picture. It is read before the first row of the canvas is returned, because a frame without
    /// a single row must not begin.
    first: Vec<u8>,
    has_first: bool,
    /// A row of the canvas without the picture.
    blank: Vec<u8>,
}

impl<R: Rows> OnCanvas<R> {
    /// Creates the stage over `rows` of this shape. `color` is the canvas's colour as one stored pixel, see
    /// [`stored_color`].
    pub(crate) fn new(rows: R, shape: Shape, canvas: Canvas, color: &[u8], budget: &Budget) -> Result<Self> {
        let Shape { size, pixels } = shape;
        let mut blank: Vec<u8> = budget.filled(pixels.row_bytes(canvas.size.width), 0)?;
        blank.chunks_exact_mut(color.len()).for_each(|pixel| pixel.copy_from_slice(color));
        let byte = |x: u32| pixels.row_bytes(x) as usize;
        Ok(Self {
            rows,
            next: 0,
            covered: canvas.y..canvas.y + size.height,
            inside: byte(canvas.x)..byte(canvas.x + size.width),
            first: budget.filled(shape.row_bytes(), 0)?,
            has_first: false,
            blank,
        })
    }
}

impl<R: Rows> Rows for OnCanvas<R> {
    fn poll_row(&mut self, row: &mut [u8]) -> Poll<Result<()>> {
        if !self.has_first {
            ready!(self.rows.poll_row(&mut self.first))?;
            self.has_first = true;
        }
        if self.next == self.covered.start {
            row[self.inside.clone()].copy_from_slice(&self.first);
        } else if self.covered.contains(&self.next) {
            ready!(self.rows.poll_row(&mut row[self.inside.clone()]))?;
        } else {
            row[self.inside.clone()].copy_from_slice(&self.blank[self.inside.clone()]);
        }
        row[..self.inside.start].copy_from_slice(&self.blank[..self.inside.start]);
        row[self.inside.end..].copy_from_slice(&self.blank[self.inside.end..]);
        self.next += 1;
        Poll::Ready(Ok(()))
    }
}

/// Returns the colour of a canvas as one pixel of the output. When the picture is composited over a background, the
/// canvas is too.
pub(crate) fn stored_color(canvas: Canvas, background: Option<[u8; 3]>, output: PixelFormat) -> Vec<u8> {
    let [r, g, b, a] = canvas.color;
    let over = |c: u8, background: u8| {
        let sum = u32::from(c) * u32::from(a) + u32::from(background) * (255 - u32::from(a));
        ((sum * 2 + 255) / 510) as u8
    };
    let rgba = match background {
        Some([br, bg, bb]) => [over(r, br), over(g, bg), over(b, bb), 255],
        None => [r, g, b, a],
    };
    let samples: &[u8] = match (output.channels.has_color(), output.channels.has_alpha()) {
        (false, false) => &rgba[..1],
        (false, true) => &[rgba[0], rgba[3]],
        (true, false) => &rgba[..3],
        (true, true) => &rgba,
    };
    match output.depth {
        Depth::Eight => samples.to_vec(),
        Depth::Sixteen => samples.iter().flat_map(|&s| (u16::from(s) * 257).to_le_bytes()).collect(),
    }
}
