//! A writer of bits, which fills each byte from its low end (RFC 1951 §3.1.1).

use crate::huffman::Code;

/// A writer of bits that collects them into whole bytes.
///
/// At most 56 bits may be put before a [`BitWriter::flush`], which leaves up to 7 of them in `waiting`. Together they
/// fit into its 64 bits.
#[derive(Debug, Default)]
pub(crate) struct BitWriter {
    /// Whole bytes, then space for more.
    bytes: Vec<u8>,
    /// The number of whole bytes in `bytes`.
    length: usize,
    /// Bits that do not fill a byte yet; the first one is the lowest.
    waiting: u64,
    /// The number of waiting bits.
    count: u32,
}

impl BitWriter {
    /// Reserves space for `bytes` bytes, and for the eight that [`BitWriter::flush`] stores at once.
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

    /// Moves whole bytes out. All eight bytes are stored, because a store of fixed size is one instruction. Only the
    /// full bytes count; the next store overwrites the others.
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
        debug_assert_eq!(self.count, 0, "bits are waiting");
        self.reserve(bytes.len());
        self.bytes[self.length..self.length + bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }

    /// Returns the whole bytes so far.
    pub(crate) fn written(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Removes the whole bytes.
    pub(crate) const fn clear(&mut self) {
        self.length = 0;
    }
}
