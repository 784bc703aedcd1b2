//! The alpha of a lossy picture (RFC 9649 §2.7.1.2): a byte for each pixel, stored as it is or as the green of a
//! lossless picture, and as the difference to its neighbours.

use raster::{Budget, ByteSource, Cursor, Result, Size};

use crate::chunk::Chunk;
use crate::error::Cause;
use crate::lossless::{Decoder, green};

/// The value whose difference is stored.
#[derive(Clone, Copy)]
enum Filter {
    Zero,
    Left,
    Above,
    /// Left + above − above left.
    Gradient,
}

enum Data<'a> {
    Raw(Cursor<&'a dyn ByteSource>),
    Lossless(Box<Decoder<'a>>),
}

/// The rows of alpha.
pub(crate) struct Alpha<'a> {
    data: Data<'a>,
    filter: Filter,
    /// The row returned last.
    row: Vec<u8>,
    /// The differences of the next row.
    differences: Vec<u8>,
    is_first: bool,
    /// The offset of the chunk's data.
    at: u64,
}

impl<'a> Alpha<'a> {
    /// Reads the header of an `ALPH` chunk.
    ///
    /// # Errors
    /// `Malformed` when the chunk is damaged, `Limit` when the budget is too small, `Io`.
    pub(crate) fn new(source: &'a dyn ByteSource, chunk: Chunk, size: Size, budget: &Budget) -> Result<Self> {
        let mut header = [0];
        source.read_full_at(chunk.at, &mut header)?;
        let filter = match header[0] >> 2 & 3 {
            0 => Filter::Zero,
            1 => Filter::Left,
            2 => Filter::Above,
            _ => Filter::Gradient,
        };
        let (at, len) = (chunk.at + 1, u64::from(chunk.len).saturating_sub(1));
        let data = match header[0] & 3 {
            0 => {
                let mut cursor = Cursor::new(source, at);
                cursor.enter(at, len);
                Data::Raw(cursor)
            }
            1 => Data::Lossless(Box::new(Decoder::new(source, (at, len), size, budget)?)),
            _ => return Err(Cause::Alpha("an unknown compression").at(chunk.at)),
        };
        let row = || budget.filled(size.width.into(), 0);
        Ok(Self { data, filter, row: row()?, differences: row()?, is_first: true, at: chunk.at })
    }

    /// Returns the next row.
    ///
    /// # Errors
    /// `Malformed` when the data are damaged or end early, `Io`.
    pub(crate) fn next_row(&mut self) -> Result<&[u8]> {
        match &mut self.data {
            Data::Raw(cursor) => {
                if cursor.read_full(&mut self.differences)? < self.differences.len() {
                    return Err(Cause::Alpha("it ends early").at(self.at));
                }
            }
            Data::Lossless(decoder) => {
                let pixels = decoder.next_row()?.iter();
                self.differences.iter_mut().zip(pixels).for_each(|(difference, &pixel)| *difference = green(pixel));
            }
        }
        self.add_differences();
        Ok(&self.row)
    }

    /// Replaces the row above by the next one. In the first row, and in the first column, only one neighbour exists.
    fn add_differences(&mut self) {
        let is_first = core::mem::take(&mut self.is_first);
        let filter = if is_first && !matches!(self.filter, Filter::Zero) { Filter::Left } else { self.filter };
        // Outside of the picture, left and above left are the value above, which is zero for the first row.
        let mut left = self.row[0];
        let mut above_left = left;
        for (value, &difference) in self.row.iter_mut().zip(&self.differences) {
            let above = *value;
            let predicted = match filter {
                Filter::Zero => 0,
                Filter::Left => left,
                Filter::Above => above,
                Filter::Gradient => (i16::from(left) + i16::from(above) - i16::from(above_left)).clamp(0, 255) as u8,
            };
            *value = difference.wrapping_add(predicted);
            (left, above_left) = (*value, above);
        }
    }
}
