//! The layout of directories in bytes: byte order, width of offsets, header, entries.

use crate::defect::Defect;
use crate::directory::{Directory, Entry};
use crate::kind::Kind;

/// The byte order of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Lowest byte first, `II`.
    Little,
    /// Highest byte first, `MM`.
    Big,
}

impl Order {
    /// Returns the unsigned number of up to eight bytes.
    #[must_use]
    pub fn number(self, bytes: &[u8]) -> u64 {
        let join = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        match self {
            Self::Little => bytes.iter().rev().fold(0, join),
            Self::Big => bytes.iter().fold(0, join),
        }
    }

    /// Returns the lowest `N` bytes of a number, at most eight, in this order.
    #[must_use]
    pub fn bytes<const N: usize>(self, number: u64) -> [u8; N] {
        let mut bytes = [0; N];
        match self {
            Self::Little => bytes.copy_from_slice(&number.to_le_bytes()[..N]),
            Self::Big => bytes.copy_from_slice(&number.to_be_bytes()[8 - N..]),
        }
        bytes
    }

    const fn mark(self) -> &'static [u8; 2] {
        match self {
            Self::Little => b"II",
            Self::Big => b"MM",
        }
    }
}

/// The width of offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// 32 bits: files below 4 GiB, and all of EXIF.
    Classic,
    /// 64 bits: BigTIFF.
    Big,
}

impl Form {
    /// Returns the bytes of an offset, which is also the width of a count of values and of an entry's field.
    #[must_use]
    pub const fn offset_len(self) -> usize {
        match self {
            Self::Classic => 4,
            Self::Big => 8,
        }
    }

    /// Returns the bytes of the count at the start of a directory.
    #[must_use]
    pub const fn count_len(self) -> usize {
        match self {
            Self::Classic => 2,
            Self::Big => 8,
        }
    }

    /// Returns the bytes of an entry: tag, kind, count, field.
    #[must_use]
    pub const fn entry_len(self) -> usize {
        4 + 2 * self.offset_len()
    }

    /// Returns the bytes of a directory: its count, `entries` entries, the offset of the next directory.
    #[must_use]
    pub const fn directory_len(self, entries: usize) -> usize {
        self.count_len() + self.entry_len() * entries + self.offset_len()
    }
}

/// The byte order and the width of offsets, which a header states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The byte order.
    pub order: Order,
    /// The width of offsets.
    pub form: Form,
}

impl Layout {
    /// The bytes of the longest header, BigTIFF's.
    pub const LONGEST_HEADER: usize = 16;

    /// Reads a file's header (up to [`Layout::LONGEST_HEADER`] bytes); also returns the offset of the first directory.
    ///
    /// # Errors
    /// The defect, and its offset.
    pub fn read_header(header: &[u8]) -> Result<(Self, u64), (Defect, u64)> {
        let &[first, second, a, b, ..] = header else { return Err((Defect::NoMagic, 0)) };
        let order = match &[first, second] {
            b"II" => Order::Little,
            b"MM" => Order::Big,
            _ => return Err((Defect::NoMagic, 0)),
        };
        let (form, offset) = match order.number(&[a, b]) {
            42 => (Form::Classic, 4..8),
            43 => (Form::Big, 8..16),
            _ => return Err((Defect::NoMagic, 2)),
        };
        let first = header.get(offset).ok_or((Defect::HeaderCut, header.len() as u64))?;
        // BigTIFF's header states the width of its offsets, then a zero.
        if form == Form::Big && (order.number(&header[4..6]), order.number(&header[6..8])) != (8, 0) {
            return Err((Defect::NoMagic, 4));
        }
        Ok((Self { order, form }, order.number(first)))
    }

    /// Returns a header for a first directory at `first`.
    #[must_use]
    pub fn header(self, first: u64) -> Vec<u8> {
        let mut header = self.order.mark().to_vec();
        match self.form {
            Form::Classic => header.extend(self.order.bytes::<2>(42)),
            Form::Big => [43, 8, 0].iter().for_each(|&number| header.extend(self.order.bytes::<2>(number))),
        }
        header.extend(self.offset(first));
        header
    }

    /// Returns an offset or a count of values as bytes. The caller has chosen a form that is wide enough.
    #[must_use]
    pub fn offset(self, offset: u64) -> Vec<u8> {
        match self.form {
            Form::Classic => self.order.bytes::<4>(offset).to_vec(),
            Form::Big => self.order.bytes::<8>(offset).to_vec(),
        }
    }

    /// Returns a directory of these entries, each of [`Form::entry_len`] bytes, in the order of their tags. There are
    /// at most 65 535. `next` is the offset of the next directory, 0 for none.
    #[must_use]
    pub fn directory(self, entries: &[impl AsRef<[u8]>], next: u64) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.form.directory_len(entries.len()));
        let count = entries.len() as u64;
        match self.form {
            Form::Classic => bytes.extend(self.order.bytes::<2>(count)),
            Form::Big => bytes.extend(self.order.bytes::<8>(count)),
        }
        entries.iter().for_each(|entry| bytes.extend(entry.as_ref()));
        bytes.extend(self.offset(next));
        bytes
    }

    /// Returns an entry. `field` has at most [`Form::offset_len`] bytes: values, or their offset.
    #[must_use]
    pub fn entry(self, tag: u16, kind: Kind, count: u64, field: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.form.entry_len());
        bytes.extend(self.order.bytes::<2>(tag.into()));
        bytes.extend(self.order.bytes::<2>(kind.0.into()));
        bytes.extend(self.offset(count));
        bytes.extend(field);
        bytes.resize(self.form.entry_len(), 0);
        bytes
    }

    /// Reads the directory at the start of `bytes`, with all complete entries. `at` is its position and `base` the
    /// position from which its offsets count; both are added to every position. Returns `None` when the count is
    /// missing.
    #[must_use]
    pub fn read_directory(self, bytes: &[u8], at: u64, base: u64) -> Option<Directory> {
        let (count, rest) = bytes.split_at_checked(self.form.count_len())?;
        let claimed = self.order.number(count);
        let first = at + count.len() as u64;
        let len = self.form.entry_len();
        let entries = rest.chunks_exact(len).take(usize::try_from(claimed).unwrap_or(usize::MAX));
        let entries: Vec<Entry> =
            entries.zip((first..).step_by(len)).map(|(bytes, at)| self.read_entry(bytes, at, base)).collect();
        let is_whole = entries.len() as u64 == claimed;
        let next = rest.get(len * entries.len()..).and_then(|rest| rest.get(..self.form.offset_len()));
        let next = next.filter(|_| is_whole).map_or(0, |next| self.order.number(next));
        Some(Directory { at, entries, next })
    }

    fn read_entry(self, bytes: &[u8], at: u64, base: u64) -> Entry {
        let number = |from: usize, len: usize| self.order.number(&bytes[from..from + len]);
        let width = self.form.offset_len();
        let (kind, count) = (Kind(number(2, 2) as u16), number(4, width));
        let is_inside = kind.size().is_some_and(|size| size.saturating_mul(count) <= width as u64);
        let offset = number(4 + width, width);
        let value_at = if is_inside { at + 4 + width as u64 } else { base.saturating_add(offset) };
        Entry { tag: number(0, 2) as u16, kind, count, at, value_at }
    }
}
