//! The transfer function that a profile states for its colours. The pipeline uses it for linear light.

use std::rc::Rc;

use moxcms::{ColorProfile, DataColorSpace, ToneReprCurve};
use raster::transfer::{Parametric, Transfer};

/// The largest difference from sRGB's curve at which a curve counts as sRGB's, in light from 0 to 1. The rounding of
/// parameters and of tables with 1,024 entries of 16 bits stays below it; the nearest power function, 2.2, differs by
/// 0.0085.
const SAME: f64 = 1.0 / 8192.0;

/// Returns the transfer function of the profile `icc`: the one that red, green and blue share, or the one of grey.
/// Returns `None` when the profile cannot be read, is for another colour space, or has no such function.
///
/// A curve that equals sRGB's within rounding is [`Transfer::Srgb`].
#[must_use]
pub fn transfer(icc: &[u8], has_color: bool) -> Option<Transfer> {
    let profile = ColorProfile::new_from_slice(icc).ok()?;
    let curve = match (profile.color_space, has_color) {
        (DataColorSpace::Gray, false) => profile.gray_trc.as_ref()?,
        (DataColorSpace::Rgb, true) => {
            let red = profile.red_trc.as_ref()?;
            let is_shared = [&profile.green_trc, &profile.blue_trc].iter().all(|curve| curve.as_ref() == Some(red));
            is_shared.then_some(red)?
        }
        _ => return None,
    };
    let transfer = read(curve)?;
    Some(if is_srgb(&transfer) { Transfer::Srgb } else { transfer })
}

/// Reads a curve of ICC.1:2022 §10.6 (`curv`) or §10.18 (`para`).
fn read(curve: &ToneReprCurve) -> Option<Transfer> {
    match curve {
        ToneReprCurve::Lut(samples) => Some(match samples[..] {
            [] => Transfer::Gamma(1.0),
            [gamma] => Transfer::Gamma(f64::from(gamma) / 256.0),
            _ => Transfer::Sampled(Rc::from(&samples[..])),
        }),
        ToneReprCurve::Parametric(letters) => parametric(&letters.iter().copied().map(f64::from).collect::<Vec<_>>()),
    }
}

/// Reads one of the five function types of §10.18, which differ in their number of parameters.
fn parametric(letters: &[f64]) -> Option<Transfer> {
    // Types 1 and 2 have a power function from −b/a up and a constant below.
    let power =
        |g: f64, a: f64, b: f64, constant: f64| Parametric { g, a, b, c: 0.0, d: -b / a, e: constant, f: constant };
    let curve = match *letters {
        [g] => return Some(Transfer::Gamma(g)),
        [g, a, b] => power(g, a, b, 0.0),
        [g, a, b, c] => power(g, a, b, c),
        [g, a, b, c, d] => Parametric { g, a, b, c, d, e: 0.0, f: 0.0 },
        [g, a, b, c, d, e, f] => Parametric { g, a, b, c, d, e, f },
        _ => return None,
    };
    Some(Transfer::Parametric(curve))
}

fn is_srgb(transfer: &Transfer) -> bool {
    (0..=255).all(|code| {
        let encoded = f64::from(code) / 255.0;
        (transfer.to_linear(encoded) - Transfer::Srgb.to_linear(encoded)).abs() <= SAME
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(profile: &ColorProfile) -> Vec<u8> {
        profile.encode().unwrap()
    }

    fn with_curve(curve: ToneReprCurve) -> Vec<u8> {
        let mut profile = ColorProfile::new_srgb();
        (profile.red_trc, profile.green_trc, profile.blue_trc) =
            (Some(curve.clone()), Some(curve.clone()), Some(curve));
        profile.cicp = None;
        encoded(&profile)
    }

    #[test]
    fn every_form_of_a_curve_is_read() {
        let gamma = |v: u16| ToneReprCurve::Lut(vec![v]);
        let table = [
            (gamma(563), Transfer::Gamma(563.0 / 256.0)), // Adobe RGB (1998)
            (gamma(461), Transfer::Gamma(461.0 / 256.0)), // ProPhoto RGB
            (ToneReprCurve::Lut(vec![]), Transfer::Gamma(1.0)),
            (ToneReprCurve::Parametric(vec![1.5]), Transfer::Gamma(1.5)),
            (
                ToneReprCurve::Parametric(vec![2.0, 0.5, 0.5, 0.25, 0.25]),
                Transfer::Parametric(Parametric { g: 2.0, a: 0.5, b: 0.5, c: 0.25, d: 0.25, e: 0.0, f: 0.0 }),
            ),
            (ToneReprCurve::Lut(vec![0, 9000, 65_535]), Transfer::Sampled(Rc::from([0, 9000, 65_535]))),
        ];
        for (curve, want) in table {
            assert_eq!(transfer(&with_curve(curve), true), Some(want));
        }
    }

    #[test]
    fn curves_that_equal_srgb_are_srgb() {
        for profile in [ColorProfile::new_srgb(), ColorProfile::new_display_p3()] {
            assert_eq!(transfer(&encoded(&profile), true), Some(Transfer::Srgb));
        }
        let samples = (0..1024).map(|i| (Transfer::Srgb.to_linear(f64::from(i) / 1023.0) * 65_535.0 + 0.5) as u16);
        assert_eq!(transfer(&with_curve(ToneReprCurve::Lut(samples.collect())), true), Some(Transfer::Srgb));
    }

    #[test]
    fn a_profile_for_another_colour_space_has_no_curve() {
        let srgb = encoded(&ColorProfile::new_srgb());
        assert_eq!(transfer(&srgb, false), None);
        assert_eq!(transfer(&srgb[..100], true), None);
        let mut differing = ColorProfile::new_srgb();
        differing.blue_trc = Some(ToneReprCurve::Lut(vec![600]));
        assert_eq!(transfer(&encoded(&differing), true), None);
        assert_eq!(transfer(&encoded(&ColorProfile::new_gray_with_gamma(2.2)), true), None);
        assert!(transfer(&encoded(&ColorProfile::new_gray_with_gamma(2.2)), false).is_some());
    }
}
