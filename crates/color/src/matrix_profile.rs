//! Writer of ICC profiles from curves and primaries, for files that state their colours in another form.
//!
//! `moxcms` 0.9.1 can write profiles too and is not used for it. `ColorProfile::encode` stores the time of the system's
//! clock, therefore no two runs give the same bytes. `update_rgb_colorimetry` stores Bradford's cone matrix in the tag
//! `chad`, where ICC.1 requires the adaptation from the white point to D50.

use raster::transfer::Parametric;
use raster::{Transfer, icc};

/// The x and y of white, red, green and blue.
pub type Chromaticities = [[f64; 2]; 4];

const D65: [f64; 2] = [0.3127, 0.3290];
/// The primaries of BT.709 and sRGB.
pub const BT_709: Chromaticities = [D65, [0.64, 0.33], [0.30, 0.60], [0.15, 0.06]];
/// The primaries of BT.2020 and BT.2100.
pub const BT_2020: Chromaticities = [D65, [0.708, 0.292], [0.170, 0.797], [0.131, 0.046]];
/// The primaries of Display P3.
pub const P3_D65: Chromaticities = [D65, [0.680, 0.320], [0.265, 0.690], [0.150, 0.060]];

/// The white point D50 of ICC.1.
const D50: [f64; 3] = [0.9642, 1.0, 0.8249];

/// The matrix from XYZ to cone responses (Bradford), with which ICC.1 Annex E adapts the white point.
const BRADFORD: Matrix = [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]];

type Matrix = [[f64; 3]; 3];

/// Returns a display profile of version 4 (ICC.1:2010 §8.4) for RGB with these primaries, or `None` when the primaries
/// are not valid colours.
#[must_use]
pub fn rgb_profile(description: &str, chromaticities: &Chromaticities, curve: &Transfer) -> Option<Vec<u8>> {
    let (columns, adaptation) = primaries(chromaticities)?;
    let mut tags = common_tags(description);
    tags.push((*b"chad", tag(b"sf32", adaptation.as_flattened())));
    for (name, column) in [*b"rXYZ", *b"gXYZ", *b"bXYZ"].into_iter().zip(columns) {
        tags.push((name, xyz(column)));
    }
    tags.extend([*b"rTRC", *b"gTRC", *b"bTRC"].map(|name| (name, curve_tag(curve))));
    Some(assemble(&tags, icc::RGB))
}

/// Returns a display profile of version 4 for grey.
#[must_use]
pub fn gray_profile(description: &str, curve: &Transfer) -> Vec<u8> {
    let mut tags = common_tags(description);
    tags.push((*b"kTRC", curve_tag(curve)));
    assemble(&tags, icc::GRAY)
}

/// The name of a tag and its data.
type Tag = ([u8; 4], Vec<u8>);

/// Returns the tags that every profile has (§8.2).
fn common_tags(description: &str) -> Vec<Tag> {
    vec![(*b"desc", text(description)), (*b"cprt", text("No copyright, use freely")), (*b"wtpt", xyz(D50))]
}

/// Returns XYZ of red, green and blue under D50, and the matrix that adapts the white point to D50.
fn primaries([white, colors @ ..]: &Chromaticities) -> Option<([[f64; 3]; 3], Matrix)> {
    let lifted = |[x, y]: [f64; 2]| (y > 0.0).then(|| [x / y, 1.0, (1.0 - x - y) / y]);
    let white = lifted(*white)?;
    let [red, green, blue] = [lifted(colors[0])?, lifted(colors[1])?, lifted(colors[2])?];
    let unscaled: Matrix = core::array::from_fn(|i| [red[i], green[i], blue[i]]);
    let scale = apply(&inverse(&unscaled)?, white);
    let (from, to) = (apply(&BRADFORD, white), apply(&BRADFORD, D50));
    let mut cones = BRADFORD;
    for (i, row) in cones.iter_mut().enumerate() {
        *row = row.map(|value| value * to[i] / from[i]);
    }
    let adaptation = multiply(&inverse(&BRADFORD)?, &cones);
    let column = |i: usize, color: [f64; 3]| apply(&adaptation, color.map(|value| value * scale[i]));
    let columns = [column(0, red), column(1, green), column(2, blue)];
    // Numbers that s15Fixed16 cannot hold are not valid colours.
    let sane = columns.as_flattened().iter().chain(adaptation.as_flattened()).all(|value| value.abs() < 100.0);
    sane.then_some((columns, adaptation))
}

fn apply(matrix: &Matrix, vector: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2])
}

fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    a.map(|row| core::array::from_fn(|j| row[0] * b[0][j] + row[1] * b[1][j] + row[2] * b[2][j]))
}

/// Returns the inverse, computed by cofactors, or `None` for a singular matrix.
fn inverse(m: &Matrix) -> Option<Matrix> {
    let cofactor = |i: usize, j: usize| {
        let at = |di: usize, dj: usize| m[(i + di) % 3][(j + dj) % 3];
        at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1)
    };
    let determinant: f64 = (0..3).map(|j| m[0][j] * cofactor(0, j)).sum();
    let exists = determinant.abs() > 1e-6;
    exists.then(|| core::array::from_fn(|i| core::array::from_fn(|j| cofactor(j, i) / determinant)))
}

/// Returns the data of a tag: its type, then numbers as s15Fixed16 (ICC.1 §4.6).
fn tag(kind: &[u8; 4], numbers: &[f64]) -> Vec<u8> {
    let mut data = [*kind, [0; 4]].concat();
    data.extend(numbers.iter().flat_map(|number| ((number * 65_536.0).round() as i32).to_be_bytes()));
    data
}

fn xyz(value: [f64; 3]) -> Vec<u8> {
    tag(b"XYZ ", &value)
}

/// Returns the data of a curve's tag (curveType, or §10.18 parametricCurveType).
fn curve_tag(curve: &Transfer) -> Vec<u8> {
    match curve {
        Transfer::Gamma(gamma) => parametric(0, &[*gamma]),
        Transfer::Srgb => piecewise(Parametric::SRGB),
        Transfer::Parametric(parametric) => piecewise(*parametric),
        Transfer::Sampled(samples) => {
            let mut data = b"curv\0\0\0\0".to_vec();
            data.extend((samples.len() as u32).to_be_bytes());
            data.extend(samples.iter().flat_map(|sample| sample.to_be_bytes()));
            data
        }
    }
}

/// Returns a curve of function type 3, or of type 4 when it has offsets.
fn piecewise(Parametric { g, a, b, c, d, e, f }: Parametric) -> Vec<u8> {
    if e == 0.0 && f == 0.0 { parametric(3, &[g, a, b, c, d]) } else { parametric(4, &[g, a, b, c, d, e, f]) }
}

fn parametric(function: u8, numbers: &[f64]) -> Vec<u8> {
    let mut data = tag(b"para", numbers);
    data.splice(8..8, [0, function, 0, 0]);
    data
}

/// Returns a multiLocalizedUnicodeType with one record (ICC.1 §10.15).
fn text(english: &str) -> Vec<u8> {
    let utf16: Vec<u8> = english.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let mut data = b"mluc\0\0\0\0\0\0\0\x01\0\0\0\x0CenUS".to_vec();
    data.extend((utf16.len() as u32).to_be_bytes());
    data.extend(28_u32.to_be_bytes());
    data.extend(utf16);
    data
}

/// Joins header (§7.2), tag table and data into a profile. Equal data are stored once.
fn assemble(tags: &[Tag], space: [u8; 4]) -> Vec<u8> {
    const HEADER: usize = 128;
    let mut table = (tags.len() as u32).to_be_bytes().to_vec();
    let start = HEADER + 4 + 12 * tags.len();
    let mut data = Vec::new();
    let mut stored: Vec<(&[u8], u32)> = Vec::new();
    for (name, content) in tags {
        let offset = stored.iter().find(|(same, _)| same == content).map(|(_, offset)| *offset).unwrap_or_else(|| {
            let offset = (start + data.len()) as u32;
            data.extend_from_slice(content);
            data.resize(data.len().next_multiple_of(4), 0);
            stored.push((content, offset));
            offset
        });
        table.extend_from_slice(name);
        table.extend(offset.to_be_bytes());
        table.extend((content.len() as u32).to_be_bytes());
    }
    let mut profile = vec![0; HEADER];
    profile[..4].copy_from_slice(&((start + data.len()) as u32).to_be_bytes());
    profile[8..12].copy_from_slice(&[4, 0x30, 0, 0]);
    profile[12..16].copy_from_slice(b"mntr");
    profile[16..20].copy_from_slice(&space);
    profile[20..24].copy_from_slice(b"XYZ ");
    // The standard requires a date. It is always 24 June 2025, the date of the third edition of PNG.
    profile[24..36].copy_from_slice(&[7, 0xE9, 0, 6, 0, 24, 0, 0, 0, 0, 0, 0]);
    profile[36..40].copy_from_slice(b"acsp");
    profile[68..80].copy_from_slice(&xyz(D50)[8..]);
    profile.extend(table);
    profile.extend(data);
    profile
}

#[cfg(test)]
mod tests {
    use super::*;
    use moxcms::ColorProfile;

    #[test]
    fn the_primaries_of_srgb_are_those_of_common_srgb_profiles() {
        let (columns, _) = primaries(&BT_709).unwrap();
        let want = [[0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141]];
        for (ours, want) in columns.as_flattened().iter().zip(want.as_flattened()) {
            assert!((ours - want).abs() < 0.0005, "{columns:?}");
        }
    }

    #[test]
    fn profiles_of_every_curve_are_read_by_moxcms() {
        let curves = [
            Transfer::Srgb,
            Transfer::Gamma(1.8),
            Transfer::Parametric(Parametric::BT_709),
            Transfer::Parametric(Parametric { e: 0.1, f: 0.1, ..Parametric::SRGB }),
            Transfer::Sampled([0, 9000, 65_535].into()),
        ];
        for curve in curves {
            let rgb = rgb_profile("P3", &P3_D65, &curve).unwrap();
            assert!(icc::sound(&rgb, icc::RGB).is_some_and(|sound| sound.len() == rgb.len()), "{curve:?}");
            assert!(ColorProfile::new_from_slice(&rgb).unwrap().red_trc.is_some(), "{curve:?}");
            let gray = gray_profile("grey", &curve);
            assert!(icc::sound(&gray, icc::GRAY).is_some_and(|sound| sound.len() == gray.len()), "{curve:?}");
            assert!(ColorProfile::new_from_slice(&gray).unwrap().gray_trc.is_some(), "{curve:?}");
        }
    }
}
