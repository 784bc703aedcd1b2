//! LZW as GIF has it. The table is emptied when a new one promises shorter data, not whenever it is full.

use quantize::Coder;
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
    /// The entries of the table: the code of a string, the index that is appended to it, and the code of both, in 12, 8
    /// and 12 bits.
    slots: Vec<u32>,
    /// For each code, the indices that continue its string, as bits: those that are equal modulo 64 share one. Few
    /// strings have many of them, so an index that continues none is nearly always told without a look at the slots.
    next_indices: Vec<u64>,
    /// The code of the indices that are not written yet.
    current: Option<u16>,
    next: u16,
    width: u32,
    /// Bits that do not make a byte yet.
    held: u32,
    count: u32,
    /// The bytes so far, not in sub-blocks.
    bytes: Vec<u8>,
    /// Indices and bits since the table was emptied, until it was full.
    learning: Ratio,
    /// The same since then, in windows.
    full: Ratio,
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
    fn continues(&self, index: u8) -> bool {
        self.current.is_some_and(|current| self.find(current, index).is_some())
    }

    fn extend(&mut self, index: u8) -> bool {
        let found = self.current.and_then(|current| self.find(current, index));
        if found.is_some() {
            self.current = found;
        }
        found.is_some()
    }

    fn append(&mut self, index: u8) {
        if let Some(current) = self.current {
            if let Some(code) = self.find(current, index) {
                self.current = Some(code);
                return;
            }
            self.emit(current);
            if self.next < ENTRIES {
                self.insert(current, index);
            }
        }
        self.current = Some(index.into());
    }
}

impl Lzw {
    /// Bytes of memory that an encoder takes beside its data.
    pub(crate) const MEMORY: u64 = (SLOTS * size_of::<u32>() + ENTRIES as usize * size_of::<u64>()) as u64;

    /// A compressor that has nothing to compress yet.
    pub(crate) fn new() -> Self {
        Self {
            bits: 0,
            slots: vec![FREE; SLOTS],
            next_indices: vec![0; ENTRIES.into()],
            current: None,
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
        (self.held, self.count, self.current) = (0, 0, None);
        self.bytes.clear();
        self.width = u32::from(bits) + 1;
        self.clear();
    }

    /// Ends the data. They stay until the next start.
    pub(crate) fn finish(&mut self) -> &[u8] {
        if let Some(current) = self.current.take() {
            self.emit(current);
        }
        // The reader has made an entry for the last code.
        self.width += u32::from(self.next < ENTRIES && self.next == 1 << self.width && self.width < 12);
        self.emit((1 << self.bits) + 1);
        if self.count > 0 {
            self.bytes.push(self.held as u8);
        }
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
            if let Some(current) = self.current.take() {
                self.emit(current);
            }
            self.clear();
        }
        self.full = Ratio::default();
    }

    /// Writes the clear code and forgets all strings.
    fn clear(&mut self) {
        let clear = 1 << self.bits;
        self.emit(clear);
        self.slots.fill(FREE);
        self.next_indices.fill(0);
        self.next = clear + 2;
        self.width = u32::from(self.bits) + 1;
        (self.learning, self.full) = (Ratio::default(), Ratio::default());
    }

    /// The code of a string that is continued by an index.
    #[inline]
    fn find(&self, current: u16, index: u8) -> Option<u16> {
        if self.next_indices[usize::from(current)] & bit(index) == 0 {
            return None;
        }
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
        let mut slot = fibonacci_slot(key(current, index), SLOTS);
        while self.slots[slot] != FREE {
            slot = (slot + 1) % SLOTS;
        }
        self.slots[slot] = key(current, index) << CODE_BITS | u32::from(self.next);
        self.next_indices[usize::from(current)] |= bit(index);
        self.next += 1;
        // The reader makes this entry one code later: it needs the wider code only for what comes then.
        self.width += u32::from(self.next > 1 << self.width);
    }

    #[inline]
    fn emit(&mut self, code: u16) {
        let ratio = if self.next < ENTRIES { &mut self.learning } else { &mut self.full };
        ratio.bits += self.width;
        self.held |= u32::from(code) << self.count;
        self.count += self.width;
        while self.count >= 8 {
            self.bytes.push(self.held as u8);
            self.held >>= 8;
            self.count -= 8;
        }
    }
}

/// Returns the number of a string and the index that is appended to it.
#[inline]
fn key(current: u16, index: u8) -> u32 {
    u32::from(current) << 8 | u32::from(index)
}

/// Returns the bit of an index in a set.
#[inline]
fn bit(index: u8) -> u64 {
    1 << (index % 64)
}
