//! Writing, forwards only. Only the number of frames in the head is patched when fewer frames were written than
//! announced.

use core::mem;
use std::rc::Rc;

use raster::limits::{MAX_SIDE, check_size};
use raster::{
    ByteSink, Error, FrameHeader, FrameInfo, ImageInfo, ImageSpec, ImageWriter, Metadata, Result, Sequence, Warning,
};

use crate::block::{self, END, FRAME, HEAD, LOST, NOTE, PREFIX, ROW};
use crate::{MAGIC, Options, head, note};

pub(crate) const VERSION: u32 = 3;

/// The bytes before the first block.
pub(crate) const START: usize = 12;

/// A writer of a file's blocks, in order.
pub(crate) struct Blocks<'a> {
    sink: &'a mut dyn ByteSink,
    /// The metadata of the head or the last frame.
    metadata: Rc<Metadata>,
}

impl<'a> Blocks<'a> {
    /// Writes the start and the head, with the warnings that the file brought so far.
    pub(crate) fn start(sink: &'a mut dyn ByteSink, info: &ImageInfo, warnings: &[Warning]) -> Result<Self> {
        sink.write(MAGIC)?;
        sink.write(&VERSION.to_le_bytes())?;
        block::write(sink, HEAD, &head::head_body(info, warnings)?)?;
        Ok(Self { sink, metadata: Rc::clone(&info.metadata) })
    }

    pub(crate) fn frame(&mut self, frame: &FrameInfo, metadata: &Metadata) -> Result<()> {
        if *self.metadata == *metadata {
            return block::write(self.sink, FRAME, &head::frame_body(frame, None)?);
        }
        self.metadata = Rc::new(metadata.clone());
        block::write(self.sink, FRAME, &head::frame_body(frame, Some(metadata))?)
    }

    pub(crate) fn row(&mut self, row: &[u8]) -> Result<()> {
        block::write(self.sink, ROW, row)
    }

    pub(crate) fn note(&mut self, warning: &Warning) -> Result<()> {
        block::write(self.sink, NOTE, &note::warning_body(warning)?)
    }

    /// Writes damage; every other error is returned.
    pub(crate) fn lost(&mut self, error: Error) -> Result<()> {
        match error {
            Error::Malformed { format, offset, cause } => {
                block::write(self.sink, LOST, &note::damage_body(format, offset, &cause.to_string())?)
            }
            error => Err(error),
        }
    }

    pub(crate) fn end(&mut self) -> Result<()> {
        block::write(self.sink, END, &[])
    }

    fn correct_frames(&mut self, frames: u32) -> Result<()> {
        self.sink.patch((START + PREFIX) as u64 + head::FRAMES_OFFSET, &frames.to_le_bytes())
    }
}

pub(crate) struct Writer<'a> {
    state: State<'a>,
    options: Options,
    sequence: Sequence,
    /// The number of frames announced, and the number begun.
    frames: u32,
    begun: u32,
}

enum State<'a> {
    /// No frame has begun.
    New(&'a mut dyn ByteSink),
    Started(Blocks<'a>),
    /// The head could not be written.
    Failed,
}

impl<'a> Writer<'a> {
    pub(crate) fn create(sink: &'a mut dyn ByteSink, spec: &ImageSpec<'_>, options: &Options) -> Result<Self> {
        let &ImageSpec { size, frames, sequence, .. } = spec;
        check_size(size, MAX_SIDE)?;
        Ok(Self { state: State::New(sink), options: *options, sequence, frames, begun: 0 })
    }

    /// Returns the writer of blocks; the first call writes the head.
    fn blocks(&mut self, header: &FrameHeader, metadata: &Metadata) -> Result<&mut Blocks<'a>> {
        self.state = match mem::replace(&mut self.state, State::Failed) {
            State::New(sink) => State::Started(Blocks::start(sink, &self.info(header, metadata), &[])?),
            state => state,
        };
        self.started()
    }

    fn started(&mut self) -> Result<&mut Blocks<'a>> {
        match &mut self.state {
            State::Started(blocks) => Ok(blocks),
            State::New(_) | State::Failed => Err(Error::Contradiction("a row without a frame")),
        }
    }

    fn info(&self, header: &FrameHeader, metadata: &Metadata) -> ImageInfo {
        let FrameHeader { size, pixels, orientation, .. } = *header;
        ImageInfo {
            frames: self.frames,
            sequence: self.sequence,
            orientation,
            metadata: Rc::new(metadata.clone()),
            quality: self.options.quality,
            has_palette: self.options.has_palette,
            ..ImageInfo::still(self.options.origin, size, pixels.into())
        }
    }
}

impl ImageWriter for Writer<'_> {
    fn begin_frame(&mut self, header: &FrameHeader, metadata: &Metadata) -> Result<()> {
        check_size(header.size, MAX_SIDE)?;
        self.blocks(header, metadata)?.frame(&(*header).into(), metadata)?;
        self.begun += 1;
        Ok(())
    }

    fn write_row(&mut self, row: &[u8]) -> Result<()> {
        self.started()?.row(row)
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        let (begun, frames) = (self.begun, self.frames);
        let blocks = self.started()?;
        blocks.end()?;
        if begun < frames { blocks.correct_frames(begun) } else { Ok(()) }
    }
}
