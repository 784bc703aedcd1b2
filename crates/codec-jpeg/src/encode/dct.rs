//! Conversion of 64 samples to 64 quantised coefficients. The arithmetic is that of the IJG's accurate integer
//! transform (Loeffler, Ligtenberg and Moschytz, ICASSP 1989, with 12 multiplications), so that files can be compared
//! with cjpeg's byte by byte.

use core::array::from_fn;

use crate::zigzag::ZIGZAG;

/// The coefficients of a block, in zigzag order.
pub(super) type Block = [i16; 64];

/// The fraction bits of the constants.
const CONSTANT_BITS: u32 = 13;
/// The fraction bits that are kept between the two passes.
const BETWEEN_BITS: u32 = 2;

/// A quantizer, which divides by the steps of one table and rounds to nearest, halves away from zero.
pub(super) struct Quantizer {
    /// Half of eight times each step, in natural order: the transform's results are eight times too large.
    halves: [i32; 64],
    /// The reciprocal of eight times each step.
    inverses: [f32; 64],
}

impl Quantizer {
    /// Creates a quantizer of steps in zigzag order, each at least 1.
    pub(super) fn new(steps: &[u16; 64]) -> Self {
        let mut divisors = [0; 64];
        for (&place, &step) in ZIGZAG.iter().zip(steps) {
            divisors[usize::from(place)] = i32::from(step) * 8;
        }
        Self { halves: divisors.map(|divisor| divisor / 2), inverses: divisors.map(|divisor| 1.0 / divisor as f32) }
    }

    /// Returns the coefficients of the eight by eight samples at the start of `samples`, whose rows are `stride` apart.
    pub(super) fn block(&self, samples: &[u8], stride: usize) -> Block {
        let coefficients = transform(samples, stride);
        let quantized: [i16; 64] = from_fn(|i| {
            let (value, sign) = (coefficients[i], coefficients[i] >> 31);
            // The added half protects exact quotients from rounding down: up to 2²⁰ the error of f32 is smaller than a
            // half.
            let quotient = (((value.abs() + self.halves[i]) as f32 + 0.5) * self.inverses[i]) as i32;
            ((quotient ^ sign) - sign) as i16
        });
        ZIGZAG.map(|place| quantized[usize::from(place)])
    }
}

/// Returns the coefficients, eight times too large, in natural order.
pub(super) fn transform(samples: &[u8], stride: usize) -> [i32; 64] {
    // The eight rows are transformed side by side, then the transposed eight columns.
    let mut columns = [[0; 8]; 8];
    for (row, line) in samples.chunks(stride).take(8).enumerate() {
        for (column, &sample) in columns.iter_mut().zip(line) {
            column[row] = i32::from(sample) - 128;
        }
    }
    pass(&mut columns, |sum| sum << BETWEEN_BITS, |sum| descale(sum, CONSTANT_BITS - BETWEEN_BITS));
    let mut rows: [[i32; 8]; 8] = from_fn(|y| from_fn(|x| columns[x][y]));
    pass(&mut rows, |sum| descale(sum, BETWEEN_BITS), |sum| descale(sum, CONSTANT_BITS + BETWEEN_BITS));
    from_fn(|i| rows[i / 8][i % 8])
}

/// Transforms one dimension eight times: element `i` of each transform is in `lanes[i]`. `whole` is applied to plain
/// sums, `product` to sums of products. The loop over lanes is vectorised by compilers.
#[inline(always)]
fn pass(lanes: &mut [[i32; 8]; 8], whole: impl Fn(i32) -> i32, product: impl Fn(i32) -> i32) {
    for lane in 0..8 {
        let [a, b, c, d, e, f, g, h] = from_fn(|i| lanes[i][lane]);
        let (s0, s1, s2, s3) = (a + h, b + g, c + f, d + e);
        let (d0, d1, d2, d3) = (a - h, b - g, c - f, d - e);

        let (even0, even1, odd0, odd1) = (s0 + s3, s1 + s2, s0 - s3, s1 - s2);
        let turned = (odd0 + odd1) * 4433; // 0.541 196 100
        lanes[0][lane] = whole(even0 + even1);
        lanes[4][lane] = whole(even0 - even1);
        lanes[2][lane] = product(turned + odd0 * 6270); // 0.765 366 865
        lanes[6][lane] = product(turned - odd1 * 15_137); // 1.847 759 065

        let z5 = (d0 + d1 + d2 + d3) * 9633; // 1.175 875 602
        let (z1, z2) = ((d0 + d3) * -7373, (d1 + d2) * -20_995); // 0.899 976 223, 2.562 915 447
        let (z3, z4) = ((d1 + d3) * -16_069 + z5, (d0 + d2) * -3196 + z5); // 1.961 570 560, 0.390 180 644
        lanes[1][lane] = product(d0 * 12_299 + z1 + z4); // 1.501 321 110
        lanes[3][lane] = product(d1 * 25_172 + z2 + z3); // 3.072 711 026
        lanes[5][lane] = product(d2 * 16_819 + z2 + z4); // 2.053 119 869
        lanes[7][lane] = product(d3 * 2446 + z1 + z3); // 0.298 631 336
    }
}

/// Removes `bits` fraction bits, rounding halves up.
#[inline(always)]
const fn descale(value: i32, bits: u32) -> i32 {
    (value + (1 << (bits - 1))) >> bits
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let got = transform(&samples, 8);
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
