//! Reading. The rows of a still picture are those of its bitstream. The frames of an animation are drawn on a canvas,
//! one after the other, and the rows are those of the canvas.

use std::rc::Rc;

use animation::{Canvas, shows_background};
use raster::{
    Budget, ByteSource, Error, Format, Frame, FrameInfo, ImageInfo, ImageReader, Metadata, Notes, PixelFormat, Result,
    RowReader, Sequence, Wanted, Warning,
};

use crate::bitstream::Rows;
use crate::container::{Container, StoredFrame};
use crate::error::Cause;

/// Opens a WebP: reads the headers of all chunks and the metadata, and allocates nothing for pixels.
///
/// # Errors
/// `Malformed` when there is no valid picture, `Limit` for a size that is empty or too large, `Io`.
pub fn open<'a>(source: &'a dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Box<dyn ImageReader + 'a>> {
    let mut container = Container::read(source, budget)?;
    let metadata = core::mem::take(&mut container.metadata);
    let info = describe(&container, metadata);
    if container.has_broken_profile {
        notes.warn(Warning::BrokenProfile);
    }
    if container.skipped > 0 {
        notes.warn(Warning::FramesSkipped { skipped: container.skipped, of: info.frames + container.skipped });
    }
    Ok(Box::new(WebpReader {
        source,
        budget: budget.clone(),
        info,
        frames: container.frames,
        picture: None,
        canvas: None,
        frame: 0,
        next: 0,
        is_damaged: false,
    }))
}

fn describe(container: &Container, metadata: Metadata) -> ImageInfo {
    let frames = &container.frames;
    let has_background = shows_background(frames.iter().map(|frame| &frame.placement), container.size);
    let has_alpha = has_background || frames.iter().any(|frame| frame.picture.has_alpha);
    let pixels = pixels_of(has_alpha);
    let mut info = ImageInfo {
        frames: frames.len() as u32,
        orientation: metadata.exif.as_deref().and_then(ifd::orientation).unwrap_or_default(),
        metadata: Rc::new(metadata),
        working_set: frames.iter().map(|frame| frame.picture.memory()).max().unwrap_or_default(),
        ..ImageInfo::still(Format::WebP, container.size, pixels.into())
    };
    if let Some(plays) = container.plays {
        info.working_set += Canvas::memory(container.size, pixels, false);
        if info.frames > 1 {
            info.sequence = Sequence::Animation { plays };
        }
    }
    info
}

/// The rows of a still picture, and the scope of their memory.
struct Picture<'a> {
    rows: Rows<'a>,
    _scope: Budget,
}

struct WebpReader<'a> {
    source: &'a dyn ByteSource,
    budget: Budget,
    info: ImageInfo,
    frames: Vec<StoredFrame>,
    /// The current frame, if its stored pixels are the visible ones.
    picture: Option<Picture<'a>>,
    /// The canvas, if the visible pixels differ from the stored ones.
    canvas: Option<Canvas>,
    /// The number of frames returned.
    frame: u32,
    /// The number of rows returned of the current frame.
    next: u32,
    /// Whether a frame could not be drawn; later frames then need pixels that the canvas does not have.
    is_damaged: bool,
}

impl<'a> WebpReader<'a> {
    fn show(&mut self, frame: &StoredFrame) -> Result<()> {
        self.picture = None;
        if self.is_damaged {
            return Err(Cause::EarlierFrame.at(frame.picture.offset()));
        }
        self.is_damaged = true;
        let scope = self.budget.scope();
        let rows = frame.picture.rows(self.source, &scope)?;
        if self.info.frames == 1 && frame.picture.size == self.info.size {
            self.picture = Some(Picture { rows, _scope: scope });
        } else {
            self.draw(frame, rows)?;
        }
        self.is_damaged = false;
        Ok(())
    }

    /// Draws a frame on the canvas. If some frames have alpha, all are drawn with alpha.
    fn draw(&mut self, frame: &StoredFrame, mut rows: Rows<'_>) -> Result<()> {
        let canvas = match &mut self.canvas {
            Some(canvas) => canvas,
            none => {
                let format = self.info.row_format.in_colors();
                let frame_pixels = pixels_of(self.frames.iter().any(|frame| frame.picture.has_alpha));
                none.insert(Canvas::new(self.info.size, frame_pixels, format, false, &self.budget)?)
            }
        };
        canvas.begin(frame.placement);
        let stored = frame.picture.pixels();
        let width = frame.picture.size.width;
        let scope = self.budget.scope();
        let mut row = scope.filled(stored.row_bytes(width), 0)?;
        let mut wide = scope.filled(canvas.frame_pixels().row_bytes(width), 255)?;
        for _ in 0..frame.picture.size.height {
            rows.read_row(&mut row)?;
            if stored == canvas.frame_pixels() {
                canvas.draw_row(&row);
            } else {
                add_alpha(&row, &mut wide);
                canvas.draw_row(&wide);
            }
        }
        Ok(())
    }
}

/// Returns the pixel format of RGB with or without alpha.
const fn pixels_of(has_alpha: bool) -> PixelFormat {
    if has_alpha { PixelFormat::RGBA8 } else { PixelFormat::RGB8 }
}

/// Copies the colours of an opaque row into a row with alpha, whose alpha stays as it is.
fn add_alpha(row: &[u8], into: &mut [u8]) {
    for ([red, green, blue, _], &color) in into.as_chunks_mut::<4>().0.iter_mut().zip(row.as_chunks::<3>().0) {
        [*red, *green, *blue] = color;
    }
}

impl ImageReader for WebpReader<'_> {
    fn info(&self) -> &ImageInfo {
        &self.info
    }

    fn next_frame(&mut self, _: &Wanted) -> Result<Option<Frame<'_>>> {
        let Some(&frame) = self.frames.get(self.frame as usize) else { return Ok(None) };
        self.frame += 1;
        self.next = 0;
        self.show(&frame)?;
        let ImageInfo { size, row_format, orientation, .. } = self.info;
        let delay = (self.info.frames > 1).then_some(frame.delay);
        let info = FrameInfo { orientation, delay, ..FrameInfo::new(size, row_format) };
        Ok(Some(Frame::new(info, Rc::clone(&self.info.metadata), self)))
    }
}

impl RowReader for WebpReader<'_> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        match (&mut self.picture, &self.canvas) {
            (Some(picture), _) => picture.rows.read_row(row)?,
            (None, Some(canvas)) => row.copy_from_slice(canvas.row(self.next)),
            (None, None) => return Err(Error::Contradiction("a row was read before its frame")),
        }
        self.next += 1;
        Ok(())
    }
}
