//! Stored rows become working pixels: looked up, grey spread over three colours, colour multiplied by alpha.

use raster::{Budget, Channels, Depth, Pixel, PixelFormat, Result};

use crate::light::Light;

/// Turns rows of one stored format into working pixels.
pub(crate) struct Ingest {
    format: PixelFormat,
    /// Working value of every code.
    values: Vec<f32>,
}

impl Ingest {
    /// Builds the table for a format: 1 KiB for eight bits, 256 KiB for sixteen.
    pub(crate) fn new(format: PixelFormat, light: Light, budget: &Budget) -> Result<Self> {
        Ok(Self { format, values: light.values(format.depth, budget)? })
    }

    /// Writes as many pixels as fit into `into`; `stored` holds exactly those.
    pub(crate) fn row(&self, stored: &[u8], into: &mut [Pixel]) {
        debug_assert_eq!(stored.len(), into.len() * self.format.bytes());
        match (self.format.depth, self.format.channels) {
            (Depth::Eight, Channels::Gray) => self.pixels::<1, 1>(stored, into),
            (Depth::Eight, Channels::GrayAlpha) => self.pixels::<1, 2>(stored, into),
            (Depth::Eight, Channels::Rgb) => self.pixels::<1, 3>(stored, into),
            (Depth::Eight, Channels::Rgba | Channels::Cmyk) => self.pixels::<1, 4>(stored, into),
            (Depth::Sixteen, Channels::Gray) => self.pixels::<2, 1>(stored, into),
            (Depth::Sixteen, Channels::GrayAlpha) => self.pixels::<2, 2>(stored, into),
            (Depth::Sixteen, Channels::Rgb) => self.pixels::<2, 3>(stored, into),
            (Depth::Sixteen, Channels::Rgba | Channels::Cmyk) => self.pixels::<2, 4>(stored, into),
        }
    }

    /// Pixels of `CHANNELS` samples of `BYTES` bytes.
    fn pixels<const BYTES: usize, const CHANNELS: usize>(&self, stored: &[u8], into: &mut [Pixel]) {
        let stored = stored.as_chunks::<BYTES>().0.as_chunks::<CHANNELS>().0;
        // A length that the compiler knows spares every look-up its check: 4 % of a 24-megapixel JPEG's whole time in wasm.
        let values = &self.values[..1 << (8 * BYTES)];
        for (stored, pixel) in stored.iter().zip(into) {
            let value = |channel: usize| values[code(stored[channel])];
            let alpha = |channel: usize| code(stored[channel]) as f32 / f32::from(self.format.depth.max());
            let ([r, g, b], a) = match CHANNELS {
                1 => ([value(0); 3], 1.0),
                2 => ([value(0); 3], alpha(1)),
                3 => ([value(0), value(1), value(2)], 1.0),
                _ => ([value(0), value(1), value(2)], alpha(3)),
            };
            // For opaque formats the compiler leaves the products with the constant 1 out.
            *pixel = Pixel([r * a, g * a, b * a, a]);
        }
    }
}

/// A stored sample as a number.
#[inline(always)]
fn code<const BYTES: usize>(sample: [u8; BYTES]) -> usize {
    sample.iter().rev().fold(0, |code, &byte| code << 8 | usize::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::Limits;

    fn ingest(channels: Channels, depth: Depth, light: Light, stored: &[u8]) -> Vec<Pixel> {
        let format = PixelFormat::new(channels, depth);
        let mut pixels = vec![Pixel::default(); stored.len() / format.bytes()];
        Ingest::new(format, light, &Budget::new(&Limits::default())).unwrap().row(stored, &mut pixels);
        pixels
    }

    #[test]
    fn each_format_fills_the_four_lanes() {
        let (one, part) = (1.0, 51.0 / 255.0);
        let table = [
            (Channels::Gray, vec![255, 51], vec![[one, one, one, one], [part, part, part, one]]),
            (Channels::GrayAlpha, vec![255, 51], vec![[part; 4]]),
            (Channels::Rgb, vec![255, 51, 0], vec![[one, part, 0.0, one]]),
            (Channels::Rgba, vec![255, 51, 0, 255, 9, 8, 7, 0], vec![[one, part, 0.0, one], [0.0; 4]]),
        ];
        for (channels, stored, want) in table {
            let want: Vec<Pixel> = want.into_iter().map(Pixel).collect();
            assert_eq!(ingest(channels, Depth::Eight, Light::Encoded, &stored), want, "{channels:?}");
            // Byte v at eight bits is the pair (v, v) at sixteen: v · 257.
            let stored: Vec<u8> = stored.iter().flat_map(|&byte| [byte, byte]).collect();
            assert_eq!(ingest(channels, Depth::Sixteen, Light::Encoded, &stored), want, "{channels:?}");
        }
    }

    #[test]
    fn linear_light_concerns_colour_and_not_alpha() {
        let [Pixel([r, g, b, a])] = ingest(Channels::Rgba, Depth::Eight, Light::Linear, &[188, 10, 255, 128])[..]
        else {
            panic!("one pixel")
        };
        // IEC 61966-2-1: 188 is half the light (0.5029), 10 lies in the linear part.
        let want = [0.502_886_5, 10.0 / 255.0 / 12.92, 1.0].map(|linear| linear * 128.0 / 255.0);
        for (got, want) in [r, g, b].into_iter().zip(want) {
            assert!((f64::from(got) - want).abs() < 1e-6, "{got} {want}");
        }
        assert_eq!(a, 128.0 / 255.0);
    }

    #[test]
    fn sixteen_bit_samples_are_little_endian() {
        let pixels = ingest(Channels::Gray, Depth::Sixteen, Light::Encoded, &[0x34, 0x12]);
        assert_eq!(pixels[0].0[0], 0x1234 as f32 / 65_535.0);
    }
}
