//! Blocks in arithmetic codes (T.81 F.2.4, G.2), of sequential and of progressive scans.

use super::arithmetic::{Bin, HALF, Interval};
use super::bits::BitReader;
use super::part::Part;
use super::scan_head::{Band, Pass};
use super::sequential::{Block, place};
use super::tables::Conditioning;

/// The first bin for magnitudes of first coefficients (table F.4).
const DC_MAGNITUDE: usize = 20;
/// The first bins for magnitudes of low and of high other coefficients (table F.5).
const AC_MAGNITUDE: [usize; 2] = [189, 217];
/// The distance from a bin of a magnitude to the bin of the bits below its highest one.
const LOW_BITS: usize = 14;

/// The number of tables of each kind.
const TABLES: usize = 16;

/// The decoder of a scan.
pub(super) struct Arithmetic {
    interval: Interval,
    dc: [[Bin; 64]; TABLES],
    ac: [[Bin; 256]; TABLES],
    conditioning: Conditioning,
    /// Whether a code was found that no encoder writes, so that nothing is read up to the next restart marker.
    has_failed: bool,
}

impl Arithmetic {
    pub(super) fn new(conditioning: &Conditioning) -> Self {
        Self {
            interval: Interval::new(),
            dc: [[0; 64]; TABLES],
            ac: [[0; 256]; TABLES],
            conditioning: conditioning.clone(),
            has_failed: false,
        }
    }

    /// Forgets what was learned (F.1.4.4.1.5), behind a restart marker.
    pub(super) fn restart(&mut self) {
        *self = Self::new(&self.conditioning);
    }

    /// Reads a block of a pass.
    #[inline(never)]
    pub(super) fn read(&mut self, bits: &mut BitReader<'_>, part: &mut Part, pass: Pass, block: &mut Block) {
        if self.has_failed {
            return;
        }
        let is_sound = match pass {
            Pass::Sequential => {
                let band = Band { first: 1, last: 63 };
                self.read_dc(bits, part, 0, block).and_then(|()| self.read_band(bits, part, (band, 0), block))
            }
            Pass::DcFirst { low } => self.read_dc(bits, part, low, block),
            Pass::DcRefinement { low } => {
                block[0] |= i16::from(self.interval.decide(bits, &mut { HALF })) << low;
                Some(())
            }
            Pass::AcFirst { band, low } => self.read_band(bits, part, (band, low), block),
            Pass::AcRefinement { band, low } => self.refine_band(bits, part, (band, low), block),
            Pass::Lossless { .. } => None, // refused before
        };
        if is_sound.is_none() {
            self.has_failed = true;
            bits.damage();
        }
    }

    /// Reads the first coefficient (F.1.4.1). Returns `None` when its magnitude is impossible.
    fn read_dc(&mut self, bits: &mut BitReader<'_>, part: &mut Part, low: u32, block: &mut Block) -> Option<()> {
        let Self { interval, conditioning, .. } = self;
        let bins = &mut self.dc[part.dc_table];
        let zero = part.context;
        part.context = 0;
        if interval.decide(bits, &mut bins[zero]) {
            let is_negative = interval.decide(bits, &mut bins[zero + 1]);
            let mut bin = zero + 2 + usize::from(is_negative);
            let mut magnitude = i32::from(interval.decide(bits, &mut bins[bin]));
            if magnitude != 0 {
                (magnitude, bin) = highest_bit(interval, bits, bins, (magnitude, DC_MAGNITUDE))?;
            }
            let (lower, upper) = conditioning.dc[part.dc_table];
            let sign = 4 * usize::from(is_negative);
            part.context = match magnitude {
                m if m < (1 << lower) >> 1 => 0,
                m if m > (1 << upper) >> 1 => 12 + sign,
                _ => 4 + sign,
            };
            let difference = value(interval, bits, &mut bins[bin + LOW_BITS], (magnitude, is_negative));
            part.predictor = part.predictor.wrapping_add(difference);
        }
        block[0] = (part.predictor << low) as i16;
        Some(())
    }

    /// Reads the high bits of a band of other coefficients (F.1.4.2). Returns `None` when there are too many
    /// coefficients, or a magnitude is impossible.
    fn read_band(
        &mut self,
        bits: &mut BitReader<'_>,
        part: &Part,
        (band, low): (Band, u32),
        block: &mut Block,
    ) -> Option<()> {
        let interval = &mut self.interval;
        let bins = &mut self.ac[part.ac_table];
        let mut number = band.first;
        while number <= band.last && !interval.decide(bits, &mut bins[3 * (number - 1)]) {
            while !interval.decide(bits, &mut bins[3 * (number - 1) + 1]) {
                number += 1;
                if number > band.last {
                    return None;
                }
            }
            let is_negative = interval.decide(bits, &mut { HALF });
            let mut bin = 3 * (number - 1) + 2;
            let mut magnitude = i32::from(interval.decide(bits, &mut bins[bin]));
            if magnitude != 0 && interval.decide(bits, &mut bins[bin]) {
                let is_high = number > usize::from(self.conditioning.ac[part.ac_table]);
                (magnitude, bin) = highest_bit(interval, bits, bins, (2, AC_MAGNITUDE[usize::from(is_high)]))?;
            }
            let value = value(interval, bits, &mut bins[bin + LOW_BITS], (magnitude, is_negative));
            block[place(number)] = (value << low) as i16;
            number += 1;
        }
        Some(())
    }

    /// Reads the next bit of the coefficients of a band that are not 0, and those that become ±1 with it (G.1.3.3).
    /// Returns `None` when there are too many coefficients.
    fn refine_band(
        &mut self,
        bits: &mut BitReader<'_>,
        part: &Part,
        (band, low): (Band, u32),
        block: &mut Block,
    ) -> Option<()> {
        let interval = &mut self.interval;
        let bins = &mut self.ac[part.ac_table];
        let bit = 1_i16 << low;
        let last = (1..=band.last).rev().find(|&number| block[place(number)] != 0).unwrap_or(0);
        let mut number = band.first;
        while number <= band.last {
            if number > last && interval.decide(bits, &mut bins[3 * (number - 1)]) {
                break;
            }
            while !refine(interval, bits, &mut bins[3 * (number - 1)..], (bit, &mut block[place(number)])) {
                number += 1;
                if number > band.last {
                    return None;
                }
            }
            number += 1;
        }
        Some(())
    }
}

/// Refines a coefficient. Returns false when it stays 0.
fn refine(
    interval: &mut Interval,
    bits: &mut BitReader<'_>,
    bins: &mut [Bin],
    (bit, coefficient): (i16, &mut i16),
) -> bool {
    if *coefficient != 0 {
        if interval.decide(bits, &mut bins[2]) {
            *coefficient = coefficient.wrapping_add(if *coefficient < 0 { -bit } else { bit });
        }
        return true;
    }
    let is_new = interval.decide(bits, &mut bins[1]);
    if is_new {
        *coefficient = if interval.decide(bits, &mut { HALF }) { -bit } else { bit };
    }
    is_new
}

/// Doubles a magnitude as often as the code says (figure F.23). Returns it with the last bin, or `None` when it does
/// not fit into 15 bits.
fn highest_bit(
    interval: &mut Interval,
    bits: &mut BitReader<'_>,
    bins: &mut [Bin],
    (mut magnitude, mut bin): (i32, usize),
) -> Option<(i32, usize)> {
    while interval.decide(bits, &mut bins[bin]) {
        magnitude <<= 1;
        if magnitude == 0x8000 {
            return None;
        }
        bin += 1;
    }
    Some((magnitude, bin))
}

/// Reads the bits below the highest one of a magnitude, which is less by 1 than the value's (figure F.24).
fn value(interval: &mut Interval, bits: &mut BitReader<'_>, bin: &mut Bin, (highest, is_negative): (i32, bool)) -> i32 {
    let mut magnitude = highest;
    let mut bit = highest >> 1;
    while bit != 0 {
        if interval.decide(bits, bin) {
            magnitude |= bit;
        }
        bit >>= 1;
    }
    if is_negative { -(magnitude + 1) } else { magnitude + 1 }
}
