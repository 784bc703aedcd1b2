//! Huffman codes of a scan (T.81 F.2.2.3), decoded by look-up.

use super::bits::{BitReader, Window};
use super::tables::Huffman;

/// The length of the codes that are looked up at once.
const SHORT: u32 = 11;

/// A table for decoding.
pub(super) struct Lookup {
    /// For each value of the next bits: an [`Entry`].
    short: [u32; 1 << SHORT],
    /// For each value of the next bits: a [`Pair`].
    pairs: [Pair; 1 << SHORT],
    /// For each length, the first code that is larger than the codes of this length, filled up to 16 bits.
    limits: [u32; 17],
    /// For each length, the difference between a symbol's place in `symbols` and its code.
    offsets: [i32; 17],
    symbols: [u8; 256],
}

/// What the next bits begin with, in this order from the lowest bits: the number of bits to skip (8 bits), the symbol
/// (8), and the coefficient (16, signed). The number of bits is 0 for longer codes. The coefficient is 0 if it does not
/// fit into the bits together with its code, which the number of bits then leaves out.
#[derive(Clone, Copy)]
struct Entry(u32);

impl Entry {
    #[inline(always)]
    const fn length(self) -> u32 {
        self.0 & 63
    }

    #[inline(always)]
    const fn symbol(self) -> u8 {
        (self.0 >> 8) as u8
    }

    #[inline(always)]
    const fn value(self) -> i32 {
        self.0 as i32 >> 16
    }

    /// Whether this is a code for symbol 0, which ends a block.
    #[inline(always)]
    const fn is_end(self) -> bool {
        self.0 != 0 && self.0 >> 8 == 0
    }
}

/// The codes of at most two coefficients, and that of the end of the block, with which the next bits begin. From the
/// lowest bit on: the number of bits to skip (6 bits), 0 if there is no whole code; whether the block ends (at bit 7);
/// the number of coefficients, zeros included (8 bits); the distance of either coefficient from the first one of them
/// (8 bits each); and their values (16 bits each).
#[derive(Clone, Copy)]
struct Pair(u64);

impl Pair {
    const ENDS: u64 = 0x80;

    #[inline(always)]
    const fn length(self) -> u32 {
        self.0 as u32 & 63
    }

    #[inline(always)]
    const fn ends(self) -> bool {
        self.0 & Self::ENDS != 0
    }

    #[inline(always)]
    const fn count(self) -> usize {
        self.0 as usize >> 8 & 63
    }

    #[inline(always)]
    const fn coefficients(self) -> [(usize, i16); 2] {
        let low = self.0 as usize;
        [(low >> 16 & 31, (self.0 >> 32) as i16), (low >> 24 & 63, (self.0 >> 48) as i16)]
    }
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
        let mut table = Self {
            short: [0; 1 << SHORT],
            pairs: [Pair(0); 1 << SHORT],
            limits: [0; 17],
            offsets: [0; 17],
            symbols: [0; 256],
        };
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
        for next in 0..1 << SHORT {
            table.pairs[next as usize] = table.pair_of(next);
        }
        table
    }

    /// Returns the codes with which these bits begin and that they contain whole, with their coefficients.
    fn pair_of(&self, next: u32) -> Pair {
        let (mut length, mut count, mut ends) = (0, 0, 0);
        let (mut offsets, mut values) = ([0; 2], 0);
        for place in 0..3_usize {
            let entry = Entry(self.short[(next << length) as usize % self.short.len()]);
            let run = u64::from(entry.symbol() >> 4);
            let is_zero = entry.symbol() & 15 == 0;
            let is_known = entry.length() > 0 && (is_zero || entry.value() != 0);
            if !is_known || length + entry.length() > SHORT || (place == 2 && !entry.is_end()) {
                break;
            }
            length += entry.length();
            if is_zero && run != 15 {
                ends = Pair::ENDS;
                break;
            }
            // Without a second coefficient, the zero behind the first one is written.
            offsets[place..].fill(count + run);
            offsets[1] += u64::from(place == 0);
            values |= u64::from(entry.value() as u16) << (16 * place);
            count += run + 1;
        }
        Pair(values << 32 | offsets[1] << 24 | offsets[0] << 16 | count << 8 | ends | u64::from(length))
    }

    fn define_short(&mut self, code: u32, length: u32, symbol: u8) {
        let free = SHORT - length;
        let category = u32::from(symbol & 15);
        for rest in 0..1 << free {
            let entry = &mut self.short[(code << free | rest) as usize];
            *entry = if (1..=free).contains(&category) {
                let value = extend(rest >> (free - category), category);
                (value as u32) << 16 | u32::from(symbol) << 8 | (length + category)
            } else {
                u32::from(symbol) << 8 | length
            };
        }
    }

    /// Reads a code and the coefficient behind it.
    #[inline(always)]
    pub(super) fn coefficient(&self, bits: &mut BitReader<'_>) -> Decoded {
        let mut window = bits.window;
        if window.has_refilled(bits) {
            let entry = self.entry(window);
            // A first coefficient that does not change has the symbol of an end.
            if entry.value() != 0 || entry.is_end() {
                window.skip(entry.length());
                bits.window = window;
                return Decoded { symbol: entry.symbol(), value: entry.value() };
            }
        }
        let decoded;
        (decoded, bits.window) = self.any_coefficient(window, bits);
        decoded
    }

    /// Reads codes with their coefficients up to number `last` or the end of the block or band, and passes the numbers
    /// and the values of the coefficients to `put`; the value 0 stands for sixteen zeros. `number` is that of the first
    /// one. Returns the number behind the last one, and the upper half of the symbol that ended the block or band.
    ///
    /// The inner loop contains no call, so that its state stays in registers.
    #[inline(always)]
    pub(super) fn coefficients(
        &self,
        bits: &mut BitReader<'_>,
        (mut number, last): (usize, usize),
        mut put: impl FnMut(usize, i32),
    ) -> (usize, Option<u8>) {
        let mut window = bits.window;
        let mut end = None;
        while number <= last {
            let mut entry = Entry(0);
            while number <= last && window.has_refilled(bits) {
                entry = self.entry(window);
                if entry.value() == 0 {
                    break;
                }
                window.skip(entry.length());
                number += usize::from(entry.symbol() >> 4);
                put(number, entry.value());
                number += 1;
            }
            if number > last {
                break;
            }
            if entry.is_end() {
                window.skip(entry.length());
                end = Some(0);
                break;
            }
            let decoded;
            (decoded, window) = self.any_coefficient(window, bits);
            let run = decoded.symbol >> 4;
            if decoded.value == 0 && run != 15 {
                end = Some(run);
                break;
            }
            number += usize::from(run);
            put(number, decoded.value);
            number += 1;
        }
        bits.window = window;
        (number, end)
    }

    /// Reads codes with their coefficients up to the end of a sequential block, from coefficient number 1 on. `put` is
    /// called with the number and the value of coefficients, and of some zeros behind the last one, up to number 64.
    /// Returns the number behind the last coefficient.
    #[inline(always)]
    pub(super) fn block(&self, bits: &mut BitReader<'_>, mut put: impl FnMut(usize, i16)) -> usize {
        let mut window = bits.window;
        let mut number = 1;
        while number < 64 {
            let mut is_ended = false;
            let mut has_more = window.has_refilled_without_branch(bits);
            while has_more {
                // A step leaves more than `SHORT` bits, so that the look-up need not wait for others.
                let pair = self.pairs[window.peek(SHORT) as usize];
                has_more = window.has_refilled_without_branch(bits);
                let next = number + pair.count();
                // The codes behind the last coefficient would belong to the next block.
                if pair.length() == 0 || next + usize::from(pair.ends()) > 64 {
                    break;
                }
                window.skip(pair.length());
                let [first, second] = pair.coefficients();
                put(number + first.0, first.1);
                put(number + second.0, second.1);
                number = next;
                is_ended = pair.ends() || number == 64;
                if is_ended {
                    break;
                }
            }
            if is_ended {
                break;
            }
            let decoded;
            (decoded, window) = self.any_coefficient(window, bits);
            let run = decoded.symbol >> 4;
            if decoded.value == 0 && run != 15 {
                break;
            }
            number += usize::from(run);
            // In damaged data the number can be larger; it then stands for the last coefficient, as in libjpeg.
            put(number.min(63), decoded.value as i16);
            number += 1;
        }
        bits.window = window;
        number
    }

    #[inline(always)]
    fn entry(&self, window: Window) -> Entry {
        Entry(self.short[window.peek(SHORT) as usize])
    }

    /// Reads any code and the coefficient behind it. Returns the rest of the window.
    #[inline(never)]
    fn any_coefficient(&self, mut window: Window, bits: &mut BitReader<'_>) -> (Decoded, Window) {
        window.refill(bits);
        let entry = self.entry(window);
        let (mut symbol, mut length) = (entry.symbol(), entry.length());
        if entry.value() != 0 {
            window.skip(length);
            return (Decoded { symbol, value: entry.value() }, window);
        }
        if length == 0 {
            (symbol, length) = self.long(window.peek(16), bits);
        }
        window.skip(length);
        let category = u32::from(symbol & 15);
        let mut value = 0;
        if category > 0 {
            value = extend(window.peek(category), category);
            window.skip(category);
        }
        (Decoded { symbol, value }, window)
    }

    /// Reads a code.
    #[inline(always)]
    pub(super) fn symbol(&self, bits: &mut BitReader<'_>) -> u8 {
        bits.refill();
        let entry = self.entry(bits.window);
        let symbol = entry.symbol();
        // A coefficient that fits belongs to the number of bits.
        let coefficient = if entry.value() == 0 { 0 } else { u32::from(symbol & 15) };
        let (symbol, length) = match entry.length() {
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
