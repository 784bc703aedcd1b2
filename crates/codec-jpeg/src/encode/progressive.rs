//! Progressive scans (T.81 G.1.2) of stored coefficients. Each scan is coded twice: first to count its symbols, from
//! which its tables are made, then to write it. The files equal those of cjpeg `-progressive` byte by byte.

use raster::{Budget, ByteSink, Result};

use super::bits::Bits;
use super::huffman::{Frequencies, Table};
use super::planes::Layout;
use super::scan::{Coded, ZEROS};
use super::script::Step;
use super::store::{Coefficient, Store};
use crate::marker::{code, write_segment};

/// The largest run of blocks without further coefficients.
const MOST_BLOCKS: u32 = 0x7FFF;
/// The most correction bits that libjpeg keeps before it ends a run.
const MOST_CORRECTIONS: usize = 1000 - 64 + 1;

/// The picture: its components and their coefficients.
pub(super) struct Picture<'a> {
    pub(super) components: Vec<Layout>,
    pub(super) stores: &'a [Store],
    /// The number of MCUs across and down.
    pub(super) mcus: (usize, usize),
    /// The number of rows of MCUs between restart markers; 0 for none.
    pub(super) restart_rows: u16,
}

/// What becomes of the symbols of a scan.
trait Output {
    /// Takes a symbol of a table, and the bits that follow it.
    fn symbol(&mut self, table: usize, symbol: u8, bits: u32, count: u32);
    /// Takes bits without a symbol.
    fn bit(&mut self, bit: u8);
    /// Takes a restart marker.
    fn restart(&mut self, number: u8);
    /// Ends an MCU.
    fn end_mcu(&mut self) -> Result<()>;
}

/// Counts symbols and all other bits.
#[derive(Clone)]
struct Counter {
    frequencies: [Frequencies; 2],
    bits: u64,
}

impl Output for Counter {
    #[inline(always)]
    fn symbol(&mut self, table: usize, symbol: u8, _: u32, count: u32) {
        self.frequencies[table][usize::from(symbol)] += 1;
        self.bits += u64::from(count);
    }

    #[inline(always)]
    fn bit(&mut self, _: u8) {
        self.bits += 1;
    }

    fn restart(&mut self, _: u8) {
        self.bits += 24;
    }

    #[inline(always)]
    fn end_mcu(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Writes codes.
struct Writer<'a> {
    tables: [Table; 2],
    bits: &'a mut Bits,
    sink: &'a mut dyn ByteSink,
}

impl Output for Writer<'_> {
    #[inline(always)]
    fn symbol(&mut self, table: usize, symbol: u8, bits: u32, count: u32) {
        let (code, length) = self.tables[table].code(symbol);
        self.bits.put(u32::from(code) << count | bits, u32::from(length) + count);
    }

    #[inline(always)]
    fn bit(&mut self, bit: u8) {
        self.bits.put(bit.into(), 1);
    }

    fn restart(&mut self, number: u8) {
        self.bits.restart(number);
    }

    #[inline(always)]
    fn end_mcu(&mut self) -> Result<()> {
        self.bits.pass_on(self.sink)
    }
}

/// Writes the scans of a picture.
pub(super) struct Scans<'a> {
    picture: Picture<'a>,
    bits: Bits,
    corrections: Vec<u8>,
    /// The restart interval that the file has stated last.
    interval: usize,
}

impl<'a> Scans<'a> {
    /// Prepares the scans of a picture.
    ///
    /// # Errors
    /// `Limit`.
    pub(super) fn new(picture: Picture<'a>, budget: &Budget) -> Result<Self> {
        Ok(Self { picture, bits: Bits::new(budget)?, corrections: Vec::with_capacity(1000), interval: 0 })
    }

    /// Returns the bits that a scan takes, without its tables' and its header's.
    ///
    /// # Errors
    /// None.
    pub(super) fn cost(&mut self, step: &Step) -> Result<u64> {
        let counter = self.count(step)?;
        let tables = counter.frequencies.iter().map(|counts| {
            let table = Table::new(counts);
            // A table takes 17 bytes, and one for each symbol.
            let codes =
                (0..=255).zip(counts).map(|(symbol, &count)| u64::from(count) * u64::from(table.code(symbol).1));
            8 * (21 + table.symbols.len() as u64) + codes.sum::<u64>()
        });
        Ok(counter.bits + tables.sum::<u64>())
    }

    /// Writes a scan with its tables.
    ///
    /// # Errors
    /// `Io`.
    pub(super) fn write(&mut self, step: &Step, sink: &mut dyn ByteSink) -> Result<()> {
        let tables = self.count(step)?.frequencies.map(|counts| Table::new(&counts));
        self.begin(step, &tables, sink)?;
        let Self { picture, bits, corrections, .. } = self;
        let mut writer = Writer { tables, bits, sink };
        Coder::new(picture, step, corrections, &mut writer).run()?;
        self.bits.finish(sink)
    }

    fn count(&mut self, step: &Step) -> Result<Counter> {
        let mut counter = Counter { frequencies: [[0; 256]; 2], bits: 0 };
        Coder::new(&self.picture, step, &mut self.corrections, &mut counter).run()?;
        Ok(counter)
    }

    /// Writes the tables that the scan uses, a new restart interval, and the scan's header.
    fn begin(&mut self, step: &Step, tables: &[Table; 2], sink: &mut dyn ByteSink) -> Result<()> {
        let count = self.picture.components.len();
        let is_dc = step.component.is_none();
        let kinds = match step.component {
            None if step.high > 0 => 0..0,
            None => 0..count.min(2),
            Some(component) => component.min(1)..component.min(1) + 1,
        };
        for kind in kinds {
            let place = if is_dc { kind } else { 0x10 + kind } as u8;
            write_segment(sink, code::DHT, &[&[place], &tables[kind].counts, &tables[kind].symbols])?;
        }
        let interval = self.picture.interval(step);
        if interval != self.interval {
            self.interval = interval;
            write_segment(sink, code::DRI, &[&(interval as u16).to_be_bytes()])?;
        }
        let components = step.component.map_or(0..count, |component| component..component + 1);
        let mut header = vec![components.len() as u8];
        for component in components {
            let kind = component.min(1) as u8;
            let tables = if !is_dc {
                kind
            } else if step.high == 0 {
                kind << 4
            } else {
                0
            };
            header.extend([component as u8 + 1, tables]);
        }
        header.extend([step.first, step.last, step.high << 4 | step.low]);
        write_segment(sink, code::SOS, &[&header])
    }
}

impl Picture<'_> {
    /// Returns the number of MCUs of a scan between restart markers.
    fn interval(&self, step: &Step) -> usize {
        // A scan of one component has an MCU for each block in the picture.
        let single = step.component.or((self.components.len() == 1).then_some(0));
        let across = single.map_or(self.mcus.0, |component| self.components[component].blocks.0);
        (across * usize::from(self.restart_rows)).min(0xFFFF)
    }
}

/// Codes one scan.
struct Coder<'a, O> {
    picture: &'a Picture<'a>,
    step: &'a Step,
    output: &'a mut O,
    /// The number of blocks without further coefficients that are not coded yet.
    run: u32,
    /// The correction bits of these blocks.
    corrections: &'a mut Vec<u8>,
    /// The number of MCUs between restart markers, and up to the next one.
    interval: usize,
    left: usize,
    /// The number of restart markers so far.
    restarts: u8,
}

impl<'a, O: Output> Coder<'a, O> {
    fn new(picture: &'a Picture<'a>, step: &'a Step, corrections: &'a mut Vec<u8>, output: &'a mut O) -> Self {
        corrections.clear();
        let interval = picture.interval(step);
        Self { picture, step, output, run: 0, corrections, interval, left: interval, restarts: 0 }
    }

    fn run(mut self) -> Result<()> {
        let Some(component) = self.step.component else { return self.dc() };
        let store = &self.picture.stores[component];
        let mut blocks = store.blocks();
        for _ in 0..store.dc().len() {
            self.begin_mcu();
            let block = blocks.next();
            if self.step.high == 0 {
                self.first_bits(component, block)
            } else {
                self.next_bit(component, block)
            }
            self.output.end_mcu()?;
        }
        self.end_run(component.min(1));
        Ok(())
    }

    /// Writes a restart marker where one is due; returns whether it did.
    #[inline(always)]
    fn begin_mcu(&mut self) -> bool {
        if self.interval == 0 {
            return false;
        }
        let is_due = self.left == 0;
        if is_due {
            self.end_run(self.step.component.unwrap_or(0).min(1));
            self.output.restart(self.restarts);
            self.restarts = (self.restarts + 1) % 8;
            self.left = self.interval;
        }
        self.left -= 1;
        is_due
    }

    /// Codes the first coefficients of all components. A block outside the picture equals the previous block.
    fn dc(&mut self) -> Result<()> {
        let mut values = [0; 3];
        let mut predictions = [0; 3];
        for y in 0..self.picture.mcus.1 {
            for x in 0..self.picture.mcus.0 {
                if self.begin_mcu() {
                    predictions = [0; 3];
                }
                for (i, component) in self.picture.components.iter().enumerate() {
                    let dc = self.picture.stores[i].dc();
                    let (across, down) = component.factors;
                    for place in 0..across * down {
                        let (x, y) = (x * across + place % across, y * down + place / across);
                        if x < component.blocks.0 && y < component.blocks.1 {
                            values[i] = i32::from(dc[y * component.blocks.0 + x]) >> self.step.low;
                        }
                        self.dc_value(i.min(1), values[i], &mut predictions[i]);
                    }
                }
                self.output.end_mcu()?;
            }
        }
        Ok(())
    }

    /// Codes the first bits of a first coefficient, or its next bit.
    #[inline(always)]
    fn dc_value(&mut self, table: usize, value: i32, prediction: &mut i32) {
        if self.step.high > 0 {
            self.output.bit(value as u8 & 1);
            return;
        }
        let Coded { symbol, bits } = Coded::new(0, value - *prediction);
        self.output.symbol(table, symbol, bits, symbol.into());
        *prediction = value;
    }

    /// Codes the first bits of a block's coefficients (G.1.2.2).
    #[inline(always)]
    fn first_bits(&mut self, component: usize, block: &[Coefficient]) {
        let table = component.min(1);
        let &Step { first, last, low, .. } = self.step;
        let mut before = first - 1;
        for &Coefficient { place, value } in block {
            let magnitude = i32::from(value.unsigned_abs() >> low);
            if magnitude == 0 || place < first {
                continue;
            }
            if place > last {
                break;
            }
            self.end_run(table);
            let mut zeros = place - before - 1;
            while zeros > 15 {
                self.output.symbol(table, ZEROS, 0, 0);
                zeros -= 16;
            }
            let Coded { symbol, bits } = Coded::new(zeros, if value < 0 { -magnitude } else { magnitude });
            self.output.symbol(table, symbol, bits, u32::from(symbol & 15));
            before = place;
        }
        if before < last {
            self.run += 1;
            if self.run == MOST_BLOCKS {
                self.end_run(table);
            }
        }
    }

    /// Codes the next bit of a block's coefficients (G.1.2.3): a symbol for each coefficient that was 0 so far, and
    /// behind it a correction bit for each of the others that it skips.
    #[inline(always)]
    fn next_bit(&mut self, component: usize, block: &[Coefficient]) {
        let table = component.min(1);
        let &Step { first, last, low, .. } = self.step;
        let magnitude = |value: i16| value.unsigned_abs() >> low;
        let is_new =
            |&Coefficient { place, value }: &Coefficient| magnitude(value) == 1 && place >= first && place <= last;
        let end = block.iter().copied().rfind(is_new).map_or(0, |coefficient| coefficient.place);
        let mut before = first - 1;
        let mut zeros = 0;
        // The correction bits in front of this index belong to the blocks before.
        let mut own = self.corrections.len();
        for &Coefficient { place, value } in block {
            if magnitude(value) == 0 || place < first {
                continue;
            }
            if place > last {
                break;
            }
            zeros += place - before - 1;
            before = place;
            while zeros > 15 && place <= end {
                own = self.end_run_before(table, own);
                self.output.symbol(table, ZEROS, 0, 0);
                zeros -= 16;
                own = self.correct(own);
            }
            if magnitude(value) > 1 {
                self.corrections.push(magnitude(value) as u8 & 1);
                continue;
            }
            own = self.end_run_before(table, own);
            self.output.symbol(table, zeros << 4 | 1, u32::from(value > 0), 1);
            own = self.correct(own);
            zeros = 0;
        }
        if zeros + (last - before) > 0 || self.corrections.len() > own {
            self.run += 1;
            if self.run == MOST_BLOCKS || self.corrections.len() > MOST_CORRECTIONS {
                self.end_run(table);
            }
        }
    }

    /// Codes the run of blocks before the current one, whose correction bits begin at `own`; returns where they begin
    /// then.
    fn end_run_before(&mut self, table: usize, own: usize) -> usize {
        if self.run == 0 {
            return own;
        }
        let size = self.run.ilog2();
        self.output.symbol(table, (size as u8) << 4, self.run & ((1 << size) - 1), size);
        self.run = 0;
        self.corrections.drain(..own).for_each(|bit| self.output.bit(bit));
        0
    }

    /// Codes the correction bits from `own` on; returns the number of bits that are left.
    fn correct(&mut self, own: usize) -> usize {
        self.corrections.drain(own..).for_each(|bit| self.output.bit(bit));
        own
    }

    /// Codes the run of blocks, if there is one, with all correction bits.
    fn end_run(&mut self, table: usize) {
        self.end_run_before(table, self.corrections.len());
    }
}
