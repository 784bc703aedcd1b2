//! The arithmetic decoder (RFC 6386 §7): decisions between two values, each with a probability.

use raster::{ByteSource, Cursor, Error, Result};

/// A reader of a partition. Behind its end there are zeros, which [`Arithmetic::check`] reports.
pub(super) struct Arithmetic<'a> {
    cursor: Cursor<&'a dyn ByteSource>,
    /// The distance into the current interval; its lowest `bits` bits are behind the ones to compare.
    value: u64,
    /// The length of the interval, 128 to 255.
    range: u32,
    /// The number of bits read ahead. Below 0, more must be read.
    bits: i32,
    has_ended: bool,
    failure: Option<Error>,
}

impl<'a> Arithmetic<'a> {
    /// Creates a reader of `len` bytes from `at` on.
    pub(super) fn new(source: &'a dyn ByteSource, at: u64, len: u64) -> Self {
        let mut cursor = Cursor::new(source, at);
        cursor.enter(at, len);
        Self { cursor, value: 0, range: 255, bits: -8, has_ended: false, failure: None }
    }

    /// Reads a decision; `probability` / 256 is the probability of `false`.
    #[inline(always)]
    pub(super) fn bit(&mut self, probability: u8) -> bool {
        if self.bits < 0 {
            self.fill();
        }
        let split = 1 + (((self.range - 1) * u32::from(probability)) >> 8);
        let threshold = u64::from(split) << self.bits;
        let is_set = self.value >= threshold;
        if is_set {
            self.range -= split;
            self.value -= threshold;
        } else {
            self.range = split;
        }
        let shift = self.range.leading_zeros() - 24;
        self.range <<= shift;
        self.bits -= shift as i32;
        is_set
    }

    #[inline(never)]
    fn fill(&mut self) {
        if let Ok(Some(&four)) = self.cursor.peek().map(|bytes| bytes.first_chunk()) {
            self.cursor.advance(4);
            self.value = self.value << 32 | u64::from(u32::from_be_bytes(four));
            self.bits += 32;
            return;
        }
        let byte = self.cursor.read_byte().unwrap_or_else(|error| {
            self.failure.get_or_insert(error);
            None
        });
        self.has_ended |= byte.is_none();
        self.value = self.value << 8 | u64::from(byte.unwrap_or_default());
        self.bits += 8;
    }

    /// Reads a decision whose values have equal probabilities.
    pub(super) fn flag(&mut self) -> bool {
        self.bit(128)
    }

    /// Reads a number of `bits` bits, the highest first.
    pub(super) fn number(&mut self, bits: u32) -> u8 {
        (0..bits).fold(0, |value, _| value << 1 | u8::from(self.flag()))
    }

    /// Reads a number of `bits` bits and its sign.
    pub(super) fn signed(&mut self, bits: u32) -> i32 {
        let value = i32::from(self.number(bits));
        if self.flag() { -value } else { value }
    }

    /// Reads whether there is a signed number, and the number; without one it is 0.
    pub(super) fn optional(&mut self, bits: u32) -> i32 {
        if self.flag() { self.signed(bits) } else { 0 }
    }

    /// Returns whether all decisions so far are in the file.
    ///
    /// # Errors
    /// `Io`.
    pub(super) fn check(&mut self) -> Result<bool> {
        self.failure.take().map_or(Ok(!self.has_ended), Err)
    }
}
