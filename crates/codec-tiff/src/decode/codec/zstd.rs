//! Zstandard (compression 50000, libtiff's), through `ruzstd`.

use std::io::Read;

use raster::{Budget, Result};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::{Decompress, Input, Piece};
use crate::error::Cause;

/// The largest window a frame may ask for; levels up to 19 need 8 MiB, RFC 8878 §3.1.1.1.2 has all decoders accept
/// that.
const MAX_WINDOW: u64 = 32 << 20;
/// Blocks of 128 KiB in and out, entropy tables.
const MEMORY: u64 = 1 << 20;

pub(super) struct Zstd<'a> {
    input: Input<'a>,
    decoder: FrameDecoder,
    budget: Budget,
    charged: u64,
}

impl<'a> Zstd<'a> {
    pub(super) fn new(input: Input<'a>, budget: &Budget) -> Self {
        Self { input, decoder: FrameDecoder::new(), budget: budget.clone(), charged: 0 }
    }
}

impl Decompress for Zstd<'_> {
    fn begin(&mut self, piece: &Piece) -> Result<()> {
        // A frame that fits into one block of memory is its own window.
        let most = MAX_WINDOW.min(piece.bytes.next_power_of_two().max(1 << 20) * 2);
        let need = 2 * most + MEMORY;
        self.budget.charge(need.saturating_sub(self.charged))?;
        self.charged = self.charged.max(need);
        self.decoder.set_max_window_size(most);
        self.input.begin(piece.span.at, piece.span.len);
        self.decoder.init(&mut self.input).map_err(|error| self.input.blame(&error))
    }

    fn fill(&mut self, mut line: &mut [u8]) -> Result<()> {
        while !line.is_empty() {
            while self.decoder.can_collect() == 0 {
                if self.decoder.is_finished() {
                    return Err(Cause::DataEnds.at(self.input.position()));
                }
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
