//! A part of the target that is computed alone, because the rest is known already.

use core::ops::Range;

use raster::{Rect, Size};

use crate::Kernel;
use crate::area::{Area, Extent, Part};
use crate::ringing::Filter;
use crate::strip::STRIP;
use crate::weights::Axis;

/// What is resampled to what.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geometry {
    /// The size of the source.
    pub source: Size,
    /// The area of the source that becomes the target. Each column and row of the source has a part in it.
    pub area: Area,
    /// The size of the target.
    pub target: Size,
    /// The kernel, and what becomes of its ringing.
    pub filter: Filter,
}

/// A part of the target, and the part of the source that it depends on. Its pixels have the same bits as if the whole
/// target was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The part of the source. Its first row is a multiple of [`STRIP`], so that the order of additions is that of
    /// the whole.
    pub from: Rect,
    /// The part of the target. It can be empty.
    pub to: Rect,
}

impl Geometry {
    /// Returns the window of the whole target.
    #[must_use]
    pub const fn whole(&self) -> Window {
        Window { from: Rect::whole(self.source), to: Rect::whole(self.target) }
    }

    /// Returns the window of the target pixels that depend on the source pixels in `changed`.
    #[must_use]
    pub fn window(&self, changed: Rect) -> Window {
        let Self { source, area, target, filter: Filter { kernel, .. } } = *self;
        let columns = part(area.across(source.width), target.width, kernel, changed.x..changed.x + changed.width);
        let rows = part(area.down(source.height), target.height, kernel, changed.y..changed.y + changed.height);
        let top = rows.from.start / STRIP as u32 * STRIP as u32;
        let rect = |x: Range<u32>, y: Range<u32>| Rect { x: x.start, y: y.start, width: length(x), height: length(y) };
        Window { from: rect(columns.from, top..rows.from.end), to: rect(columns.to, rows.to) }
    }
}

impl Window {
    pub(crate) fn columns(&self) -> Part {
        let Self { from, to } = self;
        Part { from: from.x..from.x + from.width, to: to.x..to.x + to.width }
    }

    pub(crate) fn rows(&self) -> Part {
        let Self { from, to } = self;
        Part { from: from.y..from.y + from.height, to: to.y..to.y + to.height }
    }
}

fn length(range: Range<u32>) -> u32 {
    range.end - range.start
}

/// Returns the target pixels that depend on `changed`, and all source pixels that they depend on.
fn part(from: Extent, to: u32, kernel: Kernel, changed: Range<u32>) -> Part {
    // An axis that keeps its size is copied.
    let kernel = if from.is_unchanged(to) { Kernel::Nearest } else { kernel };
    let axis = Axis { from, to: to.into(), kernel };
    let span = |j: u32| {
        let (start, len) = axis.span(j);
        start..start + len
    };
    // Starts and ends of spans never decrease.
    let first = first_that(to, |j| span(j).end > changed.start);
    let end = first_that(to, |j| span(j).start >= changed.end).max(first);
    let needed = if first == end { 0..0 } else { span(first).start..span(end - 1).end };
    Part { from: needed, to: first..end }
}

/// Returns the first number below `end` for which `holds` is true, or `end`. It is true for all numbers behind that.
fn first_that(end: u32, holds: impl Fn(u32) -> bool) -> u32 {
    let (mut low, mut high) = (0, end);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}
