//! The colours of the decoded samples: a profile, and for HDR the code points of video.

use jxl::api::{JxlColorEncoding, JxlColorProfile, JxlPrimaries, JxlTransferFunction, JxlWhitePoint};
use raster::{Metadata, Notes, Signal, Warning, icc};

/// Sets the profile and the code points that describe samples in `profile`. Samples in sRGB need neither.
pub(crate) fn describe(profile: &JxlColorProfile, is_gray: bool, metadata: &mut Metadata, notes: &Notes) {
    if is_srgb(profile) {
        return;
    }
    let space = if is_gray { icc::GRAY } else { icc::RGB };
    let bytes = profile.try_as_icc();
    metadata.icc = bytes.as_ref().and_then(|bytes| icc::sound(bytes, space)).map(<[u8]>::to_vec);
    if metadata.icc.is_none() {
        notes.warn(Warning::BrokenProfile);
    }
    metadata.signal = code_points(profile).map(|code_points| Signal {
        code_points,
        mastering_display: None,
        light_level: None,
        has_profile: metadata.icc.is_some(),
    });
}

fn is_srgb(profile: &JxlColorProfile) -> bool {
    use JxlTransferFunction::SRGB;
    matches!(
        profile,
        JxlColorProfile::Simple(
            JxlColorEncoding::RgbColorSpace {
                white_point: JxlWhitePoint::D65,
                primaries: JxlPrimaries::SRGB,
                transfer_function: SRGB,
                ..
            } | JxlColorEncoding::GrayscaleColorSpace { white_point: JxlWhitePoint::D65, transfer_function: SRGB, .. }
        )
    )
}

/// Returns the code points of H.273 for HDR in colour: primaries, transfer function, no matrix, full range.
fn code_points(profile: &JxlColorProfile) -> Option<[u8; 4]> {
    let JxlColorProfile::Simple(JxlColorEncoding::RgbColorSpace { white_point, primaries, transfer_function, .. }) =
        profile
    else {
        return None;
    };
    let primaries = match (primaries, white_point) {
        (JxlPrimaries::SRGB, JxlWhitePoint::D65) => 1,
        (JxlPrimaries::BT2100, JxlWhitePoint::D65) => 9,
        (JxlPrimaries::P3, JxlWhitePoint::DCI) => 11,
        (JxlPrimaries::P3, JxlWhitePoint::D65) => 12,
        _ => return None,
    };
    let transfer = match transfer_function {
        JxlTransferFunction::PQ => 16,
        JxlTransferFunction::HLG => 18,
        _ => return None,
    };
    Some([primaries, transfer, 0, 1])
}
