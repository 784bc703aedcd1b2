//! LZW as GIF has it (GIF89a, appendix F): codes of variable length, the first in the lowest bits, in sub-blocks of up
//! to 255 bytes.

use raster::{ByteSource, Cursor, Result};

/// Entries of the largest table: codes have at most 12 bits.
const ENTRIES: usize = 1 << MAX_WIDTH;

/// Bits of the longest code.
const MAX_WIDTH: u32 = 12;

/// Bits of the longest literals that are read. The format allows 8; some old files have more, of which only the lower 8
/// count.
const MAX_LITERAL: u8 = 11;

/// Room for the longest string, in whole pieces and with one more index.
const STRING: usize = ENTRIES + PIECE;

/// Indices in a piece of a string.
const PIECE: usize = 8;

/// An entry: a string of indices, in pieces. All pieces but the last are whole.
#[derive(Clone, Copy, Default)]
struct Entry {
    /// The last piece.
    last: [u8; PIECE],
    /// The entry with the pieces before, if there are any.
    prefix: u16,
    /// The number of indices.
    length: u16,
}

impl Entry {
    /// Returns the string of this entry, whose code is given, with one more index.
    fn with(mut self, code: u16, index: u8) -> Self {
        let used = usize::from(self.length) % PIECE;
        if used == 0 {
            self.prefix = code;
        }
        self.last[used] = index;
        Self { length: self.length + 1, ..self }
    }
}

/// The palette indices of one frame.
pub(crate) struct Indices<'a> {
    codes: Codes<'a>,
    table: Vec<Entry>,
    /// The code that empties the table; the code behind it ends the data.
    clear: u16,
    /// Bits of the next code.
    width: u32,
    /// The entry that is made next.
    next: u16,
    /// The code before; nothing behind a clear code.
    before: Option<u16>,
    /// A string that did not fit into the row. Its indices from `given` to `end` are still to be handed out.
    string: Vec<u8>,
    given: usize,
    end: usize,
    ended: bool,
}

impl<'a> Indices<'a> {
    /// Bytes of memory that a decoder takes.
    pub(crate) const MEMORY: u64 = (ENTRIES * size_of::<Entry>() + STRING + raster::bytes::WINDOW) as u64;

    /// The indices in the data from `offset` on, where the size of literals stands. No indices where that is invalid.
    pub(crate) fn new(source: &'a dyn ByteSource, offset: u64) -> Result<Self> {
        let mut cursor = Cursor::new(source, offset);
        let bits = cursor.read_byte()?.unwrap_or(0);
        let is_valid = (1..=MAX_LITERAL).contains(&bits);
        let clear = 1 << if is_valid { bits } else { 1 };
        let mut table = vec![Entry::default(); ENTRIES];
        for (literal, entry) in table[..usize::from(clear)].iter_mut().enumerate() {
            *entry = Entry::default().with(0, literal as u8);
        }
        let mut indices = Self {
            codes: Codes { cursor, block: [0; 255], filled: 0, at: 0, bits: 0, count: 0 },
            table,
            clear,
            width: 0,
            next: 0,
            before: None,
            string: vec![0; STRING],
            given: 0,
            end: 0,
            ended: !is_valid,
        };
        indices.reset();
        Ok(indices)
    }

    /// Fills `into` with the next indices. Returns how many there were, which are fewer only at the end of the data or
    /// where they are damaged.
    pub(crate) fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        let ready = &self.string[self.given..self.end];
        let mut done = ready.len().min(into.len());
        into[..done].copy_from_slice(&ready[..done]);
        self.given += done;
        while done < into.len() {
            let Some(length) = self.next_string(&mut into[done..])? else { break };
            done += length;
        }
        Ok(done)
    }

    /// Reads codes up to the next that stands for indices, and writes these. Returns how many of them `into` has room
    /// for, or nothing at the end of the data and where they are damaged.
    fn next_string(&mut self, into: &mut [u8]) -> Result<Option<usize>> {
        while !self.ended {
            match self.codes.next(self.width)? {
                Some(code) if code == self.clear => self.reset(),
                Some(code) if code != self.clear + 1 && self.known(code).is_some() => return Ok(self.take(code, into)),
                _ => self.ended = true,
            }
        }
        Ok(None)
    }

    fn reset(&mut self) {
        self.next = self.clear + 2;
        self.width = u32::from(self.clear).ilog2() + 1;
        self.before = None;
    }

    /// Returns the entry with the string of a code, or with all of it but its last index, which is the first again: a
    /// code can stand for the entry that it makes itself. Nothing for a code that has no meaning yet.
    fn known(&self, code: u16) -> Option<u16> {
        match self.before {
            None => (code < self.clear).then_some(code),
            Some(_) if code < self.next => Some(code),
            Some(before) => (code == self.next && usize::from(code) < ENTRIES).then_some(before),
        }
    }

    /// Writes the indices of a code, and makes the entry that follows from it. Returns how many `into` has room for.
    fn take(&mut self, code: u16, into: &mut [u8]) -> Option<usize> {
        let known = self.known(code)?;
        let mut length = usize::from(self.table[usize::from(known)].length);
        let fits = length + PIECE <= into.len();
        let string = if fits { &mut *into } else { &mut self.string };
        unroll(&self.table, known, string);
        let first = string[0];
        if known != code {
            string[length] = first;
            length += 1;
        }
        if let Some(before) = self.before.filter(|_| usize::from(self.next) < ENTRIES) {
            self.table[usize::from(self.next)] = self.table[usize::from(before)].with(before, first);
            self.next += 1;
            // A full table stays as it is, with codes of 12 bits, until it is emptied.
            if self.next >= 1 << self.width && self.width < MAX_WIDTH {
                self.width += 1;
            }
        }
        self.before = Some(code);
        if fits {
            return Some(length);
        }
        (self.given, self.end) = (length.min(into.len()), length);
        into[..self.given].copy_from_slice(&self.string[..self.given]);
        Some(self.given)
    }
}

/// Writes the string of an entry, and up to [`PIECE`] - 1 bytes behind it.
#[inline(always)]
fn unroll(table: &[Entry], code: u16, string: &mut [u8]) {
    let mut entry = &table[usize::from(code)];
    let pieces = usize::from(entry.length).div_ceil(PIECE);
    for piece in string.as_chunks_mut::<PIECE>().0[..pieces].iter_mut().rev() {
        *piece = entry.last;
        entry = &table[usize::from(entry.prefix)];
    }
}

/// The codes in a chain of sub-blocks.
struct Codes<'a> {
    cursor: Cursor<&'a dyn ByteSource>,
    /// The current sub-block, of which `at..filled` are still to be read.
    block: [u8; 255],
    filled: usize,
    at: usize,
    /// The `count` bits that were read and not used, the next in the lowest.
    bits: u32,
    count: u32,
}

impl Codes<'_> {
    /// The next `width` bits, at most 12; nothing at the end of the data.
    #[inline]
    fn next(&mut self, width: u32) -> Result<Option<u16>> {
        while self.count < width {
            if self.at == self.filled && !self.next_block()? {
                return Ok(None);
            }
            self.bits |= u32::from(self.block[self.at]) << self.count;
            self.at += 1;
            self.count += 8;
        }
        let code = self.bits & ((1 << width) - 1);
        self.bits >>= width;
        self.count -= width;
        Ok(Some(code as u16))
    }

    /// Reads the next sub-block, as far as it is there. False at the end of the data.
    #[cold]
    fn next_block(&mut self) -> Result<bool> {
        let length = usize::from(self.cursor.read_byte()?.unwrap_or(0));
        self.at = 0;
        self.filled = self.cursor.read_full(&mut self.block[..length])?;
        Ok(self.filled > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Data with literals of `bits` bits and codes of the given lengths.
    fn data(bits: u8, codes: &[(u32, u32)]) -> Vec<u8> {
        let (mut bytes, mut held, mut count) = (Vec::new(), 0_u64, 0);
        for (code, width) in codes {
            held |= u64::from(*code) << count;
            count += width;
            while count >= 8 {
                bytes.push(held as u8);
                held >>= 8;
                count -= 8;
            }
        }
        bytes.push(held as u8);
        let mut data = vec![bits];
        for block in bytes.chunks(3) {
            data.push(block.len() as u8);
            data.extend(block);
        }
        data.push(0);
        data
    }

    fn read(data: &[u8], most: usize) -> Vec<u8> {
        let source: &dyn ByteSource = &data;
        let mut indices = Indices::new(source, 0).unwrap();
        let (mut all, mut piece) = (Vec::new(), [0; 3]);
        while all.len() < most {
            let n = indices.read(&mut piece).unwrap();
            all.extend(&piece[..n]);
            if n < piece.len() {
                break;
            }
        }
        all
    }

    #[test]
    fn strings_grow_and_codes_with_them() {
        // Clear, 1, then twice the entry that the code itself makes: 1, 1 1, 1 1 1.
        let codes = [(4, 3), (1, 3), (6, 3), (7, 3), (2, 4), (5, 4)];
        assert_eq!(read(&data(2, &codes), 99), [1, 1, 1, 1, 1, 1, 2]);
    }

    #[test]
    fn literals_of_one_bit_begin_with_codes_of_two() {
        assert_eq!(read(&data(1, &[(2, 2), (0, 2), (1, 2), (4, 3), (3, 3)]), 99), [0, 1, 0, 1]);
    }

    #[test]
    fn damage_ends_the_indices_and_keeps_those_before() {
        // A code beyond the next entry; one beyond the literals right after a clear code.
        assert_eq!(read(&data(2, &[(4, 3), (3, 3), (7, 3)]), 99), [3]);
        assert_eq!(read(&data(2, &[(4, 3), (6, 3)]), 99), []);
        for bits in [0, 12, 143] {
            assert_eq!(read(&data(bits, &[(4, 3), (3, 3)]), 99), []);
        }
        let sound = data(2, &[(4, 3), (1, 3), (6, 3), (7, 3), (2, 4), (5, 4)]);
        for end in 0..sound.len() {
            assert!([1, 1, 1, 1, 1, 1, 2].starts_with(&read(&sound[..end], 99)));
        }
    }

    #[test]
    fn a_full_table_stays_and_its_codes_keep_twelve_bits() {
        let mut codes = vec![(4, 3), (0, 3)];
        // Each code continues the one before until entry 4095 is made.
        codes.extend((6..4096_u32).map(|code| (code, (code + 1).next_power_of_two().ilog2().clamp(3, 12))));
        codes.extend([(3, 12), (4095, 12), (5, 12)]);
        let indices = read(&data(2, &codes), usize::MAX);
        let grown = 1 + (2..=4091).sum::<usize>();
        assert_eq!(indices.len(), grown + 1 + 4091);
        assert_eq!(indices[grown], 3);
        assert_eq!(indices.iter().filter(|&&index| index != 0).count(), 1);
    }
}
