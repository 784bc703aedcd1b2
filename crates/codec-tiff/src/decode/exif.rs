//! The EXIF block of a page, rebuilt: in a TIFF the tags of EXIF lie scattered over the file, elsewhere they are a
//! small TIFF of their own (CIPA DC-008 §4.5). The file's byte order is kept, so that values are copied as they stand;
//! only offsets change.

use ifd::{Builder, Directory, Entry, Field, File, Value, tag};
use raster::{Budget, Error, Result};

/// Tags of the page's own directory that describe the picture, but for those of its data.
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
/// These go along, but are no reason for a block.
const COMPANIONS: [u16; 4] = [tag::ORIENTATION, tag::X_RESOLUTION, tag::Y_RESOLUTION, tag::RESOLUTION_UNIT];

/// Bytes of memory that a field takes beside its value: itself, in a list that doubles as it grows, the entry that is
/// made of it, and what the allocator adds.
const FIELD: u64 = 2 * size_of::<Field>() as u64 + 64;

/// Values above this are left out; notes of camera makers reach some hundred kilobytes.
const MAX_VALUE: u64 = 1 << 20;
/// What all values may take together.
const MAX_BLOCK: u64 = 4 << 20;

/// The block, where the page has anything to say.
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

/// Reads the fields that go into the block.
struct Source<'f, 'a> {
    file: &'f mut File<'a>,
    budget: &'f Budget,
    /// Bytes that values may still take.
    room: u64,
}

impl Source<'_, '_> {
    /// The fields of a child directory, none where there is no sound one. Only EXIF's own has a child in turn.
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

    /// The fields of a directory that are wanted, whole, and of a kind that EXIF has; of each tag the first.
    fn builder(&mut self, directory: &Directory, is_wanted: impl Fn(u16) -> bool) -> Result<Builder> {
        let is_sound = |entry: &&Entry| {
            entry.kind.is_exif() && (1..=MAX_VALUE).contains(&entry.value_len()) && is_wanted(entry.tag)
        };
        let mut entries: Vec<&Entry> = directory.entries.iter().filter(is_sound).collect();
        // Sorted, so that finding tags twice takes no search for each of up to 65 535.
        entries.sort_by_key(|entry| entry.tag);
        entries.dedup_by_key(|entry| entry.tag);
        let mut builder = Builder::new(self.file.order());
        for entry in entries {
            let size = entry.value_len();
            let is_whole = self.file.present(entry) == entry.count;
            let Some(room) = self.room.checked_sub(size).filter(|_| is_whole) else { continue };
            self.room = room;
            // A field takes far more than a value of a byte.
            self.budget.charge(FIELD)?;
            let bytes = self.file.bytes(entry, size, self.budget)?;
            builder.push(entry.tag, entry.kind, Value::Bytes(bytes));
        }
        Ok(builder)
    }
}
