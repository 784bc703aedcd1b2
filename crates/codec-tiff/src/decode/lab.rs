//! Conversion of CIE L*a*b* to sRGB: through XYZ at D50 (the white point of Photoshop and the ICC), Bradford's
//! adaptation to D65, and sRGB's primaries and curve (IEC 61966-2-1).

use raster::transfer::linear_to_srgb;

use super::meaning::LabCode;

/// Returns the coordinates of three numbers.
fn decode(code: LabCode, [l, a, b]: [u16; 3], is_wide: bool) -> [f64; 3] {
    let max = if is_wide { 65_535.0 } else { 255.0 };
    // Sixteen-bit codes have eight bits of fraction.
    let unit = if is_wide { 256.0 } else { 1.0 };
    let signed = |v: u16| if is_wide { f64::from(v as i16) } else { f64::from(v as u8 as i8) };
    match code {
        LabCode::Cie => [f64::from(l) * 100.0 / max, signed(a) / unit, signed(b) / unit],
        LabCode::Icc => {
            // ICC.1:2001-04 annex A: in 16 bits 0xFF00 is 100.
            let white = if is_wide { 65_280.0 } else { 255.0 };
            [f64::from(l) * 100.0 / white, f64::from(a) / unit - 128.0, f64::from(b) / unit - 128.0]
        }
        LabCode::Itu => {
            let share = |v: u16| f64::from(v) / max;
            [share(l) * 100.0, share(a) * 170.0 - 85.0, share(b) * 200.0 - 75.0]
        }
    }
}

/// Converts three numbers to sRGB of sixteen or eight bits.
pub(super) fn to_srgb(code: LabCode, numbers: [u16; 3], is_wide: bool) -> [u16; 3] {
    let [l, a, b] = decode(code, numbers, is_wide);
    let fy = (l + 16.0) / 116.0;
    let edge = 6.0 / 29.0;
    let cube = |f: f64| if f > edge { f * f * f } else { 3.0 * (edge * edge) * (f - 4.0 / 29.0) };
    // D50 (ICC.1 §7.2.16).
    let xyz = [0.9642 * cube(fy + a / 500.0), cube(fy), 0.8249 * cube(fy - b / 200.0)];
    let max = if is_wide { 65_535.0 } else { 255.0 };
    FROM_D50.map(|row| {
        let linear = row[0] * xyz[0] + row[1] * xyz[1] + row[2] * xyz[2];
        (linear_to_srgb(linear).clamp(0.0, 1.0) * max + 0.5) as u16
    })
}

/// The matrix from XYZ at D50 to linear sRGB: the inverse of the columns of sRGB's ICC profile.
const FROM_D50: [[f64; 3]; 3] = [
    [3.133_856_1, -1.616_866_7, -0.490_614_6],
    [-0.978_768_4, 1.916_141_5, 0.033_454_0],
    [0.071_945_3, -0.228_991_4, 1.405_242_7],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neutral_codes_are_grey_in_every_coding() {
        let table = [
            (LabCode::Cie, [255, 0, 0], false, [255; 3]),
            (LabCode::Cie, [0, 0, 0], false, [0; 3]),
            (LabCode::Icc, [255, 128, 128], false, [255; 3]),
            (LabCode::Icc, [0xFF00, 0x8000, 0x8000], true, [65_535; 3]),
        ];
        for (code, numbers, is_wide, want) in table {
            let got = to_srgb(code, numbers, is_wide);
            let off = got.iter().zip(want).map(|(&g, w)| g.abs_diff(w)).max();
            assert!(off <= Some(if is_wide { 30 } else { 0 }), "{code:?} {numbers:?}: {got:?}");
        }
    }

    /// By Lindbloom's calculator, Lab (D50) of sRGB's red is 54.29, 80.81, 69.89.
    #[test]
    fn the_lab_values_of_the_primaries_become_the_primaries() {
        let red = to_srgb(LabCode::Cie, [138, 81, 70], false);
        assert!(red[0] >= 253 && red[1] <= 12 && red[2] <= 4, "{red:?}");
    }
}
