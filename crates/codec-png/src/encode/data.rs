//! Deflate into IDAT chunks.

use flate2::{Compress, Compression, FlushCompress, Status};
use raster::{Budget, ByteSink, Error, Result};

use crate::chunk;

/// Bytes of data in an IDAT chunk: few enough to hold, so many that the 12 bytes around them do not count.
const CHUNK: usize = 64 * 1024;

/// What `zlib-rs` allocates for its window, hash chains and symbols at window bits 15 and memory level 8, generously.
const DEFLATE: u64 = 512 * 1024;

/// The compressed stream.
pub(crate) struct ImageData {
    compress: Compress,
    /// The chunk being filled.
    chunk: Vec<u8>,
    filled: usize,
}

impl ImageData {
    pub(crate) fn new(level: u32, budget: &Budget) -> Result<Self> {
        budget.charge(DEFLATE)?;
        let compress = Compress::new(Compression::new(level), true);
        Ok(Self { compress, chunk: budget.filled(CHUNK as u64, 0)?, filled: 0 })
    }

    /// Compresses `bytes`; full chunks go to the sink.
    pub(crate) fn write(&mut self, sink: &mut dyn ByteSink, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() {
            let before = self.compress.total_in();
            self.step(sink, bytes, FlushCompress::None)?;
            bytes = &bytes[(self.compress.total_in() - before) as usize..];
        }
        Ok(())
    }

    /// Ends the stream and writes what is left.
    pub(crate) fn finish(&mut self, sink: &mut dyn ByteSink) -> Result<()> {
        while self.step(sink, &[], FlushCompress::Finish)? != Status::StreamEnd {}
        self.flush(sink)
    }

    /// One call of the compressor; there is always room in the chunk.
    fn step(&mut self, sink: &mut dyn ByteSink, bytes: &[u8], flush: FlushCompress) -> Result<Status> {
        let before = self.compress.total_out();
        let status = self
            .compress
            .compress(bytes, &mut self.chunk[self.filled..], flush)
            .map_err(|_| Error::Contradiction("deflate lost its state"))?;
        self.filled += (self.compress.total_out() - before) as usize;
        if self.filled == self.chunk.len() {
            self.flush(sink)?;
        }
        Ok(status)
    }

    fn flush(&mut self, sink: &mut dyn ByteSink) -> Result<()> {
        if self.filled > 0 {
            chunk::write(sink, *b"IDAT", &self.chunk[..self.filled])?;
            self.filled = 0;
        }
        Ok(())
    }
}
