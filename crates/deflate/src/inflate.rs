//! Reading of zlib streams through `fdeflate`, which finds the history of matches in its output buffer.

use core::fmt;
use core::ops::Range;

use fdeflate::{DecompressionError, Decompressor};
use raster::{Budget, Result};

use crate::history::HISTORY;

/// The number of bytes that are inflated at once, behind the history.
const FRESH: usize = 64 * 1024;

/// The memory of a `fdeflate` decompressor with its secondary tables, rounded up.
const TABLES: usize = 32 * 1024;

/// The reason why a stream cannot be inflated any further. It displays as `fdeflate`'s name for the reason.
#[derive(Debug, PartialEq)]
pub struct Corrupt(DecompressionError);

impl fmt::Display for Corrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

impl core::error::Error for Corrupt {}

/// An inflater of a stream of any length through a window of fixed size.
///
/// Call [`feed`](Self::feed) while [`ready`](Self::ready) is empty and [`is_done`](Self::is_done) is false, then
/// [`take`](Self::take) or [`fill`](Self::fill).
pub struct WindowInflater {
    /// Boxed because its header tables alone have a kilobyte.
    decompressor: Box<Decompressor>,
    /// The history, then fresh bytes.
    output: Vec<u8>,
    /// The part of `output` that is inflated and not taken yet.
    ready: Range<usize>,
}

impl WindowInflater {
    /// The bytes of memory of an inflater.
    pub const MEMORY: u64 = (HISTORY + FRESH + TABLES) as u64;

    /// Creates an inflater at the start of a stream.
    ///
    /// # Errors
    /// `Limit` when the budget is too small for [`WindowInflater::MEMORY`].
    pub fn new(budget: &Budget) -> Result<Self> {
        budget.charge(TABLES as u64)?;
        let output = budget.filled((HISTORY + FRESH) as u64, 0)?;
        Ok(Self { decompressor: decompressor(), output, ready: 0..0 })
    }

    /// Starts another stream and forgets the current one.
    pub fn restart(&mut self) {
        *self.decompressor = *decompressor();
        self.ready = 0..0;
    }

    /// Inflates from `input`, after all ready bytes were taken. Returns the number of consumed bytes of the input. When
    /// a call produces no output, all of the input was consumed or the stream is done.
    ///
    /// # Errors
    /// [`Corrupt`] when the stream is broken.
    pub fn feed(&mut self, input: &[u8]) -> core::result::Result<usize, Corrupt> {
        debug_assert!(self.ready.is_empty(), "ready bytes would be lost");
        let mut end = self.ready.end;
        if end == self.output.len() {
            // The next match may refer to any of the last 32 KiB, therefore they move to the front.
            self.output.copy_within(end - HISTORY.., 0);
            end = HISTORY;
        }
        let (read, wrote) = self.decompressor.read(input, &mut self.output, end, false).map_err(Corrupt)?;
        self.ready = end..end + wrote;
        debug_assert!(read <= input.len() && self.ready.end <= self.output.len());
        Ok(read)
    }

    /// Returns the bytes that are inflated and not taken yet.
    #[must_use]
    pub fn ready(&self) -> &[u8] {
        &self.output[self.ready.clone()]
    }

    /// Whether the stream has ended; some of its bytes may still be [`ready`](Self::ready).
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.decompressor.is_done()
    }

    /// Takes up to `most` ready bytes.
    pub fn take(&mut self, most: usize) -> &[u8] {
        let start = self.ready.start;
        self.ready.start += self.ready.len().min(most);
        &self.output[start..self.ready.start]
    }

    /// Moves ready bytes to the front of `into`, as many as fit. Returns how many.
    pub fn fill(&mut self, into: &mut [u8]) -> usize {
        let bytes = self.take(into.len());
        into[..bytes.len()].copy_from_slice(bytes);
        bytes.len()
    }
}

/// Returns a decompressor that ignores the Adler-32 checksum. A wrong checksum is found after the last row, when all
/// rows are decoded; PNG's chunks have a CRC in addition.
fn decompressor() -> Box<Decompressor> {
    let mut decompressor = Box::new(Decompressor::new());
    decompressor.ignore_adler32();
    decompressor
}

/// An inflater of a stream in memory into a buffer of the caller, which must hold all output from the stream's start.
pub struct SliceInflater<'a> {
    decompressor: Decompressor,
    input: &'a [u8],
}

impl<'a> SliceInflater<'a> {
    /// Creates an inflater at the start of `compressed`.
    #[must_use]
    pub fn new(compressed: &'a [u8]) -> Self {
        Self { decompressor: Decompressor::new(), input: compressed }
    }

    /// Fills `into` from index `from` on; the bytes before it are the output so far. Returns the index of the output's
    /// end, which is smaller than the buffer's length when the stream is shorter.
    ///
    /// # Errors
    /// [`Corrupt`] when the stream is broken or its checksum is wrong.
    pub fn fill(&mut self, into: &mut [u8], from: usize) -> core::result::Result<usize, Corrupt> {
        let (read, wrote) = self.decompressor.read(self.input, into, from, false).map_err(Corrupt)?;
        self.input = &self.input[read..];
        Ok(from + wrote)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::Limits;
    use testkit::generate::Lcg;

    /// Inflates a stream in pieces of `piece` bytes, taken in portions of `portion`.
    fn inflate(stream: &[u8], piece: usize, portion: usize) -> Vec<u8> {
        let mut inflater = WindowInflater::new(&Budget::new(&Limits::default())).unwrap();
        let mut out = Vec::new();
        let mut pieces = stream.chunks(piece);
        let mut input: &[u8] = &[];
        loop {
            let read = inflater.feed(input).unwrap();
            input = &input[read..];
            if inflater.ready().is_empty() {
                match pieces.next() {
                    Some(next) if !inflater.is_done() => input = next,
                    _ => return out,
                }
            }
            while !inflater.ready().is_empty() {
                out.extend_from_slice(inflater.take(portion));
            }
        }
    }

    #[test]
    fn any_split_of_input_and_output_gives_the_same_bytes() {
        let mut random = Lcg::new(5);
        let noise: Vec<u8> = (0..50_000).map(|_| random.next_byte() % 7).collect();
        let content = [&noise[..], &[0; 200_000], &noise, &noise].concat();
        let stream = fdeflate::compress_to_vec(&content);
        for (piece, portion) in [(usize::MAX, usize::MAX), (1, 70_000), (777, 1), (8192, 4096)] {
            assert!(inflate(&stream, piece, portion) == content, "pieces of {piece}, portions of {portion}");
        }
    }

    #[test]
    fn a_restarted_inflater_reads_the_next_stream_and_a_broken_stream_is_an_error() {
        let mut inflater = WindowInflater::new(&Budget::new(&Limits::default())).unwrap();
        for content in [&b"first"[..], b"second"] {
            inflater.restart();
            inflater.feed(&fdeflate::compress_to_vec(content)).unwrap();
            assert_eq!(inflater.take(99), content);
        }
        inflater.restart();
        assert_eq!(inflater.feed(b"no zlib").unwrap_err().to_string(), "BadZlibHeader");
    }

    #[test]
    fn the_inflater_allocates_no_more_than_it_charges() {
        let budget = Budget::new(&Limits::default());
        let _inflater = WindowInflater::new(&budget).unwrap();
        assert_eq!(budget.used(), WindowInflater::MEMORY);
    }
}
