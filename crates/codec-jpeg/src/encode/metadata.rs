//! The first segments of a file: JFIF, EXIF, XMP, ICC, Photoshop, comments, in the order of their markers.

use raster::{ByteSink, Limit, Metadata, Resolution, Result, Text, photoshop};

use crate::marker::{MAX_PAYLOAD, code, write_segment};
use crate::segments::{EXIF, PHOTOSHOP, XMP};
use crate::{extended_xmp, gain_map, icc};

/// The most bytes of a profile in a segment, behind the profile's name, the segment's number and the number of
/// segments.
const MAX_PROFILE_PIECE: usize = MAX_PAYLOAD - icc::NAME.len() - 2;

/// Writes SOI and the segments of `metadata`. JFIF's segment implies that three components are YCbCr, so a copy of a
/// file has it only if the file has it.
///
/// # Errors
/// `Limit` when a part is too long, `Io` when the sink fails.
pub(crate) fn write(sink: &mut dyn ByteSink, metadata: &Metadata, is_jfif: bool) -> Result<()> {
    sink.write(&[0xFF, code::SOI])?;
    if is_jfif {
        write_segment(sink, code::APP0, &[&jfif(metadata.resolution)])?;
    }
    if let Some(exif) = &metadata.exif {
        write_segment(sink, code::APP1, &[EXIF, exif])?;
    }
    let announced = metadata.gain_map.as_deref().and_then(|map| gain_map::announced(metadata.xmp.as_deref(), map));
    if let Some(xmp) = announced.as_ref().or(metadata.xmp.as_ref()) {
        match &metadata.xmp_extension {
            Some(extension) => extended_xmp::write(sink, xmp, extension)?,
            None => write_segment(sink, code::APP1, &[XMP, xmp])?,
        }
    }
    if let Some(profile) = &metadata.icc {
        let count = profile.len().div_ceil(MAX_PROFILE_PIECE);
        let count = u8::try_from(count).map_err(|_| Limit::Parts("profile segments"))?;
        for (number, piece) in (1..=count).zip(profile.chunks(MAX_PROFILE_PIECE)) {
            write_segment(sink, code::APP2, &[icc::NAME, &[number, count], piece])?;
        }
    }
    if let Some(iptc) = &metadata.iptc {
        // Readers join the segments before they search for resources.
        for piece in photoshop::wrap_iptc(iptc).chunks(MAX_PAYLOAD - PHOTOSHOP.len()) {
            write_segment(sink, code::APP13, &[PHOTOSHOP, piece])?;
        }
    }
    // A JPEG cannot store texts with other keywords.
    let comments = metadata.texts.iter().filter(|text| text.keyword == Text::COMMENT);
    comments.into_iter().try_for_each(|comment| write_comment(sink, &comment.text))
}

/// Writes a comment (T.81 B.2.4.5), in several segments when it is too long for one.
fn write_comment(sink: &mut dyn ByteSink, text: &str) -> Result<()> {
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.floor_char_boundary(MAX_PAYLOAD));
        write_segment(sink, code::COM, &[piece.as_bytes()])?;
        rest = after;
    }
    Ok(())
}

/// Returns the payload of JFIF 1.01: version, unit, density across and down, no thumbnail. Without a resolution, the
/// density states square pixels.
fn jfif(resolution: Option<Resolution>) -> [u8; 14] {
    // Float casts saturate.
    let dots = |value: f64| (value.round() as u16).max(1).to_be_bytes();
    let (unit, x, y) = resolution.map_or((0, [0, 1], [0, 1]), |r| (1, dots(r.x), dots(r.y)));
    [b'J', b'F', b'I', b'F', 0, 1, 1, unit, x[0], x[1], y[0], y[1], 0, 0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segments::MAX_EXIF;

    #[test]
    fn densities_are_whole_dots_per_inch() {
        let density = |x, y| jfif(Some(Resolution { x, y }))[7..12].to_vec();
        assert_eq!(density(300.0, 299.7), [1, 1, 44, 1, 44]);
        assert_eq!(density(0.2, 1e9), [1, 0, 1, 255, 255]);
        assert_eq!(jfif(None)[7..12], [0, 0, 1, 0, 1]);
    }

    #[test]
    fn exif_beyond_one_segment_is_refused() {
        let metadata = |len| Metadata { exif: Some(vec![7; len]), ..Metadata::default() };
        let mut file = Vec::new();
        write(&mut file, &metadata(MAX_EXIF), true).unwrap();
        assert_eq!(file[20..24], [0xFF, 0xE1, 0xFF, 0xFF]);
        assert_eq!(write(&mut Vec::new(), &metadata(MAX_EXIF + 1), true).unwrap_err().code(), "parts");
    }
}
