//! The bytes of strips and tiles. FillOrder 2 is undone here; the decompressors do not see it.

use std::io::{self, Read};

use raster::bytes::WINDOW;
use raster::{Budget, ByteSource, Cursor, Error, Result};

use crate::error::Cause;

/// A cursor over the file, one segment after another. Its window stays valid when the next segment is close.
pub(super) type Input<'a> = Cursor<FillOrder<'a>>;

/// The file with its bits in the order that the decompressors expect (TIFF 6.0 §8, FillOrder).
pub(super) struct FillOrder<'a> {
    source: &'a dyn ByteSource,
    is_reversed: bool,
}

impl ByteSource for FillOrder<'_> {
    fn byte_len(&self) -> u64 {
        self.source.byte_len()
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize> {
        let n = self.source.read_at(offset, into)?;
        if self.is_reversed {
            into[..n].iter_mut().for_each(|byte| *byte = byte.reverse_bits());
        }
        Ok(n)
    }
}

/// Returns the bytes of memory of an input.
pub(super) fn memory(source: &dyn ByteSource) -> u64 {
    source.byte_len().min(WINDOW as u64)
}

/// Creates an input without a current segment. `is_reversed` reverses the bits of every byte.
///
/// # Errors
/// `Limit`.
pub(super) fn input<'a>(source: &'a dyn ByteSource, is_reversed: bool, budget: &Budget) -> Result<Input<'a>> {
    budget.charge(memory(source))?;
    let mut input = Cursor::new(FillOrder { source, is_reversed }, 0);
    input.enter(0, 0);
    Ok(input)
}

/// An input for libraries that require a stream of `std`. They do not pass on the cause of a failure, so it is kept
/// here.
pub(super) struct Stream<'a> {
    pub(super) input: Input<'a>,
    failure: Option<Error>,
}

impl<'a> Stream<'a> {
    pub(super) const fn new(input: Input<'a>) -> Self {
        Self { input, failure: None }
    }

    /// Returns the error behind a library's error: a failed read, or damaged data.
    pub(super) fn explain(&mut self, why: &impl ToString) -> Error {
        let at = self.input.position();
        self.failure.take().unwrap_or_else(|| Cause::Data(why.to_string()).at(at))
    }
}

impl Read for Stream<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.input.read_full(into).map_err(|failure| {
            self.failure = Some(failure);
            io::Error::other("reading failed")
        })
    }
}
