//! Undoes predictors (TIFF 6.0 §14; supplement 3) and byte order. The result is always little-endian samples.

use super::meaning::{Meaning, Predictor};
use super::page::Page;

/// The steps to be undone in every line of a page.
#[derive(Clone, Debug)]
pub(super) struct Undo {
    predictor: Predictor,
    /// The number of whole bytes in a sample; 1 for packed samples.
    sample_bytes: usize,
    /// The number of samples of one pixel in a line.
    stride: usize,
    swap: bool,
    /// A copy of a line, used by the floating-point predictor.
    scratch: Vec<u8>,
}

impl Undo {
    pub(super) fn new(page: &Page) -> Self {
        let bits = page.samples.bits();
        let sample_bytes = if bits.is_multiple_of(8) { usize::from(bits / 8) } else { 1 };
        let stride = if page.is_planar { 1 } else { usize::from(page.samples_per_pixel) };
        // LogLuv's codes have the same byte order in all files.
        let is_code = matches!(page.meaning, Meaning::LogL | Meaning::LogLuv24 | Meaning::LogLuv32);
        let swap = page.is_big_endian && sample_bytes > 1 && !is_code;
        Self { predictor: page.predictor, sample_bytes, stride, swap, scratch: Vec::new() }
    }

    /// Returns the bytes of memory for lines of `line_bytes` bytes.
    pub(super) fn memory(page: &Page, line_bytes: u64) -> u64 {
        if page.predictor == Predictor::Float { line_bytes } else { 0 }
    }

    /// Converts a decompressed line to little-endian samples.
    pub(super) fn line(&mut self, line: &mut [u8]) {
        if self.predictor == Predictor::Float {
            return self.float(line);
        }
        if self.swap {
            match self.sample_bytes {
                2 => line.as_chunks_mut::<2>().0.iter_mut().for_each(|sample| sample.reverse()),
                4 => line.as_chunks_mut::<4>().0.iter_mut().for_each(|sample| sample.reverse()),
                bytes => line.chunks_exact_mut(bytes).for_each(<[u8]>::reverse),
            }
        }
        if self.predictor == Predictor::Horizontal {
            self.horizontal(line);
        }
    }

    fn horizontal(&self, line: &mut [u8]) {
        match (self.sample_bytes, self.stride) {
            (1, 1) => sum_bytes::<1>(line),
            (1, 3) => sum_bytes::<3>(line),
            (1, 4) => sum_bytes::<4>(line),
            (1, stride) => (stride..line.len()).for_each(|i| line[i] = line[i].wrapping_add(line[i - stride])),
            (2, stride) => sum::<2, u16>(line, stride, u16::from_le_bytes, u16::wrapping_add, u16::to_le_bytes),
            (4, stride) => sum::<4, u32>(line, stride, u32::from_le_bytes, u32::wrapping_add, u32::to_le_bytes),
            (_, stride) => sum::<8, u64>(line, stride, u64::from_le_bytes, u64::wrapping_add, u64::to_le_bytes),
        }
    }

    /// Undoes supplement 3: differences of bytes, then the most significant bytes of all samples, the next ones, and so
    /// on.
    fn float(&mut self, line: &mut [u8]) {
        let stride = self.stride.min(line.len());
        (stride..line.len()).for_each(|i| line[i] = line[i].wrapping_add(line[i - stride]));
        self.scratch.clear();
        self.scratch.extend_from_slice(line);
        let count = line.len() / self.sample_bytes;
        for (i, sample) in line.chunks_exact_mut(self.sample_bytes).enumerate() {
            for (place, byte) in sample.iter_mut().rev().enumerate() {
                *byte = self.scratch[place * count + i];
            }
        }
    }
}

/// Replaces `N` interleaved series of bytes by their running sums, which are kept in registers.
fn sum_bytes<const N: usize>(line: &mut [u8]) {
    let mut sums = [0_u8; N];
    for pixel in line.as_chunks_mut::<N>().0 {
        for (sum, byte) in sums.iter_mut().zip(pixel) {
            *sum = sum.wrapping_add(*byte);
            *byte = *sum;
        }
    }
}

/// Replaces `stride` interleaved series of samples of `N` bytes by their running sums.
fn sum<const N: usize, T>(
    line: &mut [u8],
    stride: usize,
    from: fn([u8; N]) -> T,
    add: fn(T, T) -> T,
    to: fn(T) -> [u8; N],
) {
    let samples = line.as_chunks_mut::<N>().0;
    for i in stride..samples.len() {
        samples[i] = to(add(from(samples[i]), from(samples[i - stride])));
    }
}
