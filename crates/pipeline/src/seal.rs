//! A sink that computes the length and CRC-32 of the written bytes, so that an archive can be made without reading the
//! files again.

use raster::{ByteSink, ByteSource, Result};

/// A sink that counts and sums the bytes on the way to another sink.
pub(crate) struct Seal<'a> {
    sink: &'a mut dyn ByteSink,
    len: u64,
    crc: crc32fast::Hasher,
    patched: bool,
}

impl<'a> Seal<'a> {
    pub(crate) fn new(sink: &'a mut dyn ByteSink) -> Self {
        Self { sink, len: 0, crc: crc32fast::Hasher::new(), patched: false }
    }

    /// Returns the number of bytes written.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Returns the CRC-32 (ISO 3309, as in PNG and ZIP) of the file. A patched file is read again.
    pub(crate) fn crc32(&mut self) -> Result<u32> {
        if !self.patched {
            return Ok(self.crc.clone().finalize());
        }
        crc32(&*self.sink.reread()?)
    }
}

/// Returns the CRC-32 of a whole file.
pub(crate) fn crc32(file: &dyn ByteSource) -> Result<u32> {
    let mut cursor = raster::Cursor::new(file, 0);
    let mut crc = crc32fast::Hasher::new();
    loop {
        let window = cursor.peek()?;
        if window.is_empty() {
            return Ok(crc.finalize());
        }
        crc.update(window);
        let n = window.len();
        cursor.advance(n);
    }
}

impl ByteSink for Seal<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.sink.write(bytes)?;
        self.len += bytes.len() as u64;
        self.crc.update(bytes);
        Ok(())
    }

    fn patch(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.patched = true;
        self.sink.patch(offset, bytes)
    }

    fn reread(&mut self) -> Result<Box<dyn ByteSource + '_>> {
        self.sink.reread()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patched_file_has_the_sum_of_its_final_bytes() {
        let mut plain = Vec::new();
        let mut seal = Seal::new(&mut plain);
        seal.write(b"123456789").unwrap();
        assert_eq!((seal.len(), seal.crc32().unwrap()), (9, 0xCBF4_3926));

        let mut patched = Vec::new();
        let mut seal = Seal::new(&mut patched);
        seal.write(b"12xx56789").unwrap();
        seal.patch(2, b"34").unwrap();
        assert_eq!((seal.len(), seal.crc32().unwrap()), (9, 0xCBF4_3926));
    }
}
