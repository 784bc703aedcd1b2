//! The two passes in order: horizontal first, then vertical. When both axes are enlarged by one factor, either order
//! takes 2 · support · (1 + 1 / factor) products for a target pixel. This order leaves most of them to the vertical
//! pass, which is faster because it uses one weight for a whole row.

use core::task::{Poll, ready};

use raster::limits::{MAX_SIDE, check_size};
use raster::{Budget, Error, Pixel, Result, Size};

use crate::Kernel;
use crate::area::Area;
use crate::horizontal::Horizontal;
use crate::strip::StripSource;
use crate::vertical::{Gather, Scatter};
use crate::weights::Weights;

/// A picture at another size, row by row. An axis that keeps its size is copied bit for bit.
///
/// All memory is charged to the budget: weights of about 24 bytes for each column and row of the larger side, 8 source
/// rows, and rows of the target's width. The target rows are at most 15 when shrinking (16 when a row is made of more
/// than 64 source rows) and 16 when enlarging, for every factor.
pub struct Resampler<S> {
    rows: Horizontal<S>,
    vertical: Vertical,
    size: Size,
    /// The number of rows written.
    given: u32,
}

enum Vertical {
    Shrink(Scatter),
    Enlarge(Gather),
}

impl<S: StripSource> Resampler<S> {
    /// Creates a resampler of the whole `source`, whose rows are all unread, to `target`.
    ///
    /// # Errors
    /// Errors of [`Resampler::of_area`].
    pub fn new(source: S, target: Size, kernel: Kernel, budget: &Budget) -> Result<Self> {
        let area = Area::whole(source.size());
        Self::of_area(source, area, target, kernel, budget)
    }

    /// Creates a resampler of an area of `source`, whose rows are all unread, to `target`. Each of its columns
    /// and rows has a part in the area.
    ///
    /// # Errors
    /// [`raster::Limit::NoSize`] or [`raster::Limit::Side`] for invalid sizes, [`raster::Limit::Memory`] when the
    /// budget is too small for the buffers.
    pub fn of_area(source: S, area: Area, target: Size, kernel: Kernel, budget: &Budget) -> Result<Self> {
        let from = source.size();
        check_size(from, MAX_SIDE)?;
        check_size(target, MAX_SIDE)?;
        let rows = Horizontal::new(source, area, target.width, kernel, budget)?;
        let rows_from = area.down(from.height);
        let weights = |kernel| Weights::new(rows_from, target.height, kernel, budget);
        let vertical = if rows_from.is_unchanged(target.height) {
            // Each row has a single weight of one, because the rows still come in strips.
            Vertical::Enlarge(Gather::new(weights(Kernel::Nearest)?, &rows, budget)?)
        } else if rows_from.is_more_than(target.height) {
            Vertical::Shrink(Scatter::new(weights(kernel)?, &rows, from.height, budget)?)
        } else {
            Vertical::Enlarge(Gather::new(weights(kernel)?, &rows, budget)?)
        };
        Ok(Self { rows, vertical, size: target, given: 0 })
    }

    /// Returns the size of the resampled picture.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Writes the next row, top to bottom; `row` has exactly as many pixels as the picture is wide.
    ///
    /// One call reads at most one strip of the source. `Pending` means that the row needs more strips, or that the
    /// source returned `Pending`; the caller then repeats the same call.
    ///
    /// # Errors
    /// Errors of the source; `Contradiction` for a row beyond the picture's end or of a wrong length.
    pub fn poll_row(&mut self, row: &mut [Pixel]) -> Poll<Result<()>> {
        if self.given == self.size.height || row.len() != self.size.width as usize {
            let error = Error::Contradiction("a row that the resampled picture does not have");
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
