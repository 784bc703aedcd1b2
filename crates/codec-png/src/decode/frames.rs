//! The frames of an animation (§4.9, §11.3.6). Files with acTL are searched once, from chunk header to chunk header.

use raster::{Budget, ByteSource, Error, GrowingList, Rect, Result, Size};

use super::data::DataStart;
use crate::animation_chunks::FrameControl;
use crate::chunk::{ChunkHeader, Chunks};
use crate::error::Cause;

/// The largest number of an animation's chunks that are searched. A gigabyte in chunks of 8 KiB has 130 000.
const MAX_CHUNKS: u32 = 1_000_000;

/// The number of frames for which the list has space at first.
const FIRST_ROOM: usize = 64;

/// A frame of an animation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AnimationFrame {
    pub(crate) control: FrameControl,
    pub(crate) data: DataStart,
}

/// Returns the frames, at most `declared`, of the picture whose first chunk is at `at`, up to the first that violates a
/// rule. A frame without data is left out, as in Chromium.
///
/// # Errors
/// `Io`, and `Limit` when the budget is too small for the list.
pub(crate) fn find(
    source: &dyn ByteSource,
    at: u64,
    canvas: Size,
    declared: u32,
    budget: &Budget,
) -> Result<Vec<AnimationFrame>> {
    let mut walk = Walk {
        chunks: Chunks::new(source, at),
        canvas,
        sequence: 0,
        pending: None,
        frames: GrowingList::new(FIRST_ROOM, budget),
    };
    for _ in 0..MAX_CHUNKS {
        let full = walk.frames.len() as u64 >= declared.into();
        match walk.step() {
            Ok(true) if !full => {}
            Ok(_) | Err(Error::Malformed { .. }) => break,
            Err(error) => return Err(error),
        }
    }
    let mut frames = walk.frames.into_vec()?;
    frames.truncate(declared as usize);
    Ok(frames)
}

struct Walk<'a> {
    chunks: Chunks<'a>,
    canvas: Size,
    /// The required sequence number of the next fcTL or fdAT.
    sequence: u32,
    /// An fcTL whose data have not begun.
    pending: Option<FrameControl>,
    frames: GrowingList<'a, AnimationFrame>,
}

impl Walk<'_> {
    /// Processes a chunk. Returns false behind the last.
    fn step(&mut self) -> Result<bool> {
        let Some(header) = self.chunks.next()? else { return Ok(false) };
        match &header.kind {
            b"IEND" => return Ok(false),
            b"fcTL" => self.control(header)?,
            b"fdAT" => self.data(header)?,
            b"IDAT" => self.default_image(header)?,
            _ => {}
        }
        Ok(true)
    }

    fn control(&mut self, header: ChunkHeader) -> Result<()> {
        let mut data = [0; FrameControl::BYTES];
        let broken = Cause::Animation("a frame's description is broken").at(header.offset);
        if header.length as usize != data.len() || self.chunks.read(&mut data)? != data.len() {
            return Err(broken);
        }
        self.chunks.verify()?;
        self.take_sequence(&data, header)?;
        self.pending = Some(FrameControl::parse(&data, self.canvas).ok_or(broken)?);
        Ok(())
    }

    fn data(&mut self, header: ChunkHeader) -> Result<()> {
        let mut number = [0; 4];
        self.chunks.read(&mut number)?;
        let sequence = self.take_sequence(&number, header)?;
        match self.pending.take() {
            Some(control) => self
                .frames
                .push(AnimationFrame { control, data: DataStart { offset: header.offset, sequence: Some(sequence) } }),
            None => Ok(()),
        }
    }

    /// The first IDAT after an fcTL is the first frame, which must cover the canvas; without an fcTL it is not a frame.
    fn default_image(&mut self, header: ChunkHeader) -> Result<()> {
        let Some(control) = self.pending.take() else { return Ok(()) };
        if !self.frames.is_empty() || control.placement.region != Rect::whole(self.canvas) {
            return Err(Cause::Animation("its first frame is not the whole picture").at(header.offset));
        }
        self.frames.push(AnimationFrame { control, data: DataStart { offset: header.offset, sequence: None } })
    }

    /// Compares the sequence number at the start of `data` with the required one, and returns it.
    fn take_sequence(&mut self, data: &[u8], header: ChunkHeader) -> Result<u32> {
        match data.first_chunk() {
            Some(number) if u32::from_be_bytes(*number) == self.sequence => {
                self.sequence += 1;
                Ok(self.sequence - 1)
            }
            _ => Err(Cause::Animation("its chunks are out of order").at(header.offset)),
        }
    }
}
