//! Zstandard (compression 50000, libtiff's), through `ruzstd`, block by block.

use std::io::Read;

use raster::{Budget, Result};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::{Decompress, Input, Piece};
use crate::error::Cause;

/// The largest window a frame may ask for: that of the highest level of `zstd`.
const MAX_WINDOW: u64 = 128 << 20;
/// The largest block (RFC 8878 §3.1.1.2.4).
const BLOCK: u64 = 128 << 10;
/// Blocks in and out, entropy tables.
const MEMORY: u64 = 1 << 20;

pub(super) struct Zstd<'a> {
    input: Input<'a>,
    decoder: FrameDecoder,
    /// What matches may reach back for; the library holds so much back, but no more than it has decoded.
    window: u64,
    blocks: u64,
    budget: Budget,
    charged: u64,
}

impl<'a> Zstd<'a> {
    pub(super) fn new(input: Input<'a>, budget: &Budget) -> Self {
        Self { input, decoder: FrameDecoder::new(), window: 0, blocks: 0, budget: budget.clone(), charged: 0 }
    }

    /// Pays for the next block: the library's buffer grows by doubling.
    fn charge(&mut self) -> Result<()> {
        self.blocks += 1;
        let need = 2 * self.window.min(self.blocks.saturating_mul(BLOCK)) + MEMORY;
        self.budget.charge(need.saturating_sub(self.charged))?;
        self.charged = self.charged.max(need);
        Ok(())
    }
}

/// The window that a frame's header asks for (RFC 8878 §3.1.1.1); frames without one hold all they have.
fn window(head: &[u8]) -> u64 {
    match head {
        [0x28, 0xB5, 0x2F, 0xFD, descriptor, window, ..] if descriptor & 0x20 == 0 => {
            let base = 1_u64 << (10 + (window >> 3));
            base + base / 8 * u64::from(window & 7)
        }
        _ => MAX_WINDOW,
    }
}

impl Decompress for Zstd<'_> {
    fn begin(&mut self, piece: &Piece) -> Result<()> {
        let mut head = [0; 6];
        self.input.begin(piece.span.at, piece.span.len);
        self.input.read_full(&mut head)?;
        self.input.begin(piece.span.at, piece.span.len);
        (self.window, self.blocks) = (window(&head), 0);
        self.charge()?;
        // A used decoder would reserve the whole window at once.
        self.decoder = FrameDecoder::new();
        self.decoder.set_max_window_size(MAX_WINDOW);
        self.decoder.init(&mut self.input).map_err(|error| self.input.blame(&error))
    }

    fn fill(&mut self, mut line: &mut [u8]) -> Result<()> {
        while !line.is_empty() {
            while self.decoder.can_collect() == 0 {
                if self.decoder.is_finished() {
                    return Err(Cause::DataEnds.at(self.input.position()));
                }
                self.charge()?;
                self.decoder
                    .decode_blocks(&mut self.input, BlockDecodingStrategy::UptoBlocks(1))
                    .map_err(|error| self.input.blame(&error))?;
            }
            let n = self.decoder.read(line).map_err(|error| self.input.blame(&error))?;
            line = &mut line[n..];
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_those_of_the_header() {
        let of = |descriptor, code| window(&[0x28, 0xB5, 0x2F, 0xFD, descriptor, code]);
        assert_eq!([of(0, 0), of(0, 1), of(0, 13 << 3)], [1024, 1152, 8 << 20]);
        assert_eq!([of(0x20, 0), window(b"")], [MAX_WINDOW; 2], "bounded by what is decoded");
    }
}
