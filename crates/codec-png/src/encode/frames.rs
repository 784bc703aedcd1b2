//! Writing of animations (§4.9, §11.3.6): the first frame is the default image; of each later frame only the rectangle
//! that differs from the previous frame is written.

use animation::{Blending, DEFAULT_DELAY, Disposal, FramePair, Placement, fit_16_bits};
use raster::rows::Delay;
use raster::{Budget, ByteSink, FrameHeader, Rect, Result};

use crate::animation_chunks::{AnimationControl, FrameControl};
use crate::chunk;

/// The state of an animation between two frames.
pub(crate) struct Animation {
    /// The content of acTL.
    announced: AnimationControl,
    /// The offset of acTL.
    at: u64,
    /// The number of frames written.
    written: u32,
    /// The sequence number of the next fcTL or fdAT.
    pub(crate) sequence: u32,
    delay: Delay,
    /// The last written frame, and the frame that is being received.
    pub(crate) pair: FramePair,
}

impl Animation {
    pub(crate) fn new(frame: &FrameHeader, announced: AnimationControl, budget: &Budget) -> Result<Self> {
        let pair = FramePair::new(frame.size, frame.pixels, budget)?;
        Ok(Self { announced, at: 0, written: 0, sequence: 0, delay: DEFAULT_DELAY, pair })
    }

    /// Writes acTL, `at` bytes from the start of the file.
    pub(crate) fn announce(&mut self, sink: &mut dyn ByteSink, at: u64) -> Result<()> {
        self.at = at;
        chunk::write(sink, *b"acTL", &self.announced.to_bytes())
    }

    /// Rewrites the number of frames if fewer were written than announced.
    pub(crate) fn correct(&mut self, sink: &mut dyn ByteSink) -> Result<()> {
        if self.written == self.announced.frames {
            return Ok(());
        }
        self.announced.frames = self.written;
        let mut actl = Vec::new();
        chunk::write(&mut actl, *b"acTL", &self.announced.to_bytes())?;
        sink.patch(self.at, &actl)
    }

    /// Starts a frame that is shown for `delay`.
    pub(crate) fn begin(&mut self, delay: Option<Delay>) {
        self.delay = fit_16_bits(delay.unwrap_or(DEFAULT_DELAY));
    }

    /// Writes fcTL for a region of the current frame.
    pub(crate) fn control(&mut self, sink: &mut dyn ByteSink, region: Rect) -> Result<()> {
        let placement = Placement { region, disposal: Disposal::Keep, blending: Blending::Replace };
        let control = FrameControl { placement, delay: self.delay };
        chunk::write(sink, *b"fcTL", &control.to_bytes(self.sequence))?;
        self.sequence += 1;
        Ok(())
    }

    /// Ends the current frame.
    pub(crate) const fn end(&mut self) {
        self.pair.advance();
        self.written += 1;
    }
}
