//! The fax codes (ITU-T T.4, T.6; TIFF 6.0 §10, §11). The code tables are those of the `fax` crate. Its readers are not
//! used, because they do not support two-dimensional group 3, rows without end-of-line codes, and rows that end at an
//! error. Lines are bits, 1 for black.
//!
//! A row is a list of changes: the columns where white turns to black and black to white, in turn. Two-dimensional
//! codes give each change by its distance from a change in the row above, therefore both lists are kept.

use fax::maps::{Mode, black, mode, white};
use raster::{Budget, Result};

use super::decompress::{Decompress, Segment};
use crate::decode::input::Input;
use crate::error::{Cause, is_damage};

/// What separates the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rows {
    /// Nothing: each row starts at a byte, or at a word of 16 bits.
    Runs { words: bool },
    /// End-of-line codes. If rows may be two-dimensional, a bit after the code states how the row is coded.
    Group3 { two_dimensional: bool },
    /// Nothing at all.
    Group4,
}

/// The number of changes that a row may have in addition to one for each pixel: empty runs at its start and its end.
const MORE: u64 = 4;

pub(super) struct Fax<'a> {
    bits: Bits<'a>,
    rows: Rows,
    width: u32,
    /// The changes of the row above.
    above: Vec<u32>,
    /// The changes of the current row.
    current: Vec<u32>,
}

impl<'a> Fax<'a> {
    pub(super) fn new(input: Input<'a>, rows: Rows, width: u32, budget: &Budget) -> Result<Self> {
        let changes = || budget.reserved(u64::from(width) + MORE);
        Ok(Self { above: changes()?, current: changes()?, bits: Bits::new(input), rows, width })
    }

    /// Returns the bytes that [`Fax::new`] charges.
    pub(super) fn memory(width: u32) -> u64 {
        2 * (u64::from(width) + MORE) * size_of::<u32>() as u64
    }

    /// Reads a row's changes into `current`.
    fn row(&mut self) -> Result<()> {
        match self.rows {
            Rows::Runs { words } => {
                self.bits.align(if words { 16 } else { 8 });
                self.one_dimensional()
            }
            Rows::Group4 => self.two_dimensional(),
            Rows::Group3 { two_dimensional } => {
                self.bits.skip_end_of_line()?;
                let is_plain = !two_dimensional || self.bits.take(1)? == 1;
                let done = if is_plain { self.one_dimensional() } else { self.two_dimensional() };
                match done {
                    // A damaged row is shown up to the damage; the rows after the next end-of-line code are right
                    // again.
                    Err(error) if is_damage(&error) && !self.bits.at_end() => self.bits.seek_end_of_line(),
                    done => done,
                }
            }
        }
    }

    /// Reads a row of T.4 §4.1: runs of white and black in turn, white first.
    fn one_dimensional(&mut self) -> Result<()> {
        let mut at = 0;
        let mut is_black = false;
        while at < self.width {
            at = at.saturating_add(self.bits.run(is_black)?).min(self.width);
            self.push(at)?;
            is_black = !is_black;
        }
        Ok(())
    }

    /// Reads a row of T.4 §4.2, T.6 §2.2: changes by their distance from those of the row above.
    fn two_dimensional(&mut self) -> Result<()> {
        // a0 is the change before the next one; at first it is an imaginary white pixel left of the row.
        let mut a0: i64 = -1;
        // The colour to the right of a0.
        let mut is_black = false;
        // The index of b1 in the row above. It moves little from code to code, so the search starts at its last value.
        let mut b = 0;
        while a0 < i64::from(self.width) {
            let mode = self.bits.mode()?;
            // b1 is the first change above that lies right of a0 and turns to the opposite of a0's colour. Changes of
            // even index turn to black. A vertical code can move a0 to the left, hence the step back.
            while b > 0 && self.change(b - 1) > a0 {
                b -= 1;
            }
            while self.change(b) <= a0 && self.change(b) < i64::from(self.width) || (b % 2 == 1) != is_black {
                b += 1;
            }
            let b1 = self.change(b);
            match mode {
                Mode::Pass => a0 = self.change(b + 1),
                Mode::Vertical(delta) => {
                    let a1 = b1 + i64::from(delta);
                    if a1 < a0.max(0) || a1 > i64::from(self.width) {
                        return Err(self.bits.bad("a change outside of its row"));
                    }
                    self.push(a1 as u32)?;
                    is_black = !is_black;
                    a0 = a1;
                }
                Mode::Horizontal => {
                    let mut at = a0.max(0) as u32;
                    for color in [is_black, !is_black] {
                        at = at.saturating_add(self.bits.run(color)?).min(self.width);
                        self.push(at)?;
                    }
                    a0 = at.into();
                }
                Mode::Extension => return Err(self.bits.bad("uncompressed mode")),
                Mode::EOF => return Err(Cause::DataEnds.at(self.bits.input.position())),
            }
        }
        Ok(())
    }

    /// Returns the change at `index` in the row above; behind the last change it is the row's end.
    fn change(&self, index: usize) -> i64 {
        self.above.get(index).copied().unwrap_or(self.width).into()
    }

    /// Adds a change. Rows of empty runs could have more changes than pixels, which is an error.
    fn push(&mut self, at: u32) -> Result<()> {
        if self.current.len() as u64 == u64::from(self.width) + MORE {
            return Err(self.bits.bad("more runs than pixels"));
        }
        self.current.push(at);
        Ok(())
    }
}

impl Decompress for Fax<'_> {
    fn begin(&mut self, segment: &Segment) -> Result<()> {
        self.bits.begin(segment);
        self.above.clear();
        Ok(())
    }

    fn fill(&mut self, line: &mut [u8]) -> Result<()> {
        self.current.clear();
        let done = self.row();
        line.fill(0);
        for pair in self.current.chunks(2) {
            blacken(line, pair[0], pair.get(1).copied().unwrap_or(self.width));
        }
        core::mem::swap(&mut self.above, &mut self.current);
        done
    }
}

/// Sets the bits from `from` to `to`.
fn blacken(line: &mut [u8], from: u32, to: u32) {
    if from >= to {
        return;
    }
    let (first, last) = (from as usize / 8, (to - 1) as usize / 8);
    // The bits of the first byte from `from` on, and the bits of the last byte up to `to`.
    let (head, tail) = (0xFF_u8 >> (from % 8), 0xFF_u8 << (7 - (to - 1) % 8));
    if first == last {
        line[first] |= head & tail;
        return;
    }
    line[first] |= head;
    line[first + 1..last].fill(0xFF);
    line[last] |= tail;
}

/// The bits of a segment, the highest of each byte first. The tables of codes look up to 13 bits ahead; behind the end
/// they read zeros.
struct Bits<'a> {
    input: Input<'a>,
    /// The next bits, from the highest bit down.
    buffer: u64,
    /// The number of bits in the buffer; negative when more were taken than the segment has.
    count: i32,
    /// Bits taken since the segment's start.
    taken: u64,
}

impl<'a> Bits<'a> {
    const fn new(input: Input<'a>) -> Self {
        Self { input, buffer: 0, count: 0, taken: 0 }
    }

    fn begin(&mut self, segment: &Segment) {
        self.input.enter(segment.span.at, segment.span.len);
        (self.buffer, self.count, self.taken) = (0, 0, 0);
    }

    /// Fills the buffer with at least 32 bits, unless the segment ends before.
    fn refill(&mut self) -> Result<()> {
        while self.count <= 32 {
            let Some(byte) = self.input.read_byte()? else { break };
            // The new byte follows the `count` highest bits.
            self.buffer |= u64::from(byte) << (56 - self.count.max(0));
            self.count = self.count.max(0) + 8;
        }
        // A code that extended beyond the end contained zeros that the segment does not have.
        if self.count < 0 {
            return Err(Cause::DataEnds.at(self.input.position()));
        }
        Ok(())
    }

    fn at_end(&self) -> bool {
        self.count <= 0 && self.input.left() == 0
    }

    fn bad(&self, why: &str) -> raster::Error {
        Cause::Data(why.into()).at(self.input.position())
    }

    fn drop(&mut self, bits: u32) {
        self.buffer = self.buffer.checked_shl(bits).unwrap_or(0);
        self.count -= bits as i32;
        self.taken += u64::from(bits);
    }

    fn take(&mut self, bits: u32) -> Result<u64> {
        self.refill()?;
        let value = self.buffer >> (64 - bits);
        self.drop(bits);
        Ok(value)
    }

    /// Advances to the next multiple of `unit` bits.
    fn align(&mut self, unit: u64) {
        let over = (unit - self.taken % unit) % unit;
        self.drop(over as u32);
    }

    /// Reads a run's length (T.4 tables 2 and 3): codes of multiples of 64, then one code below 64.
    fn run(&mut self, is_black: bool) -> Result<u32> {
        let mut length = 0_u32;
        loop {
            self.refill()?;
            let code = if is_black { black::decode(self) } else { white::decode(self) };
            let part = code.ok_or_else(|| self.bad("a run that does not exist"))?;
            length = length.saturating_add(part.into());
            if part < 64 {
                return Ok(length);
            }
        }
    }

    fn mode(&mut self) -> Result<Mode> {
        self.refill()?;
        mode::decode(self).ok_or_else(|| self.bad("a mode that does not exist"))
    }

    /// Skips end-of-line codes and the fill bits before them, if there are any: no row starts with eleven zeros.
    fn skip_end_of_line(&mut self) -> Result<()> {
        self.refill()?;
        if self.buffer >> 53 == 0 {
            self.seek_end_of_line()?;
        }
        Ok(())
    }

    /// Advances behind the next end-of-line code: eleven zeros or more, then a one.
    fn seek_end_of_line(&mut self) -> Result<()> {
        let mut zeros = 0;
        loop {
            if self.at_end() {
                return Err(Cause::DataEnds.at(self.input.position()));
            }
            match self.take(1)? {
                0 => zeros += 1,
                _ if zeros >= 11 => return Ok(()),
                _ => zeros = 0,
            }
        }
    }
}

/// Required by the tables of the `fax` crate.
impl fax::BitReader for Bits<'_> {
    type Error = core::convert::Infallible;

    fn peek(&self, bits: u8) -> Option<u16> {
        Some((self.buffer >> (64 - u32::from(bits))) as u16)
    }

    fn consume(&mut self, bits: u8) -> core::result::Result<(), Self::Error> {
        self.drop(bits.into());
        Ok(())
    }

    fn bits_to_byte_boundary(&self) -> u8 {
        ((8 - self.taken % 8) % 8) as u8
    }
}

#[cfg(test)]
mod tests {
    use fax::{BitWriter, VecWriter};
    use raster::Limits;
    use testkit::generate::Lcg;

    use super::*;
    use crate::decode::grid::Span;
    use crate::decode::input::input;

    const WIDTH: u32 = 6000;

    /// Returns random runs: short ones, long ones that take several codes, and rows that are all white.
    fn runs(random: &mut Lcg) -> Vec<u32> {
        let mut left = WIDTH;
        let mut runs = Vec::new();
        while left > 0 {
            let most = [4, 70, 3000, WIDTH][random.below(4) as usize];
            let run = random.below(most + 1).min(left);
            // Only the first run may be empty.
            if run > 0 || runs.is_empty() {
                runs.push(run);
                left -= run;
            }
        }
        runs
    }

    fn write(writer: &mut VecWriter, runs: &[u32]) {
        for (i, &run) in runs.iter().enumerate() {
            let encode = if i % 2 == 0 { white::encode } else { black::encode };
            let mut rest = run;
            while rest >= 64 {
                let part = (rest / 64 * 64).min(2560);
                writer.write(encode(part as u16).unwrap()).unwrap();
                rest -= part;
            }
            writer.write(encode(rest as u16).unwrap()).unwrap();
        }
    }

    fn painted(runs: &[u32]) -> Vec<u8> {
        let mut line = vec![0; WIDTH as usize / 8];
        let mut at = 0;
        for (i, run) in runs.iter().enumerate() {
            if i % 2 == 1 {
                (at..at + run).for_each(|x| line[x as usize / 8] |= 0x80 >> (x % 8));
            }
            at += run;
        }
        line
    }

    #[test]
    fn rows_of_runs_start_at_bytes_or_words() {
        for words in [false, true] {
            let mut random = Lcg::new(7);
            let rows: Vec<_> = (0..200).map(|_| runs(&mut random)).collect();
            let mut code = Vec::new();
            for row in &rows {
                let mut writer = VecWriter::new();
                write(&mut writer, row);
                code.extend(writer.finish());
                if words && code.len() % 2 == 1 {
                    code.push(0);
                }
            }
            let budget = Budget::new(&Limits { memory: 1 << 20 });
            let input = input(&code, false, &budget).unwrap();
            let mut fax = Fax::new(input, Rows::Runs { words }, WIDTH, &budget).unwrap();
            let span = Span { at: 0, len: code.len() as u64 };
            fax.begin(&Segment { span, width: WIDTH, rows: 200, bytes: 0 }).unwrap();
            let mut line = vec![0; WIDTH as usize / 8];
            for (y, row) in rows.iter().enumerate() {
                fax.fill(&mut line).unwrap();
                assert!(line == painted(row), "row {y}, words: {words}");
            }
            assert!(fax.fill(&mut line).is_err(), "the data end");
        }
    }
}
