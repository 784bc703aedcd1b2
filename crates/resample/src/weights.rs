//! The source pixels of each target pixel along one axis, and their weights.
//!
//! Target pixel `j` of `to` has its centre at `start + (j + ½) · length / to` on the source's axis, where `start` and
//! `length` are those of the area; source pixel `i` has its centre at `i + ½`. When shrinking, the kernel is widened by
//! the factor. Pixels outside of the area count for nothing, and a pixel on its edge counts by the fraction inside; the
//! weights are normalised to sum to one.

use core::ops::Range;

use raster::{Budget, Result};

use crate::Kernel;
use crate::area::{Extent, Part};

/// The weights of the target pixels of a window along one axis. Numbers of pixels count from its beginning.
pub(crate) struct Weights {
    bounds: Vec<Bounds>,
    factors: Vec<f32>,
    /// Whether the whole axis has a span of more than [`BLOCK`] pixels, also when this window has none.
    pub(crate) has_long: bool,
}

/// The number of terms that are added without compensation. Longer spans are summed in blocks of this length, and the
/// blocks are joined with compensation: the plain sum of thirty thousand equal terms turns flat 65,535 into 65,514. The
/// error of 64 terms is at most 2⁻¹⁹, an eighth of a 16-bit level.
pub(crate) const BLOCK: usize = 64;

/// The position of a span among the source pixels and among the factors.
#[derive(Clone, Copy, Default)]
struct Bounds {
    /// The first source pixel.
    start: u32,
    /// The end of its factors; they begin where the factors of the previous span end.
    end: u32,
}

/// The source pixels of one target pixel, and the weight of each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span<'a> {
    /// First source pixel.
    pub(crate) start: usize,
    /// The factors of this pixel and of each following one; at least one factor. Their sum is one to within 2⁻²⁴, see
    /// [`diffuse`].
    pub(crate) factors: &'a [f32],
}

impl Span<'_> {
    /// Returns the index behind the last source pixel.
    pub(crate) const fn end(&self) -> usize {
        self.start + self.factors.len()
    }
}

impl Weights {
    /// Computes the weights of a part of the `to` pixels to which an area is resampled. The area and `to` are at least
    /// 1 and at most [`raster::limits::MAX_SIDE`] pixels.
    ///
    /// # Errors
    /// [`raster::Limit::Memory`] when the budget is too small; about `4 · 2 · support · max(length, to)` bytes are
    /// needed.
    pub(crate) fn new(from: Extent, to: u32, kernel: Kernel, part: &Part, budget: &Budget) -> Result<Self> {
        let axis = Axis { from, to: to.into(), kernel };
        let mut bounds = budget.filled(part.to.len() as u64, Bounds::default())?;
        // `end` cannot overflow: there are at most 7 factors for each pixel of the longer side, which has at most a
        // million.
        let (mut end, mut longest) = (0, 0);
        for (j, bounds) in part.to.clone().zip(&mut bounds) {
            let (start, len) = axis.span(j);
            (end, longest) = (end + len, longest.max(len));
            *bounds = Bounds { start: start - part.from.start, end };
        }
        let mut factors = budget.filled(end.into(), 0.0_f32)?;
        let mut exact = budget.filled(longest.into(), 0.0_f64)?;
        let period = axis.period();
        let span = |j: usize| {
            let begin = j.checked_sub(1).map_or(0, |before| bounds[before].end);
            Place { j: part.to.start + j as u32, start: part.from.start + bounds[j].start, len: bounds[j].end - begin }
        };
        for (j, Bounds { end, .. }) in bounds.iter().enumerate() {
            let (place, end) = (span(j), *end as usize);
            let begin = end - place.len as usize;
            if j >= period && axis.are_alike(place, span(j - period)) {
                let other = bounds[j - period].end as usize;
                factors.copy_within(other - place.len as usize..other, begin);
                continue;
            }
            let exact = &mut exact[..place.len as usize];
            axis.weigh(place.j, place.start, exact);
            diffuse(exact, &mut factors[begin..end]);
        }
        Ok(Self { bounds, factors, has_long: axis.has_long() })
    }

    /// Returns the number of target pixels.
    pub(crate) const fn len(&self) -> usize {
        self.bounds.len()
    }

    /// Returns the weights of target pixel `j`.
    pub(crate) fn span(&self, j: usize) -> Span<'_> {
        let begin = if j == 0 { 0 } else { self.bounds[j - 1].end as usize };
        let Bounds { start, end } = self.bounds[j];
        Span { start: start as usize, factors: &self.factors[begin..end as usize] }
    }

    /// Returns the weights of a range of target pixels, in order.
    pub(crate) fn range(&self, pixels: Range<usize>) -> impl Iterator<Item = Span<'_>> {
        let mut begin = pixels.start.checked_sub(1).map_or(0, |before| self.bounds[before].end as usize);
        self.bounds[pixels].iter().map(move |bounds| {
            let factors = &self.factors[begin..bounds.end as usize];
            begin = bounds.end as usize;
            Span { start: bounds.start as usize, factors }
        })
    }

    /// Returns the weights of all target pixels, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Span<'_>> {
        self.range(0..self.len())
    }
}

/// The geometry of one axis, in whole numbers. A distance is a fraction with the denominator
/// `2 · max(length, to · per_pixel)`; therefore ends and ties are exact, and a distance in f64 is rounded once.
pub(crate) struct Axis {
    pub(crate) from: Extent,
    pub(crate) to: i64,
    pub(crate) kernel: Kernel,
}

/// A target pixel with its first source pixel, and the number of its source pixels.
#[derive(Clone, Copy)]
struct Place {
    j: u32,
    start: u32,
    len: u32,
}

impl Axis {
    /// Returns the number of target pixels after which the distances repeat.
    const fn period(&self) -> usize {
        let (mut a, mut b) = (self.from.length, self.pixel());
        while b > 0 {
            (a, b) = (b, a % b);
        }
        (self.pixel() / a) as usize
    }

    /// Whether two target pixels have the same weights: all distances are equal, and all source pixels are whole.
    fn are_alike(&self, one: Place, other: Place) -> bool {
        let distance = |place: Place| self.numerator(place.j.into(), place.start.into());
        let is_whole = |place: Place| {
            let ends = [place.start, place.start + place.len - 1];
            ends.iter().all(|&end| self.from.coverage(end.into()) == 1.0)
        };
        one.len == other.len && distance(one) == distance(other) && is_whole(one) && is_whole(other)
    }

    /// Returns the numerator of the distance from target centre `j` to source centre `i`, in units of the (widened)
    /// kernel.
    const fn numerator(&self, j: i64, i: i64) -> i64 {
        (2 * i + 1) * self.pixel() - self.center(j)
    }

    /// Returns a source pixel in the units of [`center`](Self::center): the `2 · to`-th parts of the area's fractions.
    const fn pixel(&self) -> i64 {
        self.to * self.from.per_pixel
    }

    /// Returns the centre of target pixel `j`.
    const fn center(&self, j: i64) -> i64 {
        (2 * j + 1) * self.from.length + 2 * self.from.start * self.to
    }

    /// Returns the unit of the kernel: a pixel of the source or of the target, whichever is larger.
    fn unit(&self) -> i64 {
        self.from.length.max(self.pixel())
    }

    fn distance(&self, j: i64, i: i64) -> f64 {
        self.numerator(j, i) as f64 / (2 * self.unit()) as f64
    }

    /// Returns the first source pixel that contributes to target pixel `j`, and the number of them, at least one.
    pub(crate) fn span(&self, j: u32) -> (u32, u32) {
        let j = i64::from(j);
        if self.kernel == Kernel::Nearest {
            return ((self.center(j) / (2 * self.pixel())) as u32, 1);
        }
        // The inequality |numerator| ≤ width · unit is solved for i.
        let reach = i64::from(self.kernel.width()) * self.unit();
        let middle = self.center(j) - self.pixel();
        let mut first = -((reach - middle).div_euclid(2 * self.pixel()));
        let mut last = (middle + reach).div_euclid(2 * self.pixel());
        // A pixel at the very end contributes only when the kernel is not zero there.
        first += i64::from(self.kernel.at(self.distance(j, first)) == 0.0);
        last -= i64::from(self.kernel.at(self.distance(j, last)) == 0.0);
        let (first, last) = (first.max(0), last.min(self.from.pixels - 1));
        (first as u32, (last - first + 1) as u32)
    }

    /// Whether a span has more than [`BLOCK`] pixels.
    fn has_long(&self) -> bool {
        let reach = i64::from(self.kernel.width()) * self.unit();
        let most = reach / self.pixel() + 1;
        most > BLOCK as i64 && (0..self.to as u32).any(|j| self.span(j).1 as usize > BLOCK)
    }

    /// Writes the exact weights of target pixel `j`, whose first source pixel is `start`.
    fn weigh(&self, j: u32, start: u32, weights: &mut [f64]) {
        if let [only] = weights {
            *only = 1.0;
            return;
        }
        for (i, weight) in (i64::from(start)..).zip(&mut *weights) {
            *weight = self.kernel.at(self.distance(j.into(), i)) * self.from.coverage(i);
        }
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
    }
}

/// Rounds weights to f32 and adds each rounding error to the next weight. The sum of the factors then differs from the
/// sum of the weights only by the last rounding error, and flat colour stays flat for any number of factors.
fn diffuse(weights: &[f64], factors: &mut [f32]) {
    let mut error = 0.0;
    for (weight, factor) in weights.iter().zip(factors) {
        let exact = weight + error;
        *factor = exact as f32;
        error = exact - f64::from(*factor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Area;
    use raster::{Limits, Size};

    /// Pairs for shrinking and enlarging, with whole and fractional factors, and extreme ones.
    const PAIRS: [(u32, u32); 16] = [
        (1, 1),
        (1, 7),
        (7, 1),
        (2, 3),
        (3, 2),
        (10, 4),
        (100, 5),
        (101, 37),
        (640, 641),
        (641, 640),
        (6000, 1920),
        (20, 60),
        (13, 31),
        (1, 3000),
        (30_000, 1),
        (5000, 100),
    ];

    fn whole(pixels: u32) -> Extent {
        Area::whole(Size::new(pixels, 1)).across(pixels)
    }

    fn weights(from: u32, to: u32, kernel: Kernel) -> Weights {
        let part = Part { from: 0..from, to: 0..to };
        Weights::new(whole(from), to, kernel, &part, &Budget::new(&Limits::default())).unwrap()
    }

    #[test]
    fn factors_sum_to_one() {
        for (from, to) in PAIRS {
            for kernel in Kernel::ALL {
                for (j, span) in weights(from, to, kernel).iter().enumerate() {
                    let sum: f64 = span.factors.iter().map(|&f| f64::from(f)).sum();
                    assert!(
                        (sum - 1.0).abs() <= f64::from(f32::EPSILON) / 2.0,
                        "{kernel:?} {from} → {to}, pixel {j}: {sum}"
                    );
                }
            }
        }
    }

    #[test]
    fn weights_that_repeat_have_the_bits_of_computed_ones() {
        for (from, to) in PAIRS {
            for kernel in Kernel::ALL {
                let axis = Axis { from: whole(from), to: to.into(), kernel };
                for (j, span) in weights(from, to, kernel).iter().enumerate() {
                    let (mut exact, mut factors) = (vec![0.0; span.factors.len()], vec![0.0; span.factors.len()]);
                    axis.weigh(j as u32, span.start as u32, &mut exact);
                    diffuse(&exact, &mut factors);
                    assert_eq!(span.factors, factors, "{kernel:?} {from} → {to}, pixel {j}");
                }
            }
        }
    }

    #[test]
    fn spans_lie_in_the_picture_and_advance() {
        for (from, to) in PAIRS {
            for kernel in Kernel::ALL {
                let weights = weights(from, to, kernel);
                assert_eq!(weights.len(), to as usize);
                let mut last = (0, 0);
                for (j, span) in weights.iter().enumerate() {
                    assert_eq!(span, weights.span(j));
                    assert!(!span.factors.is_empty() && span.end() <= from as usize, "{kernel:?} {from} → {to}");
                    assert!(span.start >= last.0 && span.end() >= last.1, "{kernel:?} {from} → {to}");
                    last = (span.start, span.end());
                }
            }
        }
    }

    /// Compares each span with all pixels at which the kernel is not zero, found by a search pixel by pixel.
    #[test]
    fn spans_contain_every_contributing_pixel() {
        for (from, to) in PAIRS.into_iter().filter(|(from, to)| from * to < 100_000) {
            for kernel in Kernel::ALL.into_iter().filter(|&kernel| kernel != Kernel::Nearest) {
                let axis = Axis { from: whole(from), to: to.into(), kernel };
                for j in 0..to {
                    let counts = |&i: &u32| kernel.at(axis.distance(j.into(), i.into())) != 0.0;
                    let all: Vec<u32> = (0..from).filter(counts).collect();
                    let (start, len) = axis.span(j);
                    let inside = |i: &u32| (start..start + len).contains(i);
                    assert!(
                        all.iter().all(inside),
                        "{kernel:?} {from} → {to}, pixel {j}: {start}+{len} is not {all:?}"
                    );
                    assert!(
                        f64::from(len) <= f64::from(kernel.width()) * (f64::from(from) / f64::from(to)).max(1.0) + 1.0
                    );
                }
            }
        }
    }

    #[test]
    fn a_mirrored_axis_has_mirrored_spans() {
        for (from, to) in PAIRS {
            for kernel in Kernel::ALL.into_iter().filter(|&kernel| kernel != Kernel::Nearest) {
                let weights = weights(from, to, kernel);
                for j in 0..to as usize {
                    let (span, mirrored) = (weights.span(j), weights.span(to as usize - 1 - j));
                    assert_eq!(
                        (span.start, span.end()),
                        (from as usize - mirrored.end(), from as usize - mirrored.start)
                    );
                }
            }
        }
    }

    #[test]
    fn nearest_takes_the_nearest_centre_and_on_a_tie_the_later_pixel() {
        let picked =
            |from, to| -> Vec<usize> { weights(from, to, Kernel::Nearest).iter().map(|span| span.start).collect() };
        assert_eq!(picked(3, 6), [0, 0, 1, 1, 2, 2]);
        assert_eq!(picked(6, 3), [1, 3, 5], "each centre lies between two pixels");
        assert_eq!(picked(9, 3), [1, 4, 7]);
        assert_eq!(picked(5, 3), [0, 2, 4]);
        assert_eq!(picked(4, 1), [2]);
    }

    #[test]
    fn the_box_shares_a_pixel_between_two_targets() {
        let weights = weights(5, 2, Kernel::Box);
        for (j, start, want) in [(0, 0, [0.4, 0.4, 0.2]), (1, 2, [0.2, 0.4, 0.4])] {
            let span = weights.span(j);
            assert_eq!((span.start, span.factors.len()), (start, 3));
            assert!(span.factors.iter().zip(want).all(|(got, want)| (got - want).abs() < 1e-7), "{span:?}");
        }
    }

    #[test]
    fn weights_are_charged_to_the_budget() {
        let budget = Budget::new(&Limits { memory: 1000 });
        let part = Part { from: 0..6000, to: 0..1920 };
        assert!(Weights::new(whole(6000), 1920, Kernel::Lanczos3, &part, &budget).is_err());
    }
}
