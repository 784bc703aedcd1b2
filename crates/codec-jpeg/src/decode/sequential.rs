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
    let mut window = bits.window;
    *predictor = predictor.wrapping_add(dc.coefficient_in(&mut window, bits).value);
    block[0] = *predictor as i16;
    let mut number = 1;
    while number < 64 {
        let Decoded { symbol, value } = ac.coefficient_in(&mut window, bits);
        if value == 0 && symbol >> 4 != 15 {
            break;
        }
        number += usize::from(symbol >> 4);
        // After 15 zeros without a coefficient, this writes the sixteenth zero.
        block[place(number)] = value as i16;
        number += 1;
    }
    bits.window = window;
    if number > 64 {
        bits.damage();
    }
    number > 1
}

/// Reads a block and returns only its first coefficient.
#[inline(always)]
pub(super) fn read_first(bits: &mut BitReader<'_>, dc: &Lookup, ac: &Lookup, predictor: &mut i32) -> i16 {
    let mut window = bits.window;
    *predictor = predictor.wrapping_add(dc.coefficient_in(&mut window, bits).value);
    let mut number = 1;
    while number < 64 {
        let Decoded { symbol, value } = ac.coefficient_in(&mut window, bits);
        if value == 0 && symbol >> 4 != 15 {
            break;
        }
        number += usize::from(symbol >> 4) + 1;
    }
    bits.window = window;
    *predictor as i16
}

/// Returns the place in a block of a coefficient. In damaged data the number can be larger than 63; it then stands for
/// the last coefficient, as in libjpeg.
#[inline(always)]
pub(super) fn place(number: usize) -> usize {
    usize::from(ZIGZAG[number.min(63)]) & 63
}
