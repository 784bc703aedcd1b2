//! Blocks of sequential scans (T.81 F.2.2): all coefficients of a block follow each other.

use super::bits::BitReader;
use super::huffman::Lookup;
use crate::zigzag::ZIGZAG;

/// A block of coefficients or samples, row by row.
pub(super) type Block = [i16; 64];

/// The places of coefficients; a number behind the last one stands for it.
const PLACES: [u8; 128] = {
    let mut places = [63; 128];
    let mut number = 0;
    while number < 64 {
        places[number] = ZIGZAG[number];
        number += 1;
    }
    places
};

/// Reads a block, which contains zeros before. Returns the number of the last coefficient that can differ from 0.
#[inline(never)]
pub(super) fn read_block(
    bits: &mut BitReader<'_>,
    dc: &Lookup,
    ac: &Lookup,
    predictor: &mut i32,
    block: &mut Block,
) -> usize {
    *predictor = predictor.wrapping_add(dc.coefficient(bits).value);
    block[0] = *predictor as i16;
    let number = ac.block(bits, |number, value| {
        if number < 64 {
            block[place(number)] = value;
        }
    });
    if number > 64 {
        bits.damage();
    }
    number.min(64) - 1
}

/// Reads a block and returns only its first coefficient.
#[inline(never)]
pub(super) fn read_first(bits: &mut BitReader<'_>, dc: &Lookup, ac: &Lookup, predictor: &mut i32) -> i16 {
    *predictor = predictor.wrapping_add(dc.coefficient(bits).value);
    ac.block(bits, |_, _| {});
    *predictor as i16
}

/// Returns the place in a block of a coefficient. In damaged data the number can be larger than 63; it then stands for
/// the last coefficient, as in libjpeg.
#[inline(always)]
pub(super) fn place(number: usize) -> usize {
    usize::from(PLACES[number % PLACES.len()]) & 63
}
