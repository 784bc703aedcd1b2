//! Stored pixels as grey or as red, green and blue.

use raster::palette::MAX_COLORS;
use raster::{Budget, ByteSource, Channels, Result};

use crate::header::{Alpha, ColorMap, Header, Kind};

/// How the pixels of a picture are unpacked.
pub(crate) struct Unpacking {
    kind: Kind,
    bits: u8,
    alpha: Alpha,
    /// The colours of the palette; black where the file has none.
    colors: Vec<[u8; 4]>,
}

impl Unpacking {
    /// Reads the palette.
    pub(crate) fn new(header: &Header, source: &dyn ByteSource, budget: &Budget) -> Result<Self> {
        let alpha = header.alpha(source)?;
        let colors = match (header.kind, header.map) {
            (Kind::Indexed, Some(map)) => palette(map, header.map_at(), source, budget)?,
            _ => Vec::new(),
        };
        let has_alpha = header.kind != Kind::Indexed || header.map.is_some_and(|map| matches!(map.bits, 16 | 32));
        Ok(Self { kind: header.kind, bits: header.bits, alpha: if has_alpha { alpha } else { Alpha::None }, colors })
    }

    /// The channels of the rows that it makes.
    pub(crate) fn channels(&self) -> Channels {
        Channels::new(self.kind != Kind::Gray, self.alpha != Alpha::None)
    }

    /// Unpacks a row.
    pub(crate) fn unpack(&self, stored: &[u8], row: &mut [u8]) {
        let pixels = row.chunks_exact_mut(self.channels().count());
        match (self.kind, self.bits) {
            (Kind::Indexed, _) => {
                let copy = |(pixel, &index): (&mut [u8], &u8)| put(self.colors[usize::from(index)], pixel);
                pixels.zip(stored).for_each(copy);
            }
            (Kind::Gray, 8) => row.copy_from_slice(stored),
            (Kind::Gray, _) => {
                let pairs = pixels.zip(stored.as_chunks::<2>().0);
                pairs.for_each(|(pixel, stored)| pixel.copy_from_slice(&stored[..pixel.len()]));
            }
            (Kind::Color, 15 | 16) => {
                pixels.zip(stored.as_chunks::<2>().0).for_each(|(pixel, &stored)| put(five_bits(stored), pixel));
            }
            (Kind::Color, 24) => {
                pixels.zip(stored.as_chunks::<3>().0).for_each(|(pixel, &[b, g, r])| put([r, g, b, 255], pixel));
            }
            (Kind::Color, _) => {
                pixels.zip(stored.as_chunks::<4>().0).for_each(|(pixel, &[b, g, r, a])| put([r, g, b, a], pixel));
            }
        }
        if self.alpha == Alpha::Premultiplied {
            row.chunks_exact_mut(self.channels().count()).for_each(divide_by_alpha);
        }
    }
}

fn palette(map: ColorMap, at: u64, source: &dyn ByteSource, budget: &Budget) -> Result<Vec<[u8; 4]>> {
    let mut colors = budget.filled(MAX_COLORS as u64, [0, 0, 0, 255])?;
    let mut entries = [0; MAX_COLORS * 4];
    let entry_bytes = usize::from(map.bits.div_ceil(8));
    let count = usize::from(map.len).min(MAX_COLORS.saturating_sub(map.first.into()));
    let filled = source.read_full_at(at, &mut entries[..count * entry_bytes])?;
    let colors_there = colors.iter_mut().skip(map.first.into());
    for (color, entry) in colors_there.zip(entries[..filled].chunks_exact(entry_bytes)) {
        *color = match *entry {
            [low, high] => five_bits([low, high]),
            [b, g, r] => [r, g, b, 255],
            [b, g, r, a] => [r, g, b, a],
            _ => *color,
        };
    }
    Ok(colors)
}

/// Five bits each of red, green and blue behind one for alpha, in 16 bits with the lower byte first.
fn five_bits(pixel: [u8; 2]) -> [u8; 4] {
    let pixel = u16::from_le_bytes(pixel);
    let sample = |shift: u16| (((pixel >> shift & 31) * 255 + 15) / 31) as u8;
    [sample(10), sample(5), sample(0), if pixel >> 15 == 1 { 255 } else { 0 }]
}

/// Stores as many samples as the pixel has.
fn put(color: [u8; 4], pixel: &mut [u8]) {
    pixel.copy_from_slice(&color[..pixel.len()]);
}

/// Undoes the multiplication of colour by alpha.
fn divide_by_alpha(pixel: &mut [u8]) {
    let Some((&mut alpha, colors)) = pixel.split_last_mut() else { return };
    let alpha = u16::from(alpha);
    for color in colors {
        *color = ((u16::from(*color) * 255 + alpha / 2) / alpha.max(1)).min(255) as u8;
    }
}
