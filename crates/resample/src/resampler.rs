//! The way of a row: read in strips, along the rows first, then down the columns. When enlarging by one factor both
//! orders take the same number of products, 2 · support · (1 + 1 / factor) for a target pixel, and this one takes most
//! of them in the pass down the columns, which is the quicker: a product there needs no fetching of its weight.

use raster::limits::{MAX_SIDE, check_size};
use raster::rows::StripSource;
use raster::{Budget, Error, Pixel, Result, RowSource, Size};

use crate::Kernel;
use crate::horizontal::Horizontal;
use crate::vertical::{Gather, Scatter};
use crate::weights::Weights;

/// A source of rows at another size. An axis that keeps its size passes bit for bit.
///
/// Memory, all of it counted in the budget: weights of about 24 bytes for each column and row of the larger side, 8
/// source rows, and of the target's width at most 15 rows when shrinking (16 where a row is made of more than 64) and
/// 16 when enlarging, whatever the factor.
pub struct Resampler<S> {
    rows: Horizontal<S>,
    vertical: Vertical,
    size: Size,
    /// Rows given.
    given: u32,
}

enum Vertical {
    Shrink(Scatter),
    Enlarge(Gather),
}

impl<S: StripSource> Resampler<S> {
    /// Resamples the rows of `source`, none of which was read, to `target`.
    ///
    /// # Errors
    /// [`raster::Limit::NoSize`] or [`raster::Limit::Side`] for sizes that cannot be, [`raster::Limit::Memory`] when
    /// the budget does not pay for the buffers.
    pub fn new(source: S, target: Size, kernel: Kernel, budget: &Budget) -> Result<Self> {
        let from = source.size();
        check_size(from, MAX_SIDE)?;
        check_size(target, MAX_SIDE)?;
        let rows = Horizontal::new(source, target.width, kernel, budget)?;
        let weights = |kernel| Weights::new(from.height, target.height, kernel, budget);
        let vertical = if target.height == from.height {
            // One weight of one: the rows still come in strips.
            Vertical::Enlarge(Gather::new(weights(Kernel::Nearest)?, &rows, budget)?)
        } else if target.height < from.height {
            Vertical::Shrink(Scatter::new(weights(kernel)?, &rows, from.height, budget)?)
        } else {
            Vertical::Enlarge(Gather::new(weights(kernel)?, &rows, budget)?)
        };
        Ok(Self { rows, vertical, size: target, given: 0 })
    }
}

impl<S: StripSource> RowSource for Resampler<S> {
    fn size(&self) -> Size {
        self.size
    }

    fn read_row(&mut self, row: &mut [Pixel]) -> Result<()> {
        if self.given == self.size.height || row.len() != self.size.width as usize {
            return Err(Error::Contradiction("a row was asked for that the resampled picture does not have"));
        }
        let j = self.given as usize;
        self.given += 1;
        match &mut self.vertical {
            Vertical::Shrink(scatter) => scatter.read_row(j, &mut self.rows, row),
            Vertical::Enlarge(gather) => gather.read_row(j, &mut self.rows, row),
        }
    }
}
