//! The encoder `zlib-rs`, used through `flate2`.

use flate2::{Compress, Compression, FlushCompress, Status};
use raster::{Budget, Error, Result};

use crate::content::Output;

/// The memory of `zlib-rs` for its window, hash chains and symbols at window bits 15 and memory level 8, rounded up.
const TABLES: u64 = 512 * 1024;

/// The number of bytes that are passed on at once.
const ROOM: u64 = 32 * 1024;

pub(crate) struct Zlib {
    compress: Compress,
    room: Vec<u8>,
}

impl Zlib {
    pub(crate) fn new(level: u32, budget: &Budget) -> Result<Self> {
        budget.charge(TABLES)?;
        Ok(Self { compress: Compress::new(Compression::new(level), true), room: budget.filled(ROOM, 0)? })
    }

    pub(crate) fn write(&mut self, mut bytes: &[u8], output: Output<'_>) -> Result<()> {
        while !bytes.is_empty() {
            let (read, _) = self.step(bytes, FlushCompress::None, output)?;
            bytes = &bytes[read..];
        }
        Ok(())
    }

    /// Compresses `bytes` and ends the stream.
    pub(crate) fn finish(&mut self, mut bytes: &[u8], output: Output<'_>) -> Result<()> {
        loop {
            let (read, status) = self.step(bytes, FlushCompress::Finish, output)?;
            bytes = &bytes[read..];
            if status == Status::StreamEnd {
                break;
            }
        }
        self.compress.reset();
        Ok(())
    }

    /// Calls zlib once; returns the number of bytes that it read, and its status.
    fn step(&mut self, bytes: &[u8], flush: FlushCompress, output: Output<'_>) -> Result<(usize, Status)> {
        let (read, written) = (self.compress.total_in(), self.compress.total_out());
        let status = self
            .compress
            .compress(bytes, &mut self.room, flush)
            .map_err(|_| Error::Contradiction("deflate lost its state"))?;
        let filled = &self.room[..(self.compress.total_out() - written) as usize];
        if !filled.is_empty() {
            output(filled)?;
        }
        Ok(((self.compress.total_in() - read) as usize, status))
    }
}
