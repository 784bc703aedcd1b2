//! LZW (TIFF 6.0 §13), through `weezl`, straight into the caller's rows. Files older than TIFF 5 wrote codes from the
//! low bit on, one code later wider, and start with a clear code that tells them apart: 256 in nine bits is 0x00, 0x01.

use raster::{Budget, Result};
use weezl::decode::Decoder;
use weezl::{BitOrder, LzwStatus};

use super::{Decompress, Input, Piece};
use crate::error::Cause;

/// A bound on what the library allocates: tables of 4 096 codes and a buffer.
const MEMORY: u64 = 128 * 1024;

pub(super) struct Lzw<'a> {
    input: Input<'a>,
    decoder: Decoder,
    is_old: bool,
}

impl<'a> Lzw<'a> {
    pub(super) fn new(input: Input<'a>, budget: &Budget) -> Result<Self> {
        budget.charge(MEMORY)?;
        Ok(Self { input, decoder: decoder(false), is_old: false })
    }
}

fn decoder(is_old: bool) -> Decoder {
    if is_old { Decoder::new(BitOrder::Lsb, 8) } else { Decoder::with_tiff_size_switch(BitOrder::Msb, 8) }
}

impl Decompress for Lzw<'_> {
    fn begin(&mut self, piece: &Piece) -> Result<()> {
        let mut head = [0xFF; 2];
        self.input.begin(piece.span.at, piece.span.len);
        self.input.read_full(&mut head)?;
        self.input.begin(piece.span.at, piece.span.len);
        let is_old = head[0] == 0 && head[1] & 1 == 1;
        if is_old == self.is_old {
            self.decoder.reset();
        } else {
            self.decoder = decoder(is_old);
            self.is_old = is_old;
        }
        Ok(())
    }

    fn fill(&mut self, mut line: &mut [u8]) -> Result<()> {
        while !line.is_empty() {
            let position = self.input.position();
            let bytes = self.input.peek()?;
            let at_end = bytes.is_empty();
            let result = self.decoder.decode_bytes(bytes, line);
            self.input.advance(result.consumed_in);
            line = &mut line[result.consumed_out..];
            match result.status {
                Err(error) => return Err(Cause::Data(error.to_string()).at(position)),
                Ok(_) if line.is_empty() => {}
                Ok(LzwStatus::Done) => return Err(Cause::DataEnds.at(position)),
                Ok(_) if at_end && result.consumed_out == 0 => return Err(Cause::DataEnds.at(position)),
                Ok(_) => {}
            }
        }
        Ok(())
    }
}
