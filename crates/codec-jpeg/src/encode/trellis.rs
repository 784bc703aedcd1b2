//! Quantisation that weighs the error of each coefficient against its bits: of all ways to code a block, it takes the
//! cheapest (rate-distortion optimisation by dynamic programming, as published for MozJPEG). The bits of a symbol are
//! those of a code for the rows so far, so that one row of blocks is held.

use raster::{Budget, Result};

use super::dct::Block;
use super::huffman::{Frequencies, Table};
use super::scan::{Coded, allow_all, each_symbol};
use crate::zigzag::ZIGZAG;

/// What a squared error is worth in bits: `WORTH / DETAIL` in a block without detail, half of it in a block whose mean
/// squared coefficient is `DETAIL`. Coefficients are eight times too large. With MozJPEG's 2 ^ 14.75 for the former,
/// photographs take 0.7 % more bytes at equal DSSIM.
const WORTH: f32 = 19_483.97; // 2 ^ 14.25
const DETAIL: f32 = 92_681.9; // 2 ^ 16.5

/// The values that a first coefficient may get: the nearest one and its neighbours.
const CHOICES: usize = 3;

/// A quantizer of one component.
pub(super) struct Trellis {
    /// Eight times each step, in zigzag order.
    steps: [i32; 64],
    /// The reciprocals of the squared steps, times what an error of the component is worth.
    weights: [f32; 64],
    /// The coefficients of a row of blocks, in zigzag order: eight times too large, and quantised.
    exact: Vec<Block>,
    quantized: Vec<Block>,
    /// The best choice for the previous block, for each block and each of its choices.
    paths: Vec<[u8; CHOICES]>,
    /// How often the symbols for the first and for the other coefficients occurred in the rows so far.
    frequencies: [Frequencies; 2],
    /// The first coefficient of the last block.
    last: i32,
}

/// The bits of each symbol.
struct Rates([[u8; 256]; 2]);

impl Rates {
    fn new(frequencies: &[Frequencies; 2]) -> Self {
        let mut frequencies = *frequencies;
        frequencies.iter_mut().zip([true, false]).for_each(|(into, is_dc)| allow_all(into, is_dc));
        Self(frequencies.map(|counts| {
            let table = Table::new(&counts);
            core::array::from_fn(|symbol| table.code(symbol as u8).1)
        }))
    }

    /// Returns the bits of a difference of first coefficients.
    #[inline(always)]
    fn difference(&self, difference: i32) -> f32 {
        let size = 32 - difference.unsigned_abs().leading_zeros();
        f32::from(self.0[0][size.min(11) as usize]) + size as f32
    }

    /// Returns the bits of a coefficient of `size` bits behind `zeros` zeros.
    #[inline(always)]
    fn coefficient(&self, zeros: usize, size: usize) -> f32 {
        let sixteens = (zeros / 16) as f32 * f32::from(self.0[1][0xF0]);
        sixteens + f32::from(self.0[1][zeros % 16 * 16 + size]) + size as f32
    }

    fn end(&self) -> f32 {
        f32::from(self.0[1][0])
    }
}

impl Trellis {
    /// Creates a quantizer of rows of `across` blocks, for steps in zigzag order. An error is worth `worth` times one
    /// of luminance.
    ///
    /// # Errors
    /// `Limit`.
    pub(super) fn new(steps: &[u16; 64], worth: f32, across: usize, budget: &Budget) -> Result<Self> {
        let across = across as u64;
        Ok(Self {
            steps: steps.map(|step| 8 * i32::from(step)),
            weights: steps.map(|step| worth / (f32::from(step) * f32::from(step))),
            exact: budget.filled(across, [0; 64])?,
            quantized: budget.filled(across, [0; 64])?,
            paths: budget.filled(across, [0; CHOICES])?,
            frequencies: [[0; 256]; 2],
            last: 0,
        })
    }

    /// Returns the quantised blocks of eight lines of samples, which are `stride` apart.
    pub(super) fn row(&mut self, lines: &[u8], stride: usize) -> &[Block] {
        let mut counts = self.frequencies;
        let mut last = self.last;
        for (x, (exact, quantized)) in self.exact.iter_mut().zip(&mut self.quantized).enumerate() {
            let coefficients = simd::forward_dct(&lines[x * 8..], stride).map(i32::from);
            *exact = ZIGZAG.map(|place| coefficients[usize::from(place)] as i16);
            *quantized = core::array::from_fn(|i| nearest(exact[i].into(), self.steps[i]) as i16);
            count(quantized, &mut last, &mut counts);
        }
        // The costs are those of the rows so far and of this row as it would be without a choice.
        let rates = Rates::new(&counts);
        for (exact, quantized) in self.exact.iter().zip(&mut self.quantized) {
            others(&rates, &self.steps, &self.weights, exact, quantized);
        }
        self.firsts(&rates);
        for block in &self.quantized {
            count(block, &mut self.last, &mut self.frequencies);
        }
        &self.quantized
    }

    /// Chooses the first coefficients of the row: of all sequences, the one that costs least.
    fn firsts(&mut self, rates: &Rates) {
        let (step, weight) = (self.steps[0], self.weights[0]);
        let mut costs = [0.0; CHOICES];
        let mut before = [self.last; CHOICES];
        for (path, exact) in self.paths.iter_mut().zip(&self.exact) {
            let middle = nearest(exact[0].into(), step);
            let worth = worth(exact) * weight;
            let mut next = [0.0; CHOICES];
            let choices: [i32; CHOICES] = core::array::from_fn(|i| choice(middle, i));
            for (i, &value) in choices.iter().enumerate() {
                let error = (value * step - i32::from(exact[0])) as f32;
                let totals = before.map(|last| rates.difference(value - last));
                let (best, cost) = least(core::array::from_fn(|i| totals[i] + costs[i]));
                path[i] = best as u8;
                next[i] = cost + error * error * worth;
            }
            (costs, before) = (next, choices);
        }
        let (mut best, _) = least(costs);
        for ((block, path), exact) in self.quantized.iter_mut().zip(&self.paths).zip(&self.exact).rev() {
            block[0] = choice(nearest(exact[0].into(), step), best) as i16;
            best = path[best].into();
        }
    }
}

/// Returns the index and the value of the least number; of equal ones the first.
fn least(values: [f32; CHOICES]) -> (usize, f32) {
    let mut best = (0, values[0]);
    for (i, &value) in values.iter().enumerate() {
        if value < best.1 {
            best = (i, value);
        }
    }
    best
}

/// Returns a choice for a first coefficient, within the range of baseline files.
fn choice(middle: i32, i: usize) -> i32 {
    (middle + i as i32 - 1).clamp(-1024, 1023)
}

/// Rounds to the nearest quotient.
#[inline(always)]
const fn nearest(value: i32, step: i32) -> i32 {
    let quotient = (value.abs() + step / 2) / step;
    if value < 0 { -quotient } else { quotient }
}

/// Returns how many bits a squared error of one is worth, before it is weighted by the step: fewer where there is more
/// detail, which hides errors.
fn worth(exact: &Block) -> f32 {
    let energy: f32 = exact[1..].iter().map(|&value| f32::from(value) * f32::from(value)).sum();
    WORTH / (DETAIL + energy / 63.0)
}

/// Counts the symbols of a block.
fn count(block: &Block, last: &mut i32, frequencies: &mut [Frequencies; 2]) {
    let first = i32::from(block[0]);
    frequencies[0][usize::from(Coded::new(0, first - *last).symbol)] += 1;
    *last = first;
    each_symbol(block, |coded| frequencies[1][usize::from(coded.symbol)] += 1);
}

/// The ways to code the coefficients of a block but the first, up to some place.
struct Ways {
    /// For each place, the cost of zeros up to it.
    zeros: [f32; 64],
    /// For each place whose coefficient may differ from 0: the least cost of the block up to it if it does, and the
    /// place of the coefficient before it. Place 0 is the beginning.
    costs: [f32; 64],
    before: [u8; 64],
    /// These places.
    places: [u8; 64],
    count: usize,
}

impl Ways {
    /// Returns the least cost up to a coefficient at `place` with one of the candidates, each with its size in bits
    /// and the cost of its error; then the place before it and the index of the candidate.
    #[inline(always)]
    fn best(&self, rates: &Rates, place: usize, candidates: &[(usize, f32)]) -> (f32, u8, usize) {
        let mut best = (f32::MAX, 0, 0);
        for &before in &self.places[..self.count] {
            let at = usize::from(before);
            let skipped = self.costs[at] + self.zeros[place - 1] - self.zeros[at];
            for (i, &(size, error)) in candidates.iter().enumerate() {
                let cost = skipped + error + rates.coefficient(place - 1 - at, size);
                if cost < best.0 {
                    best = (cost, before, i);
                }
            }
        }
        best
    }

    /// Returns the place of the last coefficient in the cheapest block; 0 for a block of zeros.
    fn end(&self, rates: &Rates) -> u8 {
        let mut best = (self.zeros[63] + rates.end(), 0);
        for &place in &self.places[1..self.count] {
            let at = usize::from(place);
            let end = if at < 63 { rates.end() } else { 0.0 };
            let cost = self.costs[at] + self.zeros[63] - self.zeros[at] + end;
            if cost < best.0 {
                best = (cost, place);
            }
        }
        best.1
    }
}

/// Chooses all coefficients of a block but the first. `quantized` has the nearest values.
fn others(rates: &Rates, steps: &[i32; 64], weights: &[f32; 64], exact: &Block, quantized: &mut Block) {
    let worth = worth(exact);
    let mut ways = Ways { zeros: [0.0; 64], costs: [0.0; 64], before: [0; 64], places: [0; 64], count: 1 };
    for place in 1..64 {
        let value = i32::from(exact[place]).abs();
        let weight = worth * weights[place];
        let cost = |level: i32| {
            let error = level * steps[place] - value;
            (error * error) as f32 * weight
        };
        ways.zeros[place] = ways.zeros[place - 1] + cost(0);
        let nearest = i32::from(quantized[place]).abs();
        if nearest == 0 {
            continue;
        }
        // The nearest value, and the largest one that takes a bit less.
        let size = 32 - nearest.leading_zeros() as usize;
        let levels = [nearest, (1 << (size - 1)) - 1];
        let candidates = [(size, cost(levels[0])), (size - 1, cost(levels[1]))];
        let (cost, before, level) = ways.best(rates, place, &candidates[..size.min(2)]);
        (ways.costs[place], ways.before[place]) = (cost, before);
        quantized[place] = if exact[place] < 0 { -levels[level] } else { levels[level] } as i16;
        ways.places[ways.count] = place as u8;
        ways.count += 1;
    }
    let mut keep = usize::from(ways.end(rates));
    for place in (1..64).rev() {
        if place == keep {
            keep = ways.before[place].into();
        } else {
            quantized[place] = 0;
        }
    }
}
