//! The file's header and its directories (TIFF 6.0 §2, BigTIFF): entries as they stand, values on demand. Nothing is
//! believed: counts and offsets are held against the file's length before a byte is allocated.

use raster::{ByteSource, Cursor, Result};

use crate::error::Cause;
use crate::tag::Type;

/// Entries in all directories of a file together. A page has 20 to 40; a bomb of overlapping directories would have
/// 65 535 in each.
const MAX_ENTRIES: u64 = 1 << 20;

/// Byte order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Little,
    Big,
}

impl Order {
    /// The number that these up to eight bytes are.
    pub(super) fn number(self, bytes: &[u8]) -> u64 {
        let join = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        match self {
            Self::Little => bytes.iter().rev().fold(0, join),
            Self::Big => bytes.iter().fold(0, join),
        }
    }
}

/// One field of a directory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) tag: u16,
    pub(super) kind: Type,
    /// How many values.
    pub(super) count: u64,
    /// Where they stand in the file.
    pub(super) at: u64,
}

/// The entries of one directory, in the order of the file.
#[derive(Clone, Debug)]
pub(super) struct Directory {
    pub(super) at: u64,
    pub(super) entries: Vec<Entry>,
    /// Offset of the next directory; 0 for none.
    pub(super) next: u64,
}

impl Directory {
    /// The first entry with this tag.
    pub(super) fn get(&self, tag: u16) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.tag == tag)
    }
}

/// Reads directories and values.
pub(super) struct Ifds<'a> {
    cursor: Cursor<'a>,
    len: u64,
    order: Order,
    big: bool,
    /// Entries that may still be read.
    allowance: u64,
}

impl<'a> Ifds<'a> {
    /// Reads the header; also says where the first directory stands.
    ///
    /// # Errors
    /// `Malformed` when it is not that of a TIFF, `Io`.
    pub(super) fn open(source: &'a dyn ByteSource) -> Result<(Self, u64)> {
        let mut head = [0; 16];
        let there = source.read_full_at(0, &mut head)?;
        let (order, version) = match head {
            [b'I', b'I', low, high, ..] => (Order::Little, u16::from_le_bytes([low, high])),
            [b'M', b'M', high, low, ..] => (Order::Big, u16::from_be_bytes([high, low])),
            _ => return Err(Cause::NoMagic.at(0)),
        };
        let (big, first) = match version {
            42 => (false, &head[4..8]),
            43 => (true, &head[8..16]),
            _ => return Err(Cause::NoMagic.at(2)),
        };
        if there < if big { 16 } else { 8 } {
            return Err(Cause::HeaderCut.at(there as u64));
        }
        // BigTIFF: the size of offsets, then a zero.
        if big && (order.number(&head[4..6]), order.number(&head[6..8])) != (8, 0) {
            return Err(Cause::NoMagic.at(4));
        }
        let first = order.number(first);
        let cursor = Cursor::new(source, 0);
        Ok((Self { cursor, len: source.byte_len(), order, big, allowance: MAX_ENTRIES }, first))
    }

    pub(super) const fn order(&self) -> Order {
        self.order
    }

    /// The directory at `at`. One that the file's end cuts has the entries that are there.
    ///
    /// # Errors
    /// `Malformed` when it starts outside of the file, has no entry, or the file has too many, `Io`.
    pub(super) fn read(&mut self, at: u64) -> Result<Directory> {
        let (count_bytes, entry_bytes) = if self.big { (8, 20) } else { (2, 12) };
        let left = self.len.saturating_sub(at.saturating_add(count_bytes));
        self.cursor.seek_to(at.min(self.len));
        let count = self.number(count_bytes)?;
        // BigTIFF counts with 64 bits; nobody needs more entries than a classic file may have.
        if count == 0 || count > u16::MAX.into() || left < entry_bytes {
            return Err(Cause::Directory.at(at));
        }
        let there = count.min(left / entry_bytes);
        self.allowance = self.allowance.checked_sub(there).ok_or_else(|| Cause::Directory.at(at))?;
        let mut entries = Vec::with_capacity(there as usize);
        for _ in 0..there {
            entries.push(self.entry()?);
        }
        let next = if there == count { self.number(if self.big { 8 } else { 4 })? } else { 0 };
        Ok(Directory { at, entries, next })
    }

    fn entry(&mut self) -> Result<Entry> {
        let offset_bytes = if self.big { 8 } else { 4 };
        let tag = self.number(2)? as u16;
        let kind = Type(self.number(2)? as u16);
        let count = self.number(offset_bytes)?;
        let place = self.cursor.position();
        let value = self.number(offset_bytes)?;
        let is_inline = kind.bytes().is_some_and(|bytes| bytes.saturating_mul(count) <= offset_bytes);
        Ok(Entry { tag, kind, count, at: if is_inline { place } else { value } })
    }

    /// The next `bytes` bytes as a number; missing ones are zeros.
    fn number(&mut self, bytes: u64) -> Result<u64> {
        let mut buffer = [0; 8];
        let buffer = &mut buffer[..bytes as usize];
        self.cursor.read_full(buffer)?;
        Ok(self.order.number(buffer))
    }

    /// How many of an entry's values lie in the file.
    pub(super) fn present(&self, entry: &Entry) -> u64 {
        let size = entry.kind.bytes().unwrap_or(u64::MAX);
        entry.count.min(self.len.saturating_sub(entry.at) / size)
    }

    /// The value's bytes as they stand, as many as lie in the file and at most `most`.
    ///
    /// # Errors
    /// `Io`.
    pub(super) fn bytes(&mut self, entry: &Entry, most: u64) -> Result<Vec<u8>> {
        let size = entry.kind.bytes().unwrap_or(0);
        self.bytes_at(entry.at, size.saturating_mul(entry.count).min(most))
    }

    /// At most `most` bytes at an offset, as many as lie in the file.
    ///
    /// # Errors
    /// `Io`.
    pub(super) fn bytes_at(&mut self, at: u64, most: u64) -> Result<Vec<u8>> {
        let mut bytes = vec![0; most.min(self.len.saturating_sub(at)) as usize];
        self.cursor.seek_to(at.min(self.len));
        let there = self.cursor.read_full(&mut bytes)?;
        bytes.truncate(there);
        Ok(bytes)
    }

    /// At most `most` unsigned numbers; nothing where the type is no whole number.
    ///
    /// # Errors
    /// `Io`.
    pub(super) fn numbers(&mut self, entry: &Entry, most: u64) -> Result<Vec<u64>> {
        let size = match entry.kind {
            Type(1 | 3 | 4 | 6 | 8 | 9) | Type::IFD | Type::LONG8 | Type::IFD8 | Type(17) => entry.kind.bytes(),
            _ => None,
        };
        let Some(size) = size else { return Ok(Vec::new()) };
        let bytes = self.bytes(entry, most.saturating_mul(size))?;
        Ok(bytes.chunks_exact(size as usize).map(|bytes| self.order.number(bytes)).collect())
    }

    /// The first unsigned number of a tag, where there is one.
    ///
    /// # Errors
    /// `Io`.
    pub(super) fn number_of(&mut self, directory: &Directory, tag: u16) -> Result<Option<u64>> {
        match directory.get(tag) {
            Some(entry) => Ok(self.numbers(entry, 1)?.first().copied()),
            None => Ok(None),
        }
    }

    /// Up to `N` real numbers of a tag; nothing unless all are there and finite.
    ///
    /// # Errors
    /// `Io`.
    pub(super) fn reals<const N: usize>(&mut self, directory: &Directory, tag: u16) -> Result<Option<[f64; N]>> {
        let Some(entry) = directory.get(tag) else { return Ok(None) };
        let size = entry.kind.bytes().unwrap_or(1);
        let bytes = self.bytes(entry, size * N as u64)?;
        let order = self.order;
        let mut values = bytes.chunks_exact(size as usize).map(|bytes| real(order, entry.kind, bytes));
        let mut reals = [0.0; N];
        for real in &mut reals {
            match values.next() {
                Some(value) if value.is_finite() => *real = value,
                _ => return Ok(None),
            }
        }
        Ok(Some(reals))
    }
}

/// A value of any numeric type.
fn real(order: Order, kind: Type, bytes: &[u8]) -> f64 {
    let whole = order.number(bytes);
    match kind {
        Type::RATIONAL => order.number(&bytes[..4]) as f64 / order.number(&bytes[4..]) as f64,
        Type::SRATIONAL => f64::from(order.number(&bytes[..4]) as i32) / f64::from(order.number(&bytes[4..]) as i32),
        Type::FLOAT => f32::from_bits(whole as u32).into(),
        Type::DOUBLE => f64::from_bits(whole),
        Type(6) => f64::from(whole as i8),
        Type(8) => f64::from(whole as i16),
        Type(9) => f64::from(whole as i32),
        _ => whole as f64,
    }
}
