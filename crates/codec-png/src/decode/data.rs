//! The inflated content of consecutive IDAT or fdAT chunks, as one stream of bytes.
//!
//! The result depends on the file only, not on the split of the source's reads. Therefore input is passed to the
//! decompressor in portions of fixed size, and an error is returned only after every byte before it has been read.

use core::ops::Range;

use deflate::WindowInflater;
use raster::bytes::WINDOW;
use raster::{Budget, ByteSource, Result};

use crate::chunk::{ChunkHeader, Chunks};
use crate::error::Cause;

/// The bytes that are passed to the decompressor at once. Where a stream is damaged, at most the output of this input
/// is lost.
const INPUT: usize = 8 * 1024;

/// The start of a picture's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DataStart {
    /// The offset of the first chunk.
    pub(crate) offset: u64,
    /// Its sequence number if it is fdAT (§11.3.6.3), `None` if it is IDAT.
    pub(crate) sequence: Option<u32>,
}

/// A stream of raw bytes: filtered lines, each behind its filter byte.
pub(crate) struct ImageData<'a> {
    chunks: Chunks<'a>,
    /// Whether `chunks` is inside a chunk.
    begun: bool,
    /// The required sequence number of the next chunk, if it must be fdAT.
    sequence: Option<u32>,
    inflater: WindowInflater,
    /// The compressed bytes.
    input: Vec<u8>,
    /// The part of `input` that is not consumed yet.
    left: Range<usize>,
}

impl<'a> ImageData<'a> {
    /// The bytes of memory of one stream, including its window on the file.
    pub(crate) const MEMORY: u64 = (INPUT + WINDOW) as u64 + WindowInflater::MEMORY;

    /// Creates the stream that begins with the chunk at `start`.
    pub(crate) fn new(source: &'a dyn ByteSource, start: DataStart, budget: &Budget) -> Result<Self> {
        budget.charge(WINDOW as u64)?;
        Ok(Self {
            chunks: Chunks::new(source, start.offset),
            begun: false,
            sequence: start.sequence,
            inflater: WindowInflater::new(budget)?,
            input: budget.filled(INPUT as u64, 0)?,
            left: 0..0,
        })
    }

    /// Fills `into` with the next bytes.
    ///
    /// # Errors
    /// `Malformed` when the stream is damaged or ends early; `Io`.
    pub(crate) fn read(&mut self, mut into: &mut [u8]) -> Result<()> {
        while !into.is_empty() {
            self.inflate()?;
            let filled = self.inflater.fill(into);
            into = &mut into[filled..];
        }
        Ok(())
    }

    /// Skips `count` bytes.
    ///
    /// # Errors
    /// As [`ImageData::read`].
    pub(crate) fn skip(&mut self, mut count: u64) -> Result<()> {
        while count > 0 {
            self.inflate()?;
            count -= self.inflater.take(usize::try_from(count).unwrap_or(usize::MAX)).len() as u64;
        }
        Ok(())
    }

    /// Whether the CRC of the chunk of the last row is right; called after that row. It is true when the file ends
    /// before the CRC, and when much more data follow in the same chunk, because reading them takes too long.
    ///
    /// # Errors
    /// `Io`.
    pub(crate) fn last_crc_is_sound(&mut self) -> Result<bool> {
        if self.chunks.left() as usize > self.input.len() {
            return Ok(true);
        }
        self.chunks.read(&mut self.input)?;
        Ok(self.chunks.crc_matches()?.unwrap_or(true))
    }

    /// Inflates until at least one byte is ready.
    fn inflate(&mut self) -> Result<()> {
        while self.inflater.ready().is_empty() {
            let position = self.chunks.position();
            let input = &self.input[self.left.clone()];
            self.left.start += self.inflater.feed(input).map_err(|error| Cause::Inflate(error).at(position))?;
            if !self.inflater.ready().is_empty() {
                break;
            }
            if self.inflater.is_done() {
                return Err(Cause::DataEnds.at(position));
            }
            self.next_input()?;
        }
        Ok(())
    }

    /// Reads the next input after all earlier input was consumed.
    fn next_input(&mut self) -> Result<()> {
        while self.chunks.left() == 0 {
            self.next_chunk()?;
        }
        debug_assert!(self.left.is_empty(), "input would be lost");
        let got = self.chunks.read(&mut self.input)?;
        if got == 0 {
            return Err(Cause::Ends.at(self.chunks.position()));
        }
        self.left = 0..got;
        Ok(())
    }

    /// Reads the header of the next chunk, after the CRC of the previous one.
    fn next_chunk(&mut self) -> Result<()> {
        if self.begun {
            self.chunks.verify()?;
        }
        self.begun = true;
        match self.chunks.next()? {
            Some(header) => self.enter(header),
            None => Err(Cause::Ends.at(self.chunks.position())),
        }
    }

    /// Checks that a chunk belongs to this picture. Chunks of later frames begin with a sequence number (§11.3.6.3).
    fn enter(&mut self, header: ChunkHeader) -> Result<()> {
        let kind = if self.sequence.is_some() { *b"fdAT" } else { *b"IDAT" };
        if header.kind != kind {
            return Err(Cause::DataEnds.at(header.offset));
        }
        if let Some(sequence) = &mut self.sequence {
            let mut number = [0; 4];
            if self.chunks.read(&mut number)? < number.len() || u32::from_be_bytes(number) != *sequence {
                return Err(Cause::Animation("its chunks are out of order").at(header.offset));
            }
            *sequence = sequence.wrapping_add(1);
        }
        Ok(())
    }
}
