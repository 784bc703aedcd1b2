//! From 16-bit rows of the picture's own channels and colours to rows of the output's, for formats that hold no profile
//! or fewer channels. The last step before a sample is rounded.

use color::ToSrgb;
use raster::{Budget, Channels, Depth, PixelFormat, Result, RowReader};

/// Rows under a profile become rows of sRGB, still 16 bit and of the same channels.
pub(crate) struct Converted<R> {
    rows: R,
    to_srgb: ToSrgb,
    bytes: Vec<u8>,
    stored: Vec<u16>,
    seen: Vec<u16>,
}

impl<R: RowReader> Converted<R> {
    /// `rows` has `width` pixels of `from`, 16 bit.
    pub(crate) fn new(rows: R, to_srgb: ToSrgb, from: Channels, width: u32, budget: &Budget) -> Result<Self> {
        let samples = u64::from(width) * from.count() as u64;
        Ok(Self {
            rows,
            to_srgb,
            bytes: budget.filled(2 * samples, 0)?,
            stored: budget.filled(samples, 0)?,
            seen: budget.filled(samples, 0)?,
        })
    }
}

impl<R: RowReader> RowReader for Converted<R> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        self.rows.read_row(&mut self.bytes)?;
        for (sample, bytes) in self.stored.iter_mut().zip(self.bytes.as_chunks::<2>().0) {
            *sample = u16::from_le_bytes(*bytes);
        }
        self.to_srgb.row(&self.stored, &mut self.seen);
        for (bytes, sample) in row.as_chunks_mut::<2>().0.iter_mut().zip(&self.seen) {
            *bytes = sample.to_le_bytes();
        }
        Ok(())
    }
}

/// 16-bit rows become rows of the output: greys stand in all colours, samples are rounded to its depth.
pub(crate) struct Fitted<R> {
    rows: R,
    from: Channels,
    to: PixelFormat,
    row: Vec<u8>,
}

impl<R: RowReader> Fitted<R> {
    pub(crate) fn new(rows: R, from: Channels, (to, width): (PixelFormat, u32), budget: &Budget) -> Result<Self> {
        let row = budget.filled(PixelFormat::new(from, Depth::Sixteen).row_bytes(width), 0)?;
        Ok(Self { rows, from, to, row })
    }
}

impl<R: RowReader> RowReader for Fitted<R> {
    fn read_row(&mut self, out: &mut [u8]) -> Result<()> {
        self.rows.read_row(&mut self.row)?;
        let (samples, _) = self.row.as_chunks::<2>();
        let colors = self.from.count() - usize::from(self.from.has_alpha());
        let out_colors = self.to.channels.count() - usize::from(self.to.channels.has_alpha());
        for (pixel, out) in samples.chunks_exact(self.from.count()).zip(out.chunks_exact_mut(self.to.bytes())) {
            for (i, out) in out.chunks_exact_mut(self.to.depth.bytes()).enumerate() {
                let which = if i < out_colors { i.min(colors - 1) } else { colors };
                match self.to.depth {
                    Depth::Eight => out[0] = round(u16::from_le_bytes(pixel[which])),
                    Depth::Sixteen => out.copy_from_slice(&pixel[which]),
                }
            }
        }
        Ok(())
    }
}

/// To the nearest of 255 steps; 257 of the finer make one.
pub(crate) const fn round(sample: u16) -> u8 {
    ((sample as u32 + 128) / 257) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::Limits;

    struct One(Vec<u16>);

    impl RowReader for One {
        fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
            row.copy_from_slice(&self.0.iter().flat_map(|s| s.to_le_bytes()).collect::<Vec<u8>>());
            Ok(())
        }
    }

    #[test]
    fn rounding_is_to_nearest() {
        for sample in 0..=u16::MAX {
            assert_eq!(f64::from(round(sample)), (f64::from(sample) / 257.0).round());
        }
    }

    #[test]
    fn greys_stand_in_all_colours_and_alpha_stays_last() {
        let budget = Budget::new(&Limits::default());
        let to = |from: Channels, samples: &[u16], to: PixelFormat| {
            let width = (samples.len() / from.count()) as u32;
            let mut row = vec![0; to.row_bytes(width) as usize];
            Fitted::new(One(samples.to_vec()), from, (to, width), &budget).unwrap().read_row(&mut row).unwrap();
            row
        };
        let gray = to(Channels::GrayAlpha, &[257, 514, 0, 65_535], PixelFormat::RGBA8);
        assert_eq!(gray, [1, 1, 1, 2, 0, 0, 0, 255]);
        let deep = PixelFormat::new(Channels::Rgb, Depth::Sixteen);
        assert_eq!(to(Channels::Rgb, &[1, 2, 256], deep), [1, 0, 2, 0, 0, 1]);
    }
}
