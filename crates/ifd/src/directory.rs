//! Directories and entries as stored in a file.

use crate::kind::Kind;

/// An entry of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The tag, which gives the values their meaning.
    pub tag: u16,
    /// The kind of the values.
    pub kind: Kind,
    /// The number of values.
    pub count: u64,
    /// The position of the entry.
    pub at: u64,
    /// The position of the values: in the entry itself, or anywhere in the file.
    pub value_at: u64,
}

impl Entry {
    /// Returns the stated number of bytes of the values; 0 for an unknown kind.
    #[must_use]
    pub const fn value_len(&self) -> u64 {
        match self.kind.size() {
            Some(size) => size.saturating_mul(self.count),
            None => 0,
        }
    }
}

/// The entries of a directory, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directory {
    /// The position of the directory.
    pub at: u64,
    /// The entries that the file contains.
    pub entries: Vec<Entry>,
    /// The offset of the next directory; 0 for none.
    pub next: u64,
}

impl Directory {
    /// Returns the first entry with this tag.
    #[must_use]
    pub fn get(&self, tag: u16) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.tag == tag)
    }
}
