//! The horizontal pass. The rows of a strip lie side by side in vectors: each weight is loaded once for all of them,
//! and a channel costs two additions for eight rows.

use core::ops::Range;
use core::task::{Poll, ready};

use raster::{Budget, Channels, Result};
use simd::F32x4;

use crate::ringing::Extremes;
use crate::strip::{Column, STRIP, StripSource};
use crate::tile::{TILE, Tile};
use crate::weights::{BLOCK, Span, Weights};

/// The rows of a source, resampled to another width.
pub(crate) struct Horizontal<S> {
    source: S,
    width: usize,
    /// The number of source rows read.
    position: usize,
    /// The weights, or `None` when the width stays the same: pixels are then copied.
    weights: Option<Weights>,
    strip: Vec<Column>,
    /// The columns of the strip that can have values other than 0.
    filled: Range<usize>,
}

impl<S: StripSource> Horizontal<S> {
    /// Creates the pass from the rows of `source` to `width` pixels. Without weights the pixels are copied.
    pub(crate) fn new(source: S, weights: Option<Weights>, width: u32, budget: &Budget) -> Result<Self> {
        let columns = u64::from(source.size().width) * source.channels().count() as u64;
        let strip = budget.filled(columns, Column::default())?;
        Ok(Self { source, width: width as usize, position: 0, weights, strip, filled: 0..0 })
    }

    /// Returns the number of pixels in a resampled row.
    pub(crate) const fn width(&self) -> usize {
        self.width
    }

    /// Returns the channels of the source's pixels.
    pub(crate) fn channels(&self) -> Channels {
        self.source.channels()
    }

    /// Returns the number of the next row.
    pub(crate) const fn position(&self) -> usize {
        self.position
    }

    /// Reads the next strip, which [`Horizontal::tile`] then resamples. `Pending` is passed on from
    /// [`StripSource::poll_strip`].
    pub(crate) fn poll_strip(&mut self) -> Poll<Result<()>> {
        ready!(self.source.poll_strip(&mut self.strip))?;
        self.filled = self.source.filled_columns();
        self.position = (self.position + STRIP).min(self.source.size().height as usize);
        Poll::Ready(Ok(()))
    }

    /// Resamples tile number `number` of the strip read last.
    pub(crate) fn tile(&self, number: usize, into: &mut Tile) {
        let columns = number * TILE..self.width.min((number + 1) * TILE);
        match self.source.channels() {
            Channels::Gray => self.resample::<1>(columns, into),
            Channels::GrayAlpha => self.resample::<2>(columns, into),
            Channels::Rgb => self.resample::<3>(columns, into),
            Channels::Rgba => self.resample::<4>(columns, into),
        }
    }

    /// Finds the smallest and the largest samples of tile number `number` of the strip read last.
    pub(crate) fn extremes(&self, number: usize, into: &mut Extremes) {
        let columns = number * TILE..self.width.min((number + 1) * TILE);
        match self.source.channels() {
            Channels::Gray => self.find_extremes::<1>(columns, into),
            Channels::GrayAlpha => self.find_extremes::<2>(columns, into),
            Channels::Rgb => self.find_extremes::<3>(columns, into),
            Channels::Rgba => self.find_extremes::<4>(columns, into),
        }
    }

    /// Implements [`Horizontal::extremes`] for pixels with `N` channels.
    fn find_extremes<const N: usize>(&self, columns: Range<usize>, into: &mut Extremes) {
        let (strip, _) = self.strip.as_chunks::<N>();
        for x in columns.clone() {
            let span = self.weights.as_ref().map_or(x..x + 1, |weights| {
                let span = weights.span(x);
                span.start..span.end()
            });
            let least = strip[span.clone()].iter().map(|column| column.map(load)).reduce(|a, b| each(a, b, F32x4::min));
            let most = strip[span].iter().map(|column| column.map(load)).reduce(|a, b| each(a, b, F32x4::max));
            store(least.unwrap_or([[F32x4::ZERO; 2]; N]), x - columns.start, &mut into.least);
            store(most.unwrap_or([[F32x4::ZERO; 2]; N]), x - columns.start, &mut into.most);
        }
    }

    /// Whether all values under a span are 0.
    const fn is_blank(&self, span: &Span<'_>) -> bool {
        span.end() <= self.filled.start || span.start >= self.filled.end
    }

    /// Implements [`Horizontal::tile`] for pixels with `N` channels.
    fn resample<const N: usize>(&self, columns: Range<usize>, into: &mut Tile) {
        let (strip, _) = self.strip.as_chunks::<N>();
        match &self.weights {
            Some(weights) => {
                for (x, span) in weights.range(columns).enumerate() {
                    // Only pictures with alpha have areas without light.
                    let is_blank = N.is_multiple_of(2) && self.is_blank(&span);
                    store(if is_blank { [[F32x4::ZERO; 2]; N] } else { weigh(span, strip) }, x, into);
                }
            }
            None => {
                for (x, column) in strip[columns].iter().enumerate() {
                    store(column.map(load), x, into);
                }
            }
        }
    }
}

/// One channel of the rows of a strip.
type Lanes = [F32x4; 2];

#[inline(always)]
fn load([upper, lower]: Column) -> Lanes {
    [F32x4::load(&upper), F32x4::load(&lower)]
}

#[inline(always)]
fn each<const N: usize>(a: [Lanes; N], b: [Lanes; N], of: impl Fn(F32x4, F32x4) -> F32x4) -> [Lanes; N] {
    core::array::from_fn(|c| [of(b[c][0], a[c][0]), of(b[c][1], a[c][1])])
}

/// Stores pixel `x` of each row. All four lanes are stored; the next pixel to the right overwrites the lanes beyond the
/// pixel's channels.
#[inline(always)]
fn store<const N: usize>(channels: [Lanes; N], x: usize, into: &mut Tile) {
    for half in 0..2 {
        let lane = |channel: usize| channels[channel.min(N - 1)][half];
        let pixels = F32x4::transpose([lane(0), lane(1), lane(2), lane(3)]);
        for (r, pixel) in pixels.into_iter().enumerate() {
            let (_, from) = into[4 * half + r].as_flattened_mut().split_at_mut(N * x);
            if let Some(place) = from.first_chunk_mut() {
                pixel.store(place);
            }
        }
    }
}

/// Returns the weighted sums of the columns under one span, added from left to right.
#[inline(always)]
fn weigh<const N: usize>(span: Span<'_>, columns: &[[Column; N]]) -> [Lanes; N] {
    let columns = &columns[span.start..][..span.factors.len()];
    let end = span.factors.len().min(BLOCK);
    let mut sums = weigh_block(&span.factors[..end], &columns[..end]);
    if span.factors.len() > BLOCK {
        weigh_rest(&span.factors[BLOCK..], &columns[BLOCK..], &mut sums);
    }
    sums
}

/// Adds the blocks of a long span after the first block, whose sums are in `sums`.
#[inline(never)]
fn weigh_rest<const N: usize>(factors: &[f32], columns: &[[Column; N]], sums: &mut [Lanes; N]) {
    let mut errors = [[F32x4::ZERO; 2]; N];
    for (factors, columns) in factors.chunks(BLOCK).zip(columns.chunks(BLOCK)) {
        let blocks = weigh_block(factors, columns);
        for c in 0..N {
            for half in 0..2 {
                (sums[c][half], errors[c][half]) = compensated(sums[c][half], blocks[c][half], errors[c][half]);
            }
        }
    }
}

#[inline(always)]
fn weigh_block<const N: usize>(factors: &[f32], columns: &[[Column; N]]) -> [Lanes; N] {
    let mut sums = [[F32x4::ZERO; 2]; N];
    for (&factor, column) in factors.iter().zip(columns) {
        let factor = F32x4::splat(factor);
        for c in 0..N {
            let [upper, lower] = load(column[c]);
            sums[c] = [sums[c][0] + upper * factor, sums[c][1] + lower * factor];
        }
    }
    sums
}

/// Adds a term to a sum, after the rounding error so far was subtracted from the term; returns the new sum and the new
/// error (Kahan, Further Remarks on Reducing Truncation Errors, 1965).
#[inline(always)]
pub(crate) fn compensated(sum: F32x4, term: F32x4, error: F32x4) -> (F32x4, F32x4) {
    let term = term - error;
    let next = sum + term;
    (next, (next - sum) - term)
}
