//! Conversion of the chunks cICP, sRGB, gAMA and cHRM (§11.3.2) to an ICC profile, which every stage of the engine and
//! every format with profiles supports. Pixels are not changed.

use color::{BT_709, BT_2020, Chromaticities, P3_D65};
use raster::transfer::Parametric;
use raster::{Signal, Transfer};

use crate::chunk::ChunkType;
use crate::header::ColorType;

/// The value of gAMA for the inverse of 2.2, which writers use for sRGB, and the largest difference from it that counts
/// as equal.
const USUAL_GAMMA: u32 = 45_455;
const NEARLY: u32 = 500;

/// The content of a file's colour chunks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Colorimetry {
    gamma: Option<u32>,
    chromaticities: Option<Chromaticities>,
    srgb: bool,
    code_points: Option<[u8; 4]>,
    mastering_display: Option<[u8; 24]>,
    light_level: Option<[u8; 8]>,
}

/// The colours of a file.
#[derive(Debug, PartialEq)]
pub(crate) enum Colors {
    /// The chunks add nothing to an embedded profile, which is used.
    Embedded,
    /// sRGB, which overrides an embedded profile.
    Srgb,
    /// The colours of this profile.
    Profile(Vec<u8>),
    /// Colours that no profile of curves and primaries can describe, such as HDR.
    Unknown,
}

impl Colorimetry {
    /// The colorimetry of a file without such chunks.
    pub(crate) const NONE: Self = Self {
        gamma: None,
        chromaticities: None,
        srgb: false,
        code_points: None,
        mastering_display: None,
        light_level: None,
    };

    /// Reads a chunk's data; returns false when they do not conform to the standard.
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

    /// Returns the content of the chunks for video. mDCV and cLLI only complement cICP.
    pub(crate) fn signal(&self) -> Option<Signal> {
        let Self { code_points, mastering_display, light_level, .. } = *self;
        let has_profile = known(code_points?).is_some();
        Some(Signal { code_points: code_points?, mastering_display, light_level, has_profile })
    }

    /// Returns the colours by the order of §4.3: cICP before iCCP before sRGB before gAMA and cHRM. Chromaticities
    /// without a curve are ignored.
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

/// Converts code points of H.273, if a profile can describe them: full range, no matrix.
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

/// Returns a profile for pictures of this colour type.
fn profile(chromaticities: &Chromaticities, curve: &Transfer, color_type: ColorType) -> Colors {
    if !color_type.has_color() {
        return Colors::Profile(color::gray_profile("PNG", curve));
    }
    color::rgb_profile("PNG", chromaticities, curve).map_or(Colors::Unknown, Colors::Profile)
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
    fn chunks_have_the_order_of_the_standard_and_equivalents_of_srgb_are_srgb() {
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
