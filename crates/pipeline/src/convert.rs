//! The stages behind the resampler that receive 16-bit rows, so that the result is rounded once: conversion to sRGB,
//! for formats without profiles, and conversion to the pixel format of the output.

use core::task::{Poll, ready};

use color::ToSrgb;
use raster::{Budget, Channels, Depth, PixelFormat, Result};

use crate::rows::{Rows, Shape};

/// The stage that converts rows with a profile to sRGB. The rows keep 16 bits and their channels.
pub(crate) struct Convert<R> {
    rows: R,
    to_srgb: ToSrgb,
    bytes: Vec<u8>,
    stored: Vec<u16>,
    converted: Vec<u16>,
}

impl<R: Rows> Convert<R> {
    /// Creates the stage over 16-bit `rows` of this shape.
    pub(crate) fn new(rows: R, shape: Shape, to_srgb: ToSrgb, budget: &Budget) -> Result<Self> {
        let samples = u64::from(shape.size.width) * shape.pixels.channels.count() as u64;
        Ok(Self {
            rows,
            to_srgb,
            bytes: budget.filled(2 * samples, 0)?,
            stored: budget.filled(samples, 0)?,
            converted: budget.filled(samples, 0)?,
        })
    }
}

impl<R: Rows> Rows for Convert<R> {
    fn poll_row(&mut self, row: &mut [u8]) -> Poll<Result<()>> {
        ready!(self.rows.poll_row(&mut self.bytes))?;
        for (sample, bytes) in self.stored.iter_mut().zip(self.bytes.as_chunks::<2>().0) {
            *sample = u16::from_le_bytes(*bytes);
        }
        self.to_srgb.row(&self.stored, &mut self.converted)?;
        for (bytes, sample) in row.as_chunks_mut::<2>().0.iter_mut().zip(&self.converted) {
            *bytes = sample.to_le_bytes();
        }
        Poll::Ready(Ok(()))
    }
}

/// The stage that converts 16-bit rows to rows of the output: grey is repeated in all colours, samples are rounded to
/// the output's depth.
pub(crate) struct Fit<R> {
    rows: R,
    from: Channels,
    to: PixelFormat,
    row: Vec<u8>,
}

impl<R: Rows> Fit<R> {
    /// Creates the stage over 16-bit `rows` of this shape.
    pub(crate) fn new(rows: R, shape: Shape, to: PixelFormat, budget: &Budget) -> Result<Self> {
        Ok(Self { rows, from: shape.pixels.channels, to, row: budget.filled(shape.row_bytes(), 0)? })
    }
}

impl<R: Rows> Rows for Fit<R> {
    fn poll_row(&mut self, out: &mut [u8]) -> Poll<Result<()>> {
        ready!(self.rows.poll_row(&mut self.row))?;
        let (samples, _) = self.row.as_chunks::<2>();
        let colors = self.from.count() - usize::from(self.from.has_alpha());
        let out_colors = self.to.channels.count() - usize::from(self.to.channels.has_alpha());
        for (pixel, out) in samples.chunks_exact(self.from.count()).zip(out.chunks_exact_mut(self.to.bytes())) {
            for (i, out) in out.chunks_exact_mut(self.to.depth.bytes()).enumerate() {
                let channel = if i < out_colors { i.min(colors - 1) } else { colors };
                match self.to.depth {
                    Depth::Eight => out[0] = round(u16::from_le_bytes(pixel[channel])),
                    Depth::Sixteen => out.copy_from_slice(&pixel[channel]),
                }
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// Rounds to the nearest of 255 levels; a level of 8 bits is 257 levels of 16 bits.
pub(crate) const fn round(sample: u16) -> u8 {
    ((sample as u32 + 128) / 257) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::tests::{Memory, read_row};
    use raster::{Limits, Size};

    #[test]
    fn rounding_is_to_nearest() {
        for sample in 0..=u16::MAX {
            assert_eq!(f64::from(round(sample)), (f64::from(sample) / 257.0).round());
        }
    }

    #[test]
    fn greys_are_repeated_in_all_colours_and_alpha_stays_last() {
        let budget = Budget::new(&Limits::default());
        let to = |from: Channels, samples: &[u16], to: PixelFormat| {
            let size = Size::new((samples.len() / from.count()) as u32, 1);
            let shape = Shape { size, pixels: PixelFormat::new(from, Depth::Sixteen) };
            let rows = Memory::new(samples.iter().flat_map(|sample| sample.to_le_bytes()).collect());
            let mut row = vec![0; to.row_bytes(size.width) as usize];
            read_row(&mut Fit::new(rows, shape, to, &budget).unwrap(), &mut row).unwrap();
            row
        };
        let gray = to(Channels::GrayAlpha, &[257, 514, 0, 65_535], PixelFormat::RGBA8);
        assert_eq!(gray, [1, 1, 1, 2, 0, 0, 0, 255]);
        let deep = PixelFormat::new(Channels::Rgb, Depth::Sixteen);
        assert_eq!(to(Channels::Rgb, &[1, 2, 256], deep), [1, 0, 2, 0, 0, 1]);
    }
}
