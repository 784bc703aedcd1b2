//! Blocks of progressive scans (T.81 Annex G): each scan adds a band of coefficients, or a bit to those of a band.

use super::arithmetic_blocks::Arithmetic;
use super::bits::BitReader;
use super::huffman::Lookup;
use super::scan_head::Band;
use super::sequential::{Block, place};

/// What the blocks of a scan share.
pub(super) struct State<'a> {
    pub(super) bits: BitReader<'a>,
    /// The decoder of arithmetic codes, if they are not Huffman's.
    pub(super) arithmetic: Option<Box<Arithmetic>>,
    /// The number of further blocks without coefficients in this band (G.1.2.2).
    pub(super) end_of_band_run: u32,
}

impl State<'_> {
    /// Whether there are data for the next MCU. The data of an arithmetic code can end long before the last MCU.
    #[inline(always)]
    pub(super) fn has_data(&mut self) -> bool {
        if self.arithmetic.is_some() { !self.bits.is_cut() } else { self.bits.has_data() }
    }

    /// Whether no data can follow.
    pub(super) fn is_at_end(&self) -> bool {
        if self.arithmetic.is_some() { self.bits.is_cut() } else { self.bits.is_at_end() }
    }

    /// Whether invalid or missing data were found so far.
    pub(super) fn is_damaged(&self) -> bool {
        self.bits.is_damaged() || (self.arithmetic.is_some() && self.bits.is_cut())
    }
}

/// Reads the high bits of the first coefficient.
#[inline(always)]
pub(super) fn read_dc(bits: &mut BitReader<'_>, dc: &Lookup, predictor: &mut i32, low: u32, block: &mut Block) {
    *predictor = predictor.wrapping_add(dc.coefficient(bits).value);
    block[0] = (*predictor << low) as i16;
}

/// Reads the next bit of the first coefficient.
#[inline(always)]
pub(super) fn refine_dc(bits: &mut BitReader<'_>, low: u32, block: &mut Block) {
    if bits.read_bit() {
        block[0] |= 1 << low;
    }
}

/// Reads the high bits of a band (G.1.2.2).
#[inline(always)]
pub(super) fn read_band(state: &mut State<'_>, ac: &Lookup, band: Band, low: u32, block: &mut Block) {
    if state.end_of_band_run > 0 {
        state.end_of_band_run -= 1;
        return;
    }
    let mut window = state.bits.window;
    let mut number = band.first;
    while number <= band.last {
        let decoded = ac.coefficient_in(&mut window, &mut state.bits);
        let run = decoded.symbol >> 4;
        if decoded.value == 0 && run != 15 {
            state.bits.window = window;
            state.end_of_band_run = run_length(&mut state.bits, run) - 1;
            return;
        }
        number += usize::from(run);
        if decoded.value != 0 {
            block[place(number)] = (decoded.value << low) as i16;
        }
        number += 1;
    }
    state.bits.window = window;
    if number > band.last + 1 {
        state.bits.damage();
    }
}

/// Returns the number of blocks, this one included, whose band ends here.
fn run_length(bits: &mut BitReader<'_>, category: u8) -> u32 {
    match u32::from(category) {
        0 => 1,
        category => (1 << category) + bits.read(category),
    }
}

/// Reads the next bit of the coefficients of a band that are not 0, and those that become ±1 with it (G.1.2.3).
pub(super) fn refine_band(state: &mut State<'_>, ac: &Lookup, band: Band, low: u32, block: &mut Block) {
    let bit = 1 << low;
    let mut number = band.first;
    while state.end_of_band_run == 0 && number <= band.last {
        let symbol = ac.symbol(&mut state.bits);
        let run = symbol >> 4;
        let new = match symbol & 15 {
            0 if run < 15 => {
                state.end_of_band_run = run_length(&mut state.bits, run);
                break;
            }
            0 => 0,
            size => {
                if size != 1 {
                    state.bits.damage();
                }
                if state.bits.read_bit() { bit } else { -bit }
            }
        };
        number = skip_zeros(&mut state.bits, Band { first: number, ..band }, run, bit, block);
        if new != 0 {
            block[place(number)] = new;
        }
        number += 1;
    }
    if state.end_of_band_run > 0 {
        let all_zeros = u8::MAX;
        skip_zeros(&mut state.bits, Band { first: number, ..band }, all_zeros, bit, block);
        state.end_of_band_run -= 1;
    }
}

/// Refines the coefficients of a band up to the one behind `zeros` zeros. Returns its number, or that behind the band.
fn skip_zeros(bits: &mut BitReader<'_>, band: Band, mut zeros: u8, bit: i16, block: &mut Block) -> usize {
    for number in band.first..=band.last {
        let coefficient = &mut block[place(number)];
        if *coefficient != 0 {
            if bits.read_bit() && *coefficient & bit == 0 {
                *coefficient = coefficient.wrapping_add(if *coefficient > 0 { bit } else { -bit });
            }
        } else if zeros == 0 {
            return number;
        } else {
            zeros -= 1;
        }
    }
    band.last + 1
}
