//! The names and lengths of metadata segments, and the joining of data in several segments.

use raster::{Budget, ByteSource, Result};

use crate::marker::MAX_PAYLOAD;

/// The names of EXIF (CIPA DC-008 §4.7.2), XMP (ISO 16684-3 A.1.3) and Photoshop's resources at the start of their
/// segments.
pub(crate) const EXIF: &[u8] = b"Exif\0\0";
pub(crate) const XMP: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";
pub(crate) const PHOTOSHOP: &[u8] = b"Photoshop 3.0\0";

/// The beginning of the segment that announces a gain map (ISO 21496-1), and the namespace and the property of XMP with
/// this purpose before that standard (Adobe's "Gain map" specification). The namespace alone is not enough: programs
/// declare it without using it.
pub(crate) const GAIN_MAP: &[u8] = b"urn:iso:std:iso:ts:21496:-1";
const GAIN_MAP_XMP: [&[u8]; 2] = [b"http://ns.adobe.com/hdr-gain-map/1.0/", b"hdrgm:Version"];

/// What a gain map of Apple says of itself in XMP, and the property that says how strong it is. The picture does not
/// announce such a map, and older files say the strength in the maker's notes of the picture.
pub(crate) const APPLE_GAIN_MAP: &[u8] = b"urn:com:apple:photo:2020:aux:hdrgainmap";
pub(crate) const APPLE_HEADROOM: &[u8] = b"HDRGainMapHeadroom";

/// The name of the segment that lists the pictures of a file (CIPA DC-007 §5.1).
pub(crate) const MULTI_PICTURE: &[u8] = b"MPF\0";
/// The tag of the pictures in that list (§5.2.3).
pub(crate) const PICTURES: u16 = 0xB002;

/// The longest EXIF in a JPEG, in bytes: it must fit into one segment.
pub(crate) const MAX_EXIF: usize = MAX_PAYLOAD - EXIF.len();
/// The longest XMP packet in a JPEG, in bytes.
pub(crate) const MAX_XMP: usize = MAX_PAYLOAD - XMP.len();

/// Whether `bytes` contain `part`.
pub(crate) fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// Whether readers of JPEGs recognise a gain map by its XMP packet.
#[must_use]
pub fn describes_gain_map(xmp: &[u8]) -> bool {
    contains(xmp, APPLE_GAIN_MAP) || announces_gain_map(xmp)
}

/// Whether an XMP packet describes a gain map in Adobe's words.
pub(crate) fn announces_gain_map(xmp: &[u8]) -> bool {
    GAIN_MAP_XMP.iter().all(|name| contains(xmp, name))
}

/// Returns an XMP packet with one more description, or `None` when the packet is not valid or too long for a segment.
pub(crate) fn with_description(xmp: &[u8], description: &str) -> Option<Vec<u8>> {
    raster::xmp::with_description(xmp, description).filter(|packet| packet.len() <= MAX_XMP)
}

/// A range of bytes of the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) offset: u64,
    pub(crate) len: usize,
}

/// Returns the bytes of all spans, one after another, or `None` when the file ends before.
///
/// # Errors
/// `Limit` when the budget is too small, `Io`.
pub(crate) fn joined(
    spans: impl IntoIterator<Item = Span> + Clone,
    source: &dyn ByteSource,
    budget: &Budget,
) -> Result<Option<Vec<u8>>> {
    let total = spans.clone().into_iter().map(|span| span.len as u64).sum();
    let mut bytes = budget.filled(total, 0_u8)?;
    let mut rest = &mut bytes[..];
    for Span { offset, len } in spans {
        let (into, after) = rest.split_at_mut(len);
        if source.read_full_at(offset, into)? < len {
            return Ok(None);
        }
        rest = after;
    }
    Ok(Some(bytes))
}
