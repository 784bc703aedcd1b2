//! The colours of RGB samples: a profile, and for HDR the code points.

use color::{BT_709, BT_2020, P3_D65};
use isobmff::CodePoints;
use raster::{Metadata, Notes, Signal, Transfer, Warning, icc};

/// Sets the profile and the code points that describe the samples after conversion to RGB. A profile in the file counts
/// more than code points. Samples in sRGB need neither.
pub(crate) fn describe(
    profile: Option<&[u8]>,
    points: &CodePoints,
    has_color: bool,
    metadata: &mut Metadata,
    notes: &Notes,
) {
    let space = if has_color { icc::RGB } else { icc::GRAY };
    if let Some(bytes) = profile {
        metadata.icc = icc::sound(bytes, space).map(<[u8]>::to_vec);
        if metadata.icc.is_none() {
            notes.warn(Warning::BrokenProfile);
        }
        return;
    }
    let CodePoints { primaries, transfer, .. } = *points;
    if let (16 | 18, Ok(primaries), Ok(transfer)) = (transfer, u8::try_from(primaries), u8::try_from(transfer)) {
        let code_points = [primaries, transfer, 0, 1];
        metadata.signal = Some(Signal { code_points, mastering_display: None, light_level: None, has_profile: false });
        return;
    }
    let curve = match transfer {
        4 => Transfer::Gamma(2.2),
        5 => Transfer::Gamma(2.8),
        8 => Transfer::Gamma(1.0),
        // The curves of video are shown like that of sRGB by browsers and viewers of pictures.
        _ => Transfer::Srgb,
    };
    let chromaticities = match primaries {
        9 => &BT_2020,
        12 => &P3_D65,
        // Those of BT.601 and of old screens are almost the same.
        _ => &BT_709,
    };
    metadata.icc = match (chromaticities, &curve, has_color) {
        (_, Transfer::Srgb, false) => None,
        (&BT_709, Transfer::Srgb, true) => None,
        (_, _, false) => Some(color::gray_profile("HEIF", &curve)),
        (chromaticities, _, true) => color::rgb_profile("HEIF", chromaticities, &curve),
    };
}
