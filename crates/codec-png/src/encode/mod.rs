//! Writing: each row gets the filter that makes it smallest ([`adaptive`]), then goes through deflate into IDAT chunks
//! ([`data`]). Rows are forgotten as soon as the next has come, but for those of few colours ([`palette`]) and of
//! [`animation`]s.

mod adaptive;
mod animation;
mod data;
mod palette;
mod parts;

use deflate::Content;
use raster::{
    Budget, ByteSink, Error, Format, FrameHeader, ImageWriter, Metadata, Rect, Result, Sequence, Size, limits,
    rows::Create,
};

use crate::chunk::{self, SIGNATURE};
use crate::filter::Filter;
use crate::header::Header;
use adaptive::Adaptive;
use animation::Animation;
use data::ImageData;
use palette::Indexed;
pub(crate) use parts::{INCH, write_texts};

/// How a PNG is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Time spent on fewer bytes.
    pub effort: Effort,
}

raster::choices! {
    /// The time that the encoder spends on fewer bytes; the pixels are the same. `tests/bench/README.md` has the figures: in
    /// wasm, ten photographs of the Kodak set take 59, 65 and 884 ms for 6.58, 6.57 and 6.24 MB; ten screenshots take 230,
    /// 227 and 1314 ms for 2.41, 2.30 and 2.22 MB.
    pub enum Effort: default Default {
        /// A short search for repetitions, only where some are likely.
        Fast = "fast",
        /// A thorough search where repetitions are likely, none elsewhere.
        Default = "default",
        /// zlib's thorough search everywhere: about 5 % fewer bytes for many times the time.
        Smallest = "smallest",
    }
}

/// Starts a PNG.
///
/// # Errors
/// `Limit` for a side of 0 or above [`limits::MAX_SIDE`] pixels and when the budget does not pay for the buffers;
/// `Unsupported` for inks, and for several pictures that are no animation.
pub fn create<'a>(
    sink: &'a mut dyn ByteSink,
    create: &Create<'_>,
    options: &Options,
) -> Result<Box<dyn ImageWriter + 'a>> {
    Ok(Box::new(PngWriter::new(sink, create, options)?))
}

/// The narrow door for icons, whose entries must store the pixels that their directory tells of: as [`create`], but few
/// colours get no palette.
///
/// # Errors
/// As [`create`].
pub fn create_plain<'a>(
    sink: &'a mut dyn ByteSink,
    create: &Create<'_>,
    options: &Options,
) -> Result<Box<dyn ImageWriter + 'a>> {
    Ok(Box::new(PngWriter { is_plain: true, ..PngWriter::new(sink, create, options)? }))
}

/// Lines of one picture on their way into chunks.
struct Encoder {
    adaptive: Adaptive,
    data: ImageData,
    /// Samples are of 16 bits, which the file has the other way round.
    swap: bool,
}

impl Encoder {
    fn new(header: Header, effort: Effort, sequence: Option<u32>, budget: &Budget) -> Result<Self> {
        let adaptive = Adaptive::new(header.filter_unit(), header.line_bytes(header.size.width), budget)?;
        Ok(Self { adaptive, data: ImageData::new(effort, sequence, budget)?, swap: header.depth == 16 })
    }

    fn row(&mut self, sink: &mut dyn ByteSink, row: &[u8]) -> Result<()> {
        self.data.write(sink, self.adaptive.filter(row, self.swap))
    }

    /// A line of several pixels a byte, which no filter makes smaller (§12.7).
    fn packed(&mut self, sink: &mut dyn ByteSink, line: &[u8]) -> Result<()> {
        self.data.write(sink, (&[Filter::None as u8], Content::Repeating))?;
        self.data.write(sink, (line, Content::Repeating))
    }
}

/// Where a file's picture stands.
enum Body {
    /// Nothing is written, not even the header.
    Before(Encoder),
    /// All rows so far are held, since they have few colours; what comes before them is, too.
    Held(Box<Indexed>, Encoder, Box<Metadata>),
    Rows(Encoder),
    /// The picture is written; frames may follow.
    Done,
}

struct PngWriter<'a> {
    sink: &'a mut dyn ByteSink,
    budget: Budget,
    effort: Effort,
    frame: FrameHeader,
    body: Body,
    animation: Option<Animation>,
    /// Rows that came of the current frame.
    rows: u32,
    /// Few colours get no palette.
    is_plain: bool,
}

impl<'a> PngWriter<'a> {
    fn new(sink: &'a mut dyn ByteSink, create: &Create<'_>, options: &Options) -> Result<Self> {
        limits::check_size(create.size, limits::MAX_SIDE)?;
        let budget = create.budget.clone();
        let frame = FrameHeader::new(create.size, create.pixels);
        let animation = match create.sequence {
            _ if create.frames < 2 => None,
            Sequence::Animation { plays } => Some(Animation::new(&frame, create.frames, plays, &budget)?),
            _ => return Err(Error::Unsupported { format: Format::Png, feature: "several pictures in one file" }),
        };
        let effort = options.effort;
        let encoder = Encoder::new(Header::new(create.size, create.pixels), effort, None, &budget)?;
        let body = Body::Before(encoder);
        Ok(Self { sink, budget, effort, frame, body, animation, rows: 0, is_plain: false })
    }

    /// Everything before the pixels but a palette.
    fn start(&mut self, header: Header, metadata: &Metadata) -> Result<()> {
        self.sink.write(&SIGNATURE)?;
        let ihdr = header.to_bytes();
        chunk::write(self.sink, *b"IHDR", &ihdr)?;
        if let Some(animation) = &mut self.animation {
            animation.announce(self.sink, (SIGNATURE.len() + chunk::AROUND + ihdr.len()) as u64)?;
        }
        parts::write(self.sink, metadata, &self.budget)?;
        match &mut self.animation {
            Some(animation) => animation.control(self.sink, Rect::whole(self.frame.size)),
            None => Ok(()),
        }
    }

    fn header(&self) -> Header {
        Header::new(self.frame.size, self.frame.pixels)
    }

    /// A row of the only picture, or of an animation's first.
    fn first_row(&mut self, row: &[u8]) -> Result<()> {
        if let Body::Held(indexed, ..) = &mut self.body {
            if indexed.push(row) {
                return Ok(());
            }
            self.release()?;
        }
        match &mut self.body {
            Body::Rows(encoder) => encoder.row(self.sink, row),
            _ => Err(Error::Contradiction("a row was written before its frame")),
        }
    }

    /// Writes the rows that were held in vain.
    fn release(&mut self) -> Result<()> {
        let Body::Held(indexed, mut encoder, metadata) = core::mem::replace(&mut self.body, Body::Done) else {
            return Ok(());
        };
        self.start(self.header(), &metadata)?;
        indexed.rows(|row| encoder.row(self.sink, row))?;
        self.body = Body::Rows(encoder);
        Ok(())
    }

    /// Writes the rows that were held as what they are.
    fn write_indexed(&mut self) -> Result<()> {
        let Body::Held(indexed, _, metadata) = &self.body else { return Ok(()) };
        let Some(plan) = indexed.plan() else { return self.release() };
        let Ok(mut encoder) = Encoder::new(plan.header, self.effort, None, &self.budget) else { return self.release() };
        let metadata = metadata.clone();
        self.start(plan.header, &metadata)?;
        let Body::Held(indexed, ..) = core::mem::replace(&mut self.body, Body::Done) else { return Ok(()) };
        for (kind, data) in [(*b"PLTE", &plan.palette), (*b"tRNS", &plan.transparency)] {
            if !data.is_empty() {
                chunk::write(self.sink, kind, data)?;
            }
        }
        let packed = plan.header.depth < 8;
        indexed
            .lines(&plan, |line| if packed { encoder.packed(self.sink, line) } else { encoder.row(self.sink, line) })?;
        encoder.data.finish(self.sink)?;
        Ok(())
    }

    /// The current frame's last row has come.
    fn end_frame(&mut self) -> Result<()> {
        self.write_indexed()?;
        match core::mem::replace(&mut self.body, Body::Done) {
            Body::Rows(encoder) => {
                encoder.data.finish(self.sink)?;
            }
            _ => self.write_difference()?,
        }
        if let Some(animation) = &mut self.animation {
            animation.end();
        }
        Ok(())
    }

    /// Writes what a later frame changes.
    fn write_difference(&mut self) -> Result<()> {
        let Some(animation) = &mut self.animation else { return Ok(()) };
        let region = animation.difference(&self.frame);
        animation.control(self.sink, region)?;
        let header = Header::new(Size::new(region.width, region.height), self.frame.pixels);
        let scope = self.budget.scope();
        let mut encoder = Encoder::new(header, self.effort, Some(animation.sequence), &scope)?;
        for y in 0..region.height {
            encoder.row(self.sink, animation.row(&self.frame, &region, y))?;
        }
        animation.sequence = encoder.data.finish(self.sink)?.unwrap_or(animation.sequence);
        Ok(())
    }
}

impl ImageWriter for PngWriter<'_> {
    fn begin_frame(&mut self, header: &FrameHeader, metadata: &Metadata) -> Result<()> {
        if (FrameHeader { delay: None, ..*header }) != self.frame {
            return Err(Error::Contradiction("the frame is not what the file was created for"));
        }
        if let Some(animation) = &mut self.animation {
            animation.begin(header.delay);
        }
        let more = self.animation.as_ref().is_some_and(|animation| animation.written < animation.announced);
        match core::mem::replace(&mut self.body, Body::Done) {
            Body::Before(encoder) if self.animation.is_some() || self.is_plain => {
                self.start(self.header(), metadata)?;
                self.body = Body::Rows(encoder);
            }
            Body::Before(encoder) => match Indexed::new(self.frame.size, self.frame.pixels, &self.budget) {
                Some(indexed) => {
                    self.budget.charge(metadata.byte_len())?;
                    self.body = Body::Held(Box::new(indexed), encoder, Box::new(metadata.clone()));
                }
                None => {
                    self.start(self.header(), metadata)?;
                    self.body = Body::Rows(encoder);
                }
            },
            // A later frame that did not get all its rows is left out.
            Body::Done if more => {}
            _ => return Err(Error::Contradiction("a frame too many, or before the last was complete")),
        }
        self.rows = 0;
        Ok(())
    }

    fn write_row(&mut self, row: &[u8]) -> Result<()> {
        if matches!(self.body, Body::Before(_)) {
            return Err(Error::Contradiction("a row was written before its frame"));
        }
        if self.rows >= self.frame.size.height || row.len() as u64 != self.frame.row_bytes() {
            return Err(Error::Contradiction("a row too many, or of the wrong length"));
        }
        if let Some(animation) = &mut self.animation {
            let start = self.rows as usize * row.len();
            animation.coming[start..start + row.len()].copy_from_slice(row);
        }
        if !matches!(self.body, Body::Done) {
            self.first_row(row)?;
        }
        self.rows += 1;
        if self.rows == self.frame.size.height { self.end_frame() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        if !matches!(self.body, Body::Done) || (self.animation.is_none() && self.rows < self.frame.size.height) {
            return Err(Error::Contradiction("rows are missing"));
        }
        if let Some(animation) = &mut self.animation {
            animation.correct(self.sink)?;
        }
        chunk::write(self.sink, *b"IEND", &[])
    }
}
