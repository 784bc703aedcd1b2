//! Chunks of a RIFF file (RFC 9649 §2.3): four letters, a length, data, and a byte of padding after an odd length.

use raster::{ByteSource, Cursor, Result};

/// Bytes in front of a chunk's data.
pub(crate) const HEADER_LEN: u64 = 8;

/// Where a chunk lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chunk {
    pub(crate) kind: [u8; 4],
    /// Offset of the data.
    pub(crate) at: u64,
    /// Bytes of data as declared; the file may end before.
    pub(crate) len: u32,
}

impl Chunk {
    /// Offset of the next chunk.
    const fn next(&self) -> u64 {
        self.at + self.len as u64 + (self.len % 2) as u64
    }
}

/// A walk over the chunks of a file or of a frame. Reads headers; data are read where a caller asks for them.
pub(crate) struct Chunks<'a> {
    cursor: Cursor<&'a dyn ByteSource>,
    /// Offset of the next chunk.
    next: u64,
    /// Where the chunks end.
    end: u64,
}

impl<'a> Chunks<'a> {
    /// The chunks between two offsets of a file.
    pub(crate) fn new(source: &'a dyn ByteSource, start: u64, end: u64) -> Self {
        Self { cursor: Cursor::new(source, start), next: start, end: end.min(source.byte_len()) }
    }

    /// The next chunk; nothing where no whole header is left.
    pub(crate) fn next(&mut self) -> Result<Option<Chunk>> {
        if self.next.saturating_add(HEADER_LEN) > self.end {
            return Ok(None);
        }
        let header: [u8; HEADER_LEN as usize] = self.array_at(self.next)?.unwrap_or_default();
        let [kind @ .., a, b, c, d] = header;
        let chunk = Chunk { kind, at: self.next + HEADER_LEN, len: u32::from_le_bytes([a, b, c, d]) };
        self.next = chunk.next();
        Ok(Some(chunk))
    }

    /// The chunks inside a chunk, behind its first `skip` bytes.
    pub(crate) fn enter(&mut self, chunk: Chunk, skip: u64) {
        self.end = (chunk.at + u64::from(chunk.len)).min(self.end);
        self.next = chunk.at + skip;
    }

    /// The first bytes of a chunk; nothing where it has fewer.
    pub(crate) fn head<const N: usize>(&mut self, chunk: Chunk) -> Result<Option<[u8; N]>> {
        if (chunk.len as usize) < N { Ok(None) } else { self.array_at(chunk.at) }
    }

    fn array_at<const N: usize>(&mut self, offset: u64) -> Result<Option<[u8; N]>> {
        let mut bytes = [0; N];
        self.cursor.seek_to(offset);
        let read = self.cursor.read_full(&mut bytes)?;
        Ok((read == N).then_some(bytes))
    }
}
