//! A window over a file for reading forwards or backwards, for formats that say where each row is. [`crate::Cursor`]
//! reads forwards, byte by byte. A read from a Blob takes a browser 0.4 to 2 ms (`web/engine/worker/source.ts`), so
//! many rows are read at once in either direction.

use crate::{Budget, ByteSource, IoError, Result};

/// The bytes read at once; see [`crate::bytes::WINDOW`].
const CAPACITY: u64 = crate::bytes::WINDOW as u64;

/// A part of a file in memory.
pub struct Window<'a> {
    source: &'a dyn ByteSource,
    buffer: Vec<u8>,
    /// The offset of `buffer[0]` in the file.
    start: u64,
    /// The number of valid bytes in `buffer`.
    filled: usize,
}

impl<'a> Window<'a> {
    /// Creates a window that can hold `longest` bytes at once.
    ///
    /// # Errors
    /// `Limit` when the budget does not pay for them.
    pub fn new(source: &'a dyn ByteSource, budget: &Budget, longest: u64) -> Result<Self> {
        let buffer = budget.filled(longest.max(CAPACITY).min(source.byte_len()), 0)?;
        Ok(Self { source, buffer, start: 0, filled: 0 })
    }

    /// Returns the length of the file.
    #[must_use]
    pub fn file_len(&self) -> u64 {
        self.source.byte_len()
    }

    /// Reads the bytes from `at` to `end`, as many as fit, unless the window contains them. When reading backwards, it
    /// also reads bytes before them; forwards, bytes behind them.
    ///
    /// # Errors
    /// `Io`.
    pub fn hold(&mut self, at: u64, end: u64) -> Result<()> {
        let capacity = self.buffer.len() as u64;
        let end = end.min(at.saturating_add(capacity));
        if at >= self.start && end <= self.start + self.filled as u64 {
            return Ok(());
        }
        self.start = if at < self.start { end.saturating_sub(capacity) } else { at };
        let left = self.source.byte_len().saturating_sub(self.start);
        self.filled = 0;
        self.filled = self.source.read_full_at(self.start, &mut self.buffer[..left.min(capacity) as usize])?;
        Ok(())
    }

    /// Returns the `len` bytes at `at`, which must lie in the file and fit into the window.
    ///
    /// # Errors
    /// `Io`.
    pub fn bytes(&mut self, at: u64, len: usize) -> Result<&[u8]> {
        self.hold(at, at + len as u64)?;
        let from = (at - self.start) as usize;
        let ended = || IoError::Read("the file ended before its own length".into()).into();
        self.buffer[..self.filled].get(from..from + len).ok_or_else(ended)
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use super::*;
    use crate::Limits;

    struct Counting(Vec<u8>, Cell<u32>);

    impl ByteSource for Counting {
        fn byte_len(&self) -> u64 {
            self.0.byte_len()
        }

        fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize> {
            self.1.set(self.1.get() + 1);
            self.0.read_at(offset, into)
        }
    }

    #[test]
    fn one_read_returns_many_rows_in_either_direction() {
        let source = Counting((0..1_000_000u32).map(|i| ((i * 7) >> 3) as u8).collect(), Cell::new(0));
        let rows: Vec<u64> = (0..10_000).map(|row| row * 100).collect();
        for order in [rows.clone(), rows.iter().rev().copied().collect()] {
            source.1.set(0);
            let mut window = Window::new(&source, &Budget::new(&Limits::default()), 100).unwrap();
            for at in order {
                assert_eq!(window.bytes(at, 100).unwrap(), &source.0[at as usize..][..100]);
            }
            assert!(source.1.get() <= 10, "{} pulls for 8 windows", source.1.get());
        }
    }

    #[test]
    fn a_source_that_ends_before_its_length_is_an_io_error() {
        struct Liar;
        impl ByteSource for Liar {
            fn byte_len(&self) -> u64 {
                100
            }
            fn read_at(&self, _: u64, _: &mut [u8]) -> Result<usize> {
                Ok(0)
            }
        }
        let mut window = Window::new(&Liar, &Budget::new(&Limits::default()), 10).unwrap();
        assert_eq!(window.bytes(90, 10).unwrap_err().code(), "read");
    }
}
