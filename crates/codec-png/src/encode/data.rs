//! Filtered lines through deflate into chunks.

use flate2::{Compress, Compression, FlushCompress, Status};
use raster::{Budget, ByteSink, Error, Result};

use super::Effort;
use super::deflate::{Content, Deflate};
use crate::chunk;

/// Bytes of data in a chunk: few enough to hold, so many that the 12 bytes around them do not count.
const CHUNK: usize = 64 * 1024;

/// What `zlib-rs` allocates for its window, hash chains and symbols at window bits 15 and memory level 8, generously.
const ZLIB: u64 = 512 * 1024;

/// The level of `zlib-rs` for the smallest files; 9 saves another 0.3 % for twice the time.
const SMALLEST: u32 = 8;

/// The compressed stream of one picture.
pub(crate) struct ImageData {
    stream: Stream,
    chunks: Chunks,
}

enum Stream {
    Tuned(Box<Deflate>),
    Zlib(Box<Compress>),
}

impl ImageData {
    /// `sequence`: the data are those of a later frame, in fdAT chunks, the first of which has this number.
    pub(crate) fn new(effort: Effort, sequence: Option<u32>, budget: &Budget) -> Result<Self> {
        let stream = match effort {
            Effort::Fast => Stream::Tuned(Box::new(Deflate::new(Deflate::FAST, budget)?)),
            Effort::Default => Stream::Tuned(Box::new(Deflate::new(Deflate::DEFAULT, budget)?)),
            Effort::Smallest => {
                budget.charge(ZLIB)?;
                Stream::Zlib(Box::new(Compress::new(Compression::new(SMALLEST), true)))
            }
        };
        let head = if sequence.is_some() { 4 } else { 0 };
        let chunk = budget.filled((head + CHUNK) as u64, 0)?;
        Ok(Self { stream, chunks: Chunks { chunk, head, filled: head, sequence } })
    }

    /// Compresses a line; full chunks go to the sink.
    pub(crate) fn write(&mut self, sink: &mut dyn ByteSink, (line, content): (&[u8], Content)) -> Result<()> {
        match &mut self.stream {
            Stream::Tuned(deflate) => {
                deflate.write(line, content);
                deflate.take(|bytes| self.chunks.write(sink, bytes))
            }
            Stream::Zlib(zlib) => {
                let mut rest = line;
                while !rest.is_empty() {
                    let before = zlib.total_in();
                    self.chunks.fill(sink, |room| step(zlib, rest, room, FlushCompress::None))?;
                    rest = &rest[(zlib.total_in() - before) as usize..];
                }
                Ok(())
            }
        }
    }

    /// Ends the stream and writes what is left; says the number that comes after those of the chunks.
    pub(crate) fn finish(mut self, sink: &mut dyn ByteSink) -> Result<Option<u32>> {
        match &mut self.stream {
            Stream::Tuned(deflate) => {
                deflate.finish();
                deflate.take(|bytes| self.chunks.write(sink, bytes))?;
            }
            Stream::Zlib(zlib) => {
                let mut status = Status::Ok;
                while status != Status::StreamEnd {
                    self.chunks.fill(sink, |room| {
                        let (wrote, now) = step(zlib, &[], room, FlushCompress::Finish)?;
                        status = now;
                        Ok((wrote, now))
                    })?;
                }
            }
        }
        self.chunks.flush(sink)?;
        Ok(self.chunks.sequence)
    }
}

/// One call of zlib: bytes written to `room`, and how it stands.
fn step(zlib: &mut Compress, bytes: &[u8], room: &mut [u8], flush: FlushCompress) -> Result<(usize, Status)> {
    let before = zlib.total_out();
    let status = zlib.compress(bytes, room, flush).map_err(|_| Error::Contradiction("deflate lost its state"))?;
    Ok(((zlib.total_out() - before) as usize, status))
}

/// Chunks of image data, one at a time.
struct Chunks {
    chunk: Vec<u8>,
    /// Bytes of the number in front of a frame's data (§11.3.6.3).
    head: usize,
    filled: usize,
    sequence: Option<u32>,
}

impl Chunks {
    fn write(&mut self, sink: &mut dyn ByteSink, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() {
            let (head, tail) = bytes.split_at(bytes.len().min(self.chunk.len() - self.filled));
            self.chunk[self.filled..self.filled + head.len()].copy_from_slice(head);
            self.advance(sink, head.len())?;
            bytes = tail;
        }
        Ok(())
    }

    /// Lets `with` write into what is free, which is never nothing.
    fn fill(&mut self, sink: &mut dyn ByteSink, with: impl FnOnce(&mut [u8]) -> Result<(usize, Status)>) -> Result<()> {
        let (wrote, _) = with(&mut self.chunk[self.filled..])?;
        self.advance(sink, wrote)
    }

    fn advance(&mut self, sink: &mut dyn ByteSink, bytes: usize) -> Result<()> {
        self.filled += bytes;
        if self.filled == self.chunk.len() { self.flush(sink) } else { Ok(()) }
    }

    fn flush(&mut self, sink: &mut dyn ByteSink) -> Result<()> {
        if self.filled == self.head {
            return Ok(());
        }
        let kind = match &mut self.sequence {
            None => *b"IDAT",
            Some(sequence) => {
                self.chunk[..self.head].copy_from_slice(&sequence.to_be_bytes());
                *sequence += 1;
                *b"fdAT"
            }
        };
        chunk::write(sink, kind, &self.chunk[..self.filled])?;
        self.filled = self.head;
        Ok(())
    }
}
