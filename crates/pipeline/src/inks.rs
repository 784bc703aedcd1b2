//! Rows of inks become rows of colours, through their profile if there is one; all other rows pass through. Without a
//! profile, red is what cyan and black let through.

use core::cell::Cell;

use color::ToSrgb;
use raster::{Budget, Channels, Depth, Frame, FrameHeader, PixelFormat, Result, RowReader, Size};

use crate::convert::{Converted, Fitted};

/// The rows of a frame, in colour.
pub(crate) struct Inks<'a> {
    rows: Box<dyn RowReader + 'a>,
    size: Size,
}

impl<'a> Inks<'a> {
    /// Takes the way to sRGB if it is one for inks.
    pub(crate) fn new(frame: Frame<'a>, to_srgb: &Cell<Option<ToSrgb>>, budget: &Budget) -> Result<Self> {
        let FrameHeader { size, pixels, .. } = frame.header;
        if pixels.channels != Channels::Cmyk {
            return Ok(Self { rows: Box::new(frame.rows), size });
        }
        let Some(to_srgb) = to_srgb.take() else {
            let inks = budget.filled(frame.header.row_bytes(), 0)?;
            return Ok(Self { rows: Box::new(Mixed { rows: frame.rows, depth: pixels.depth, inks }), size });
        };
        let width = size.width;
        let deep = Deep { rows: frame.rows, row: budget.filled(frame.header.row_bytes(), 0)?, depth: pixels.depth };
        let converted = Converted::new(deep, to_srgb, Channels::Cmyk, width, budget)?;
        let to = PixelFormat::new(Channels::Rgb, pixels.depth);
        Ok(Self { rows: Box::new(Fitted::new(converted, Channels::Rgb, (to, width), budget)?), size })
    }

    pub(crate) const fn size(&self) -> Size {
        self.size
    }
}

impl RowReader for Inks<'_> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        self.rows.read_row(row)
    }
}

/// Rows of any depth in 16 bits.
struct Deep<'a> {
    rows: &'a mut dyn RowReader,
    row: Vec<u8>,
    depth: Depth,
}

impl RowReader for Deep<'_> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        if self.depth == Depth::Sixteen {
            return self.rows.read_row(row);
        }
        self.rows.read_row(&mut self.row)?;
        for (wide, &sample) in row.as_chunks_mut::<2>().0.iter_mut().zip(&self.row) {
            *wide = [sample; 2]; // v · 257
        }
        Ok(())
    }
}

/// Colours without a profile.
struct Mixed<'a> {
    rows: &'a mut dyn RowReader,
    depth: Depth,
    inks: Vec<u8>,
}

impl RowReader for Mixed<'_> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        self.rows.read_row(&mut self.inks)?;
        match self.depth {
            Depth::Eight => mix(self.inks.as_chunks::<4>().0, row.as_chunks_mut::<3>().0, |ink, black| {
                over_255(u32::from(255 - ink) * u32::from(255 - black))
            }),
            Depth::Sixteen => {
                let (inks, _) = self.inks.as_chunks::<2>();
                let (samples, _) = row.as_chunks_mut::<2>();
                mix(inks.as_chunks::<4>().0, samples.as_chunks_mut::<3>().0, |ink, black| {
                    let light = |ink: [u8; 2]| u64::from(u16::MAX - u16::from_le_bytes(ink));
                    (((light(ink) * light(black) * 2 + 65_535) / 131_070) as u16).to_le_bytes()
                });
            }
        }
        Ok(())
    }
}

/// `product / 255`, rounded half up.
const fn over_255(product: u32) -> u8 {
    ((product * 2 + 255) / 510) as u8
}

/// `through` tells the light that passes an ink and black.
fn mix<S: Copy>(inks: &[[S; 4]], colors: &mut [[S; 3]], through: impl Fn(S, S) -> S) {
    for (&[c, m, y, k], color) in inks.iter().zip(colors) {
        *color = [through(c, k), through(m, k), through(y, k)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::Limits;
    use std::rc::Rc;

    struct One(Vec<u8>);

    impl RowReader for One {
        fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
            row.copy_from_slice(&self.0);
            Ok(())
        }
    }

    fn colors(inks: &[u8], depth: Depth) -> Vec<u8> {
        let pixels = PixelFormat::new(Channels::Cmyk, depth);
        let header = FrameHeader::new(Size::new((inks.len() / pixels.bytes()) as u32, 1), pixels);
        let mut rows = One(inks.to_vec());
        let frame = Frame { header, metadata: Rc::default(), rows: &mut rows };
        let mut row = vec![0; inks.len() / 4 * 3];
        Inks::new(frame, &Cell::default(), &Budget::new(&Limits::default())).unwrap().read_row(&mut row).unwrap();
        row
    }

    #[test]
    fn inks_mix_as_light_lets_through() {
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
