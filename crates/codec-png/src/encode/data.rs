//! Compression of filtered lines into chunks.

use deflate::{Content, Encoder, Method};
use raster::{Budget, ByteSink, Effort, Result};

use crate::chunk;

/// The bytes of data in a chunk: few enough to hold, and so many that the 12 bytes around them hardly matter.
const CHUNK: usize = 64 * 1024;

/// The level of `zlib-rs` for the smallest files; level 9 saves another 0.3 % for twice the time.
const SMALLEST: u32 = 8;

/// The compressed stream of one picture.
pub(crate) struct ImageData {
    encoder: Encoder,
    chunks: Chunks,
}

impl ImageData {
    /// Creates a stream. With `sequence`, the data are those of a later frame, in fdAT chunks; the first has this
    /// number.
    pub(crate) fn new(effort: Effort, sequence: Option<u32>, budget: &Budget) -> Result<Self> {
        let method = match effort {
            Effort::Fast => Method::Fast,
            Effort::Default => Method::Default,
            Effort::Smallest => Method::Zlib(SMALLEST),
        };
        let head = if sequence.is_some() { 4 } else { 0 };
        let chunk = budget.filled((head + CHUNK) as u64, 0)?;
        let chunks = Chunks { chunk, head, filled: head, sequence };
        Ok(Self { encoder: Encoder::new(method, budget)?, chunks })
    }

    /// Compresses a line; full chunks are written to the sink.
    pub(crate) fn write(&mut self, sink: &mut dyn ByteSink, (line, content): (&[u8], Content)) -> Result<()> {
        self.encoder.write(line, content, &mut |bytes| self.chunks.write(sink, bytes))
    }

    /// Ends the stream and writes the rest. Returns the sequence number behind those of the chunks.
    pub(crate) fn finish(&mut self, sink: &mut dyn ByteSink) -> Result<Option<u32>> {
        self.encoder.finish(&mut |bytes| self.chunks.write(sink, bytes))?;
        self.chunks.flush(sink)?;
        Ok(self.chunks.sequence)
    }
}

/// Chunks of image data, one at a time.
struct Chunks {
    chunk: Vec<u8>,
    /// The bytes of the sequence number before a frame's data (§11.3.6.3).
    head: usize,
    filled: usize,
    sequence: Option<u32>,
}

impl Chunks {
    fn write(&mut self, sink: &mut dyn ByteSink, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() {
            let (head, tail) = bytes.split_at(bytes.len().min(self.chunk.len() - self.filled));
            self.chunk[self.filled..self.filled + head.len()].copy_from_slice(head);
            self.filled += head.len();
            if self.filled == self.chunk.len() {
                self.flush(sink)?;
            }
            bytes = tail;
        }
        Ok(())
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
