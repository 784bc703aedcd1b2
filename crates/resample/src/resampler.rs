//! The two passes in order: horizontal first, then vertical. When both axes are enlarged by one factor, either order
//! takes 2 · support · (1 + 1 / factor) products for a target pixel. This order leaves most of them to the vertical
//! pass, which is faster because it uses one weight for a whole row.

use core::task::{Poll, ready};

use raster::limits::{MAX_SIDE, check_size};
use raster::{Budget, Error, Pixel, Result, Size};

use crate::Kernel;
use crate::area::Area;
use crate::horizontal::Horizontal;
use crate::ringing::Filter;
use crate::strip::StripSource;
use crate::vertical::{Gather, Scatter};
use crate::weights::Weights;
use crate::window::{Geometry, Window};

/// A picture at another size, row by row. An axis that keeps its size is copied bit for bit.
///
/// All memory is charged to the budget: weights of about 24 bytes for each column and row of the larger side, 8 source
/// rows, and rows of the target's width. The target rows are at most 15 when shrinking (16 when a row is made of more
/// than 64 source rows) and 16 when enlarging, for every factor. Limited ringing takes three times as many.
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
    /// Errors of [`Resampler::of_window`].
    pub fn new(source: S, target: Size, filter: impl Into<Filter>, budget: &Budget) -> Result<Self> {
        let area = Area::whole(source.size());
        let geometry = Geometry { source: source.size(), area, target, filter: filter.into() };
        Self::of_window(source, &geometry, geometry.whole(), budget)
    }

    /// Creates a resampler of a window. `source` has the pixels of [`Window::from`] only, and its rows are all unread.
    ///
    /// # Errors
    /// [`raster::Limit::NoSize`] or [`raster::Limit::Side`] for invalid sizes, [`raster::Limit::Memory`] when the
    /// budget is too small for the buffers.
    pub fn of_window(source: S, geometry: &Geometry, window: Window, budget: &Budget) -> Result<Self> {
        let Geometry { source: whole, area, target, filter } = *geometry;
        let kernel = filter.kernel;
        let (from, to) = (source.size(), window.to.size());
        check_size(from, MAX_SIDE)?;
        check_size(to, MAX_SIDE)?;
        check_size(target, MAX_SIDE)?;
        debug_assert_eq!(from, window.from.size());
        let across = area.across(whole.width);
        let weights = || Weights::new(across, target.width, kernel, &window.columns(), budget);
        let weights = (!across.is_unchanged(target.width)).then(weights).transpose()?;
        let rows = Horizontal::new(source, weights, to.width, budget)?;
        let down = area.down(whole.height);
        let weights = |kernel| Weights::new(down, target.height, kernel, &window.rows(), budget);
        let is_clamped = filter.is_clamped();
        let vertical = if down.is_unchanged(target.height) {
            // Each row has a single weight of one, because the rows still come in strips.
            Vertical::Enlarge(Gather::new(weights(Kernel::Nearest)?, &rows, is_clamped, budget)?)
        } else if down.is_more_than(target.height) {
            Vertical::Shrink(Scatter::new(weights(kernel)?, &rows, (from.height, is_clamped), budget)?)
        } else {
            Vertical::Enlarge(Gather::new(weights(kernel)?, &rows, is_clamped, budget)?)
        };
        Ok(Self { rows, vertical, size: to, given: 0 })
    }

    /// Returns the size of the resampled picture, or of its window.
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
