//! Writing of bits (T.81 B.1.1.5, F.1.2.3).

use raster::{Budget, ByteSink, Result};

use crate::marker::code;

/// The bytes that are passed on at once.
const PIECE: usize = 1 << 16;
/// The bytes that may be added between two calls of [`Bits::pass_on`]: 64 codes of at most 32 bits, all of them ones.
const MARGIN: u64 = 1 << 10;

/// A writer of bits to bytes, highest first; a zero follows each byte of ones (B.1.1.5).
pub(super) struct Bits {
    buffer: u64,
    /// The number of bits in `buffer`, below 32 between calls.
    count: u32,
    bytes: Vec<u8>,
}

impl Bits {
    /// Creates an empty writer.
    ///
    /// # Errors
    /// `Limit`.
    pub(super) fn new(budget: &Budget) -> Result<Self> {
        Ok(Self { buffer: 0, count: 0, bytes: budget.reserved(PIECE as u64 + MARGIN)? })
    }

    /// Appends at most 32 bits.
    #[inline(always)]
    pub(super) fn put(&mut self, bits: u32, count: u32) {
        self.buffer = self.buffer << count | u64::from(bits);
        self.count += count;
        if self.count >= 32 {
            self.count -= 32;
            self.four((self.buffer >> self.count) as u32);
        }
    }

    #[inline(always)]
    fn four(&mut self, word: u32) {
        let ones = word & !word.wrapping_add(0x0101_0101) & 0x8080_8080;
        if ones == 0 {
            self.bytes.extend_from_slice(&word.to_be_bytes());
        } else {
            word.to_be_bytes().into_iter().for_each(|byte| self.byte(byte));
        }
    }

    fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
        if byte == 0xFF {
            self.bytes.push(0);
        }
    }

    /// Passes the bytes on when there are many.
    ///
    /// # Errors
    /// `Io`.
    #[inline(always)]
    pub(super) fn pass_on(&mut self, sink: &mut dyn ByteSink) -> Result<()> {
        if self.bytes.len() < PIECE { Ok(()) } else { self.pass_all(sink) }
    }

    /// Ends the last byte, and passes all bytes on.
    ///
    /// # Errors
    /// `Io`.
    pub(super) fn finish(&mut self, sink: &mut dyn ByteSink) -> Result<()> {
        self.fill_up();
        self.pass_all(sink)
    }

    /// Ends the last byte, and appends the restart marker of a number.
    pub(super) fn restart(&mut self, number: u8) {
        self.fill_up();
        self.bytes.extend([0xFF, code::RST0 + number % 8]);
    }

    fn pass_all(&mut self, sink: &mut dyn ByteSink) -> Result<()> {
        sink.write(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }

    /// Appends ones to the end of the byte (F.1.2.3).
    fn fill_up(&mut self) {
        let missing = self.count.wrapping_neg() % 8;
        self.put((1 << missing) - 1, missing);
        while self.count > 0 {
            self.count -= 8;
            self.byte((self.buffer >> self.count) as u8);
        }
    }
}
