//! Gain maps: a picture beside the one that is shown. A tone-mapped picture (`tmap`, ISO/IEC 23008-12 amendment 1) says
//! how its map is applied, by ISO 21496-1. An iPhone's map is an auxiliary picture, described by XMP.

use isobmff::{Container, Item, Property};
use raster::xmp::{EMPTY, with_description};
use raster::{Budget, ByteSource, Notes, Result, StoredGainMap};

use crate::Codec;

/// The kind of an iPhone's map.
const APPLE: &str = "urn:com:apple:photo:2020:aux:hdrgainmap";
/// The description of a packet that says this kind.
const APPLE_DESCRIPTION: &str = "<rdf:Description rdf:about=\"\" \
    xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" \
    xmlns:apdi=\"http://ns.apple.com/pixeldatainfo/1.0/\" \
    apdi:AuxiliaryImageType=\"urn:com:apple:photo:2020:aux:hdrgainmap\"/>";
/// The property of its XMP that says how strong it is. Older ones have it in the maker's notes.
const HEADROOM: &[u8] = b"HDRGainMapHeadroom";

/// The items of a gain map.
struct Found<'a> {
    map: &'a Item,
    /// The tone-mapped picture, whose data say how the map is applied.
    tone_mapped: Option<&'a Item>,
    is_apple: bool,
}

/// Whether the file has a gain map.
pub(crate) fn has_gain_map(container: &Container) -> bool {
    container.primary().is_ok_and(|shown| found(container, shown).is_some())
}

fn found<'a>(container: &'a Container, shown: &Item) -> Option<Found<'a>> {
    let apple = container.auxiliary(shown.id, APPLE.as_bytes());
    let tone_mapped = container.items_of(*b"tmap").find_map(|item| {
        let &[base, map] = container.referred(*b"dimg", item.id) else { return None };
        let map = container.item(map).filter(|_| base == shown.id)?;
        Some(Found { map, tone_mapped: Some(item), is_apple: apple.is_some_and(|apple| apple.id == map.id) })
    });
    tone_mapped.or(apple.map(|map| Found { map, tone_mapped: None, is_apple: true }))
}

/// Finds the gain map of a still picture. Returns `None` when there is none, and when it does not belong to a picture
/// for screens without HDR, or has a description that is not understood.
///
/// # Errors
/// As [`crate::open`].
pub fn find_gain_map(codec: &Codec, source: &dyn ByteSource, budget: &Budget) -> Result<Option<StoredGainMap>> {
    let container = Container::read(source, codec.format, budget)?;
    if container.sequence(codec.sequence_brand, codec.kind).is_some() {
        return Ok(None);
    }
    let shown = container.primary()?;
    let Some(Found { map, tone_mapped, is_apple }) = found(&container, shown) else { return Ok(None) };
    let iso = match tone_mapped {
        Some(item) => described(&container, &container.bytes(source, item, budget)?, [shown, item, map]),
        None => None,
    };
    let xmp = match is_apple {
        true => apple_xmp(container.metadata(source, map.id, budget, &Notes::default())?.xmp),
        false => None,
    };
    if iso.is_none() && xmp.is_none() {
        return Ok(None);
    }
    let Some(start) = container.start_showing(source, map.id, budget)? else { return Ok(None) };
    let has_headroom = |xmp: &Vec<u8>| xmp.windows(HEADROOM.len()).any(|name| name == HEADROOM);
    let needs_notes = iso.is_none() && !xmp.as_ref().is_some_and(has_headroom);
    let at = start.len() as u64;
    Ok(Some(StoredGainMap { start, at, len: u64::MAX, xmp, iso, needs_notes }))
}

/// Returns the description of a map in the form of ISO 21496-1: the data of the tone-mapped picture behind their
/// version. `None` for later versions, for maps of HDR pictures, and for colours in other primaries than the picture's,
/// which a JPEG would have to describe by a profile of its own.
fn described(container: &Container, data: &[u8], [shown, tone_mapped, map]: [&Item; 3]) -> Option<Vec<u8>> {
    const PICTURES_COLORS: u8 = 1 << 6;
    let (0, description) = data.split_first().map(|(version, rest)| (*version, rest))? else { return None };
    let &[0, 0, _, _, flags, h3, h2, h1, h0] = description.first_chunk()? else { return None };
    let primaries = |item: &Item| container.code_points(item).map(|points| points.primaries);
    let is_gray = container.properties(map).any(|bits| matches!(bits, Property::Bits(bits) if bits.len() == 1));
    let is_same = flags & PICTURES_COLORS != 0 || is_gray || primaries(shown) == primaries(tone_mapped);
    let is_hdr = [h3, h2, h1, h0] != [0; 4];
    (is_same && !is_hdr).then(|| description.to_vec())
}

/// Returns the XMP of an iPhone's map with its kind, which a JPEG says there.
fn apple_xmp(xmp: Option<Vec<u8>>) -> Option<Vec<u8>> {
    let xmp = xmp.unwrap_or_else(|| EMPTY.as_bytes().to_vec());
    if xmp.windows(APPLE.len()).any(|name| name == APPLE.as_bytes()) {
        return Some(xmp);
    }
    with_description(&xmp, APPLE_DESCRIPTION)
}
