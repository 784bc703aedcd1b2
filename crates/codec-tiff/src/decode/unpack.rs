//! Converts samples of any size and type to numbers of one size: integers of up to 8 bits to 0 … 255, larger ones and
//! real numbers to 0 … 65 535. Integers of more than 16 bits keep their 16 highest bits; real numbers from 0 to 1 are
//! scaled, others clipped.

use super::meaning::{Meaning, Samples};
use super::page::Page;

/// A converter of a page's samples to numbers.
#[derive(Clone, Debug)]
pub(super) struct Unpack {
    samples: Samples,
    /// The number for each value of samples of up to 8 bits. Palette indices are not scaled.
    levels: Vec<u16>,
    /// Whether values are scaled to the whole range.
    is_spread: bool,
}

impl Unpack {
    pub(super) fn new(page: &Page) -> Self {
        let is_spread = !matches!(page.meaning, Meaning::Palette(_));
        let levels = match page.samples {
            Samples::Whole(bits @ 1..=8) => {
                let max = (1_u32 << bits) - 1;
                // v × 255 / max, rounded half up.
                (0..=max).map(|v| if is_spread { (v * 510 + max) / (2 * max) } else { v } as u16).collect()
            }
            _ => Vec::new(),
        };
        Self { samples: page.samples, levels, is_spread }
    }

    /// Writes the samples of a line to every `step`th element of `into`.
    pub(super) fn line(&self, line: &[u8], into: &mut [u16], step: usize) {
        let places = into.iter_mut().step_by(step);
        match self.samples {
            Samples::Whole(8) => places.zip(line).for_each(|(to, &from)| *to = self.levels[usize::from(from)]),
            Samples::Whole(16) => {
                places.zip(line.as_chunks::<2>().0).for_each(|(to, &from)| *to = u16::from_le_bytes(from));
            }
            // Whole bytes: the samples are little-endian here, so the two highest bytes are the last.
            Samples::Whole(bits) if bits % 8 == 0 => {
                let high = line.chunks_exact(usize::from(bits / 8));
                places
                    .zip(high)
                    .for_each(|(to, from)| *to = u16::from_le_bytes([from[from.len() - 2], from[from.len() - 1]]));
            }
            Samples::Whole(bits) => {
                let mut packed = Packed { bytes: line.iter(), buffer: 0, count: 0 };
                places.for_each(|to| *to = self.spread(packed.next(bits.into()), bits));
            }
            Samples::Real(bits) => {
                let reals = line.chunks_exact(usize::from(bits / 8));
                places.zip(reals).for_each(|(to, from)| *to = level(real(from)));
            }
        }
    }

    /// Converts a packed sample to a number of the page's depth.
    fn spread(&self, value: u64, bits: u16) -> u16 {
        match bits {
            ..=8 => self.levels[value as usize],
            9..=15 if self.is_spread => {
                let max = (1_u32 << bits) - 1;
                ((value as u32 * 65_535 + max / 2) / max) as u16
            }
            9..=16 => value as u16,
            _ => (value >> (bits - 16)) as u16,
        }
    }
}

/// Returns a table of eight-bit greys: for each byte in turn, the greys of the 8 / `bits` values that are packed in it.
pub(super) fn levels(bits: u32, white_is_zero: bool) -> Vec<u8> {
    let max = (1_u32 << bits) - 1;
    let level = |v: u32| (if white_is_zero { max - v } else { v } * 255 / max) as u8;
    (0..256).flat_map(|byte: u32| (0..8 / bits).rev().map(move |i| level(byte >> (i * bits) & max))).collect()
}

/// Converts greys of 1, 2 or 4 bits to greys of eight, by a table of [`levels`]. Scanned pages consist of such greys
/// only, so they have a fast path.
pub(super) fn greys(line: &[u8], bits: u32, levels: &[u8], row: &mut [u8]) {
    match bits {
        1 => expand::<8>(line, levels, row),
        2 => expand::<4>(line, levels, row),
        _ => expand::<2>(line, levels, row),
    }
}

/// Converts each byte to `N` pixels, and the last byte to the rest of the row.
fn expand<const N: usize>(line: &[u8], levels: &[u8], row: &mut [u8]) {
    let levels = levels.as_chunks::<N>().0;
    let (pixels, rest) = row.as_chunks_mut::<N>();
    for (pixels, &byte) in pixels.iter_mut().zip(line) {
        *pixels = levels[usize::from(byte)];
    }
    if let Some(&byte) = line.get(pixels.len()) {
        rest.copy_from_slice(&levels[usize::from(byte)][..rest.len()]);
    }
}

/// A reader of samples packed without gaps, highest bit first, as TIFF 6.0 §3 requires in either byte order.
struct Packed<'l> {
    bytes: core::slice::Iter<'l, u8>,
    /// The bits that were read, the last ones lowest. It has 128 bits because up to 7 are left when 64 are needed.
    buffer: u128,
    /// The number of bits that are not taken yet.
    count: u32,
}

impl Packed<'_> {
    /// Returns the next `bits` bits, at most 64; zeros behind the end.
    fn next(&mut self, bits: u32) -> u64 {
        while self.count < bits {
            self.buffer = self.buffer << 8 | u128::from(self.bytes.next().copied().unwrap_or(0));
            self.count += 8;
        }
        self.count -= bits;
        (self.buffer >> self.count) as u64 & (u64::MAX >> (64 - bits))
    }
}

/// Returns a little-endian IEEE 754 number of 2, 3, 4 or 8 bytes.
fn real(bytes: &[u8]) -> f64 {
    match *bytes {
        [a, b] => small(u16::from_le_bytes([a, b]).into(), 5, 10),
        [a, b, c] => small(u32::from_le_bytes([a, b, c, 0]), 7, 16),
        [a, b, c, d] => f32::from_le_bytes([a, b, c, d]).into(),
        [a, b, c, d, e, f, g, h] => f64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => 0.0,
    }
}

/// Returns a number with a sign bit, an exponent and a fraction (IEEE 754 §3.4; supplement 3 for 24 bits).
fn small(code: u32, exponent_bits: u32, fraction_bits: u32) -> f64 {
    let fraction = f64::from(code & ((1 << fraction_bits) - 1));
    let exponent = (code >> fraction_bits & ((1 << exponent_bits) - 1)) as i32;
    let sign = if code >> (exponent_bits + fraction_bits) & 1 == 1 { -1.0 } else { 1.0 };
    let bias = (1 << (exponent_bits - 1)) - 1;
    let scale = |power: i32| libm::ldexp(1.0, power - fraction_bits as i32);
    match exponent {
        // A subnormal number: it lacks the implicit leading 1.
        0 => sign * fraction * scale(1 - bias),
        top if top == (1 << exponent_bits) - 1 && fraction == 0.0 => sign * f64::INFINITY,
        top if top == (1 << exponent_bits) - 1 => f64::NAN,
        _ => sign * (fraction + f64::from(1 << fraction_bits)) * scale(exponent - bias),
    }
}

/// Converts 0 … 1 to 0 … 65 535, clipped, rounded half up. NaN becomes 0.
fn level(value: f64) -> u16 {
    // The cast saturates and converts NaN to 0.
    (value * 65_535.0 + 0.5) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_reals_have_the_values_of_ieee_754() {
        let table = [
            (vec![0x00, 0x3C], 1.0),
            (vec![0x00, 0xB8], -0.5),
            (vec![0x01, 0x00], 5.960_464_477_539_063e-8),
            (vec![0xFF, 0x7B], 65_504.0),
            (vec![0x00, 0x7C], f64::INFINITY),
            (vec![0x00, 0x00, 0x3F], 1.0),
            (vec![0x00, 0x80, 0x3E], 0.75),
            (1.25_f32.to_le_bytes().to_vec(), 1.25),
            (0.1_f64.to_le_bytes().to_vec(), 0.1),
        ];
        for (bytes, want) in table {
            assert_eq!(real(&bytes), want, "{bytes:x?}");
        }
        assert!(real(&[0x01, 0x7C]).is_nan());
        assert_eq!([f64::NAN, -1.0, 0.0, 0.5, 1.0, 7.0].map(level), [0, 0, 0, 32_768, 65_535, 65_535]);
    }

    #[test]
    fn packed_samples_are_cut_without_gaps() {
        let mut packed = Packed { bytes: [0b1010_1100, 0b0101_1111, 0xFF].iter(), buffer: 0, count: 0 };
        assert_eq!([3, 5, 1, 12].map(|bits| packed.next(bits)), [0b101, 0b01100, 0, 0b1011_1111_1111]);
        assert_eq!(packed.next(64), 0b111 << 61, "zeros behind the end");
    }
}
