//! Directories of a file that is read by position. Counts and offsets are not trusted: they are compared with the
//! file's length before anything is allocated, and allocations are charged to a budget.

use raster::{Budget, ByteSource, Cursor, Result};

use crate::defect::Defect;
use crate::directory::{Directory, Entry};
use crate::kind::Kind;
use crate::layout::{Layout, Order};

/// The limit of the number of entries in all directories of a file together. A page has 20 to 40; a malicious file of
/// overlapping directories could have 65 535 in each.
const MAX_ENTRIES: u64 = 1 << 20;

/// A file that contains directories.
pub struct File<'a> {
    cursor: Cursor<&'a dyn ByteSource>,
    len: u64,
    layout: Layout,
    /// The number of entries that may still be read.
    allowance: u64,
}

impl<'a> File<'a> {
    /// Reads the header; also returns the offset of the first directory.
    ///
    /// # Errors
    /// `Malformed` when the header is not that of a TIFF, `Io`.
    pub fn open(source: &'a dyn ByteSource) -> Result<(Self, u64)> {
        let mut header = [0; Layout::LONGEST_HEADER];
        let there = source.read_full_at(0, &mut header)?;
        let (layout, first) = Layout::read_header(&header[..there]).map_err(|(defect, offset)| defect.at(offset))?;
        let (cursor, len) = (Cursor::new(source, 0), source.byte_len());
        Ok((Self { cursor, len, layout, allowance: MAX_ENTRIES }, first))
    }

    /// Returns the file's byte order.
    #[must_use]
    pub const fn order(&self) -> Order {
        self.layout.order
    }

    /// Reads the directory at an offset. When the file ends inside the directory, the complete entries are returned.
    ///
    /// # Errors
    /// `Malformed` when the directory is outside of the file, has no entry, or the file has too many; `Limit`, `Io`.
    pub fn directory(&mut self, at: u64, budget: &Budget) -> Result<Directory> {
        let form = self.layout.form;
        let defect = || Defect::Directory.at(at);
        let scope = budget.scope();
        let count = self.bytes_at(at, form.count_len() as u64, &scope)?;
        let claimed = self.layout.order.number(&count);
        let left = self.len.saturating_sub(at.saturating_add(form.count_len() as u64));
        let there = claimed.min(left / form.entry_len() as u64);
        // BigTIFF counts with 64 bits; more entries than a classic file may have are refused.
        if there == 0 || claimed > u16::MAX.into() {
            return Err(defect());
        }
        self.allowance = self.allowance.checked_sub(there).ok_or_else(defect)?;
        budget.charge(there * size_of::<Entry>() as u64)?;
        let bytes = self.bytes_at(at, form.directory_len(there as usize) as u64, &scope)?;
        self.layout.read_directory(&bytes, at, 0).ok_or_else(defect)
    }

    /// Returns how many of an entry's values are inside the file.
    #[must_use]
    pub fn present(&self, entry: &Entry) -> u64 {
        let size = entry.kind.size().unwrap_or(u64::MAX);
        entry.count.min(self.len.saturating_sub(entry.value_at) / size)
    }

    /// Reads the bytes of an entry's values, in the byte order of the file: those inside the file, and at most `most`.
    ///
    /// # Errors
    /// `Limit` when the budget is too small, `Io`.
    pub fn bytes(&mut self, entry: &Entry, most: u64, budget: &Budget) -> Result<Vec<u8>> {
        self.bytes_at(entry.value_at, entry.value_len().min(most), budget)
    }

    /// Reads the bytes at an offset: those inside the file, and at most `most`.
    ///
    /// # Errors
    /// `Limit` when the budget is too small, `Io`.
    pub fn bytes_at(&mut self, at: u64, most: u64, budget: &Budget) -> Result<Vec<u8>> {
        let mut bytes = budget.filled(most.min(self.len.saturating_sub(at)), 0)?;
        self.cursor.seek_to(at.min(self.len));
        let there = self.cursor.read_full(&mut bytes)?;
        bytes.truncate(there);
        Ok(bytes)
    }

    /// Reads at most `most` unsigned whole numbers of an entry. The result is empty when the kind is another.
    ///
    /// # Errors
    /// `Limit` when the budget is too small, `Io`.
    pub fn numbers(&mut self, entry: &Entry, most: u64, budget: &Budget) -> Result<Vec<u64>> {
        let Some(size) = entry.kind.size().filter(|_| entry.kind.is_whole()) else { return Ok(Vec::new()) };
        let count = self.present(entry).min(most);
        let mut numbers = budget.reserved(count)?;
        self.cursor.seek_to(entry.value_at.min(self.len));
        for _ in 0..count {
            let mut bytes = [0; 8];
            let bytes = &mut bytes[..size as usize];
            self.cursor.read_full(bytes)?;
            numbers.push(self.layout.order.number(bytes));
        }
        Ok(numbers)
    }

    /// Reads the first unsigned whole number of a tag, if the tag exists.
    ///
    /// # Errors
    /// `Io`.
    pub fn number(&mut self, directory: &Directory, tag: u16) -> Result<Option<u64>> {
        let Some(entry) = directory.get(tag).filter(|entry| entry.kind.is_whole()) else { return Ok(None) };
        let mut bytes = [0; 8];
        let bytes = &mut bytes[..entry.kind.size().unwrap_or(0) as usize];
        if self.present(entry) == 0 {
            return Ok(None);
        }
        self.cursor.seek_to(entry.value_at);
        self.cursor.read_full(bytes)?;
        Ok(Some(self.layout.order.number(bytes)))
    }

    /// Reads the first `N` numbers of a tag, of any kind. Returns `None` unless all of them exist and are finite.
    ///
    /// # Errors
    /// `Io`.
    pub fn reals<const N: usize>(&mut self, directory: &Directory, tag: u16) -> Result<Option<[f64; N]>> {
        let Some(entry) = directory.get(tag).filter(|entry| self.present(entry) >= N as u64) else { return Ok(None) };
        self.cursor.seek_to(entry.value_at);
        let mut reals = [0.0; N];
        for real in &mut reals {
            let mut bytes = [0; 8];
            let bytes = &mut bytes[..entry.kind.size().unwrap_or(0) as usize];
            self.cursor.read_full(bytes)?;
            *real = to_real(self.layout.order, entry.kind, bytes);
        }
        Ok(Some(reals).filter(|reals| reals.iter().all(|real| real.is_finite())))
    }
}

/// Converts a value of any numeric kind.
fn to_real(order: Order, kind: Kind, bytes: &[u8]) -> f64 {
    let whole = order.number(bytes);
    match kind {
        Kind::RATIONAL => order.number(&bytes[..4]) as f64 / order.number(&bytes[4..]) as f64,
        Kind::SRATIONAL => f64::from(order.number(&bytes[..4]) as i32) / f64::from(order.number(&bytes[4..]) as i32),
        Kind::FLOAT => f32::from_bits(whole as u32).into(),
        Kind::DOUBLE => f64::from_bits(whole),
        Kind::SBYTE => f64::from(whole as i8),
        Kind::SSHORT => f64::from(whole as i16),
        Kind::SLONG => f64::from(whole as i32),
        _ => whole as f64,
    }
}
