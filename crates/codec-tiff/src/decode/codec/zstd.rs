//! Zstandard (compression 50000 of libtiff), through `ruzstd`, block by block.

use std::io::Read;

use raster::{Budget, Result};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::decompress::{Decompress, Segment};
use crate::decode::input::{Input, Stream};
use crate::error::Cause;

/// The largest window that a frame may request: the window of the highest level of `zstd`.
const MAX_WINDOW: u64 = 128 << 20;
/// The largest block (RFC 8878 §3.1.1.2.4).
const BLOCK: u64 = 128 << 10;
/// The memory of blocks, input, output and entropy tables.
const MEMORY: u64 = 1 << 20;

pub(super) struct Zstd<'a> {
    stream: Stream<'a>,
    decoder: FrameDecoder,
    /// The window in which matches may lie. The library holds this much, but no more than it has decoded.
    window: u64,
    blocks: u64,
    budget: Budget,
    /// The budget that is charged for the library's memory for a segment.
    memory: Budget,
    charged: u64,
}

impl<'a> Zstd<'a> {
    pub(super) fn new(input: Input<'a>, budget: &Budget) -> Self {
        let (stream, decoder, memory) = (Stream::new(input), FrameDecoder::new(), budget.scope());
        Self { stream, decoder, window: 0, blocks: 0, budget: budget.clone(), memory, charged: 0 }
    }

    /// Charges the memory of the next block: the library's buffer grows by doubling.
    fn charge(&mut self) -> Result<()> {
        self.blocks += 1;
        let need = 2 * self.window.min(self.blocks.saturating_mul(BLOCK)) + MEMORY;
        self.memory.charge(need.saturating_sub(self.charged))?;
        self.charged = self.charged.max(need);
        Ok(())
    }
}

/// Returns the window that a frame's header requests (RFC 8878 §3.1.1.1). Frames without one hold all their content.
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
    fn begin(&mut self, segment: &Segment) -> Result<()> {
        let (mut head, input) = ([0; 6], &mut self.stream.input);
        input.enter(segment.span.at, segment.span.len);
        input.read_full(&mut head)?;
        input.enter(segment.span.at, segment.span.len);
        // A used decoder would reserve the whole window at once.
        self.decoder = FrameDecoder::new();
        self.decoder.set_max_window_size(MAX_WINDOW);
        (self.memory, self.charged) = (self.budget.scope(), 0);
        (self.window, self.blocks) = (window(&head), 0);
        self.charge()?;
        self.decoder.init(&mut self.stream).map_err(|error| self.stream.explain(&error))
    }

    fn fill(&mut self, mut line: &mut [u8]) -> Result<()> {
        while !line.is_empty() {
            while self.decoder.can_collect() == 0 {
                if self.decoder.is_finished() {
                    return Err(Cause::DataEnds.at(self.stream.input.position()));
                }
                self.charge()?;
                self.decoder
                    .decode_blocks(&mut self.stream, BlockDecodingStrategy::UptoBlocks(1))
                    .map_err(|error| self.stream.explain(&error))?;
            }
            let n = self.decoder.read(line).map_err(|error| self.stream.explain(&error))?;
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
