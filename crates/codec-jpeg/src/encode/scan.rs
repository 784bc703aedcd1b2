//! Entropy coding (T.81 F.1.2) in two steps: coefficients become symbols, and symbols become bits after their
//! frequencies are known. Only the beginning of a long scan is counted, so that memory does not grow with the picture.

use raster::{Budget, ByteSink, Result};

use super::dct::Block;
use super::huffman::{Frequencies, Table};

/// The largest number of collected symbols: 8 MiB of them, about 6 megapixels of photographs at quality 85.
const MOST_TOKENS: u64 = 1 << 21;
/// The most symbols of a block: one for DC and at most one for each other coefficient.
const BLOCK_TOKENS: usize = 64;
/// The bytes that are passed on at once.
const PIECE: usize = 1 << 16;

/// The symbols for the end of a block and for sixteen zeros.
const END: u8 = 0x00;
const ZEROS: u8 = 0xF0;

/// The four tables in the order of [`Token::table`]: luminance for DC and AC, then chrominance.
pub(super) type Tables = [Table; 4];

/// A symbol, the number of its table, and the bits that follow it. The lower half of the symbol states their number, at
/// most 11.
#[derive(Clone, Copy)]
struct Token(u32);

impl Token {
    #[inline(always)]
    const fn new(table: usize, symbol: u8, bits: u32) -> Self {
        Self((table as u32) << 24 | (symbol as u32) << 16 | bits)
    }

    /// Returns the symbol of a coefficient behind `run` zeros (table F.1, F.2): the number of bits of its magnitude.
    /// The bits of a negative coefficient are those of the number minus one.
    #[inline(always)]
    const fn of(table: usize, run: u8, value: i32) -> Self {
        let size = 32 - value.unsigned_abs().leading_zeros();
        let bits = (value + (value >> 31)) as u32 & ((1 << size) - 1);
        Self::new(table, run << 4 | size as u8, bits)
    }

    const fn table(self) -> usize {
        (self.0 >> 24) as usize
    }

    const fn symbol(self) -> u8 {
        (self.0 >> 16) as u8
    }
}

/// The data of a file's single scan.
pub(super) struct Scan {
    tokens: Vec<Token>,
    /// The largest number of tokens that are held. It does not depend on the vector's capacity, which an allocator may
    /// round up, because the tables and therefore the bytes of the file depend on it.
    most: usize,
    /// The tables, set when tokens are written for the first time.
    tables: Option<Tables>,
    bits: Bits,
}

impl Scan {
    /// Creates a scan of `blocks` blocks.
    ///
    /// # Errors
    /// `Limit`.
    pub(super) fn new(blocks: u64, budget: &Budget) -> Result<Self> {
        let most = blocks.saturating_mul(BLOCK_TOKENS as u64).min(MOST_TOKENS);
        let bytes = budget.reserved(PIECE as u64 + 8)?;
        Ok(Self {
            tokens: budget.reserved(most)?,
            most: most as usize,
            tables: None,
            bits: Bits { buffer: 0, count: 0, bytes },
        })
    }

    /// Whether the tokens of another block would be too many; they must then be written first.
    pub(super) const fn is_full(&self) -> bool {
        self.tokens.len() + BLOCK_TOKENS > self.most
    }

    /// Adds a block whose DC differs by `difference` from the previous block of its component. `first_table` is the
    /// component's table for DC; the next number is its table for AC.
    pub(super) fn add(&mut self, first_table: usize, difference: i32, block: &Block) {
        self.tokens.push(Token::of(first_table, 0, difference));
        let table = first_table + 1;
        let mut run = 0;
        for &value in &block[1..] {
            if value == 0 {
                run += 1;
                continue;
            }
            while run > 15 {
                self.tokens.push(Token::new(table, ZEROS, 0));
                run -= 16;
            }
            self.tokens.push(Token::of(table, run, value.into()));
            run = 0;
        }
        if run > 0 {
            self.tokens.push(Token::new(table, END, 0));
        }
    }

    /// Returns the tables; the first call makes them from the tokens so far. When more tokens will come, every symbol
    /// gets a code.
    pub(super) fn settle(&mut self, is_all: bool) -> Option<&Tables> {
        if self.tables.is_some() {
            return None;
        }
        let mut frequencies = [[0; 256]; 4];
        for token in &self.tokens {
            frequencies[token.table()][usize::from(token.symbol())] += 1;
        }
        if !is_all {
            frequencies.iter_mut().zip([true, false, true, false]).for_each(|(into, is_dc)| allow_all(into, is_dc));
        }
        Some(self.tables.insert(frequencies.map(|counts| Table::new(&counts))))
    }

    /// Writes the collected tokens. The tables must be set.
    ///
    /// # Errors
    /// `Io`.
    pub(super) fn write(&mut self, sink: &mut dyn ByteSink) -> Result<()> {
        let Some(tables) = &self.tables else { return Ok(()) };
        for token in self.tokens.drain(..) {
            let symbol = token.symbol();
            let (code, length) = tables[token.table()].code(symbol);
            let follow = u32::from(symbol & 0xF);
            self.bits.put(u32::from(code) << follow | token.0 & 0xFFFF, u32::from(length) + follow);
            if self.bits.bytes.len() >= PIECE {
                sink.write(&self.bits.bytes)?;
                self.bits.bytes.clear();
            }
        }
        Ok(())
    }

    /// Writes the rest of the last byte.
    ///
    /// # Errors
    /// `Io`.
    pub(super) fn finish(mut self, sink: &mut dyn ByteSink) -> Result<()> {
        self.bits.fill_up();
        sink.write(&self.bits.bytes)
    }
}

/// Counts every symbol of baseline files that did not occur as if it had occurred once.
fn allow_all(frequencies: &mut Frequencies, is_dc: bool) {
    let is_possible = |symbol: u8| match (symbol >> 4, symbol & 0xF) {
        (0, size) if is_dc => size <= 11,
        _ if is_dc => false,
        (run, 0) => run == 0 || run == 15,
        (_, size) => size <= 10,
    };
    for (symbol, count) in (0..=255).zip(frequencies) {
        *count = (*count).max(u32::from(is_possible(symbol)));
    }
}

/// A writer of bits to bytes, highest first; a zero follows each byte of ones (B.1.1.5).
struct Bits {
    buffer: u64,
    /// The number of bits in `buffer`, below 32 between calls.
    count: u32,
    bytes: Vec<u8>,
}

impl Bits {
    /// Appends at most 32 bits.
    #[inline(always)]
    fn put(&mut self, bits: u32, count: u32) {
        self.buffer = self.buffer << count | u64::from(bits);
        self.count += count;
        if self.count >= 32 {
            self.count -= 32;
            self.four((self.buffer >> self.count) as u32);
        }
    }

    #[inline(always)]
    fn four(&mut self, word: u32) {
        let ones = word & !word.wrapping_add(0x0101_0101) & 0x8080_8080;
        if ones == 0 {
            self.bytes.extend_from_slice(&word.to_be_bytes());
        } else {
            word.to_be_bytes().into_iter().for_each(|byte| self.byte(byte));
        }
    }

    fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
        if byte == 0xFF {
            self.bytes.push(0);
        }
    }

    /// Appends ones to the end of the byte (F.1.2.3).
    fn fill_up(&mut self) {
        let missing = self.count.wrapping_neg() % 8;
        self.put((1 << missing) - 1, missing);
        while self.count > 0 {
            self.count -= 8;
            self.byte((self.buffer >> self.count) as u8);
        }
    }
}
