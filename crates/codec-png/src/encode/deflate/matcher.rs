//! The search for repetitions: hash chains, as in zlib, over four bytes.

use raster::{Budget, Result};

/// How far back a match may lie (RFC 1951 §2).
pub(super) const HISTORY: usize = 32 * 1024;

/// Bytes that the hash looks at, and so the shortest match.
const SHORTEST: usize = 4;

/// Bytes of the longest match.
const LONGEST: usize = 258;

const HASH_BITS: u32 = 15;

/// Where nothing repeats, the search goes ahead by one more byte for each so many bytes without a match, up to
/// [`STRIDE`]; a matched byte makes up for [`FORGIVEN`]. A photograph amid graphics then costs little.
const PATIENCE: u32 = 32;
const STRIDE: u32 = 64;
const FORGIVEN: u32 = 8;

/// A match is worth having where it takes fewer bits than its bytes would: about so many, and those of the distance.
const MATCH_BITS: u32 = 12;

/// Positions inside a match that are remembered: all of a short one, some at either end of a long run.
const SHORT: usize = 40;
const REMEMBERED: usize = 8;

/// How hard to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Search {
    /// Earlier places that are compared.
    pub(super) depth: u32,
    /// A match of so many bytes is good enough.
    pub(super) nice: usize,
    /// Whether the next byte may start a longer one.
    pub(super) lazy: bool,
}

/// Literals, then a repetition; the last of a block has none, and length 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sequence {
    pub(super) literals: u32,
    pub(super) length: u16,
    pub(super) distance: u16,
}

/// A part of the window that is to be searched.
#[derive(Clone, Copy)]
pub(super) struct Window<'a> {
    pub(super) bytes: &'a [u8],
    /// Position of `bytes[0]` in the stream, modulo 2³².
    pub(super) origin: u32,
    /// Where what has come begins.
    pub(super) oldest: usize,
    /// Bits that a literal takes, in sixteenths.
    pub(super) literal_bits: u32,
}

#[derive(Clone, Copy)]
struct Match {
    length: usize,
    distance: usize,
}

/// Where four bytes were seen last, and where before that. Positions count modulo 2³², and stale ones do no harm: a
/// candidate counts only if it lies in the window, farther back than the one before, and if its bytes are the same.
pub(super) struct Matcher {
    search: Search,
    head: Vec<u32>,
    previous: Vec<u32>,
    /// Bytes without a match, less what was forgiven.
    misses: u32,
}

impl Matcher {
    pub(super) fn new(search: Search, budget: &Budget) -> Result<Self> {
        let head = budget.filled(1 << HASH_BITS, 0)?;
        Ok(Self { search, head, previous: budget.filled(HISTORY as u64, 0)?, misses: 0 })
    }

    /// Finds what repeats from `at` to `end`; literals count from `run` on. Says where the last match ends.
    pub(super) fn parse(
        &mut self,
        window: &Window<'_>,
        (mut run, mut at, end): (usize, usize, usize),
        sequences: &mut Vec<Sequence>,
    ) -> usize {
        while at + 2 * SHORTEST <= end {
            let mut found = self.longest(window, at, end, 0);
            if found.distance == 0 || !is_worthwhile(found, window.literal_bits) {
                self.misses += 1;
                at += 1 + (self.misses / PATIENCE).min(STRIDE) as usize;
                continue;
            }
            if self.misses >= PATIENCE {
                let back = backwards(window, run, at, found);
                (at, found.length) = (at - back, found.length + back);
            }
            self.misses = self.misses.saturating_sub(found.length as u32 * FORGIVEN);
            while self.search.lazy && found.length < self.search.nice && at + 1 + 2 * SHORTEST <= end {
                let later = self.longest(window, at + 1, end, found.length);
                if later.distance == 0 {
                    break;
                }
                (at, found) = (at + 1, later);
            }
            let (length, distance) = (found.length as u16, found.distance as u16);
            sequences.push(Sequence { literals: (at - run) as u32, length, distance });
            self.remember(window, at + 1, (at + found.length).min(end - SHORTEST));
            at += found.length;
            run = at;
        }
        run
    }

    /// Remembers `at` and finds the longest match there of more than `least` bytes; distance 0 when there is none.
    #[inline(always)]
    fn longest(&mut self, window: &Window<'_>, at: usize, end: usize, least: usize) -> Match {
        let Search { depth, nice, .. } = self.search;
        let bytes = window.bytes;
        let most = LONGEST.min(end - at);
        let here = window.origin.wrapping_add(at as u32);
        let first = four(bytes, at);
        let mut candidate = self.insert(first, here);
        let mut best = Match { length: least.max(SHORTEST - 1), distance: 0 };
        let mut distance = 0;
        for _ in 0..depth {
            let farther = here.wrapping_sub(candidate) as usize;
            if farther <= distance || farther > HISTORY || farther > at - window.oldest || best.length >= most {
                break;
            }
            distance = farther;
            let from = at - distance;
            if four(bytes, from) == first && bytes[from + best.length] == bytes[at + best.length] {
                let length = common(&bytes[from..from + most], &bytes[at..at + most]);
                if length > best.length {
                    best = Match { length, distance };
                }
                if length >= nice {
                    break;
                }
            }
            candidate = self.previous[candidate as usize % HISTORY];
        }
        best
    }

    /// Notes that four bytes stand `here`, and says where they stood last.
    #[inline(always)]
    fn insert(&mut self, bytes: u32, here: u32) -> u32 {
        // Knuth's multiplier, 2³² over the golden ratio.
        let slot = bytes.wrapping_mul(0x9E37_79B1) >> (32 - HASH_BITS);
        let last = core::mem::replace(&mut self.head[slot as usize], here);
        self.previous[here as usize % HISTORY] = last;
        last
    }

    fn remember(&mut self, window: &Window<'_>, from: usize, to: usize) {
        let ends = if to.saturating_sub(from) <= SHORT { SHORT } else { REMEMBERED };
        let head = from..to.min(from + ends);
        let tail = head.end.max(to.saturating_sub(ends))..to;
        for at in head.chain(tail) {
            self.insert(four(window.bytes, at), window.origin.wrapping_add(at as u32));
        }
    }
}

fn is_worthwhile(found: Match, literal_bits: u32) -> bool {
    let bits = MATCH_BITS + found.distance.ilog2().saturating_sub(1);
    found.length as u32 * literal_bits > bits * 16
}

/// Bytes before `at`, down to `run`, that belong to the match too: the search may have stepped over its beginning.
fn backwards(window: &Window<'_>, run: usize, at: usize, found: Match) -> usize {
    let most = (at - run).min(LONGEST - found.length).min(at - found.distance - window.oldest);
    let same = |back: &usize| window.bytes[at - back] == window.bytes[at - back - found.distance];
    (1..=most).take_while(same).count()
}

#[inline(always)]
fn four(bytes: &[u8], at: usize) -> u32 {
    bytes[at..].first_chunk().map_or(0, |four| u32::from_le_bytes(*four))
}

/// How many bytes are the same from the start.
#[inline(always)]
fn common(a: &[u8], b: &[u8]) -> usize {
    let eights = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0);
    let mut length = 0;
    for (a, b) in eights {
        let differs = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        if differs != 0 {
            return length + differs.trailing_zeros() as usize / 8;
        }
        length += 8;
    }
    length + a[length..].iter().zip(&b[length..]).take_while(|(a, b)| a == b).count()
}
