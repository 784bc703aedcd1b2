//! The pass along the rows: several at once, so that each weight is fetched once for all of them.

use raster::{Budget, Pixel, Result, RowSource};
use simd::F32x4;

use crate::Kernel;
use crate::weights::{Span, Weights};

/// Rows that are filtered at once. Four sums and their factor stay in registers.
pub(crate) const BATCH: usize = 4;

/// Terms that are added plainly. Longer spans are summed in blocks, joined with compensation: rounding thirty thousand
/// equal terms one after another makes flat 65,535 come out as 65,514. 64 terms miss by 2⁻¹⁹ at most, an eighth of a
/// 16-bit level.
pub(crate) const BLOCK: usize = 64;

/// The rows of a source, resampled to another width.
pub(crate) struct Horizontal<S> {
    source: S,
    width: usize,
    /// Source rows read.
    position: usize,
    /// Nothing where the width stays: then rows pass untouched.
    filter: Option<Filter>,
}

struct Filter {
    weights: Weights,
    /// Up to [`BATCH`] source rows, one after another.
    rows: Vec<Pixel>,
}

impl<S: RowSource> Horizontal<S> {
    pub(crate) fn new(source: S, width: u32, kernel: Kernel, budget: &Budget) -> Result<Self> {
        let from = source.size().width;
        let filter = if from == width {
            None
        } else {
            let weights = Weights::new(from, width, kernel, budget)?;
            Some(Filter { weights, rows: budget.filled(u64::from(from) * BATCH as u64, Pixel::default())? })
        };
        Ok(Self { source, width: width as usize, position: 0, filter })
    }

    /// Pixels in a row that [`Horizontal::read`] gives.
    pub(crate) const fn width(&self) -> usize {
        self.width
    }

    /// Number of the next row.
    pub(crate) const fn position(&self) -> usize {
        self.position
    }

    /// Reads the next batch, or what is left at the bottom, into the first rows of `into`.
    pub(crate) fn read_batch(&mut self, into: &mut [Pixel]) -> Result<()> {
        let left = self.source.size().height as usize - self.position;
        self.read(&mut into[..left.min(BATCH) * self.width])
    }

    /// Reads the next 1 to [`BATCH`] rows, as many as fit into `into`.
    pub(crate) fn read(&mut self, into: &mut [Pixel]) -> Result<()> {
        let (width, count) = (self.width, into.len() / self.width);
        self.position += count;
        let Some(filter) = &mut self.filter else {
            return into.chunks_exact_mut(width).try_for_each(|row| self.source.read_row(row));
        };
        let from = self.source.size().width as usize;
        let rows = &mut filter.rows[..count * from];
        rows.chunks_exact_mut(from).try_for_each(|row| self.source.read_row(row))?;
        if count == BATCH {
            resample::<BATCH>(&filter.weights, rows, into);
        } else {
            for (row, into) in rows.chunks_exact(from).zip(into.chunks_exact_mut(width)) {
                resample::<1>(&filter.weights, row, into);
            }
        }
        Ok(())
    }
}

/// Resamples `N` rows, which lie one after another in `rows`, into `N` rows in `into`.
fn resample<const N: usize>(weights: &Weights, rows: &[Pixel], into: &mut [Pixel]) {
    let rows: [&[Pixel]; N] = split(rows);
    let width = weights.len();
    for (j, span) in weights.iter().enumerate() {
        let sums = weigh(span, rows);
        for (r, sum) in sums.into_iter().enumerate() {
            sum.store(&mut into[r * width + j].0);
        }
    }
}

/// The weighted sums of `N` rows' pixels under one span, added from left to right.
#[inline(always)]
fn weigh<const N: usize>(span: Span<'_>, rows: [&[Pixel]; N]) -> [F32x4; N] {
    let end = span.factors.len().min(BLOCK);
    let mut sums = weigh_block(&span.factors[..end], rows.map(|row| &row[span.start..][..end]));
    if span.factors.len() > BLOCK {
        weigh_rest(span, rows, &mut sums);
    }
    sums
}

/// Goes on after the first block of a long span, whose sums are in `sums`.
#[inline(never)]
fn weigh_rest<const N: usize>(span: Span<'_>, rows: [&[Pixel]; N], sums: &mut [F32x4; N]) {
    let mut errors = [F32x4::ZERO; N];
    let mut start = span.start + BLOCK;
    for factors in span.factors[BLOCK..].chunks(BLOCK) {
        let blocks = weigh_block(factors, rows.map(|row| &row[start..][..factors.len()]));
        for r in 0..N {
            (sums[r], errors[r]) = compensated(sums[r], blocks[r], errors[r]);
        }
        start += factors.len();
    }
}

#[inline(always)]
fn weigh_block<const N: usize>(factors: &[f32], spans: [&[Pixel]; N]) -> [F32x4; N] {
    let mut sums = [F32x4::ZERO; N];
    for (k, &factor) in factors.iter().enumerate() {
        let factor = F32x4::splat(factor);
        for r in 0..N {
            sums[r] = sums[r] + F32x4::load(&spans[r][k].0) * factor;
        }
    }
    sums
}

/// A sum and a further term, with the rounding error so far taken from the term; returns the new sum and error (Kahan,
/// Further Remarks on Reducing Truncation Errors, 1965).
#[inline(always)]
pub(crate) fn compensated(sum: F32x4, term: F32x4, error: F32x4) -> (F32x4, F32x4) {
    let term = term - error;
    let next = sum + term;
    (next, (next - sum) - term)
}

/// `N` rows of equal width that lie one after another.
pub(crate) fn split<const N: usize>(rows: &[Pixel]) -> [&[Pixel]; N] {
    let width = rows.len() / N;
    core::array::from_fn(|r| &rows[r * width..][..width])
}
