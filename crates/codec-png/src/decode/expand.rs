//! Conversion of samples as PNG packs them (1 to 16 bits, big-endian, palette indices) to pixels of a row.

use raster::palette;

use crate::header::{ColorType, Header};

/// The conversion of a line to a row; chosen once for a picture.
pub(crate) enum Expand {
    /// The bytes are pixels already.
    Copy,
    /// The byte order of sixteen-bit samples is reversed.
    Swap,
    /// Each sample of `depth` bits is looked up in `entries`; the first `bytes` bytes of the entry are the pixel.
    Table { depth: u8, bytes: usize, entries: Box<[[u8; 4]; 256]> },
    /// Pixels of this colour become transparent; `key` is a stored pixel.
    Key { wide: bool, key: Vec<u8> },
}

impl Expand {
    /// Returns the conversion of a picture; `palette` and `transparency` are the checked data of PLTE and tRNS.
    pub(crate) fn new(header: Header, palette: Option<&[u8]>, transparency: Option<&[u8]>) -> Self {
        let wide = header.depth == 16;
        match (header.color, transparency) {
            (ColorType::Indexed, alphas) => indexed(header.depth, palette.unwrap_or_default(), alphas),
            (ColorType::Gray, key) if header.depth < 8 || (key.is_some() && !wide) => gray(header.depth, key),
            (ColorType::Gray | ColorType::Rgb, Some(key)) => Self::Key { wide, key: stored_key(key, wide) },
            _ if wide => Self::Swap,
            _ => Self::Copy,
        }
    }

    /// Expands a line to the pixels of `row`.
    pub(crate) fn line(&self, line: &[u8], row: &mut [u8]) {
        match self {
            Self::Copy => row.copy_from_slice(line),
            Self::Swap => swap(line, row),
            Self::Table { depth, bytes, entries } => palette::look_up(entries, line, *depth, row, *bytes),
            Self::Key { wide: false, key } => {
                for (stored, pixel) in line.chunks_exact(key.len()).zip(row.chunks_exact_mut(key.len() + 1)) {
                    let (color, alpha) = pixel.split_at_mut(key.len());
                    color.copy_from_slice(stored);
                    alpha.fill(if stored == key { 0 } else { 0xFF });
                }
            }
            Self::Key { wide: true, key } => {
                for (stored, pixel) in line.chunks_exact(key.len()).zip(row.chunks_exact_mut(key.len() + 2)) {
                    let (color, alpha) = pixel.split_at_mut(key.len());
                    swap(stored, color);
                    alpha.fill(if stored == key { 0 } else { 0xFF });
                }
            }
        }
    }
}

/// Returns a table of palette colours. An index beyond the palette is opaque black, as in libpng.
fn indexed(depth: u8, palette: &[u8], alphas: Option<&[u8]>) -> Expand {
    let mut entries = Box::new([[0, 0, 0, 0xFF]; 256]);
    for (entry, color) in entries.iter_mut().zip(palette.as_chunks::<3>().0) {
        entry[..3].copy_from_slice(color);
    }
    for (entry, alpha) in entries.iter_mut().zip(alphas.unwrap_or_default()) {
        entry[3] = *alpha;
    }
    Expand::Table { depth, bytes: if alphas.is_some() { 4 } else { 3 }, entries }
}

/// Returns a table of greys of up to 8 bits: levels scaled to 0 to 255 (§13.12), alpha 0 for the key. Only the key's
/// low bits are used (§11.3.1.1).
fn gray(depth: u8, key: Option<&[u8]>) -> Expand {
    let top = 0xFF >> (8 - depth);
    let key_level = key.and_then(|key| key.get(1)).map(|low| low & top);
    let mut entries = Box::new([[0; 4]; 256]);
    for level in 0..=top {
        let alpha = if key_level == Some(level) { 0 } else { 0xFF };
        entries[usize::from(level)] = [level * (0xFF / top), alpha, 0, 0];
    }
    Expand::Table { depth, bytes: if key.is_some() { 2 } else { 1 }, entries }
}

/// Returns the key as a stored pixel. tRNS has 16 bits a sample at every depth; at 8 bits only the low byte is used.
fn stored_key(key: &[u8], wide: bool) -> Vec<u8> {
    if wide { key.to_vec() } else { key.as_chunks::<2>().0.iter().map(|[_, low]| *low).collect() }
}

fn swap(line: &[u8], row: &mut [u8]) {
    for (sample, [high, low]) in row.as_chunks_mut::<2>().0.iter_mut().zip(line.as_chunks::<2>().0) {
        *sample = [*low, *high];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::Size;

    fn expand(color: ColorType, depth: u8, chunks: (Option<&[u8]>, Option<&[u8]>), line: &[u8], row: usize) -> Vec<u8> {
        let header = Header { size: Size::new(1, 1), depth, color, interlaced: false };
        let mut out = vec![0x55; row];
        Expand::new(header, chunks.0, chunks.1).line(line, &mut out);
        out
    }

    #[test]
    fn low_depths_start_at_the_high_bit_and_scale_to_full_range() {
        let gray = |depth, line: &[u8], row| expand(ColorType::Gray, depth, (None, None), line, row);
        assert_eq!(gray(1, &[0b1010_0000], 3), [255, 0, 255]);
        assert_eq!(gray(2, &[0b0001_1011, 0b1100_0000], 5), [0, 85, 170, 255, 255]);
        assert_eq!(gray(4, &[0x0F, 0x70], 3), [0, 255, 119]);
        assert_eq!(gray(8, &[1, 2, 3], 3), [1, 2, 3]);
        assert_eq!(gray(16, &[1, 2, 3, 4], 4), [2, 1, 4, 3], "little-endian");
    }

    #[test]
    fn indices_beyond_the_palette_are_opaque_black_and_alphas_may_be_few() {
        let palette: &[u8] = &[10, 20, 30, 40, 50, 60];
        assert_eq!(
            expand(ColorType::Indexed, 8, (Some(palette), None), &[1, 0, 2], 9),
            [40, 50, 60, 10, 20, 30, 0, 0, 0]
        );
        assert_eq!(
            expand(ColorType::Indexed, 4, (Some(palette), Some(&[7])), &[0x01, 0xF0], 12),
            [10, 20, 30, 7, 40, 50, 60, 255, 0, 0, 0, 255]
        );
    }

    #[test]
    fn only_the_low_bits_of_a_key_count_below_16_bits() {
        let key: &[u8] = &[0xAB, 0xFF];
        assert_eq!(expand(ColorType::Gray, 1, (None, Some(key)), &[0b0100_0000], 4), [0, 255, 255, 0]);
        assert_eq!(expand(ColorType::Gray, 8, (None, Some(key)), &[0xAB, 0xFF], 4), [0xAB, 255, 0xFF, 0]);
        assert_eq!(
            expand(ColorType::Gray, 16, (None, Some(key)), &[0xAB, 0xFF, 0, 0xFF], 8),
            [0xFF, 0xAB, 0, 0, 0xFF, 0, 255, 255]
        );
        let key: &[u8] = &[9, 1, 9, 2, 9, 3];
        assert_eq!(expand(ColorType::Rgb, 8, (None, Some(key)), &[1, 2, 3, 1, 2, 4], 8), [1, 2, 3, 0, 1, 2, 4, 255]);
        assert_eq!(expand(ColorType::Rgb, 16, (None, Some(key)), &[9, 1, 9, 2, 9, 3], 8), [1, 9, 2, 9, 3, 9, 0, 0]);
    }
}
