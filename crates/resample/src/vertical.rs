//! The pass down the columns, in two shapes. [`Scatter`] shrinks: it adds each source row to the few target rows it
//! touches, so that memory does not depend on the factor. [`Gather`] enlarges: it keeps the few source rows that a
//! target row needs.
//!
//! Both add in one order: source rows in fours, counted from the top of the picture; first within the four from top to
//! bottom, then the fours' sums from top to bottom. A total is thus loaded and stored once for four rows, and rounded a
//! quarter as often. Spans of more than a [`BLOCK`] of rows join the fours with compensation.

use raster::rows::{STRIP, StripSource};
use raster::{Budget, Pixel, Result};
use simd::F32x4;

use crate::horizontal::{BLOCK, Horizontal, compensated};
use crate::weights::{Span, Weights};

/// Rows whose weighted sum joins a total at once.
const FOUR: usize = 4;

/// Shrinking. A strip of source rows stays until a target row needs rows below it; only then is it added to the target
/// rows that it touches and that go on below: seven at most with Lanczos 3.
pub(crate) struct Scatter {
    weights: Weights,
    strip: Vec<Pixel>,
    /// Totals of target row `j` at `j` modulo their number.
    totals: Vec<Vec<Pixel>>,
    /// The totals' rounding errors, in the same places; none where all spans are short.
    errors: Vec<Vec<Pixel>>,
}

impl Scatter {
    /// Works on `height` source rows of `width` pixels.
    pub(crate) fn new(weights: Weights, width: usize, height: u32, budget: &Budget) -> Result<Self> {
        let live = most_live(&weights, height as usize);
        let strip = budget.filled((STRIP * width) as u64, Pixel::default())?;
        let totals = buffers(live, width, budget)?;
        let long = weights.iter().any(|span| span.factors.len() > BLOCK);
        let errors = buffers(if long { live } else { 0 }, width, budget)?;
        Ok(Self { weights, strip, totals, errors })
    }

    /// Writes target row `j`; rows are asked for in order.
    pub(crate) fn read_row<S: StripSource>(
        &mut self,
        j: usize,
        rows: &mut Horizontal<S>,
        into: &mut [Pixel],
    ) -> Result<()> {
        while rows.position() < self.weights.span(j).end() {
            if rows.position() > 0 {
                self.flush(j, strip_of(rows.position() - 1));
            }
            rows.read(&mut self.strip)?;
        }
        let span = self.weights.span(j);
        let base = strip_of(span.end() - 1);
        let slot = j % self.totals.len();
        if span.start < base {
            into.copy_from_slice(&self.totals[slot]);
        }
        add_strip(span, base, &self.strip, into, self.errors.get_mut(slot));
        Ok(())
    }

    /// Adds the strip, whose first source row is `base`, to the target rows from `next` on. All of those go on below
    /// it.
    fn flush(&mut self, next: usize, base: usize) {
        for j in next..self.weights.len() {
            let span = self.weights.span(j);
            if span.start >= base + STRIP {
                break;
            }
            let slot = j % self.totals.len();
            add_strip(span, base, &self.strip, &mut self.totals[slot], self.errors.get_mut(slot));
        }
    }
}

/// The largest number of target rows that any border between two strips cuts.
fn most_live(weights: &Weights, height: usize) -> usize {
    let (mut ended, mut started, mut most) = (0, 0, 1);
    for border in (STRIP..height).step_by(STRIP) {
        while ended < weights.len() && weights.span(ended).end() <= border {
            ended += 1;
        }
        while started < weights.len() && weights.span(started).start < border {
            started += 1;
        }
        most = most.max(started.saturating_sub(ended));
    }
    most
}

/// Enlarging, or keeping the height.
pub(crate) struct Gather {
    weights: Weights,
    /// Strip number `s` at `s` modulo their number.
    strips: Vec<Vec<Pixel>>,
}

impl Gather {
    /// Works on source rows of `width` pixels.
    pub(crate) fn new(weights: Weights, width: usize, budget: &Budget) -> Result<Self> {
        let strips_under = |span: Span<'_>| (span.end() - 1) / STRIP - span.start / STRIP + 1;
        let most = weights.iter().map(strips_under).max().unwrap_or(1);
        let strips = buffers(most, STRIP * width, budget)?;
        Ok(Self { weights, strips })
    }

    /// Writes target row `j`; rows are asked for in order.
    pub(crate) fn read_row<S: StripSource>(
        &mut self,
        j: usize,
        rows: &mut Horizontal<S>,
        into: &mut [Pixel],
    ) -> Result<()> {
        let (span, slots) = (self.weights.span(j), self.strips.len());
        while rows.position() < span.end() {
            rows.read(&mut self.strips[rows.position() / STRIP % slots])?;
        }
        for base in (strip_of(span.start)..span.end()).step_by(STRIP) {
            add_strip(span, base, &self.strips[base / STRIP % slots], into, None);
        }
        Ok(())
    }
}

/// First row of the strip that holds source row `row`.
const fn strip_of(row: usize) -> usize {
    row / STRIP * STRIP
}

/// Adds to a target row what the strip that begins at source row `base` gives it. The first four under a span sets the
/// row and clears its errors.
fn add_strip(span: Span<'_>, base: usize, strip: &[Pixel], into: &mut [Pixel], mut errors: Option<&mut Vec<Pixel>>) {
    let width = into.len();
    for four in [base, base + FOUR] {
        let (first, end) = (span.start.max(four), span.end().min(four + FOUR));
        if first >= end {
            continue;
        }
        let rows = &strip[(first - base) * width..(end - base) * width];
        let join = match &mut errors {
            Some(errors) if first == span.start => {
                errors.fill(Pixel::default());
                Join::Set
            }
            Some(errors) => Join::Compensate(errors),
            None if first == span.start => Join::Set,
            None => Join::Add,
        };
        match span.factors[first - span.start..end - span.start] {
            [a] => add([a], split(rows), into, join),
            [a, b] => add([a, b], split(rows), into, join),
            [a, b, c] => add([a, b, c], split(rows), into, join),
            [a, b, c, d] => add([a, b, c, d], split(rows), into, join),
            _ => debug_assert!(false, "a four has four rows"),
        }
    }
}

/// `N` rows of equal width that lie one after another.
fn split<const N: usize>(rows: &[Pixel]) -> [&[Pixel]; N] {
    let width = rows.len() / N;
    core::array::from_fn(|r| &rows[r * width..][..width])
}

/// What becomes of the sum of a four.
enum Join<'a> {
    /// It is the first.
    Set,
    Add,
    /// It is added with regard to the errors so far.
    Compensate(&'a mut [Pixel]),
}

/// Joins the weighted sum of `N` rows to a target row.
fn add<const N: usize>(factors: [f32; N], rows: [&[Pixel]; N], into: &mut [Pixel], join: Join<'_>) {
    let rows = rows.map(|row| &row[..into.len()]);
    let factors = factors.map(F32x4::splat);
    let sum = |x: usize| {
        let mut sum = F32x4::load(&rows[0][x].0) * factors[0];
        for r in 1..N {
            sum = sum + F32x4::load(&rows[r][x].0) * factors[r];
        }
        sum
    };
    match join {
        Join::Set => {
            for (x, total) in into.iter_mut().enumerate() {
                sum(x).store(&mut total.0);
            }
        }
        Join::Add => {
            for (x, total) in into.iter_mut().enumerate() {
                (F32x4::load(&total.0) + sum(x)).store(&mut total.0);
            }
        }
        Join::Compensate(errors) => {
            for (x, (total, error)) in into.iter_mut().zip(errors).enumerate() {
                let (next, missed) = compensated(F32x4::load(&total.0), sum(x), F32x4::load(&error.0));
                next.store(&mut total.0);
                missed.store(&mut error.0);
            }
        }
    }
}

/// `count` buffers of `len` pixels.
fn buffers(count: usize, len: usize, budget: &Budget) -> Result<Vec<Vec<Pixel>>> {
    (0..count).map(|_| budget.filled(len as u64, Pixel::default())).collect()
}
