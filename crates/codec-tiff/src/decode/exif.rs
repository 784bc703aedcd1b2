//! The rebuilt EXIF block of a page. In a TIFF the tags of EXIF are spread over the file; in other formats they are a
//! small TIFF of their own (CIPA DC-008 §4.5). The file's byte order is kept: values are copied unchanged, and only
//! offsets change.

use ifd::{Builder, Directory, Entry, Field, File, Value, tag};
use raster::{Budget, Error, Result};

/// Tags of the page's own directory that describe the picture, without the tags of its data.
const DESCRIPTIONS: [u16; 14] = [
    tag::IMAGE_DESCRIPTION,
    tag::MAKE,
    tag::MODEL,
    tag::SOFTWARE,
    tag::DATE_TIME,
    tag::ARTIST,
    tag::HOST_COMPUTER,
    tag::RATING,
    tag::COPYRIGHT,
    // Title, comment, author, keywords, subject, as Windows writes them.
    0x9C9B,
    0x9C9C,
    0x9C9D,
    0x9C9E,
    0x9C9F,
];
/// Tags that are copied with others, but for which alone no block is made.
const COMPANIONS: [u16; 4] = [tag::ORIENTATION, tag::X_RESOLUTION, tag::Y_RESOLUTION, tag::RESOLUTION_UNIT];

/// The memory of a field beside its value: the field in a list that doubles as it grows, the entry that is made of it,
/// and the overhead of the allocator.
const FIELD: u64 = 2 * size_of::<Field>() as u64 + 64;

/// The limit of a value's length; longer values are left out. Maker notes have up to some hundred kilobytes.
const MAX_VALUE: u64 = 1 << 20;
/// The limit of the length of all values together.
const MAX_BLOCK: u64 = 4 << 20;

/// Returns the block, or `None` when the page has none of its tags.
///
/// # Errors
/// `Io`, `Limit`.
pub(super) fn rebuild(file: &mut File<'_>, directory: &Directory, budget: &Budget) -> Result<Option<Vec<u8>>> {
    let scope = budget.scope();
    let mut source = Source { file, budget: &scope, room: MAX_BLOCK };
    let mut top = source.builder(directory, |tag| DESCRIPTIONS.contains(&tag))?;
    for pointer in [tag::EXIF_IFD, tag::GPS_IFD] {
        top.directory(pointer, source.child(directory, pointer)?);
    }
    if top.fields.is_empty() {
        return Ok(None);
    }
    top.fields.extend(source.builder(directory, |tag| COMPANIONS.contains(&tag))?.fields);
    budget.charge(top.max_len())?;
    top.into_block().map(Some)
}

/// A reader of the fields of the block.
struct Source<'f, 'a> {
    file: &'f mut File<'a>,
    budget: &'f Budget,
    /// The number of bytes that values may still take.
    room: u64,
}

impl Source<'_, '_> {
    /// Returns the fields of a child directory; the result is empty when there is no valid one. Only EXIF's own
    /// directory has a child.
    fn child(&mut self, directory: &Directory, pointer: u16) -> Result<Builder> {
        let Some(at) = self.file.number(directory, pointer)? else { return Ok(Builder::new(self.file.order())) };
        let child = match self.file.directory(at, self.budget) {
            Ok(child) => child,
            Err(Error::Malformed { .. }) => return Ok(Builder::new(self.file.order())),
            Err(error) => return Err(error),
        };
        let is_pointer = |tag| matches!(tag, tag::EXIF_IFD | tag::GPS_IFD | tag::INTEROPERABILITY_IFD);
        let mut fields = self.builder(&child, |tag| !is_pointer(tag))?;
        if pointer == tag::EXIF_IFD {
            fields.directory(tag::INTEROPERABILITY_IFD, self.child(&child, tag::INTEROPERABILITY_IFD)?);
        }
        Ok(fields)
    }

    /// Returns the fields of a directory that are wanted, complete, and of a kind that EXIF has; the first of each tag.
    fn builder(&mut self, directory: &Directory, is_wanted: impl Fn(u16) -> bool) -> Result<Builder> {
        let is_sound = |entry: &&Entry| {
            entry.kind.is_exif() && (1..=MAX_VALUE).contains(&entry.value_len()) && is_wanted(entry.tag)
        };
        let mut entries: Vec<&Entry> = directory.entries.iter().filter(is_sound).collect();
        // The entries are sorted, so that repeated tags are found without a search for each of up to 65 535.
        raster::sort_by_key(&mut entries, |entry| entry.tag.into());
        entries.dedup_by_key(|entry| entry.tag);
        let mut builder = Builder::new(self.file.order());
        for entry in entries {
            let size = entry.value_len();
            let is_whole = self.file.present(entry) == entry.count;
            let Some(room) = self.room.checked_sub(size).filter(|_| is_whole) else { continue };
            self.room = room;
            // The memory of a field is far larger than a value of one byte.
            self.budget.charge(FIELD)?;
            let bytes = self.file.bytes(entry, size, self.budget)?;
            builder.push(entry.tag, entry.kind, Value::Bytes(bytes));
        }
        Ok(builder)
    }
}
