//! Directories in memory: an EXIF block, or the maker note inside of one. The functions read only existing bytes and
//! return `None` for missing ones; they cannot fail otherwise.

use core::ops::Range;

use crate::directory::Entry;
use crate::kind::Kind;
use crate::layout::{Form, Layout, Order};

/// A block of bytes that contains directories.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// The bytes, up to the last position that a value may reach.
    pub bytes: &'a [u8],
    /// Byte order.
    pub order: Order,
    /// The position from which the offsets in entries count. It is the block's start, except in maker notes.
    pub base: usize,
}

impl<'a> Block<'a> {
    /// The bytes of an entry.
    pub const ENTRY: usize = Form::Classic.entry_len();

    /// Opens a block whose header begins at `base`; also returns the position of the first directory.
    #[must_use]
    pub fn open(bytes: &'a [u8], base: usize) -> Option<(Self, usize)> {
        let (layout, first) = Layout::read_header(bytes.get(base..)?).ok()?;
        let block = Self { bytes, order: layout.order, base };
        let first = block.resolve(u32::try_from(first).ok()?)?;
        (layout.form == Form::Classic).then_some((block, first))
    }

    /// Returns the layout of the block's directories.
    #[must_use]
    pub const fn layout(&self) -> Layout {
        Layout { order: self.order, form: Form::Classic }
    }

    /// Reads the 16-bit number at a position.
    #[must_use]
    pub fn u16_at(&self, at: usize) -> Option<u16> {
        Some(self.order.number(self.bytes.get(at..)?.first_chunk::<2>()?) as u16)
    }

    /// Reads the 32-bit number at a position.
    #[must_use]
    pub fn u32_at(&self, at: usize) -> Option<u32> {
        Some(self.order.number(self.bytes.get(at..)?.first_chunk::<4>()?) as u32)
    }

    /// Converts an offset of the block to a position in its bytes.
    #[must_use]
    pub fn resolve(&self, offset: u32) -> Option<usize> {
        self.base.checked_add(offset as usize).filter(|&at| at < self.bytes.len())
    }

    /// Returns the entries of the directory at a position, as many as the bytes contain, or `None` when the count is
    /// missing.
    #[must_use]
    pub fn entries(&self, at: usize) -> Option<Vec<Entry>> {
        let directory = self.layout().read_directory(self.bytes.get(at..)?, at as u64, self.base as u64)?;
        Some(directory.entries)
    }

    /// Returns the range of a directory at `at` with `entries` entries, including the offset of the next directory.
    #[must_use]
    pub const fn span(at: usize, entries: usize) -> Range<usize> {
        at..at + Form::Classic.directory_len(entries)
    }

    /// Returns the position of an entry's field, which contains its values or their offset.
    #[must_use]
    pub const fn field(entry: &Entry) -> usize {
        entry.at as usize + 8
    }

    /// Returns the range of an entry's values, or `None` when the kind is unknown or a value is missing.
    #[must_use]
    pub fn value(&self, entry: &Entry) -> Option<Range<usize>> {
        let len = usize::try_from(entry.kind.size()?.checked_mul(entry.count)?).ok()?;
        let start = usize::try_from(entry.value_at).ok()?;
        let end = start.checked_add(len).filter(|&end| end <= self.bytes.len())?;
        Some(start..end)
    }

    /// Returns the number in an entry of one SHORT, LONG or offset.
    #[must_use]
    pub fn number(&self, entry: &Entry) -> Option<u32> {
        match (entry.kind, entry.count) {
            (Kind::SHORT, 1) => self.u16_at(Self::field(entry)).map(u32::from),
            (Kind::LONG | Kind::IFD, 1) => self.u32_at(Self::field(entry)),
            _ => None,
        }
    }

    /// Returns the position of the directory to which an entry points.
    #[must_use]
    pub fn pointer(&self, entry: &Entry) -> Option<usize> {
        self.resolve(self.number(entry)?)
    }
}
