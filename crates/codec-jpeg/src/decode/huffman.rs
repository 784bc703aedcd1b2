//! Huffman codes of a scan (T.81 F.2.2.3), decoded by look-up.

use super::bits::{BitReader, Window};
use super::tables::Huffman;

/// The length of the codes that are looked up at once.
const SHORT: u32 = 9;

/// A table for decoding.
pub(super) struct Lookup {
    /// For each value of the next bits, in this order from the lowest bits: the symbol (8 bits), the number of bits to
    /// skip (8), and the coefficient (16, signed). The number of bits is 0 for longer codes. The coefficient is 0 if
    /// it does not fit into the bits together with its code, which the number of bits then leaves out.
    short: [u32; 1 << SHORT],
    /// For each length, the first code that is larger than the codes of this length, filled up to 16 bits.
    limits: [u32; 17],
    /// For each length, the difference between a symbol's place in `symbols` and its code.
    offsets: [i32; 17],
    symbols: [u8; 256],
}

/// A symbol and its coefficient. The low 4 bits of the symbol are the number of the coefficient's bits.
#[derive(Clone, Copy)]
pub(super) struct Decoded {
    pub(super) symbol: u8,
    pub(super) value: i32,
}

impl Lookup {
    /// Creates the table for a definition that was checked (Annex C).
    pub(super) fn new(definition: &Huffman) -> Self {
        let mut table = Self { short: [0; 1 << SHORT], limits: [0; 17], offsets: [0; 17], symbols: [0; 256] };
        table.symbols[..definition.symbols.len()].copy_from_slice(&definition.symbols);
        let (mut code, mut place) = (0_u32, 0);
        for (length, &count) in (1_u32..).zip(&definition.counts) {
            table.offsets[length as usize] = place - code as i32;
            for _ in 0..count {
                if length <= SHORT {
                    table.define_short(code, length, definition.symbols[place as usize]);
                }
                code += 1;
                place += 1;
            }
            table.limits[length as usize] = code << (16 - length);
            code <<= 1;
        }
        table
    }

    fn define_short(&mut self, code: u32, length: u32, symbol: u8) {
        let free = SHORT - length;
        let category = u32::from(symbol & 15);
        for rest in 0..1 << free {
            let entry = &mut self.short[(code << free | rest) as usize];
            *entry = if (1..=free).contains(&category) {
                let value = extend(rest >> (free - category), category);
                (value as u32) << 16 | (length + category) << 8 | u32::from(symbol)
            } else {
                length << 8 | u32::from(symbol)
            };
        }
    }

    /// Reads a code and the coefficient behind it.
    #[inline(always)]
    pub(super) fn coefficient(&self, bits: &mut BitReader<'_>) -> Decoded {
        let mut window = bits.window;
        let decoded = self.coefficient_in(&mut window, bits);
        bits.window = window;
        decoded
    }

    /// Reads a code and the coefficient behind it from a copy of the window of `bits`.
    #[inline(always)]
    pub(super) fn coefficient_in(&self, window: &mut Window, bits: &mut BitReader<'_>) -> Decoded {
        window.refill(bits);
        let entry = self.short[window.peek(SHORT) as usize & ((1 << SHORT) - 1)];
        let (mut symbol, value) = (entry as u8, entry as i32 >> 16);
        if value != 0 {
            window.skip(entry >> 8 & 0xFF);
            return Decoded { symbol, value };
        }
        let mut length = entry >> 8 & 0xFF;
        if length == 0 {
            (symbol, length) = self.long(window.peek(16), bits);
        }
        window.skip(length);
        let category = u32::from(symbol & 15);
        if category == 0 {
            return Decoded { symbol, value };
        }
        let value = extend(window.peek(category), category);
        window.skip(category);
        Decoded { symbol, value }
    }

    /// Reads a code.
    #[inline(always)]
    pub(super) fn symbol(&self, bits: &mut BitReader<'_>) -> u8 {
        bits.refill();
        let entry = self.short[bits.window.peek(SHORT) as usize & ((1 << SHORT) - 1)];
        let symbol = entry as u8;
        // A coefficient that fits belongs to the number of bits.
        let coefficient = if entry >> 16 == 0 { 0 } else { u32::from(symbol & 15) };
        let (symbol, length) = match entry >> 8 & 0xFF {
            0 => self.long(bits.window.peek(16), bits),
            length => (symbol, length - coefficient),
        };
        bits.window.skip(length);
        symbol
    }

    /// Returns the symbol of a code that is longer than [`SHORT`], and its length. `next` are the next 16 bits. Bits
    /// that are no code count as symbol 0.
    #[cold]
    #[inline(never)]
    fn long(&self, next: u32, bits: &mut BitReader<'_>) -> (u8, u32) {
        for length in SHORT as usize + 1..=16 {
            if next < self.limits[length] {
                let code = (next >> (16 - length)) as i32;
                return (self.symbols[(code + self.offsets[length]) as usize & 255], length as u32);
            }
        }
        bits.damage();
        (0, 17)
    }
}

/// Returns the coefficient of these bits (F.2.2.1, figure F.12): the lower half of the numbers means negative ones.
#[inline(always)]
const fn extend(bits: u32, category: u32) -> i32 {
    let half = 1 << (category - 1);
    if bits < half { bits as i32 - 2 * half as i32 + 1 } else { bits as i32 }
}
