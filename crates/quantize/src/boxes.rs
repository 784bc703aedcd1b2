//! The first palette: the colours are divided again and again where they are furthest apart (after X. Wu, 1991).

use crate::oklab::Lab;

/// A colour that stands for several pixels.
#[derive(Clone, Copy)]
pub(crate) struct Point {
    pub(crate) color: Lab,
    /// The number of pixels.
    pub(crate) weight: f32,
}

/// Points between two indices, and their statistics.
struct Part {
    start: usize,
    end: usize,
    mean: Lab,
    /// The channel with the largest sum of squared distances from the mean, and the sum.
    channel: usize,
    spread: f32,
}

impl Part {
    fn new(points: &[Point], start: usize, end: usize) -> Self {
        let (mut weight, mut sums, mut squares) = (0.0_f64, [0.0_f64; 3], [0.0_f64; 3]);
        for point in &points[start..end] {
            let points = f64::from(point.weight);
            weight += points;
            for ((sum, square), value) in sums.iter_mut().zip(&mut squares).zip(point.color) {
                *sum += points * f64::from(value);
                *square += points * f64::from(value) * f64::from(value);
            }
        }
        let mean = sums.map(|sum| sum / weight.max(1.0));
        let spreads: [f64; 3] = core::array::from_fn(|i| squares[i] - sums[i] * mean[i]);
        let channel = (1..3).fold(0, |widest, i| if spreads[i] > spreads[widest] { i } else { widest });
        Self { start, end, mean: mean.map(|value| value as f32), channel, spread: spreads[channel] as f32 }
    }
}

/// At most `most` colours: the means of parts into which the points are divided. Changes the order of the points.
pub(crate) fn split(points: &mut [Point], most: usize) -> Vec<Lab> {
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

/// Moves the points for which `is_first` holds to the front. Returns how many they are.
fn partition(points: &mut [Point], is_first: impl Fn(&Point) -> bool) -> usize {
    let mut first = 0;
    for at in 0..points.len() {
        if is_first(&points[at]) {
            points.swap(first, at);
            first += 1;
        }
    }
    first
}
