//! Reading: a [`prelude`] of chunks, then inflated [`data`], unfiltered [`lines`], [`expand`]ed pixels, and for
//! interlaced files seven of those in step ([`passes`]). An [`animation`]'s frames are laid on a [`canvas`], which the
//! first does not need where it is the whole picture.
//!
//! Damage never costs what is already there. Once a row has come, a break in the image data (end of file, broken zlib
//! stream, wrong CRC, unknown filter) leaves the remaining rows blank with [`Warning::Truncated`]; before that it is an
//! error, and so it is in later frames, which end the animation. Pixels come as stored; what gAMA,
//! cHRM, sRGB and cICP say about them is a profile ([`colorimetry`]).

mod animation;
mod canvas;
mod colorimetry;
mod data;
mod expand;
mod lines;
mod passes;
mod planes;
mod prelude;
mod profile;
mod trailer;

use core::mem;
use std::rc::Rc;

use raster::{
    Budget, ByteSource, Channels, Error, Format, Frame, FrameInfo, ImageInfo, ImageReader, Limit, PixelFormat, Result,
    RowFormat, RowReader, Sequence, Stored, Warning, limits,
};

use animation::Shot;
pub(crate) use animation::{Blend, Control, Dispose};
use canvas::Canvas;
use planes::{Place, Planes};
use prelude::Prelude;

use crate::chunk::SIGNATURE;
use crate::error::Cause;
use crate::header::Header;

/// A deflate stream cannot grow more than this: 258 bytes for two bits.
const DEFLATE_RATIO: u64 = 1032;

/// Opens a PNG: reads up to the first IDAT chunk and what says something behind the last, of animations the head of every
/// chunk, and allocates nothing that depends on the picture's size.
///
/// # Errors
/// `Malformed` when a critical chunk is; `Limit` for sides of 0 or above [`limits::MAX_SIDE`] pixels, for more pixels
/// than the file's bytes could hold, for more chunks than any sound file has; `Unsupported` for Apple's variant; `Io`.
pub fn open<'a>(source: &'a dyn ByteSource, budget: &Budget) -> Result<Box<dyn ImageReader + 'a>> {
    open_at(source, 0, budget)
}

/// The narrow door for icons: opens a PNG that lies inside another file, from offset `at` on. It ends with its IEND
/// chunk, and offsets in errors count from the start of the file.
///
/// # Errors
/// As [`open`].
pub fn open_at<'a>(source: &'a dyn ByteSource, at: u64, budget: &Budget) -> Result<Box<dyn ImageReader + 'a>> {
    let mut prelude = Prelude::read(source, at, budget)?;
    let header = prelude.header;
    limits::check_size(header.size, limits::MAX_SIDE)?;
    let bytes = source.byte_len();
    if header.raw_bytes() > bytes.saturating_mul(DEFLATE_RATIO) {
        return Err(Limit::Implausible { claimed: header.size, bytes }.into());
    }
    let shots = match prelude.animation {
        Some(declared) => animation::shots(source, at + SIGNATURE.len() as u64, header.size, declared.frames, budget)?,
        None => Vec::new(),
    };
    trailer::read(source, &mut prelude, budget)?;
    let info = describe(&mut prelude, &shots);
    Ok(Box::new(PngReader {
        source,
        budget: budget.clone(),
        prelude,
        info,
        shots,
        rows: Rows::None,
        canvas: None,
        frame: 0,
        next: 0,
        damaged: false,
    }))
}

fn describe(prelude: &mut Prelude, shots: &[Shot]) -> ImageInfo {
    let header = prelude.header;
    let stored = header.pixels(prelude.transparency.is_some());
    let pixels = seen(stored, header, shots);
    let mut info = ImageInfo {
        format: Format::Png,
        size: header.size,
        frames: (shots.len() as u32).max(1),
        sequence: Sequence::Single,
        frame_sizes: Vec::new(),
        stored: Stored { depth: header.depth, channels: stored.channels.count() as u8 },
        row_format: pixels.into(),
        orientation: prelude.orientation,
        metadata: Rc::new(mem::take(&mut prelude.metadata)),
        quality: None,
        working_set: Planes::memory(header, prelude),
        warnings: prelude.warnings.clone(),
    };
    let Some(declared) = prelude.animation else { return info };
    if info.frames > 1 {
        info.sequence = Sequence::Animation { plays: declared.plays };
        info.working_set += Canvas::memory(header.size, pixels, shots.iter().any(restores));
    }
    let skipped = declared.frames - shots.len() as u32;
    if skipped > 0 {
        info.warn(Warning::FramesSkipped { skipped, of: declared.frames });
    }
    info
}

fn restores(shot: &Shot) -> bool {
    shot.control.dispose == Dispose::Previous
}

/// An animation's pixels need alpha where the canvas shows.
fn seen(stored: PixelFormat, header: Header, shots: &[Shot]) -> PixelFormat {
    let covers = shots.first().is_none_or(|shot| shot.control.region == raster::Rect::whole(header.size));
    // What happens after the last frame, nobody sees; before the first there was nothing to go back to.
    let ends = shots.split_last().map_or(shots, |(_, before)| before);
    let cleared = ends.first().is_some_and(restores) || ends.iter().any(|s| s.control.dispose == Dispose::Background);
    let alpha = stored.channels.has_alpha() || !covers || cleared;
    PixelFormat::new(Channels::new(stored.channels.has_color(), alpha), stored.depth)
}

/// Rows in the file, and the budget that gives their memory back when they are gone.
struct Paid<'a> {
    planes: Planes<'a>,
    _scope: Budget,
}

/// Where the rows of the current frame come from.
enum Rows<'a> {
    None,
    Stored(Box<Paid<'a>>),
    Seen,
}

struct PngReader<'a> {
    source: &'a dyn ByteSource,
    budget: Budget,
    prelude: Prelude,
    info: ImageInfo,
    /// Empty where the file is no animation.
    shots: Vec<Shot>,
    rows: Rows<'a>,
    canvas: Option<Canvas>,
    /// Frames handed out.
    frame: u32,
    /// Rows given of the current one.
    next: u32,
    /// No more can be read; what remains is blank.
    damaged: bool,
}

impl<'a> PngReader<'a> {
    /// The rows of the frame as stored, if that is what is seen: of a still picture, and of the first frame where it is
    /// the default image.
    fn stored(&self) -> Result<Option<Rows<'a>>> {
        let header = self.prelude.header;
        let place = match self.shots.get(self.frame as usize) {
            None => Place { offset: self.prelude.data, sequence: None },
            Some(Shot { place, .. }) => *place,
        };
        let seen = RowFormat::Colors(header.pixels(self.prelude.transparency.is_some())) == self.info.row_format;
        if self.frame > 0 || place.sequence.is_some() || !seen {
            return Ok(None);
        }
        let scope = self.budget.scope();
        let planes = Planes::new(self.source, place, header, &self.prelude, &scope)?;
        Ok(Some(Rows::Stored(Box::new(Paid { planes, _scope: scope }))))
    }

    /// Brings the canvas to where the current frame is seen.
    fn compose(&mut self) -> Result<()> {
        let canvas = match &mut self.canvas {
            Some(canvas) => canvas,
            none => none.insert(Canvas::new(
                self.info.size,
                (self.prelude.header.pixels(self.prelude.transparency.is_some()), self.info.row_format.in_colors()),
                self.shots.iter().any(restores),
                &self.budget,
            )?),
        };
        while canvas.drawn <= self.frame && !self.damaged {
            let Shot { control, place } = self.shots[canvas.drawn as usize];
            let header = Header { size: control.region.size(), ..self.prelude.header };
            let scope = self.budget.scope();
            let mut rows = Planes::new(self.source, place, header, &self.prelude, &scope)?;
            let whole = canvas.draw(&control, &mut rows);
            self.damaged = !matches!(&whole, Ok(rows) if *rows == control.region.height);
            let whole = whole?;
            if self.damaged && self.frame == 0 {
                self.info.warn(Warning::Truncated { rows: control.region.y + whole, of: self.info.size.height });
                return Ok(());
            }
        }
        if self.damaged { Err(Cause::Animation("an earlier frame is damaged").at(self.prelude.data)) } else { Ok(()) }
    }

    /// After the last row. All pixels are there, but a chunk whose checksum is wrong may hold wrong ones.
    fn check_end(&mut self) -> Result<()> {
        let truncated = self.info.warnings.iter().any(|w| matches!(w, Warning::Truncated { .. }));
        let Rows::Stored(rows) = &mut self.rows else { return Ok(()) };
        if !truncated && !rows.planes.last_crc_is_sound()? {
            self.info.warn(Warning::Skipped("checksum"));
        }
        Ok(())
    }

    /// Notes that row `next` is the first that is not whole.
    fn warn_truncated(&mut self) {
        if !self.info.warnings.iter().any(|w| matches!(w, Warning::Truncated { .. })) {
            self.info.warn(Warning::Truncated { rows: self.next, of: self.info.size.height });
        }
    }

    fn read_stored(&mut self, row: &mut [u8]) -> Result<()> {
        let Rows::Stored(rows) = &mut self.rows else {
            return Err(Error::Contradiction("a row was read before its frame"));
        };
        if self.damaged {
            row.fill(0);
            return Ok(());
        }
        match rows.planes.read(row) {
            Ok(true) => {}
            Ok(false) => self.warn_truncated(),
            Err(Error::Malformed { .. }) if self.next > 0 => {
                self.damaged = true;
                self.warn_truncated();
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

    fn next_frame(&mut self) -> Result<Option<Frame<'_>>> {
        if self.frame == self.info.frames {
            return Ok(None);
        }
        self.rows = Rows::None;
        self.next = 0;
        let outcome = match self.stored() {
            Ok(Some(rows)) => Ok(rows),
            Ok(None) => self.compose().map(|()| Rows::Seen),
            Err(error) => Err(error),
        };
        let shot = self.shots.get(self.frame as usize);
        let delay = shot.filter(|_| self.info.frames > 1).map(|shot| shot.control.delay);
        self.frame += 1;
        self.rows = outcome?;
        let ImageInfo { size, row_format, orientation, .. } = self.info;
        let info = FrameInfo { size, row_format, orientation, delay };
        Ok(Some(Frame { info, metadata: Rc::clone(&self.info.metadata), rows: self }))
    }
}

impl RowReader for PngReader<'_> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        if self.next >= self.info.size.height {
            return Err(Error::Contradiction("more rows were read than the picture has"));
        }
        match (&self.rows, &self.canvas) {
            (Rows::Seen, Some(canvas)) => row.copy_from_slice(canvas.row(self.next)),
            _ => self.read_stored(row)?,
        }
        self.next += 1;
        if self.next == self.info.size.height { self.check_end() } else { Ok(()) }
    }
}
