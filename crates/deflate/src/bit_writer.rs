//! Bits from the low end of each byte up (RFC 1951 §3.1.1).

use crate::huffman::Code;

/// Collects bits into whole bytes.
///
/// At most 56 bits may be put before a [`BitWriter::flush`], which leaves up to 7 of them waiting: together they fit
/// the 64 bits of `waiting`.
#[derive(Debug, Default)]
pub(crate) struct BitWriter {
    /// Whole bytes, then room for more.
    bytes: Vec<u8>,
    /// Whole bytes in `bytes`.
    length: usize,
    /// Bits that fill no byte yet, the first in the lowest place.
    waiting: u64,
    /// Number of waiting bits.
    count: u32,
}

impl BitWriter {
    /// Makes room for so many bytes, and for the eight that [`BitWriter::flush`] stores at once.
    pub(crate) fn reserve(&mut self, bytes: usize) {
        let wanted = self.length + bytes + size_of::<u64>();
        if self.bytes.len() < wanted {
            self.bytes.resize(wanted, 0);
        }
    }

    /// Appends the lowest `count` bits; the others must be 0.
    #[inline(always)]
    pub(crate) fn put(&mut self, bits: u64, count: u32) {
        debug_assert!(self.count + count < 64 && bits >> count == 0);
        self.waiting |= bits << self.count;
        self.count += count;
    }

    #[inline(always)]
    pub(crate) fn put_code(&mut self, code: Code) {
        self.put(code.bits.into(), code.length.into());
    }

    /// Moves whole bytes out. All eight bytes are stored, since a store of fixed size is one instruction; only the full
    /// ones count, and the next store overwrites the others.
    #[inline(always)]
    pub(crate) fn flush(&mut self) {
        let whole = self.count / 8;
        self.bytes[self.length..self.length + size_of::<u64>()].copy_from_slice(&self.waiting.to_le_bytes());
        self.length += whole as usize;
        self.waiting >>= 8 * whole;
        self.count %= 8;
    }

    /// Fills the last byte with zeros.
    pub(crate) fn align(&mut self) {
        self.count = self.count.next_multiple_of(8);
        self.flush();
    }

    /// Appends bytes. No bits may be waiting.
    pub(crate) fn append(&mut self, bytes: &[u8]) {
        debug_assert_eq!(self.count, 0, "bytes start at a byte");
        self.reserve(bytes.len());
        self.bytes[self.length..self.length + bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }

    /// The whole bytes so far.
    pub(crate) fn written(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Forgets the whole bytes.
    pub(crate) const fn clear(&mut self) {
        self.length = 0;
    }
}
