//! Writing of a deflate block (RFC 1951 §3.2): stored, with the fixed codes, or with its own codes, whichever is
//! smallest.

use crate::bit_writer::BitWriter;
use crate::huffman::{Code, canonical, codes};
use crate::matcher::Sequence;

/// The number of symbols for literals, the end of the block and lengths (§3.2.5). Two of them exist in the fixed code
/// only.
const SYMBOLS: usize = 288;
const USABLE_SYMBOLS: usize = 286;
const END_OF_BLOCK: usize = 256;

/// The number of symbols for distances. The fixed code has two more, which never occur.
const DISTANCES: usize = 30;

/// The longest code of a literal: four literals must fit into the 56 bits between two flushes. The standard allows 15.
const LITERAL_LIMIT: u8 = 14;
const DISTANCE_LIMIT: u8 = 15;

/// The order in which the code lengths of the code-length alphabet are written (§3.2.7), and the longest of them.
const CODE_LENGTH_ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const CODE_LENGTH_LIMIT: u8 = 7;

/// The bytes of the largest stored block (§3.2.4).
const STORED_MAX: usize = 65_535;

/// A coded length or distance: a symbol, and the bits that follow it.
#[derive(Clone, Copy)]
struct Coded {
    symbol: usize,
    extra: u64,
    extra_bits: u32,
}

/// Returns the code of §3.2.5's table for a length from 3 to 258. Each power of two of `length - 3` is divided into
/// four symbols: the two bits below its highest bit select the symbol, and the rest are extra bits. `| 4` extends this
/// arithmetic to the first eight lengths, which have a symbol each.
#[inline(always)]
fn code_length(length: u16) -> Coded {
    debug_assert!((3..=258).contains(&length));
    let value = u64::from(length) - 3;
    // The longest match has a symbol of its own; the rule would give symbol 284 with extra bits 31.
    if length == 258 {
        return Coded { symbol: 285, extra: 0, extra_bits: 0 };
    }
    let extra_bits = (value | 4).ilog2() - 2;
    let symbol = END_OF_BLOCK + 1 + 4 * extra_bits as usize + (value >> extra_bits) as usize;
    Coded { symbol, extra: value & ((1 << extra_bits) - 1), extra_bits }
}

/// Returns the code of §3.2.5's table for a distance from 1 to 32 768, with two symbols for each power of two.
#[inline(always)]
fn code_distance(distance: u16) -> Coded {
    debug_assert!((1..=32_768).contains(&distance));
    let value = u64::from(distance) - 1;
    let extra_bits = (value | 2).ilog2() - 1;
    let symbol = 2 * extra_bits as usize + (value >> extra_bits) as usize;
    Coded { symbol, extra: value & ((1 << extra_bits) - 1), extra_bits }
}

/// The number of occurrences of each symbol in a block.
struct Histogram {
    symbols: [u32; SYMBOLS],
    distances: [u32; DISTANCES],
    extra_bits: u64,
}

impl Histogram {
    fn new(bytes: &[u8], sequences: &[Sequence]) -> Self {
        let mut counts = Self { symbols: [0; SYMBOLS], distances: [0; DISTANCES], extra_bits: 0 };
        // There are two tables, for bytes at even and at odd positions: with one table, a repeated byte would wait
        // until its count is stored before it can be loaded again.
        let mut odd = [0_u32; 256];
        for (literals, Sequence { length, distance, .. }) in walk(bytes, sequences) {
            let (pairs, rest) = literals.as_chunks::<2>();
            for [even, next] in pairs {
                counts.symbols[usize::from(*even)] += 1;
                odd[usize::from(*next)] += 1;
            }
            rest.iter().for_each(|byte| counts.symbols[usize::from(*byte)] += 1);
            if length > 0 {
                let (length, distance) = (code_length(length), code_distance(distance));
                counts.symbols[length.symbol] += 1;
                counts.distances[distance.symbol] += 1;
                counts.extra_bits += u64::from(length.extra_bits + distance.extra_bits);
            }
        }
        counts.symbols.iter_mut().zip(odd).for_each(|(count, odd)| *count += odd);
        counts.symbols[END_OF_BLOCK] = 1;
        counts
    }

    /// Returns the bits of the block's content in these codes.
    fn bits(&self, codes: &CodeTables) -> u64 {
        cost(&self.symbols, &codes.symbols) + cost(&self.distances, &codes.distances) + self.extra_bits
    }
}

fn cost(counts: &[u32], codes: &[Code]) -> u64 {
    counts.iter().zip(codes).map(|(count, code)| u64::from(*count) * u64::from(code.length)).sum()
}

/// Returns each sequence with its literals.
fn walk<'a>(bytes: &'a [u8], sequences: &'a [Sequence]) -> impl Iterator<Item = (&'a [u8], Sequence)> {
    let mut at = 0;
    sequences.iter().map(move |sequence| {
        let literals = &bytes[at..at + sequence.literals as usize];
        at += literals.len() + usize::from(sequence.length);
        (literals, *sequence)
    })
}

/// The codes of a block.
struct CodeTables {
    symbols: [Code; SYMBOLS],
    distances: [Code; DISTANCES],
}

impl CodeTables {
    /// Returns the best codes for these counts.
    fn fitting(counts: &Histogram) -> Self {
        Self { symbols: codes(&counts.symbols, LITERAL_LIMIT), distances: codes(&counts.distances, DISTANCE_LIMIT) }
    }

    /// Returns the fixed codes (§3.2.6).
    fn fixed() -> Self {
        let mut lengths = [8; SYMBOLS];
        lengths[144..256].fill(9);
        lengths[256..280].fill(7);
        // The codes of distances are assigned with the two symbols that never occur.
        let mut distances = [Code::default(); DISTANCES];
        distances.copy_from_slice(&canonical(&[5; 32])[..DISTANCES]);
        Self { symbols: canonical(&lengths), distances }
    }
}

/// The header of a block with its own codes (§3.2.7): the lengths of the codes, run-length coded and then Huffman
/// coded.
struct CodeHeader {
    /// The number of symbols whose lengths are written (HLIT + 257).
    symbols: usize,
    /// The number of distances whose lengths are written (HDIST + 1).
    distances: usize,
    /// Symbols of the code-length alphabet, each with the value of its extra bits.
    tokens: Vec<(u8, u8)>,
    /// The codes of the code-length alphabet.
    codes: [Code; 19],
    /// The number of lengths of these codes that are written (HCLEN + 4).
    written: usize,
}

impl CodeHeader {
    fn new(tables: &CodeTables) -> Self {
        let used =
            |codes: &[Code], least: usize| codes.iter().rposition(|c| c.length > 0).map_or(least, |i| least.max(i + 1));
        let (symbols, distances) =
            (used(&tables.symbols[..USABLE_SYMBOLS], END_OF_BLOCK + 1), used(&tables.distances, 1));
        let all = tables.symbols[..symbols].iter().chain(&tables.distances[..distances]);
        let lengths: Vec<u8> = all.map(|code| code.length).collect();
        let tokens: Vec<_> = lengths.chunk_by(|a, b| a == b).flat_map(|run| repeat(run[0], run.len())).collect();
        let mut counts = [0; 19];
        tokens.iter().for_each(|(symbol, _)| counts[usize::from(*symbol)] += 1);
        let codes = codes(&counts, CODE_LENGTH_LIMIT);
        let written =
            CODE_LENGTH_ORDER.iter().rposition(|symbol| codes[*symbol].length > 0).map_or(4, |i| (i + 1).max(4));
        Self { symbols, distances, tokens, codes, written }
    }

    fn bits(&self) -> u64 {
        let token = |(symbol, _): &(u8, u8)| u64::from(self.codes[usize::from(*symbol)].length) + repeat_bits(*symbol);
        14 + 3 * self.written as u64 + self.tokens.iter().map(token).sum::<u64>()
    }

    fn write(&self, bits: &mut BitWriter) {
        bits.put(self.symbols as u64 - 257, 5);
        bits.put(self.distances as u64 - 1, 5);
        bits.put(self.written as u64 - 4, 4);
        bits.flush();
        for symbol in &CODE_LENGTH_ORDER[..self.written] {
            bits.put(self.codes[*symbol].length.into(), 3);
            bits.flush();
        }
        for (symbol, extra) in &self.tokens {
            bits.put_code(self.codes[usize::from(*symbol)]);
            bits.put((*extra).into(), repeat_bits(*symbol) as u32);
            bits.flush();
        }
    }
}

/// Returns a run of `count` equal code lengths as tokens: 16 repeats the previous length, 17 and 18 repeat zeros.
fn repeat(length: u8, mut count: usize) -> Vec<(u8, u8)> {
    let mut tokens = Vec::new();
    if length > 0 {
        tokens.push((length, 0));
        count -= 1;
    }
    while count >= 3 {
        let (symbol, least, most) = match (length, count) {
            (0, 11..) => (18, 11, 138),
            (0, _) => (17, 3, 10),
            _ => (16, 3, 6),
        };
        let run = count.min(most);
        tokens.push((symbol, (run - least) as u8));
        count -= run;
    }
    tokens.extend(core::iter::repeat_n((length, 0), count));
    tokens
}

/// Returns the extra bits of a token, which state the number of repetitions.
const fn repeat_bits(symbol: u8) -> u64 {
    match symbol {
        16 => 2,
        17 => 3,
        18 => 7,
        _ => 0,
    }
}

/// Writes `bytes`, divided into `sequences`, as one block or as stored blocks. Returns the cost of a literal in
/// sixteenths of a bit.
pub(crate) fn write(bytes: &[u8], sequences: &[Sequence], is_last: bool, bits: &mut BitWriter) -> u32 {
    let counts = Histogram::new(bytes, sequences);
    let (own, fixed) = (CodeTables::fitting(&counts), CodeTables::fixed());
    let header = CodeHeader::new(&own);
    let (own_bits, fixed_bits) = (header.bits() + counts.bits(&own), counts.bits(&fixed));
    let stored_bits = (bytes.len() as u64 + 5 * bytes.len().div_ceil(STORED_MAX).max(1) as u64) * 8;
    // The smallest form is taken, therefore the block is never longer than stored.
    bits.reserve(stored_bits as usize / 8 + 1);
    if stored_bits <= own_bits.min(fixed_bits) {
        store(bytes, is_last, bits);
        return 8 * 16;
    }
    bits.put(is_last.into(), 1);
    let codes = if fixed_bits <= own_bits {
        bits.put(1, 2);
        fixed
    } else {
        bits.put(2, 2);
        header.write(bits);
        own
    };
    bits.flush();
    write_content(bytes, sequences, &codes, bits);
    let literals: u32 = counts.symbols[..END_OF_BLOCK].iter().sum();
    let spent = cost(&counts.symbols[..END_OF_BLOCK], &codes.symbols[..END_OF_BLOCK]);
    (spent * 16).checked_div(literals.into()).unwrap_or(8 * 16) as u32
}

fn write_content(bytes: &[u8], sequences: &[Sequence], codes: &CodeTables, bits: &mut BitWriter) {
    let table: &[Code; 256] = codes.symbols.first_chunk().unwrap_or(&[Code { bits: 0, length: 0 }; 256]);
    for (literals, Sequence { length, distance, .. }) in walk(bytes, sequences) {
        let (fours, rest) = literals.as_chunks::<4>();
        for four in fours {
            four.iter().for_each(|byte| bits.put_code(table[usize::from(*byte)]));
            bits.flush();
        }
        rest.iter().for_each(|byte| bits.put_code(table[usize::from(*byte)]));
        bits.flush();
        if length > 0 {
            // At most 14 + 5 + 15 + 13 bits, fewer than the 56 between two flushes.
            let (length, distance) = (code_length(length), code_distance(distance));
            bits.put_code(codes.symbols[length.symbol]);
            bits.put(length.extra, length.extra_bits);
            bits.put_code(codes.distances[distance.symbol]);
            bits.put(distance.extra, distance.extra_bits);
            bits.flush();
        }
    }
    bits.put_code(codes.symbols[END_OF_BLOCK]);
    bits.flush();
}

fn store(bytes: &[u8], is_last: bool, bits: &mut BitWriter) {
    let blocks = bytes.len().div_ceil(STORED_MAX).max(1);
    for i in 0..blocks {
        let content = &bytes[i * STORED_MAX..bytes.len().min((i + 1) * STORED_MAX)];
        // One bit states whether the block is the last; two bits of 0 are its type.
        bits.put((is_last && i + 1 == blocks).into(), 3);
        bits.align();
        let length = content.len() as u16;
        bits.append(&length.to_le_bytes());
        bits.append(&(!length).to_le_bytes());
        bits.append(content);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_and_distances_have_the_standards_symbols() {
        let length = |n| (code_length(n).symbol, code_length(n).extra, code_length(n).extra_bits);
        for (n, want) in [
            (3, (257, 0, 0)),
            (10, (264, 0, 0)),
            (11, (265, 0, 1)),
            (12, (265, 1, 1)),
            (35, (273, 0, 3)),
            (130, (280, 15, 4)),
            (131, (281, 0, 5)),
            (257, (284, 30, 5)),
            (258, (285, 0, 0)),
        ] {
            assert_eq!(length(n), want, "length {n}");
        }
        let distance = |n| (code_distance(n).symbol, code_distance(n).extra, code_distance(n).extra_bits);
        for (n, want) in [
            (1, (0, 0, 0)),
            (4, (3, 0, 0)),
            (5, (4, 0, 1)),
            (7, (5, 0, 1)),
            (192, (14, 63, 6)),
            (193, (15, 0, 6)),
            (32_768, (29, 8191, 13)),
        ] {
            assert_eq!(distance(n), want, "distance {n}");
        }
    }

    #[test]
    fn runs_of_lengths_become_the_standards_tokens() {
        assert_eq!(repeat(0, 2), [(0, 0), (0, 0)]);
        assert_eq!(repeat(0, 10), [(17, 7)]);
        assert_eq!(repeat(0, 140), [(18, 127), (0, 0), (0, 0)]);
        assert_eq!(repeat(9, 8), [(9, 0), (16, 3), (9, 0)]);
        assert_eq!(repeat(9, 3), [(9, 0), (9, 0), (9, 0)]);
    }
}
