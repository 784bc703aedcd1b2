//! The pass down the columns, in two shapes. [`Scatter`] shrinks: it adds each source row to the few target rows it touches, so
//! that memory does not depend on the factor. [`Gather`] enlarges: it keeps the few source rows that a target row needs.
//!
//! Both add in one order: source rows in fours, counted from the top of the picture; first within the four from top to
//! bottom, then the fours' sums from top to bottom. A total is thus loaded and stored once for four rows, and rounded a quarter as
//! often.

use raster::{Budget, Pixel, Result, RowSource};
use simd::F32x4;

use crate::horizontal::{BATCH, Horizontal, split};
use crate::weights::{Taps, Weights};

/// Shrinking. A batch of source rows stays until a target row needs rows below it; only then is it added to the target rows that
/// it touches and that go on below: seven at most with Lanczos 3.
pub(crate) struct Scatter {
    weights: Weights,
    batch: Vec<Pixel>,
    /// Totals of target row `j` at `j` modulo their number.
    totals: Vec<Vec<Pixel>>,
}

impl Scatter {
    /// Works on `height` source rows of `width` pixels.
    pub(crate) fn new(weights: Weights, width: usize, height: u32, budget: &Budget) -> Result<Self> {
        let live = most_live(&weights, height as usize);
        let batch = budget.filled((BATCH * width) as u64, Pixel::default())?;
        let totals = buffers(live, width, budget)?;
        Ok(Self { weights, batch, totals })
    }

    /// Writes target row `j`; rows are asked for in order.
    pub(crate) fn read_row<S: RowSource>(
        &mut self,
        j: usize,
        rows: &mut Horizontal<S>,
        into: &mut [Pixel],
    ) -> Result<()> {
        while rows.position() < self.weights.taps(j).end() {
            if rows.position() > 0 {
                self.flush(j, base_of(rows.position() - 1));
            }
            rows.read_batch(&mut self.batch)?;
        }
        let taps = self.weights.taps(j);
        let base = base_of(taps.end() - 1);
        if taps.start < base {
            into.copy_from_slice(&self.totals[j % self.totals.len()]);
        }
        add_batch(taps, base, &self.batch, into);
        Ok(())
    }

    /// Adds the batch, whose first source row is `base`, to the target rows from `next` on. All of those go on below the batch.
    fn flush(&mut self, next: usize, base: usize) {
        for j in next..self.weights.len() {
            let taps = self.weights.taps(j);
            if taps.start >= base + BATCH {
                break;
            }
            let slot = j % self.totals.len();
            add_batch(taps, base, &self.batch, &mut self.totals[slot]);
        }
    }
}

/// The largest number of target rows that any border between two batches cuts.
fn most_live(weights: &Weights, height: usize) -> usize {
    let (mut ended, mut started, mut most) = (0, 0, 1);
    for border in (BATCH..height).step_by(BATCH) {
        while ended < weights.len() && weights.taps(ended).end() <= border {
            ended += 1;
        }
        while started < weights.len() && weights.taps(started).start < border {
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
        let batches_under = |taps: Taps<'_>| (taps.end() - 1) / BATCH - taps.start / BATCH + 1;
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
        let (taps, slots) = (self.weights.taps(j), self.batches.len());
        while rows.position() < taps.end() {
            rows.read_batch(&mut self.batches[rows.position() / BATCH % slots])?;
        }
        for base in (base_of(taps.start)..taps.end()).step_by(BATCH) {
            add_batch(taps, base, &self.batches[base / BATCH % slots], into);
        }
        Ok(())
    }
}

/// First row of the batch that holds source row `row`.
const fn base_of(row: usize) -> usize {
    row / BATCH * BATCH
}

/// Adds to a target row what the batch that begins at source row `base` gives it, which must be something. The first batch under a
/// span sets the row.
fn add_batch(taps: Taps<'_>, base: usize, batch: &[Pixel], into: &mut [Pixel]) {
    let (first, end) = (taps.start.max(base), taps.end().min(base + BATCH));
    let width = into.len();
    let rows = &batch[(first - base) * width..(end - base) * width];
    let fresh = first == taps.start;
    match taps.factors[first - taps.start..end - taps.start] {
        [a] => add([a], split(rows), into, fresh),
        [a, b] => add([a, b], split(rows), into, fresh),
        [a, b, c] => add([a, b, c], split(rows), into, fresh),
        [a, b, c, d] => add([a, b, c, d], split(rows), into, fresh),
        _ => debug_assert!(false, "1 to {BATCH} rows of a batch lie under the span"),
    }
}

/// Sets or adds the weighted sum of `N` rows.
fn add<const N: usize>(factors: [f32; N], rows: [&[Pixel]; N], into: &mut [Pixel], fresh: bool) {
    let rows = rows.map(|row| &row[..into.len()]);
    let factors = factors.map(F32x4::splat);
    let sum = |x: usize| {
        let mut sum = F32x4::load(&rows[0][x].0) * factors[0];
        for r in 1..N {
            sum = sum + F32x4::load(&rows[r][x].0) * factors[r];
        }
        sum
    };
    if fresh {
        for x in 0..into.len() {
            sum(x).store(&mut into[x].0);
        }
    } else {
        for x in 0..into.len() {
            (F32x4::load(&into[x].0) + sum(x)).store(&mut into[x].0);
        }
    }
}

/// `count` buffers of `len` pixels.
fn buffers(count: usize, len: usize, budget: &Budget) -> Result<Vec<Vec<Pixel>>> {
    (0..count).map(|_| budget.filled(len as u64, Pixel::default())).collect()
}
