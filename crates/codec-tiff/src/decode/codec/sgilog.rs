//! SGI's run-length code for LogLuv. The bytes of all codes of a line are stored in planes, most significant first, and
//! each plane in runs. Lines are little-endian codes.

use raster::Result;

use super::decompress::{Decompress, Segment};
use crate::decode::input::Input;
use crate::error::Cause;

pub(super) struct SgiLog<'a> {
    input: Input<'a>,
    code_bytes: usize,
}

impl<'a> SgiLog<'a> {
    pub(super) fn new(input: Input<'a>, code_bytes: u16) -> Self {
        Self { input, code_bytes: code_bytes.into() }
    }

    fn byte(&mut self) -> Result<u8> {
        self.input.read_byte()?.ok_or_else(|| Cause::DataEnds.at(self.input.position()))
    }
}

impl Decompress for SgiLog<'_> {
    fn begin(&mut self, segment: &Segment) -> Result<()> {
        self.input.enter(segment.span.at, segment.span.len);
        Ok(())
    }

    fn fill(&mut self, line: &mut [u8]) -> Result<()> {
        for plane in (0..self.code_bytes).rev() {
            let mut places = line.iter_mut().skip(plane).step_by(self.code_bytes);
            let mut left = places.len();
            while left > 0 {
                let head = usize::from(self.byte()?);
                let (count, repeated) = if head < 128 { (head, None) } else { (head - 126, Some(self.byte()?)) };
                let count = count.min(left);
                for _ in 0..count {
                    let byte = match repeated {
                        Some(byte) => byte,
                        None => self.byte()?,
                    };
                    places.next().into_iter().for_each(|place| *place = byte);
                }
                left -= count;
            }
        }
        Ok(())
    }
}
