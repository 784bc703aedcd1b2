//! Writing: [`adaptive`] filters each row with the filter that makes it smallest, and [`data`] compresses it into IDAT
//! chunks. Only one row is held, except for pictures with few colours ([`palette`]), pictures that are reduced to few
//! colours ([`reduce`]), and animations ([`frames`]).

mod adaptive;
pub(crate) mod ancillary;
mod data;
mod frames;
mod palette;
mod reduce;

use deflate::Content;
use raster::{
    Budget, ByteSink, ByteSource, Effort, Error, Format, FrameHeader, ImageWriter, Metadata, Notes, Rect, Result,
    Sequence, Size, Warning, limits, rows::ImageSpec,
};

use self::adaptive::Adaptive;
use self::data::ImageData;
use self::frames::Animation;
use self::palette::{Indexed, Plan};
use self::reduce::TrueColor;
use crate::animation_chunks::AnimationControl;
use crate::chunk::{self, SIGNATURE};
use crate::filter::Filter;
use crate::header::Header;
use crate::options::{Options, PaletteUse};

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
    /// Nothing is written: the rows so far are held, with the metadata.
    Holding,
    /// Rows are written as they are received.
    Writing,
    /// The picture is written. Later frames of an animation are collected, and written when they are complete.
    Complete,
}

/// The rows of a picture that may get a palette, and the metadata that are written before them.
struct Held {
    rows: HeldRows,
    metadata: Metadata,
}

enum HeldRows {
    /// The rows have few colours so far.
    Few(Indexed),
    /// The rows have many colours, and may be reduced to few.
    Many(TrueColor),
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
    /// Whether pictures of many colours are reduced to a palette if the file gets smaller.
    reduces: bool,
    notes: Notes,
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
        Ok(Self {
            sink,
            budget,
            effort,
            frame,
            stage: Stage::Created,
            encoder,
            held: None,
            animation,
            rows: 0,
            is_plain: false,
            reduces: options.palette == PaletteUse::LikeSource && spec.source_palette,
            notes: spec.notes.clone(),
        })
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
            self.held = Some(Box::new(Held { rows: HeldRows::Few(indexed), metadata: metadata.clone() }));
            self.stage = Stage::Holding;
        } else {
            self.start(Header::new(self.frame.size, self.frame.pixels), metadata)?;
            self.stage = Stage::Writing;
        }
        Ok(())
    }

    /// Holds a row. If there are too many colours and these are not to be reduced, all held rows and this one are
    /// written.
    fn hold_row(&mut self, row: &[u8]) -> Result<()> {
        let Some(held) = &mut self.held else { return Ok(()) };
        if let HeldRows::Few(indexed) = &mut held.rows {
            if indexed.push(row) {
                return Ok(());
            }
            if let Some(many) = self.reduces.then(|| TrueColor::new(indexed, &self.budget)).flatten() {
                held.rows = HeldRows::Many(many);
            }
        }
        if let HeldRows::Many(many) = &mut held.rows {
            many.push(row);
            return Ok(());
        }
        if let Some(held) = self.held.take() {
            self.write_plain(&held)?;
        }
        self.stage = Stage::Writing;
        self.encoder.row(self.sink, row)
    }

    /// Writes held rows without a palette.
    fn write_plain(&mut self, held: &Held) -> Result<()> {
        self.start(Header::new(self.frame.size, self.frame.pixels), &held.metadata)?;
        match &held.rows {
            HeldRows::Few(indexed) => indexed.rows(|row| self.encoder.row(self.sink, row)),
            HeldRows::Many(many) => many.rows(|row| self.encoder.row(self.sink, row).map(|()| true)),
        }
    }

    /// Ends the first picture when all of its rows are held. A palette is used if it is smaller and the budget suffices
    /// for its encoder.
    fn end_held(&mut self) -> Result<()> {
        let Some(mut held) = self.held.take() else { return Ok(()) };
        let mut is_reduced = false;
        if let HeldRows::Many(many) = &held.rows
            && let Ok(Some(indexed)) = self.reduced(many)
        {
            held.rows = HeldRows::Few(indexed);
            is_reduced = true;
        }
        if let HeldRows::Few(indexed) = &held.rows
            && let Some(plan) = indexed.plan()
            && let Ok(mut encoder) = Encoder::new(plan.header, self.effort, None, &self.budget)
        {
            if is_reduced {
                self.notes.warn(Warning::ColorsReduced);
            }
            self.start(plan.header, &held.metadata)?;
            return write_indexed(self.sink, &mut encoder, indexed, &plan);
        }
        self.write_plain(&held)?;
        self.encoder.finish(self.sink).map(|_| ())
    }

    /// Returns the picture in the colours of a palette if this makes the file smaller.
    fn reduced(&self, many: &TrueColor) -> Result<Option<Indexed>> {
        let Some(indexed) = many.reduced()? else { return Ok(None) };
        let Some(plan) = indexed.plan() else { return Ok(None) };
        let (mut with, mut without, scope) = (Count(0), Count(0), self.budget.scope());
        let encoder = |header| Encoder::new(header, self.effort, None, &scope);
        write_indexed(&mut with, &mut encoder(plan.header)?, &indexed, &plan)?;
        let mut plain = encoder(Header::new(self.frame.size, self.frame.pixels))?;
        many.rows(|row| plain.row(&mut without, row).map(|()| without.0 <= with.0))?;
        plain.finish(&mut without)?;
        Ok((with.0 < without.0).then_some(indexed))
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

/// Writes a palette and the picture that uses it.
fn write_indexed(sink: &mut dyn ByteSink, encoder: &mut Encoder, indexed: &Indexed, plan: &Plan) -> Result<()> {
    for (kind, data) in [(*b"PLTE", &plan.palette), (*b"tRNS", &plan.transparency)] {
        if !data.is_empty() {
            chunk::write(sink, kind, data)?;
        }
    }
    let packed = plan.header.depth < 8;
    indexed.lines(plan, |line| if packed { encoder.packed(sink, line) } else { encoder.row(sink, line) })?;
    encoder.finish(sink).map(|_| ())
}

/// A sink that only counts bytes.
struct Count(u64);

impl ByteSink for Count {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.0 += bytes.len() as u64;
        Ok(())
    }

    fn patch(&mut self, _: u64, _: &[u8]) -> Result<()> {
        Ok(())
    }

    fn reread(&mut self) -> Result<Box<dyn ByteSource + '_>> {
        Err(Error::Contradiction("counted bytes cannot be read"))
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
