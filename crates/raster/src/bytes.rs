//! Files that are read by position, and outputs that are written in order. All offsets are `u64`, because `usize` has
//! 32 bits in WebAssembly and files above 4 GiB exist.

use std::borrow::Cow;
use std::rc::Rc;

use crate::{IoError, Result};

/// A file that can be read at any position, any number of times, by any number of cursors at once.
pub trait ByteSource {
    /// Returns the number of bytes in the file, which is constant.
    fn byte_len(&self) -> u64;

    /// Copies bytes from `offset` into `into` and returns their number: it may be smaller than the length of `into`,
    /// and is 0 only at the end.
    ///
    /// A source whose bytes arrive over time either fills `into` up to the end of the file or returns
    /// [`IoError::NotYet`], after which the same call can be repeated. Such a source may drop bytes before the last
    /// `offset` at which it returned bytes.
    ///
    /// # Errors
    /// [`IoError::Read`] when reading fails, [`IoError::NotYet`] when the bytes have not arrived.
    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize>;

    /// Fills `into` from `offset` up to the end of the file; returns the number of bytes.
    ///
    /// # Errors
    /// As [`ByteSource::read_at`].
    fn read_full_at(&self, offset: u64, into: &mut [u8]) -> Result<usize> {
        let mut filled = 0;
        while filled < into.len() {
            match self.read_at(offset + filled as u64, &mut into[filled..])? {
                0 => break,
                n => filled += n,
            }
        }
        Ok(filled)
    }
}

/// The output of a writer, in order.
pub trait ByteSink {
    /// Appends bytes.
    ///
    /// # Errors
    /// [`IoError::Write`] when writing fails.
    fn write(&mut self, bytes: &[u8]) -> Result<()>;

    /// Overwrites bytes already written, such as lengths that are known late.
    ///
    /// # Errors
    /// The errors of [`ByteSink::write`]; also an error when the range was not written yet.
    fn patch(&mut self, offset: u64, bytes: &[u8]) -> Result<()>;

    /// Returns the bytes written so far as a source; the pipeline verifies its own output with it.
    ///
    /// # Errors
    /// [`IoError::Read`] when the bytes cannot be read.
    fn reread(&mut self) -> Result<Box<dyn ByteSource + '_>>;
}

impl ByteSource for [u8] {
    fn byte_len(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(self.len());
        let n = into.len().min(self.len() - start);
        into[..n].copy_from_slice(&self[start..start + n]);
        Ok(n)
    }
}

impl ByteSource for Vec<u8> {
    fn byte_len(&self) -> u64 {
        self.as_slice().byte_len()
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize> {
        self.as_slice().read_at(offset, into)
    }
}

impl<S: ByteSource + ?Sized> ByteSource for &S {
    fn byte_len(&self) -> u64 {
        (**self).byte_len()
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize> {
        (**self).read_at(offset, into)
    }
}

impl<S: ByteSource + ?Sized> ByteSource for Rc<S> {
    fn byte_len(&self) -> u64 {
        (**self).byte_len()
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize> {
        (**self).read_at(offset, into)
    }
}

impl ByteSink for Vec<u8> {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.try_reserve(bytes.len()).map_err(|e| IoError::Write(e.to_string()))?;
        self.extend_from_slice(bytes);
        Ok(())
    }

    fn patch(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        let written =
            usize::try_from(offset).ok().and_then(|start| self.get_mut(start..start.checked_add(bytes.len())?));
        let target = written.ok_or_else(|| IoError::Write("patch outside of what was written".into()))?;
        target.copy_from_slice(bytes);
        Ok(())
    }

    fn reread(&mut self) -> Result<Box<dyn ByteSource + '_>> {
        Ok(Box::new(self.as_slice()))
    }
}

/// A head, a range of another source and a tail, as one file. It completes streams whose beginning or end is elsewhere
/// or must be generated.
pub struct Spliced<'a> {
    head: Cow<'a, [u8]>,
    source: &'a dyn ByteSource,
    /// The offset of the range in `source`.
    at: u64,
    /// The number of bytes in the range.
    len: u64,
    tail: Vec<u8>,
}

impl<'a> Spliced<'a> {
    /// Creates a source of `head`, then the `len` bytes at `at`, or fewer when `source` ends before.
    #[must_use]
    pub fn new(head: impl Into<Cow<'a, [u8]>>, source: &'a dyn ByteSource, at: u64, len: u64) -> Self {
        let len = len.min(source.byte_len().saturating_sub(at));
        Self { head: head.into(), source, at, len, tail: Vec::new() }
    }

    /// Returns the source with a tail.
    #[must_use]
    pub fn followed_by(self, tail: Vec<u8>) -> Self {
        Self { tail, ..self }
    }
}

impl ByteSource for Spliced<'_> {
    fn byte_len(&self) -> u64 {
        self.head.len() as u64 + self.len + self.tail.len() as u64
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize> {
        let Some(within) = offset.checked_sub(self.head.len() as u64) else {
            return self.head.read_at(offset, into);
        };
        if let Some(beyond) = within.checked_sub(self.len) {
            return self.tail.read_at(beyond, into);
        }
        let n = (self.len - within).min(into.len() as u64) as usize;
        self.source.read_at(self.at + within, &mut into[..n])
    }
}

/// The bytes that a [`Cursor`] reads at once and holds. A read from a Blob takes a browser 0.4 to 2 ms. Therefore
/// `web/engine/worker/source.ts` reads further ahead where it can, which is impossible when several cursors read one
/// file. Seven cursors hold a megabyte.
pub const WINDOW: usize = 128 * 1024;

/// A window over a source or a range of it, for parsers that read forward byte by byte. Any number of cursors may read
/// one source.
pub struct Cursor<S> {
    source: S,
    /// The offset of `window[0]` in the file.
    start: u64,
    window: Vec<u8>,
    /// The number of valid bytes in `window`.
    filled: usize,
    /// The position of the next byte within `window`.
    next: usize,
    /// The offset of the range's end in the file.
    end: u64,
}

impl<S: ByteSource> Cursor<S> {
    /// Creates a cursor at `offset` that ends with the file. Nothing is read or allocated yet.
    #[must_use]
    pub fn new(source: S, offset: u64) -> Self {
        let end = source.byte_len();
        Self { source, start: offset, window: Vec::new(), filled: 0, next: 0, end }
    }

    /// Returns the offset of the next byte.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.start + self.next as u64
    }

    /// Returns the number of bytes up to the end.
    #[must_use]
    pub const fn left(&self) -> u64 {
        self.end.saturating_sub(self.position())
    }

    /// Moves to `offset`, inside the window if possible. Beyond the end, reads return nothing.
    pub fn seek_to(&mut self, offset: u64) {
        match offset.checked_sub(self.start) {
            Some(within) if within <= self.filled as u64 => self.next = within as usize,
            _ => {
                self.start = offset;
                self.filled = 0;
                self.next = 0;
            }
        }
    }

    /// Moves to `offset` and sets the end `len` bytes behind it, or to the end of the file.
    pub fn enter(&mut self, offset: u64, len: u64) {
        self.end = offset.saturating_add(len).min(self.source.byte_len());
        self.seek_to(offset);
    }

    /// Returns the unread bytes of the window that come before the end. The window is refilled when there are none; the
    /// result is empty only at the end.
    ///
    /// # Errors
    /// As [`ByteSource::read_at`].
    #[inline(always)]
    pub fn peek(&mut self) -> Result<&[u8]> {
        if self.next == self.filled {
            self.refill()?;
        }
        let n = self.left().min((self.filled - self.next) as u64) as usize;
        Ok(&self.window[self.next..self.next + n])
    }

    /// Moves the window to the bytes behind it. It is filled beyond the end of a range, because the next range is often
    /// close.
    #[cold]
    #[inline(never)]
    fn refill(&mut self) -> Result<()> {
        self.start += self.next as u64;
        self.next = 0;
        self.filled = 0;
        if self.start < self.end {
            let want = (self.source.byte_len() - self.start).min(WINDOW as u64) as usize;
            if self.window.len() < want {
                self.window.resize(want, 0);
            }
            self.filled = self.source.read_at(self.start, &mut self.window[..want])?;
        }
        Ok(())
    }

    /// Marks `n` peeked bytes as read.
    #[inline(always)]
    pub fn advance(&mut self, n: usize) {
        debug_assert!(n <= self.filled - self.next, "only peeked bytes can be consumed");
        self.next = (self.next + n).min(self.filled);
    }

    /// Fills `into` up to the end; returns the number of bytes.
    ///
    /// # Errors
    /// As [`ByteSource::read_at`].
    pub fn read_full(&mut self, into: &mut [u8]) -> Result<usize> {
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

    /// Returns the next byte, or `None` at the end.
    ///
    /// # Errors
    /// As [`ByteSource::read_at`].
    #[inline]
    pub fn read_byte(&mut self) -> Result<Option<u8>> {
        let byte = self.peek()?.first().copied();
        self.advance(usize::from(byte.is_some()));
        Ok(byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spliced_source_is_its_head_and_its_range() {
        let file: Vec<u8> = (0..100).collect();
        let spliced = Spliced::new(vec![200, 201], &file, 10, 5);
        let mut all = vec![0; 20];
        assert_eq!(spliced.read_full_at(0, &mut all).unwrap(), 7);
        assert_eq!(all[..7], [200, 201, 10, 11, 12, 13, 14]);
        assert_eq!(spliced.read_full_at(5, &mut all).unwrap(), 2);
        let spliced = spliced.followed_by(vec![250, 251]);
        assert_eq!((spliced.byte_len(), spliced.read_full_at(6, &mut all).unwrap()), (9, 3));
        assert_eq!(all[..3], [14, 250, 251]);
        assert_eq!(Spliced::new(Vec::new(), &file, 98, u64::MAX).byte_len(), 2, "the file ends");
        assert_eq!(Spliced::new(Vec::new(), &file, 200, 1).byte_len(), 0);
    }

    #[test]
    fn a_cursor_ends_with_its_range_and_continues_with_the_next() {
        let file: Vec<u8> = (0..100).collect();
        let mut cursor = Cursor::new(&file, 0);
        for (at, len, want) in [(10, 3, 3), (13, 2, 2), (5, 0, 0), (98, 9, 2), (200, 4, 0), (0, 200, 100)] {
            cursor.enter(at, len);
            let mut got = vec![0; 300];
            let n = cursor.read_full(&mut got).unwrap();
            assert_eq!((n, cursor.left()), (want, 0), "{at}, {len}");
            assert!(got[..n].iter().zip(at as u8..).all(|(&got, want)| got == want));
            assert_eq!(cursor.read_byte().unwrap(), None);
        }
    }
}
