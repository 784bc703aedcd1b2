//! Deflate in a zlib stream (TIFF supplement 2), inflated through a window. 24 MP of RGB take 0.23 s of processor time
//! through `fdeflate`, and 0.33 s through zlib-rs directly into the rows.

use deflate::WindowInflater;
use raster::{Budget, Result};

use super::decompress::{Decompress, Segment};
use crate::decode::input::Input;
use crate::error::Cause;

pub(super) struct Deflate<'a> {
    input: Input<'a>,
    inflater: WindowInflater,
}

impl<'a> Deflate<'a> {
    /// The bytes that [`Deflate::new`] charges.
    pub(super) const MEMORY: u64 = WindowInflater::MEMORY;

    pub(super) fn new(input: Input<'a>, budget: &Budget) -> Result<Self> {
        Ok(Self { input, inflater: WindowInflater::new(budget)? })
    }

    /// Inflates until at least one byte is ready.
    fn inflate(&mut self) -> Result<()> {
        while self.inflater.ready().is_empty() {
            let position = self.input.position();
            let bytes = self.input.peek()?;
            let is_at_end = bytes.is_empty();
            let read = self.inflater.feed(bytes).map_err(|error| Cause::Data(error.to_string()).at(position))?;
            self.input.advance(read);
            if self.inflater.ready().is_empty() && (is_at_end || self.inflater.is_done()) {
                return Err(Cause::DataEnds.at(position));
            }
        }
        Ok(())
    }
}

impl Decompress for Deflate<'_> {
    fn begin(&mut self, segment: &Segment) -> Result<()> {
        self.input.enter(segment.span.at, segment.span.len);
        self.inflater.restart();
        Ok(())
    }

    fn fill(&mut self, mut line: &mut [u8]) -> Result<()> {
        while !line.is_empty() {
            self.inflate()?;
            let filled = self.inflater.fill(line);
            line = &mut line[filled..];
        }
        Ok(())
    }
}
