//! Directories and entries as they were read.

use crate::kind::Kind;

/// An entry of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What the values are.
    pub tag: u16,
    /// How they are stored.
    pub kind: Kind,
    /// How many there are.
    pub count: u64,
    /// Where the entry stands.
    pub at: u64,
    /// Where its values stand: in the entry itself, or anywhere.
    pub value_at: u64,
}

impl Entry {
    /// Bytes that the values claim to have; 0 for a kind that does not exist.
    #[must_use]
    pub const fn value_len(&self) -> u64 {
        match self.kind.size() {
            Some(size) => size.saturating_mul(self.count),
            None => 0,
        }
    }
}

/// A directory's entries, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directory {
    /// Where it stands.
    pub at: u64,
    /// The entries that are there.
    pub entries: Vec<Entry>,
    /// Offset of the next directory; 0 for none.
    pub next: u64,
}

impl Directory {
    /// The first entry with this tag.
    #[must_use]
    pub fn get(&self, tag: u16) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.tag == tag)
    }
}
