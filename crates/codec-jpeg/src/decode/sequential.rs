//! Blocks of sequential scans (T.81 F.2.2): all coefficients of a block follow each other.

use super::bits::BitReader;
use super::huffman::{Decoded, Lookup};
use crate::zigzag::ZIGZAG;

/// A block of coefficients or samples, row by row.
pub(super) type Block = [i16; 64];

/// Reads a block, which contains zeros before. Returns whether it has coefficients beside the first.
#[inline(always)]
pub(super) fn read_block(
    bits: &mut BitReader<'_>,
    dc: &Lookup,
    ac: &Lookup,
    predictor: &mut i32,
    block: &mut Block,
) -> bool {
    *predictor = predictor.wrapping_add(dc.coefficient(bits).value);
    block[0] = *predictor as i16;
    let mut number = 1;
    while number < 64 {
        let decoded = ac.coefficient(bits);
        let run = usize::from(decoded.symbol >> 4);
        if decoded.value != 0 {
            number += run;
            block[place(number)] = decoded.value as i16;
        } else if run != 15 {
            break;
        } else {
            number += run;
        }
        number += 1;
    }
    if number > 64 {
        bits.damage();
    }
    number > 1
}

/// Reads a block and returns only its first coefficient.
#[inline(always)]
pub(super) fn read_first(bits: &mut BitReader<'_>, dc: &Lookup, ac: &Lookup, predictor: &mut i32) -> i16 {
    *predictor = predictor.wrapping_add(dc.coefficient(bits).value);
    let mut number = 1;
    while number < 64 {
        let Decoded { symbol, value } = ac.coefficient(bits);
        if value == 0 && symbol >> 4 != 15 {
            break;
        }
        number += usize::from(symbol >> 4) + 1;
    }
    *predictor as i16
}

/// Returns the place in a block of a coefficient. In damaged data the number can be larger than 63; it then stands for
/// the last coefficient, as in libjpeg.
#[inline(always)]
pub(super) fn place(number: usize) -> usize {
    usize::from(ZIGZAG[number.min(63)]) & 63
}
