//! The bytes of one strip or tile after another, through a window over the file that stays when the next one follows
//! closely. FillOrder 2 is undone here: nobody behind this file knows of it.

use std::io::{self, Read};

use raster::{Budget, ByteSource, Cursor, Error, Result};

use crate::error::Cause;

pub(super) struct Input<'a> {
    source: &'a dyn ByteSource,
    window: Vec<u8>,
    /// Offset of `window[0]` in the file.
    start: u64,
    /// Valid bytes in `window`.
    filled: usize,
    /// Next byte to give, within `window`.
    next: usize,
    /// Where the segment ends in the file.
    end: u64,
    is_reversed: bool,
    /// What the carrier said when a library read.
    failure: Option<Error>,
}

impl<'a> Input<'a> {
    /// Bytes of memory that a window takes.
    pub(super) const MEMORY: u64 = Cursor::WINDOW as u64;

    /// An input without a segment yet. `is_reversed` turns the bits of every byte round.
    pub(super) fn new(source: &'a dyn ByteSource, is_reversed: bool, budget: &Budget) -> Result<Self> {
        let window = budget.filled(Self::MEMORY.min(source.byte_len()), 0)?;
        Ok(Self { source, window, start: 0, filled: 0, next: 0, end: 0, is_reversed, failure: None })
    }

    /// Goes to the segment of `len` bytes at `at`.
    pub(super) fn begin(&mut self, at: u64, len: u64) {
        self.end = at.saturating_add(len).min(self.source.byte_len());
        match at.checked_sub(self.start) {
            Some(within) if within <= self.filled as u64 => self.next = within as usize,
            _ => {
                self.start = at;
                self.filled = 0;
                self.next = 0;
            }
        }
    }

    /// Offset of the next byte in the file.
    pub(super) const fn position(&self) -> u64 {
        self.start + self.next as u64
    }

    /// Bytes of the segment that were not taken yet.
    pub(super) const fn left(&self) -> u64 {
        self.end.saturating_sub(self.position())
    }

    /// The unread bytes of the window that belong to the segment, refilled when there are none; empty only at its end.
    ///
    /// # Errors
    /// `Io`.
    #[inline(always)]
    pub(super) fn peek(&mut self) -> Result<&[u8]> {
        if self.next == self.filled {
            self.refill()?;
        }
        let left = self.left().min((self.filled - self.next) as u64) as usize;
        Ok(&self.window[self.next..self.next + left])
    }

    /// Moves the window on to the bytes behind it.
    #[cold]
    #[inline(never)]
    fn refill(&mut self) -> Result<()> {
        self.start += self.next as u64;
        self.next = 0;
        self.filled = 0;
        if self.start < self.end {
            let left = (self.source.byte_len() - self.start).min(self.window.len() as u64) as usize;
            self.filled = self.source.read_at(self.start, &mut self.window[..left])?;
        }
        if self.is_reversed {
            self.window[..self.filled].iter_mut().for_each(|byte| *byte = byte.reverse_bits());
        }
        Ok(())
    }

    /// Marks `n` peeked bytes as taken.
    #[inline(always)]
    pub(super) fn advance(&mut self, n: usize) {
        self.next = (self.next + n).min(self.filled);
    }

    /// Fills `into` as far as the segment goes; returns how many bytes that were.
    ///
    /// # Errors
    /// `Io`.
    pub(super) fn read_full(&mut self, into: &mut [u8]) -> Result<usize> {
        let mut done = 0;
        while done < into.len() {
            let bytes = self.peek()?;
            if bytes.is_empty() {
                break;
            }
            let n = bytes.len().min(into.len() - done);
            into[done..done + n].copy_from_slice(&bytes[..n]);
            self.advance(n);
            done += n;
        }
        Ok(done)
    }

    /// The error behind what a library says: the carrier's own, or broken data.
    pub(super) fn blame(&mut self, why: &impl ToString) -> Error {
        let at = self.position();
        self.failure.take().unwrap_or_else(|| Cause::Data(why.to_string()).at(at))
    }

    /// The next byte, or nothing at the end of the segment.
    ///
    /// # Errors
    /// `Io`.
    #[inline]
    pub(super) fn byte(&mut self) -> Result<Option<u8>> {
        let byte = self.peek()?.first().copied();
        self.advance(usize::from(byte.is_some()));
        Ok(byte)
    }
}

/// For libraries that want a stream. They lose what kind of failure it was; [`Input::blame`] knows.
impl Read for Input<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.read_full(into).map_err(|failure| {
            self.failure = Some(failure);
            io::Error::other("the carrier failed")
        })
    }
}
