//! The interface between two stages: rows of stored pixels, polled one by one.

use core::task::Poll;

use raster::{PixelFormat, Result, RowReader, Size};

use crate::progress::Progress;

/// A stage's rows, top to bottom.
pub(crate) trait Rows {
    /// Writes the next row; `row` has exactly its length.
    ///
    /// `Pending` means that the row is not ready: a bounded part of its work is done, or the reader waits for bytes.
    /// The caller repeats the same call. Between two calls the job may pause.
    fn poll_row(&mut self, row: &mut [u8]) -> Poll<Result<()>>;
}

impl Rows for Box<dyn Rows + '_> {
    fn poll_row(&mut self, row: &mut [u8]) -> Poll<Result<()>> {
        (**self).poll_row(row)
    }
}

/// The size and pixel format of a picture between two stages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shape {
    pub(crate) size: Size,
    pub(crate) pixels: PixelFormat,
}

impl Shape {
    /// Returns the bytes in a row.
    pub(crate) const fn row_bytes(self) -> u64 {
        self.pixels.row_bytes(self.size.width)
    }
}

/// The rows of a reader, the input of the first stage. It counts them.
pub(crate) struct Source<'a, 'p> {
    rows: &'a mut dyn RowReader,
    progress: &'a Progress<'p>,
}

impl<'a, 'p> Source<'a, 'p> {
    pub(crate) const fn new(rows: &'a mut dyn RowReader, progress: &'a Progress<'p>) -> Self {
        Self { rows, progress }
    }
}

impl Rows for Source<'_, '_> {
    fn poll_row(&mut self, row: &mut [u8]) -> Poll<Result<()>> {
        match self.rows.read_row(row) {
            Err(error) if error.is_not_yet() => Poll::Pending,
            result => {
                self.progress.step();
                Poll::Ready(result)
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Rows in memory, as a stage that returns `Pending` before each of them.
    pub(crate) struct Memory {
        bytes: Vec<u8>,
        next: usize,
        was_asked: bool,
    }

    impl Memory {
        pub(crate) const fn new(bytes: Vec<u8>) -> Self {
            Self { bytes, next: 0, was_asked: false }
        }
    }

    impl Rows for Memory {
        fn poll_row(&mut self, row: &mut [u8]) -> Poll<Result<()>> {
            self.was_asked = !self.was_asked;
            if self.was_asked {
                return Poll::Pending;
            }
            row.copy_from_slice(&self.bytes[self.next..][..row.len()]);
            self.next += row.len();
            Poll::Ready(Ok(()))
        }
    }

    /// Polls the next row until it is ready.
    pub(crate) fn read_row(rows: &mut dyn Rows, row: &mut [u8]) -> Result<()> {
        loop {
            if let Poll::Ready(result) = rows.poll_row(row) {
                return result;
            }
        }
    }
}
