//! Animations out (§4.9, §11.3.6): the first frame is the default image; of each later one only the rectangle is written
//! that differs from the frame before.

use raster::rows::Delay;
use raster::{Budget, ByteSink, FrameHeader, Rect, Result};

use crate::chunk;
use crate::decode::{Blend, Control, Dispose};

/// A hundredth of a second ten times, which browsers take too for frames that do not say.
const UNSAID: Delay = Delay { numerator: 1, denominator: 10 };

/// What an animation has to remember.
pub(crate) struct Animation {
    plays: u32,
    /// Where acTL stands.
    at: u64,
    /// Frames announced.
    pub(crate) announced: u32,
    /// Frames written.
    pub(crate) written: u32,
    /// The number of the next fcTL or fdAT.
    pub(crate) sequence: u32,
    delay: Delay,
    /// The frame before, and the one that is coming.
    shown: Vec<u8>,
    pub(crate) coming: Vec<u8>,
}

impl Animation {
    pub(crate) fn new(frame: &FrameHeader, announced: u32, plays: u32, budget: &Budget) -> Result<Self> {
        let bytes = frame.row_bytes().saturating_mul(frame.size.height.into());
        Ok(Self {
            plays,
            at: 0,
            announced,
            written: 0,
            sequence: 0,
            delay: UNSAID,
            shown: budget.filled(bytes, 0)?,
            coming: budget.filled(bytes, 0)?,
        })
    }

    /// Writes acTL, `at` bytes from the start of the file.
    pub(crate) fn announce(&mut self, sink: &mut dyn ByteSink, at: u64) -> Result<()> {
        self.at = at;
        chunk::write(sink, *b"acTL", &self.declaration())
    }

    /// Says how many frames there are, once all are written.
    pub(crate) fn correct(&mut self, sink: &mut dyn ByteSink) -> Result<()> {
        if self.written == self.announced {
            return Ok(());
        }
        self.announced = self.written;
        let mut actl = Vec::new();
        chunk::write(&mut actl, *b"acTL", &self.declaration())?;
        sink.patch(self.at, &actl)
    }

    fn declaration(&self) -> [u8; 8] {
        let mut data = [0; 8];
        data[..4].copy_from_slice(&self.announced.to_be_bytes());
        data[4..].copy_from_slice(&self.plays.to_be_bytes());
        data
    }

    /// The frame that is coming is shown for so long.
    pub(crate) fn begin(&mut self, delay: Option<Delay>) {
        self.delay = short(delay.unwrap_or(UNSAID));
    }

    /// Writes fcTL for a region of the frame that is coming.
    pub(crate) fn control(&mut self, sink: &mut dyn ByteSink, region: Rect) -> Result<()> {
        let control = Control { region, delay: self.delay, dispose: Dispose::None, blend: Blend::Source };
        chunk::write(sink, *b"fcTL", &control.to_bytes(self.sequence))?;
        self.sequence += 1;
        Ok(())
    }

    /// The smallest rectangle outside of which the frame that is coming is the one before; a pixel where they are equal.
    pub(crate) fn difference(&self, frame: &FrameHeader) -> Rect {
        let row_bytes = frame.row_bytes() as usize;
        let rows = || self.shown.chunks_exact(row_bytes).zip(self.coming.chunks_exact(row_bytes));
        let differs = |(shown, coming): (&[u8], &[u8])| shown != coming;
        let Some(top) = rows().position(differs) else { return Rect { x: 0, y: 0, width: 1, height: 1 } };
        let bottom = rows().rposition(differs).unwrap_or(top);
        let (mut left, mut right) = (row_bytes, 0);
        for (shown, coming) in rows().skip(top).take(bottom + 1 - top) {
            let pairs = || shown.iter().zip(coming);
            left = pairs().take(left).position(|(a, b)| a != b).unwrap_or(left);
            right = pairs().rposition(|(a, b)| a != b).unwrap_or(right).max(right);
        }
        let pixel = frame.pixels.bytes();
        let (left, right) = (left / pixel, right / pixel);
        Rect { x: left as u32, y: top as u32, width: (right + 1 - left) as u32, height: (bottom + 1 - top) as u32 }
    }

    /// Row `y` of the region, of the frame that is coming.
    pub(crate) fn row(&self, frame: &FrameHeader, region: &Rect, y: u32) -> &[u8] {
        let pixel = frame.pixels.bytes();
        let start = (region.y + y) as usize * frame.row_bytes() as usize + region.x as usize * pixel;
        &self.coming[start..start + region.width as usize * pixel]
    }

    /// The frame that was coming is there.
    pub(crate) fn end(&mut self) {
        core::mem::swap(&mut self.shown, &mut self.coming);
        self.written += 1;
    }
}

/// As two numbers of 16 bits; what does not fit comes in milliseconds.
fn short(delay: Delay) -> Delay {
    let limit = u32::from(u16::MAX);
    if delay.numerator <= limit && delay.denominator <= limit {
        return delay;
    }
    let milliseconds = u64::from(delay.numerator) * 1000 / u64::from(delay.denominator.max(1));
    Delay { numerator: milliseconds.min(limit.into()) as u32, denominator: 1000 }
}
