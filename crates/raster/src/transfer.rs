//! Transfer functions: from an encoded value to light, both 0 to 1, in f64.
//!
//! Powers are computed by `libm`, which gives the same bits on every machine. The two sRGB expressions are written as
//! in IEC 61966-2-1: rearranging them changes the last bit of some values, and with it golden results.

use std::rc::Rc;

/// A transfer function in one of the forms that files use.
#[derive(Clone, Debug, PartialEq)]
pub enum Transfer {
    /// The curve of sRGB (IEC 61966-2-1).
    Srgb,
    /// `v^gamma`.
    Gamma(f64),
    /// A power with a straight line below it.
    Parametric(Parametric),
    /// Light at equally spaced encoded values from 0 to 1, in units of 1/65 535; values between them are interpolated.
    /// There are at least two entries.
    Sampled(Rc<[u16]>),
}

/// A function of ICC.1 §10.18, type 4: `(a·v + b)^g + e` from `d` on, `c·v + f` below.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the letters are the standard's and stand in the formula above")]
pub struct Parametric {
    pub g: f64,
    pub a: f64,
    pub b: f64,
    pub c: f64,
    pub d: f64,
    pub e: f64,
    pub f: f64,
}

impl Parametric {
    /// The curve of sRGB in ICC's form.
    pub const SRGB: Self =
        Self { g: 2.4, a: 1.0 / 1.055, b: 0.055 / 1.055, c: 1.0 / 12.92, d: 0.04045, e: 0.0, f: 0.0 };
    /// The inverse of the camera curve of BT.709, which BT.601 and BT.2020 share.
    pub const BT_709: Self =
        Self { g: 1.0 / 0.45, a: 1.0 / 1.099, b: 0.099 / 1.099, c: 1.0 / 4.5, d: 0.081, e: 0.0, f: 0.0 };

    fn to_linear(self, encoded: f64) -> f64 {
        if encoded < self.d {
            self.c * encoded + self.f
        } else {
            libm::pow((self.a * encoded + self.b).max(0.0), self.g) + self.e
        }
    }
}

impl Transfer {
    /// Returns the light of an encoded value.
    #[must_use]
    pub fn to_linear(&self, encoded: f64) -> f64 {
        match self {
            Self::Srgb => srgb_to_linear(encoded),
            Self::Gamma(gamma) => libm::pow(encoded, *gamma),
            Self::Parametric(parametric) => parametric.to_linear(encoded),
            Self::Sampled(samples) => interpolate(samples, encoded),
        }
    }
}

/// Returns the light of a value encoded by sRGB.
#[must_use]
pub fn srgb_to_linear(encoded: f64) -> f64 {
    if encoded <= 0.04045 { encoded / 12.92 } else { libm::pow((encoded + 0.055) / 1.055, 2.4) }
}

/// Returns the sRGB code value of a light: the inverse of [`srgb_to_linear`].
#[must_use]
pub fn linear_to_srgb(linear: f64) -> f64 {
    if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * libm::pow(linear, 1.0 / 2.4) - 0.055 }
}

fn interpolate(samples: &[u16], encoded: f64) -> f64 {
    let Some(last) = samples.len().checked_sub(1) else { return encoded };
    let position = encoded.clamp(0.0, 1.0) * last as f64;
    let index = (position as usize).min(last.saturating_sub(1));
    let [from, to] = [index, last.min(index + 1)].map(|i| f64::from(samples[i]) / 65_535.0);
    from + (to - from) * (position - index as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes the curve with the standard library, whose bits may differ slightly.
    #[expect(clippy::disallowed_methods, reason = "the expected value, compared with a tolerance")]
    fn slow_linear(encoded: f64) -> f64 {
        if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
    }

    #[test]
    fn every_code_of_both_depths_is_restored_from_light() {
        for max in [255_u16, 65_535] {
            for code in 0..=max {
                let encoded = f64::from(code) / f64::from(max);
                let linear = srgb_to_linear(encoded);
                assert!((linear - slow_linear(encoded)).abs() < 1e-15, "{code} of {max}");
                assert_eq!((linear_to_srgb(linear) * f64::from(max)).round(), f64::from(code), "{code} of {max}");
                assert_eq!(Transfer::Srgb.to_linear(encoded), linear);
            }
        }
    }

    #[test]
    fn the_same_curve_in_every_form_gives_nearly_the_same_light() {
        let samples: Rc<[u16]> = (0..4096).map(|i| (srgb_to_linear(f64::from(i) / 4095.0) * 65_535.0) as u16).collect();
        let forms = [Transfer::Parametric(Parametric::SRGB), Transfer::Sampled(samples)];
        for code in 0..=255 {
            let encoded = f64::from(code) / 255.0;
            for form in &forms {
                let off = (form.to_linear(encoded) - srgb_to_linear(encoded)).abs();
                assert!(off < 2e-5, "{code}: off by {off}");
            }
        }
    }

    #[test]
    fn curves_map_0_and_1_to_themselves_and_never_fall() {
        let sampled = |samples: &[u16]| Transfer::Sampled(samples.into());
        let curves = [
            Transfer::Srgb,
            Transfer::Gamma(1.8),
            Transfer::Gamma(2.2),
            Transfer::Parametric(Parametric::BT_709),
            sampled(&[0, 65_535]),
            sampled(&[0, 10_000, 65_535]),
        ];
        for curve in curves {
            assert_eq!(curve.to_linear(0.0), 0.0, "{curve:?}");
            assert!((curve.to_linear(1.0) - 1.0).abs() < 1e-12, "{curve:?}");
            let light: Vec<f64> = (0..=1000).map(|i| curve.to_linear(f64::from(i) / 1000.0)).collect();
            assert!(light.is_sorted(), "{curve:?}");
        }
        assert_eq!(sampled(&[]).to_linear(0.3), 0.3);
        assert_eq!(sampled(&[65_535]).to_linear(0.3), 1.0);
        assert_eq!(sampled(&[0, 0, 65_535]).to_linear(0.75), 0.5);
    }
}
