//! The arithmetic of pictures with more than 8 bits in a sample: the inverse transform of 12-bit pictures, colours, and
//! levels. It is that of libjpeg-turbo 3 with 64-bit sums.

use super::frame::Model;
use super::sequential::Block;

/// The fraction bits of the transform's constants.
const CONSTANT_BITS: u32 = 13;
/// The fraction bits that are kept between its two passes.
const BETWEEN_BITS: u32 = 1;

/// Returns the 8 × 8 samples of a block of quantised coefficients (T.81 A.3.3) of a 12-bit picture: the IJG's accurate
/// integer transform, as in `simd::inverse_dct`.
pub(super) fn inverse_dct(coefficients: &Block, steps: &Block) -> [u16; 64] {
    let mut levels = [0_i64; 64];
    for ((level, &coefficient), &step) in levels.iter_mut().zip(coefficients).zip(steps) {
        *level = i64::from(coefficient) * i64::from(step as u16);
    }
    for x in 0..8 {
        let column = transform(core::array::from_fn(|y| levels[8 * y + x]), CONSTANT_BITS - BETWEEN_BITS);
        (0..8).for_each(|y| levels[8 * y + x] = column[y]);
    }
    let mut samples = [0; 64];
    for (samples, row) in samples.as_chunks_mut().0.iter_mut().zip(levels.as_chunks().0) {
        *samples = transform(*row, CONSTANT_BITS + BETWEEN_BITS + 3).map(sample);
    }
    samples
}

/// Returns the sample of a level around 0. As in libjpeg, only its lowest 14 bits count.
const fn sample(level: i64) -> u16 {
    let level = (level << 50) >> 50;
    let clipped = if level < -2048 {
        -2048
    } else if level > 2047 {
        2047
    } else {
        level
    };
    (clipped + 2048) as u16
}

/// Returns the transform of eight coefficients, divided by 2 to the power of `shift`.
fn transform(c: [i64; 8], shift: u32) -> [i64; 8] {
    // The even part.
    let shared = (c[2] + c[6]) * 4433; // 0.541 196 100
    let low = shared - c[6] * 15_137; // 1.847 759 065
    let high = shared + c[2] * 6270; // 0.765 366 865
    let (sum, difference) = ((c[0] + c[4]) << CONSTANT_BITS, (c[0] - c[4]) << CONSTANT_BITS);
    let even = [sum + high, difference + low, difference - low, sum - high];
    // The odd part.
    let (third, fourth) = (c[7] + c[3], c[5] + c[1]);
    let shared = (third + fourth) * 9633; // 1.175 875 602
    let (third, fourth) = (shared - third * 16_069, shared - fourth * 3196); // 1.961 570 560, 0.390 180 644
    let first = (c[7] + c[1]) * -7373; // 0.899 976 223
    let second = (c[5] + c[3]) * -20_995; // 2.562 915 447
    let odd = [
        c[1] * 12_299 + first + fourth,  // 1.501 321 110
        c[3] * 25_172 + second + third,  // 3.072 711 026
        c[5] * 16_819 + second + fourth, // 2.053 119 869
        c[7] * 2446 + first + third,     // 0.298 631 336
    ];
    let half = 1 << (shift - 1);
    let mut result = [0; 8];
    for i in 0..4 {
        result[i] = (even[i] + odd[i] + half) >> shift;
        result[7 - i] = (even[i] - odd[i] + half) >> shift;
    }
    result
}

/// The samples of a picture: 0 to `max`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Levels {
    max: u32,
    /// The largest level of the rows that are returned: 255 or 65,535.
    full: u32,
}

impl Levels {
    /// Creates the levels of samples of 2 to 16 bits.
    pub(super) const fn new(precision: u8) -> Self {
        Self { max: (1 << precision) - 1, full: if precision > 8 { 0xFFFF } else { 0xFF } }
    }

    /// Returns the number of bytes of a sample in the rows.
    const fn bytes(self) -> usize {
        if self.full > 0xFF { 2 } else { 1 }
    }

    /// Writes pixels of rows of components. YCbCr becomes RGB, and YCCK becomes inks.
    pub(super) fn interleave(self, model: Model, components: &[&[u16]], pixels: &mut [u8]) {
        let bytes = self.bytes();
        for (x, pixel) in pixels.chunks_exact_mut(components.len() * bytes).enumerate() {
            let mut samples = [0; 4];
            for (sample, row) in samples.iter_mut().zip(components) {
                *sample = u32::from(row[x]).min(self.max);
            }
            if matches!(model, Model::YCbCr | Model::Ycck) {
                self.convert(&mut samples);
            }
            if model == Model::Ycck {
                samples[3] = self.max - samples[3];
            }
            for (to, sample) in pixel.chunks_exact_mut(bytes).zip(samples) {
                to.copy_from_slice(&self.scaled(sample).to_le_bytes()[..bytes]);
            }
        }
    }

    /// Returns a sample as a level of the rows, rounded.
    const fn scaled(self, sample: u32) -> u16 {
        ((sample * self.full + self.max / 2) / self.max) as u16
    }

    /// Converts YCbCr to RGB (T.871 §7) with 16 fraction bits.
    fn convert(self, samples: &mut [u32; 4]) {
        const HALF: i64 = 1 << 15;
        let [y, blue, red, _] = samples.map(i64::from);
        let center = i64::from(self.max / 2 + 1);
        let (blue, red) = (blue - center, red - center);
        let sums = [
            (91_881 * red + HALF) >> 16,                  // 1.402
            (-22_554 * blue - 46_802 * red + HALF) >> 16, // 0.344 136 286, 0.714 136 286
            (116_130 * blue + HALF) >> 16,                // 1.772
        ];
        for (sample, sum) in samples.iter_mut().zip(sums) {
            *sample = (y + sum).clamp(0, self.max.into()) as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// T.81 A.3.3 in floating point.
    fn exact(block: &Block) -> [f64; 64] {
        let scale = |n: usize| if n == 0 { core::f64::consts::FRAC_1_SQRT_2 } else { 1.0 };
        let wave = |place: usize, n: usize| {
            libm::cos((2 * place + 1) as f64 * n as f64 * core::f64::consts::PI / 16.0) * scale(n) / 2.0
        };
        core::array::from_fn(|at| {
            let term = |n: usize| f64::from(block[n]) * wave(at / 8, n / 8) * wave(at % 8, n % 8);
            (0..64).map(term).sum::<f64>() + 2048.0
        })
    }

    #[test]
    fn the_transform_is_within_a_level_of_the_exact_one() {
        let mut state = 1_u32;
        for _ in 0..200 {
            let mut block = [0; 64];
            for coefficient in &mut block {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                *coefficient = (state >> 16) as i16 / 128;
            }
            for (got, want) in inverse_dct(&block, &[1; 64]).into_iter().zip(exact(&block)) {
                let error = f64::from(got) - want.clamp(0.0, 4095.0);
                assert!((-1.0..=1.0).contains(&error), "{got} for {want}");
            }
        }
    }

    #[test]
    fn levels_fill_the_range_of_the_rows() {
        for (precision, sample, want) in [(2, 1, 85), (8, 200, 200), (12, 4095, 65_535), (12, 2048, 32_776), (16, 9, 9)]
        {
            assert_eq!(Levels::new(precision).scaled(sample), want, "{precision} {sample}");
        }
    }

    #[test]
    fn colours_are_converted_at_any_precision() {
        for precision in [8, 12, 16] {
            let levels = Levels::new(precision);
            let (max, center) = (levels.max, levels.max / 2 + 1);
            for (stored, want) in [([max, center, center, 7], [max, max, max, 7]), ([0, center, center, 0], [0; 4])] {
                let mut samples = stored;
                levels.convert(&mut samples);
                assert_eq!(samples, want, "{precision}");
            }
        }
    }
}
