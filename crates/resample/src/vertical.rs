//! The pass down the columns, in two shapes. [`Scatter`] shrinks: it adds each source row to the few target rows it
//! touches, so that memory does not depend on the factor. [`Gather`] enlarges: it keeps the few source rows that a
//! target row needs.
//!
//! Both add in one order: source rows in fours, counted from the top of the picture; first within the four from top to
//! bottom, then the fours' sums from top to bottom. A total is thus loaded and stored once for four rows, and rounded a
//! quarter as often. Spans of more than a [`BLOCK`] of rows join the fours with compensation.

use raster::{Budget, Pixel, Result, RowSource};
use simd::F32x4;

use crate::horizontal::{BATCH, BLOCK, Horizontal, compensated, split};
use crate::weights::{Span, Weights};

/// Shrinking. A batch of source rows stays until a target row needs rows below it; only then is it added to the target
/// rows that it touches and that go on below: seven at most with Lanczos 3.
pub(crate) struct Scatter {
    weights: Weights,
    batch: Vec<Pixel>,
    /// Totals of target row `j` at `j` modulo their number.
    totals: Vec<Vec<Pixel>>,
    /// The totals' rounding errors, in the same places; none where all spans are short.
    errors: Vec<Vec<Pixel>>,
}

impl Scatter {
    /// Works on `height` source rows of `width` pixels.
    pub(crate) fn new(weights: Weights, width: usize, height: u32, budget: &Budget) -> Result<Self> {
        let live = most_live(&weights, height as usize);
        let batch = budget.filled((BATCH * width) as u64, Pixel::default())?;
        let totals = buffers(live, width, budget)?;
        let long = weights.iter().any(|span| span.factors.len() > BLOCK);
        let errors = buffers(if long { live } else { 0 }, width, budget)?;
        Ok(Self { weights, batch, totals, errors })
    }

    /// Writes target row `j`; rows are asked for in order.
    pub(crate) fn read_row<S: RowSource>(
        &mut self,
        j: usize,
        rows: &mut Horizontal<S>,
        into: &mut [Pixel],
    ) -> Result<()> {
        while rows.position() < self.weights.span(j).end() {
            if rows.position() > 0 {
                self.flush(j, base_of(rows.position() - 1));
            }
            rows.read_batch(&mut self.batch)?;
        }
        let span = self.weights.span(j);
        let base = base_of(span.end() - 1);
        let slot = j % self.totals.len();
        if span.start < base {
            into.copy_from_slice(&self.totals[slot]);
        }
        add_batch(span, base, &self.batch, into, self.errors.get_mut(slot));
        Ok(())
    }

    /// Adds the batch, whose first source row is `base`, to the target rows from `next` on. All of those go on below
    /// the batch.
    fn flush(&mut self, next: usize, base: usize) {
        for j in next..self.weights.len() {
            let span = self.weights.span(j);
            if span.start >= base + BATCH {
                break;
            }
            let slot = j % self.totals.len();
            add_batch(span, base, &self.batch, &mut self.totals[slot], self.errors.get_mut(slot));
        }
    }
}

/// The largest number of target rows that any border between two batches cuts.
fn most_live(weights: &Weights, height: usize) -> usize {
    let (mut ended, mut started, mut most) = (0, 0, 1);
    for border in (BATCH..height).step_by(BATCH) {
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
    /// Batch number `b` at `b` modulo their number.
    batches: Vec<Vec<Pixel>>,
}

impl Gather {
    /// Works on source rows of `width` pixels.
    pub(crate) fn new(weights: Weights, width: usize, budget: &Budget) -> Result<Self> {
        let batches_under = |span: Span<'_>| (span.end() - 1) / BATCH - span.start / BATCH + 1;
        let most = weights.iter().map(batches_under).max().unwrap_or(1);
        let batches = buffers(most, BATCH * width, budget)?;
        Ok(Self { weights, batches })
    }

    /// Writes target row `j`; rows are asked for in order.
    pub(crate) fn read_row<S: RowSource>(
        &mut self,
        j: usize,
        rows: &mut Horizontal<S>,
        into: &mut [Pixel],
    ) -> Result<()> {
        let (span, slots) = (self.weights.span(j), self.batches.len());
        while rows.position() < span.end() {
            rows.read_batch(&mut self.batches[rows.position() / BATCH % slots])?;
        }
        for base in (base_of(span.start)..span.end()).step_by(BATCH) {
            add_batch(span, base, &self.batches[base / BATCH % slots], into, None);
        }
        Ok(())
    }
}

/// First row of the batch that holds source row `row`.
const fn base_of(row: usize) -> usize {
    row / BATCH * BATCH
}

/// Adds to a target row what the batch that begins at source row `base` gives it, which must be something. The first
/// batch under a span sets the row and clears its errors.
fn add_batch(span: Span<'_>, base: usize, batch: &[Pixel], into: &mut [Pixel], errors: Option<&mut Vec<Pixel>>) {
    let (first, end) = (span.start.max(base), span.end().min(base + BATCH));
    let width = into.len();
    let rows = &batch[(first - base) * width..(end - base) * width];
    let join = match errors {
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
        _ => debug_assert!(false, "1 to {BATCH} rows of a batch lie under the span"),
    }
}

/// What becomes of a batch's sum.
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
