//! Conversion of 64 samples to 64 quantised coefficients. The arithmetic is that of the IJG's accurate integer
//! transform, so that files can be compared with cjpeg's byte by byte.

use crate::zigzag::ZIGZAG;

/// The coefficients of a block, in zigzag order.
pub(super) type Block = [i16; 64];

/// A quantizer, which divides by the steps of one table and rounds to nearest, halves away from zero.
pub(super) struct Quantizer {
    /// Half of eight times each step, in natural order: the transform's results are eight times too large.
    halves: [i16; 64],
    /// The reciprocal of eight times each step.
    inverses: [f32; 64],
}

impl Quantizer {
    /// Creates a quantizer of steps in zigzag order, each at least 1.
    pub(super) fn new(steps: &[u16; 64]) -> Self {
        let mut divisors = [0; 64];
        for (&place, &step) in ZIGZAG.iter().zip(steps) {
            divisors[usize::from(place)] = step as i16 * 8;
        }
        Self { halves: divisors.map(|divisor| divisor / 2), inverses: divisors.map(|divisor| 1.0 / f32::from(divisor)) }
    }

    /// Returns the coefficients of the eight by eight samples at the start of `samples`, whose rows are `stride` apart.
    pub(super) fn block(&self, samples: &[u8], stride: usize) -> Block {
        let quantized = simd::quantized(&simd::forward_dct(samples, stride), &self.halves, &self.inverses);
        ZIGZAG.map(|place| quantized[usize::from(place)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::array::from_fn;

    /// Computes T.81 A.3.3 in f64.
    #[expect(clippy::disallowed_methods, reason = "the expected value, compared with a tolerance")]
    fn exact(samples: &[u8]) -> [f64; 64] {
        use core::f64::consts::{FRAC_1_SQRT_2, PI};
        let scale = |i: usize| if i == 0 { FRAC_1_SQRT_2 } else { 1.0 };
        let wave = |place: usize, i: usize| ((2 * place + 1) as f64 * i as f64 * PI / 16.0).cos();
        from_fn(|i| {
            let (v, u) = (i / 8, i % 8);
            let sum: f64 = (0..64).map(|at| (f64::from(samples[at]) - 128.0) * wave(at % 8, u) * wave(at / 8, v)).sum();
            sum * scale(u) * scale(v) / 4.0
        })
    }

    #[test]
    fn coefficients_differ_from_the_definition_by_less_than_a_fifth() {
        let mut random = testkit::generate::Lcg::new(5);
        for round in 0..200 {
            // Black and white blocks give the largest coefficients.
            let floor = if round < 50 { 254 } else { 0 };
            let samples: Vec<u8> = (0..64)
                .map(|_| random.next_byte())
                .map(|byte| if byte < floor { byte / 128 * 255 } else { byte })
                .collect();
            let got = simd::forward_dct(&samples, 8);
            for (got, want) in got.into_iter().zip(exact(&samples)) {
                assert!((f64::from(got) / 8.0 - want).abs() < 0.2, "{got} / 8, {want}");
            }
        }
    }

    #[test]
    fn quotients_equal_integer_division() {
        for step in 1..=255_u16 {
            let quantizer = Quantizer::new(&[step; 64]);
            let divisor = i32::from(step) * 8;
            for level in 0..=255_u8 {
                let flat = quantizer.block(&[level; 64], 8);
                let coefficient = 64 * (i32::from(level) - 128);
                let want = (coefficient.abs() + divisor / 2) / divisor * coefficient.signum();
                assert_eq!((i32::from(flat[0]), &flat[1..]), (want, &[0; 63][..]), "{level} by {step}");
            }
        }
    }
}
