//! Builds and reads TIFF structures for tests: values first, then the directory that points to them.

/// A builder of a block; children are built before their parents.
pub(crate) struct Builder {
    pub(crate) little: bool,
    pub(crate) bytes: Vec<u8>,
}

pub(crate) const ASCII: u16 = 2;
pub(crate) const SHORT: u16 = 3;
pub(crate) const LONG: u16 = 4;
pub(crate) const RATIONAL: u16 = 5;
pub(crate) const UNDEFINED: u16 = 7;

impl Builder {
    pub(crate) fn new(little: bool) -> Self {
        let header: &[u8] = if little { b"II\x2a\0\0\0\0\0" } else { b"MM\0\x2a\0\0\0\0" };
        Self { little, bytes: header.to_vec() }
    }

    pub(crate) fn short(&self, value: u16) -> Vec<u8> {
        if self.little { value.to_le_bytes().into() } else { value.to_be_bytes().into() }
    }

    pub(crate) fn long(&self, value: u32) -> Vec<u8> {
        if self.little { value.to_le_bytes().into() } else { value.to_be_bytes().into() }
    }

    pub(crate) fn longs(&self, values: &[u32]) -> Vec<u8> {
        values.iter().flat_map(|&value| self.long(value)).collect()
    }

    /// Writes a directory of (tag, type, value), followed by the one at `next`, and returns its offset.
    pub(crate) fn directory(&mut self, entries: &[(u16, u16, Vec<u8>)], next: u32) -> u32 {
        let mut fields = Vec::new();
        for (tag, kind, value) in entries {
            let size = match *kind {
                SHORT => 2,
                LONG => 4,
                RATIONAL => 8,
                _ => 1,
            };
            let mut field = value.clone();
            if value.len() > 4 {
                field = self.long(self.bytes.len() as u32);
                self.bytes.extend(value);
                self.bytes.resize(self.bytes.len().next_multiple_of(2), 0);
            }
            field.resize(4, 0);
            let count = self.long((value.len() / size) as u32);
            fields.push([self.short(*tag), self.short(*kind), count, field].concat());
        }
        let at = self.bytes.len() as u32;
        self.bytes.extend(self.short(entries.len() as u16));
        self.bytes.extend(fields.concat());
        self.bytes.extend(self.long(next));
        at
    }

    /// Returns the block with its first directory.
    pub(crate) fn finish(mut self, first: u32) -> Vec<u8> {
        let first = self.long(first);
        self.bytes[4..8].copy_from_slice(&first);
        self.bytes
    }
}

/// Returns the tags of the directory at `at`, or of the first one, with the values that lie within the bytes.
pub(crate) fn read(bytes: &[u8], at: Option<usize>) -> Vec<(u16, Vec<u8>)> {
    let little = bytes[0] == b'I';
    let short = |at: usize| {
        let pair = [bytes[at], bytes[at + 1]];
        usize::from(if little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) })
    };
    let long = |at: usize| {
        if little { short(at) | short(at + 2) << 16 } else { short(at) << 16 | short(at + 2) }
    };
    let at = at.unwrap_or_else(|| long(4));
    let entry = |i: usize| {
        let at = at + 2 + 12 * i;
        let size = match short(at + 2) as u16 {
            SHORT => 2,
            LONG => 4,
            RATIONAL => 8,
            _ => 1,
        };
        let len = size * long(at + 4);
        let start = if len <= 4 { at + 8 } else { long(at + 8) };
        (short(at) as u16, bytes[start..start + len].to_vec())
    };
    (0..short(at)).map(entry).collect()
}

/// Returns the number in a value.
pub(crate) fn number(bytes: &[u8], value: &[u8]) -> usize {
    let digits = |sum: usize, &byte: &u8| sum << 8 | usize::from(byte);
    if bytes[0] == b'I' { value.iter().rev().fold(0, digits) } else { value.iter().fold(0, digits) }
}
