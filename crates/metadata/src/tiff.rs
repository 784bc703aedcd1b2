//! The directory structure that EXIF borrows from TIFF 6.0 §2: a header, directories of 12-byte entries, values beside
//! them. Reads only what is there; nothing here can fail but by finding nothing.

use core::ops::Range;

/// Bytes of a directory's entry.
pub(crate) const ENTRY: usize = 12;

/// A run of bytes with directories in it. Offsets count from `base`, which is the start but in maker notes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) little: bool,
    /// What the offsets in entries count from.
    pub(crate) base: usize,
}

/// One entry as it lies in the file; its last four bytes are a value or the offset of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) tag: u16,
    pub(crate) kind: u16,
    pub(crate) count: u32,
    /// Where its 12 bytes are.
    pub(crate) at: usize,
}

/// Field types that are written here, as TIFF numbers them.
pub(crate) const SHORT: u16 = 3;
pub(crate) const LONG: u16 = 4;
pub(crate) const RATIONAL: u16 = 5;
/// The offset of a directory.
pub(crate) const IFD: u16 = 13;

impl<'a> Block<'a> {
    /// A block that begins with TIFF's header at `base`, and the offset of its first directory.
    pub(crate) fn open(bytes: &'a [u8], base: usize) -> Option<(Self, usize)> {
        let little = match bytes.get(base..)?.get(..4)? {
            [b'I', b'I', 42, 0] => true,
            [b'M', b'M', 0, 42] => false,
            _ => return None,
        };
        let block = Self { bytes, little, base };
        let first = block.resolve(block.u32_at(base + 4)?)?;
        Some((block, first))
    }

    pub(crate) fn u16_at(&self, at: usize) -> Option<u16> {
        let bytes = *self.bytes.get(at..)?.first_chunk()?;
        Some(if self.little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
    }

    pub(crate) fn u32_at(&self, at: usize) -> Option<u32> {
        self.u32_in(self.bytes, at)
    }

    /// A number in other bytes of the same order.
    pub(crate) fn u32_in(&self, bytes: &[u8], at: usize) -> Option<u32> {
        let bytes = *bytes.get(at..)?.first_chunk()?;
        Some(if self.little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) })
    }

    pub(crate) fn u16_bytes(&self, value: u16) -> [u8; 2] {
        if self.little { value.to_le_bytes() } else { value.to_be_bytes() }
    }

    pub(crate) fn u32_bytes(&self, value: u32) -> [u8; 4] {
        if self.little { value.to_le_bytes() } else { value.to_be_bytes() }
    }

    /// An offset of the file as a place in `bytes`.
    pub(crate) fn resolve(&self, offset: u32) -> Option<usize> {
        self.base.checked_add(offset as usize).filter(|&at| at < self.bytes.len())
    }

    /// The entries of the directory at `at`, as many as the bytes hold of those it counts; nothing without its count.
    pub(crate) fn entries(&self, at: usize) -> Option<Vec<Entry>> {
        let count = usize::from(self.u16_at(at)?);
        let held = (self.bytes.len() - at - 2) / ENTRY;
        (0..count.min(held)).map(|i| self.entry(at + 2 + ENTRY * i)).collect()
    }

    fn entry(&self, at: usize) -> Option<Entry> {
        Some(Entry { tag: self.u16_at(at)?, kind: self.u16_at(at + 2)?, count: self.u32_at(at + 4)?, at })
    }

    /// Writes a directory: its count, its entries, the offset of the next one.
    pub(crate) fn write_directory(&self, out: &mut [u8], at: usize, entries: &[[u8; ENTRY]], next: [u8; 4]) {
        // There are no more than were read, so the count fits.
        out[at..at + 2].copy_from_slice(&self.u16_bytes(entries.len() as u16));
        let end = at + 2 + ENTRY * entries.len();
        out[at + 2..end].copy_from_slice(entries.as_flattened());
        out[end..end + 4].copy_from_slice(&next);
    }

    /// The bytes that the directory at `at` with so many entries takes, the offset of the next one included.
    pub(crate) fn span(at: usize, entries: usize) -> Range<usize> {
        at..at + 2 + ENTRY * entries + 4
    }

    /// Where an entry's value lies: within the entry, or wherever its offset says. Nothing when the type is unknown or
    /// the value is not all there.
    pub(crate) fn value(&self, entry: &Entry) -> Option<Range<usize>> {
        let len = usize::try_from(size_of_kind(entry.kind)?.checked_mul(u64::from(entry.count))?).ok()?;
        let start = if len <= 4 { entry.at + 8 } else { self.resolve(self.u32_at(entry.at + 8)?)? };
        let end = start.checked_add(len).filter(|&end| end <= self.bytes.len())?;
        Some(start..end)
    }

    /// The number in a SHORT or LONG entry of one value.
    pub(crate) fn number(&self, entry: &Entry) -> Option<u32> {
        match (entry.kind, entry.count) {
            (SHORT, 1) => self.u16_at(entry.at + 8).map(u32::from),
            (LONG | IFD, 1) => self.u32_at(entry.at + 8),
            _ => None,
        }
    }

    /// Where a directory is that an entry points to.
    pub(crate) fn pointer(&self, entry: &Entry) -> Option<usize> {
        self.resolve(self.number(entry)?)
    }
}

/// Bytes of one value (TIFF 6.0 §2; 13 is IFD of its first supplement, 129 UTF-8 of EXIF 3.0).
fn size_of_kind(kind: u16) -> Option<u64> {
    match kind {
        1 | 2 | 6 | 7 | 129 => Some(1),
        3 | 8 => Some(2),
        4 | 9 | 11 | IFD => Some(4),
        5 | 10 | 12 => Some(8),
        _ => None,
    }
}
