//! Writing: [`adaptive`] filters each row with the filter that makes it smallest, and [`data`] compresses it into IDAT
//! chunks. Only one row is held, except for pictures with few colours ([`palette`]) and animations ([`frames`]).

mod adaptive;
pub(crate) mod ancillary;
mod data;
mod frames;
mod palette;

use deflate::Content;
use raster::{
    Budget, ByteSink, Error, Format, FrameHeader, ImageWriter, Metadata, Rect, Result, Sequence, Size, limits,
    rows::ImageSpec,
};

use self::adaptive::Adaptive;
use self::data::ImageData;
use self::frames::Animation;
use self::palette::Indexed;
use crate::animation_chunks::AnimationControl;
use crate::chunk::{self, SIGNATURE};
use crate::filter::Filter;
use crate::header::Header;
use crate::options::{Effort, Options};

/// Creates a PNG.
///
/// # Errors
/// `Limit` for a side of 0 or above [`limits::MAX_SIDE`] pixels and when the budget is too small for the buffers;
/// `Unsupported` for several pictures that are not an animation.
pub fn create<'a>(
    sink: &'a mut dyn ByteSink,
    spec: &ImageSpec<'_>,
    options: &Options,
) -> Result<Box<dyn ImageWriter + 'a>> {
    Ok(Box::new(PngWriter::new(sink, spec, options)?))
}

/// Creates a PNG like [`create`], but without a palette for pictures of few colours. Icons need it, because the pixels
/// of their entries must have the format that the directory states.
///
/// # Errors
/// As [`create`].
pub fn create_plain<'a>(
    sink: &'a mut dyn ByteSink,
    spec: &ImageSpec<'_>,
    options: &Options,
) -> Result<Box<dyn ImageWriter + 'a>> {
    Ok(Box::new(PngWriter { is_plain: true, ..PngWriter::new(sink, spec, options)? }))
}

/// An encoder of the rows of one picture.
struct Encoder {
    adaptive: Adaptive,
    data: ImageData,
    /// Whether samples have 16 bits, which files store big-endian and rows little-endian.
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

    /// Compresses a line of several pixels a byte, which no filter makes smaller (§12.7).
    fn packed(&mut self, sink: &mut dyn ByteSink, line: &[u8]) -> Result<()> {
        self.data.write(sink, (&[Filter::None as u8], Content::Repeating))?;
        self.data.write(sink, (line, Content::Repeating))
    }
    /// Ends the data. Returns the sequence number behind those of the chunks.
    fn finish(&mut self, sink: &mut dyn ByteSink) -> Result<Option<u32>> {
        self.data.finish(sink)
    }
}

/// The progress of the file's first picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Nothing is written, including the header.
    Created,
    /// Nothing is written: the rows so far have few colours and are held, with the metadata.
    Holding,
    /// Rows are written as they are received.
    Writing,
    /// The picture is written. Later frames of an animation are collected, and written when they are complete.
    Complete,
}

/// The rows of a picture of few colours, and the metadata that are written before them.
struct Held {
    indexed: Indexed,
    metadata: Metadata,
}

struct PngWriter<'a> {
    sink: &'a mut dyn ByteSink,
    budget: Budget,
    effort: Effort,
    frame: FrameHeader,
    stage: Stage,
    /// The encoder of the first picture, unless that is written with a palette.
    encoder: Encoder,
    /// The held rows; set while `stage` is `Holding`.
    held: Option<Box<Held>>,
    animation: Option<Animation>,
    /// The number of rows received of the current frame.
    rows: u32,
    /// Whether palettes are disabled.
    is_plain: bool,
}

impl<'a> PngWriter<'a> {
    fn new(sink: &'a mut dyn ByteSink, spec: &ImageSpec<'_>, options: &Options) -> Result<Self> {
        limits::check_size(spec.size, limits::MAX_SIDE)?;
        let budget = spec.budget.clone();
        let frame = FrameHeader::new(spec.size, spec.pixels);
        let animation = match spec.sequence {
            _ if spec.frames < 2 => None,
            Sequence::Animation { plays } => {
                let announced = AnimationControl { frames: spec.frames, plays };
                Some(Animation::new(&frame, announced, &budget)?)
            }
            _ => return Err(Error::Unsupported { format: Format::Png, feature: "several pictures in one file" }),
        };
        let effort = options.effort;
        let encoder = Encoder::new(Header::new(spec.size, spec.pixels), effort, None, &budget)?;
        let (stage, held, rows, is_plain) = (Stage::Created, None, 0, false);
        Ok(Self { sink, budget, effort, frame, stage, encoder, held, animation, rows, is_plain })
    }

    /// Writes everything before the pixels except a palette.
    fn start(&mut self, header: Header, metadata: &Metadata) -> Result<()> {
        self.sink.write(&SIGNATURE)?;
        let ihdr = header.to_bytes();
        chunk::write(self.sink, *b"IHDR", &ihdr)?;
        if let Some(animation) = &mut self.animation {
            animation.announce(self.sink, (SIGNATURE.len() + chunk::AROUND + ihdr.len()) as u64)?;
        }
        ancillary::write(self.sink, metadata, &self.budget)?;
        match &mut self.animation {
            Some(animation) => animation.control(self.sink, Rect::whole(self.frame.size)),
            None => Ok(()),
        }
    }

    /// Starts the first picture: its rows are held while a palette is possible, or written as they are received.
    fn start_first(&mut self, metadata: &Metadata) -> Result<()> {
        let may_hold = self.animation.is_none() && !self.is_plain;
        let indexed = may_hold
            .then(|| Indexed::new(self.frame.size, self.frame.pixels, &self.budget))
            .and_then(|indexed| indexed);
        if let Some(indexed) = indexed {
            self.budget.charge(metadata.byte_len())?;
            self.held = Some(Box::new(Held { indexed, metadata: metadata.clone() }));
            self.stage = Stage::Holding;
        } else {
            self.start(Header::new(self.frame.size, self.frame.pixels), metadata)?;
            self.stage = Stage::Writing;
        }
        Ok(())
    }

    /// Holds a row. If the row has too many colours, all held rows and this row are written.
    fn hold_row(&mut self, row: &[u8]) -> Result<()> {
        if self.held.as_mut().is_some_and(|held| held.indexed.push(row)) {
            return Ok(());
        }
        self.write_held()?;
        self.encoder.row(self.sink, row)
    }

    /// Writes the held rows without a palette.
    fn write_held(&mut self) -> Result<()> {
        if let Some(held) = self.held.take() {
            self.start(Header::new(self.frame.size, self.frame.pixels), &held.metadata)?;
            held.indexed.rows(|row| self.encoder.row(self.sink, row))?;
        }
        self.stage = Stage::Writing;
        Ok(())
    }

    /// Ends the first picture when all of its rows are held. A palette is used if it is smaller and the budget suffices
    /// for its encoder.
    fn end_held(&mut self) -> Result<()> {
        let plan = self.held.as_ref().and_then(|held| held.indexed.plan());
        let encoder = plan.as_ref().map(|plan| Encoder::new(plan.header, self.effort, None, &self.budget));
        let (Some(plan), Some(Ok(mut encoder))) = (plan, encoder) else {
            self.write_held()?;
            return self.encoder.finish(self.sink).map(|_| ());
        };
        let Some(held) = self.held.take() else { return Ok(()) };
        self.start(plan.header, &held.metadata)?;
        for (kind, data) in [(*b"PLTE", &plan.palette), (*b"tRNS", &plan.transparency)] {
            if !data.is_empty() {
                chunk::write(self.sink, kind, data)?;
            }
        }
        let packed = plan.header.depth < 8;
        held.indexed
            .lines(&plan, |line| if packed { encoder.packed(self.sink, line) } else { encoder.row(self.sink, line) })?;
        encoder.finish(self.sink).map(|_| ())
    }

    /// Ends the current frame after its last row.
    fn end_frame(&mut self) -> Result<()> {
        match self.stage {
            Stage::Created => {}
            Stage::Holding => self.end_held()?,
            Stage::Writing => _ = self.encoder.finish(self.sink)?,
            Stage::Complete => self.write_difference()?,
        }
        self.stage = Stage::Complete;
        if let Some(animation) = &mut self.animation {
            animation.end();
        }
        Ok(())
    }

    /// Writes the part of a later frame that differs from the previous frame.
    fn write_difference(&mut self) -> Result<()> {
        let Some(animation) = &mut self.animation else { return Ok(()) };
        let region = animation.pair.difference();
        animation.control(self.sink, region)?;
        let header = Header::new(Size::new(region.width, region.height), self.frame.pixels);
        let scope = self.budget.scope();
        let mut encoder = Encoder::new(header, self.effort, Some(animation.sequence), &scope)?;
        for y in 0..region.height {
            encoder.row(self.sink, animation.pair.row(&region, y))?;
        }
        animation.sequence = encoder.finish(self.sink)?.unwrap_or(animation.sequence);
        Ok(())
    }
}

impl ImageWriter for PngWriter<'_> {
    fn begin_frame(&mut self, header: &FrameHeader, metadata: &Metadata) -> Result<()> {
        if (FrameHeader { delay: None, ..*header }) != self.frame {
            return Err(Error::Contradiction("a frame of another shape than the file"));
        }
        if let Some(animation) = &mut self.animation {
            animation.begin(header.delay);
        }
        self.rows = 0;
        if self.stage == Stage::Created { self.start_first(metadata) } else { Ok(()) }
    }

    fn write_row(&mut self, row: &[u8]) -> Result<()> {
        if let Some(animation) = &mut self.animation {
            animation.pair.set_row(self.rows, row);
        }
        match self.stage {
            Stage::Holding => self.hold_row(row)?,
            Stage::Writing => self.encoder.row(self.sink, row)?,
            Stage::Created | Stage::Complete => {}
        }
        self.rows += 1;
        if self.rows == self.frame.size.height { self.end_frame() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        if let Some(animation) = &mut self.animation {
            animation.correct(self.sink)?;
        }
        chunk::write(self.sink, *b"IEND", &[])
    }
}
