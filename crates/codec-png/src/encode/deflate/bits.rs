//! Bits from the low end of each byte up (RFC 1951 §3.1.1).

use super::huffman::Code;

/// Bits on their way to whole bytes. At most 56 may be put before a [`Bits::flush`]: up to 7 wait from before.
#[derive(Debug, Default)]
pub(super) struct Bits {
    pub(super) bytes: Vec<u8>,
    waiting: u64,
    count: u32,
}

impl Bits {
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
        let length = self.bytes.len();
        self.bytes.extend_from_slice(&self.waiting.to_le_bytes());
        self.bytes.truncate(length + whole as usize);
        self.waiting >>= 8 * whole;
        self.count %= 8;
    }

    /// Fills the last byte with zeros.
    pub(super) fn align(&mut self) {
        self.count = self.count.next_multiple_of(8);
        self.flush();
    }
}
