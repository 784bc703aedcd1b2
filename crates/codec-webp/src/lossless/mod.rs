//! VP8L, the lossless bitstream (RFC 9649 §3), decoded row by row.
//!
//! A file states transforms, each with a small picture of parameters; then prefix codes; then the pixels, which refer
//! to earlier pixels. A reference reaches back at most 2²⁰ pixels, so [`Pixels`] keeps that many and no more. Memory
//! grows with the area only through the parameters, which have one pixel for 4 × 4 to 512 × 512 of the picture.

mod bits;
mod pixels;
mod prefix;
mod transform;

use raster::{Budget, ByteSource, Result, Size};

use bits::Bits;
use pixels::Pixels;
use transform::Transform;

use crate::error::Cause;

/// A pixel as the bitstream has it: alpha in the highest byte, then red, green and blue.
type Argb = u32;

/// A decoder of one picture.
pub(crate) struct Decoder<'a> {
    bits: Bits<'a>,
    pixels: Pixels,
    /// In the order in which they are undone.
    transforms: Vec<Transform>,
    row: Vec<Argb>,
    /// The number of rows returned.
    next: u32,
}

impl<'a> Decoder<'a> {
    /// Creates a decoder of the bitstream behind its header, which has `len` bytes from `at` on. Reads the transforms
    /// and the prefix codes.
    ///
    /// # Errors
    /// `Malformed` when they are damaged, `Limit` when the budget is too small for them and the pixels kept, `Io`.
    pub(crate) fn new(source: &'a dyn ByteSource, (at, len): (u64, u64), size: Size, budget: &Budget) -> Result<Self> {
        let mut bits = Bits::new(source, at, len);
        let mut stored = size;
        let mut transforms: Vec<Transform> = Vec::with_capacity(transform::KINDS);
        while bits.flag() {
            let (transform, width) = Transform::read(&mut bits, stored, budget)?;
            if transforms.iter().any(|earlier| core::mem::discriminant(earlier) == core::mem::discriminant(&transform))
            {
                return Err(bits.broken("a transform twice"));
            }
            transforms.insert(0, transform);
            stored.width = width;
        }
        let pixels = Pixels::read(&mut bits, stored, true, budget)?;
        let row = budget.filled(size.width.into(), 0)?;
        Ok(Self { bits, pixels, transforms, row, next: 0 })
    }

    /// Returns the bytes that a decoder usually holds for a picture of this size.
    pub(crate) fn memory(size: Size) -> u64 {
        Pixels::memory(size) + u64::from(size.width) * 8 + size.area() / 8
    }

    /// Decodes the next row.
    ///
    /// # Errors
    /// `Malformed` when the data are damaged or end early, `Io`.
    pub(crate) fn next_row(&mut self) -> Result<&[Argb]> {
        self.pixels.next_row(&mut self.bits, &mut self.row)?;
        for transform in &mut self.transforms {
            transform.undo(self.next, &mut self.row);
        }
        self.next += 1;
        Ok(&self.row)
    }
}

/// Returns the blue, green, red and alpha of a pixel.
const fn channels(pixel: Argb) -> [u8; 4] {
    pixel.to_le_bytes()
}

/// Returns the green of a pixel, which also stores single numbers: indices, modes and alpha.
pub(crate) const fn green(pixel: Argb) -> u8 {
    channels(pixel)[1]
}

impl Bits<'_> {
    /// Returns the error for damaged data at this position.
    fn broken(&self, what: &'static str) -> raster::Error {
        Cause::Data(what).at(self.position())
    }
}

#[cfg(test)]
mod tests;
