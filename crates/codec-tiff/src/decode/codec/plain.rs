//! No compression.

use raster::Result;

use super::decompress::{Decompress, Segment};
use crate::decode::input::Input;
use crate::error::Cause;

pub(super) struct Plain<'a> {
    input: Input<'a>,
}

impl<'a> Plain<'a> {
    pub(super) const fn new(input: Input<'a>) -> Self {
        Self { input }
    }
}

impl Decompress for Plain<'_> {
    fn begin(&mut self, segment: &Segment) -> Result<()> {
        // Some writers store a wrong length; the length of the picture's data is used instead.
        self.input.enter(segment.span.at, segment.bytes);
        Ok(())
    }

    fn fill(&mut self, line: &mut [u8]) -> Result<()> {
        if self.input.read_full(line)? < line.len() {
            return Err(Cause::DataEnds.at(self.input.position()));
        }
        Ok(())
    }
}
