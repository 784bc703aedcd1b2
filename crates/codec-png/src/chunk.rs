//! Chunks (PNG §5.3): length, name, data, CRC. Reading returns headers; the caller reads data as needed.

use crc32fast::Hasher;
use raster::{ByteSink, ByteSource, Cursor, Result};

use crate::error::Cause;

/// The eight bytes before the first chunk (§5.2).
pub(crate) const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// A chunk's name; the case of the first letter states whether it is critical (§5.4).
pub(crate) type ChunkType = [u8; 4];

/// Whether a decoder that does not know the chunk must refuse the file.
pub(crate) const fn is_critical(kind: ChunkType) -> bool {
    kind[0].is_ascii_uppercase()
}

/// The header of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChunkHeader {
    /// The chunk's name.
    pub(crate) kind: ChunkType,
    /// The number of bytes of data.
    pub(crate) length: u32,
    /// The offset of its length field in the file.
    pub(crate) offset: u64,
}

impl ChunkHeader {
    /// The bytes of a length and a name.
    pub(crate) const BYTES: usize = 8;

    /// Reads the header at `offset`. An invalid name or length is an error, because the bytes behind it cannot be read
    /// as chunks either.
    pub(crate) fn parse([l0, l1, l2, l3, kind @ ..]: [u8; Self::BYTES], offset: u64) -> Result<Self> {
        let length = u32::from_be_bytes([l0, l1, l2, l3]);
        if !kind.iter().all(u8::is_ascii_alphabetic) {
            return Err(Cause::Name(kind).at(offset));
        }
        if length > i32::MAX as u32 {
            return Err(Cause::Length(length).at(offset));
        }
        Ok(Self { kind, length, offset })
    }

    /// Returns the offset of the next chunk.
    pub(crate) const fn end(self) -> u64 {
        self.offset + AROUND as u64 + self.length as u64
    }
}

/// A reader of a file's chunks. Data that are not requested are skipped.
pub(crate) struct Chunks<'a> {
    cursor: Cursor<&'a dyn ByteSource>,
    kind: ChunkType,
    crc: Hasher,
    /// The data bytes of the current chunk that are not read yet.
    left: u32,
    /// The bytes of the current chunk's CRC that are not read yet: 4, or 0 when there is no current chunk.
    tail: u64,
}

impl<'a> Chunks<'a> {
    /// Creates a reader that starts with the chunk at `offset`.
    pub(crate) fn new(source: &'a dyn ByteSource, offset: u64) -> Self {
        Self { cursor: Cursor::new(source, offset), kind: [0; 4], crc: Hasher::new(), left: 0, tail: 0 }
    }

    /// Returns the current position, for error messages.
    pub(crate) fn position(&self) -> u64 {
        self.cursor.position()
    }

    /// Returns the next chunk's header, or `None` at the end of the file.
    pub(crate) fn next(&mut self) -> Result<Option<ChunkHeader>> {
        let offset = self.cursor.position() + u64::from(self.left) + self.tail;
        self.cursor.seek_to(offset);
        (self.left, self.tail) = (0, 0);
        let mut bytes = [0; ChunkHeader::BYTES];
        if self.cursor.read_full(&mut bytes)? < bytes.len() {
            return Ok(None);
        }
        let header = ChunkHeader::parse(bytes, offset)?;
        self.kind = header.kind;
        self.crc = Hasher::new();
        self.crc.update(&header.kind);
        (self.left, self.tail) = (header.length, 4);
        Ok(Some(header))
    }

    /// Reads data of the current chunk, up to the length of `into`, the end of the chunk, or the end of the file.
    pub(crate) fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        let want = into.len().min(self.left as usize);
        let got = self.cursor.read_full(&mut into[..want])?;
        self.crc.update(&into[..got]);
        self.left -= got as u32;
        Ok(got)
    }

    /// Returns the data bytes of the current chunk that are not read yet.
    pub(crate) const fn left(&self) -> u32 {
        self.left
    }

    /// Compares the CRC after all data were read.
    ///
    /// # Errors
    /// `Malformed` when it differs or the file ends before it.
    pub(crate) fn verify(&mut self) -> Result<()> {
        match self.crc_matches()? {
            Some(true) => Ok(()),
            Some(false) => Err(Cause::Checksum(self.kind).at(self.cursor.position() - 4)),
            None => Err(Cause::Ends.at(self.cursor.position())),
        }
    }

    /// Whether the CRC matches the data, all of which must have been read; `None` when the file ends before the CRC.
    pub(crate) fn crc_matches(&mut self) -> Result<Option<bool>> {
        let mut crc = [0; 4];
        if self.left > 0 || self.cursor.read_full(&mut crc)? < crc.len() {
            return Ok(None);
        }
        self.tail = 0;
        Ok(Some(u32::from_be_bytes(crc) == self.crc.clone().finalize()))
    }
}

/// The bytes of a chunk beside its data.
pub(crate) const AROUND: usize = 12;

/// Writes one whole chunk. `data` are below 2³¹ bytes; the writer's own data are at most 64 KiB, profiles 16 MiB.
pub(crate) fn write(sink: &mut dyn ByteSink, kind: ChunkType, data: &[u8]) -> Result<()> {
    let mut crc = Hasher::new();
    crc.update(&kind);
    crc.update(data);
    sink.write(&(data.len() as u32).to_be_bytes())?;
    sink.write(&kind)?;
    sink.write(data)?;
    sink.write(&crc.finalize().to_be_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::Error;

    fn file() -> Vec<u8> {
        let mut file = Vec::new();
        write(&mut file, *b"IHDR", b"thirteen").unwrap();
        write(&mut file, *b"teXt", b"").unwrap();
        write(&mut file, *b"IEND", b"").unwrap();
        file
    }

    #[test]
    fn a_written_chunk_is_read_back_and_iend_has_its_famous_crc() {
        let file = file();
        assert_eq!(file[file.len() - 12..], *b"\0\0\0\0IEND\xae\x42\x60\x82");
        let mut chunks = Chunks::new(&file, 0);
        assert_eq!(chunks.next().unwrap(), Some(ChunkHeader { kind: *b"IHDR", length: 8, offset: 0 }));
        let mut data = [0; 16];
        assert_eq!(chunks.read(&mut data[..3]).unwrap(), 3);
        assert_eq!(chunks.read(&mut data[3..]).unwrap(), 5);
        assert_eq!(&data[..8], b"thirteen");
        chunks.verify().unwrap();
        assert_eq!(chunks.next().unwrap().unwrap().kind, *b"teXt");
        assert_eq!(chunks.next().unwrap().unwrap().kind, *b"IEND");
        assert_eq!(chunks.next().unwrap(), None);
    }

    #[test]
    fn unread_and_half_read_data_are_skipped() {
        let file = file();
        let mut chunks = Chunks::new(&file, 0);
        chunks.next().unwrap();
        chunks.read(&mut [0; 3]).unwrap();
        assert_eq!(chunks.next().unwrap().unwrap().offset, 20);
    }

    #[test]
    fn a_flipped_bit_fails_the_check_and_a_short_file_ends() {
        let sound = file();
        for bit in 0..64 {
            let mut file = sound.clone();
            file[8 + bit / 8] ^= 1 << (bit % 8);
            let mut chunks = Chunks::new(&file, 0);
            chunks.next().unwrap();
            chunks.read(&mut [0; 8]).unwrap();
            assert!(matches!(chunks.verify(), Err(Error::Malformed { offset: 16, .. })));
        }
        for end in 0..20 {
            let cut = &sound[..end];
            let mut chunks = Chunks::new(&cut, 0);
            let Some(_) = chunks.next().unwrap() else { continue };
            chunks.read(&mut [0; 8]).unwrap();
            assert!(chunks.verify().is_err(), "cut at {end}");
        }
    }

    #[test]
    fn garbage_heads_are_errors() {
        assert!(Chunks::new(&b"\0\0\0\x01a%bc".as_slice(), 0).next().is_err());
        assert!(Chunks::new(&b"\x80\0\0\0abcd".as_slice(), 0).next().is_err());
    }
}
