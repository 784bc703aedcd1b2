//! EXIF taken apart for a TIFF file, which is itself what EXIF imitates: its own directories move into the page's
//! (EXIF 2.32 §4.6.3), its first directory's words about the picture become the page's own, and everything that was
//! said about how the old file stored its pixels stays behind.

use ifd::{Block, Builder, Entry, Kind, Order, Value, tag};

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

/// A maker note, whose own offsets count from the start of the block in most makers' cameras.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MakerNote<'a> {
    /// Where it stands in the block.
    pub(super) at: u64,
    pub(super) bytes: &'a [u8],
}

/// Adds what the block says to a page's directory, and gives its maker note, which must go to a place of its own.
/// Nonsense adds nothing.
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

/// Tags of EXIF's own directory (how the picture was exposed, camera and lens) that some programs write one level too
/// high.
const fn is_misplaced(tag: u16) -> bool {
    matches!(tag, 0x829A | 0x829D | 0x8827..=0x8835 | 0xA401..=0xA4FF)
}

/// The block while it is taken apart.
struct Parts<'a> {
    block: Block<'a>,
    /// Bytes of values that may still be taken: a sound block has no more than its own, a forged one may name the same
    /// bytes a thousand times.
    left: usize,
    note: Option<MakerNote<'a>>,
}

impl<'a> Parts<'a> {
    /// The entries of a directory whose values are all there, each tag once.
    fn entries(&mut self, at: usize) -> Vec<Entry> {
        let mut entries = self.block.entries(at).unwrap_or_default();
        entries.retain(|entry| self.block.value(entry).is_some());
        entries.sort_by_key(|entry| entry.tag);
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

    /// The directory that an entry points to: EXIF's, with its own child, or one without children.
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

    /// Adds an entry with its values turned to little-endian. Empty values, and offsets of directories that nobody here
    /// knows, go nowhere.
    fn push(&self, entry: &Entry, into: &mut Builder) {
        let mut bytes = self.value(entry).to_vec();
        let Some(unit) = entry.kind.number_size().filter(|_| !bytes.is_empty() && entry.kind != Kind::IFD) else {
            return;
        };
        if self.block.order == Order::Big {
            bytes.chunks_exact_mut(unit as usize).for_each(<[u8]>::reverse);
        }
        // EXIF 3.0 alone has texts of a kind of their own; TIFF's readers take them for the texts that they know.
        let kind = if entry.kind == Kind::UTF_8 { Kind::ASCII } else { entry.kind };
        into.push(entry.tag, kind, Value::Bytes(bytes));
    }
}
