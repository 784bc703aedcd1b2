//! The choice of a filter for each line (PNG §12.7): the one whose bytes, read as signed, have the smallest sum of
//! magnitudes.

use raster::{Budget, Result};

use crate::filter::Filter;

/// Filters line after line.
pub(crate) struct Adaptive {
    unit: usize,
    /// The current line as the file wants it: 16-bit samples big-endian.
    line: Vec<u8>,
    above: Vec<u8>,
    /// The best so far, behind its filter byte.
    best: Vec<u8>,
    trial: Vec<u8>,
}

impl Adaptive {
    /// For lines of `bytes` bytes, whose pixels have `unit` bytes.
    pub(crate) fn new(unit: usize, bytes: u64, budget: &Budget) -> Result<Self> {
        Ok(Self {
            unit,
            line: budget.filled(bytes, 0)?,
            above: budget.filled(bytes, 0)?,
            best: budget.filled(bytes + 1, 0)?,
            trial: budget.filled(bytes + 1, 0)?,
        })
    }

    /// The next row, filtered, with its filter byte in front; `swap` turns little-endian samples.
    pub(crate) fn filter(&mut self, row: &[u8], swap: bool) -> &[u8] {
        core::mem::swap(&mut self.line, &mut self.above);
        if swap {
            for (sample, [low, high]) in self.line.as_chunks_mut::<2>().0.iter_mut().zip(row.as_chunks::<2>().0) {
                *sample = [*high, *low];
            }
        } else {
            self.line.copy_from_slice(row);
        }
        let mut least = u64::MAX;
        for filter in Filter::ALL {
            self.trial[0] = filter as u8;
            filter.apply(self.unit, &self.above, &self.line, &mut self.trial[1..]);
            let sum = magnitude(&self.trial[1..]);
            if sum < least {
                least = sum;
                core::mem::swap(&mut self.best, &mut self.trial);
            }
        }
        &self.best
    }
}

/// Sum of the magnitudes of signed bytes. Blocks keep the inner sum in 32 bits, which is four times the
/// vector width of 64.
fn magnitude(bytes: &[u8]) -> u64 {
    let block = |block: &[u8]| block.iter().map(|&byte| u32::from((byte as i8).unsigned_abs())).sum::<u32>();
    bytes.chunks(1 << 16).map(|bytes| u64::from(block(bytes))).sum()
}
