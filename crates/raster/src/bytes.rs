//! Files by position in, bytes in order out. All offsets are `u64`: `usize` has 32 bits in WebAssembly and files above
//! 4 GiB exist.

use std::io::{self, BufRead, Read, Seek, SeekFrom, Write};

use crate::{Error, IoError, Result};

/// A file that can be read at any position, any number of times, by any number of cursors at once.
pub trait ByteSource {
    /// Bytes in the file; constant.
    fn byte_len(&self) -> u64;

    /// Copies bytes from `offset` into `into` and returns how many: fewer than asked are allowed, 0 only at the end.
    ///
    /// A source whose bytes arrive over time either fills `into` as far as the file goes or gives
    /// [`IoError::NotYet`], so that a call that was refused can be made again as it was. Such a source may forget what
    /// lies before the last `offset`.
    ///
    /// # Errors
    /// [`IoError::Read`] when the carrier fails, [`IoError::NotYet`] when the bytes are still under way.
    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize>;

    /// Fills `into` from `offset` as far as the file goes; returns how many bytes that were.
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

/// Where a writer's bytes go, in order.
pub trait ByteSink {
    /// Appends bytes.
    ///
    /// # Errors
    /// [`IoError::Write`] when the carrier fails.
    fn write(&mut self, bytes: &[u8]) -> Result<()>;

    /// Overwrites bytes already written, for lengths that are known late.
    ///
    /// # Errors
    /// As [`ByteSink::write`]; also when the range was not written yet.
    fn patch(&mut self, offset: u64, bytes: &[u8]) -> Result<()>;

    /// The bytes written so far, to be read again: the pipeline checks its own output.
    ///
    /// # Errors
    /// [`IoError::Read`] when the carrier cannot give them back.
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

/// A forward-reading window over a source, for libraries and parsers that want a stream. Any number of cursors
/// may walk over one source.
pub struct Cursor<'a> {
    source: &'a dyn ByteSource,
    /// Offset of `window[0]` in the file.
    start: u64,
    window: Vec<u8>,
    /// Valid bytes in `window`.
    filled: usize,
    /// Next byte to give, within `window`.
    next: usize,
}

impl<'a> Cursor<'a> {
    /// Bytes asked for at once. A pull out of a Blob takes a browser 0.4 to 2 ms, so that `web/engine/worker/source.ts` reads
    /// further ahead where it can; where several cursors walk over one file it cannot. Seven of them cost a megabyte.
    pub const WINDOW: usize = 128 * 1024;

    /// A cursor at `offset`. Reads nothing yet.
    #[must_use]
    pub fn new(source: &'a dyn ByteSource, offset: u64) -> Self {
        Self { source, start: offset, window: Vec::new(), filled: 0, next: 0 }
    }

    /// Offset of the next byte.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.start + self.next as u64
    }

    /// Moves to `offset`; stays inside the window where it can. Beyond the end, reads give nothing.
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

    /// The unread bytes of the window, refilled when there are none; empty only at the end of the file.
    ///
    /// # Errors
    /// As [`ByteSource::read_at`].
    pub fn peek(&mut self) -> Result<&[u8]> {
        if self.next == self.filled {
            self.start += self.next as u64;
            self.next = 0;
            self.filled = 0;
            let left = self.source.byte_len().saturating_sub(self.start);
            let want = left.min(Self::WINDOW as u64) as usize;
            if self.window.len() < want {
                self.window.resize(want, 0);
            }
            if want > 0 {
                self.filled = self.source.read_at(self.start, &mut self.window[..want])?;
            }
        }
        Ok(&self.window[self.next..self.filled])
    }

    /// Marks `n` peeked bytes as read.
    pub fn advance(&mut self, n: usize) {
        debug_assert!(n <= self.filled - self.next, "only peeked bytes can be consumed");
        self.next = (self.next + n).min(self.filled);
    }

    /// Fills `into` as far as the file goes; returns how many bytes that were.
    ///
    /// # Errors
    /// As [`ByteSource::read_at`].
    pub fn read_full(&mut self, into: &mut [u8]) -> Result<usize> {
        let mut done = 0;
        while done < into.len() {
            let window = self.peek()?;
            if window.is_empty() {
                break;
            }
            let n = window.len().min(into.len() - done);
            into[done..done + n].copy_from_slice(&window[..n]);
            self.advance(n);
            done += n;
        }
        Ok(done)
    }

    /// The next byte, or nothing at the end.
    ///
    /// # Errors
    /// As [`ByteSource::read_at`].
    pub fn read_byte(&mut self) -> Result<Option<u8>> {
        let byte = self.peek()?.first().copied();
        if byte.is_some() {
            self.advance(1);
        }
        Ok(byte)
    }
}

impl Read for Cursor<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let window = self.peek()?;
        let n = window.len().min(into.len());
        into[..n].copy_from_slice(&window[..n]);
        self.advance(n);
        Ok(n)
    }
}

impl BufRead for Cursor<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(self.peek()?)
    }

    fn consume(&mut self, n: usize) {
        self.advance(n);
    }
}

impl Seek for Cursor<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let offset = match to {
            SeekFrom::Start(offset) => Some(offset),
            SeekFrom::End(delta) => self.source.byte_len().checked_add_signed(delta),
            SeekFrom::Current(delta) => self.position().checked_add_signed(delta),
        };
        let offset = offset.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        self.seek_to(offset);
        Ok(offset)
    }
}

/// A sink as an [`io::Write`], for libraries. Errors come back out through [`Error::from_io`].
pub struct SinkWriter<'a>(pub &'a mut dyn ByteSink);

impl Write for SinkWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Error {
    /// An error out of a library that wrote through [`SinkWriter`]: ours comes back as it was.
    #[must_use]
    pub fn from_write(error: io::Error) -> Self {
        Self::from_io(error, |foreign| IoError::Write(foreign.to_string()).into())
    }
}
