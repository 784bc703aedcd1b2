//! The partitions of a VP8 picture (RFC 6386 §9.5). `image-webp` allocates the stated length of each before it reads,
//! up to 16 MB, so the lengths are compared with the file first.

use raster::{ByteSource, Result};

use crate::chunk::{Chunk, uint24};
use crate::error::Cause;

/// The bytes of the frame header before the first partition.
const FRAME_HEADER: u64 = 10;

/// More bytes than the fields before the number of partitions can take.
const FIELDS: usize = 64;

/// Checks that all partitions of a `VP8 ` chunk are inside it.
///
/// # Errors
/// `Malformed` when one is not, `Io`.
pub(crate) fn check(source: &dyn ByteSource, data: Chunk) -> Result<()> {
    let beyond = || Cause::Bitstream("a partition beyond its end").at(data.at);
    let end = data.at + u64::from(data.len);
    let mut head = [0; 3];
    source.read_full_at(data.at, &mut head)?;
    let first = data.at + FRAME_HEADER;
    let lengths = first + u64::from(uint24(head) >> 5);
    if lengths > end {
        return Err(beyond());
    }
    let mut fields = [0; FIELDS];
    let known = FIELDS.min((lengths - first) as usize);
    source.read_full_at(first, &mut fields[..known])?;
    let count = Bits::new(&fields[..known]).partitions();
    let mut stated = [0; 3 * 7];
    let stated = &mut stated[..3 * (count - 1)];
    source.read_full_at(lengths, stated)?;
    let sum: u64 = stated.as_chunks::<3>().0.iter().map(|&length| u64::from(uint24(length))).sum();
    if lengths + stated.len() as u64 + sum > end { Err(beyond()) } else { Ok(()) }
}

/// The boolean decoder (RFC 6386 §7.3) for bits of equal probability. Behind the end there are zeros.
struct Bits<'a> {
    bytes: core::slice::Iter<'a, u8>,
    /// Two bytes of the input, of which the upper one is compared.
    value: u32,
    range: u32,
    /// The bits by which `value` was shifted since its last byte came.
    shifts: u32,
}

impl<'a> Bits<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let mut bits = Self { bytes: bytes.iter(), value: 0, range: 255, shifts: 0 };
        bits.value = bits.byte() << 8 | bits.byte();
        bits
    }

    fn byte(&mut self) -> u32 {
        self.bytes.next().copied().unwrap_or_default().into()
    }

    fn flag(&mut self) -> bool {
        let split = 1 + ((self.range - 1) >> 1);
        let is_set = self.value >= split << 8;
        if is_set {
            self.range -= split;
            self.value -= split << 8;
        } else {
            self.range = split;
        }
        while self.range < 128 {
            self.value <<= 1;
            self.range <<= 1;
            self.shifts += 1;
            if self.shifts == 8 {
                self.shifts = 0;
                self.value |= self.byte();
            }
        }
        is_set
    }

    fn literal(&mut self, bits: u32) -> u32 {
        (0..bits).fold(0, |value, _| value << 1 | u32::from(self.flag()))
    }

    /// Passes over `count` values of `bits` bits, each behind a flag that tells whether it is there.
    fn skip_optional(&mut self, count: u32, bits: u32) {
        for _ in 0..count {
            if self.flag() {
                self.literal(bits);
            }
        }
    }

    /// Returns the number of partitions: reads the frame header up to it (§19.2).
    fn partitions(&mut self) -> usize {
        // Colour space and clamping.
        self.literal(2);
        if self.flag() {
            self.skip_segments();
        }
        // The filter: its type, level and sharpness.
        self.literal(1 + 6 + 3);
        if self.flag() && self.flag() {
            self.skip_optional(8, 7);
        }
        1 << self.literal(2)
    }

    /// Passes over the update of segments (§9.3): quantizers, filter levels and probabilities.
    fn skip_segments(&mut self) {
        let (has_map, has_data) = (self.flag(), self.flag());
        if has_data {
            self.flag();
            self.skip_optional(4, 8);
            self.skip_optional(4, 7);
        }
        if has_map {
            self.skip_optional(3, 8);
        }
    }
}
