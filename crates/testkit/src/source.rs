//! Sources of bytes that use all liberties of the contract.

use core::cell::{Cell, RefCell};

use raster::{ByteSource, IoError, Result};

use crate::generate::Lcg;

/// A source that returns the right bytes in short reads of 1 to 64 bytes, and sometimes all requested bytes, in a
/// pattern that depends on the seed.
pub struct SplitSource<'a> {
    bytes: &'a [u8],
    random: RefCell<Lcg>,
}

impl<'a> SplitSource<'a> {
    /// Creates a source of `bytes` with the pattern of `seed`.
    #[must_use]
    pub const fn new(bytes: &'a [u8], seed: u64) -> Self {
        Self { bytes, random: RefCell::new(Lcg::new(seed)) }
    }
}

impl ByteSource for SplitSource<'_> {
    fn byte_len(&self) -> u64 {
        self.bytes.byte_len()
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize> {
        let mut random = self.random.borrow_mut();
        let most = if random.below(8) == 0 { into.len() } else { 1 + random.below(64) as usize };
        let n = into.len().min(most);
        self.bytes.read_at(offset, &mut into[..n])
    }
}

/// A source that returns the right bytes until it has returned `good` of them, and then fails as a browser does when
/// the file was changed.
pub struct FailingSource<'a> {
    bytes: &'a [u8],
    left: Cell<u64>,
}

impl<'a> FailingSource<'a> {
    /// Creates a source of `bytes` that returns `good` of them.
    #[must_use]
    pub const fn new(bytes: &'a [u8], good: u64) -> Self {
        Self { bytes, left: Cell::new(good) }
    }
}

impl ByteSource for FailingSource<'_> {
    fn byte_len(&self) -> u64 {
        self.bytes.byte_len()
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize> {
        let left = self.left.get();
        if left == 0 && !into.is_empty() && offset < self.byte_len() {
            return Err(IoError::Read("the test's source fails here".into()).into());
        }
        let n = into.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let given = self.bytes.read_at(offset, &mut into[..n])?;
        self.left.set(left - given as u64);
        Ok(given)
    }
}

/// A file that arrives over time: `step` more bytes have arrived after each request for missing bytes. It drops bytes
/// before the last offset, and its length is unknown before its end has arrived.
pub struct ArrivingSource<'a> {
    bytes: &'a [u8],
    step: usize,
    arrived: Cell<usize>,
    forgotten: Cell<u64>,
}

impl<'a> ArrivingSource<'a> {
    /// Creates a source of `bytes`, none of which have arrived.
    #[must_use]
    pub const fn new(bytes: &'a [u8], step: usize) -> Self {
        Self { bytes, step, arrived: Cell::new(0), forgotten: Cell::new(0) }
    }
}

impl ByteSource for ArrivingSource<'_> {
    fn byte_len(&self) -> u64 {
        u64::MAX
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize> {
        assert!(offset >= self.forgotten.get(), "bytes before {} are forgotten", self.forgotten.get());
        if offset >= self.bytes.byte_len() {
            return Ok(0);
        }
        self.forgotten.set(offset);
        let end = self.bytes.len().min(usize::try_from(offset).expect("a small file") + into.len());
        if end > self.arrived.get() {
            self.arrived.set(self.arrived.get() + self.step);
            return Err(IoError::NotYet.into());
        }
        self.bytes.read_at(offset, into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::Error;

    #[test]
    fn short_reads_add_up_to_the_file_and_repeat_by_seed() {
        let bytes: Vec<u8> = (0..1000).map(|i| i as u8).collect();
        let sizes = |seed| {
            let (source, mut sizes, mut all) = (SplitSource::new(&bytes, seed), Vec::new(), Vec::new());
            let mut buffer = [0; 200];
            while all.len() < bytes.len() {
                let n = source.read_at(all.len() as u64, &mut buffer).unwrap();
                sizes.push(n);
                all.extend_from_slice(&buffer[..n]);
            }
            assert_eq!(all, bytes);
            sizes
        };
        assert!(sizes(1).len() > 5, "reads are short");
        assert_eq!(sizes(1), sizes(1));
        assert_ne!(sizes(1), sizes(2));
    }

    #[test]
    fn a_failing_source_returns_its_bytes_and_then_errors() {
        let source = FailingSource::new(b"abcdef", 4);
        let mut buffer = [0; 3];
        assert_eq!(source.read_at(0, &mut buffer).unwrap(), 3);
        assert_eq!(source.read_at(3, &mut buffer).unwrap(), 1);
        assert!(matches!(source.read_at(4, &mut buffer), Err(Error::Io(IoError::Read(_)))));
        assert_eq!(source.read_at(6, &mut buffer).unwrap(), 0, "the end is the end");
    }

    #[test]
    fn an_arriving_source_returns_all_bytes_or_none() {
        let source = ArrivingSource::new(b"abcdef", 2);
        let mut buffer = [0; 3];
        assert!(source.read_at(0, &mut buffer).unwrap_err().is_not_yet(), "none has come");
        assert!(source.read_at(0, &mut buffer).unwrap_err().is_not_yet(), "two bytes have");
        assert_eq!((source.read_at(0, &mut buffer).unwrap(), &buffer), (3, b"abc"));
    }
}
