//! The conversion of a row.

use raster::{Budget, Result};

use crate::chroma::{self, Row};
use crate::{Matrix, Sampling, Siting};

/// Pixels that are computed together, channel by channel, before they are interleaved.
const BLOCK: usize = 16;

/// What the samples of a file mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coding {
    /// The bits of a sample, 8 to 16.
    pub depth: u8,
    /// How many chroma samples there are.
    pub sampling: Sampling,
    /// Where they are.
    pub siting: Siting,
    /// The relation to RGB; not used for grey.
    pub matrix: Matrix,
    /// Whether samples use all values; else luma has 219 steps above 16 and chroma 224 around 128, each
    /// times a power of two.
    pub is_full_range: bool,
}

/// The rows of which one row of pixels is made.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// A sample for each pixel.
    pub luma: &'a [u16],
    /// The two rows that [`Converter::chroma_rows`] names, of the differences of blue; empty for grey.
    pub blue: [&'a [u16]; 2],
    /// The same two rows of the differences of red.
    pub red: [&'a [u16]; 2],
}

/// A converter of the rows of one picture.
#[derive(Debug)]
pub struct Converter {
    coding: Coding,
    width: u32,
    height: u32,
    blue: Row,
    red: Row,
    arithmetic: Arithmetic,
}

/// The factors of a conversion; a result of 1 is the largest sample.
#[derive(Clone, Copy, Debug)]
struct Arithmetic {
    /// The sample of black.
    zero: f32,
    /// The factor of luma.
    luma: f32,
    /// The sample of no colour, in sixteenths.
    middle: f32,
    /// The factors of chroma in sixteenths of a level: of blue in blue and green, of red in red and green. Without
    /// weights all are equal.
    blue: [f32; 2],
    red: [f32; 2],
}

impl Coding {
    /// Returns the largest sample of the rows that are made.
    fn most(&self) -> f64 {
        if self.depth > 8 { 65_535.0 } else { 255.0 }
    }

    fn arithmetic(&self) -> Arithmetic {
        let unit = f64::from(1_u32 << (self.depth - 8));
        let all = 256.0 * unit - 1.0;
        let (zero, luma, chroma) =
            if self.is_full_range { (0.0, all, all) } else { (16.0, 219.0 * unit, 224.0 * unit) };
        // The channels of the identity are all coded as luma.
        let luma = self.most() / luma;
        let chroma = self.most() / chroma / 16.0;
        let (blue, red) = match self.matrix {
            Matrix::Identity => ([luma / 16.0; 2], [luma / 16.0; 2]),
            Matrix::GreenOrange => ([chroma; 2], [chroma; 2]),
            Matrix::Weights { red, blue } => {
                let green = 1.0 - red - blue;
                let of = |share: f64| {
                    let own = 2.0 * (1.0 - share);
                    [own * chroma, -own * share / green * chroma]
                };
                (of(blue), of(red))
            }
        };
        let middle = if self.matrix == Matrix::Identity { 16.0 * zero * unit } else { 16.0 * 128.0 * unit };
        Arithmetic {
            zero: (zero * unit) as f32,
            luma: luma as f32,
            middle: middle as f32,
            blue: blue.map(|factor| factor as f32),
            red: red.map(|factor| factor as f32),
        }
    }
}

impl Arithmetic {
    /// Returns the level of luma, to which half a level is added.
    #[inline(always)]
    fn luma(&self, sample: u16) -> f32 {
        (f32::from(sample) - self.zero) * self.luma + 0.5
    }

    /// Returns the distance of chroma from no colour, in sixteenths.
    #[inline(always)]
    fn chroma(&self, sample: u32) -> f32 {
        sample.cast_signed() as f32 - self.middle
    }

    #[inline(always)]
    fn identity(&self, luma: u16, blue: u32, red: u32) -> [f32; 3] {
        let [blue, red] = [blue, red].map(|sample| self.chroma(sample) * self.blue[0] + 0.5);
        [red, self.luma(luma), blue]
    }

    #[inline(always)]
    fn differences(&self, luma: u16, green: u32, orange: u32) -> [f32; 3] {
        let [green, orange] = [green, orange].map(|sample| self.chroma(sample) * self.blue[0]);
        let luma = self.luma(luma);
        [luma - green + orange, luma + green, luma - green - orange]
    }

    #[inline(always)]
    fn weights(&self, luma: u16, blue: u32, red: u32) -> [f32; 3] {
        let (luma, blue, red) = (self.luma(luma), self.chroma(blue), self.chroma(red));
        [luma + red * self.red[0], luma + blue * self.blue[1] + red * self.red[1], luma + blue * self.blue[0]]
    }
}

impl Converter {
    /// Creates a converter of pictures of that size.
    ///
    /// # Errors
    /// `Limit` when the budget does not pay for two rows.
    pub fn new(coding: Coding, width: u32, height: u32, budget: &Budget) -> Result<Self> {
        let chroma = coding.sampling.width(width);
        let row = || -> Result<Row> {
            let mixed = if coding.sampling == Sampling::Full { 0 } else { chroma };
            let samples = if coding.sampling == Sampling::Gray { 0 } else { width };
            Ok(Row::new(budget.filled(mixed.into(), 0)?, budget.filled(samples.into(), 0)?))
        };
        let (blue, red) = (row()?, row()?);
        Ok(Self { coding, width, height, blue, red, arithmetic: coding.arithmetic() })
    }

    /// Returns the two rows of chroma that row `y` needs.
    #[must_use]
    pub fn chroma_rows(&self, y: u32) -> [u32; 2] {
        chroma::nearest(self.coding.sampling, self.coding.siting, y, self.height).map(|(row, _)| row)
    }

    /// Converts row `y`. `out` receives pixels of `channels` samples, of which the first three are set, or the first
    /// one for grey; samples of 16 bits are little-endian.
    pub fn convert(&mut self, y: u32, rows: &Rows<'_>, channels: usize, out: &mut [u8]) {
        let Coding { sampling, siting, depth, .. } = self.coding;
        let luma = &rows.luma[..self.width as usize];
        if sampling == Sampling::Gray {
            if depth > 8 {
                self.gray::<2>(luma, channels, out)
            } else {
                self.gray::<1>(luma, channels, out)
            }
            return;
        }
        let weights = chroma::nearest(sampling, siting, y, self.height).map(|(_, weight)| weight);
        self.blue.compute(sampling, siting, rows.blue, weights);
        self.red.compute(sampling, siting, rows.red, weights);
        match (depth > 8, channels) {
            (false, 4) => self.colors::<1, 4>(luma, out),
            (false, _) => self.colors::<1, 3>(luma, out),
            (true, 4) => self.colors::<2, 4>(luma, out),
            (true, _) => self.colors::<2, 3>(luma, out),
        }
    }

    /// Converts to colours of `BYTES` bytes a sample.
    fn colors<const BYTES: usize, const CHANNELS: usize>(&self, luma: &[u16], out: &mut [u8]) {
        let arithmetic = self.arithmetic;
        match self.coding.matrix {
            Matrix::Identity => self.blocks::<BYTES, CHANNELS>(luma, out, |y, b, r| arithmetic.identity(y, b, r)),
            Matrix::GreenOrange => self.blocks::<BYTES, CHANNELS>(luma, out, |y, g, o| arithmetic.differences(y, g, o)),
            Matrix::Weights { .. } => self.blocks::<BYTES, CHANNELS>(luma, out, |y, b, r| arithmetic.weights(y, b, r)),
        }
    }

    fn blocks<const BYTES: usize, const CHANNELS: usize>(
        &self,
        luma: &[u16],
        out: &mut [u8],
        rgb: impl Fn(u16, u32, u32) -> [f32; 3],
    ) {
        let most = self.coding.most() as f32;
        let mut block = [[0_u16; BLOCK]; 3];
        let pixels = out.chunks_mut(BLOCK * BYTES * CHANNELS);
        let chroma = self.blue.samples.chunks(BLOCK).zip(self.red.samples.chunks(BLOCK));
        for ((luma, (blue, red)), pixels) in luma.chunks(BLOCK).zip(chroma).zip(pixels) {
            for (i, ((&luma, &blue), &red)) in luma.iter().zip(blue).zip(red).enumerate() {
                for (channel, value) in block.iter_mut().zip(rgb(luma, blue, red)) {
                    channel[i] = value.max(0.0).min(most) as u16;
                }
            }
            for (i, pixel) in pixels.chunks_exact_mut(BYTES * CHANNELS).enumerate() {
                for (channel, sample) in block.iter().zip(pixel.chunks_exact_mut(BYTES)) {
                    sample.copy_from_slice(&channel[i].to_le_bytes()[..BYTES]);
                }
            }
        }
    }

    fn gray<const BYTES: usize>(&self, luma: &[u16], channels: usize, out: &mut [u8]) {
        let (Arithmetic { zero, luma: factor, .. }, most) = (self.arithmetic, self.coding.most() as f32);
        for (&sample, pixel) in luma.iter().zip(out.chunks_exact_mut(channels * BYTES)) {
            let value = ((f32::from(sample) - zero) * factor + 0.5).max(0.0).min(most) as u16;
            pixel[..BYTES].copy_from_slice(&value.to_le_bytes()[..BYTES]);
        }
    }
}
