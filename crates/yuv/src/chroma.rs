//! Interpolation of chroma to the places of luma. Sums are whole numbers in sixteenths of a level: a quarter for each
//! axis.

use crate::{Sampling, Siting};

/// One row of a plane at full width, in sixteenths of a level.
#[derive(Debug)]
pub(crate) struct Row {
    /// The mixture of two rows, in quarters of a level.
    mixed: Vec<u32>,
    pub(crate) samples: Vec<u32>,
}

/// The two rows of chroma around a row of luma and the weights of both, whose sum is 4.
pub(crate) fn nearest(sampling: Sampling, siting: Siting, y: u32, height: u32) -> [(u32, u32); 2] {
    if sampling != Sampling::Half {
        return [(y, 4), (y, 0)];
    }
    let last = height.div_ceil(2).saturating_sub(1);
    let (above, below) = (y / 2, (y / 2 + 1).min(last));
    match (siting, y % 2) {
        (Siting::Center | Siting::Left, 0) => [((y / 2).saturating_sub(1), 1), (above, 3)],
        (Siting::Center | Siting::Left, _) => [(above, 3), (below, 1)],
        (Siting::Top | Siting::TopLeft, 0) => [(above, 4), (above, 0)],
        (Siting::Top | Siting::TopLeft, _) => [(above, 2), (below, 2)],
    }
}

impl Row {
    pub(crate) const fn new(mixed: Vec<u32>, samples: Vec<u32>) -> Self {
        Self { mixed, samples }
    }

    /// Computes the row from two rows with these weights.
    pub(crate) fn compute(&mut self, sampling: Sampling, siting: Siting, rows: [&[u16]; 2], weights: [u32; 2]) {
        if sampling == Sampling::Full {
            for (sample, &stored) in self.samples.iter_mut().zip(rows[0]) {
                *sample = 16 * u32::from(stored);
            }
            return;
        }
        for ((mixed, &above), &below) in self.mixed.iter_mut().zip(rows[0]).zip(rows[1]) {
            *mixed = weights[0] * u32::from(above) + weights[1] * u32::from(below);
        }
        match siting {
            Siting::Center | Siting::Top => self.between_columns(),
            Siting::Left | Siting::TopLeft => self.at_columns(),
        }
    }

    /// Chroma is between two columns: a column takes three quarters of its own sample and one of its neighbour.
    fn between_columns(&mut self) {
        let Self { mixed, samples } = self;
        let (Some(&first), Some(&last)) = (mixed.first(), mixed.last()) else { return };
        samples[0] = 4 * first;
        // Columns 1 and 2 are between samples 0 and 1, and so on.
        for (pair, around) in samples[1..].chunks_exact_mut(2).zip(mixed.windows(2)) {
            pair[0] = 3 * around[0] + around[1];
            pair[1] = around[0] + 3 * around[1];
        }
        if samples.len().is_multiple_of(2)
            && let Some(sample) = samples.last_mut()
        {
            *sample = 4 * last;
        }
    }

    /// Chroma is at every other column; those between take the mean of both neighbours.
    fn at_columns(&mut self) {
        let Self { mixed, samples } = self;
        for (pair, around) in samples.chunks_exact_mut(2).zip(mixed.windows(2)) {
            pair[0] = 4 * around[0];
            pair[1] = 2 * (around[0] + around[1]);
        }
        let Some(&last) = mixed.last() else { return };
        let end = 2 * (mixed.len() - 1);
        samples[end..].fill(4 * last);
    }
}
