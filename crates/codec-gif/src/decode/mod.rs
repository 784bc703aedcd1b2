//! Reading: a [`walk`] over all blocks finds the frames, each [`frame`] is decompressed ([`lzw`]) and drawn on the
//! canvas, and the rows are those of the canvas.
//!
//! What is there is shown. Data of a frame that end early or are damaged leave the rest of its region as it was, with
//! [`Warning::Truncated`]. Only a single picture without a first row is an error. What no frame covers is transparent,
//! whatever the background colour, as in browsers. Where readers disagree, Chromium decides.

mod frame;
mod lzw;
mod walk;

use std::rc::Rc;

use animation::{Canvas, Disposal, shows_background};
use raster::rows::Delay;
use raster::{
    Budget, ByteSource, Channels, Error, Format, Frame, FrameInfo, ImageInfo, ImageReader, Metadata, Notes,
    PixelFormat, Result, RowReader, Sequence, Stored, Wanted, Warning, limits,
};

use self::frame::{PaletteStart, StoredFrame};
use self::walk::{Contents, walk};
use crate::FORMAT;
use crate::error::Cause;

/// Pixels that a byte can stand for at most: 8 of the 12 bits of a code for all the table's entries together.
const LZW_RATIO: u64 = 4096 * 8 / 12;

/// Opens a GIF: reads all blocks, and allocates nothing that depends on the picture's size.
///
/// # Errors
/// `Malformed` for a file without a frame; `Limit` for a canvas without a size, with more pixels than the file's bytes
/// can hold or larger than the format allows; `Io`.
pub fn open<'a>(source: &'a dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Box<dyn ImageReader + 'a>> {
    let mut contents = walk(source, budget, notes)?;
    limits::check_size(contents.canvas, FORMAT.max_side)?;
    limits::check_plausible(contents.canvas, source.byte_len(), LZW_RATIO)?;
    let metadata = core::mem::take(&mut contents.metadata);
    let info = describe(&contents, metadata);
    let Contents { frames, .. } = contents;
    Ok(Box::new(GifReader {
        source,
        budget: budget.clone(),
        notes: notes.clone(),
        info,
        frames,
        canvas: None,
        frame: 0,
        next: 0,
    }))
}

fn describe(contents: &Contents, metadata: Metadata) -> ImageInfo {
    let Contents { canvas, frames, .. } = contents;
    let first_transparent = frames.first().is_some_and(|frame| frame.transparent.is_some());
    let has_alpha = first_transparent || shows_background(frames.iter().map(|frame| &frame.placement), *canvas);
    let channels = Channels::new(true, has_alpha);
    let row_format = PixelFormat::new(channels, raster::Depth::Eight).into();
    let mut info = ImageInfo {
        frames: frames.len() as u32,
        stored: Stored { depth: contents.depth, channels: channels.count() as u8 },
        metadata: Rc::new(metadata),
        has_palette: true,
        working_set: Canvas::memory(*canvas, PixelFormat::RGBA8, restores(frames)),
        ..ImageInfo::still(Format::Gif, *canvas, row_format)
    };
    if info.frames > 1 {
        info.sequence = Sequence::Animation { plays: contents.plays };
    }
    info
}

fn restores(frames: &[StoredFrame]) -> bool {
    frames.iter().any(|frame| frame.placement.disposal == Disposal::Restore)
}

struct GifReader<'a> {
    source: &'a dyn ByteSource,
    budget: Budget,
    notes: Notes,
    info: ImageInfo,
    frames: Vec<StoredFrame>,
    /// Made for the first frame.
    canvas: Option<Canvas>,
    /// Frames handed out.
    frame: u32,
    /// Rows handed out of the current frame.
    next: u32,
}

impl GifReader<'_> {
    /// Draws the next frame on the canvas.
    fn compose(&mut self, frame: &StoredFrame) -> Result<()> {
        let canvas = match &mut self.canvas {
            Some(canvas) => canvas,
            none => {
                let restores = restores(&self.frames);
                let (size, pixels) = (self.info.size, PixelFormat::RGBA8);
                none.insert(Canvas::new(size, pixels, pixels, restores, &self.budget)?)
            }
        };
        let palette = PaletteStart::read(frame.palette, self.source)?;
        let rows = frame.draw(self.source, &palette, canvas, &self.budget.scope())?;
        let region = frame.placement.region;
        if rows < region.height {
            if rows == 0 && self.info.frames == 1 {
                return Err(Cause::NoRow.at(frame.data));
            }
            self.notes.warn(Warning::Truncated { rows: region.y + rows, of: self.info.size.height });
        }
        Ok(())
    }
}

impl ImageReader for GifReader<'_> {
    fn info(&self) -> &ImageInfo {
        &self.info
    }

    fn next_frame(&mut self, _: &Wanted) -> Result<Option<Frame<'_>>> {
        let Some(frame) = self.frames.get(self.frame as usize).copied() else { return Ok(None) };
        self.frame += 1;
        self.next = 0;
        self.compose(&frame)?;
        let is_animated = self.info.frames > 1;
        let delay = is_animated.then_some(Delay { numerator: frame.delay.into(), denominator: 100 });
        let changed = self.canvas.as_ref().map(Canvas::changed);
        let info = FrameInfo { delay, changed, ..FrameInfo::new(self.info.size, self.info.row_format) };
        Ok(Some(Frame::new(info, Rc::clone(&self.info.metadata), self)))
    }
}

impl RowReader for GifReader<'_> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        let Some(canvas) = &self.canvas else { return Err(Error::Contradiction("a row without a frame")) };
        let pixels = canvas.row(self.next);
        if self.info.row_format.has_alpha() {
            row.copy_from_slice(pixels);
        } else {
            for (into, pixel) in row.as_chunks_mut::<3>().0.iter_mut().zip(pixels.as_chunks::<4>().0) {
                into.copy_from_slice(&pixel[..3]);
            }
        }
        self.next += 1;
        Ok(())
    }
}
