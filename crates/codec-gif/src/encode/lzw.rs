//! LZW as GIF has it. The table is emptied when a new one promises shorter data, not whenever it is full.

use quantize::{Coder, candidate};
use raster::fibonacci_slot;

/// Codes have at most 12 bits.
const ENTRIES: u16 = 1 << 12;

/// Slots of the hash table: four for each entry, a power of two.
const SLOTS: usize = 1 << 14;

/// Indices in a full table's window: its codes are compared with those since the table was emptied.
const WINDOW: u32 = 1 << 12;

/// A slot without an entry. No entry has this number, because nothing can be appended to the last entry of the table.
const FREE: u32 = u32::MAX;

/// Bits of a code in a slot.
const CODE_BITS: u32 = ENTRIES.ilog2();

/// Compresses the palette indices of one frame.
pub(crate) struct Lzw {
    bits: u8,
    /// For each code, what continues its string.
    nodes: Box<[Node; ENTRIES as usize]>,
    /// The entries of the table that are not the first to continue their string: the code of the string, the index that
    /// is appended to it, and the code of both, in 12, 8 and 12 bits.
    slots: Box<[u32; SLOTS]>,
    /// The code that empties the table.
    clear: u16,
    /// The code of the indices that are not written yet; the clear code, which nothing continues, for none.
    current: u16,
    next: u16,
    width: u32,
    /// Bits that do not make a byte yet.
    held: u64,
    count: u32,
    /// The bytes so far, not in sub-blocks.
    bytes: Vec<u8>,
    /// Indices and bits since the table was emptied, until it was full.
    learning: Ratio,
    /// The same since then, in windows.
    full: Ratio,
}

/// What continues a string.
#[derive(Clone, Copy, Default)]
struct Node {
    /// The indices, as bits: those that are equal modulo 64 share one. Few strings have many of them, so an index that
    /// continues none is nearly always told without a look at the slots.
    indices: u64,
    /// The first of them, and its code. Most strings have only one.
    first: u8,
    code: u16,
}

/// Bits that a number of indices took.
#[derive(Clone, Copy, Default)]
struct Ratio {
    indices: u32,
    bits: u32,
}

impl Ratio {
    /// Whether an index takes more bits than in `other`.
    fn is_worse(self, other: Self) -> bool {
        u64::from(self.bits) * u64::from(other.indices) > u64::from(other.bits) * u64::from(self.indices)
    }
}

impl Coder for Lzw {
    #[inline(always)]
    fn candidates(&self) -> u64 {
        self.nodes[usize::from(self.current % ENTRIES)].indices
    }

    #[inline(always)]
    fn extend(&mut self, index: u8) -> bool {
        let node = self.nodes[usize::from(self.current % ENTRIES)];
        if node.indices & candidate(index) == 0 {
            return false;
        }
        if node.first == index {
            self.current = node.code;
            return true;
        }
        let found = self.find(self.current, index);
        self.current = found.unwrap_or(self.current);
        found.is_some()
    }

    #[inline]
    fn restart(&mut self, index: u8) {
        if self.current != self.clear {
            self.emit(self.current);
            if self.next < ENTRIES {
                self.insert(self.current, index);
            }
        }
        self.current = index.into();
    }
}

impl Lzw {
    /// Bytes of memory that an encoder takes beside its data.
    pub(crate) const MEMORY: u64 = (SLOTS * size_of::<u32>() + ENTRIES as usize * size_of::<Node>()) as u64;

    /// A compressor that has nothing to compress yet.
    pub(crate) fn new() -> Self {
        Self {
            bits: 0,
            nodes: Box::new([Node::default(); ENTRIES as usize]),
            slots: Box::new([FREE; SLOTS]),
            clear: 0,
            current: 0,
            next: 0,
            width: 0,
            held: 0,
            count: 0,
            bytes: Vec::new(),
            learning: Ratio::default(),
            full: Ratio::default(),
        }
    }

    /// Starts data whose indices have `bits` bits, 2 to 8.
    pub(crate) fn start(&mut self, bits: u8) {
        self.bits = bits;
        self.clear = 1 << bits;
        (self.held, self.count, self.current) = (0, 0, self.clear);
        self.bytes.clear();
        self.width = u32::from(bits) + 1;
        self.empty();
    }

    /// Ends the data. They stay until the next start.
    pub(crate) fn finish(&mut self) -> &[u8] {
        self.emit_current();
        // The reader has made an entry for the last code.
        self.width += u32::from(self.next < ENTRIES && self.next == 1 << self.width && self.width < 12);
        self.emit(self.clear + 1);
        let rest = self.held.to_le_bytes();
        self.bytes.extend(&rest[..self.count.div_ceil(8) as usize]);
        &self.bytes
    }

    /// Ends a row of so many indices. Empties a full table when the last window took more bits per index than the time
    /// in which it was learned.
    pub(crate) fn end_row(&mut self, indices: u32) {
        if self.next < ENTRIES {
            self.learning.indices += indices;
            return;
        }
        self.full.indices += indices;
        if self.full.indices < WINDOW {
            return;
        }
        if self.full.is_worse(self.learning) {
            self.emit_current();
            self.empty();
        }
        self.full = Ratio::default();
    }

    /// Writes the clear code and forgets all strings.
    fn empty(&mut self) {
        self.emit(self.clear);
        self.slots.fill(FREE);
        self.nodes.fill(Node::default());
        self.next = self.clear + 2;
        self.width = u32::from(self.bits) + 1;
        (self.learning, self.full) = (Ratio::default(), Ratio::default());
    }

    /// The code of a string that is continued by an index, but not first by this one.
    fn find(&self, current: u16, index: u8) -> Option<u16> {
        let wanted = key(current, index);
        let mut slot = fibonacci_slot(wanted, SLOTS);
        loop {
            match self.slots[slot] {
                FREE => return None,
                entry if entry >> CODE_BITS == wanted => return Some((entry % u32::from(ENTRIES)) as u16),
                _ => slot = (slot + 1) % SLOTS,
            }
        }
    }

    /// Makes an entry of a string that is continued by an index.
    fn insert(&mut self, current: u16, index: u8) {
        let node = &mut self.nodes[usize::from(current % ENTRIES)];
        if node.indices == 0 {
            (node.first, node.code) = (index, self.next);
        } else {
            let mut slot = fibonacci_slot(key(current, index), SLOTS);
            while self.slots[slot] != FREE {
                slot = (slot + 1) % SLOTS;
            }
            self.slots[slot] = key(current, index) << CODE_BITS | u32::from(self.next);
        }
        node.indices |= candidate(index);
        self.next += 1;
        // The reader makes this entry one code later: it needs the wider code only for what comes then.
        self.width += u32::from(self.next > 1 << self.width);
    }

    /// Writes the code of the indices that are not written yet.
    fn emit_current(&mut self) {
        if self.current != self.clear {
            self.emit(self.current);
            self.current = self.clear;
        }
    }

    #[inline]
    fn emit(&mut self, code: u16) {
        let ratio = if self.next < ENTRIES { &mut self.learning } else { &mut self.full };
        ratio.bits += self.width;
        self.held |= u64::from(code) << self.count;
        self.count += self.width;
        if self.count >= u32::BITS {
            self.bytes.extend_from_slice(&(self.held as u32).to_le_bytes());
            self.held >>= u32::BITS;
            self.count -= u32::BITS;
        }
    }
}

/// Returns the number of a string and the index that is appended to it.
#[inline]
fn key(current: u16, index: u8) -> u32 {
    u32::from(current) << 8 | u32::from(index)
}
