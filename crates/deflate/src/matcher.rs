//! The search for repetitions: hash chains over four bytes, as in zlib.

use raster::{Budget, Result, fibonacci_slot};

use crate::history::HISTORY;

/// The number of hashed bytes, which is the length of the shortest match.
const SHORTEST: usize = 4;

/// The length of the longest match.
const LONGEST: usize = 258;

const HASH_BITS: u32 = 15;

/// Where nothing repeats, the search takes longer steps, so that a photograph among graphics costs little. The step
/// grows by one byte for every `PATIENCE` positions without a match, by at most `STRIDE`. Each byte of a match cancels
/// `FORGIVEN` misses.
const PATIENCE: u32 = 32;
const STRIDE: u32 = 64;
const FORGIVEN: u32 = 8;

/// The approximate cost of a match in bits, without the extra bits of its distance. A match is used when it costs less
/// than its bytes would as literals.
const MATCH_BITS: u32 = 12;

/// Which positions inside a match are stored: all of a match up to `SHORT` bytes, `REMEMBERED` of them at either end of
/// a longer match. Otherwise a long run of equal bytes would fill the chains with equivalent positions.
const SHORT: usize = 40;
const REMEMBERED: usize = 8;

/// The effort of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Search {
    /// The largest number of earlier positions that are compared.
    pub(crate) depth: u32,
    /// The length of a match that ends the search.
    pub(crate) nice: usize,
    /// Whether a longer match that starts at the next byte is preferred.
    pub(crate) lazy: bool,
}

/// Literals, then a match. The last sequence of a block has no match: its length is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sequence {
    pub(crate) literals: u32,
    pub(crate) length: u16,
    pub(crate) distance: u16,
}

/// The bytes that are searched.
#[derive(Clone, Copy)]
pub(crate) struct Window<'a> {
    pub(crate) bytes: &'a [u8],
    /// The position of `bytes[0]` in the stream, modulo 2³².
    pub(crate) origin: u32,
    /// The index of the stream's first byte that `bytes` still contains.
    pub(crate) oldest: usize,
    /// The cost of a literal, in sixteenths of a bit.
    pub(crate) literal_bits: u32,
}

/// The part of a window that [`Matcher::parse`] divides into sequences, as indices.
#[derive(Clone, Copy)]
pub(crate) struct Span {
    /// The first byte that does not belong to a sequence yet.
    pub(crate) literals_from: usize,
    /// The start of the search; bytes before it are literals.
    pub(crate) start: usize,
    /// The end of the search.
    pub(crate) end: usize,
}

#[derive(Clone, Copy)]
struct Match {
    length: usize,
    distance: usize,
}

/// The hash chains: the last position of each hash, and for each position the previous one.
///
/// Positions count modulo 2³². Entries are never cleared, and stale entries are harmless: a candidate counts only if it
/// lies in the window, is farther back than the previous candidate, and has the same bytes.
pub(crate) struct Matcher {
    search: Search,
    /// For each hash, its last position.
    head: Vec<u32>,
    /// For each position, modulo [`HISTORY`], the previous position with the same hash.
    previous: Vec<u32>,
    /// The number of positions without a match, minus the misses that matches have cancelled.
    misses: u32,
}

impl Matcher {
    pub(crate) fn new(search: Search, budget: &Budget) -> Result<Self> {
        let head = budget.filled(1 << HASH_BITS, 0)?;
        Ok(Self { search, head, previous: budget.filled(HISTORY as u64, 0)?, misses: 0 })
    }

    /// Resets the misses for a new stream.
    pub(crate) const fn forgive(&mut self) {
        self.misses = 0;
    }

    /// Finds the matches of `span` and appends a sequence for each. Returns the end of the last match.
    pub(crate) fn parse(&mut self, window: &Window<'_>, span: Span, sequences: &mut Vec<Sequence>) -> usize {
        let Span { mut literals_from, start: mut at, end } = span;
        debug_assert!(window.oldest <= literals_from && literals_from <= at && at <= end);
        while at + 2 * SHORTEST <= end {
            let mut found = self.longest(window, at, end, 0);
            if found.distance == 0 || !is_worthwhile(found, window.literal_bits) {
                self.misses += 1;
                at += 1 + (self.misses / PATIENCE).min(STRIDE) as usize;
                continue;
            }
            // A step of more than one byte may have passed the start of the match.
            if self.misses >= PATIENCE {
                let back = backwards(window, literals_from, at, found);
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
            sequences.push(Sequence { literals: (at - literals_from) as u32, length, distance });
            self.remember(window, at + 1, (at + found.length).min(end - SHORTEST));
            at += found.length;
            literals_from = at;
        }
        literals_from
    }

    /// Stores `at` and returns the longest match there that is longer than `least` bytes, or a match of distance 0 when
    /// there is none.
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
            // A match longer than the best one has the same byte behind the end of the best one. This check avoids most
            // comparisons.
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

    /// Stores that four bytes stand at position `here`. Returns the previous position of their hash.
    #[inline(always)]
    fn insert(&mut self, bytes: u32, here: u32) -> u32 {
        let slot = fibonacci_slot(bytes, 1 << HASH_BITS);
        let last = core::mem::replace(&mut self.head[slot], here);
        self.previous[here as usize % HISTORY] = last;
        last
    }

    /// Stores the positions from index `from` to `to`; of many positions only those at either end.
    fn remember(&mut self, window: &Window<'_>, from: usize, to: usize) {
        let ends = if to.saturating_sub(from) <= SHORT { SHORT } else { REMEMBERED };
        let head = from..to.min(from + ends);
        let tail = head.end.max(to.saturating_sub(ends))..to;
        for at in head.chain(tail) {
            self.insert(four(window.bytes, at), window.origin.wrapping_add(at as u32));
        }
    }
}

/// Whether a match takes fewer bits than its bytes would as literals.
fn is_worthwhile(found: Match, literal_bits: u32) -> bool {
    let bits = MATCH_BITS + found.distance.ilog2().saturating_sub(1);
    found.length as u32 * literal_bits > bits * 16
}

/// Returns how many bytes before `at`, down to `literals_from`, belong to the match too.
fn backwards(window: &Window<'_>, literals_from: usize, at: usize, found: Match) -> usize {
    let most = (at - literals_from).min(LONGEST - found.length).min(at - found.distance - window.oldest);
    let same = |back: &usize| window.bytes[at - back] == window.bytes[at - back - found.distance];
    (1..=most).take_while(same).count()
}

#[inline(always)]
fn four(bytes: &[u8], at: usize) -> u32 {
    bytes[at..].first_chunk().map_or(0, |four| u32::from_le_bytes(*four))
}

/// Returns the number of equal bytes from the start. Eight bytes are compared at a time: words are read little-endian,
/// so the lowest differing bit lies in the first differing byte.
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
