//! The choice of a filter for each line (PNG §12.7) and of the content type of the filtered bytes.
//!
//! Graphics repeat, and no filter preserves repetitions best. Photographs never repeat; there the best filter is the
//! one whose bytes, read as signed, have the smallest sum of magnitudes. Measured with `tests/bench`, `png`: the
//! smallest sum everywhere gives 2.83 MB for ten screenshots, this choice 2.33.

use deflate::Content;
use raster::{Budget, Result};

use crate::filter::{Filter, average, paeth};

/// A line counts as graphics when at least one of this many bytes equals that of the pixel to the left or above. With
/// 3, half of the Kodak photographs' lines would count as graphics, for 7 % more bytes.
const EQUAL_OF: u64 = 2;

/// The bytes that are compared at once: four vectors, and few enough that 8-bit counts do not overflow. Only a sample
/// of the blocks is compared; all of them would take a tenth of the encoder's time.
const LANES: usize = 64;
const SAMPLED: usize = 4;

/// The number of blocks of [`LANES`] bytes whose magnitudes, at most 128 each, fit a sum of 16 bits.
const BLOCKS: usize = 511;

/// A filter of lines.
pub(crate) struct Adaptive {
    unit: usize,
    /// The current line as stored: 16-bit samples are big-endian.
    line: Vec<u8>,
    above: Vec<u8>,
    /// The filtered line behind its filter byte.
    filtered: Vec<u8>,
}

impl Adaptive {
    /// Creates a filter for lines of `bytes` bytes, whose pixels have `unit` bytes.
    pub(crate) fn new(unit: usize, bytes: u64, budget: &Budget) -> Result<Self> {
        Ok(Self {
            unit,
            line: budget.filled(bytes, 0)?,
            above: budget.filled(bytes, 0)?,
            filtered: budget.filled(bytes + 1, 0)?,
        })
    }

    /// Returns the next row, filtered, behind its filter byte; `swap` reverses the bytes of 16-bit samples.
    pub(crate) fn filter(&mut self, row: &[u8], swap: bool) -> (&[u8], Content) {
        core::mem::swap(&mut self.line, &mut self.above);
        if swap {
            for (sample, [low, high]) in self.line.as_chunks_mut::<2>().0.iter_mut().zip(row.as_chunks::<2>().0) {
                *sample = [*high, *low];
            }
        } else {
            self.line.copy_from_slice(row);
        }
        let (filter, content) = self.choose();
        self.filtered[0] = filter as u8;
        filter.apply(self.unit, &self.above, &self.line, &mut self.filtered[1..]);
        (&self.filtered, content)
    }

    fn choose(&self) -> (Filter, Content) {
        if same(&self.line, &self.above) {
            return (Filter::Up, Content::Repeating);
        }
        let neighbours = Neighbours::new(self.unit, &self.above, &self.line);
        let bytes = self.line.len() as u64;
        let (equal, of) = neighbours.equal();
        if of > 0 && equal * EQUAL_OF > of {
            return (Filter::None, Content::Repeating);
        }
        let mut best = (Filter::None, u64::MAX);
        for (filter, sum) in Filter::ALL.into_iter().zip(neighbours.magnitudes()) {
            if sum < best.1 {
                best = (filter, sum);
            }
        }
        // A sum below one a byte is a drawn gradient, whose differences repeat.
        (best.0, if best.1 < bytes { Content::Repeating } else { Content::Noise })
    }
}

/// The bytes of a line without its first pixel, and the bytes of the pixels to the left, above, and above to the left
/// of each. The loops work on blocks of fixed size in eight bits, which compilers vectorise.
struct Neighbours<'a> {
    here: &'a [u8],
    left: &'a [u8],
    up: &'a [u8],
    corner: &'a [u8],
}

impl<'a> Neighbours<'a> {
    fn new(unit: usize, above: &'a [u8], line: &'a [u8]) -> Self {
        let rest = line.len() - unit;
        Self { here: &line[unit..], left: &line[..rest], up: &above[unit..], corner: &above[..rest] }
    }

    /// Returns the number of bytes of a sample that equal the left or upper neighbour, and the number of bytes in the
    /// sample.
    fn equal(&self) -> (u64, u64) {
        let blocks = self.here.chunks(LANES).zip(self.left.chunks(LANES)).zip(self.up.chunks(LANES));
        let count = |((here, left), up): ((&[u8], &[u8]), &[u8])| {
            let bytes = here.iter().zip(left).zip(up);
            let equal = bytes.map(|((here, left), up)| u8::from((here == left) | (here == up))).sum::<u8>();
            (u64::from(equal), here.len() as u64)
        };
        blocks.step_by(SAMPLED).map(count).fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
    }

    /// Returns for each filter the sum of the magnitudes of the filtered bytes.
    fn magnitudes(&self) -> [u64; 5] {
        const WIDE: usize = 16;
        let ((here, left), (up, corner)) = (
            (self.here.as_chunks::<WIDE>(), self.left.as_chunks::<WIDE>()),
            (self.up.as_chunks::<WIDE>(), self.corner.as_chunks::<WIDE>()),
        );
        let mut totals = [0; 5];
        for start in (0..here.0.len()).step_by(BLOCKS) {
            let mut sums = [[0_u16; WIDE]; 5];
            let blocks = here.0[start..].iter().zip(&left.0[start..]).zip(&up.0[start..]).zip(&corner.0[start..]);
            for (((here, left), up), corner) in blocks.take(BLOCKS) {
                for i in 0..WIDE {
                    add(&mut sums, i, predict(left[i], up[i], corner[i]), here[i]);
                }
            }
            for (total, sums) in totals.iter_mut().zip(sums) {
                *total += sums.into_iter().map(u64::from).sum::<u64>();
            }
        }
        let mut sums = [[0_u16; 1]; 5];
        for (((here, left), up), corner) in here.1.iter().zip(left.1).zip(up.1).zip(corner.1) {
            add(&mut sums, 0, predict(*left, *up, *corner), *here);
        }
        totals.iter_mut().zip(sums).for_each(|(total, [sum])| *total += u64::from(sum));
        totals
    }
}

/// Whether two lines of the same length are equal. It compares blocks, which are vectorised: wasm's `memcmp` compares
/// byte by byte, and took a quarter of the time for a screenshot.
fn same(a: &[u8], b: &[u8]) -> bool {
    let ((blocks, rest), (others, end)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let differ = |(a, b): (&[u8; LANES], &[u8; LANES])| a.iter().zip(b).fold(0, |any, (a, b)| any | (a ^ b)) != 0;
    rest == end && !blocks.iter().zip(others).any(differ)
}

/// Returns the prediction of each filter for a byte, in the order of [`Filter::ALL`].
#[inline(always)]
fn predict(left: u8, up: u8, corner: u8) -> [u8; 5] {
    [0, left, up, average(left, up), paeth(left, up, corner)]
}

#[inline(always)]
fn add<const N: usize>(sums: &mut [[u16; N]; 5], lane: usize, predicted: [u8; 5], here: u8) {
    for (sum, predicted) in sums.iter_mut().zip(predicted) {
        let difference = here.wrapping_sub(predicted);
        sum[lane] += u16::from(difference.min(difference.wrapping_neg()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::Limits;
    use testkit::generate::Lcg;

    #[test]
    fn magnitudes_are_those_of_the_filtered_bytes() {
        let mut random = Lcg::new(11);
        for bytes in [3, 6, 17, 400, 20_001] {
            let (above, line): (Vec<u8>, Vec<u8>) =
                (0..bytes).map(|i| (random.next_byte(), if i % 5 == 0 { 128 } else { random.next_byte() })).unzip();
            let sums = Neighbours::new(3, &above, &line).magnitudes();
            for (filter, sum) in Filter::ALL.into_iter().zip(sums) {
                let mut out = vec![0; bytes];
                filter.apply(3, &above, &line, &mut out);
                let want: u64 = out[3..].iter().map(|byte| u64::from((*byte as i8).unsigned_abs())).sum();
                assert_eq!(sum, want, "{filter:?} of {bytes} bytes");
            }
        }
    }

    #[test]
    fn graphics_stay_unfiltered_and_photographs_do_not() {
        let budget = Budget::new(&Limits::default());
        let mut adaptive = Adaptive::new(1, 300, &budget).unwrap();
        let mut random = Lcg::new(5);
        let mut choice = |row: &[u8]| {
            let (line, content) = adaptive.filter(row, false);
            (line[0], content)
        };
        let stripes: Vec<u8> = (0..300_u32).map(|x| if x / 9 % 2 == 0 { 20 } else { 240 }).collect();
        let ramp: Vec<u8> = (0..300_u32).map(|x| x as u8).collect();
        let grain: Vec<u8> = (0..300_u32).map(|x| (x / 3) as u8 + random.next_byte() % 16).collect();
        assert_eq!(choice(&stripes), (0, Content::Repeating));
        assert_eq!(choice(&stripes), (2, Content::Repeating), "the same again");
        assert_eq!(choice(&grain).1, Content::Noise);
        let (filter, content) = choice(&ramp);
        assert_eq!(content, Content::Repeating);
        assert_eq!(filter, 1, "a ramp is flat after Sub");
    }
}
