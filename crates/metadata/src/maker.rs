//! Maker notes (EXIF tag 0x927C): directories of camera makers, in unpublished forms.
//!
//! A note of a known form loses its place names and its previews, which show the original picture. A note of an unknown
//! form may contain anything, including coordinates (as FLIR, Kodak and Parrot store them); it is dropped when the
//! policy removes places. The forms and tags come from exiftool's documentation (exiftool.org/TagNames). The table
//! lists every maker whose tags include a position or a place, and also the known forms that include none.

use core::ops::Range;

use ifd::{Block, Entry, Order};

use crate::policy::Policy;

/// The position from which the offsets in a note's directory count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    /// The block's start, as everywhere else in EXIF.
    Block,
    /// The note's start.
    Note,
    /// The TIFF header that the note repeats at this position.
    Header(usize),
    /// A position that differs between cameras.
    Unknown,
}

/// The form of one maker's notes.
struct Form {
    /// The bytes that the note begins with.
    signature: &'static [u8],
    /// The start of the maker's name in the EXIF block, which identifies notes without a signature.
    make: &'static [u8],
    /// The position of the directory in the note.
    directory: usize,
    base: Base,
    places: &'static [u16],
    previews: &'static [u16],
}

impl Form {
    const fn signed(signature: &'static [u8]) -> Self {
        Self { signature, make: b"", directory: 0, base: Base::Unknown, places: &[], previews: &[] }
    }
}

const OLYMPUS_PREVIEWS: &[u16] = &[0x0081, 0x0088, 0x0089, 0x0100];

#[rustfmt::skip]
static FORMS: [Form; 18] = [
    Form::signed(b"Apple iOS\0"),
    Form::signed(b"FUJIFILM"),
    Form::signed(b"Nikon\0\x01"),
    // LocationInfo, BarometerInfo (an altitude); PreviewIFD.
    Form { base: Base::Header(10), places: &[0x0039, 0x00C3], previews: &[0x0011], ..Form::signed(b"Nikon\0\x02") },
    // WorldTimeLocation, Location, Country, State, City, Landmark, City2.
    Form { directory: 12, base: Base::Block, places: &[0x003A, 0x0067, 0x0069, 0x006B, 0x006D, 0x006F, 0x0080],
           ..Form::signed(b"Panasonic\0\0\0") },
    Form { directory: 12, base: Base::Block, previews: &[0x2001], ..Form::signed(b"SONY DSC \0\0\0") },
    Form { directory: 12, base: Base::Block, previews: &[0x2001], ..Form::signed(b"SONY CAM \0\0\0") },
    Form { directory: 12, base: Base::Block, previews: &[0x2001], ..Form::signed(b"SONY MOBILE") },
    Form { directory: 12, base: Base::Note, previews: OLYMPUS_PREVIEWS, ..Form::signed(b"OLYMPUS\0II") },
    Form { directory: 12, base: Base::Note, previews: OLYMPUS_PREVIEWS, ..Form::signed(b"OLYMPUS\0MM") },
    Form { directory: 16, base: Base::Note, previews: OLYMPUS_PREVIEWS, ..Form::signed(b"OM SYSTEM\0\0\0") },
    Form { directory: 8, base: Base::Block, previews: OLYMPUS_PREVIEWS, ..Form::signed(b"OLYMP\0") },
    // WorldTimeLocation, HometownCity, DestinationCity, TimeInfo (which repeats them); preview's size, length, start.
    Form { directory: 6, base: Base::Block, places: &[0x0022, 0x0023, 0x0024, 0x006B],
           previews: &[0x0002, 0x0003, 0x0004], ..Form::signed(b"AOC\0") },
    Form { directory: 10, base: Base::Note, places: &[0x0022, 0x0023, 0x0024, 0x006B],
           previews: &[0x0002, 0x0003, 0x0004], ..Form::signed(b"PENTAX \0") },
    // HometownCity; PreviewImage.
    Form { directory: 6, base: Base::Block, places: &[0x3006], previews: &[0x2000], ..Form::signed(b"QVC\0") },
    // TimeInfo (a city's number).
    Form { base: Base::Block, places: &[0x0035], make: b"Canon", ..Form::signed(b"") },
    // LocalLocationName, LocationName; PreviewIFD.
    Form { places: &[0x0030, 0x0031], previews: &[0x0035], make: b"SAMSUNG", ..Form::signed(b"") },
    Form { places: &[0x0030, 0x0031], previews: &[0x0035], make: b"samsung", ..Form::signed(b"") },
];

/// The most entries that a note's directory may have. The high byte of the count is therefore zero, which reveals the
/// byte order of notes whose order differs from the block's.
const MAX_ENTRIES: u16 = 255;

/// Returns the note at `range` of `block` without previews and, if the policy requires it, without places, or `None`
/// when it must be dropped. Its values keep their positions; only a blank end that a removed preview leaves is cut off.
pub(crate) fn scrub(block: &Block<'_>, range: Range<usize>, make: &[u8], policy: Policy) -> Option<Vec<u8>> {
    let note = block.bytes.get(range.clone())?;
    let form = Form::of(note, make);
    let as_it_is = || (policy == Policy::Everything).then(|| note.to_vec());
    let Some(form) = form else { return as_it_is() };
    let places = if policy == Policy::Everything { &[] } else { form.places };
    if places.is_empty() && form.previews.is_empty() {
        return Some(note.to_vec());
    }
    let Some((inner, at, entries)) = form.open(block, &range) else { return as_it_is() };
    let mut out = note.to_vec();
    let mut kept = Vec::with_capacity(entries.len());
    for entry in &entries {
        if !places.contains(&entry.tag) && !form.previews.contains(&entry.tag) {
            kept.push(block.bytes.get(entry.at as usize..)?.get(..Block::ENTRY)?);
            continue;
        }
        let value = inner.value(entry);
        if form.base == Base::Unknown && value.as_ref().is_none_or(|value| value.start != Block::field(entry)) {
            return as_it_is();
        }
        blank(&mut out, &range, value.into_iter().chain(preview(&inner, entry)));
    }
    if kept.is_empty() {
        return None;
    }
    let next = inner.u32_at(Block::span(at, entries.len()).end - 4)?;
    blank(&mut out, &range, [Block::span(at, entries.len())]);
    let directory = inner.layout().directory(&kept, next.into());
    out[at - range.start..][..directory.len()].copy_from_slice(&directory);
    if kept.len() < entries.len() {
        let directory = Block::span(at, kept.len()).end - range.start;
        let used = out.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        out.truncate(used.max(directory).next_multiple_of(2));
    }
    Some(out)
}

/// Whether [`Policy::Everything`] keeps more of the note at `range` than other policies, at most.
pub(crate) fn may_have_place(block: &Block<'_>, range: &Range<usize>, make: &[u8]) -> bool {
    let note = block.bytes.get(range.clone()).unwrap_or_default();
    let Some(form) = Form::of(note, make) else { return true };
    if form.places.is_empty() && form.previews.is_empty() {
        return false;
    }
    // Previews at unknown places make a note one that only this policy keeps.
    let previews = if form.base == Base::Unknown { form.previews } else { &[] };
    let is_place = |entry: &Entry| form.places.contains(&entry.tag) || previews.contains(&entry.tag);
    form.open(block, range).is_none_or(|(_, _, entries)| entries.iter().any(is_place))
}

impl Form {
    /// Returns the form of a note from a camera of that maker; `None` if it is not known.
    fn of(note: &[u8], make: &[u8]) -> Option<&'static Self> {
        FORMS.iter().find(|form| {
            note.starts_with(form.signature) && make.starts_with(form.make) && (form.signature, form.make) != (b"", b"")
        })
    }

    /// Returns the note's directory: the block to read it through, its position, its entries.
    fn open<'a>(&self, block: &Block<'a>, range: &Range<usize>) -> Option<(Block<'a>, usize, Vec<Entry>)> {
        let bytes = &block.bytes[..range.end];
        let (inner, at) = match self.base {
            Base::Header(header) => Block::open(bytes, range.start + header)?,
            Base::Block => (Block { bytes, ..*block }, range.start + self.directory),
            Base::Note | Base::Unknown => (Block { bytes, base: range.start, ..*block }, range.start + self.directory),
        };
        let other = if inner.order == Order::Little { Order::Big } else { Order::Little };
        let turned = Block { order: other, ..inner };
        let sound = |block: &Block<'_>| block.u16_at(at).is_some_and(|count| (1..=MAX_ENTRIES).contains(&count));
        let inner = [inner, turned].into_iter().find(sound)?;
        let entries = inner.entries(at)?;
        let whole = usize::from(inner.u16_at(at)?) == entries.len() && at >= range.start;
        (whole && Block::span(at, entries.len()).end <= range.end).then_some((inner, at, entries))
    }
}

/// Returns the bytes of a preview, if the entry points to a directory with a JPEG: the directory, its values, the JPEG.
fn preview(block: &Block<'_>, entry: &Entry) -> Vec<Range<usize>> {
    let Some(at) = block.pointer(entry) else { return Vec::new() };
    let entries = block.entries(at).unwrap_or_default();
    let number = |tag: u16| entries.iter().find(|entry| entry.tag == tag).and_then(|entry| block.number(entry));
    let Some((start, len)) = number(0x0201).and_then(|start| block.resolve(start)).zip(number(0x0202)) else {
        return Vec::new();
    };
    let jpeg = start..start.saturating_add(len as usize);
    let values = entries.iter().filter_map(|entry| block.value(entry));
    values.chain([Block::span(at, entries.len()), jpeg]).collect()
}

/// Writes zeros over the parts of these ranges of the block that lie in the note.
fn blank(note: &mut [u8], at: &Range<usize>, ranges: impl IntoIterator<Item = Range<usize>>) {
    for range in ranges {
        let end = range.end.clamp(at.start, at.end);
        note[range.start.clamp(at.start, end) - at.start..end - at.start].fill(0);
    }
}
