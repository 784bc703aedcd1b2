//! The stage that converts CMYK rows to RGB, through their profile if there is one. Without a profile, red is the light
//! that cyan and black let through; green and blue correspond.

use core::task::{Poll, ready};

use color::ToSrgb;
use raster::{Budget, Depth, Result, RowFormat};

use crate::convert::round;
use crate::rows::Rows;

/// The stage that converts rows of inks to RGB of the same depth, with unchanged alpha.
pub(crate) struct Inks<R> {
    rows: R,
    format: InkFormat,
    /// One row of inks.
    stored: Vec<u8>,
    profile: Option<Profile>,
}

/// The row format of inks: [`RowFormat::Inks`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct InkFormat {
    pub(crate) depth: Depth,
    pub(crate) alpha: bool,
}

/// The conversion through a profile.
struct Profile {
    to_srgb: ToSrgb,
    /// One row of inks without alpha, and the converted row.
    inks: Vec<u16>,
    colors: Vec<u16>,
}

impl<R: Rows> Inks<R> {
    /// Creates the stage for rows of `width` pixels.
    pub(crate) fn new(
        rows: R,
        format: InkFormat,
        width: u32,
        to_srgb: Option<ToSrgb>,
        budget: &Budget,
    ) -> Result<Self> {
        let InkFormat { depth, alpha } = format;
        let stored = budget.filled(RowFormat::Inks { depth, alpha }.row_bytes(width), 0)?;
        let width = u64::from(width);
        let profile = match to_srgb {
            Some(to_srgb) => {
                Some(Profile { to_srgb, inks: budget.filled(4 * width, 0)?, colors: budget.filled(3 * width, 0)? })
            }
            None => None,
        };
        Ok(Self { rows, format, stored, profile })
    }

    /// Converts the stored row to RGB; a pixel has `INKS` samples of `BYTES` bytes before and `COLORS` after.
    fn convert<const BYTES: usize, const INKS: usize, const COLORS: usize>(&mut self, row: &mut [u8]) -> Result<()> {
        let inks = self.stored.as_chunks::<BYTES>().0.as_chunks::<INKS>().0;
        let colors = row.as_chunks_mut::<BYTES>().0.as_chunks_mut::<COLORS>().0;
        if COLORS == 4 {
            colors.iter_mut().zip(inks).for_each(|(color, ink)| color[COLORS - 1] = ink[INKS - 1]);
        }
        match &mut self.profile {
            Some(profile) => profile.convert(inks, colors)?,
            None => {
                for (color, ink) in colors.iter_mut().zip(inks) {
                    let black = ink[3];
                    color.iter_mut().zip(&ink[..3]).for_each(|(color, &ink)| *color = through(ink, black));
                }
            }
        }
        Ok(())
    }
}

impl<R: Rows> Rows for Inks<R> {
    fn poll_row(&mut self, row: &mut [u8]) -> Poll<Result<()>> {
        ready!(self.rows.poll_row(&mut self.stored))?;
        match (self.format.depth, self.format.alpha) {
            (Depth::Eight, false) => self.convert::<1, 4, 3>(row)?,
            (Depth::Eight, true) => self.convert::<1, 5, 4>(row)?,
            (Depth::Sixteen, false) => self.convert::<2, 4, 3>(row)?,
            (Depth::Sixteen, true) => self.convert::<2, 5, 4>(row)?,
        }
        Poll::Ready(Ok(()))
    }
}

impl Profile {
    fn convert<const BYTES: usize, const INKS: usize, const COLORS: usize>(
        &mut self,
        inks: &[[[u8; BYTES]; INKS]],
        colors: &mut [[[u8; BYTES]; COLORS]],
    ) -> Result<()> {
        for (wide, ink) in self.inks.as_chunks_mut::<4>().0.iter_mut().zip(inks) {
            // At eight bits both bytes are the same byte: v · 257.
            *wide = core::array::from_fn(|i| u16::from_le_bytes([ink[i][0], ink[i][BYTES - 1]]));
        }
        self.to_srgb.row(&self.inks, &mut self.colors)?;
        for (color, wide) in colors.iter_mut().zip(self.colors.as_chunks::<3>().0) {
            for (color, &wide) in color.iter_mut().zip(wide) {
                let code = if BYTES == 1 { round(wide).into() } else { wide };
                *color = core::array::from_fn(|i| code.to_le_bytes()[i]);
            }
        }
        Ok(())
    }
}

/// Returns the light that an ink and black let through, rounded half up.
fn through<const BYTES: usize>(ink: [u8; BYTES], black: [u8; BYTES]) -> [u8; BYTES] {
    let code = if BYTES == 1 {
        (u32::from(255 - ink[0]) * u32::from(255 - black[0]) * 2 + 255) / 510
    } else {
        let light = |ink: [u8; BYTES]| u64::from(u16::MAX - u16::from_le_bytes([ink[0], ink[BYTES - 1]]));
        ((light(ink) * light(black) * 2 + 65_535) / 131_070) as u32
    };
    core::array::from_fn(|i| code.to_le_bytes()[i])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::tests::{Memory, read_row};
    use raster::Limits;

    fn colors(inks: &[u8], depth: Depth) -> Vec<u8> {
        read(inks, InkFormat { depth, alpha: false }, inks.len() / 4 * 3)
    }

    fn read(inks: &[u8], format: InkFormat, len: usize) -> Vec<u8> {
        let width = (inks.len() / (format.depth.bytes() * (4 + usize::from(format.alpha)))) as u32;
        let mut row = vec![0; len];
        let budget = Budget::new(&Limits::default());
        let mut inks = Inks::new(Memory::new(inks.to_vec()), format, width, None, &budget).unwrap();
        read_row(&mut inks, &mut row).unwrap();
        row
    }

    #[test]
    fn alpha_is_copied() {
        let format = InkFormat { depth: Depth::Eight, alpha: true };
        assert_eq!(read(&[255, 0, 0, 0, 77, 0, 0, 0, 255, 0], format, 8), [0, 255, 255, 77, 0, 0, 0, 0]);
        let format = InkFormat { depth: Depth::Sixteen, alpha: true };
        assert_eq!(read(&[0, 0, 0, 0, 0, 0, 255, 255, 0x34, 0x12], format, 8), [0, 0, 0, 0, 0, 0, 0x34, 0x12]);
    }

    #[test]
    fn inks_multiply_their_light() {
        let table = [
            ([0, 0, 0, 0], [255, 255, 255]),
            ([255, 0, 0, 0], [0, 255, 255]),
            ([0, 0, 0, 255], [0, 0, 0]),
            ([55, 155, 205, 127], [100, 50, 25]),
        ];
        for (inks, want) in table {
            assert_eq!(colors(&inks, Depth::Eight), want, "{inks:?}");
            let twice = |bytes: &[u8]| bytes.iter().flat_map(|&b| [b, b]).collect::<Vec<u8>>();
            let near = |(got, want): (&[u8], &[u8])| {
                let level = |b: &[u8]| i32::from(u16::from_le_bytes([b[0], b[1]]));
                (level(got) - level(want)).abs() <= 128 // half a level of eight bits
            };
            let got = colors(&twice(&inks), Depth::Sixteen);
            assert!(got.chunks(2).zip(twice(&want).chunks(2)).all(near), "{inks:?}");
        }
    }

    #[test]
    fn products_are_rounded_to_nearest() {
        for v in 0..=255_u8 {
            for k in 0..=255_u8 {
                let exact = ((255.0 - f64::from(v)) * (255.0 - f64::from(k)) / 255.0 + 0.5).floor() as u8;
                assert_eq!(colors(&[v, v, v, k], Depth::Eight), [exact; 3]);
            }
        }
    }
}
