//! LZW (TIFF 6.0 §13). Files older than TIFF 5 stored codes from the low bit on and widened them one code later. Their
//! first code, a clear code, identifies them, because 256 in nine bits from the low end is 0x00, 0x01.
//!
//! A code's string is always a part of the output since the last clear code: the string of the previous code and one
//! more byte. So the table holds positions in the output instead of chains of bytes, and a string is one copy. Strings
//! of one byte are copied too, from the start of the output buffer, because a processor cannot predict which kind of
//! code comes next. (24 MP with predictor in wasm, 2.9 bytes a string: the reader took 330 ms when bytes were not
//! strings, 223 when they were, 179 with the state in registers; chains through `weezl` took twice the first.)

use raster::{Budget, Result};

use super::decompress::{Decompress, Segment};
use crate::decode::input::Input;
use crate::error::Cause;

const CLEAR: usize = 256;
const END: usize = 257;
const FIRST: usize = 258;
const CODES: usize = 4096;
/// The number of bits of the longest codes.
const LONGEST_CODE: u32 = 12;

/// The number of bytes in the longest string: each string is at most one byte longer than any before it.
const LONGEST: usize = CODES;
/// The start of the output, behind the strings of one byte.
const START: usize = 256;
/// The bytes of output that are allocated at first. Usual encoders clear every 4 000 strings of a few bytes; only runs
/// of one byte need more, up to half the square of 4 096.
const HISTORY: usize = 256 * 1024;

type Strings = [(u32, u32); CODES];

pub(super) struct Lzw<'a> {
    bits: Bits<'a>,
    /// The strings of one byte, then bytes that were not taken at the last clear code, then the output since then.
    output: Vec<u8>,
    /// The position in `output` of the first byte that the caller has not taken.
    taken: usize,
    /// The start and the length of each code's string in the output.
    strings: Box<Strings>,
    table: Table,
    is_done: bool,
    budget: Budget,
}

/// The state of output and strings. It is small enough to stay in registers while [`Lzw::burst`] runs on a copy; with a
/// reference, each byte of output would force it back to memory.
#[derive(Clone, Copy)]
struct Table {
    /// The end of the output.
    end: usize,
    /// The next code to be defined.
    next: usize,
    /// The previous string; empty behind a clear code.
    last: (u32, u32),
    /// When the table is full: the end of the output that contains its strings.
    full_at: usize,
}

impl<'a> Lzw<'a> {
    /// The bytes that [`Lzw::new`] charges.
    pub(super) const MEMORY: u64 = (size_of::<Strings>() + START + HISTORY + 2 * LONGEST) as u64;

    pub(super) fn new(input: Input<'a>, budget: &Budget) -> Result<Self> {
        budget.charge(size_of::<Strings>() as u64)?;
        let mut output = budget.filled((START + HISTORY + 2 * LONGEST) as u64, 0)?;
        output.iter_mut().zip(0..=255).for_each(|(byte, value)| *byte = value);
        Ok(Self {
            bits: Bits { input, buffer: 0, count: 0, is_old: false },
            output,
            taken: START,
            strings: Box::new(core::array::from_fn(|code| (code as u32, 1))),
            table: Table::empty(START),
            is_done: false,
            budget: budget.clone(),
        })
    }

    /// Removes all strings and all output that was taken.
    fn clear(&mut self) {
        let end = self.table.end;
        self.output.copy_within(self.taken..end, START);
        self.table = Table::empty(START + end - self.taken);
        self.taken = START;
    }

    /// Returns the number of bytes that are decoded and not taken.
    const fn ready(&self) -> usize {
        self.table.end - self.taken
    }

    /// Decodes strings until `want` bytes are ready or the data end.
    fn decode(&mut self, want: usize) -> Result<()> {
        while self.ready() < want && !self.is_done {
            if self.output.len() - self.table.end < 2 * LONGEST {
                self.make_room()?;
            }
            if !self.bits.is_old {
                self.burst(want)?;
            }
            if self.ready() < want {
                self.step()?;
            }
        }
        Ok(())
    }

    /// Decodes the next code.
    fn step(&mut self) -> Result<()> {
        let Some(code) = self.bits.take(self.table.width(self.bits.is_old))? else {
            self.is_done = true;
            return Ok(());
        };
        match code as usize {
            CLEAR => self.clear(),
            END => self.is_done = true,
            code if self.table.string(code, &mut self.output, &mut self.strings) => {}
            _ => return Err(Cause::Data(format!("code {code} is not defined")).at(self.bits.input.position())),
        }
        Ok(())
    }

    /// Decodes strings in a tight loop. It ends at `want` bytes, at a code that is not a string, at the end of the
    /// reserved space, or at the end of the input's window. [`Lzw::step`] handles the code that ended it.
    fn burst(&mut self, want: usize) -> Result<()> {
        let bytes = self.bits.input.peek()?;
        let (output, strings) = (&mut self.output[..], &mut *self.strings);
        let (mut buffer, mut count, mut at) = (self.bits.buffer, self.bits.count, 0);
        let mut table = self.table;
        let stop = (self.taken + want).min(output.len() - 2 * LONGEST);
        while table.end < stop {
            if count < LONGEST_CODE {
                let Some(&four) = bytes.get(at..).and_then(|rest| rest.first_chunk()) else { break };
                // Fewer than 12 bits are in the buffer, therefore 32 more fit behind them.
                buffer |= u64::from(u32::from_be_bytes(four)) << (32 - count);
                count += 32;
                at += 4;
            }
            let width = table.width(false);
            let code = (buffer >> (64 - width)) as usize;
            if matches!(code, CLEAR | END) || !table.string(code, output, strings) {
                break;
            }
            buffer <<= width;
            count -= width;
        }
        self.table = table;
        (self.bits.buffer, self.bits.count) = (buffer, count);
        self.bits.input.advance(at);
        Ok(())
    }

    /// Makes space for another string behind the output. The strings of a full table lie in a part that no longer
    /// grows; otherwise codes may still refer to all of the output.
    #[cold]
    fn make_room(&mut self) -> Result<()> {
        let Table { end, next, full_at, .. } = self.table;
        if next == CODES && full_at < self.taken {
            self.output.copy_within(self.taken..end, full_at);
            self.table.end -= self.taken - full_at;
            self.taken = full_at;
        }
        if self.output.len() - self.table.end < 2 * LONGEST {
            // While the output grows, its old and its new bytes are held.
            let old_len = self.output.len();
            let old = self.budget.scope();
            old.charge(old_len as u64)?;
            self.budget.charge(old_len as u64)?;
            self.output.resize(2 * old_len, 0);
        }
        Ok(())
    }
}

impl Table {
    /// Creates a table with the strings of one byte only.
    const fn empty(end: usize) -> Self {
        Self { end, next: FIRST, last: (0, 0), full_at: 0 }
    }

    /// Returns the width of the next code. It grows when the table is full up to the codes of one bit less, or one code
    /// earlier in files whose widths change early.
    #[inline(always)]
    const fn width(&self, is_old: bool) -> u32 {
        let defined = self.next + !is_old as usize;
        match defined {
            ..512 => 9,
            512..1024 => 10,
            1024..2048 => 11,
            _ => LONGEST_CODE,
        }
    }

    /// Defines the next code, then writes the string of `code`, which may be the code just defined. Returns false and
    /// does nothing when the code is not defined. There must be space for two strings.
    #[inline(always)]
    fn string(&mut self, code: usize, output: &mut [u8], strings: &mut Strings) -> bool {
        let (last, len) = self.last;
        let is_new = len > 0 && self.next < CODES;
        if code >= self.next + usize::from(is_new) {
            return false;
        }
        if is_new {
            strings[self.next] = (last, len + 1);
            self.next += 1;
            self.full_at = self.end + 1;
        }
        // The newest string is the previous string and the first byte written now. If `code` is that newest string,
        // this byte is its own first byte, which is the first byte of the previous string. It must be written before
        // the copy.
        output[self.end] = output[last as usize];
        // The remainder makes the bounds check of the index unnecessary; codes have 12 bits at most.
        let (from, len) = strings[code % CODES];
        copy(output, from as usize, self.end, len as usize);
        self.last = (self.end as u32, len);
        self.end += len as usize;
        true
    }
}

/// Copies a string, eight bytes at a time; bytes written beyond its end are overwritten later.
#[inline(always)]
fn copy(output: &mut [u8], from: usize, to: usize, len: usize) {
    let mut done = 0;
    while done < len {
        let Some(&eight) = output[from + done..].first_chunk::<8>() else { return };
        output[to + done..to + done + 8].copy_from_slice(&eight);
        done += 8;
    }
}

impl Decompress for Lzw<'_> {
    fn begin(&mut self, segment: &Segment) -> Result<()> {
        let mut head = [0xFF; 2];
        self.bits.input.enter(segment.span.at, segment.span.len);
        self.bits.input.read_full(&mut head)?;
        self.bits.input.enter(segment.span.at, segment.span.len);
        (self.bits.buffer, self.bits.count) = (0, 0);
        self.bits.is_old = head[0] == 0 && head[1] & 1 == 1;
        (self.table, self.taken, self.is_done) = (Table::empty(START), START, false);
        Ok(())
    }

    fn fill(&mut self, line: &mut [u8]) -> Result<()> {
        let mut done = 0;
        while done < line.len() {
            // Long lines are taken in parts, so that the output stays in the caches.
            let want = (line.len() - done).min(HISTORY / 4);
            self.decode(want)?;
            let n = self.ready().min(want);
            if n == 0 {
                return Err(Cause::DataEnds.at(self.bits.input.position()));
            }
            line[done..done + n].copy_from_slice(&self.output[self.taken..self.taken + n]);
            self.taken += n;
            done += n;
        }
        Ok(())
    }
}

/// A reader of codes from the segment's bytes.
struct Bits<'a> {
    input: Input<'a>,
    /// The next bits: from the highest bit down, or from the lowest bit up in old files.
    buffer: u64,
    count: u32,
    is_old: bool,
}

impl Bits<'_> {
    /// Returns the next code, or `None` at the segment's end.
    #[inline(always)]
    fn take(&mut self, width: u32) -> Result<Option<u32>> {
        if self.count < width {
            self.refill()?;
            if self.count < width {
                return Ok(None);
            }
        }
        self.count -= width;
        Ok(Some(if self.is_old {
            let code = self.buffer & ((1 << width) - 1);
            self.buffer >>= width;
            code as u32
        } else {
            let code = self.buffer >> (64 - width);
            self.buffer <<= width;
            code as u32
        }))
    }

    /// Fills the buffer with whole bytes.
    #[inline(always)]
    fn refill(&mut self) -> Result<()> {
        let bytes = self.input.peek()?;
        if let (Some(&four), false) = (bytes.first_chunk::<4>(), self.count > 32) {
            self.buffer |= if self.is_old {
                u64::from(u32::from_le_bytes(four)) << self.count
            } else {
                u64::from(u32::from_be_bytes(four)) << (32 - self.count)
            };
            self.count += 32;
            self.input.advance(4);
            return Ok(());
        }
        while self.count <= 56
            && let Some(byte) = self.input.read_byte()?
        {
            self.buffer |= u64::from(byte) << if self.is_old { self.count } else { 56 - self.count };
            self.count += 8;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::grid::Span;
    use crate::decode::input::input;
    use raster::Limits;
    use weezl::BitOrder;
    use weezl::encode::Encoder;

    fn decode(code: &[u8], len: usize, line: usize) -> Result<Vec<u8>> {
        let budget = Budget::new(&Limits { memory: 32 << 20 });
        let mut lzw = Lzw::new(input(&code, false, &budget)?, &budget)?;
        lzw.begin(&Segment { span: Span { at: 0, len: code.len() as u64 }, width: 1, rows: 1, bytes: len as u64 })?;
        let mut bytes = vec![0; len];
        bytes.chunks_mut(line).try_for_each(|line| lzw.fill(line))?;
        Ok(bytes)
    }

    /// Returns pictures of every kind of redundancy: none, runs, runs long enough for the longest strings, few values.
    fn samples() -> Vec<Vec<u8>> {
        let mut random = testkit::generate::Lcg::new(5);
        vec![
            vec![],
            vec![7],
            vec![0; 3_000_000],
            (0..300_000).map(|_| random.next_byte()).collect(),
            (0..300_000).map(|_| random.next_byte() & 3).collect(),
            (0..300_000).map(|i| (i / 700 * 31 % 251) as u8).collect(),
            b"abababababababab".repeat(5000),
        ]
    }

    #[test]
    fn codes_of_weezl_are_decoded_in_both_bit_orders_and_any_split_of_lines() {
        for sample in samples() {
            let new = Encoder::with_tiff_size_switch(BitOrder::Msb, 8).encode(&sample).unwrap();
            let old = Encoder::new(BitOrder::Lsb, 8).encode(&sample).unwrap();
            for line in [1 + sample.len(), 1000, 17] {
                assert!(decode(&new, sample.len(), line).unwrap() == sample, "{} bytes", sample.len());
                assert!(decode(&old, sample.len(), line).unwrap() == sample, "{} bytes, old", sample.len());
            }
        }
    }

    /// A full table stays unchanged until a clear code, which is optional.
    #[test]
    fn a_full_table_is_used_without_end_in_bounded_memory() {
        let mut bits = Vec::new();
        let mut push = |code: u32, width: u32| bits.extend((0..width).rev().map(|bit| (code >> bit & 1) as u8));
        push(256, 9);
        push(0, 9);
        for next in 258..4095_u32 {
            let width = match next + 1 {
                ..512 => 9,
                512..1024 => 10,
                1024..2048 => 11,
                _ => 12,
            };
            push(next, width);
        }
        let filled: usize = (1..=3838).sum();
        (0..20_000).for_each(|_| push(300, 12));
        let code: Vec<u8> =
            bits.chunks(8).map(|c| c.iter().enumerate().fold(0, |b, (i, bit)| b | bit << (7 - i))).collect();
        let len = filled + 19_999 * 44;
        assert_eq!(decode(&code, len, 100_000).unwrap(), vec![0; len]);
    }

    #[test]
    fn codes_that_were_not_defined_and_an_early_end_are_damage() {
        let code = Encoder::with_tiff_size_switch(BitOrder::Msb, 8).encode(b"some text, some text").unwrap();
        for end in 0..code.len() - 1 {
            assert!(decode(&code[..end], 20, 20).is_err(), "{end}");
        }
        assert!(decode(&[0x80, 0x7F, 0xFF, 0xFF], 9, 9).is_err());
    }
}
