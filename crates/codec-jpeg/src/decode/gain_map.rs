//! Gain maps, found: among the pictures behind the first one, by what they say of themselves.

use ifd::{Block, Kind};
use raster::{Budget, ByteSource, Error, Result, Spliced, StoredGainMap};

use super::head::{Head, read_head};
use crate::segments::{APPLE_GAIN_MAP, APPLE_HEADROOM, PICTURES, contains};

/// The bytes of an entry for a picture: attributes, length, offset, and the numbers of two other pictures.
const ENTRY: usize = 16;

/// The largest number of pictures that are examined.
const MOST_PICTURES: usize = 16;

/// Finds the gain map of a JPEG. Returns `None` when there is none, or when it has no readable header.
///
/// # Errors
/// `Malformed` when the JPEG itself has no valid header, `Limit` when the budget is too small, `Io`.
pub fn find_gain_map(source: &dyn ByteSource, budget: &Budget) -> Result<Option<StoredGainMap>> {
    let head = read_head(source)?;
    find_behind(&head, source, budget)
}

/// Finds the gain map of a JPEG with this head.
pub(crate) fn find_behind(head: &Head, source: &dyn ByteSource, budget: &Budget) -> Result<Option<StoredGainMap>> {
    let Some(list) = head.metadata.pictures() else { return Ok(None) };
    let mut bytes = budget.filled(list.len as u64, 0_u8)?;
    let filled = source.read_full_at(list.offset, &mut bytes)?;
    for [len, offset] in pictures(&bytes[..filled]) {
        let at = list.offset + offset;
        let picture = Spliced::new(Vec::new(), source, at, len);
        let head = match read_head(&picture) {
            Err(error @ Error::Io(_)) => return Err(error),
            Err(_) => continue,
            Ok(head) => head,
        };
        let [xmp, iso] = head.metadata.gain_map(&picture, budget)?;
        if xmp.is_some() || iso.is_some() {
            let says = |part| xmp.as_deref().is_some_and(|xmp| contains(xmp, part));
            let needs_notes = says(APPLE_GAIN_MAP) && !says(APPLE_HEADROOM) && iso.is_none();
            let (start, len) = (Vec::new(), picture.byte_len());
            return Ok(Some(StoredGainMap { start, at, len, xmp, iso, needs_notes }));
        }
    }
    Ok(None)
}

/// Returns the lengths and the offsets of the pictures behind the first one.
fn pictures(list: &[u8]) -> Vec<[u64; 2]> {
    let entries = || {
        let (block, first) = Block::open(list, 0)?;
        let entries = block.entries(first)?;
        let entry = entries.iter().find(|entry| (entry.tag, entry.kind) == (PICTURES, Kind::UNDEFINED))?;
        let values = block.value(entry)?;
        let pictures = values.step_by(ENTRY).take(MOST_PICTURES);
        Some(pictures.filter_map(|at| Some([block.u32_at(at + 4)?.into(), block.u32_at(at + 8)?.into()])).collect())
    };
    let mut found: Vec<[u64; 2]> = entries().unwrap_or_default();
    found.retain(|&[len, offset]| len > 0 && offset > 0);
    found
}
