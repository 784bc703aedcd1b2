//! What an animation consists of (§4.9, §11.3.6): a walk over the heads of all chunks, once, for files with acTL only.

use raster::rows::Delay;
use raster::{Budget, ByteSource, Error, Rect, Result, Size};

use super::planes::Place;
use crate::chunk::{Chunks, Head};
use crate::error::Cause;

/// Chunks of an animation that are looked at. A gigabyte in chunks of 8 KiB has 130 000.
const MAX_CHUNKS: u32 = 1_000_000;

/// What happens to a frame's region once it was shown (§11.3.6.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dispose {
    None,
    Background,
    Previous,
}

/// How a frame is laid on the canvas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blend {
    Source,
    Over,
}

/// A frame's fcTL, checked against the canvas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Control {
    pub(crate) region: Rect,
    pub(crate) delay: Delay,
    pub(crate) dispose: Dispose,
    pub(crate) blend: Blend,
}

impl Control {
    /// Bytes of fcTL's data.
    pub(crate) const BYTES: usize = 26;

    /// Reads fcTL's data behind the sequence number.
    fn parse(data: &[u8; Self::BYTES], canvas: Size) -> Option<Self> {
        let word = |at: usize| u32::from_be_bytes([data[at], data[at + 1], data[at + 2], data[at + 3]]);
        let half = |at: usize| u32::from(u16::from_be_bytes([data[at], data[at + 1]]));
        let region = Rect { width: word(4), height: word(8), x: word(12), y: word(16) };
        let inside = |from: u32, length: u32, side: u32| length > 0 && length <= side && from <= side - length;
        if !inside(region.x, region.width, canvas.width) || !inside(region.y, region.height, canvas.height) {
            return None;
        }
        // "If the denominator is 0, it is to be treated as if it were 100."
        let denominator = if half(22) == 0 { 100 } else { half(22) };
        let dispose = *[Dispose::None, Dispose::Background, Dispose::Previous].get(usize::from(data[24]))?;
        let blend = *[Blend::Source, Blend::Over].get(usize::from(data[25]))?;
        Some(Self { region, delay: Delay { numerator: half(20), denominator }, dispose, blend })
    }

    /// fcTL's data.
    pub(crate) fn to_bytes(self, sequence: u32) -> [u8; Self::BYTES] {
        let Rect { x, y, width, height } = self.region;
        let mut data = [0; Self::BYTES];
        for (place, word) in data.as_chunks_mut::<4>().0.iter_mut().zip([sequence, width, height, x, y]) {
            *place = word.to_be_bytes();
        }
        data[20..22].copy_from_slice(&(self.delay.numerator as u16).to_be_bytes());
        data[22..24].copy_from_slice(&(self.delay.denominator as u16).to_be_bytes());
        (data[24], data[25]) = (self.dispose as u8, self.blend as u8);
        data
    }
}

/// A frame of an animation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shot {
    pub(crate) control: Control,
    pub(crate) place: Place,
}

/// The frames, at most `declared`, of the picture whose first chunk stands at `at`: up to the first that breaks a rule. A
/// frame without data is left out, as Chromium does.
///
/// # Errors
/// `Io`, and `Limit` when the budget does not pay for the list.
pub(crate) fn shots(
    source: &dyn ByteSource,
    at: u64,
    canvas: Size,
    declared: u32,
    budget: &Budget,
) -> Result<Vec<Shot>> {
    let mut walk = Walk { chunks: Chunks::new(source, at), canvas, sequence: 0, pending: None, shots: Vec::new() };
    for _ in 0..MAX_CHUNKS {
        let full = walk.shots.len() as u64 >= declared.into();
        match walk.step() {
            Ok(true) if !full => {}
            Ok(_) | Err(Error::Malformed { .. }) => break,
            Err(error) => return Err(error),
        }
    }
    budget.charge((walk.shots.capacity() * size_of::<Shot>()) as u64)?;
    walk.shots.truncate(declared as usize);
    Ok(walk.shots)
}

struct Walk<'a> {
    chunks: Chunks<'a>,
    canvas: Size,
    /// The number that the next fcTL or fdAT must have.
    sequence: u32,
    /// An fcTL whose data have not begun.
    pending: Option<Control>,
    shots: Vec<Shot>,
}

impl Walk<'_> {
    /// Looks at a chunk; false behind the last.
    fn step(&mut self) -> Result<bool> {
        let Some(head) = self.chunks.next()? else { return Ok(false) };
        match &head.kind {
            b"IEND" => return Ok(false),
            b"fcTL" => self.control(head)?,
            b"fdAT" => self.data(head)?,
            b"IDAT" => self.default_image(head)?,
            _ => {}
        }
        Ok(true)
    }

    fn control(&mut self, head: Head) -> Result<()> {
        let mut data = [0; Control::BYTES];
        let broken = Cause::Animation("a frame's description is broken").at(head.offset);
        if head.length as usize != data.len() || self.chunks.read(&mut data)? != data.len() {
            return Err(broken);
        }
        self.chunks.verify()?;
        self.number(&data, head)?;
        self.pending = Some(Control::parse(&data, self.canvas).ok_or(broken)?);
        Ok(())
    }

    fn data(&mut self, head: Head) -> Result<()> {
        let mut number = [0; 4];
        self.chunks.read(&mut number)?;
        let sequence = self.number(&number, head)?;
        if let Some(control) = self.pending.take() {
            let place = Place { offset: head.offset, sequence: Some(sequence) };
            self.shots.push(Shot { control, place });
        }
        Ok(())
    }

    /// The first IDAT after an fcTL is the first frame, which must cover the canvas; without one it is no frame.
    fn default_image(&mut self, head: Head) -> Result<()> {
        let Some(control) = self.pending.take() else { return Ok(()) };
        if !self.shots.is_empty() || control.region != Rect::whole(self.canvas) {
            return Err(Cause::Animation("its first frame is not the whole picture").at(head.offset));
        }
        self.shots.push(Shot { control, place: Place { offset: head.offset, sequence: None } });
        Ok(())
    }

    fn number(&mut self, data: &[u8], head: Head) -> Result<u32> {
        match data.first_chunk() {
            Some(number) if u32::from_be_bytes(*number) == self.sequence => {
                self.sequence += 1;
                Ok(self.sequence - 1)
            }
            _ => Err(Cause::Animation("its parts are out of order").at(head.offset)),
        }
    }
}
