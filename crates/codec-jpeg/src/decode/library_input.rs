//! The input of `zune-jpeg`, through its own trait.

use core::cell::{Cell, RefCell};

use raster::{ByteSource, Error};
use zune_core::bytestream::{ZByteIoError, ZByteReaderTrait, ZSeekFrom};

/// The bytes of the file that are held at once.
pub(super) const WINDOW: usize = 128 * 1024;

/// The state of the input after decoding. It outlives the input, which the library consumes.
#[derive(Default)]
pub(super) struct Outcome {
    /// Whether the library read beyond the end.
    pub(super) overrun: Cell<bool>,
    /// The error of the source.
    pub(super) failure: RefCell<Option<Error>>,
}

/// A header of our own, then the file from the first scan on, through a window over the source. It is no
/// [`raster::Cursor`] over a [`raster::Spliced`], because the library's trait cannot return our errors: the input
/// stores them in [`Outcome`] and ends. In wasm, 24 MP take 222
/// ms of processor time this way, 231 from one slice of memory, 283 through the library's `BufRead` path.
pub(super) struct Input<'a> {
    source: &'a dyn ByteSource,
    /// The length of our header, and the offset in the file where it continues.
    header_len: u64,
    scan_offset: u64,
    /// The offset of `window[0]`, counted from the start of our header.
    start: u64,
    window: Vec<u8>,
    next: usize,
    outcome: &'a Outcome,
}

impl<'a> Input<'a> {
    pub(super) fn new(source: &'a dyn ByteSource, header: Vec<u8>, scan_offset: u64, outcome: &'a Outcome) -> Self {
        Self { source, header_len: header.len() as u64, scan_offset, start: 0, window: header, next: 0, outcome }
    }

    fn position(&self) -> u64 {
        self.start + self.next as u64
    }

    fn len(&self) -> u64 {
        self.header_len + self.source.byte_len().saturating_sub(self.scan_offset)
    }

    /// Advances the window; returns false at the end.
    #[cold]
    #[inline(never)]
    fn refill(&mut self) -> bool {
        self.start = self.position();
        self.next = 0;
        let want = self.len().saturating_sub(self.start).min(WINDOW as u64) as usize;
        self.window.resize(want, 0);
        // The window leaves our header only forwards: the library seeks back four bytes at most, and the scan's header
        // is longer.
        let Some(behind_header) = self.start.checked_sub(self.header_len) else { return false };
        let filled = match self.source.read_at(self.scan_offset + behind_header, &mut self.window) {
            Ok(filled) => filled,
            Err(error) => {
                self.outcome.failure.replace(Some(error));
                0
            }
        };
        self.window.truncate(filled);
        filled > 0
    }

    /// Fills `into` up to the end of the file; returns the number of bytes.
    #[cold]
    #[inline(never)]
    fn read_slowly(&mut self, into: &mut [u8]) -> usize {
        let mut done = 0;
        while done < into.len() && (self.next < self.window.len() || self.refill()) {
            let n = (self.window.len() - self.next).min(into.len() - done);
            into[done..done + n].copy_from_slice(&self.window[self.next..self.next + n]);
            self.next += n;
            done += n;
        }
        done
    }

    fn seek_to(&mut self, offset: u64) {
        match offset.checked_sub(self.start) {
            Some(within) if within <= self.window.len() as u64 => self.next = within as usize,
            _ => {
                self.start = offset;
                self.next = 0;
                self.window.clear();
            }
        }
    }
}

impl ZByteReaderTrait for Input<'_> {
    #[inline(always)]
    fn read_byte_no_error(&mut self) -> u8 {
        if let Some(&byte) = self.window.get(self.next) {
            self.next += 1;
            return byte;
        }
        let mut byte = [0];
        if self.read_slowly(&mut byte) == 0 {
            self.outcome.overrun.set(true);
        }
        byte[0]
    }

    #[inline(always)]
    fn read_exact_bytes(&mut self, into: &mut [u8]) -> Result<(), ZByteIoError> {
        if let Some(bytes) = self.window.get(self.next..self.next + into.len()) {
            into.copy_from_slice(bytes);
            self.next += into.len();
            return Ok(());
        }
        let before = self.position();
        let n = self.read_slowly(into);
        if n < into.len() {
            self.seek_to(before);
            return Err(ZByteIoError::NotEnoughBytes(n, into.len()));
        }
        Ok(())
    }

    fn read_bytes(&mut self, into: &mut [u8]) -> Result<usize, ZByteIoError> {
        Ok(self.read_slowly(into))
    }

    fn peek_bytes(&mut self, into: &mut [u8]) -> Result<usize, ZByteIoError> {
        let before = self.position();
        let n = self.read_slowly(into);
        self.seek_to(before);
        Ok(n)
    }

    fn peek_exact_bytes(&mut self, into: &mut [u8]) -> Result<(), ZByteIoError> {
        match self.peek_bytes(into)? {
            n if n < into.len() => Err(ZByteIoError::NotEnoughBytes(n, into.len())),
            _ => Ok(()),
        }
    }

    #[inline(always)]
    fn z_seek(&mut self, from: ZSeekFrom) -> Result<u64, ZByteIoError> {
        let offset = match from {
            ZSeekFrom::Start(offset) => Some(offset),
            ZSeekFrom::Current(delta) => self.position().checked_add_signed(delta),
            ZSeekFrom::End(delta) => self.len().checked_add_signed(delta),
        };
        let offset = offset.ok_or(ZByteIoError::SeekError("before the start"))?;
        self.seek_to(offset);
        Ok(offset)
    }

    #[inline(always)]
    fn is_eof(&mut self) -> Result<bool, ZByteIoError> {
        let at_end = self.next == self.window.len() && !self.refill();
        if at_end {
            // The last byte of a whole file is read with its EOI marker, without a read beyond it.
            self.outcome.overrun.set(true);
        }
        Ok(at_end)
    }

    fn z_position(&mut self) -> Result<u64, ZByteIoError> {
        Ok(self.position())
    }

    fn read_remaining(&mut self, sink: &mut Vec<u8>) -> Result<usize, ZByteIoError> {
        let before = sink.len();
        while self.next < self.window.len() || self.refill() {
            sink.extend_from_slice(&self.window[self.next..]);
            self.next = self.window.len();
        }
        Ok(sink.len() - before)
    }
}
