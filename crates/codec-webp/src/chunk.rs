//! Chunks of a RIFF file (RFC 9649 §2.3): four letters, a length, data, and a byte of padding after an odd length.

use raster::{ByteSource, Cursor, Result};

/// The bytes before a chunk's data.
pub(crate) const HEADER_LEN: u64 = 8;

/// Returns a number of 24 bits.
pub(crate) const fn uint24([a, b, c]: [u8; 3]) -> u32 {
    u32::from_le_bytes([a, b, c, 0])
}

/// The position of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chunk {
    pub(crate) kind: [u8; 4],
    /// The offset of the data.
    pub(crate) at: u64,
    /// The stated number of bytes of data; the file may end before.
    pub(crate) len: u32,
}

impl Chunk {
    /// Returns the offset of the next chunk.
    pub(crate) const fn next(&self) -> u64 {
        self.at + self.len as u64 + (self.len % 2) as u64
    }
}

/// A reader of the chunks of a file or of a frame. It reads headers; callers read data as needed.
pub(crate) struct Chunks<'a> {
    cursor: Cursor<&'a dyn ByteSource>,
    /// The offset of the next chunk.
    next: u64,
    /// The end of the chunks.
    end: u64,
    /// The end of the file.
    file_end: u64,
}

impl<'a> Chunks<'a> {
    /// Creates a reader of the chunks between two offsets of a file.
    pub(crate) fn new(source: &'a dyn ByteSource, start: u64, end: u64) -> Self {
        let file_end = source.byte_len();
        Self { cursor: Cursor::new(source, start), next: start, end: end.min(file_end), file_end }
    }

    /// Returns the next chunk, or `None` when no whole header is left.
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

    /// Continues at an offset.
    pub(crate) const fn seek_to(&mut self, offset: u64) {
        self.next = offset;
    }

    /// Calls `read` for the chunks inside a chunk, behind its first `skip` bytes; then continues where it was.
    pub(crate) fn inside<T>(
        &mut self,
        chunk: Chunk,
        skip: u64,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let outside = (self.next, self.end);
        self.end = (chunk.at + u64::from(chunk.len)).min(self.file_end);
        self.next = chunk.at + skip;
        let result = read(self);
        (self.next, self.end) = outside;
        result
    }

    /// Returns the first bytes of a chunk, or `None` when it has fewer.
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
