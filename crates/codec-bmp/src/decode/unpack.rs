//! Conversion of uncompressed rows to samples, with one loop for each packing.

use raster::Channels;
use raster::palette::look_up;
use raster::transfer::linear_to_srgb;
use simd::swap_rgb;

use super::mask::Channel;
use super::palette::Palette;
use crate::repack::{repack, swap_rgba};

/// The packing of a row's pixels.
pub(super) enum Packing {
    /// Palette indices of 1, 2, 4 or 8 bits, the leftmost pixel in the highest bits.
    Indexed { bits: u8, palette: Palette },
    /// Blue, green, red.
    Bgr,
    /// Blue, green, red, and alpha or padding.
    Bgra,
    /// Little-endian pixels of this many bytes whose channels are runs of bits.
    Masked { pixel_bytes: u8, channels: [Channel; 4] },
    /// The 64 bits of GDI+: blue, green, red, alpha in 16-bit fixed point with 13 fraction bits, colour in linear
    /// light.
    Linear(LinearTable),
}

impl Packing {
    /// Unpacks one row of `channels`: grey for palettes of greys, else colour, with alpha if the packing has it.
    pub(super) fn unpack(&self, from: &[u8], into: &mut [u8], channels: Channels) {
        match (self, channels.has_alpha()) {
            (Self::Indexed { bits, palette }, _) => look_up(&palette.0, from, *bits, into, channels.count()),
            (Self::Bgr, _) => swap_rgb(from, into),
            (Self::Bgra, false) => repack::<4, 3>(from, into, |&[blue, green, red, _]| [red, green, blue]),
            (Self::Bgra, true) => swap_rgba(from, into),
            (Self::Masked { pixel_bytes: 2, channels }, false) => masked::<2, 3>(channels, from, into),
            (Self::Masked { pixel_bytes: 2, channels }, true) => masked::<2, 4>(channels, from, into),
            (Self::Masked { channels, .. }, false) => masked::<4, 3>(channels, from, into),
            (Self::Masked { channels, .. }, true) => masked::<4, 4>(channels, from, into),
            (Self::Linear(table), false) => repack::<8, 3>(from, into, |pixel| table.color(pixel)),
            (Self::Linear(table), true) => repack::<8, 4>(from, into, |pixel| {
                let [red, green, blue] = table.color(pixel);
                [red, green, blue, LinearTable::alpha(pixel)]
            }),
        }
    }
}

fn masked<const FROM: usize, const INTO: usize>(channels: &[Channel; 4], from: &[u8], into: &mut [u8]) {
    repack::<FROM, INTO>(from, into, |bytes| {
        let mut word = [0; 4];
        word[..FROM].copy_from_slice(bytes);
        let pixel = u32::from_le_bytes(word);
        core::array::from_fn(|i| channels[i].sample(pixel))
    });
}

/// A table of samples from −4 to just below 4, where 1 is [`LinearTable::ONE`]; values outside 0 to 1 are clipped.
pub(super) struct LinearTable(Vec<u8>);

impl LinearTable {
    const ONE: i16 = 1 << 13;

    /// Computes the transfer function of sRGB (IEC 61966-2-1) for every value from 0 to 1.
    pub(super) fn new() -> Self {
        let byte = |value| (linear_to_srgb(f64::from(value) / f64::from(Self::ONE)) * 255.0 + 0.5) as u8;
        Self((0..=Self::ONE).map(byte).collect())
    }

    fn color(&self, pixel: &[u8; 8]) -> [u8; 3] {
        [4, 2, 0].map(|at| self.0[usize::from(Self::clipped(pixel, at))])
    }

    fn alpha(pixel: &[u8; 8]) -> u8 {
        let one = u32::from(Self::ONE.unsigned_abs());
        ((u32::from(Self::clipped(pixel, 6)) * 255 + one / 2) / one) as u8
    }

    fn clipped(pixel: &[u8; 8], at: usize) -> u16 {
        i16::from_le_bytes([pixel[at], pixel[at + 1]]).clamp(0, Self::ONE).unsigned_abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_run_from_the_high_bits_down_and_stop_at_the_width() {
        let mut palette = Palette(Box::new([[0; 4]; 256]));
        (0..=255).for_each(|i: u8| palette.0[usize::from(i)] = [i, 255 - i, i / 2, 255]);
        let table: [(u8, &[u8], &[u8]); 4] = [
            (1, &[0b1010_0000, 0b1000_0000], &[1, 0, 1, 0, 0, 0, 0, 0, 1]),
            (2, &[0b11_10_01_00, 0b01_00_00_00], &[3, 2, 1, 0, 1]),
            (4, &[0xF0, 0x70], &[15, 0, 7]),
            (8, &[0, 200], &[0, 200]),
        ];
        for (bits, from, indices) in table {
            let packing = Packing::Indexed { bits, palette: palette.clone() };
            let mut rgb = vec![0; indices.len() * 3];
            packing.unpack(from, &mut rgb, Channels::Rgb);
            assert_eq!(rgb, indices.iter().flat_map(|&i| [i, 255 - i, i / 2]).collect::<Vec<u8>>(), "{bits} bits");
            let mut gray = vec![0; indices.len()];
            packing.unpack(from, &mut gray, Channels::Gray);
            assert_eq!(gray, indices);
        }
    }

    #[test]
    fn linear_light_becomes_srgb() {
        let pixel = |[red, green, blue, alpha]: [i16; 4]| [blue, green, red, alpha].map(i16::to_le_bytes).concat();
        let table = [
            ([0, 8192, 4096, 8192], [0, 255, 188, 255]), // half the light is code 188 (187.5)
            ([-8192, 16384, i16::MIN, i16::MAX], [0, 255, 0, 255]),
            ([1754, 26, 25, 4096], [128, 10, 10, 128]), // 0.2141 is code 128; the line below 0.0031308
        ];
        for (from, want) in table {
            let mut into = [0; 4];
            Packing::Linear(LinearTable::new()).unpack(&pixel(from), &mut into, Channels::Rgba);
            assert_eq!(into, want, "{from:?}");
        }
    }
}
