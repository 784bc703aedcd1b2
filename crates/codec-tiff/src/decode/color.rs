//! Conversion of numbers to stored pixels: it applies the meaning of the samples and divides by alpha. The result has
//! the depth of the page's rows.

use raster::Depth;

use super::lab;
use super::logluv;
use super::meaning::{Alpha, Meaning};
use super::page::Page;
use super::ycbcr::Table;

/// A converter of a pixel's numbers to its stored pixel.
#[derive(Clone, Debug)]
pub(super) struct Color {
    meaning: Meaning,
    alpha: Option<Alpha>,
    depth: Depth,
    /// The number of full opacity. It is stored because palettes may be deeper than their indices.
    opaque: u32,
    ycbcr: Option<Box<Table>>,
}

impl Color {
    pub(super) fn new(page: &Page) -> Self {
        let ycbcr = match &page.meaning {
            Meaning::YCbCr(code) => Some(Box::new(Table::new(code))),
            _ => None,
        };
        let depth = page.row_format().depth();
        let opaque = match page.meaning {
            Meaning::Palette(_) => (1 << page.samples.bits()) - 1,
            _ => depth.max().into(),
        };
        Self { meaning: page.meaning.clone(), alpha: page.alpha, depth, opaque, ycbcr }
    }

    /// Sets the position of alpha among the numbers when it differs from the position among the samples.
    pub(super) fn move_alpha(&mut self, index: u16) {
        self.alpha.iter_mut().for_each(|alpha| alpha.index = index);
    }

    /// Converts a row of numbers, `stride` numbers a pixel, to stored pixels.
    pub(super) fn row(&self, numbers: &[u16], stride: usize, row: &mut [u8]) {
        let pixels = numbers.chunks_exact(stride);
        let mut out = Out { bytes: row, next: 0, depth: self.depth, alpha: self.alpha, opaque: self.opaque };
        match &self.meaning {
            Meaning::Gray { white_is_zero: false } => pixels.for_each(|p| out.pixel([p[0]], p)),
            Meaning::Gray { white_is_zero: true } => {
                let max = self.depth.max();
                pixels.for_each(|p| out.pixel([max - p[0]], p));
            }
            Meaning::Rgb => pixels.for_each(|p| out.pixel([p[0], p[1], p[2]], p)),
            Meaning::Palette(palette) => pixels.for_each(|p| out.pixel(palette.color(p[0]), p)),
            Meaning::Cmyk => pixels.for_each(|p| out.pixel([p[0], p[1], p[2], p[3]], p)),
            Meaning::Lab(code) => {
                let is_wide = self.depth == Depth::Sixteen;
                pixels.for_each(|p| out.pixel(lab::to_srgb(*code, [p[0], p[1], p[2]], is_wide), p));
            }
            Meaning::YCbCr(_) => {
                if let Some(table) = &self.ycbcr {
                    pixels.for_each(|p| out.pixel(table.rgb([p[0], p[1], p[2]].map(|v| v as u8)).map(u16::from), p));
                }
            }
            // These meanings have codes instead of numbers.
            Meaning::LogL | Meaning::LogLuv24 | Meaning::LogLuv32 => {}
        }
    }

    /// Converts a line of LogLuv codes to stored pixels.
    pub(super) fn codes(&self, line: &[u8], row: &mut [u8]) {
        match self.meaning {
            Meaning::LogL => {
                let codes = line.as_chunks::<2>().0;
                row.iter_mut().zip(codes).for_each(|(to, &code)| *to = logluv::gray(u16::from_le_bytes(code)));
            }
            Meaning::LogLuv24 => {
                let codes = line.as_chunks::<3>().0;
                let rgb = |&[high, middle, low]: &[u8; 3]| logluv::rgb24(u32::from_be_bytes([0, high, middle, low]));
                row.as_chunks_mut::<3>().0.iter_mut().zip(codes).for_each(|(to, code)| *to = rgb(code));
            }
            Meaning::LogLuv32 => {
                let codes = line.as_chunks::<4>().0;
                let pixels = row.as_chunks_mut::<3>().0.iter_mut();
                pixels.zip(codes).for_each(|(to, &code)| *to = logluv::rgb32(u32::from_le_bytes(code)));
            }
            _ => {}
        }
    }

    /// Converts row `sub` of a line of YCbCr units (TIFF 6.0 §21) to stored pixels.
    pub(super) fn units(&self, line: &[u8], sub: u32, row: &mut [u8]) {
        let (Meaning::YCbCr(code), Some(table)) = (&self.meaning, &self.ycbcr) else { return };
        let across = code.across as usize;
        let lumas = across * code.down as usize;
        let units = line.chunks_exact(lumas + 2);
        for (pixels, unit) in row.chunks_mut(3 * across).zip(units) {
            let lumas_here = &unit[sub as usize * across..][..across];
            for (pixel, &luma) in pixels.as_chunks_mut::<3>().0.iter_mut().zip(lumas_here) {
                *pixel = table.rgb([luma, unit[lumas], unit[lumas + 1]]);
            }
        }
    }
}

/// A writer of stored pixels.
struct Out<'r> {
    bytes: &'r mut [u8],
    next: usize,
    depth: Depth,
    alpha: Option<Alpha>,
    opaque: u32,
}

impl Out<'_> {
    /// Writes a pixel of these colours, with the alpha among `numbers`, if there is one.
    #[inline(always)]
    fn pixel<const N: usize>(&mut self, colors: [u16; N], numbers: &[u16]) {
        match self.alpha {
            None => self.samples(&colors),
            Some(alpha) => {
                let max = u32::from(self.depth.max());
                let opacity = u32::from(numbers[usize::from(alpha.index)]);
                let opacity = if self.opaque == max { opacity } else { opacity * max / self.opaque } as u16;
                let colors = if alpha.is_associated { straight(colors, opacity, self.depth) } else { colors };
                self.samples(&colors);
                self.samples(&[opacity]);
            }
        }
    }

    #[inline(always)]
    fn samples(&mut self, samples: &[u16]) {
        for &sample in samples {
            match self.depth {
                Depth::Eight => self.bytes[self.next] = sample as u8,
                Depth::Sixteen => self.bytes[self.next..self.next + 2].copy_from_slice(&sample.to_le_bytes()),
            }
            self.next += self.depth.bytes();
        }
    }
}

/// Divides by alpha, rounds half up and clips. Colours of transparent pixels become 0.
fn straight<const N: usize>(colors: [u16; N], alpha: u16, depth: Depth) -> [u16; N] {
    let max = u32::from(depth.max());
    let alpha = u32::from(alpha);
    match alpha {
        0 => [0; N],
        alpha => colors.map(|c| ((u32::from(c) * max + alpha / 2) / alpha).min(max) as u16),
    }
}

/// Does the same as [`straight`] in place, for rows of `N` bytes a pixel with alpha last.
pub(super) fn straighten_bytes<const N: usize>(row: &mut [u8]) {
    for pixel in row.as_chunks_mut::<N>().0 {
        let alpha = pixel[N - 1];
        if alpha == 255 {
            continue;
        }
        let colors = straight(pixel.map(u16::from), alpha.into(), Depth::Eight);
        *pixel = colors.map(|c| c as u8);
        pixel[N - 1] = alpha;
    }
}
