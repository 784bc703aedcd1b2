//! Prefix codes (RFC 9649 §3.7.2): five for each group, for green with lengths and cached colours, red, blue, alpha and
//! distances.

use raster::{Budget, GrowingList, Result};

use super::bits::Bits;

/// The codes of a group.
pub(super) const GREEN: usize = 0;
pub(super) const RED: usize = 1;
pub(super) const BLUE: usize = 2;
pub(super) const ALPHA: usize = 3;
pub(super) const DISTANCE: usize = 4;

/// The number of symbols for lengths of references, which come after the 256 colours.
pub(super) const LENGTHS: usize = 24;
/// The number of symbols of each code. The first one also has the colours of the cache.
const SYMBOLS: [usize; 5] = [256 + LENGTHS, 256, 256, 256, 40];
/// The largest number of symbols: colours, lengths, and a cache of 2¹¹ colours.
const MOST_SYMBOLS: usize = 256 + LENGTHS + (1 << 11);

/// The longest code.
const MAX_LENGTH: usize = 15;
/// The most bits by which the first table of a code is addressed.
const ROOT_BITS: u32 = 8;

/// The lengths of codes are themselves stored with a code. Their lengths come in this order.
const LENGTH_ORDER: [usize; 19] = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
/// The lengths above these repeat the last length or zero.
const REPEATS: usize = 16;
/// The length that is repeated before there is one.
const FIRST_LENGTH: u8 = 8;

/// An entry of a table: a symbol and the length of its code, or the place of a second table and the length of all codes
/// up to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Entry {
    /// The symbol, or the distance of the second table from the first.
    value: u16,
    /// The bits of the code. Above [`ROOT_BITS`] it is the number of bits that address both tables.
    bits: u16,
}

/// The place of a code's tables, and the bits that address the first one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Code {
    start: u32,
    root_bits: u32,
}

/// The five codes of a group.
pub(super) type Group = [Code; 5];

/// The groups of a picture.
pub(super) struct Groups {
    entries: Vec<Entry>,
    groups: Vec<Group>,
}

impl Groups {
    /// Reads the groups, of which those with an entry in `is_used` are kept. The cache has `cached` colours.
    pub(super) fn read(bits: &mut Bits<'_>, is_used: &[bool], cached: usize, budget: &Budget) -> Result<Self> {
        let mut groups = budget.reserved(is_used.iter().filter(|is_used| **is_used).count() as u64)?;
        let mut entries = GrowingList::new(1 << 10, budget);
        let mut builder = Builder::default();
        for &is_used in is_used {
            let mut group = Group::default();
            for (kind, code) in group.iter_mut().enumerate() {
                let symbols = SYMBOLS[kind] + if kind == GREEN { cached } else { 0 };
                builder.read_lengths(bits, symbols)?;
                *code = Code { start: entries.len() as u32, root_bits: builder.build(bits)? };
                if is_used {
                    builder.table.iter().try_for_each(|&entry| entries.push(entry))?;
                }
            }
            if is_used {
                groups.push(group);
            }
        }
        Ok(Self { entries: entries.into_vec()?, groups })
    }

    /// Returns a group, by its number among those that are kept.
    pub(super) fn group(&self, number: usize) -> Group {
        self.groups[number]
    }

    /// Reads a symbol, at most [`MAX_LENGTH`] bits, which [`Bits::refill`] made available.
    #[inline(always)]
    pub(super) fn symbol(&self, code: Code, bits: &mut Bits<'_>) -> usize {
        let first = code.start + (bits.peek() & ((1 << code.root_bits) - 1));
        let mut entry = self.entries[first as usize];
        if u32::from(entry.bits) > ROOT_BITS {
            let place = bits.peek() & ((1 << entry.bits) - 1);
            entry = self.entries[code.start as usize + usize::from(entry.value) + (place >> ROOT_BITS) as usize];
        }
        bits.skip(entry.bits.into());
        entry.value.into()
    }
}

/// The number of symbols for each length.
type Counts = [u32; MAX_LENGTH + 1];

/// Reads the lengths of a code's symbols and builds its tables.
struct Builder {
    lengths: [u8; MOST_SYMBOLS],
    /// The number of symbols in `lengths`.
    symbols: usize,
    /// The symbols that have codes, by length.
    sorted: [u16; MOST_SYMBOLS],
    table: Vec<Entry>,
}

impl Default for Builder {
    fn default() -> Self {
        Self { lengths: [0; MOST_SYMBOLS], symbols: 0, sorted: [0; MOST_SYMBOLS], table: Vec::new() }
    }
}

impl Builder {
    /// Reads the lengths of all codes of an alphabet.
    fn read_lengths(&mut self, bits: &mut Bits<'_>, symbols: usize) -> Result<()> {
        self.reset(symbols);
        if bits.flag() {
            self.read_one_or_two(bits);
            return Ok(());
        }
        let stored = 4 + bits.read(4) as usize;
        let lengths: [u8; 19] = {
            let mut lengths = [0; 19];
            LENGTH_ORDER[..stored].iter().for_each(|&place| lengths[place] = bits.read(3) as u8);
            lengths
        };
        self.reset(lengths.len());
        self.lengths[..lengths.len()].copy_from_slice(&lengths);
        let root_bits = self.build(bits)?;
        let code = Groups { entries: core::mem::take(&mut self.table), groups: Vec::new() };
        self.reset(symbols);
        let result = self.read_coded_lengths(bits, &code, Code { start: 0, root_bits });
        self.table = code.entries;
        result
    }

    fn reset(&mut self, symbols: usize) {
        self.lengths[..symbols].fill(0);
        self.symbols = symbols;
    }

    /// Reads one or two symbols, which get codes of one bit. Symbols beyond the alphabet get none.
    fn read_one_or_two(&mut self, bits: &mut Bits<'_>) {
        let has_two = bits.flag();
        let first_bits = if bits.flag() { 8 } else { 1 };
        self.lengths[bits.read(first_bits) as usize] = 1;
        if has_two {
            self.lengths[bits.read(8) as usize] = 1;
        }
    }

    fn read_coded_lengths(&mut self, bits: &mut Bits<'_>, lengths: &Groups, code: Code) -> Result<()> {
        let mut left = self.symbols;
        if bits.flag() {
            let width = 2 + 2 * bits.read(3);
            left = 2 + bits.read(width) as usize;
            if left > self.symbols {
                return Err(bits.broken("more code lengths than symbols"));
            }
        }
        let (mut symbol, mut last) = (0, FIRST_LENGTH);
        while symbol < self.symbols && left > 0 {
            left -= 1;
            bits.refill();
            let length = lengths.symbol(code, bits);
            let (length, repeat) = match length.checked_sub(REPEATS) {
                None => (length as u8, 1),
                Some(0) => (last, 3 + bits.read(2)),
                Some(1) => (0, 3 + bits.read(3)),
                Some(_) => (0, 11 + bits.read(7)),
            };
            let end = symbol + repeat as usize;
            if end > self.symbols {
                return Err(bits.broken("more code lengths than symbols"));
            }
            self.lengths[symbol..end].fill(length);
            symbol = end;
            if length > 0 {
                last = length;
            }
        }
        Ok(())
    }

    /// Builds the tables of the code with these lengths. Returns the number of bits that address the first one. A code
    /// with one symbol has no bits.
    fn build(&mut self, bits: &mut Bits<'_>) -> Result<u32> {
        bits.check()?;
        self.table.clear();
        let counts = self.sort();
        if counts.iter().sum::<u32>() == 1 {
            self.table.push(Entry { value: self.sorted[0], bits: 0 });
            return Ok(0);
        }
        let filled: u32 = (1..=MAX_LENGTH).map(|length| counts[length] << (MAX_LENGTH - length)).sum();
        if filled != 1 << MAX_LENGTH {
            return Err(bits.broken("an incomplete or overfull prefix code"));
        }
        let longest = (1..=MAX_LENGTH as u32).rfind(|&length| counts[length as usize] > 0).unwrap_or_default();
        let root_bits = longest.min(ROOT_BITS);
        self.table.resize(1 << root_bits, Entry::default());
        self.fill(counts, root_bits);
        Ok(root_bits)
    }

    /// Sorts the symbols by length. Returns the number of symbols of each length above 0.
    fn sort(&mut self) -> Counts {
        let mut counts = [0; MAX_LENGTH + 1];
        let lengths = &self.lengths[..self.symbols];
        lengths.iter().filter(|&&length| length > 0).for_each(|&length| counts[usize::from(length)] += 1);
        let mut places = [0; MAX_LENGTH + 1];
        for length in 1..MAX_LENGTH {
            places[length + 1] = places[length] + counts[length] as usize;
        }
        for (symbol, &length) in (0..).zip(lengths).filter(|(_, length)| **length > 0) {
            let place = &mut places[usize::from(length)];
            self.sorted[*place] = symbol;
            *place += 1;
        }
        counts
    }

    /// Enters all symbols. Codes are numbered by length, then by symbol, and stored from their highest bit down, so the
    /// codes with one beginning follow each other.
    fn fill(&mut self, mut counts: Counts, root_bits: u32) {
        let (mut code, mut next) = (0_u32, 0);
        let mut second = Second { root: u32::MAX, start: 0, bits: 0 };
        for length in 1..=MAX_LENGTH as u32 {
            code <<= 1;
            while counts[length as usize] > 0 {
                let entry = Entry { value: self.sorted[next], bits: length as u16 };
                let place = code.reverse_bits() >> (32 - length);
                if length <= root_bits {
                    repeat(&mut self.table[..1 << root_bits], place, length, entry);
                } else {
                    let root = place & ((1 << ROOT_BITS) - 1);
                    if root != second.root {
                        second = self.second_table(root, length, &counts);
                    }
                    let table = &mut self.table[second.start..][..1 << second.bits];
                    repeat(table, place >> ROOT_BITS, length - ROOT_BITS, entry);
                }
                (code, next) = (code + 1, next + 1);
                counts[length as usize] -= 1;
            }
        }
    }

    /// Adds the second table for the codes that begin with `root`, the first of which has `length` bits. `counts` are
    /// the numbers of codes not yet entered.
    fn second_table(&mut self, root: u32, length: u32, counts: &Counts) -> Second {
        let mut end = length;
        let mut open = 1_u32 << (length - ROOT_BITS);
        while let Some(left) = open.checked_sub(counts[end as usize]).filter(|&left| left > 0) {
            if end as usize == MAX_LENGTH {
                break;
            }
            end += 1;
            open = left << 1;
        }
        let (start, bits) = (self.table.len(), end - ROOT_BITS);
        self.table[root as usize] = Entry { value: start as u16, bits: end as u16 };
        self.table.resize(start + (1 << bits), Entry::default());
        Second { root, start, bits }
    }
}

/// A second table: the beginning of its codes, its place, and the bits that address it.
struct Second {
    root: u32,
    start: usize,
    bits: u32,
}

/// Enters a code of `length` bits in all places whose lowest bits are the code.
fn repeat(table: &mut [Entry], place: u32, length: u32, entry: Entry) {
    table[place as usize..].iter_mut().step_by(1 << length).for_each(|place| *place = entry);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slow twin: adds bits to the code, highest first, until it is the code of a symbol.
    fn slow_symbol(lengths: &[u8], mut bits: u32) -> (usize, u32) {
        let (mut code, mut first, mut length) = (0, 0, 0);
        loop {
            (code, first, length) = (code << 1 | bits & 1, first << 1, length + 1);
            bits >>= 1;
            let count = lengths.iter().filter(|&&other| u32::from(other) == length).count() as u32;
            if code - first < count {
                let mut symbols = (0..lengths.len()).filter(|&symbol| u32::from(lengths[symbol]) == length);
                return (symbols.nth((code - first) as usize).unwrap(), length);
            }
            first += count;
        }
    }

    fn builder(lengths: &[u8]) -> Builder {
        let mut builder = Builder { symbols: lengths.len(), ..Builder::default() };
        builder.lengths[..lengths.len()].copy_from_slice(lengths);
        builder
    }

    fn nothing() -> Bits<'static> {
        const NOTHING: &[u8] = &[];
        Bits::new(&NOTHING, 0, 0)
    }

    #[test]
    fn tables_find_the_symbols_of_all_codes() {
        let ladder: Vec<u8> = (1..=15).chain([15]).collect();
        let flat = [8; 256];
        let long: Vec<u8> = [[1; 1].as_slice(), &[10; 512]].concat();
        for lengths in [&ladder[..], &flat, &long, &[1, 1], &[2, 0, 2, 1]] {
            let mut builder = builder(lengths);
            let root_bits = builder.build(&mut nothing()).unwrap();
            let groups = Groups { entries: builder.table, groups: Vec::new() };
            for code in 0..1_u32 << 15 {
                let bytes = code.to_le_bytes();
                let source: &[u8] = &bytes;
                let mut bits = Bits::new(&source, 0, 4);
                bits.refill();
                let symbol = groups.symbol(Code { start: 0, root_bits }, &mut bits);
                let (want, length) = slow_symbol(lengths, code);
                assert_eq!((symbol, bits.peek()), (want, code >> length), "{code:b}");
            }
        }
    }

    #[test]
    fn a_code_with_one_symbol_has_no_bits_and_other_codes_are_complete() {
        let mut bits = nothing();
        let mut one = builder(&[0, 0, 5]);
        assert_eq!((one.build(&mut bits).unwrap(), one.table), (0, vec![Entry { value: 2, bits: 0 }]));
        for lengths in [&[][..], &[0, 0], &[2, 2], &[1, 1, 1], &[15, 15]] {
            assert!(builder(lengths).build(&mut bits).is_err(), "{lengths:?}");
        }
    }
}
