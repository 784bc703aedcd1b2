//! Bits from the low end of each byte up (RFC 1951 §3.1.1).

use super::huffman::Code;

/// Bits on their way to whole bytes. At most 56 may be put before a [`Bits::flush`]: up to 7 wait from before.
#[derive(Debug, Default)]
pub(super) struct Bits {
    /// What is written, and room for more.
    bytes: Vec<u8>,
    length: usize,
    waiting: u64,
    count: u32,
}

impl Bits {
    /// Makes room for so many bytes, and the eight that are written at once.
    pub(super) fn reserve(&mut self, bytes: usize) {
        let wanted = self.length + bytes + size_of::<u64>();
        if self.bytes.len() < wanted {
            self.bytes.resize(wanted, 0);
        }
    }

    #[inline(always)]
    pub(super) fn put(&mut self, bits: u64, count: u32) {
        self.waiting |= bits << self.count;
        self.count += count;
    }

    #[inline(always)]
    pub(super) fn put_code(&mut self, code: Code) {
        self.put(code.bits.into(), code.length.into());
    }

    /// Moves whole bytes out: eight at once, of which only those count that are full.
    #[inline(always)]
    pub(super) fn flush(&mut self) {
        let whole = self.count / 8;
        self.bytes[self.length..self.length + size_of::<u64>()].copy_from_slice(&self.waiting.to_le_bytes());
        self.length += whole as usize;
        self.waiting >>= 8 * whole;
        self.count %= 8;
    }

    /// Fills the last byte with zeros.
    pub(super) fn align(&mut self) {
        self.count = self.count.next_multiple_of(8);
        self.flush();
    }

    /// Appends bytes; none may be begun.
    pub(super) fn append(&mut self, bytes: &[u8]) {
        self.reserve(bytes.len());
        self.bytes[self.length..self.length + bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }

    /// The whole bytes so far.
    pub(super) fn written(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Forgets them.
    pub(super) const fn clear(&mut self) {
        self.length = 0;
    }
}
