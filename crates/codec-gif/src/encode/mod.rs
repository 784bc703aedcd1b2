//! Writing: frames come as seen, in full colour. Each is held until the next has come, because only then is it known
//! which of its pixels must vanish. Of a later [`frame`] the smallest rectangle is written that holds all changes, and
//! in it only the pixels that change; the others are transparent and show the frame before.
//!
//! Equal pixels therefore stay as they are from frame to frame, and error diffusion cannot flicker in still areas.
//! Memory is that of four pictures, whatever the number of frames.

mod frame;
mod lzw;
mod pieces;

use core::mem;

use animation::DEFAULT_DELAY;
use raster::rows::Delay;
use raster::{
    Budget, ByteSink, Error, Format, FrameHeader, ImageSpec, ImageWriter, Metadata, PixelFormat, Result, Sequence,
    Text, limits,
};

use self::frame::{FrameWriter, write_palette};
use self::pieces::{Moment, Pixel};
use crate::FORMAT;
use crate::blocks::{APPLICATION, COMMENT, EXTENSION, HAS_PALETTE, LOOP, SIGNATURES, TRAILER, XMP, xmp_trailer};
use crate::options::Options;

/// Alpha from which a pixel is opaque: half.
const OPAQUE: u8 = 128;

/// The header's bits that say that colours have eight bits a channel.
const EIGHT_BITS: u8 = 0x70;

/// Starts a GIF.
///
/// # Errors
/// `Limit` for a size that the format cannot hold and when the budget does not pay for the buffers; `Unsupported` for
/// several pictures that are no animation.
pub fn create<'a>(
    sink: &'a mut dyn ByteSink,
    spec: &ImageSpec<'_>,
    options: &Options,
) -> Result<Box<dyn ImageWriter + 'a>> {
    limits::check_size(spec.size, FORMAT.max_side)?;
    let plays = match spec.sequence {
        _ if spec.frames < 2 => None,
        Sequence::Animation { plays } => Some(plays),
        _ => return Err(Error::Unsupported { format: Format::Gif, feature: "several pictures in one file" }),
    };
    if !matches!(spec.pixels, PixelFormat::RGB8 | PixelFormat::RGBA8) {
        return Err(Error::Contradiction("a GIF is written from red, green and blue of eight bits"));
    }
    let budget = spec.budget;
    Ok(Box::new(GifWriter {
        sink,
        budget: budget.clone(),
        header: FrameHeader::new(spec.size, spec.pixels),
        plays,
        frames: FrameWriter::new(spec, options.colors)?,
        metadata: Metadata::default(),
        incoming: budget.filled(spec.size.area(), [0; 4])?,
        waiting: Vec::new(),
        before: Vec::new(),
        delay: DEFAULT_DELAY,
        waiting_delay: DEFAULT_DELAY,
        clock: Clock::default(),
        rows: 0,
        has_begun: false,
    }))
}

struct GifWriter<'a> {
    sink: &'a mut dyn ByteSink,
    budget: Budget,
    header: FrameHeader,
    /// How often the animation runs; nothing for a still picture.
    plays: Option<u32>,
    frames: FrameWriter,
    /// What the file says about itself, until the first frame is written.
    metadata: Metadata,
    /// The frame that comes in.
    incoming: Vec<Pixel>,
    /// The frame that came before it and is not written yet; empty at first.
    waiting: Vec<Pixel>,
    /// The frame that was written last; empty at first.
    before: Vec<Pixel>,
    delay: Delay,
    waiting_delay: Delay,
    clock: Clock,
    /// Rows that came of the current frame.
    rows: u32,
    /// The first frame has begun.
    has_begun: bool,
}

/// Turns delays into hundredths of a second so that their sum stays what it was.
#[derive(Default)]
struct Clock {
    /// Time that was asked for and not given, in 1/100 000 of a second.
    owed: i64,
}

impl Clock {
    fn hundredths(&mut self, delay: Delay) -> u16 {
        self.owed += (i64::from(delay.numerator) * 100_000) / i64::from(delay.denominator.max(1));
        let hundredths = ((self.owed + 500) / 1000).clamp(0, u16::MAX.into());
        self.owed -= hundredths * 1000;
        hundredths as u16
    }
}

impl GifWriter<'_> {
    /// Writes everything before the first frame.
    fn start(&mut self, bits: u8) -> Result<()> {
        let mut bytes = SIGNATURES[1].to_vec();
        for side in [self.header.size.width, self.header.size.height] {
            bytes.extend((side as u16).to_le_bytes());
        }
        bytes.extend([HAS_PALETTE | EIGHT_BITS | (bits - 1), 0, 0]);
        self.sink.write(&bytes)?;
        write_palette(self.sink, &self.frames.global, bits)?;
        // Without the extension an animation runs once; its number is that of the repetitions, 0 for no end.
        if let Some(plays) = self.plays.filter(|&plays| plays != 1) {
            let repetitions = plays.saturating_sub(1).min(u16::MAX.into()) as u16;
            let [low, high] = repetitions.to_le_bytes();
            self.sink.write(&[EXTENSION, APPLICATION, LOOP.len() as u8])?;
            self.sink.write(&LOOP)?;
            self.sink.write(&[3, 1, low, high, 0])?;
        }
        write_metadata(self.sink, &mem::take(&mut self.metadata))
    }

    /// Writes the frame that waits, before which `before` was written and after which `incoming` follows.
    fn write_waiting(&mut self, is_last: bool) -> Result<()> {
        let is_first = self.before.is_empty();
        if is_first {
            let bits = self.frames.prepare(&self.waiting);
            self.start(bits)?;
        }
        let moment = Moment {
            frame: &self.waiting,
            before: (!is_first).then_some(&self.before),
            after: (!is_last).then_some(&self.incoming),
            delay: self.plays.map(|_| self.clock.hundredths(self.waiting_delay)),
        };
        self.frames.write(self.sink, moment)
    }

    /// Ends the current frame, whose last row has come.
    fn end_frame(&mut self) -> Result<()> {
        if !self.waiting.is_empty() {
            self.write_waiting(false)?;
        }
        mem::swap(&mut self.before, &mut self.waiting);
        mem::swap(&mut self.waiting, &mut self.incoming);
        self.waiting_delay = self.delay;
        if self.incoming.is_empty() && self.plays.is_some() {
            self.incoming = self.budget.filled(self.header.size.area(), [0; 4])?;
        }
        Ok(())
    }
}

impl ImageWriter for GifWriter<'_> {
    fn begin_frame(&mut self, header: &FrameHeader, metadata: &Metadata) -> Result<()> {
        if (FrameHeader { delay: None, ..*header }) != self.header {
            return Err(Error::Contradiction("a frame of another shape than the file"));
        }
        if !self.has_begun {
            self.has_begun = true;
            self.budget.charge(metadata.byte_len())?;
            self.metadata = metadata.clone();
        }
        self.delay = header.delay.unwrap_or(DEFAULT_DELAY);
        self.rows = 0;
        Ok(())
    }

    fn write_row(&mut self, row: &[u8]) -> Result<()> {
        let width = self.header.size.width as usize;
        let pixels = &mut self.incoming[self.rows as usize * width..][..width];
        if self.header.pixels.channels.has_alpha() {
            for (into, &[r, g, b, alpha]) in pixels.iter_mut().zip(row.as_chunks::<4>().0) {
                *into = if alpha < OPAQUE { [0; 4] } else { [r, g, b, 255] };
            }
        } else {
            for (into, &[r, g, b]) in pixels.iter_mut().zip(row.as_chunks::<3>().0) {
                *into = [r, g, b, 255];
            }
        }
        self.rows += 1;
        if self.rows == self.header.size.height { self.end_frame() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        self.write_waiting(true)?;
        self.sink.write(&[TRAILER])
    }
}

/// Writes comments and XMP, the only metadata for which the format has room.
pub(crate) fn write_metadata(sink: &mut dyn ByteSink, metadata: &Metadata) -> Result<()> {
    for text in metadata.texts.iter().filter(|text| text.keyword == Text::COMMENT) {
        sink.write(&[EXTENSION, COMMENT])?;
        for block in text.text.as_bytes().chunks(255) {
            sink.write(&[block.len() as u8])?;
            sink.write(block)?;
        }
        sink.write(&[0])?;
    }
    if let Some(xmp) = &metadata.xmp {
        sink.write(&[EXTENSION, APPLICATION, XMP.len() as u8])?;
        sink.write(&XMP)?;
        sink.write(xmp)?;
        sink.write(&xmp_trailer().collect::<Vec<u8>>())?;
    }
    Ok(())
}
