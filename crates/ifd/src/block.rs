//! Directories in memory: an EXIF block, or the maker note inside of one. Reads only what is there; nothing here can
//! fail but by finding nothing.

use core::ops::Range;

use crate::directory::Entry;
use crate::kind::Kind;
use crate::layout::{Form, Layout, Order};

/// Bytes with directories in them.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// The bytes, as far as values may reach.
    pub bytes: &'a [u8],
    /// Byte order.
    pub order: Order,
    /// What the offsets in entries count from: the start, but in maker notes.
    pub base: usize,
}

impl<'a> Block<'a> {
    /// Bytes of an entry.
    pub const ENTRY: usize = Form::Classic.entry_len();

    /// A block whose header stands at `base`, and where its first directory is.
    #[must_use]
    pub fn open(bytes: &'a [u8], base: usize) -> Option<(Self, usize)> {
        let (layout, first) = Layout::read_header(bytes.get(base..)?).ok()?;
        let block = Self { bytes, order: layout.order, base };
        let first = block.resolve(u32::try_from(first).ok()?)?;
        (layout.form == Form::Classic).then_some((block, first))
    }

    /// The layout of the block's directories.
    #[must_use]
    pub const fn layout(&self) -> Layout {
        Layout { order: self.order, form: Form::Classic }
    }

    /// The 16-bit number at a place.
    #[must_use]
    pub fn u16_at(&self, at: usize) -> Option<u16> {
        Some(self.order.number(self.bytes.get(at..)?.first_chunk::<2>()?) as u16)
    }

    /// The 32-bit number at a place.
    #[must_use]
    pub fn u32_at(&self, at: usize) -> Option<u32> {
        Some(self.order.number(self.bytes.get(at..)?.first_chunk::<4>()?) as u32)
    }

    /// An offset of the block as a place in its bytes.
    #[must_use]
    pub fn resolve(&self, offset: u32) -> Option<usize> {
        self.base.checked_add(offset as usize).filter(|&at| at < self.bytes.len())
    }

    /// The entries of the directory at a place, as many as the bytes hold; nothing without its count.
    #[must_use]
    pub fn entries(&self, at: usize) -> Option<Vec<Entry>> {
        let directory = self.layout().read_directory(self.bytes.get(at..)?, at as u64, self.base as u64)?;
        Some(directory.entries)
    }

    /// The bytes of a directory at `at` with so many entries, the offset of the next one included.
    #[must_use]
    pub const fn span(at: usize, entries: usize) -> Range<usize> {
        at..at + Form::Classic.directory_len(entries)
    }

    /// Where the field of an entry stands: its values, or their offset.
    #[must_use]
    pub const fn field(entry: &Entry) -> usize {
        entry.at as usize + 8
    }

    /// Where an entry's values stand; nothing when the kind is unknown or not all of them are there.
    #[must_use]
    pub fn value(&self, entry: &Entry) -> Option<Range<usize>> {
        let len = usize::try_from(entry.kind.size()?.checked_mul(entry.count)?).ok()?;
        let start = usize::try_from(entry.value_at).ok()?;
        let end = start.checked_add(len).filter(|&end| end <= self.bytes.len())?;
        Some(start..end)
    }

    /// The number in an entry of one SHORT, LONG or offset.
    #[must_use]
    pub fn number(&self, entry: &Entry) -> Option<u32> {
        match (entry.kind, entry.count) {
            (Kind::SHORT, 1) => self.u16_at(Self::field(entry)).map(u32::from),
            (Kind::LONG | Kind::IFD, 1) => self.u32_at(Self::field(entry)),
            _ => None,
        }
    }

    /// Where the directory stands that an entry points to.
    #[must_use]
    pub fn pointer(&self, entry: &Entry) -> Option<usize> {
        self.resolve(self.number(entry)?)
    }
}
