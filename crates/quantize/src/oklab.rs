//! Oklab (B. Ottosson, 2020): a colour space in which equal distances look about equal.

use raster::transfer::{linear_to_srgb, srgb_to_linear};

/// A colour: lightness, green to red, blue to yellow.
pub(crate) type Lab = [f32; 3];

/// Returns the square of the distance of two points.
#[inline(always)]
pub(crate) fn distance<const N: usize>(a: [f32; N], b: [f32; N]) -> f32 {
    let mut sum = 0.0;
    for (a, b) in a.into_iter().zip(b) {
        sum += (a - b) * (a - b);
    }
    sum
}

/// Conversions from and to the codes of sRGB.
pub(crate) struct Oklab {
    /// The light of each code.
    linear: [f32; 256],
}

impl Oklab {
    pub(crate) fn new() -> Self {
        Self { linear: core::array::from_fn(|code| srgb_to_linear(code as f64 / 255.0) as f32) }
    }

    #[inline]
    pub(crate) fn of(&self, color: [u8; 3]) -> Lab {
        let [r, g, b] = color.map(|code| self.linear[usize::from(code)]);
        let l = cube_root(0.412_221_46 * r + 0.536_332_55 * g + 0.051_445_995 * b);
        let m = cube_root(0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b);
        let s = cube_root(0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b);
        [
            0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
            1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
            0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
        ]
    }

    /// The nearest codes.
    pub(crate) fn to_color([lightness, a, b]: Lab) -> [u8; 3] {
        let [lightness, a, b] = [lightness, a, b].map(f64::from);
        let cube = |v: f64| v * v * v;
        let l = cube(lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b);
        let m = cube(lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b);
        let s = cube(lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b);
        let rgb = [
            4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
            -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
            -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s,
        ];
        rgb.map(|light| (linear_to_srgb(light.clamp(0.0, 1.0)) * 255.0 + 0.5) as u8)
    }
}

/// Returns the cube root of a light from 0 to 1, with a relative error of 0.003 % at most: a third of the exponent, and
/// one step of Halley's method.
#[inline(always)]
fn cube_root(light: f32) -> f32 {
    // Of smaller lights the cube of the first estimate would be 0.
    let light = light.max(1e-12);
    let root = f32::from_bits(light.to_bits() / 3 + 0x2A51_19F2);
    let cube = root * root * root;
    root * (cube + 2.0 * light) / (2.0 * cube + light)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cube_roots_are_precise() {
        for light in (0..=10_000).map(|i| i as f32 / 10_000.0) {
            let exact = libm::cbrtf(light);
            assert!((cube_root(light) - exact).abs() <= (exact * 3e-5).max(2e-4), "{light}");
        }
    }

    #[test]
    fn every_color_comes_back() {
        let oklab = Oklab::new();
        let levels = [0, 1, 9, 60, 128, 200, 254, 255];
        for color in levels.iter().flat_map(|&r| levels.iter().flat_map(move |&g| levels.map(|b| [r, g, b]))) {
            assert_eq!(Oklab::to_color(oklab.of(color)), color);
        }
        let [lightness, a, b] = oklab.of([255; 3]);
        assert!((lightness - 1.0).abs() < 1e-4 && a.abs() < 1e-3 && b.abs() < 1e-3, "white");
    }
}
