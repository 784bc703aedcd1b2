//! The stage from working pixels to stored pixels: colour is divided by alpha, and each value is rounded to the nearest
//! code, halves up.

use core::task::{Poll, ready};

use raster::{Budget, Channels, Depth, Pixel, PixelFormat, Result};
use resample::{Resampler, StripSource};
use simd::F32x4;

use crate::light::{Codes, Light};
use crate::rows::Rows;

/// The stage that converts the rows of a resampler to stored pixels.
pub(crate) struct Emit<S> {
    resampler: Resampler<S>,
    /// One row of working pixels.
    working: Vec<Pixel>,
    tables: Tables,
}

impl<S: StripSource> Emit<S> {
    /// Creates the stage over `resampler` for the format `pixels`.
    pub(crate) fn new(resampler: Resampler<S>, pixels: PixelFormat, light: &Light, budget: &Budget) -> Result<Self> {
        let working = budget.filled(resampler.size().width.into(), Pixel::default())?;
        Ok(Self { resampler, working, tables: Tables::new(pixels, light, budget)? })
    }
}

impl<S: StripSource> Rows for Emit<S> {
    fn poll_row(&mut self, row: &mut [u8]) -> Poll<Result<()>> {
        ready!(self.resampler.poll_row(&mut self.working))?;
        self.tables.row(&self.working, row);
        Poll::Ready(Ok(()))
    }
}

/// The codes of one stored format.
struct Tables {
    format: PixelFormat,
    color: Codes,
    /// The codes of alpha, which does not use the transfer function.
    alpha: Option<Codes>,
}

impl Tables {
    fn new(format: PixelFormat, light: &Light, budget: &Budget) -> Result<Self> {
        let color = Codes::new(light, format.depth, budget)?;
        let with_alpha = format.channels.has_alpha();
        let alpha = with_alpha.then(|| Codes::new(&Light::Encoded, format.depth, budget)).transpose()?;
        Ok(Self { format, color, alpha })
    }

    /// Writes as many pixels as `pixels` has; `into` has exactly their length. Grey uses the first colour.
    fn row(&self, pixels: &[Pixel], into: &mut [u8]) {
        debug_assert_eq!(into.len(), pixels.len() * self.format.bytes());
        match (self.format.depth, self.format.channels) {
            (Depth::Eight, Channels::Gray) => self.opaque::<1, 1>(pixels, into),
            (Depth::Eight, Channels::GrayAlpha) => self.with_alpha::<1, 2>(pixels, into),
            (Depth::Eight, Channels::Rgb) => self.opaque::<1, 3>(pixels, into),
            (Depth::Eight, Channels::Rgba) => self.with_alpha::<1, 4>(pixels, into),
            (Depth::Sixteen, Channels::Gray) => self.opaque::<2, 1>(pixels, into),
            (Depth::Sixteen, Channels::GrayAlpha) => self.with_alpha::<2, 2>(pixels, into),
            (Depth::Sixteen, Channels::Rgb) => self.opaque::<2, 3>(pixels, into),
            (Depth::Sixteen, Channels::Rgba) => self.with_alpha::<2, 4>(pixels, into),
        }
    }

    /// Writes pixels of `CHANNELS` colours of `BYTES` bytes.
    fn opaque<const BYTES: usize, const CHANNELS: usize>(&self, pixels: &[Pixel], into: &mut [u8]) {
        let into = into.as_chunks_mut::<BYTES>().0.as_chunks_mut::<CHANNELS>().0;
        for (pixel, into) in pixels.iter().zip(into) {
            *into = self.color.codes::<BYTES, CHANNELS>(&pixel.0).map(bytes);
        }
    }

    /// Writes pixels of `CHANNELS` samples of `BYTES` bytes; the last sample is alpha. Where alpha rounds to 0, colour
    /// is 0 too: it is invisible, and a division by almost 0 would turn it into noise.
    fn with_alpha<const BYTES: usize, const CHANNELS: usize>(&self, pixels: &[Pixel], into: &mut [u8]) {
        let Some(alpha_codes) = &self.alpha else { return };
        let into = into.as_chunks_mut::<BYTES>().0.as_chunks_mut::<CHANNELS>().0;
        for (pixel, into) in pixels.iter().zip(into) {
            let alpha = pixel.0[3];
            let [alpha_code] = alpha_codes.codes::<BYTES, 1>(&[alpha; 4]);
            if alpha_code == 0 {
                *into = [[0; BYTES]; CHANNELS];
                continue;
            }
            let mut straight = [0.0; 4];
            (F32x4::load(&pixel.0) / F32x4::splat(alpha)).store(&mut straight);
            *into = self.color.codes::<BYTES, CHANNELS>(&straight).map(bytes);
            into[CHANNELS - 1] = bytes(alpha_code);
        }
    }
}

/// Returns a sample as stored: little-endian.
#[inline(always)]
fn bytes<const BYTES: usize>(code: u16) -> [u8; BYTES] {
    core::array::from_fn(|i| code.to_le_bytes()[i])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingest;
    use crate::light::SRGB;
    use raster::{Limits, Size};
    use testkit::generate;

    fn budget() -> Budget {
        Budget::new(&Limits::default())
    }

    fn emit(channels: Channels, depth: Depth, light: &Light, pixels: &[[f32; 4]]) -> Vec<u8> {
        let format = PixelFormat::new(channels, depth);
        let pixels: Vec<Pixel> = pixels.iter().copied().map(Pixel).collect();
        let mut stored = vec![0xEE; pixels.len() * format.bytes()];
        Tables::new(format, light, &budget()).unwrap().row(&pixels, &mut stored);
        stored
    }

    #[test]
    fn colour_is_divided_by_the_unrounded_alpha() {
        // A third of full alpha rounds to 85; a quarter (63.75) to 64, and dividing by 64/255 would give 254.
        let pixels = [[1.0 / 3.0, 1.0 / 6.0, 0.0, 1.0 / 3.0], [0.25, 0.125, 0.0, 0.25]];
        let stored = emit(Channels::Rgba, Depth::Eight, &Light::Encoded, &pixels);
        assert_eq!(stored, [255, 128, 0, 85, 255, 128, 0, 64]);
        assert_eq!(emit(Channels::GrayAlpha, Depth::Eight, &Light::Encoded, &pixels), [255, 85, 255, 64]);
    }

    #[test]
    fn pixels_are_zero_where_alpha_rounds_to_zero() {
        let pixels = [[0.5, 0.5, 0.5, 0.0], [0.001, 0.0, 0.0, 0.001], [0.1, 0.1, 0.1, -0.1], [0.1, 0.1, 0.1, f32::NAN]];
        assert_eq!(emit(Channels::Rgba, Depth::Eight, &SRGB, &pixels), [0; 16]);
    }

    #[test]
    fn overshoot_is_clipped() {
        let pixels = [[1.2, -0.2, 0.5, 1.1]];
        assert_eq!(emit(Channels::Rgb, Depth::Eight, &Light::Encoded, &pixels), [255, 0, 128]);
        assert_eq!(emit(Channels::Rgba, Depth::Eight, &Light::Encoded, &pixels), [255, 0, 116, 255]);
        assert_eq!(emit(Channels::Gray, Depth::Sixteen, &Light::Encoded, &pixels), [255, 255]);
    }

    /// Every code of every format, except colour of transparent pixels.
    #[test]
    fn ingested_codes_are_emitted_unchanged() {
        for channels in [Channels::Gray, Channels::GrayAlpha, Channels::Rgb, Channels::Rgba] {
            for depth in [Depth::Eight, Depth::Sixteen] {
                let format = PixelFormat::new(channels, depth);
                let mut picture = generate::noise(Size::new(512, 256), format, 3);
                for light in [SRGB, Light::Encoded] {
                    let tables = Tables::new(format, &light, &budget()).unwrap();
                    let pixels = ingest::tests::pixels(format, &light, &picture.rows);
                    let mut back = picture.clone();
                    tables.row(&pixels, &mut back.rows);
                    forget_unseen(&mut picture);
                    assert_eq!(back, picture, "{format:?} {light:?}");
                }
            }
        }
    }

    fn forget_unseen(picture: &mut testkit::Picture) {
        let channels = picture.pixels.channels;
        if channels.has_alpha() {
            let (pixel, sample) = (picture.pixels.bytes(), picture.pixels.depth.bytes());
            for pixel in picture.rows.chunks_exact_mut(pixel) {
                if pixel[pixel.len() - sample..].iter().all(|&byte| byte == 0) {
                    pixel.fill(0);
                }
            }
        }
    }
}
