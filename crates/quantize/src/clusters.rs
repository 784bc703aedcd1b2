//! The colours that stand for a picture: k-means, which begins with boxes of colours.

use crate::search::Search;

/// Rounds in which colours are given to the nearest entry and entries moved to the mean of theirs. More gain nothing
/// that can be seen: of eight photographs the mean square error falls by 4.8 % in three rounds and 6.0 % in ten.
const ROUNDS: u32 = 3;

/// A colour that stands for several pixels, in a space in which equal distances look about equal.
#[derive(Clone, Copy)]
pub(crate) struct Point<const N: usize> {
    pub(crate) color: [f32; N],
    /// The number of pixels.
    pub(crate) weight: f32,
}

/// Returns at most `most` colours that are close to the points. Changes the order of the points.
pub(crate) fn clusters<const N: usize>(points: &mut [Point<N>], most: usize) -> Vec<[f32; N]> {
    let mut centers = split(points, most);
    for _ in 0..ROUNDS {
        centers = means(points, &Search::new(&centers));
    }
    centers
}

/// Points between two indices, and their statistics.
struct Part<const N: usize> {
    start: usize,
    end: usize,
    mean: [f32; N],
    /// The channel with the largest sum of squared distances from the mean, and the sum.
    channel: usize,
    spread: f32,
}

impl<const N: usize> Part<N> {
    fn new(points: &[Point<N>], start: usize, end: usize) -> Self {
        let (mut weight, mut sums, mut squares) = (0.0_f64, [0.0_f64; N], [0.0_f64; N]);
        for point in &points[start..end] {
            let points = f64::from(point.weight);
            weight += points;
            for ((sum, square), value) in sums.iter_mut().zip(&mut squares).zip(point.color) {
                *sum += points * f64::from(value);
                *square += points * f64::from(value) * f64::from(value);
            }
        }
        let mean = sums.map(|sum| sum / weight.max(1.0));
        let spreads: [f64; N] = core::array::from_fn(|i| squares[i] - sums[i] * mean[i]);
        let channel = (1..N).fold(0, |widest, i| if spreads[i] > spreads[widest] { i } else { widest });
        Self { start, end, mean: mean.map(|value| value as f32), channel, spread: spreads[channel] as f32 }
    }
}

/// Returns at most `most` colours: the points are divided again and again where they are furthest apart (after X. Wu,
/// 1991), and the means of the parts are the colours. Changes the order of the points.
fn split<const N: usize>(points: &mut [Point<N>], most: usize) -> Vec<[f32; N]> {
    let mut parts = vec![Part::new(points, 0, points.len())];
    while parts.len() < most {
        let widest =
            (1..parts.len()).fold(0, |widest, i| if parts[i].spread > parts[widest].spread { i } else { widest });
        let Part { start, end, mean, channel, spread } = parts[widest];
        if spread <= 0.0 || end - start < 2 {
            break;
        }
        let middle = start + partition(&mut points[start..end], |point| point.color[channel] <= mean[channel]);
        // Rounding can put all points on one side.
        if middle == start || middle == end {
            parts[widest].spread = 0.0;
            continue;
        }
        parts[widest] = Part::new(points, start, middle);
        parts.push(Part::new(points, middle, end));
    }
    parts.into_iter().map(|part| part.mean).collect()
}

/// Moves the points for which `is_first` holds to the front. Returns their number.
fn partition<const N: usize>(points: &mut [Point<N>], is_first: impl Fn(&Point<N>) -> bool) -> usize {
    let mut first = 0;
    for at in 0..points.len() {
        if is_first(&points[at]) {
            points.swap(first, at);
            first += 1;
        }
    }
    first
}

/// Returns the mean of the points nearest to each colour, without colours that are nearest to no point.
fn means<const N: usize>(points: &[Point<N>], search: &Search<N>) -> Vec<[f32; N]> {
    let mut sums = vec![([0.0_f64; N], 0.0_f64); search.len()];
    for point in points {
        let (sum, weight) = &mut sums[usize::from(search.nearest(point.color).0)];
        let points = f64::from(point.weight);
        *weight += points;
        for (sum, value) in sum.iter_mut().zip(point.color) {
            *sum += f64::from(value) * points;
        }
    }
    let filled = sums.into_iter().filter(|(_, weight)| *weight > 0.0);
    filled.map(|(sum, weight)| sum.map(|value| (value / weight) as f32)).collect()
}
