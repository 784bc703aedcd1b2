//! Entropy coding (T.81 F.1.2) in two steps: coefficients become symbols, and symbols become bits after their
//! frequencies are known. Only the beginning of a long scan is counted, so that memory does not grow with the picture.

use raster::{Budget, ByteSink, Result};

use super::bits::Bits;
use super::dct::Block;
use super::huffman::{Frequencies, Table};

/// The largest number of collected symbols: 8 MiB of them, about 6 megapixels of photographs at quality 85.
const MOST_TOKENS: u64 = 1 << 21;
/// The most symbols of a block: one for DC and at most one for each other coefficient.
const BLOCK_TOKENS: usize = 64;
/// The symbol for sixteen zeros.
pub(super) const ZEROS: u8 = 0xF0;
/// The symbol for the end of a block.
const END: u8 = 0x00;

/// The four tables in the order of [`Token::table`]: luminance for DC and AC, then chrominance.
pub(super) type Tables = [Table; 4];

/// A symbol and the bits that follow it. The lower half of the symbol states their number, at most 11.
#[derive(Clone, Copy)]
pub(super) struct Coded {
    pub(super) symbol: u8,
    pub(super) bits: u32,
}

impl Coded {
    /// Returns the symbol of a coefficient behind `run` zeros (table F.1, F.2): the number of bits of its magnitude.
    /// The bits of a negative coefficient are those of the number minus one.
    #[inline(always)]
    pub(super) const fn new(run: u8, value: i32) -> Self {
        let size = 32 - value.unsigned_abs().leading_zeros();
        let bits = (value + (value >> 31)) as u32 & ((1 << size) - 1);
        Self { symbol: run << 4 | size as u8, bits }
    }
}

/// Calls `each` for the symbols of a block's coefficients but the first.
#[inline(always)]
pub(super) fn each_symbol(block: &Block, mut each: impl FnMut(Coded)) {
    let mut left = simd::nonzero(block) & !1;
    let mut last = 0;
    while left != 0 {
        let number = left.trailing_zeros();
        let mut run = number - last - 1;
        while run > 15 {
            each(Coded { symbol: ZEROS, bits: 0 });
            run -= 16;
        }
        each(Coded::new(run as u8, block[number as usize & 63].into()));
        last = number;
        left &= left - 1;
    }
    if last < 63 {
        each(Coded { symbol: END, bits: 0 });
    }
}

/// A symbol with its bits and the number of its table, or a restart marker with its number.
#[derive(Clone, Copy)]
struct Token(u32);

impl Token {
    /// The number of a table that stands for a restart marker.
    const RESTART: usize = 4;

    #[inline(always)]
    const fn new(table: usize, coded: Coded) -> Self {
        Self((table as u32) << 24 | (coded.symbol as u32) << 16 | coded.bits)
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
    /// Creates a scan of `blocks` blocks and at most as many restart markers.
    ///
    /// # Errors
    /// `Limit`.
    pub(super) fn new(blocks: u64, budget: &Budget) -> Result<Self> {
        let most = blocks.saturating_mul(BLOCK_TOKENS as u64 + 1).min(MOST_TOKENS);
        Ok(Self { tokens: budget.reserved(most)?, most: most as usize, tables: None, bits: Bits::new(budget)? })
    }

    /// Whether the tokens of another block, or a restart marker, would be too many; they must then be written first.
    pub(super) const fn is_full(&self) -> bool {
        self.tokens.len() + BLOCK_TOKENS > self.most
    }

    /// Adds a block whose DC differs by `difference` from the previous block of its component. `first_table` is the
    /// component's table for DC; the next number is its table for AC.
    pub(super) fn add(&mut self, first_table: usize, difference: i32, block: &Block) {
        self.tokens.push(Token::new(first_table, Coded::new(0, difference)));
        each_symbol(block, |coded| self.tokens.push(Token::new(first_table + 1, coded)));
    }

    /// Adds the restart marker of a number.
    pub(super) fn add_restart(&mut self, number: u8) {
        self.tokens.push(Token::new(Token::RESTART, Coded { symbol: number, bits: 0 }));
    }

    /// Returns the tables; the first call makes them from the tokens so far. When more tokens will come, every symbol
    /// gets a code.
    pub(super) fn settle(&mut self, is_all: bool) -> Option<&Tables> {
        if self.tables.is_some() {
            return None;
        }
        let mut frequencies = [[0; 256]; Token::RESTART + 1];
        for token in &self.tokens {
            frequencies[token.table()][usize::from(token.symbol())] += 1;
        }
        let [tables @ .., _] = &mut frequencies;
        if !is_all {
            tables.iter_mut().zip([true, false, true, false]).for_each(|(into, is_dc)| allow_all(into, is_dc));
        }
        Some(self.tables.insert(tables.map(|counts| Table::new(&counts))))
    }

    /// Writes the collected tokens. The tables must be set.
    ///
    /// # Errors
    /// `Io`.
    pub(super) fn write(&mut self, sink: &mut dyn ByteSink) -> Result<()> {
        let Some(tables) = &self.tables else { return Ok(()) };
        for token in self.tokens.drain(..) {
            let symbol = token.symbol();
            let Some(table) = tables.get(token.table()) else {
                self.bits.restart(symbol);
                continue;
            };
            let (code, length) = table.code(symbol);
            let follow = u32::from(symbol & 0xF);
            self.bits.put(u32::from(code) << follow | token.0 & 0xFFFF, u32::from(length) + follow);
            self.bits.pass_on(sink)?;
        }
        Ok(())
    }

    /// Writes the rest of the last byte.
    ///
    /// # Errors
    /// `Io`.
    pub(super) fn finish(&mut self, sink: &mut dyn ByteSink) -> Result<()> {
        self.bits.finish(sink)
    }
}

/// Counts every symbol of baseline files that did not occur as if it had occurred once.
pub(super) fn allow_all(frequencies: &mut Frequencies, is_dc: bool) {
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
