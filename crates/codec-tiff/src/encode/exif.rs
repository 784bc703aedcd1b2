//! EXIF taken apart for a TIFF file, which is itself what EXIF imitates: its own directories move into the page's
//! (EXIF 2.32 §4.6.3), its first directory's words about the picture become the page's own, and everything that was said
//! about how the old file stored its pixels stays behind.

use super::directory::{Directory, Entry, Value};
use crate::tag::{self, Type};

/// Tags of the first directory that describe the picture and not its storage, without those that exist here already.
const DESCRIPTIVE: [u16; 16] = [
    tag::PROCESSING_SOFTWARE,
    tag::IMAGE_DESCRIPTION,
    tag::MAKE,
    tag::MODEL,
    tag::SOFTWARE,
    tag::DATE_TIME,
    tag::ARTIST,
    tag::HOST_COMPUTER,
    tag::RATING,
    tag::RATING_PERCENT,
    tag::COPYRIGHT,
    40_091, // title, comment, author, keywords, subject, as Windows writes them
    40_092,
    40_093,
    40_094,
    40_095,
];

/// Text in EXIF 3.0 only; TIFF's readers take it for the text that they know.
const UTF_8: u16 = 129;

/// A maker note, whose own offsets count from the start of the block in most makers' cameras.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MakerNote<'a> {
    /// Where it stands in the block.
    pub(super) at: u64,
    pub(super) bytes: &'a [u8],
}

/// Adds what the block says to a page's directory, and gives its maker note, which must go to a place of its own.
/// Nonsense adds nothing.
pub(super) fn take_apart<'a>(exif: &'a [u8], page: &mut Directory) -> Option<MakerNote<'a>> {
    let (mut block, first) = Block::open(exif)?;
    let first = block.directory(first);
    let mut note = None;
    for entry in first {
        match entry.tag {
            tag::EXIF_IFD => {
                let (directory, found) = block.exif(&entry);
                note = found;
                push_directory(page, tag::EXIF_IFD, directory);
            }
            tag::GPS_IFD => {
                let directory = block.sub_directory(&entry);
                push_directory(page, tag::GPS_IFD, directory);
            }
            tag if DESCRIPTIVE.contains(&tag) || is_misplaced(tag) => page.0.extend(block.little_endian(&entry)),
            _ => {}
        }
    }
    note
}

/// Tags of EXIF's own directory (how the picture was exposed, camera and lens) that some programs write one level too
/// high.
const fn is_misplaced(tag: u16) -> bool {
    matches!(tag, 0x829A | 0x829D | 0x8827..=0x8835 | 0xA401..=0xA4FF)
}

fn push_directory(into: &mut Directory, tag: u16, directory: Directory) {
    if !directory.0.is_empty() {
        into.push(tag, Type::LONG, Value::Directory(directory));
    }
}

/// An entry as it lies in the block.
#[derive(Clone, Copy)]
struct Raw<'a> {
    tag: u16,
    kind: Type,
    /// Where the value stands in the block.
    at: u64,
    value: &'a [u8],
}

struct Block<'a> {
    bytes: &'a [u8],
    little: bool,
    /// Bytes of values that may still be taken: a sound block has no more than its own, a forged one may name the same
    /// bytes a thousand times.
    left: usize,
}

impl<'a> Block<'a> {
    /// With the offset of the first directory.
    fn open(bytes: &'a [u8]) -> Option<(Self, usize)> {
        let little = match bytes.get(..4)? {
            b"II\x2a\0" => true,
            b"MM\0\x2a" => false,
            _ => return None,
        };
        let block = Self { bytes, little, left: bytes.len() };
        let first = block.u32_at(4)? as usize;
        Some((block, first))
    }

    fn u16_at(&self, at: usize) -> Option<u16> {
        let bytes = *self.bytes.get(at..)?.first_chunk()?;
        Some(if self.little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
    }

    fn u32_at(&self, at: usize) -> Option<u32> {
        let bytes = *self.bytes.get(at..)?.first_chunk()?;
        Some(if self.little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) })
    }

    /// The entries of the directory at `at` that are all there, each tag once.
    fn directory(&mut self, at: usize) -> Vec<Raw<'a>> {
        let count = self.u16_at(at).map_or(0, usize::from);
        let mut entries: Vec<Raw<'a>> = (0..count).map_while(|i| self.entry(at + 2 + 12 * i)).flatten().collect();
        entries.sort_by_key(|entry| entry.tag);
        entries.dedup_by_key(|entry| entry.tag);
        entries.retain(|entry| {
            let fits = self.left.checked_sub(entry.value.len());
            self.left = fits.unwrap_or(self.left);
            fits.is_some()
        });
        entries
    }

    /// The entry at `at`, nothing where the block ends; nothing inside that where its value is no value.
    fn entry(&self, at: usize) -> Option<Option<Raw<'a>>> {
        let (tag, kind) = (self.u16_at(at)?, self.u16_at(at + 2)?);
        let kind = if kind == UTF_8 { Type::ASCII } else { Type(kind) };
        let (count, offset) = (self.u32_at(at + 4)?, self.u32_at(at + 8)?);
        let value = || {
            let len = usize::try_from(u64::from(count).checked_mul(kind.bytes()?)?).ok()?;
            let start = if len <= 4 { at + 8 } else { offset as usize };
            let value = self.bytes.get(start..start.checked_add(len)?)?;
            Some(Raw { tag, kind, at: start as u64, value })
        };
        Some(value())
    }

    fn exif(&mut self, pointer: &Raw<'a>) -> (Directory, Option<MakerNote<'a>>) {
        let mut note = None;
        let mut directory = Directory::default();
        for entry in self.pointed_to(pointer) {
            match entry.tag {
                tag::MAKER_NOTE => note = Some(MakerNote { at: entry.at, bytes: entry.value }),
                tag::INTEROPERABILITY_IFD => {
                    let sub = self.sub_directory(&entry);
                    push_directory(&mut directory, entry.tag, sub);
                }
                _ => directory.0.extend(self.little_endian(&entry)),
            }
        }
        (directory, note)
    }

    fn sub_directory(&mut self, pointer: &Raw<'a>) -> Directory {
        let entries = self.pointed_to(pointer);
        Directory(entries.iter().filter_map(|entry| self.little_endian(entry)).collect())
    }

    fn pointed_to(&mut self, pointer: &Raw<'a>) -> Vec<Raw<'a>> {
        match pointer.value.first_chunk() {
            Some(&bytes) if pointer.value.len() == 4 => {
                let at = if self.little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) };
                self.directory(at as usize)
            }
            _ => Vec::new(),
        }
    }

    /// An entry with its value turned to little-endian. Empty values, and offsets of directories that nobody here knows,
    /// go nowhere.
    fn little_endian(&self, entry: &Raw<'a>) -> Option<Entry> {
        if entry.value.is_empty() || entry.kind == Type::IFD {
            return None;
        }
        let mut bytes = entry.value.to_vec();
        if !self.little {
            let unit = match entry.kind {
                Type::RATIONAL | Type::SRATIONAL => 4,
                kind => kind.bytes()? as usize,
            };
            bytes.chunks_exact_mut(unit).for_each(<[u8]>::reverse);
        }
        Some(Entry { tag: entry.tag, kind: entry.kind, value: Value::Bytes(bytes) })
    }
}
