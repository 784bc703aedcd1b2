//! ThunderScan: four-bit greys as runs, differences of two or three bits, or plain values. Every line starts from
//! black.

use raster::Result;

use super::decompress::{Decompress, Segment};
use crate::decode::input::Input;
use crate::error::Cause;

pub(super) struct Thunder<'a> {
    input: Input<'a>,
    width: usize,
}

impl<'a> Thunder<'a> {
    pub(super) const fn new(input: Input<'a>) -> Self {
        Self { input, width: 0 }
    }
}

/// The differences that codes of two and three bits stand for; the middle codes mean no pixel.
const STEPS_OF_TWO: [Option<u8>; 4] = [Some(0), Some(1), None, Some(15)];
const STEPS_OF_THREE: [Option<u8>; 8] = [Some(0), Some(1), Some(2), Some(3), None, Some(13), Some(14), Some(15)];

impl Decompress for Thunder<'_> {
    fn begin(&mut self, segment: &Segment) -> Result<()> {
        self.input.enter(segment.span.at, segment.span.len);
        self.width = segment.width as usize;
        Ok(())
    }

    fn fill(&mut self, line: &mut [u8]) -> Result<()> {
        let mut pixels = Pixels { line, next: 0, width: self.width, last: 0 };
        while pixels.next < self.width {
            let code = self.input.read_byte()?.ok_or_else(|| Cause::DataEnds.at(self.input.position()))?;
            match code >> 6 {
                0 => (0..code & 63).for_each(|_| pixels.step(0)),
                1 => [4, 2, 0]
                    .into_iter()
                    .filter_map(|by| STEPS_OF_TWO[usize::from(code >> by & 3)])
                    .for_each(|step| pixels.step(step)),
                2 => [3, 0]
                    .into_iter()
                    .filter_map(|by| STEPS_OF_THREE[usize::from(code >> by & 7)])
                    .for_each(|step| pixels.step(step)),
                _ => {
                    pixels.last = code & 15;
                    pixels.step(0);
                }
            }
        }
        Ok(())
    }
}

struct Pixels<'l> {
    line: &'l mut [u8],
    next: usize,
    width: usize,
    last: u8,
}

impl Pixels<'_> {
    /// Appends the last pixel plus `step`, modulo 16; pixels beyond the line are dropped.
    fn step(&mut self, step: u8) {
        self.last = (self.last + step) & 15;
        if self.next >= self.width {
            return;
        }
        let byte = &mut self.line[self.next / 2];
        *byte = if self.next.is_multiple_of(2) { self.last << 4 } else { *byte & 0xF0 | self.last };
        self.next += 1;
    }
}
