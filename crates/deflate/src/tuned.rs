//! A deflate encoder tuned for pictures: one pass, blocks of a fixed size, and no search where nothing repeats.
//!
//! zlib searches a photograph's filtered lines for repetitions and finds almost none, which costs five times as much as
//! everything else. Here the caller states whether bytes are searched ([`Content`]); the other bytes only get the best
//! code for their frequencies. Measured with `tests/bench`, `png`: ten photographs of the Kodak set take 52 ms instead
//! of 437 for 4 % more bytes, and ten screenshots 203 ms instead of 336 for 4 % fewer.

use raster::{Budget, Result};
use simd_adler32::Adler32;

use crate::bit_writer::BitWriter;
use crate::block;
use crate::content::{Content, Output};
use crate::history::HISTORY;
use crate::matcher::{Matcher, Search, Sequence, Span, Window};

/// The bytes in a block. Half as many cost graphics 2 % more bytes, twice as many gain nothing.
const BLOCK: usize = 64 * 1024;

/// The largest number of sequences in a block: matches have at least four bytes.
const SEQUENCES: usize = BLOCK / 4 + 1;

/// The cost of a literal before the first block has been coded: eight bits, in sixteenths of a bit.
const FIRST_LITERAL_BITS: u32 = 8 * 16;

/// RFC 1950 §2.2: deflate with 32 KiB of history, no dictionary; the check bits make it a multiple of 31.
const ZLIB_HEADER: [u8; 2] = [0x78, 0x5E];

/// A writer of a zlib stream.
pub(crate) struct Tuned {
    /// The last [`HISTORY`] bytes of earlier blocks, then the block that is being collected.
    window: Vec<u8>,
    /// The index of the stream's first byte that the window still contains.
    oldest: usize,
    /// The index behind the last collected byte.
    filled: usize,
    /// The position of `window[0]` among all written bytes, modulo 2³². It is not reset for a second stream, so that
    /// the positions which the matcher stored earlier are too far away to match.
    origin: u32,
    /// The kind of the block's bytes: the end of each run in the window, in rising order, all behind the history.
    runs: Vec<(usize, Content)>,
    matcher: Matcher,
    sequences: Vec<Sequence>,
    /// The cost of a literal in the previous block, in sixteenths of a bit.
    literal_bits: u32,
    checksum: Adler32,
    bits: BitWriter,
}

impl Tuned {
    pub(crate) fn new(search: Search, budget: &Budget) -> Result<Self> {
        // A block that cannot be compressed is stored with five bytes around it.
        budget.charge((SEQUENCES * size_of::<Sequence>() + 2 * BLOCK) as u64)?;
        let mut bits = BitWriter::default();
        bits.append(&ZLIB_HEADER);
        Ok(Self {
            window: budget.filled((HISTORY + BLOCK) as u64, 0)?,
            oldest: HISTORY,
            filled: HISTORY,
            origin: 0_u32.wrapping_sub(HISTORY as u32),
            runs: Vec::new(),
            matcher: Matcher::new(search, budget)?,
            sequences: Vec::new(),
            literal_bits: FIRST_LITERAL_BITS,
            checksum: Adler32::new(),
            bits,
        })
    }

    /// Compresses bytes; complete blocks are passed to `output`.
    pub(crate) fn write(&mut self, mut bytes: &[u8], content: Content, output: Output<'_>) -> Result<()> {
        self.checksum.write(bytes);
        while !bytes.is_empty() {
            let (head, tail) = bytes.split_at(bytes.len().min(self.window.len() - self.filled));
            let end = self.filled + head.len();
            self.window[self.filled..end].copy_from_slice(head);
            self.filled = end;
            match self.runs.last_mut() {
                Some((run_end, same)) if *same == content => *run_end = end,
                _ => self.runs.push((end, content)),
            }
            if end == self.window.len() {
                self.end_block(false);
                self.hand_out(output)?;
            }
            bytes = tail;
            self.check();
        }
        Ok(())
    }

    /// Ends the stream and prepares for another.
    pub(crate) fn finish(&mut self, output: Output<'_>) -> Result<()> {
        self.end_block(true);
        self.bits.reserve(1);
        self.bits.align();
        self.bits.append(&self.checksum.finish().to_be_bytes());
        self.hand_out(output)?;
        self.bits.append(&ZLIB_HEADER);
        self.oldest = HISTORY;
        self.literal_bits = FIRST_LITERAL_BITS;
        self.checksum = Adler32::new();
        self.matcher.forgive();
        self.check();
        Ok(())
    }

    fn hand_out(&mut self, output: Output<'_>) -> Result<()> {
        let outcome = output(self.bits.written());
        self.bits.clear();
        outcome
    }

    fn end_block(&mut self, is_last: bool) {
        let window =
            Window { bytes: &self.window, origin: self.origin, oldest: self.oldest, literal_bits: self.literal_bits };
        self.sequences.clear();
        let (mut literals_from, mut start) = (HISTORY, HISTORY);
        for (end, content) in self.runs.drain(..) {
            if content == Content::Repeating {
                let span = Span { literals_from, start, end };
                literals_from = self.matcher.parse(&window, span, &mut self.sequences);
            }
            start = end;
        }
        self.sequences.push(Sequence { literals: (self.filled - literals_from) as u32, length: 0, distance: 0 });
        let bytes = &self.window[HISTORY..self.filled];
        self.literal_bits = block::write(bytes, &self.sequences, is_last, &mut self.bits);
        self.slide();
    }

    /// Keeps the last bytes as history.
    fn slide(&mut self) {
        let gone = self.filled - HISTORY;
        self.window.copy_within(gone..self.filled, 0);
        self.oldest = self.oldest.saturating_sub(gone);
        self.origin = self.origin.wrapping_add(gone as u32);
        self.filled = HISTORY;
    }

    fn check(&self) {
        debug_assert!(self.oldest <= HISTORY && (HISTORY..self.window.len()).contains(&self.filled));
        debug_assert!(self.runs.is_sorted_by_key(|(end, _)| *end));
        debug_assert_eq!(self.runs.last().map_or(HISTORY, |(end, _)| *end), self.filled);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use testkit::generate::Lcg;

    const BOTH: [Content; 2] = [Content::Noise, Content::Repeating];

    const FAST: Search = Search { depth: 1, nice: 32, lazy: false };
    const DEFAULT: Search = Search { depth: 8, nice: 128, lazy: true };

    fn tuned(search: Search) -> Tuned {
        Tuned::new(search, &Budget::new(&raster::Limits::default())).unwrap()
    }

    fn compress(pieces: &[(&[u8], Content)], search: Search) -> Vec<u8> {
        compress_by(&mut tuned(search), pieces)
    }

    fn compress_by(tuned: &mut Tuned, pieces: &[(&[u8], Content)]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut append = |bytes: &[u8]| {
            out.extend_from_slice(bytes);
            Ok(())
        };
        for (bytes, content) in pieces {
            tuned.write(bytes, *content, &mut append).unwrap();
        }
        tuned.finish(&mut append).unwrap();
        out
    }

    /// Inflates with zlib-rs, which checks the Adler-32 checksum too.
    fn inflate(bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        flate2::read::ZlibDecoder::new(bytes).read_to_end(&mut out).unwrap();
        out
    }

    /// Returns noise, text, runs, an alphabet of four, far and near repetitions, and nothing.
    fn materials() -> Vec<Vec<u8>> {
        let mut random = Lcg::new(3);
        let noise: Vec<u8> = (0..200_000).map(|_| random.next_byte()).collect();
        let quaternary = noise.iter().map(|byte| byte & 3).collect();
        let text = include_bytes!("../../../LICENSE-APACHE").repeat(5);
        let runs = noise.iter().flat_map(|byte| vec![*byte; usize::from(*byte) * 2]).take(400_000).collect();
        let far = [&noise[..32_768], &noise[..32_768], &noise[..40_000], &noise[..40_000]].concat();
        let mixed = [&noise[..70_000], &text, &noise[..70_000]].concat();
        vec![vec![], vec![7], vec![0; 1_000_000], noise, quaternary, text, runs, far, mixed]
    }

    #[test]
    fn all_bytes_come_back_for_every_content_and_division() {
        for material in materials() {
            for search in [FAST, DEFAULT] {
                for content in BOTH {
                    let whole = compress(&[(&material, content)], search);
                    assert!(inflate(&whole) == material);
                    let pieces: Vec<_> = material.chunks(7919).map(|piece| (piece, content)).collect();
                    assert!(compress(&pieces, search) == whole, "the division of the input changes the bytes");
                }
                let alternating: Vec<_> = material.chunks(777).zip(BOTH.into_iter().cycle()).collect();
                assert!(inflate(&compress(&alternating, search)) == material);
            }
        }
    }

    #[test]
    fn compressed_sizes_match_the_content() {
        let [_, _, zeros, noise, quaternary, text, ..] = <[Vec<u8>; 9]>::try_from(materials()).unwrap();
        let size = |bytes: &[u8], content| compress(&[(bytes, content)], DEFAULT).len();
        assert!(size(&zeros, Content::Repeating) < 2_000);
        for content in BOTH {
            let overhead = size(&noise, content) - noise.len();
            assert!(overhead < 50, "stored blocks: {overhead}");
        }
        assert!(size(&quaternary, Content::Noise) < quaternary.len() * 9 / 32 + 400, "two bits, and three for one");
        let zlib = {
            let mut encoder = flate2::read::ZlibEncoder::new(text.as_slice(), flate2::Compression::new(6));
            let mut out = Vec::new();
            encoder.read_to_end(&mut out).unwrap();
            out.len()
        };
        let ours = size(&text, Content::Repeating);
        assert!(ours * 20 < zlib * 21, "{ours} against zlib's {zlib}");
    }

    #[test]
    fn positions_may_exceed_four_gigabytes() {
        let text = include_bytes!("../../../LICENSE-APACHE").repeat(20);
        let mut tuned = tuned(DEFAULT);
        tuned.origin = 0_u32.wrapping_sub(100_000);
        assert!(inflate(&compress_by(&mut tuned, &[(&text, Content::Repeating)])) == text);
    }
}
