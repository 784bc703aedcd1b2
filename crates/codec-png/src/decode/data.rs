//! The inflated content of a run of IDAT or fdAT chunks, as one stream of bytes.
//!
//! What comes out depends on the file alone, never on how the source splits its reads: input goes to the decompressor
//! in pieces of fixed size, and an error is reported only once every byte before it has been taken.

use fdeflate::Decompressor;
use raster::{Budget, ByteSource, Cursor, Result};

use super::planes::Place;
use crate::chunk::{Chunks, Head};
use crate::error::Cause;

/// Bytes given to the decompressor at once, and so the most input whose output is lost where a stream breaks.
const PIECE: usize = 8 * 1024;

/// How far back deflate may refer (RFC 1951 §2). `fdeflate` finds that history in the output buffer.
const HISTORY: usize = 32 * 1024;

/// New bytes made at once, behind the history.
const FRESH: usize = 64 * 1024;

/// What `fdeflate` allocates for its tables, generously.
const TABLES: usize = 32 * 1024;

/// A stream of raw bytes: filtered lines, each with its filter byte in front.
pub(crate) struct ImageData<'a> {
    chunks: Chunks<'a>,
    /// Whether `chunks` stands in a chunk.
    begun: bool,
    /// Of the next chunk, if it is to be fdAT.
    sequence: Option<u32>,
    /// Boxed: its header tables alone are a kilobyte.
    decompressor: Box<Decompressor>,
    piece: Vec<u8>,
    /// Part of `piece` not consumed yet.
    input: core::ops::Range<usize>,
    output: Vec<u8>,
    /// Part of `output` not taken yet.
    ready: core::ops::Range<usize>,
}

impl<'a> ImageData<'a> {
    /// Bytes of memory that one stream holds, its window on the file included.
    pub(crate) const MEMORY: u64 = (PIECE + HISTORY + FRESH + TABLES + Cursor::WINDOW) as u64;

    /// The stream that begins with the chunk at `place`.
    pub(crate) fn new(source: &'a dyn ByteSource, place: Place, budget: &Budget) -> Result<Self> {
        budget.charge((TABLES + Cursor::WINDOW) as u64)?;
        let mut decompressor = Box::new(Decompressor::new());
        // Each chunk has a CRC already, and who takes the last row need not read to the stream's end.
        decompressor.ignore_adler32();
        Ok(Self {
            chunks: Chunks::new(source, place.offset),
            begun: false,
            sequence: place.sequence,
            decompressor,
            piece: budget.filled(PIECE as u64, 0)?,
            input: 0..0,
            output: budget.filled((HISTORY + FRESH) as u64, 0)?,
            ready: 0..0,
        })
    }

    /// Fills `into` with the next bytes.
    ///
    /// # Errors
    /// `Malformed` when the stream breaks or ends before; `Io`.
    pub(crate) fn read(&mut self, mut into: &mut [u8]) -> Result<()> {
        while !into.is_empty() {
            let bytes = self.take(into.len())?;
            let (head, tail) = into.split_at_mut(bytes.len());
            head.copy_from_slice(bytes);
            into = tail;
        }
        Ok(())
    }

    /// Passes over `count` bytes.
    ///
    /// # Errors
    /// As [`ImageData::read`].
    pub(crate) fn skip(&mut self, mut count: u64) -> Result<()> {
        while count > 0 {
            count -= self.take(usize::try_from(count).unwrap_or(usize::MAX))?.len() as u64;
        }
        Ok(())
    }

    /// Once the last row is taken: whether the CRC of the chunk it came from is right. Nobody else will look at it.
    /// True where the file ends before, and where so much follows the picture in the same chunk that reading it would
    /// be work for nothing.
    ///
    /// # Errors
    /// `Io`.
    pub(crate) fn last_crc_is_sound(&mut self) -> Result<bool> {
        if self.chunks.left() as usize > self.piece.len() {
            return Ok(true);
        }
        self.chunks.read(&mut self.piece)?;
        Ok(self.chunks.crc_matches()?.unwrap_or(true))
    }

    /// At least one and at most `most` bytes.
    fn take(&mut self, most: usize) -> Result<&[u8]> {
        if self.ready.is_empty() {
            self.inflate()?;
        }
        let start = self.ready.start;
        self.ready.start += self.ready.len().min(most);
        Ok(&self.output[start..self.ready.start])
    }

    /// Makes at least one byte.
    fn inflate(&mut self) -> Result<()> {
        let mut end = self.ready.end;
        if end == self.output.len() {
            self.output.copy_within(end - HISTORY.., 0);
            end = HISTORY;
        }
        loop {
            let input = &self.piece[self.input.clone()];
            let position = self.chunks.position();
            let (read, wrote) = self
                .decompressor
                .read(input, &mut self.output, end, false)
                .map_err(|error| Cause::Inflate(error).at(position))?;
            self.input.start += read;
            if wrote > 0 {
                self.ready = end..end + wrote;
                return Ok(());
            }
            if self.decompressor.is_done() {
                return Err(Cause::DataEnds.at(position));
            }
            self.next_piece()?;
        }
    }

    /// The next input; `fdeflate` has consumed all before when it makes no output.
    fn next_piece(&mut self) -> Result<()> {
        while self.chunks.left() == 0 {
            self.next_chunk()?;
        }
        let got = self.chunks.read(&mut self.piece)?;
        if got == 0 {
            return Err(Cause::Ends.at(self.chunks.position()));
        }
        self.input = 0..got;
        Ok(())
    }

    /// The head of the next chunk of the run, after the CRC of the one before.
    fn next_chunk(&mut self) -> Result<()> {
        if self.begun {
            self.chunks.verify()?;
        }
        self.begun = true;
        match self.chunks.next()? {
            Some(head) => self.enter(head),
            None => Err(Cause::Ends.at(self.chunks.position())),
        }
    }

    /// Checks that a chunk belongs here; a frame's have their number in front (§11.3.6.3).
    fn enter(&mut self, head: Head) -> Result<()> {
        let kind = if self.sequence.is_some() { *b"fdAT" } else { *b"IDAT" };
        if head.kind != kind {
            return Err(Cause::DataEnds.at(head.offset));
        }
        if let Some(sequence) = &mut self.sequence {
            let mut number = [0; 4];
            if self.chunks.read(&mut number)? < number.len() || u32::from_be_bytes(number) != *sequence {
                return Err(Cause::Animation("its parts are out of order").at(head.offset));
            }
            *sequence = sequence.wrapping_add(1);
        }
        Ok(())
    }
}
