//! Reading. The steps are a [`prelude`] of chunks, inflated [`data`], unfiltered [`lines`] and [`expand`]ed pixels.
//! Interlaced files have seven of these streams ([`passes`]). The [`frames`] of an animation are drawn on the canvas of
//! a [`composer`]; the first frame needs none when it covers the whole picture.
//!
//! Damage never loses rows before it. After the first row, damage of the image data (end of file, broken zlib stream,
//! wrong CRC, unknown filter) leaves the remaining rows blank with [`Warning::Truncated`]. Before the first row it is
//! an error, and also in later frames, where it ends the animation. Pixels are returned as stored; the colour
//! information of gAMA, cHRM, sRGB and cICP becomes a profile ([`colorimetry`]).

mod colorimetry;
mod composer;
mod data;
mod expand;
mod frames;
mod lines;
mod passes;
mod prelude;
mod profile;
mod stored_rows;
mod trailer;

use core::mem;
use std::rc::Rc;

use animation::{Canvas, Disposal, shows_background};
use raster::{
    Budget, ByteSource, Channels, Error, Format, Frame, FrameInfo, ImageInfo, ImageReader, Limit, Notes, PixelFormat,
    Result, RowFormat, RowReader, Sequence, Stored, Wanted, Warning, limits,
};

use self::composer::Composer;
use self::data::DataStart;
use self::frames::AnimationFrame;
use self::prelude::Prelude;
use self::stored_rows::StoredRows;
use crate::chunk::SIGNATURE;
use crate::error::Cause;
use crate::header::{ColorType, Header};

/// The largest factor of a deflate stream: 258 bytes for two bits.
const DEFLATE_RATIO: u64 = 1032;

/// Opens a PNG. It reads the chunks up to the first IDAT, metadata behind the last, and of animations the header of
/// every chunk. It allocates nothing that depends on the picture's size.
///
/// # Errors
/// `Malformed` when a critical chunk is damaged; `Limit` for sides of 0 or above [`limits::MAX_SIDE`] pixels, for more
/// pixels than the file's bytes could contain, for more chunks than any valid file has; `Unsupported` for Apple's
/// variant; `Io`.
pub fn open<'a>(source: &'a dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Box<dyn ImageReader + 'a>> {
    open_at(source, 0, budget, notes)
}

/// Opens a PNG inside another file, such as an icon, from offset `at` on. It ends with its IEND chunk; offsets in
/// errors count from the start of the file.
///
/// # Errors
/// As [`open`].
pub fn open_at<'a>(
    source: &'a dyn ByteSource,
    at: u64,
    budget: &Budget,
    notes: &Notes,
) -> Result<Box<dyn ImageReader + 'a>> {
    let mut prelude = Prelude::read(source, at, budget, notes)?;
    let header = prelude.header;
    limits::check_size(header.size, limits::MAX_SIDE)?;
    let bytes = source.byte_len();
    if header.raw_bytes() > bytes.saturating_mul(DEFLATE_RATIO) {
        return Err(Limit::Implausible { claimed: header.size, bytes }.into());
    }
    let frames = match prelude.animation {
        Some(declared) => frames::find(source, at + SIGNATURE.len() as u64, header.size, declared.frames, budget)?,
        None => Vec::new(),
    };
    trailer::read(source, &mut prelude, budget)?;
    let declared = prelude.animation.map_or(0, |declared| declared.frames);
    let skipped = declared.saturating_sub(frames.len() as u32);
    if skipped > 0 {
        notes.warn(Warning::FramesSkipped { skipped, of: declared });
    }
    let info = describe(&mut prelude, &frames);
    Ok(Box::new(PngReader {
        source,
        budget: budget.clone(),
        notes: notes.clone(),
        prelude,
        info,
        frames,
        rows: Rows::None,
        composer: None,
        frame: 0,
        next: 0,
        damaged: false,
        truncated: false,
    }))
}

fn describe(prelude: &mut Prelude, frames: &[AnimationFrame]) -> ImageInfo {
    let header = prelude.header;
    let stored = header.pixels(prelude.transparency.is_some());
    let pixels = seen_pixels(stored, header, frames);
    let mut info = ImageInfo {
        frames: (frames.len() as u32).max(1),
        stored: Stored { depth: header.depth, channels: stored.channels.count() as u8 },
        orientation: prelude.orientation,
        metadata: Rc::new(mem::take(&mut prelude.metadata)),
        working_set: StoredRows::memory(header, prelude),
        has_palette: header.color == ColorType::Indexed,
        ..ImageInfo::still(Format::Png, header.size, pixels.into())
    };
    if let Some(declared) = prelude.animation.filter(|_| info.frames > 1) {
        info.sequence = Sequence::Animation { plays: declared.plays };
        info.working_set += Canvas::memory(header.size, pixels, frames.iter().any(restores));
    }
    info
}

fn restores(frame: &AnimationFrame) -> bool {
    frame.control.placement.disposal == Disposal::Restore
}

/// Returns the visible pixel format of an animation: it has alpha when the canvas is visible.
fn seen_pixels(stored: PixelFormat, header: Header, frames: &[AnimationFrame]) -> PixelFormat {
    let background = shows_background(frames.iter().map(|frame| &frame.control.placement), header.size);
    PixelFormat::new(
        Channels::new(stored.channels.has_color(), stored.channels.has_alpha() || background),
        stored.depth,
    )
}

/// The rows of a picture in the file, and the budget that releases their memory when they are dropped.
struct Paid<'a> {
    rows: StoredRows<'a>,
    _scope: Budget,
}

/// The source of the current frame's rows.
enum Rows<'a> {
    None,
    Stored(Box<Paid<'a>>),
    Canvas,
}

struct PngReader<'a> {
    source: &'a dyn ByteSource,
    budget: Budget,
    notes: Notes,
    prelude: Prelude,
    info: ImageInfo,
    /// The frames; empty when the file is not an animation.
    frames: Vec<AnimationFrame>,
    rows: Rows<'a>,
    /// The composer, created for the first frame whose visible pixels differ from the stored ones.
    composer: Option<Composer>,
    /// The number of frames returned.
    frame: u32,
    /// The number of rows returned of the current frame.
    next: u32,
    /// Whether the data are damaged; the remaining rows are then blank.
    damaged: bool,
    /// The user was told of rows that are not whole.
    truncated: bool,
}

impl<'a> PngReader<'a> {
    /// Returns the stored rows of the frame, if they are the visible ones: those of a still picture, and of a first
    /// frame that is the default image.
    fn stored(&self) -> Result<Option<Rows<'a>>> {
        let header = self.prelude.header;
        let data = match self.frames.get(self.frame as usize) {
            None => DataStart { offset: self.prelude.data, sequence: None },
            Some(frame) => frame.data,
        };
        let is_seen = RowFormat::Colors(header.pixels(self.prelude.transparency.is_some())) == self.info.row_format;
        if self.frame > 0 || data.sequence.is_some() || !is_seen {
            return Ok(None);
        }
        let scope = self.budget.scope();
        let rows = StoredRows::new(self.source, data, header, &self.prelude, &scope)?;
        Ok(Some(Rows::Stored(Box::new(Paid { rows, _scope: scope }))))
    }

    /// Draws frames until the canvas shows the current one.
    fn compose(&mut self) -> Result<()> {
        let composer = match &mut self.composer {
            Some(composer) => composer,
            none => none.insert(Composer::new(
                self.info.size,
                self.prelude.header.pixels(self.prelude.transparency.is_some()),
                self.info.row_format.in_colors(),
                self.frames.iter().any(restores),
                &self.budget,
            )?),
        };
        while composer.canvas.frames() <= self.frame && !self.damaged {
            let frame = self.frames[composer.canvas.frames() as usize];
            let region = frame.control.placement.region;
            let header = Header { size: region.size(), ..self.prelude.header };
            let scope = self.budget.scope();
            let mut rows = StoredRows::new(self.source, frame.data, header, &self.prelude, &scope)?;
            let whole = composer.draw(&frame, &mut rows);
            self.damaged = !matches!(&whole, Ok(rows) if *rows == region.height);
            let whole = whole?;
            if self.damaged && self.frame == 0 {
                self.warn_truncated(region.y + whole);
                return Ok(());
            }
        }
        if self.damaged { Err(Cause::Animation("an earlier frame is damaged").at(self.prelude.data)) } else { Ok(()) }
    }

    /// Checks the CRC of the last row's chunk after that row: all pixels exist, but some may be wrong.
    fn check_end(&mut self) -> Result<()> {
        let Rows::Stored(paid) = &mut self.rows else { return Ok(()) };
        if !self.truncated && !paid.rows.last_crc_is_sound()? {
            self.notes.warn(Warning::Skipped("checksum"));
        }
        Ok(())
    }

    /// Adds the warning, once, that only the first `rows` rows are complete.
    fn warn_truncated(&mut self, rows: u32) {
        if !self.truncated {
            self.truncated = true;
            self.notes.warn(Warning::Truncated { rows, of: self.info.size.height });
        }
    }

    fn read_stored(&mut self, row: &mut [u8]) -> Result<()> {
        let Rows::Stored(paid) = &mut self.rows else {
            return Err(Error::Contradiction("a row was read before its frame"));
        };
        if self.damaged {
            row.fill(0);
            return Ok(());
        }
        match paid.rows.read(row) {
            Ok(true) => {}
            Ok(false) => self.warn_truncated(self.next),
            Err(Error::Malformed { .. }) if self.next > 0 => {
                self.damaged = true;
                self.warn_truncated(self.next);
                row.fill(0);
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }
}

impl ImageReader for PngReader<'_> {
    fn info(&self) -> &ImageInfo {
        &self.info
    }

    fn next_frame(&mut self, _: &Wanted) -> Result<Option<Frame<'_>>> {
        if self.frame == self.info.frames {
            return Ok(None);
        }
        self.rows = Rows::None;
        self.next = 0;
        let outcome = match self.stored() {
            Ok(Some(rows)) => Ok(rows),
            Ok(None) => self.compose().map(|()| Rows::Canvas),
            Err(error) => Err(error),
        };
        let frame = self.frames.get(self.frame as usize);
        let delay = frame.filter(|_| self.info.frames > 1).map(|frame| frame.control.delay);
        self.frame += 1;
        self.rows = outcome?;
        let ImageInfo { size, row_format, orientation, .. } = self.info;
        let info = FrameInfo { orientation, delay, ..FrameInfo::new(size, row_format) };
        Ok(Some(Frame::new(info, Rc::clone(&self.info.metadata), self)))
    }
}

impl RowReader for PngReader<'_> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        match (&self.rows, &self.composer) {
            (Rows::Canvas, Some(composer)) => row.copy_from_slice(composer.canvas.row(self.next)),
            _ => self.read_stored(row)?,
        }
        self.next += 1;
        if self.next == self.info.size.height { self.check_end() } else { Ok(()) }
    }
}
