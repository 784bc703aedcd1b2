//! A slow reader of Huffman codes, bit by bit as in T.81 figures C.1 to F.17. It states whether the data are valid.

use std::collections::BTreeMap;

/// The symbols of a table by the length and the bits of their codes.
type Codes = BTreeMap<(u32, u32), u8>;

/// The bits of a restart interval.
struct Bits<'a> {
    data: &'a [u8],
    place: usize,
}

impl Bits<'_> {
    fn bit(&mut self) -> Option<u32> {
        let byte = u32::from(*self.data.get(self.place / 8)?);
        let bit = byte >> (7 - self.place % 8) & 1;
        self.place += 1;
        Some(bit)
    }

    fn symbol(&mut self, codes: &Codes) -> Option<u8> {
        let mut code = 0;
        for length in 1..=16 {
            code = 2 * code + self.bit()?;
            if let Some(symbol) = codes.get(&(length, code)) {
                return Some(*symbol);
            }
        }
        None
    }

    /// Reads a block. Returns `None` when a code is not in the table, when the data end in the block, or when it has
    /// more than 64 coefficients.
    fn block(&mut self, dc: &Codes, ac: &Codes) -> Option<()> {
        for _ in 0..self.symbol(dc)? {
            self.bit()?;
        }
        let mut coefficients = 1;
        while coefficients < 64 {
            let symbol = self.symbol(ac)?;
            let (zeros, category) = (symbol >> 4, symbol & 15);
            if category == 0 && zeros < 15 {
                break;
            }
            coefficients += zeros + 1;
            for _ in 0..category {
                self.bit()?;
            }
        }
        (coefficients <= 64).then_some(())
    }
}

/// Returns the payloads of all segments with this code up to the first scan's data.
fn payloads(jpeg: &[u8], code: u8) -> Vec<&[u8]> {
    let (mut found, mut at) = (Vec::new(), 2);
    loop {
        let len = usize::from(u16::from_be_bytes([jpeg[at + 2], jpeg[at + 3]]));
        if jpeg[at + 1] == code {
            found.push(&jpeg[at + 4..at + 2 + len]);
        }
        at += 2 + len;
        if jpeg[at - len - 1] == 0xDA {
            found.extend((code == 0).then_some(&jpeg[at..]));
            return found;
        }
    }
}

/// Returns the Huffman tables by their class and number, a byte as in the file (B.2.4.2, C.2).
fn tables(jpeg: &[u8]) -> BTreeMap<u8, Codes> {
    let mut tables = BTreeMap::new();
    for mut rest in payloads(jpeg, 0xC4) {
        while let [name, counts @ ..] = rest {
            let (counts, mut symbols) = counts.split_at(16);
            let (mut codes, mut code) = (Codes::new(), 0);
            for (length, &count) in (1..).zip(counts) {
                for _ in 0..count {
                    codes.insert((length, code), symbols[0]);
                    symbols = &symbols[1..];
                    code += 1;
                }
                code *= 2;
            }
            tables.insert(*name, codes);
            rest = symbols;
        }
    }
    tables
}

/// Returns the data of each restart interval without stuffed zeros. The markers must be sound.
fn intervals(jpeg: &[u8]) -> Vec<Vec<u8>> {
    let mut intervals = vec![Vec::new()];
    let mut data = payloads(jpeg, 0)[0].iter();
    while let Some(&byte) = data.next() {
        match (byte, (byte == 0xFF).then(|| data.next().copied()).flatten()) {
            (_, Some(0xD0..=0xD7)) => intervals.push(Vec::new()),
            (_, Some(0xD9)) => break,
            _ => intervals.last_mut().unwrap().push(byte),
        }
    }
    intervals
}

/// Whether the data of a baseline file of one scan with sound headers and markers are valid: `mcus` in each restart
/// interval, less than a byte behind them. `components` are the number of blocks in an MCU of each component and the
/// numbers of its DC and AC table.
pub(crate) fn is_valid(jpeg: &[u8], mcus: usize, components: &[(usize, u8, u8)]) -> bool {
    let tables = tables(jpeg);
    intervals(jpeg).iter().all(|data| {
        let mut bits = Bits { data, place: 0 };
        let mut read = || {
            for _ in 0..mcus {
                for (blocks, dc, ac) in components {
                    for _ in 0..*blocks {
                        bits.block(&tables[dc], &tables[&(0x10 | ac)])?;
                    }
                }
            }
            Some(())
        };
        read().is_some() && 8 * data.len() - bits.place < 8
    })
}
