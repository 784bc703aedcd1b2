//! The two passes in order: along the rows first, then down the columns. When both axes are enlarged by one factor,
//! either order takes 2 · support · (1 + 1 / factor) products for a target pixel. This order takes most of them in the
//! pass down the columns, which is the quicker: one weight serves a whole row there.

use core::task::{Poll, ready};

use raster::limits::{MAX_SIDE, check_size};
use raster::{Budget, Error, Pixel, Result, Size};

use crate::Kernel;
use crate::horizontal::Horizontal;
use crate::strip::StripSource;
use crate::vertical::{Gather, Scatter};
use crate::weights::Weights;

/// A picture at another size, row by row. An axis that keeps its size passes bit for bit.
///
/// Memory, all of it counted in the budget: weights of about 24 bytes for each column and row of the larger side, 8
/// source rows, and of the target's width at most 15 rows when shrinking (16 where a row is made of more than 64) and
/// 16 when enlarging, whatever the factor.
pub struct Resampler<S> {
    rows: Horizontal<S>,
    vertical: Vertical,
    size: Size,
    /// The number of rows given.
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

    /// Pixels of the resampled picture.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Writes the next row, top to bottom; `row` has exactly as many pixels as the picture is wide.
    ///
    /// One call reads one strip of the source at most. `Pending` means that the row needs more of them, or that the
    /// source is; the same call is then to be repeated.
    ///
    /// # Errors
    /// Those of the source; `Contradiction` for a row that the picture does not have.
    pub fn poll_row(&mut self, row: &mut [Pixel]) -> Poll<Result<()>> {
        if self.given == self.size.height || row.len() != self.size.width as usize {
            let error = Error::Contradiction("a row was asked for that the resampled picture does not have");
            return Poll::Ready(Err(error));
        }
        let j = self.given as usize;
        ready!(match &mut self.vertical {
            Vertical::Shrink(scatter) => scatter.poll_row(j, &mut self.rows, row),
            Vertical::Enlarge(gather) => gather.poll_row(j, &mut self.rows, row),
        })?;
        self.given += 1;
        Poll::Ready(Ok(()))
    }
}
