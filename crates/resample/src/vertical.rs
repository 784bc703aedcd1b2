//! The vertical pass, in two forms. [`Scatter`] shrinks: it adds each source row to the few target rows that it
//! affects, therefore memory does not depend on the factor. [`Gather`] enlarges: it keeps the few source rows that a
//! target row needs.
//!
//! Both add in the same order. Source rows are grouped in fours from the top of the picture; the rows of a group are
//! added from top to bottom, and then the sums of the groups from top to bottom. A total is thus loaded and stored once
//! for four rows, and rounded a quarter as often. Spans of more than
//! [`BLOCK`](crate::weights::BLOCK) rows add the groups with compensation.

use core::ops::Range;
use core::task::{Poll, ready};

use raster::{Budget, Pixel, Result};
use simd::F32x4;

use crate::horizontal::{Horizontal, compensated};
use crate::ringing::{Extremes, Limits, clamp, widen};
use crate::strip::{STRIP, StripSource};
use crate::tile::{EMPTY, TILE, Tile, TileRow, tiles, unpack, vectors};
use crate::weights::{Span, Weights};

/// The number of rows in a group, whose weighted sum is added to a total at once.
const FOUR: usize = 4;

/// The pass for shrinking. Each strip is added, tile by tile, to all target rows that it affects: the rows from the
/// requested row on whose spans have begun.
pub(crate) struct Scatter {
    weights: Weights,
    /// The totals of target row `j`, at index `j` modulo the number of buffers.
    totals: Vec<Vec<[f32; 4]>>,
    /// The rounding errors of the totals, at the same indices; empty when all spans are short.
    errors: Vec<Vec<[f32; 4]>>,
    /// The limits of the totals, at the same indices; empty unless ringing is limited.
    limits: Vec<Vec<Limits>>,
}

impl Scatter {
    /// Creates the pass over `rows`; `height` is their number. `is_clamped` limits ringing.
    pub(crate) fn new<S: StripSource>(
        weights: Weights,
        rows: &Horizontal<S>,
        (height, is_clamped): (u32, bool),
        budget: &Budget,
    ) -> Result<Self> {
        let live = most_live(&weights, height as usize);
        let len = tiles(rows.width()) * vectors(rows.channels());
        let totals = buffers(live, len, [0.0; 4], budget)?;
        let errors = buffers(if weights.has_long { live } else { 0 }, len, [0.0; 4], budget)?;
        let limits = buffers(if is_clamped { live } else { 0 }, len, Limits::UNSET, budget)?;
        Ok(Self { weights, totals, errors, limits })
    }

    /// Writes target row `j`; rows are requested in order. Reads at most one strip, and returns `Pending` while the row
    /// needs more.
    pub(crate) fn poll_row<S: StripSource>(
        &mut self,
        j: usize,
        rows: &mut Horizontal<S>,
        into: &mut [Pixel],
    ) -> Poll<Result<()>> {
        let end = self.weights.span(j).end();
        let base = rows.position();
        if base < end {
            ready!(rows.poll_strip())?;
            let len = vectors(rows.channels());
            let mut tile = EMPTY;
            for number in 0..tiles(rows.width()) {
                rows.tile(number, &mut tile);
                self.add(&tile, j, base, number * len..(number + 1) * len);
            }
            if !self.limits.is_empty() {
                self.widen(rows, j, base);
            }
            if rows.position() < end {
                return Poll::Pending;
            }
        }
        let slot = j % self.totals.len();
        if let Some(limits) = self.limits.get(slot) {
            clamp(&mut self.totals[slot], limits);
        }
        unpack(&self.totals[slot], rows.channels(), into);
        Poll::Ready(Ok(()))
    }

    /// Widens the limits of the target rows from `next` on by the strip read last, which begins at source row `base`.
    fn widen<S: StripSource>(&mut self, rows: &Horizontal<S>, next: usize, base: usize) {
        let len = vectors(rows.channels());
        let mut extremes = Extremes::UNSET;
        for number in 0..tiles(rows.width()) {
            rows.extremes(number, &mut extremes);
            let begun = (next..self.weights.len()).map(|j| (j, self.weights.span(j)));
            for (j, span) in begun.take_while(|(_, span)| span.start < base + STRIP) {
                let slot = j % self.limits.len();
                widen(span, base, &extremes, &mut self.limits[slot][number * len..(number + 1) * len]);
            }
        }
    }

    /// Adds a tile to the target rows from `next` on, at the vectors `place`. The tile's strip begins at source row
    /// `base`.
    fn add(&mut self, tile: &Tile, next: usize, base: usize, place: Range<usize>) {
        for j in next..self.weights.len() {
            let span = self.weights.span(j);
            if span.start >= base + STRIP {
                break;
            }
            let slot = j % self.totals.len();
            let errors = self.errors.get_mut(slot).map(|errors| &mut errors[place.clone()]);
            add_strip(span, base, tile, &mut self.totals[slot][place.clone()], errors);
        }
    }
}

/// Returns the largest number of target rows that any strip affects.
fn most_live(weights: &Weights, height: usize) -> usize {
    let (mut ended, mut started, mut most) = (0, 0, 1);
    for base in (0..height).step_by(STRIP) {
        while ended < weights.len() && weights.span(ended).end() <= base {
            ended += 1;
        }
        while started < weights.len() && weights.span(started).start < base + STRIP {
            started += 1;
        }
        most = most.max(started.saturating_sub(ended));
    }
    most
}

/// The pass for enlarging, and for pictures that keep their height.
pub(crate) struct Gather {
    weights: Weights,
    /// Strip number `s`, at index `s` modulo the number of buffers.
    strips: Vec<Vec<Tile>>,
    /// The extremes of the strips, at the same indices; empty unless ringing is limited.
    extremes: Vec<Vec<Extremes>>,
}

impl Gather {
    /// Creates the pass over `rows`. `is_clamped` limits ringing.
    pub(crate) fn new<S: StripSource>(
        weights: Weights,
        rows: &Horizontal<S>,
        is_clamped: bool,
        budget: &Budget,
    ) -> Result<Self> {
        let strips_under = |span: Span<'_>| (span.end() - 1) / STRIP - span.start / STRIP + 1;
        let most = weights.iter().map(strips_under).max().unwrap_or(1);
        let strips = buffers(most, tiles(rows.width()), EMPTY, budget)?;
        let extremes = buffers(if is_clamped { most } else { 0 }, tiles(rows.width()), Extremes::UNSET, budget)?;
        Ok(Self { weights, strips, extremes })
    }

    /// Writes target row `j`; rows are requested in order. Reads at most one strip, and returns `Pending` while the row
    /// needs more.
    pub(crate) fn poll_row<S: StripSource>(
        &mut self,
        j: usize,
        rows: &mut Horizontal<S>,
        into: &mut [Pixel],
    ) -> Poll<Result<()>> {
        let (span, slots) = (self.weights.span(j), self.strips.len());
        if rows.position() < span.end() {
            let slot = rows.position() / STRIP % slots;
            let strip = &mut self.strips[slot];
            ready!(rows.poll_strip())?;
            strip.iter_mut().enumerate().for_each(|(number, tile)| rows.tile(number, tile));
            let extremes = self.extremes.get_mut(slot).into_iter().flatten();
            extremes.enumerate().for_each(|(number, extremes)| rows.extremes(number, extremes));
            if rows.position() < span.end() {
                return Poll::Pending;
            }
        }
        for (number, into) in into.chunks_mut(TILE).enumerate() {
            let mut total = [[0.0; 4]; TILE];
            let total = &mut total[..vectors(rows.channels())];
            for base in (strip_of(span.start)..span.end()).step_by(STRIP) {
                add_strip(span, base, &self.strips[base / STRIP % slots][number], total, None);
            }
            self.clamp(span, number, total);
            unpack(total, rows.channels(), into);
        }
        Poll::Ready(Ok(()))
    }
}

impl Gather {
    /// Clamps the samples of a target row in tile number `number`, if ringing is limited.
    fn clamp(&self, span: Span<'_>, number: usize, row: &mut [[f32; 4]]) {
        let slots = self.extremes.len();
        if slots == 0 {
            return;
        }
        let mut limits = [Limits::UNSET; TILE];
        for base in (strip_of(span.start)..span.end()).step_by(STRIP) {
            widen(span, base, &self.extremes[base / STRIP % slots][number], &mut limits);
        }
        clamp(row, &limits);
    }
}

/// Returns the first row of the strip that contains source row `row`.
const fn strip_of(row: usize) -> usize {
    row / STRIP * STRIP
}

/// Adds the share of a strip to a target row. The strip begins at source row `base`. The first group under a span sets
/// the row and clears its errors.
fn add_strip(span: Span<'_>, base: usize, strip: &Tile, into: &mut [[f32; 4]], mut errors: Option<&mut [[f32; 4]]>) {
    for four in [base, base + FOUR] {
        let (first, end) = (span.start.max(four), span.end().min(four + FOUR));
        if first >= end {
            continue;
        }
        let join = match &mut errors {
            Some(errors) if first == span.start => {
                errors.fill([0.0; 4]);
                Join::Set
            }
            Some(errors) => Join::Compensate(errors),
            None if first == span.start => Join::Set,
            None => Join::Add,
        };
        let rows = &strip[first - base..end - base];
        let factors = &span.factors[first - span.start..end - span.start];
        match rows.len() {
            1 => add::<1>(factors, rows, into, join),
            2 => add::<2>(factors, rows, into, join),
            3 => add::<3>(factors, rows, into, join),
            _ => add::<4>(factors, rows, into, join),
        }
    }
}

/// How the sum of a group joins the total.
enum Join<'a> {
    /// The sum becomes the total, because it is the first.
    Set,
    /// The sum is added.
    Add,
    /// The sum is added with compensation for the rounding errors so far.
    Compensate(&'a mut [[f32; 4]]),
}

/// Adds the weighted sum of `N` rows to a target row.
fn add<const N: usize>(factors: &[f32], rows: &[TileRow], into: &mut [[f32; 4]], join: Join<'_>) {
    let (Some(factors), Some(rows)) = (factors.first_chunk::<N>(), rows.first_chunk::<N>()) else {
        debug_assert!(false, "a four has four rows");
        return;
    };
    let factors = factors.map(F32x4::splat);
    let sum = |x: usize| {
        let mut sum = F32x4::load(&rows[0][x]) * factors[0];
        for r in 1..N {
            sum = sum + F32x4::load(&rows[r][x]) * factors[r];
        }
        sum
    };
    let len = into.len().min(TILE);
    let into = &mut into[..len];
    match join {
        Join::Set => {
            for (x, total) in into.iter_mut().enumerate() {
                sum(x).store(total);
            }
        }
        Join::Add => {
            for (x, total) in into.iter_mut().enumerate() {
                (F32x4::load(total) + sum(x)).store(total);
            }
        }
        Join::Compensate(errors) => {
            for (x, (total, error)) in into.iter_mut().zip(errors).enumerate() {
                let (next, missed) = compensated(F32x4::load(total), sum(x), F32x4::load(error));
                next.store(total);
                missed.store(error);
            }
        }
    }
}

/// Allocates `count` buffers of `len` values.
fn buffers<T: Copy>(count: usize, len: usize, value: T, budget: &Budget) -> Result<Vec<Vec<T>>> {
    (0..count).map(|_| budget.filled(len as u64, value)).collect()
}
