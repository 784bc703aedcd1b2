//! Reading: a [`prelude`] of chunks, then inflated [`data`], unfiltered [`lines`], [`expand`]ed pixels, and for
//! interlaced files seven of those in step ([`passes`]).
//!
//! Damage never costs what is already there. Once a row has come, a break in the image data (end of file, broken zlib
//! stream, wrong CRC, unknown filter) leaves the remaining rows blank with [`Warning::Truncated`]; before that it is an
//! error. Pixels come as stored: gAMA, cHRM, sRGB and cICP are not applied.

mod data;
mod expand;
mod lines;
mod passes;
mod prelude;
mod profile;

use core::mem;
use std::rc::Rc;

use raster::{
    Budget, ByteSource, Error, Format, Frame, FrameHeader, ImageInfo, ImageReader, Limit, Result, RowReader, Sequence,
    Stored, Warning, limits,
};

use lines::Lines;
use passes::Passes;
use prelude::Prelude;
pub(crate) use profile::Inflate;

/// A deflate stream cannot grow more than this: 258 bytes for two bits.
const DEFLATE_RATIO: u64 = 1032;

/// Opens a PNG: reads up to the first IDAT chunk and allocates nothing that depends on the picture's size.
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
    let info = describe(&mut prelude);
    Ok(Box::new(PngReader { source, budget: budget.clone(), prelude, info, rows: None, next: 0, damaged: false }))
}

fn describe(prelude: &mut Prelude) -> ImageInfo {
    let header = prelude.header;
    let pixels = header.pixels(prelude.transparency.is_some());
    let mut info = ImageInfo {
        format: Format::Png,
        size: header.size,
        frames: prelude.frames,
        sequence: Sequence::Single,
        frame_sizes: Vec::new(),
        stored: Stored { depth: header.depth, channels: pixels.channels.count() as u8 },
        pixels,
        orientation: prelude.orientation,
        metadata: Rc::new(mem::take(&mut prelude.metadata)),
        quality: None,
        working_set: if header.interlaced {
            Passes::memory(header, pixels)
        } else {
            Lines::memory(header, header.size.width)
        },
        warnings: prelude.warnings.clone(),
    };
    if info.frames > 1 {
        info.warn(Warning::FirstFrameOnly { frames: info.frames });
    }
    info
}

/// The rows of either kind of file.
enum Rows<'a> {
    Plain(Lines<'a>, expand::Expand),
    Interlaced(Passes<'a>),
}

impl<'a> Rows<'a> {
    fn new(source: &'a dyn ByteSource, prelude: &Prelude, budget: &Budget) -> Result<Self> {
        let Prelude { header, data, .. } = *prelude;
        let expand = expand::Expand::new(header, prelude.palette.as_deref(), prelude.transparency.as_deref());
        if header.interlaced {
            return Ok(Self::Interlaced(Passes::new(source, prelude, expand, budget)?));
        }
        Ok(Self::Plain(Lines::new(source, data, header, header.size.width, budget)?, expand))
    }

    /// The next row; false when parts of it were not in the file and were filled from their neighbours.
    fn read(&mut self, row: &mut [u8]) -> Result<bool> {
        match self {
            Self::Plain(lines, expand) => {
                expand.line(lines.next()?, row);
                Ok(true)
            }
            Self::Interlaced(passes) => passes.read(row),
        }
    }

    fn last_crc_is_sound(&mut self) -> Result<bool> {
        match self {
            Self::Plain(lines, _) => lines.last_crc_is_sound(),
            Self::Interlaced(passes) => passes.last_crc_is_sound(),
        }
    }
}

struct PngReader<'a> {
    source: &'a dyn ByteSource,
    budget: Budget,
    prelude: Prelude,
    info: ImageInfo,
    rows: Option<Rows<'a>>,
    /// Rows given so far.
    next: u32,
    /// No more can be read; what remains is blank.
    damaged: bool,
}

impl PngReader<'_> {
    /// After the last row. All pixels are there, but a chunk whose checksum is wrong may hold wrong ones.
    fn check_end(&mut self) -> Result<()> {
        let truncated = self.info.warnings.iter().any(|w| matches!(w, Warning::Truncated { .. }));
        let Some(rows) = self.rows.as_mut().filter(|_| !truncated) else { return Ok(()) };
        if !rows.last_crc_is_sound()? {
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
}

impl ImageReader for PngReader<'_> {
    fn info(&self) -> &ImageInfo {
        &self.info
    }

    fn next_frame(&mut self) -> Result<Option<Frame<'_>>> {
        if self.rows.is_some() {
            return Ok(None);
        }
        self.rows = Some(Rows::new(self.source, &self.prelude, &self.budget)?);
        let header =
            FrameHeader { orientation: self.info.orientation, ..FrameHeader::new(self.info.size, self.info.pixels) };
        Ok(Some(Frame { header, metadata: Rc::clone(&self.info.metadata), rows: self }))
    }
}

impl RowReader for PngReader<'_> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        let rows = self.rows.as_mut().ok_or(Error::Contradiction("a row was read before its frame"))?;
        if self.next >= self.info.size.height {
            return Err(Error::Contradiction("more rows were read than the picture has"));
        }
        if self.damaged {
            row.fill(0);
        } else {
            match rows.read(row) {
                Ok(true) => {}
                Ok(false) => self.warn_truncated(),
                Err(Error::Malformed { .. }) if self.next > 0 => {
                    self.damaged = true;
                    self.warn_truncated();
                    row.fill(0);
                }
                Err(error) => return Err(error),
            }
        }
        self.next += 1;
        if self.next == self.info.size.height { self.check_end() } else { Ok(()) }
    }
}
