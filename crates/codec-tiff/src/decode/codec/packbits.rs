//! PackBits (TIFF 6.0 §9): a count, then that many bytes, or one byte to be repeated that many times.

use raster::Result;

use super::decompress::{Decompress, Segment};
use crate::decode::input::Input;
use crate::error::Cause;

pub(super) struct PackBits<'a> {
    input: Input<'a>,
    run: Run,
}

/// The rest of a run that continues in the next line.
#[derive(Clone, Copy)]
enum Run {
    Literal(usize),
    Repeat(usize, u8),
}

impl<'a> PackBits<'a> {
    pub(super) const fn new(input: Input<'a>) -> Self {
        Self { input, run: Run::Literal(0) }
    }

    fn byte(&mut self) -> Result<u8> {
        self.input.read_byte()?.ok_or_else(|| Cause::DataEnds.at(self.input.position()))
    }

    fn next_run(&mut self) -> Result<Run> {
        Ok(match self.byte()? {
            count @ 0..=127 => Run::Literal(usize::from(count) + 1),
            128 => Run::Literal(0),
            count => Run::Repeat(257 - usize::from(count), self.byte()?),
        })
    }
}

impl Decompress for PackBits<'_> {
    fn begin(&mut self, segment: &Segment) -> Result<()> {
        self.input.enter(segment.span.at, segment.span.len);
        self.run = Run::Literal(0);
        Ok(())
    }

    fn fill(&mut self, mut line: &mut [u8]) -> Result<()> {
        while !line.is_empty() {
            let n = match self.run {
                Run::Literal(0) | Run::Repeat(0, _) => {
                    self.run = self.next_run()?;
                    0
                }
                Run::Literal(count) => {
                    let most = count.min(line.len());
                    let n = self.input.read_full(&mut line[..most])?;
                    if n == 0 {
                        return Err(Cause::DataEnds.at(self.input.position()));
                    }
                    self.run = Run::Literal(count - n);
                    n
                }
                Run::Repeat(count, byte) => {
                    let n = count.min(line.len());
                    line[..n].fill(byte);
                    self.run = Run::Repeat(count - n, byte);
                    n
                }
            };
            line = &mut line[n..];
        }
        Ok(())
    }
}
