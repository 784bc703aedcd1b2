//! Conversion between stored codes and working values, in encoded values or in linear light.
//!
//! The curve is sRGB's (IEC 61966-2-1) or the profile's, computed in f64 by `libm`, which gives the same tables on
//! every machine. The conversion to codes is exact: the code is the one to which the value in f64 would round, halves
//! up.

use raster::transfer::Transfer;
use raster::{Budget, Depth, Result};
use simd::F32x4;

/// The part of a level by which a value may be below a half and still be rounded up. Means of few codes often are
/// exactly a half, and sums in f32 differ from it slightly: without this tolerance one sample in ten of a picture
/// halved by the box kernel in encoded values is one level off. With 2⁻¹⁵ at least 99.9 % of the samples of every test
/// picture equal those of the f64 reference, for every kernel and factor (`crates/resample/tests/it/accuracy.rs`). With
/// 2⁻¹³ fewer do, because values just below the half are then rounded up.
const TIE: f64 = 1.0 / 32_768.0;

/// The values in which pictures are filtered.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Light {
    /// Values proportional to light, by this transfer function.
    Linear(Transfer),
    /// Stored values.
    Encoded,
}

/// The linear light of pictures that follow sRGB.
#[cfg(test)]
pub(crate) const SRGB: Light = Light::Linear(Transfer::Srgb);

/// Whether [`Codes`] finds every code of a depth by this function. It does for the curves in use. It cannot distinguish
/// codes when a table is flat or falls, or when a power is so large that the darkest codes have almost no light.
pub(crate) fn fits(transfer: &Transfer, depth: Depth) -> bool {
    let max = f64::from(depth.max());
    let threshold = |code| round_up(transfer.to_linear((f64::from(code) - 0.5 - TIE) / max));
    *transfer == Transfer::Srgb || Search::new(depth).holds((1..=depth.max()).map(threshold))
}

impl Light {
    /// Returns the working value of an encoded value, both 0 to 1.
    fn decode(&self, encoded: f64) -> f64 {
        match self {
            Self::Encoded => encoded,
            Self::Linear(transfer) => transfer.to_linear(encoded),
        }
    }

    /// Returns the working value of every code of a depth: 1 or 256 KiB.
    pub(crate) fn values(&self, depth: Depth, budget: &Budget) -> Result<Vec<f32>> {
        let max = depth.max();
        let mut values = budget.filled(u64::from(max) + 1, 0.0)?;
        for (code, value) in (0..=max).zip(&mut values) {
            *value = self.decode(f64::from(code) / f64::from(max)) as f32;
        }
        Ok(values)
    }

    /// Returns the smallest f32 that rounds to each code. Entry 0 is −∞. Behind the last code are [`BEYOND`] infinite
    /// entries, because [`Codes::codes`] looks up to seven entries ahead.
    fn thresholds(&self, depth: Depth, budget: &Budget) -> Result<Vec<f32>> {
        let max = depth.max();
        let mut thresholds = budget.filled(u64::from(max) + 1 + BEYOND, f32::NAN)?;
        thresholds[0] = f32::NEG_INFINITY;
        for (code, threshold) in (1..=max).zip(&mut thresholds[1..]) {
            *threshold = round_up(self.decode((f64::from(code) - 0.5 - TIE) / f64::from(max)));
        }
        Ok(thresholds)
    }
}

/// The number of entries behind the last threshold.
const BEYOND: u64 = 7;

/// The number of cells at eight bits: a power of two, so that a mask replaces the bounds check of each look-up. Values
/// below one never reach the last of them.
const CELLS: usize = 1 << 13;

/// Returns the smallest f32 that is not below a positive `value`.
fn round_up(value: f64) -> f32 {
    let nearest = value as f32;
    if f64::from(nearest) < value { nearest.next_up() } else { nearest }
}

/// The tables that find the code of a working value. The first bits of the float select a cell, whose entry in
/// `guesses` is the code at the start of the cell; comparisons with the thresholds correct it. With a table of 65,536
/// entries alone, 0.3 % of the samples would differ from f64.
pub(crate) struct Codes {
    /// A power of two below every threshold; values below it are code 0.
    low: f32,
    /// The number of bits of a float within one cell.
    shift: u32,
    /// The code of each cell's smallest value.
    guesses: Vec<u16>,
    /// The thresholds of [`Light::thresholds`].
    thresholds: Vec<f32>,
}

/// The dimensions of a depth's tables, and the limits of their thresholds.
struct Search {
    /// The number of bits of a float within one cell.
    shift: u32,
    /// The largest number of thresholds in a cell, over which [`Codes::codes`] steps.
    most: u32,
    /// The smallest possible first threshold. Below it there would be more cells than a table has.
    lowest: f32,
}

impl Search {
    /// Returns the dimensions. The number of mantissa bits that select a cell is chosen so that a cell contains fewer
    /// than 2 thresholds at eight bits, 8 at sixteen. In relation to the width of a cell, thresholds are densest at 1
    /// in encoded values: 1/255 compared with 2⁻⁹, 1/65,535 compared with 2⁻¹⁴.
    const fn new(depth: Depth) -> Self {
        let (mantissa, most, lowest) = match depth {
            // 2¹³ cells, 2⁸ for each power of two.
            Depth::Eight => (8, 1, 1.0 / (1_u64 << (CELLS >> 8)) as f32),
            Depth::Sixteen => (13, 7, 1.0 / (1_u64 << 63) as f32),
        };
        Self { shift: f32::MANTISSA_DIGITS - 1 - mantissa, most, lowest }
    }

    /// Whether the tables can distinguish these thresholds, which are in order.
    fn holds(&self, thresholds: impl Iterator<Item = f32>) -> bool {
        let (mut last, mut in_cell) = (self.lowest, 0);
        for threshold in thresholds {
            let is_same_cell = threshold.to_bits() >> self.shift == last.to_bits() >> self.shift;
            in_cell = if is_same_cell { in_cell + 1 } else { 1 };
            if threshold.is_nan() || threshold <= last || threshold > BELOW_ONE || in_cell > self.most {
                return false;
            }
            last = threshold;
        }
        true
    }
}

impl Codes {
    /// Creates tables of 17 KiB for eight bits; of 0.6 MiB for sixteen and sRGB, 0.9 MiB for a power of 2.2.
    pub(crate) fn new(light: &Light, depth: Depth, budget: &Budget) -> Result<Self> {
        let shift = Search::new(depth).shift;
        let thresholds = light.thresholds(depth, budget)?;
        let low = f32::from_bits(thresholds[1].to_bits() & f32::INFINITY.to_bits());
        let cells = (((BELOW_ONE.to_bits() - low.to_bits()) >> shift) + 1).max(CELLS as u32);
        let mut guesses = budget.filled(cells.into(), 0)?;
        let mut code = 0;
        for (cell, guess) in (0..).zip(&mut guesses) {
            let start = f32::from_bits(low.to_bits() + (cell << shift));
            while thresholds[code + 1] <= start {
                code += 1;
            }
            *guess = code as u16;
        }
        Ok(Self { low, shift, guesses, thresholds })
    }

    /// Returns the codes of the first `N` values for samples of `BYTES` bytes, the depth of these tables. Values below
    /// 0 and NaN become 0, values above 1 the last code.
    #[inline(always)]
    pub(crate) fn codes<const BYTES: usize, const N: usize>(&self, values: &[f32; 4]) -> [u16; N] {
        let clamped = F32x4::load(values).clamp(F32x4::splat(self.low), F32x4::splat(BELOW_ONE)).to_bits();
        core::array::from_fn(|lane| {
            let cell = ((clamped[lane] - self.low.to_bits()) >> self.shift) as usize;
            if BYTES == 1 {
                // Lengths known at compile time remove the bounds check of every look-up.
                let (guesses, thresholds) = (&self.guesses[..CELLS], &self.thresholds[..257]);
                let code = guesses[cell % CELLS] & 0xFF;
                return code + u16::from(values[lane] >= thresholds[usize::from(code) + 1]);
            }
            [4, 2, 1].into_iter().fold(self.guesses[cell], |code, step| {
                code + if values[lane] >= self.thresholds[usize::from(code) + usize::from(step)] { step } else { 0 }
            })
        })
    }
}

/// The largest f32 below 1; its code is the last.
const BELOW_ONE: f32 = 1.0 - f32::EPSILON / 2.0;

#[cfg(test)]
mod tests {
    use super::*;
    use raster::Limits;

    /// Encoded values, sRGB, and the powers of Adobe RGB, ProPhoto RGB and grey pictures.
    const LIGHTS: [Light; 5] = [SRGB, Light::Encoded, power(563.0 / 256.0), power(1.8), power(2.2)];

    const fn power(gamma: f64) -> Light {
        Light::Linear(Transfer::Gamma(gamma))
    }

    fn budget() -> Budget {
        Budget::new(&Limits::default())
    }

    /// The slow reference: the inverse of the curve, computed by the standard library, rounded half up.
    #[expect(clippy::disallowed_methods, reason = "the specification is written with the standard library")]
    fn slow_code(light: &Light, depth: Depth, value: f32) -> u16 {
        let value = f64::from(value).clamp(0.0, 1.0);
        let encoded = match light {
            Light::Encoded => value,
            Light::Linear(Transfer::Gamma(gamma)) => value.powf(1.0 / gamma),
            Light::Linear(_) if value <= 0.003_130_8 => value * 12.92,
            Light::Linear(_) => 1.055 * value.powf(1.0 / 2.4) - 0.055,
        };
        (encoded * f64::from(depth.max()) + 0.5 + TIE).floor() as u16
    }

    #[inline(never)]
    fn code(codes: &Codes, depth: Depth, value: f32) -> u16 {
        let [code] = match depth {
            Depth::Eight => codes.codes::<1, 1>(&[value; 4]),
            Depth::Sixteen => codes.codes::<2, 1>(&[value; 4]),
        };
        code
    }

    #[test]
    fn every_code_is_restored() {
        for light in &LIGHTS {
            for depth in [Depth::Eight, Depth::Sixteen] {
                let codes = Codes::new(light, depth, &budget()).unwrap();
                let values = light.values(depth, &budget()).unwrap();
                for (want, &value) in (0..=depth.max()).zip(&values) {
                    assert_eq!(code(&codes, depth, value), want, "{light:?} {depth:?}");
                }
            }
        }
    }

    /// Tests each threshold and its neighbours among the floats, the only values at which a code can be wrong.
    #[test]
    fn codes_change_exactly_at_their_thresholds() {
        for light in &LIGHTS {
            for depth in [Depth::Eight, Depth::Sixteen] {
                let codes = Codes::new(light, depth, &budget()).unwrap();
                for want in 1..=depth.max() {
                    let threshold = codes.thresholds[usize::from(want)];
                    let exact = light.decode((f64::from(want) - 0.5 - TIE) / f64::from(depth.max()));
                    assert!(f64::from(threshold) >= exact && f64::from(threshold.next_down()) < exact);
                    assert_eq!(code(&codes, depth, threshold), want, "{light:?} {depth:?}");
                    assert_eq!(code(&codes, depth, threshold.next_down()), want - 1, "{light:?} {depth:?}");
                }
            }
        }
    }

    #[test]
    fn codes_equal_the_slow_reference_for_all_floats() {
        for light in &LIGHTS {
            for depth in [Depth::Eight, Depth::Sixteen] {
                let codes = Codes::new(light, depth, &budget()).unwrap();
                // Every 1,009th float from 0 to a little above 1.
                for bits in (0..1.01_f32.to_bits()).step_by(1009) {
                    let value = f32::from_bits(bits);
                    assert_eq!(
                        code(&codes, depth, value),
                        slow_code(light, depth, value),
                        "{light:?} {depth:?} {value}"
                    );
                }
            }
        }
    }

    #[test]
    fn values_outside_are_clipped_and_nan_is_black() {
        for depth in [Depth::Eight, Depth::Sixteen] {
            let codes = Codes::new(&SRGB, depth, &budget()).unwrap();
            for value in [-1.0, -0.0, f32::NEG_INFINITY, f32::NAN, 1e-40] {
                assert_eq!(code(&codes, depth, value), 0, "{value}");
            }
            for value in [1.0, 1.5, f32::INFINITY, f32::MAX] {
                assert_eq!(code(&codes, depth, value), depth.max(), "{value}");
            }
        }
    }
}
