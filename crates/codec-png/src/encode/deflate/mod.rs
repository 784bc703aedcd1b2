//! Deflate, tuned for pictures: one pass, blocks of a fixed size, and no search where nothing repeats.
//!
//! zlib looks for repetitions in a photograph's filtered lines and finds next to nothing, which costs five times what
//! all else does. Here whoever writes says whether the bytes are worth a search ([`Content`]); the rest only get the
//! best code for their frequencies. Measured in `tests/bench`, `png`: ten photographs of the Kodak set take 52 ms instead
//! of 437 for 4 % more bytes, and ten screenshots 203 ms instead of 336 for 4 % fewer.

mod bits;
mod block;
mod huffman;
mod matcher;

use raster::{Budget, Result};
use simd_adler32::Adler32;

use bits::Bits;
use matcher::{HISTORY, Matcher, Search, Sequence, Window};

/// Bytes in a block. Half of it costs graphics 2 % more bytes, twice as many gain nothing.
const BLOCK: usize = 64 * 1024;

/// Sequences in a block at most: matches have four bytes.
const SEQUENCES: usize = BLOCK / 4 + 1;

/// What may be expected of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Noise: nothing repeats.
    Noise,
    /// Graphics, text: worth a search.
    Repeating,
}

/// A zlib stream (RFC 1950) in the making.
pub(crate) struct Deflate {
    /// History, then the block that is being collected.
    window: Vec<u8>,
    /// Where what has come begins.
    oldest: usize,
    filled: usize,
    /// Position of `window[0]` in the stream, modulo 2³².
    origin: u32,
    /// The block's content: up to where it is of which kind.
    parts: Vec<(usize, Content)>,
    matcher: Matcher,
    sequences: Vec<Sequence>,
    /// Bits that a literal took in the block before, in sixteenths.
    literal_bits: u32,
    checksum: Adler32,
    bits: Bits,
}

impl Deflate {
    /// Quick: the place where four bytes were seen last, or nothing.
    pub(crate) const FAST: Effort = Effort(Search { depth: 1, nice: 32, lazy: false });
    /// Eight places; 16 save another percent of graphics for 6 % more time.
    pub(crate) const DEFAULT: Effort = Effort(Search { depth: 8, nice: 128, lazy: true });

    pub(crate) fn new(Effort(search): Effort, budget: &Budget) -> Result<Self> {
        // A block of what cannot be compressed is stored, with five bytes around it.
        budget.charge((SEQUENCES * size_of::<Sequence>() + 2 * BLOCK) as u64)?;
        let mut bits = Bits::default();
        // RFC 1950 §2.2: deflate with 32 KiB of history, no dictionary; the check bits make it a multiple of 31.
        bits.append(&[0x78, 0x5E]);
        Ok(Self {
            window: budget.filled((HISTORY + BLOCK) as u64, 0)?,
            oldest: HISTORY,
            filled: HISTORY,
            origin: 0_u32.wrapping_sub(HISTORY as u32),
            parts: Vec::new(),
            matcher: Matcher::new(search, budget)?,
            sequences: Vec::new(),
            literal_bits: 8 * 16,
            checksum: Adler32::new(),
            bits,
        })
    }

    /// Takes bytes; what is compressed waits in [`Deflate::take`].
    pub(crate) fn write(&mut self, mut bytes: &[u8], content: Content) {
        self.checksum.write(bytes);
        while !bytes.is_empty() {
            let (head, tail) = bytes.split_at(bytes.len().min(self.window.len() - self.filled));
            let end = self.filled + head.len();
            self.window[self.filled..end].copy_from_slice(head);
            self.filled = end;
            match self.parts.last_mut() {
                Some((upto, same)) if *same == content => *upto = end,
                _ => self.parts.push((end, content)),
            }
            if end == self.window.len() {
                self.end_block(false);
            }
            bytes = tail;
        }
    }

    /// Ends the stream.
    pub(crate) fn finish(&mut self) {
        self.end_block(true);
        self.bits.reserve(1);
        self.bits.align();
        self.bits.append(&self.checksum.finish().to_be_bytes());
    }

    /// Hands out what is compressed so far: at most a block and a little.
    pub(crate) fn take(&mut self, with: impl FnOnce(&[u8]) -> Result<()>) -> Result<()> {
        let outcome = with(self.bits.written());
        self.bits.clear();
        outcome
    }

    fn end_block(&mut self, last: bool) {
        let window =
            Window { bytes: &self.window, origin: self.origin, oldest: self.oldest, literal_bits: self.literal_bits };
        self.sequences.clear();
        let (mut run, mut at) = (HISTORY, HISTORY);
        for (end, content) in self.parts.drain(..) {
            if content == Content::Repeating {
                run = self.matcher.parse(&window, (run, at, end), &mut self.sequences);
            }
            at = end;
        }
        self.sequences.push(Sequence { literals: (self.filled - run) as u32, length: 0, distance: 0 });
        let bytes = &self.window[HISTORY..self.filled];
        self.literal_bits = block::write(bytes, &self.sequences, last, &mut self.bits);
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
}

/// How hard to search.
#[derive(Clone, Copy)]
pub(crate) struct Effort(Search);

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use testkit::generate::Lcg;

    const BOTH: [Content; 2] = [Content::Noise, Content::Repeating];

    fn compress(pieces: &[(&[u8], Content)], effort: Effort) -> Vec<u8> {
        let mut deflate = Deflate::new(effort, &Budget::new(&raster::Limits::default())).unwrap();
        let mut out = Vec::new();
        for (bytes, content) in pieces {
            deflate.write(bytes, *content);
            drain(&mut deflate, &mut out);
        }
        deflate.finish();
        drain(&mut deflate, &mut out);
        out
    }

    fn drain(deflate: &mut Deflate, out: &mut Vec<u8>) {
        let append = |bytes: &[u8]| {
            out.extend_from_slice(bytes);
            Ok(())
        };
        deflate.take(append).unwrap();
    }

    /// zlib-rs, which checks the Adler sum too.
    fn inflate(bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        flate2::read::ZlibDecoder::new(bytes).read_to_end(&mut out).unwrap();
        out
    }

    /// Noise, text, runs, an alphabet of four, far and near repetitions, nothing.
    fn materials() -> Vec<Vec<u8>> {
        let mut random = Lcg::new(3);
        let noise: Vec<u8> = (0..200_000).map(|_| random.next_byte()).collect();
        let quaternary = noise.iter().map(|byte| byte & 3).collect();
        let text = include_bytes!("mod.rs").repeat(5);
        let runs = noise.iter().flat_map(|byte| vec![*byte; usize::from(*byte) * 2]).take(400_000).collect();
        let far = [&noise[..32_768], &noise[..32_768], &noise[..40_000], &noise[..40_000]].concat();
        let mixed = [&noise[..70_000], &text, &noise[..70_000]].concat();
        vec![vec![], vec![7], vec![0; 1_000_000], noise, quaternary, text, runs, far, mixed]
    }

    #[test]
    fn everything_comes_back_whatever_the_content_is_called_and_however_it_is_cut() {
        for material in materials() {
            for effort in [Deflate::FAST, Deflate::DEFAULT] {
                for content in BOTH {
                    let whole = compress(&[(&material, content)], effort);
                    assert!(inflate(&whole) == material);
                    let pieces: Vec<_> = material.chunks(7919).map(|piece| (piece, content)).collect();
                    assert!(compress(&pieces, effort) == whole, "the cut shows");
                }
                let alternating: Vec<_> = material.chunks(777).zip(BOTH.into_iter().cycle()).collect();
                assert!(inflate(&compress(&alternating, effort)) == material);
            }
        }
    }

    #[test]
    fn sizes_are_what_the_content_is_worth() {
        let [_, _, zeros, noise, quaternary, text, ..] = <[Vec<u8>; 9]>::try_from(materials()).unwrap();
        let size = |bytes: &[u8], content| compress(&[(bytes, content)], Deflate::DEFAULT).len();
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
    fn positions_may_pass_four_gigabytes() {
        let text = include_bytes!("mod.rs").repeat(20);
        let mut deflate = Deflate::new(Deflate::DEFAULT, &Budget::new(&raster::Limits::default())).unwrap();
        deflate.origin = 0_u32.wrapping_sub(100_000);
        deflate.write(&text, Content::Repeating);
        deflate.finish();
        assert!(inflate(deflate.bits.written()) == text);
    }
}
