//! Huffman tables made for a picture by T.81's own procedure. They equal the tables of cjpeg `-optimize`.

/// The number of occurrences of each symbol.
pub(super) type Frequencies = [u32; 256];

/// The longest code length (T.81 K.2).
const MAX_LENGTH: usize = 16;
/// A length that no code exceeds before it is shortened, in files of up to 2³² symbols.
const UNBOUNDED: usize = 64;

/// A table in two forms: as stored in DHT, and for the lookup of symbols.
#[derive(Debug)]
pub(super) struct Table {
    /// The number of codes of each length 1 to 16.
    pub(super) counts: [u8; MAX_LENGTH],
    /// The symbols of these codes.
    pub(super) symbols: Vec<u8>,
    /// The code and its length for each symbol; length 0 when the symbol has none.
    codes: [(u16, u8); 256],
}

impl Table {
    /// Returns the best code for symbols of these frequencies.
    pub(super) fn new(frequencies: &Frequencies) -> Self {
        let lengths = &lengths(frequencies);
        let mut counts = [0_u32; UNBOUNDED];
        lengths.iter().filter(|&&length| length > 0).for_each(|&length| counts[length] += 1);
        shorten(&mut counts);
        // Figure K.4: the order is by length, then by value; the lengths before the shortening keep that order.
        let of_length = |length| (0..=255).filter(move |&symbol| lengths[usize::from(symbol)] == length);
        let symbols: Vec<u8> = (1..UNBOUNDED).flat_map(of_length).collect();
        let counts = core::array::from_fn(|i| counts[i + 1] as u8);
        let codes = codes(&counts, &symbols);
        Self { counts, symbols, codes }
    }

    /// Returns the symbol's code and its length in bits.
    #[inline(always)]
    pub(super) const fn code(&self, symbol: u8) -> (u16, u8) {
        self.codes[symbol as usize]
    }
}

/// Returns the unlimited length of each code (figures K.1 and K.2). A nonexistent symbol is coded too, as the least
/// frequent of all and the last one. It takes the code of ones only, which T.81 does not allow.
fn lengths(frequencies: &Frequencies) -> [usize; 257] {
    let mut left = [0_u64; 257];
    left.iter_mut().zip(frequencies).for_each(|(into, &count)| *into = count.into());
    left[256] = 1;
    // The symbols of each tree form a linked list.
    let mut next = [None; 257];
    let mut lengths = [0; 257];
    while let Some(first) = least(&left, None) {
        let Some(second) = least(&left, Some(first)) else { break };
        left[first] += left[second];
        left[second] = 0;
        let last = deepen(&mut lengths, &next, first);
        deepen(&mut lengths, &next, second);
        next[last] = Some(second);
    }
    lengths
}

/// Returns the least frequent tree except `except`; of equal trees the last.
fn least(left: &[u64; 257], except: Option<usize>) -> Option<usize> {
    let alive = (0..257).rev().filter(|&i| left[i] > 0 && Some(i) != except);
    alive.min_by_key(|&i| left[i])
}

/// Lengthens all codes of a tree; returns its last symbol.
fn deepen(lengths: &mut [usize; 257], next: &[Option<usize>; 257], root: usize) -> usize {
    let mut at = root;
    lengths[at] += 1;
    while let Some(following) = next[at] {
        at = following;
        lengths[at] += 1;
    }
    at
}

/// Shortens codes (figure K.3): replaces two codes that are too long by one that is a bit shorter, and splits a shorter
/// code in two. At the end the nonexistent symbol is removed.
fn shorten(counts: &mut [u32; UNBOUNDED]) {
    for long in (MAX_LENGTH + 1..UNBOUNDED).rev() {
        while counts[long] > 0 {
            let Some(short) = (1..long - 1).rev().find(|&short| counts[short] > 0) else { break };
            counts[long] -= 2;
            counts[long - 1] += 1;
            counts[short + 1] += 2;
            counts[short] -= 1;
        }
    }
    if let Some(last) = counts.iter_mut().rev().find(|count| **count > 0) {
        *last -= 1;
    }
}

/// Assigns codes (Annex C): codes count up, and each length appends a bit.
fn codes(counts: &[u8; MAX_LENGTH], symbols: &[u8]) -> [(u16, u8); 256] {
    let mut codes = [(0, 0); 256];
    let mut symbols = symbols.iter();
    let mut code = 0_u32;
    for (length, &count) in (1..).zip(counts) {
        for &symbol in symbols.by_ref().take(count.into()) {
            codes[usize::from(symbol)] = (code as u16, length);
            code += 1;
        }
        code <<= 1;
    }
    codes
}
