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

/// Coefficients of a block, and which of them are not 0, in zigzag order from the lowest bit on.
pub(super) struct Marked<'a> {
    pub(super) block: &'a mut Block,
    pub(super) nonzero: &'a mut u64,
}

impl Marked<'_> {
    /// Sets a coefficient. In damaged data the number can be larger than 63.
    #[inline(always)]
    fn set(&mut self, number: usize, value: i16) {
        self.block[place(number)] = value;
        let bit = 1 << number.min(63);
        *self.nonzero = if value == 0 { *self.nonzero & !bit } else { *self.nonzero | bit };
    }

    /// Returns the numbers of the coefficients of a band that are not 0.
    #[inline(always)]
    const fn nonzero_in(&self, band: Band) -> u64 {
        *self.nonzero & band.numbers()
    }
}

/// Reads the high bits of a band (G.1.2.2).
#[inline(always)]
pub(super) fn read_band(state: &mut State<'_>, ac: &Lookup, band: Band, low: u32, mut into: Marked<'_>) {
    if state.end_of_band_run > 0 {
        state.end_of_band_run -= 1;
        return;
    }
    let (number, end) = ac.coefficients(&mut state.bits, (band.first, band.last), |number, value| {
        if value != 0 {
            into.set(number, (value << low) as i16);
        }
    });
    if let Some(run) = end {
        state.end_of_band_run = run_length(&mut state.bits, run) - 1;
    } else if number > band.last + 1 {
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
#[inline(always)]
pub(super) fn refine_band(state: &mut State<'_>, ac: &Lookup, band: Band, low: u32, mut into: Marked<'_>) {
    if state.end_of_band_run == 0 {
        refine_begun_band(state, ac, band, low, into);
        return;
    }
    state.end_of_band_run -= 1;
    let nonzero = into.nonzero_in(band);
    refine(&mut state.bits, nonzero, 1 << low, &mut into);
}

fn refine_begun_band(state: &mut State<'_>, ac: &Lookup, band: Band, low: u32, mut into: Marked<'_>) {
    let bit = 1 << low;
    let mut left = band;
    while left.first <= left.last {
        let symbol = ac.symbol(&mut state.bits);
        let run = symbol >> 4;
        let new = match symbol & 15 {
            0 if run < 15 => {
                state.end_of_band_run = run_length(&mut state.bits, run) - 1;
                let nonzero = into.nonzero_in(left);
                return refine(&mut state.bits, nonzero, bit, &mut into);
            }
            0 => 0,
            size => {
                if size != 1 {
                    state.bits.damage();
                }
                if state.bits.read_bit() { bit } else { -bit }
            }
        };
        // The coefficient behind as many zeros, or that behind the band.
        let nonzero = into.nonzero_in(left);
        let mut zeros = left.numbers() & !nonzero;
        for _ in 0..run {
            zeros &= zeros.wrapping_sub(1);
        }
        let number = if zeros == 0 { band.last + 1 } else { zeros.trailing_zeros() as usize };
        let before = if number > 63 { u64::MAX } else { (1 << number) - 1 };
        refine(&mut state.bits, nonzero & before, bit, &mut into);
        if new != 0 {
            into.set(number, new);
        }
        left.first = number + 1;
    }
}

/// Refines the coefficients with these numbers, none of which is 0.
#[inline(always)]
fn refine(bits: &mut BitReader<'_>, mut numbers: u64, bit: i16, into: &mut Marked<'_>) {
    while numbers != 0 {
        let coefficient = &mut into.block[place(numbers.trailing_zeros() as usize)];
        if bits.read_bit() && *coefficient & bit == 0 {
            *coefficient = coefficient.wrapping_add(if *coefficient > 0 { bit } else { -bit });
        }
        numbers &= numbers - 1;
    }
}
