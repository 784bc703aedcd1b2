//! Distribution of an EXIF block over the directories of a TIFF file. EXIF's own directories become children of the
//! page's directory (EXIF 2.32 §4.6.3), and descriptive tags of its first directory become tags of the page. Tags about
//! the storage of the source's pixels are left out.

use ifd::{Block, Builder, Entry, Kind, Order, Value, tag};

/// Tags of the first directory that describe the picture and not its storage, without tags that the page writes itself.
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

/// A maker note. In most makers' notes, offsets count from the start of the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MakerNote<'a> {
    /// Its offset in the block.
    pub(super) at: u64,
    pub(super) bytes: &'a [u8],
}

/// Adds the tags of a block to a page's directory. Returns the maker note, which needs a position of its own. An
/// invalid block adds nothing.
pub(super) fn take_apart<'a>(exif: &'a [u8], page: &mut Builder) -> Option<MakerNote<'a>> {
    let (block, first) = Block::open(exif, 0)?;
    let mut parts = Parts { block, left: exif.len(), note: None };
    for entry in parts.entries(first) {
        match entry.tag {
            tag::EXIF_IFD | tag::GPS_IFD => page.directory(entry.tag, parts.child(&entry)),
            tag if DESCRIPTIVE.contains(&tag) || is_misplaced(tag) => parts.push(&entry, page),
            _ => {}
        }
    }
    parts.note
}

/// Whether a tag belongs to EXIF's own directory (exposure, camera and lens), although some programs write it to the
/// parent directory.
const fn is_misplaced(tag: u16) -> bool {
    matches!(tag, 0x829A | 0x829D | 0x8827..=0x8835 | 0xA401..=0xA4FF)
}

/// A block during its distribution.
struct Parts<'a> {
    block: Block<'a>,
    /// The number of value bytes that may still be copied. A valid block has no more than its own length; a forged one
    /// may refer to the same bytes a thousand times.
    left: usize,
    note: Option<MakerNote<'a>>,
}

impl<'a> Parts<'a> {
    /// Returns the entries of a directory whose values are complete, each tag once.
    fn entries(&mut self, at: usize) -> Vec<Entry> {
        let mut entries = self.block.entries(at).unwrap_or_default();
        entries.retain(|entry| self.block.value(entry).is_some());
        raster::sort_by_key(&mut entries, |entry| entry.tag.into());
        entries.dedup_by_key(|entry| entry.tag);
        entries.retain(|entry| {
            let fits = self.left.checked_sub(self.value(entry).len());
            self.left = fits.unwrap_or(self.left);
            fits.is_some()
        });
        entries
    }

    fn value(&self, entry: &Entry) -> &'a [u8] {
        self.block.value(entry).and_then(|range| self.block.bytes.get(range)).unwrap_or_default()
    }

    /// Returns the directory to which an entry points: EXIF's, with its own child, or a directory without children.
    fn child(&mut self, pointer: &Entry) -> Builder {
        let mut directory = Builder::new(Order::Little);
        let at = self.block.pointer(pointer);
        for entry in at.map(|at| self.entries(at)).unwrap_or_default() {
            match (pointer.tag, entry.tag) {
                (tag::EXIF_IFD, tag::MAKER_NOTE) => {
                    self.note = Some(MakerNote { at: entry.value_at, bytes: self.value(&entry) });
                }
                (tag::EXIF_IFD, tag::INTEROPERABILITY_IFD) => directory.directory(entry.tag, self.child(&entry)),
                _ => self.push(&entry, &mut directory),
            }
        }
        directory
    }

    /// Adds an entry with its values in little-endian order. Empty values, and offsets of unknown directories, are
    /// dropped.
    fn push(&self, entry: &Entry, into: &mut Builder) {
        let mut bytes = self.value(entry).to_vec();
        let Some(unit) = entry.kind.number_size().filter(|_| !bytes.is_empty() && entry.kind != Kind::IFD) else {
            return;
        };
        if self.block.order == Order::Big {
            bytes.chunks_exact_mut(unit as usize).for_each(<[u8]>::reverse);
        }
        // Only EXIF 3.0 has a separate kind for UTF-8 texts; TIFF's readers expect ASCII.
        let kind = if entry.kind == Kind::UTF_8 { Kind::ASCII } else { entry.kind };
        into.push(entry.tag, kind, Value::Bytes(bytes));
    }
}
