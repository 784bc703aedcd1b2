//! Measures of the difference of two pictures.

use sha2::{Digest, Sha256};

use crate::Picture;

/// The difference of two pictures of the same size and format, over all samples, in levels of their depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The largest difference of two samples.
    pub max: u16,
    /// The share of equal samples, 0 to 1.
    pub identical: f64,
    /// Peak signal-to-noise ratio in decibels; infinite for equal pictures.
    pub psnr: f64,
}

impl Difference {
    /// Compares sample by sample.
    ///
    /// # Panics
    /// When size or format differ: that is a failed test, not a difference.
    #[must_use]
    pub fn between(a: &Picture, b: &Picture) -> Self {
        assert_eq!((a.size, a.pixels), (b.size, b.pixels), "pictures of one shape");
        let (mut max, mut equal, mut squares) = (0, 0_u64, 0.0);
        let (a_samples, b_samples) = (a.samples(), b.samples());
        for (&left, &right) in a_samples.iter().zip(&b_samples) {
            let apart = left.abs_diff(right);
            max = max.max(apart);
            equal += u64::from(apart == 0);
            squares += f64::from(apart) * f64::from(apart);
        }
        let count = a_samples.len().max(1) as f64;
        let peak = f64::from(a.pixels.depth.max());
        Self { max, identical: equal as f64 / count, psnr: 10.0 * libm::log10(peak * peak * count / squares) }
    }
}

/// Returns SHA-256 (FIPS 180-4) in lower-case hexadecimal digits, for golden tables.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    use core::fmt::Write;
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("a string takes everything");
        hex
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::{PixelFormat, Size};

    #[test]
    fn differences_are_counted_over_samples() {
        let a = Picture { size: Size::new(2, 2), pixels: PixelFormat::GRAY8, rows: vec![0, 10, 20, 30] };
        let mut b = a.clone();
        assert_eq!(Difference::between(&a, &b), Difference { max: 0, identical: 1.0, psnr: f64::INFINITY });
        b.rows[3] = 28;
        let difference = Difference::between(&a, &b);
        assert_eq!((difference.max, difference.identical), (2, 0.75));
        assert!((difference.psnr - 48.13).abs() < 0.01, "10 log10(255² / 1)");
    }

    /// The example of FIPS 180-4.
    #[test]
    fn sha256_of_abc() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
