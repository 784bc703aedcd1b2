//! The bits of a bitstream, from the lowest bit of each byte up.

use raster::{ByteSource, Cursor, Error, Result};

/// A reader of bits. Behind the end there are zeros, which [`Bits::check`] reports.
pub(super) struct Bits<'a> {
    cursor: Cursor<&'a dyn ByteSource>,
    /// The next bits, the first one at the bottom. Bits from `count` on are unspecified.
    buffer: u64,
    /// The number of bits in `buffer`.
    count: u32,
    /// The number of bits behind the end that were put into `buffer`.
    padding: u64,
    failure: Option<Error>,
}

impl<'a> Bits<'a> {
    /// Creates a reader of `len` bytes from `at` on.
    pub(super) fn new(source: &'a dyn ByteSource, at: u64, len: u64) -> Self {
        let mut cursor = Cursor::new(source, at);
        cursor.enter(at, len);
        Self { cursor, buffer: 0, count: 0, padding: 0, failure: None }
    }

    /// Makes at least 32 bits available to [`Bits::peek`] and [`Bits::skip`].
    #[inline(always)]
    pub(super) fn refill(&mut self) {
        if self.count < 32 {
            self.fill();
        }
    }

    #[inline(never)]
    fn fill(&mut self) {
        match self.cursor.peek().map(|bytes| bytes.first_chunk()) {
            Ok(Some(&four)) => {
                self.cursor.advance(4);
                self.append(u32::from_le_bytes(four).into(), 32);
            }
            _ => self.fill_by_bytes(),
        }
    }

    #[cold]
    #[inline(never)]
    fn fill_by_bytes(&mut self) {
        while self.count < 32 {
            let byte = self.cursor.read_byte().unwrap_or_else(|error| {
                self.failure.get_or_insert(error);
                None
            });
            self.padding += if byte.is_none() { 8 } else { 0 };
            self.append(byte.unwrap_or_default().into(), 8);
        }
    }

    #[inline(always)]
    const fn append(&mut self, bits: u64, count: u32) {
        self.buffer = self.buffer & ((1 << self.count) - 1) | bits << self.count;
        self.count += count;
    }

    /// Returns the next bits without reading them; at least as many as [`Bits::refill`] made available and
    /// [`Bits::skip`] left are valid.
    #[inline(always)]
    pub(super) const fn peek(&self) -> u32 {
        self.buffer as u32
    }

    /// Marks `n` available bits as read.
    #[inline(always)]
    pub(super) const fn skip(&mut self, n: u32) {
        self.buffer >>= n;
        self.count -= n;
    }

    /// Reads a number of `n` bits, at most 24.
    #[inline(always)]
    pub(super) fn read(&mut self, n: u32) -> u32 {
        self.refill();
        let value = self.peek() & ((1 << n) - 1);
        self.skip(n);
        value
    }

    /// Reads one bit.
    pub(super) fn flag(&mut self) -> bool {
        self.read(1) == 1
    }

    /// Returns the offset behind the last byte that was read, a few bytes behind the last bit.
    pub(super) const fn position(&self) -> u64 {
        self.cursor.position()
    }

    /// Checks that all bits read so far are in the file.
    ///
    /// # Errors
    /// `Malformed` when they are not, `Io`.
    pub(super) fn check(&mut self) -> Result<()> {
        match self.failure.take() {
            Some(error) => Err(error),
            None if self.padding > self.count.into() => Err(self.broken("they end early")),
            None => Ok(()),
        }
    }
}
