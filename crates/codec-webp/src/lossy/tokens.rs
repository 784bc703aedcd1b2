//! The coefficients (RFC 6386 §13), coded by the coefficients before them and those of neighbours.

use super::arithmetic::Arithmetic;
use super::header::Factors;
use super::tables::TokenProbabilities;

/// The coefficients of a block.
pub(super) type Coefficients = [i16; 16];

/// The places of coefficients in the order of the file.
const ZIGZAG: [usize; 16] = [0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15];
/// The band of each position; behind the last one there is one more, which is never read.
const BANDS: [usize; 17] = [0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 0];
/// The probabilities of the bits of large values, by category.
const CATEGORIES: [&[u8]; 4] = [
    &[173, 148, 140],
    &[176, 155, 140, 135],
    &[180, 157, 141, 134, 130],
    &[254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129],
];

/// A kind of block, in the order of the tables.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// Luma without the direct coefficient.
    LumaRest,
    /// The direct coefficients of luma.
    Direct,
    Chroma,
    /// Luma with the direct coefficient.
    Luma,
}

/// A block whose coefficients are read.
pub(super) struct Block {
    pub(super) kind: Kind,
    /// The number of neighbours, above and to the left, that have coefficients.
    pub(super) context: usize,
    pub(super) factors: Factors,
}

/// The probabilities of a kind for each position and context.
type Positions = [[[u8; 11]; 3]; 17];

/// The probabilities of all tokens.
pub(super) struct Tokens([Positions; 4]);

impl Tokens {
    pub(super) fn new(probabilities: &TokenProbabilities) -> Self {
        Self(probabilities.map(|bands| BANDS.map(|band| bands[band])))
    }

    /// Reads the coefficients of a block into zeros. Returns the position behind the last one, or the first position
    /// when there are none.
    pub(super) fn read(&self, bits: &mut Arithmetic<'_>, block: &Block, into: &mut Coefficients) -> usize {
        let positions = &self.0[block.kind as usize];
        let mut n = block.kind.first();
        let mut p = &positions[n][block.context];
        while n < 16 {
            if !bits.bit(p[0]) {
                return n;
            }
            while !bits.bit(p[1]) {
                n += 1;
                if n == 16 {
                    return 16;
                }
                p = &positions[n][0];
            }
            let value = if bits.bit(p[2]) { large(bits, p) } else { 1 };
            let signed = if bits.flag() { -value } else { value };
            // Products beyond 16 bits, which no encoder makes, wrap as in libwebp.
            into[ZIGZAG[n]] = (signed * block.factors[usize::from(n > 0)]) as i16;
            n += 1;
            p = &positions[n][if value == 1 { 1 } else { 2 }];
        }
        16
    }
}

impl Kind {
    /// Returns the first position.
    pub(super) const fn first(self) -> usize {
        matches!(self, Self::LumaRest) as usize
    }
}

/// Reads a value above one.
fn large(bits: &mut Arithmetic<'_>, p: &[u8; 11]) -> i32 {
    if !bits.bit(p[3]) {
        if !bits.bit(p[4]) {
            return 2;
        }
        return 3 + i32::from(bits.bit(p[5]));
    }
    if !bits.bit(p[6]) {
        if !bits.bit(p[7]) {
            return 5 + i32::from(bits.bit(159));
        }
        return 7 + 2 * i32::from(bits.bit(165)) + i32::from(bits.bit(145));
    }
    let high = usize::from(bits.bit(p[8]));
    let category = 2 * high + usize::from(bits.bit(p[9 + high]));
    let rest = CATEGORIES[category].iter().fold(0, |rest, &probability| rest << 1 | i32::from(bits.bit(probability)));
    3 + (8 << category) + rest
}
