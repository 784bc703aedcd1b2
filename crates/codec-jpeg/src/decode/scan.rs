//! The data of one scan, MCU by MCU. Several scans of a picture are read side by side, a row
//! of MCUs of the frame at a time, each with a reader of its own.

use std::rc::Rc;

use raster::{ByteSource, Result};

use super::arithmetic_blocks::Arithmetic;
use super::bits::BitReader;
use super::frame::{Coding, FrameHead};
use super::part::{Part, parts};
use super::progressive::State;
use super::scan_head::{Pass, ScanHead};
use super::tables::Tables;
use crate::error::Cause;

/// The position of a block, or of a sample of a lossless picture: its component, and its column and row within a row of
/// MCUs of the frame.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) component: usize,
    pub(super) at: (u32, u32),
}

/// What is done with the blocks of a scan, or with the samples of a lossless one.
pub(super) trait Blocks {
    /// Reads a block.
    fn read(&mut self, part: &mut Part, state: &mut State<'_>, place: Place);

    /// Takes notice of a block without data.
    fn skip(&mut self, place: Place);
}

/// A scan whose header was read.
pub(super) struct Scan<'a> {
    state: State<'a>,
    parts: Vec<Part>,
    pub(super) pass: Pass,
    /// The number of MCUs in a row, and of rows of MCUs of the frame.
    mcus: u32,
    mcu_rows: u32,
    /// For scans of one component, whose MCUs are single blocks (A.2.2): the number of rows of blocks in the component,
    /// and in a row of MCUs of the frame.
    block_rows: Option<(u32, u32)>,
    restart: Restart,
    /// The last row of MCUs of the frame in which an MCU was not preceded by the end of the data.
    last_with_data: u32,
}

/// The counts of restart intervals.
struct Restart {
    /// The number of MCUs in an interval; 0 for none.
    interval: u32,
    /// The number of MCUs left in the interval.
    left: u32,
    /// The number of the next marker, 0 to 7.
    number: u8,
}

impl<'a> Scan<'a> {
    /// Prepares the scan whose data begin at `offset`.
    ///
    /// # Errors
    /// The defect of its header, or a table that is missing.
    pub(super) fn new(
        source: (Rc<dyn ByteSource + 'a>, u64),
        frame: &FrameHead,
        head: &ScanHead,
        tables: &Tables,
        restart_interval: u16,
    ) -> Result<Self, Cause> {
        let pass = match frame.coding {
            Coding::Progressive => Pass::new(head)?,
            Coding::Lossless => Pass::lossless(head, frame.precision)?,
            _ => Pass::Sequential,
        };
        let parts = parts(frame, head, tables, pass)?;
        let (mcus, block_rows) = match parts[..] {
            [ref part] => {
                let component = &frame.components[part.component];
                let size = frame.component_size(component);
                let unit = frame.unit();
                (size.width.div_ceil(unit), Some((size.height.div_ceil(unit), component.down.into())))
            }
            _ => (frame.mcus().width, None),
        };
        let arithmetic = frame.is_arithmetic.then(|| Box::new(Arithmetic::new(&tables.conditioning)));
        let state = State { bits: BitReader::new(source.0, source.1), arithmetic, end_of_band_run: 0 };
        let interval = u32::from(restart_interval);
        let restart = Restart { interval, left: interval, number: 0 };
        let mcu_rows = frame.mcus().height;
        Ok(Self { state, parts, pass, mcus, mcu_rows, block_rows, restart, last_with_data: 0 })
    }

    /// The places in the frame of the scan's components.
    pub(super) fn components(&self) -> impl Iterator<Item = usize> {
        self.parts.iter().map(|part| part.component)
    }

    /// Whether the codes are arithmetic.
    pub(super) const fn is_arithmetic(&self) -> bool {
        self.state.arithmetic.is_some()
    }

    /// Reads the blocks in row `mcu_row` of MCUs of the frame. Returns whether there are data for any.
    ///
    /// # Errors
    /// `Io`.
    #[inline(always)]
    pub(super) fn read_row(&mut self, mcu_row: u32, blocks: &mut impl Blocks) -> Result<bool> {
        let rows = self.block_rows.map_or(1, |(rows, in_mcu)| rows.saturating_sub(mcu_row * in_mcu).min(in_mcu));
        let (mut has_data, mut is_preceded) = (false, false);
        for row in 0..rows {
            for column in 0..self.mcus {
                is_preceded |= !self.state.bits.is_exhausted();
                self.begin_mcu();
                has_data = has_data || self.state.has_data();
                self.read_mcu((column, row), blocks);
            }
        }
        // Arithmetic codes do not tell where they end.
        if mcu_row + 1 == self.mcu_rows && self.state.arithmetic.is_none() {
            self.state.bits.finish();
        }
        self.state.bits.check()?;
        if is_preceded {
            self.last_with_data = mcu_row;
        }
        Ok(has_data)
    }

    /// Whether there can be data in a row of MCUs of the frame, which was read, or in a later one.
    pub(super) fn has_data_from(&self, mcu_row: u32) -> bool {
        mcu_row <= self.last_with_data || !self.is_at_end()
    }

    #[inline(always)]
    fn begin_mcu(&mut self) {
        if self.restart.interval != 0 {
            if self.restart.left == 0 {
                self.begin_interval();
            }
            self.restart.left -= 1;
        }
    }

    /// Continues behind the next restart marker (F.2.2.4).
    #[cold]
    fn begin_interval(&mut self) {
        self.state.bits.restart(self.restart.number);
        self.state.end_of_band_run = 0;
        if let Some(arithmetic) = &mut self.state.arithmetic {
            arithmetic.restart();
        }
        self.parts.iter_mut().for_each(|part| (part.predictor, part.context) = (0, 0));
        self.restart.left = self.restart.interval;
        self.restart.number = (self.restart.number + 1) % 8;
    }

    #[inline(always)]
    fn read_mcu(&mut self, (column, row): (u32, u32), blocks: &mut impl Blocks) {
        let is_blank = self.state.bits.is_exhausted();
        for part in &mut self.parts {
            for y in 0..part.down {
                for x in 0..part.across {
                    let at = (column * part.across + x, row * part.down + y);
                    let place = Place { component: part.component, at };
                    if is_blank {
                        blocks.skip(place);
                    } else {
                        blocks.read(part, &mut self.state, place);
                    }
                }
            }
        }
        self.state.bits.end_mcu();
    }

    /// Whether no data can follow.
    pub(super) fn is_at_end(&self) -> bool {
        self.state.is_at_end()
    }

    /// Whether invalid or missing data were found so far.
    pub(super) fn is_damaged(&self) -> bool {
        self.state.is_damaged()
    }

    /// Whether bytes stand between the last MCU and the next marker.
    pub(super) const fn has_stray(&self) -> bool {
        self.state.bits.has_stray()
    }
}
