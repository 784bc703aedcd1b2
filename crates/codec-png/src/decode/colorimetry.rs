//! What the chunks cICP, sRGB, gAMA and cHRM (§11.3.2) say about colours, as an ICC profile: in that form every part of
//! the engine understands it, and every format that holds profiles keeps it. Pixels are not touched.

use raster::transfer::Parametric;
use raster::{Signal, Transfer};

use crate::chunk::ChunkType;
use crate::header::ColorType;

/// gAMA's value for the inverse of 2.2, which is written to mean sRGB; and what counts as that.
const USUAL_GAMMA: u32 = 45_455;
const NEARLY: u32 = 500;

/// x and y of white, red, green and blue.
type Chromaticities = [[f64; 2]; 4];

const D65: [f64; 2] = [0.3127, 0.3290];
const BT_709: Chromaticities = [D65, [0.64, 0.33], [0.30, 0.60], [0.15, 0.06]];
const BT_2020: Chromaticities = [D65, [0.708, 0.292], [0.170, 0.797], [0.131, 0.046]];
const P3_D65: Chromaticities = [D65, [0.680, 0.320], [0.265, 0.690], [0.150, 0.060]];

/// ICC.1's D50, in units of 1/65536.
const D50: [f64; 3] = [0.9642, 1.0, 0.8249];

/// From XYZ to cone responses (Bradford), by which ICC.1 Annex E adapts white.
const BRADFORD: Matrix = [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]];

type Matrix = [[f64; 3]; 3];

/// The chunks that came.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Colorimetry {
    gamma: Option<u32>,
    chromaticities: Option<Chromaticities>,
    srgb: bool,
    code_points: Option<[u8; 4]>,
    mastering_display: Option<[u8; 24]>,
    light_level: Option<[u8; 8]>,
}

/// What a file's colours are.
#[derive(Debug, PartialEq)]
pub(crate) enum Colors {
    /// Nothing is said, or not more than an embedded profile says: that one counts.
    Embedded,
    /// sRGB, whatever else is said.
    Srgb,
    /// These, as a profile.
    Profile(Vec<u8>),
    /// Something that no profile of curves and primaries can say, such as HDR.
    Unknown,
}

impl Colorimetry {
    /// No chunk came.
    pub(crate) const NONE: Self = Self {
        gamma: None,
        chromaticities: None,
        srgb: false,
        code_points: None,
        mastering_display: None,
        light_level: None,
    };

    /// Takes a chunk's data; false when they are not what the standard asks for.
    pub(crate) fn take(&mut self, kind: ChunkType, data: &[u8]) -> bool {
        let word = |at: usize| data[4 * at..].first_chunk().map_or(0, |bytes| u32::from_be_bytes(*bytes));
        match (&kind, data.len()) {
            (b"gAMA", 4) if word(0) > 0 => self.gamma = Some(word(0)),
            (b"sRGB", 1) => self.srgb = true,
            (b"cICP", 4) => self.code_points = data.first_chunk().copied(),
            (b"mDCV", 24) => self.mastering_display = data.first_chunk().copied(),
            (b"cLLI", 8) => self.light_level = data.first_chunk().copied(),
            (b"cHRM", 32) => {
                let pair = |i: usize| [0, 1].map(|axis| f64::from(word(2 * i + axis)) / 100_000.0);
                self.chromaticities = Some([pair(0), pair(1), pair(2), pair(3)]);
            }
            _ => return false,
        }
        true
    }

    /// What the chunks for video say. mDCV and cLLI only add to cICP.
    pub(crate) fn signal(&self) -> Option<Signal> {
        let Self { code_points, mastering_display, light_level, .. } = *self;
        let has_profile = known(code_points?).is_some();
        Some(Signal { code_points: code_points?, mastering_display, light_level, has_profile })
    }

    /// §4.3: cICP before iCCP before sRGB before gAMA and cHRM. Chromaticities without a curve say nothing.
    pub(crate) fn colors(&self, color: ColorType, has_profile: bool) -> Colors {
        if let Some(code_points) = self.code_points {
            return match known(code_points) {
                Some((BT_709, Transfer::Srgb)) => Colors::Srgb,
                Some((chromaticities, curve)) => profile(&chromaticities, &curve, color),
                None => Colors::Unknown,
            };
        }
        let Some(gamma) = self.gamma.filter(|_| !has_profile && !self.srgb) else { return Colors::Embedded };
        let chromaticities = self.chromaticities.unwrap_or(BT_709);
        let far = |(a, b): (&[f64; 2], &[f64; 2])| (a[0] - b[0]).abs() > 0.002 || (a[1] - b[1]).abs() > 0.002;
        let other_primaries = color.has_color() && chromaticities.iter().zip(&BT_709).any(far);
        if !other_primaries && gamma.abs_diff(USUAL_GAMMA) < NEARLY {
            return Colors::Srgb;
        }
        profile(&chromaticities, &Transfer::Gamma(100_000.0 / f64::from(gamma)), color)
    }
}

/// H.273's code points, as far as a profile can say them: full range, no matrix.
fn known([primaries, transfer, matrix, full_range]: [u8; 4]) -> Option<(Chromaticities, Transfer)> {
    let chromaticities = match primaries {
        1 => BT_709,
        9 => BT_2020,
        12 => P3_D65,
        _ => return None,
    };
    let curve = match transfer {
        1 | 6 | 14 | 15 => Transfer::Parametric(Parametric::BT_709),
        4 => Transfer::Gamma(2.2),
        5 => Transfer::Gamma(2.8),
        8 => Transfer::Gamma(1.0),
        13 => Transfer::Srgb,
        _ => return None,
    };
    (matrix == 0 && full_range == 1).then_some((chromaticities, curve))
}

/// A display profile of version 4 (ICC.1:2010 §8.4).
fn profile(chromaticities: &Chromaticities, curve: &Transfer, color: ColorType) -> Colors {
    let mut tags: Vec<([u8; 4], Vec<u8>)> =
        vec![(*b"desc", text("PNG")), (*b"cprt", text("No copyright, use freely")), (*b"wtpt", xyz(D50))];
    if color.has_color() {
        let Some((columns, adaptation)) = primaries(chromaticities) else { return Colors::Unknown };
        tags.push((*b"chad", tag(b"sf32", adaptation.as_flattened())));
        for (name, column) in [*b"rXYZ", *b"gXYZ", *b"bXYZ"].into_iter().zip(columns) {
            tags.push((name, xyz(column)));
        }
        tags.extend([*b"rTRC", *b"gTRC", *b"bTRC"].map(|name| (name, parametric(curve))));
    } else {
        tags.push((*b"kTRC", parametric(curve)));
    }
    Colors::Profile(assemble(&tags, if color.has_color() { b"RGB " } else { b"GRAY" }))
}

/// XYZ of red, green and blue under D50, one after the other, and the matrix that adapts to it.
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
    // What s15Fixed16 does not hold is no colour either.
    let sane = columns.as_flattened().iter().chain(adaptation.as_flattened()).all(|value| value.abs() < 100.0);
    sane.then_some((columns, adaptation))
}

fn apply(matrix: &Matrix, vector: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2])
}

fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    a.map(|row| core::array::from_fn(|j| row[0] * b[0][j] + row[1] * b[1][j] + row[2] * b[2][j]))
}

/// By cofactors; nothing when there is none.
fn inverse(m: &Matrix) -> Option<Matrix> {
    let cofactor = |i: usize, j: usize| {
        let at = |di: usize, dj: usize| m[(i + di) % 3][(j + dj) % 3];
        at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1)
    };
    let determinant: f64 = (0..3).map(|j| m[0][j] * cofactor(0, j)).sum();
    let exists = determinant.abs() > 1e-6;
    exists.then(|| core::array::from_fn(|i| core::array::from_fn(|j| cofactor(j, i) / determinant)))
}

/// A tag's data: its type, then numbers of s15Fixed16 (ICC.1 §4.6).
fn tag(kind: &[u8; 4], numbers: &[f64]) -> Vec<u8> {
    let mut data = [*kind, [0; 4]].concat();
    data.extend(numbers.iter().flat_map(|number| ((number * 65_536.0).round() as i32).to_be_bytes()));
    data
}

fn xyz(value: [f64; 3]) -> Vec<u8> {
    tag(b"XYZ ", &value)
}

fn parametric(curve: &Transfer) -> Vec<u8> {
    let piecewise = |Parametric { g, a, b, c, d, .. }| (3, vec![g, a, b, c, d]);
    let (function, numbers) = match curve {
        Transfer::Gamma(gamma) => (0, vec![*gamma]),
        Transfer::Parametric(parametric) => piecewise(*parametric),
        Transfer::Srgb | Transfer::Sampled(_) => piecewise(Parametric::SRGB),
    };
    let mut data = tag(b"para", &numbers);
    data.splice(8..8, [0, function, 0, 0]);
    data
}

/// multiLocalizedUnicodeType with one record (ICC.1 §10.15).
fn text(english: &str) -> Vec<u8> {
    let utf16: Vec<u8> = english.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let mut data = b"mluc\0\0\0\0\0\0\0\x01\0\0\0\x0CenUS".to_vec();
    data.extend((utf16.len() as u32).to_be_bytes());
    data.extend(28_u32.to_be_bytes());
    data.extend(utf16);
    data
}

/// Header (§7.2), table, data; equal data are stored once.
fn assemble(tags: &[([u8; 4], Vec<u8>)], space: &[u8; 4]) -> Vec<u8> {
    const HEADER: usize = 128;
    let mut table = (tags.len() as u32).to_be_bytes().to_vec();
    let start = HEADER + 4 + 12 * tags.len();
    let mut data = Vec::new();
    let mut places: Vec<(&[u8], u32)> = Vec::new();
    for (name, content) in tags {
        let offset = places.iter().find(|(same, _)| same == content).map(|(_, offset)| *offset).unwrap_or_else(|| {
            let offset = (start + data.len()) as u32;
            data.extend_from_slice(content);
            data.resize(data.len().next_multiple_of(4), 0);
            places.push((content, offset));
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
    profile[16..20].copy_from_slice(space);
    profile[20..24].copy_from_slice(b"XYZ ");
    // The standard wants a date; always the same, that of its third edition.
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

    fn with(chunks: &[(&ChunkType, &[u8])]) -> Colorimetry {
        let mut colorimetry = Colorimetry::NONE;
        assert!(chunks.iter().all(|(kind, data)| colorimetry.take(**kind, data)));
        colorimetry
    }

    fn chrm(values: [u32; 8]) -> Vec<u8> {
        values.into_iter().flat_map(u32::to_be_bytes).collect()
    }

    const SRGB_CHRM: [u32; 8] = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000];

    #[test]
    fn the_order_of_the_standard_holds_and_what_means_srgb_is_srgb() {
        let usual = (b"gAMA", &45_455_u32.to_be_bytes()[..]);
        let linear = (b"gAMA", &100_000_u32.to_be_bytes()[..]);
        let chrm = chrm(SRGB_CHRM);
        let color = |chunks: &[(&ChunkType, &[u8])], profile| with(chunks).colors(ColorType::Rgb, profile);
        assert_eq!(color(&[], false), Colors::Embedded);
        assert_eq!(color(&[usual], false), Colors::Srgb);
        assert_eq!(color(&[usual, (b"cHRM", &chrm)], false), Colors::Srgb);
        assert_eq!(color(&[(b"cHRM", &chrm)], false), Colors::Embedded, "no curve");
        assert_eq!(color(&[linear, (b"sRGB", &[0])], false), Colors::Embedded);
        assert_eq!(color(&[linear], true), Colors::Embedded);
        assert_eq!(color(&[(b"cICP", &[1, 13, 0, 1])], true), Colors::Srgb);
        assert_eq!(color(&[(b"cICP", &[9, 16, 0, 1])], true), Colors::Unknown, "PQ");
        assert!(matches!(color(&[linear], false), Colors::Profile(_)));
        assert!(matches!(color(&[(b"cICP", &[12, 13, 0, 1])], true), Colors::Profile(_)));
        let mut broken = Colorimetry::NONE;
        let bad: [(&ChunkType, &[u8]); 4] = [(b"gAMA", &[0; 4]), (b"gAMA", &[1]), (b"cHRM", &[0; 31]), (b"cICP", &[1])];
        assert!(bad.iter().all(|(kind, data)| !broken.take(**kind, data)));
    }

    #[test]
    fn the_primaries_of_srgb_are_those_of_everybodys_profile() {
        let (columns, _) = primaries(&BT_709).unwrap();
        let want = [[0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141]];
        for (ours, want) in columns.as_flattened().iter().zip(want.as_flattened()) {
            assert!((ours - want).abs() < 0.0005, "{columns:?}");
        }
    }

    #[test]
    fn profiles_are_whole_and_impossible_primaries_give_none() {
        for (color, space, tags) in [(ColorType::Rgb, b"RGB ", 10), (ColorType::Gray, b"GRAY", 4)] {
            let linear = with(&[(b"gAMA", &100_000_u32.to_be_bytes())]);
            let Colors::Profile(profile) = linear.colors(color, false) else { panic!("no profile") };
            assert_eq!(u32::from_be_bytes(*profile.first_chunk().unwrap()) as usize, profile.len());
            assert_eq!((&profile[16..20], &profile[36..40], profile[131]), (&space[..], &b"acsp"[..], tags));
        }
        for values in [[0; 8], [31_270, 32_900, 1, 1, 1, 1, 1, 1], [u32::MAX; 8]] {
            let chrm = chrm(values);
            let odd = with(&[(b"gAMA", &50_000_u32.to_be_bytes()), (b"cHRM", &chrm)]);
            assert_eq!(odd.colors(ColorType::Rgb, false), Colors::Unknown, "{values:?}");
        }
    }
}
