//! From rows of pixels to the bytes of frame and scans, one row of MCUs at a time.

use raster::{Budget, ByteSink, Channels, FrameHeader, Quality, Result, Size};

use super::dct::Quantizer;
use super::options::Coding;
use super::planes::Planes;
use super::sequential::Sequential;
use super::stored::Stored;
use crate::marker::{code, write_segment};
use crate::quality::table;

/// What an encoder is told.
#[derive(Clone, Copy)]
pub(super) struct Settings {
    pub(super) quality: Quality,
    pub(super) coding: Coding,
    /// The number of rows of MCUs between restart markers; 0 for none.
    pub(super) restart_rows: u16,
}

/// An encoder of a picture.
pub(super) struct Encoder {
    size: Size,
    /// The quantisation table of all components, in zigzag order.
    steps: [u16; 64],
    quantizer: Quantizer,
    planes: Planes,
    scans: Scans,
}

enum Scans {
    One(Box<Sequential>),
    Several(Stored),
}

impl Encoder {
    /// Creates an encoder; `is_halved` halves the resolution of colour.
    ///
    /// # Errors
    /// `Limit`.
    pub(super) fn new(header: &FrameHeader, settings: Settings, is_halved: bool, budget: &Budget) -> Result<Self> {
        let Settings { quality, coding, restart_rows } = settings;
        let steps = table(quality);
        let is_gray = header.pixels.channels == Channels::Gray;
        let planes = Planes::new(header.size, is_gray, is_halved && !is_gray, budget)?;
        let mcu_rows = (header.size.height as usize).div_ceil(planes.height());
        let scans = match coding {
            Coding::Baseline => Scans::One(Box::new(Sequential::new(&planes, mcu_rows, restart_rows, budget)?)),
            Coding::Progressive => Scans::Several(Stored::new(&planes, None, restart_rows, budget)?),
            Coding::Smallest => Scans::Several(Stored::new(&planes, Some(&steps), restart_rows, budget)?),
        };
        Ok(Self { size: header.size, steps, quantizer: Quantizer::new(&steps), planes, scans })
    }

    /// Writes the quantisation table and the frame's header.
    ///
    /// # Errors
    /// `Io`.
    pub(super) fn begin(&self, sink: &mut dyn ByteSink) -> Result<()> {
        let components = &self.planes.components;
        write_segment(sink, code::DQT, &[&[0], &self.steps.map(|step| step as u8)])?;
        let Size { width, height } = self.size;
        let [[top, bottom], [left, right]] = [height, width].map(|side| (side as u16).to_be_bytes());
        let mut frame = vec![8, top, bottom, left, right, components.len() as u8];
        for (i, component) in (1..).zip(components) {
            frame.extend([i, component.factor as u8 * 0x11, 0]);
        }
        let kind = if matches!(self.scans, Scans::One(_)) { code::SOF0 } else { code::SOF2 };
        write_segment(sink, kind, &[&frame])
    }

    /// Takes the next row of pixels.
    ///
    /// # Errors
    /// `Io`, `Limit`.
    pub(super) fn row(&mut self, row: &[u8], sink: &mut dyn ByteSink) -> Result<()> {
        if self.planes.take(row) { self.mcus(sink) } else { Ok(()) }
    }

    /// Encodes the full row of MCUs.
    fn mcus(&mut self, sink: &mut dyn ByteSink) -> Result<()> {
        match &mut self.scans {
            Scans::One(scan) => scan.mcus(&self.planes, &self.quantizer, sink)?,
            Scans::Several(stored) => stored.mcus(&self.planes, &self.quantizer)?,
        }
        self.planes.clear();
        Ok(())
    }

    /// Writes the rest of the file.
    ///
    /// # Errors
    /// `Io`, `Limit`.
    pub(super) fn finish(mut self, sink: &mut dyn ByteSink) -> Result<()> {
        if !self.planes.is_empty() {
            self.planes.complete();
            self.mcus(sink)?;
        }
        match self.scans {
            Scans::One(mut scan) => scan.finish(sink)?,
            Scans::Several(stored) => stored.finish(&self.planes, sink)?,
        }
        sink.write(&[0xFF, code::EOI])
    }
}
