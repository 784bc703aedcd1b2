//! The quantised coefficients of one component of a whole picture, for files with several scans. Most coefficients are
//! 0 and most others are small, so a photograph takes about an eighth of the memory of all its coefficients.

use raster::{Budget, Error, Result};

use super::dct::Block;

/// The size of a piece of memory.
const PIECE: usize = 1 << 16;
/// The most bytes of a block: three for each coefficient but the first, and its end.
const MOST: usize = 63 * 3 + 1;

/// What follows the distance from the last coefficient that is not 0, in the upper two bits of a byte.
const ONE: u8 = 0;
const MINUS_ONE: u8 = 1;
const ONE_BYTE: u8 = 2;
const TWO_BYTES: u8 = 3;
/// The end of a block: a distance that does not occur.
const END: u8 = 0;

/// A coefficient that is not 0: its place in zigzag order, and its value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Coefficient {
    pub(super) place: u8,
    pub(super) value: i16,
}

/// The coefficients of one component.
pub(super) struct Store {
    /// The first coefficient of each block, row by row.
    dc: Vec<i16>,
    /// The other coefficients. No block lies in two pieces.
    pieces: Vec<Vec<u8>>,
    budget: Budget,
}

impl Store {
    /// Creates an empty store for a number of blocks.
    ///
    /// # Errors
    /// `Limit`.
    pub(super) fn new(blocks: u64, budget: &Budget) -> Result<Self> {
        Ok(Self { dc: budget.reserved(blocks)?, pieces: Vec::new(), budget: budget.clone() })
    }

    /// Adds the next block. Returns its place in memory.
    ///
    /// # Errors
    /// `Limit`.
    pub(super) fn add(&mut self, block: &Block) -> Result<StoredAt> {
        self.dc.push(block[0]);
        if self.pieces.last().is_none_or(|piece| piece.len() + MOST > PIECE) {
            self.pieces.push(self.budget.reserved(PIECE as u64)?);
        }
        let number = self.pieces.len() as u32 - 1;
        let Some(bytes) = self.pieces.last_mut() else { return Err(Error::Contradiction("no piece")) };
        let at = StoredAt { piece: number, byte: bytes.len() as u16 };
        let mut last = 0;
        for (place, &value) in (0_u8..).zip(block).skip(1).filter(|&(_, &value)| value != 0) {
            let distance = place - last;
            last = place;
            match (value, i8::try_from(value)) {
                (1, _) => bytes.push(ONE << 6 | distance),
                (-1, _) => bytes.push(MINUS_ONE << 6 | distance),
                (_, Ok(small)) => bytes.extend([ONE_BYTE << 6 | distance, small as u8]),
                _ => {
                    bytes.push(TWO_BYTES << 6 | distance);
                    bytes.extend(value.to_le_bytes());
                }
            }
        }
        bytes.push(END);
        Ok(at)
    }

    /// Returns the first coefficients of the blocks.
    pub(super) fn dc(&self) -> &[i16] {
        &self.dc
    }

    /// Returns the other coefficients of the blocks.
    pub(super) fn blocks(&self) -> Blocks<'_> {
        Blocks { bytes: [].iter(), pieces: self.pieces.iter(), block: [Coefficient::default(); 63] }
    }

    /// Returns the other coefficients of the blocks from this one on.
    pub(super) fn blocks_from(&self, at: StoredAt) -> Blocks<'_> {
        let mut blocks = self.blocks();
        blocks.bytes = self.pieces[at.piece as usize][usize::from(at.byte)..].iter();
        blocks
    }
}

/// The place of a block in a [`Store`].
#[derive(Clone, Copy, Debug)]
pub(super) struct StoredAt {
    piece: u32,
    byte: u16,
}

/// An iteration over the blocks of a [`Store`].
pub(super) struct Blocks<'a> {
    bytes: core::slice::Iter<'a, u8>,
    pieces: core::slice::Iter<'a, Vec<u8>>,
    block: [Coefficient; 63],
}

impl Blocks<'_> {
    /// Returns the coefficients of the next block that are neither the first nor 0.
    pub(super) fn next(&mut self) -> &[Coefficient] {
        if self.bytes.len() == 0 {
            self.bytes = self.pieces.next().map_or([].iter(), |piece| piece.iter());
        }
        let (mut count, mut place) = (0, 0);
        while let Some(byte) = self.byte().filter(|&byte| byte != END) {
            place += byte & 0x3F;
            let value = match byte >> 6 {
                ONE => 1,
                MINUS_ONE => -1,
                ONE_BYTE => i16::from(self.byte().unwrap_or(0) as i8),
                _ => i16::from_le_bytes([self.byte().unwrap_or(0), self.byte().unwrap_or(0)]),
            };
            self.block[count] = Coefficient { place, value };
            count += 1;
        }
        &self.block[..count]
    }

    #[inline(always)]
    fn byte(&mut self) -> Option<u8> {
        self.bytes.next().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::Limits;

    #[test]
    fn blocks_come_back() {
        let mut random = testkit::generate::Lcg::new(3);
        let budget = Budget::new(&Limits::default());
        let mut store = Store::new(3000, &budget).unwrap();
        let blocks: Vec<Block> = (0..3000)
            .map(|i| {
                core::array::from_fn(|_| {
                    if random.below(64) < i % 64 { random.below(1 << (i % 12)) as i16 - 300 } else { 0 }
                })
            })
            .collect();
        let places: Vec<_> = blocks.iter().map(|block| store.add(block).unwrap()).collect();
        let mut stored = store.blocks();
        for (i, block) in blocks.iter().enumerate() {
            let mut got = [0; 64];
            got[0] = store.dc()[i];
            for &Coefficient { place, value } in stored.next() {
                got[usize::from(place)] = value;
            }
            assert_eq!(got, *block, "block {i}");
        }
        let of = |block: &Block| block.iter().skip(1).filter(|&&value| value != 0).count();
        for (block, place) in blocks.iter().zip(places).rev() {
            assert_eq!(store.blocks_from(place).next().len(), of(block));
        }
        assert!(store.pieces.len() > 2);
    }
}
