//! The last step before the writer: turns the small picture upright and lays it on its canvas.

use core::future::poll_fn;
use core::mem;
use core::task::Poll;

use raster::{Budget, FrameHeader, ImageWriter, Orientation, PixelFormat, Result, RowReader, Size};

use crate::job::Canvas;
use crate::progress::Progress;

/// A finished picture that still lies as the file stores it.
pub(crate) struct Lying<'a> {
    pub(crate) rows: &'a mut dyn RowReader,
    pub(crate) size: Size,
    pub(crate) pixels: PixelFormat,
    pub(crate) orientation: Orientation,
}

/// Starts the frame.
pub(crate) type Begin<'a> = &'a dyn Fn(&mut dyn ImageWriter, FrameHeader) -> Result<()>;

/// Writes the picture upright, on `canvas` if there is one, as one frame.
///
/// Mirrored rows are turned one by one; every other turn needs the picture as a whole, which the budget pays.
pub(crate) async fn write_upright(
    picture: Lying<'_>,
    canvas: Option<(Canvas, &[u8])>,
    (writer, begin): (&mut dyn ImageWriter, Begin<'_>),
    budget: &Budget,
    progress: &Progress<'_>,
) -> Result<()> {
    let size = picture.orientation.turn(picture.size);
    let pixels = picture.pixels;
    let mut upright: Box<dyn RowReader + '_> = match picture.orientation {
        Orientation::Upright => Box::new(picture.rows),
        Orientation::FlipHorizontal => Box::new(Mirrored { rows: picture.rows, bytes: pixels.bytes() }),
        _ => Box::new(turned(picture, budget)?),
    };
    // A frame without even a first row never begins.
    let mut first = budget.filled(pixels.row_bytes(size.width), 0)?;
    upright.read_row(&mut first)?;
    let header = FrameHeader::new(canvas.map_or(size, |(canvas, _)| canvas.size), pixels);
    begin(writer, header)?;
    let mut row: Vec<u8> = budget.filled(header.row_bytes(), 0)?;
    let (left, top) = canvas.map_or((0, 0), |(canvas, _)| (canvas.x, canvas.y));
    let paint = |row: &mut [u8]| {
        if let Some((_, color)) = canvas {
            row.chunks_exact_mut(color.len()).for_each(|pixel| pixel.copy_from_slice(color));
        }
    };
    // The picture never touches what lies beside it, so the canvas is painted above it and once more below.
    paint(&mut row);
    let inside = pixels.row_bytes(left) as usize..pixels.row_bytes(left + size.width) as usize;
    for y in 0..header.size.height {
        if y == top + size.height {
            paint(&mut row);
        }
        if y == top {
            row[inside.clone()].copy_from_slice(&first);
        } else if (top..top + size.height).contains(&y) {
            upright.read_row(&mut row[inside.clone()])?;
        }
        writer.write_row(&row)?;
        progress.step();
        pause().await;
    }
    Ok(())
}

/// Ends a step of the job.
async fn pause() {
    let mut next = Poll::Pending;
    poll_fn(|_| mem::replace(&mut next, Poll::Ready(()))).await;
}

/// Rows with their pixels in reverse order.
struct Mirrored<'a> {
    rows: &'a mut dyn RowReader,
    bytes: usize,
}

impl RowReader for Mirrored<'_> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        self.rows.read_row(row)?;
        // Reversing the bytes of the row and then of each pixel reverses the pixels.
        row.reverse();
        row.chunks_exact_mut(self.bytes).for_each(<[u8]>::reverse);
        Ok(())
    }
}

/// A whole picture in memory, given out row by row.
struct Turned {
    bytes: Vec<u8>,
    given: usize,
}

impl RowReader for Turned {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        let end = self.given + row.len();
        row.copy_from_slice(&self.bytes[self.given..end]);
        self.given = end;
        Ok(())
    }
}

fn turned(picture: Lying<'_>, budget: &Budget) -> Result<Turned> {
    let Lying { rows, size, pixels, orientation } = picture;
    let upright = orientation.turn(size);
    let bytes_per_pixel = pixels.bytes();
    let mut bytes = budget.filled(upright.area().saturating_mul(bytes_per_pixel as u64), 0)?;
    let mut row = budget.filled(pixels.row_bytes(size.width), 0)?;
    let index = |position: (u32, u32)| {
        let (x, y) = orientation.upright_position(position, size);
        y as usize * upright.width as usize + x as usize
    };
    for y in 0..size.height {
        rows.read_row(&mut row)?;
        // Along a stored row the upright index changes by a constant step.
        let first = index((0, y));
        let step = if size.width > 1 { index((1, y)).wrapping_sub(first) } else { 0 };
        let mut at = first;
        for pixel in row.chunks_exact(bytes_per_pixel) {
            let start = at * bytes_per_pixel;
            bytes[start..start + bytes_per_pixel].copy_from_slice(pixel);
            at = at.wrapping_add(step);
        }
    }
    Ok(Turned { bytes, given: 0 })
}
