//! The segments that a file begins with, written: JFIF, EXIF, XMP, ICC, Photoshop, comments, in the order of their
//! markers. Also what a file has cut into several segments, joined.

use raster::error::Limit;
use raster::{Budget, ByteSink, ByteSource, Metadata, Resolution, Result, Text, photoshop};

use crate::{extended, icc};

/// What precedes EXIF (CIPA DC-008 §4.7.2), XMP (ISO 16684-3 A.1.3) and Photoshop's resources in their segments.
pub(crate) const EXIF: &[u8] = b"Exif\0\0";
pub(crate) const XMP: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";
pub(crate) const PHOTOSHOP: &[u8] = b"Photoshop 3.0\0";

/// Most bytes of payload in a segment (T.81 B.1.1.4).
pub(crate) const MAX_PAYLOAD: usize = 65_533;

/// The longest EXIF that a JPEG can hold, in bytes: one segment's worth.
pub const MAX_EXIF: usize = MAX_PAYLOAD - EXIF.len();
/// The longest XMP packet, likewise.
pub const MAX_XMP: usize = MAX_PAYLOAD - XMP.len();

/// Most bytes of profile in one of its segments, each of which has its name, its number and their count before it.
const PROFILE_PIECE: usize = MAX_PAYLOAD - icc::NAME.len() - 2;

/// Writes the start of image and all that `metadata` says; JFIF's segment where the file is one, since it also says that
/// three channels are YCbCr.
///
/// # Errors
/// `Limit` when a part is too long, `Io` when the sink fails.
pub(crate) fn write(sink: &mut dyn ByteSink, metadata: &Metadata, is_jfif: bool) -> Result<()> {
    sink.write(&[0xFF, 0xD8])?;
    if is_jfif {
        segment(sink, 0xE0, &[&jfif(metadata.resolution)])?;
    }
    if let Some(exif) = &metadata.exif {
        segment(sink, 0xE1, &[EXIF, exif])?;
    }
    if let Some(xmp) = &metadata.xmp {
        match &metadata.xmp_extension {
            Some(extension) => extended::write(sink, xmp, extension)?,
            None => segment(sink, 0xE1, &[XMP, xmp])?,
        }
    }
    if let Some(profile) = &metadata.icc {
        let count = profile.len().div_ceil(PROFILE_PIECE);
        let count = u8::try_from(count).map_err(|_| Limit::Parts("profile segments"))?;
        for (number, piece) in (1..=count).zip(profile.chunks(PROFILE_PIECE)) {
            segment(sink, 0xE2, &[icc::NAME, &[number, count], piece])?;
        }
    }
    if let Some(iptc) = &metadata.iptc {
        // Readers join what stands in several segments before they look for resources.
        for piece in photoshop::wrap_iptc(iptc).chunks(MAX_PAYLOAD - PHOTOSHOP.len()) {
            segment(sink, 0xED, &[PHOTOSHOP, piece])?;
        }
    }
    // What has another keyword has no place here.
    let comments = metadata.texts.iter().filter(|text| text.keyword == Text::COMMENT);
    comments.into_iter().try_for_each(|comment| write_comment(sink, &comment.text))
}

/// COM (T.81 B.2.4.5), in several segments where it does not fit one.
fn write_comment(sink: &mut dyn ByteSink, text: &str) -> Result<()> {
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.floor_char_boundary(MAX_PAYLOAD));
        segment(sink, 0xFE, &[piece.as_bytes()])?;
        rest = after;
    }
    Ok(())
}

/// JFIF 1.01: version, unit, density across and down, no thumbnail. Without a density, pixels are square.
fn jfif(resolution: Option<Resolution>) -> [u8; 14] {
    // Casts of floats saturate.
    let dots = |value: f64| (value.round() as u16).max(1).to_be_bytes();
    let (unit, x, y) = resolution.map_or((0, [0, 1], [0, 1]), |r| (1, dots(r.x), dots(r.y)));
    [b'J', b'F', b'I', b'F', 0, 1, 1, unit, x[0], x[1], y[0], y[1], 0, 0]
}

pub(crate) fn segment(sink: &mut dyn ByteSink, code: u8, parts: &[&[u8]]) -> Result<()> {
    let len = parts.iter().map(|part| part.len()).sum::<usize>();
    if len > MAX_PAYLOAD {
        return Err(Limit::Parts("bytes in a segment").into());
    }
    sink.write(&[0xFF, code])?;
    sink.write(&(len as u16 + 2).to_be_bytes())?;
    parts.iter().try_for_each(|part| sink.write(part))
}

/// What stands at these places of the file (offset and length in bytes), one after another; nothing where the file is cut.
///
/// # Errors
/// `Limit` when the budget has no room, `Io`.
pub(crate) fn joined(places: &[(u64, usize)], source: &dyn ByteSource, budget: &Budget) -> Result<Option<Vec<u8>>> {
    let total = places.iter().map(|&(_, len)| len as u64).sum();
    let mut bytes = budget.filled(total, 0_u8)?;
    let mut rest = &mut bytes[..];
    for &(offset, len) in places {
        let (into, after) = rest.split_at_mut(len);
        if source.read_full_at(offset, into)? < len {
            return Ok(None);
        }
        rest = after;
    }
    Ok(Some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn densities_are_whole_dots_per_inch() {
        let density = |x, y| jfif(Some(Resolution { x, y }))[7..12].to_vec();
        assert_eq!(density(300.0, 299.7), [1, 1, 44, 1, 44]);
        assert_eq!(density(0.2, 1e9), [1, 0, 1, 255, 255]);
        assert_eq!(jfif(None)[7..12], [0, 0, 1, 0, 1]);
    }

    #[test]
    fn what_fits_no_segment_is_refused() {
        let metadata = |len| Metadata { exif: Some(vec![7; len]), ..Metadata::default() };
        let mut file = Vec::new();
        write(&mut file, &metadata(MAX_EXIF), true).unwrap();
        assert_eq!(file[20..24], [0xFF, 0xE1, 0xFF, 0xFF]);
        assert_eq!(write(&mut Vec::new(), &metadata(MAX_EXIF + 1), true).unwrap_err().code(), "parts");
    }
}
