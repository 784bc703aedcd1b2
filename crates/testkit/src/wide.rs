//! Pictures of every format in one common format, for comparison with another program's reading.

use raster::{Channels, Size};

use crate::Picture;

/// A picture of four samples of 16 bits a pixel: red, green, blue, alpha, or four inks. Every stored format fits
/// exactly.
#[derive(Clone, PartialEq, Eq)]
pub struct Wide {
    /// The size in pixels.
    pub size: Size,
    /// All pixels, row by row.
    pub pixels: Vec<[u16; 4]>,
}

impl Wide {
    /// Converts a picture that we read.
    #[must_use]
    pub fn of(picture: &Picture) -> Self {
        let scale = 65_535 / picture.pixels.depth.max();
        let spread = |s: &[u16]| match picture.pixels.channels {
            Channels::Gray => [s[0], s[0], s[0], 65_535],
            Channels::GrayAlpha => [s[0], s[0], s[0], s[1]],
            Channels::Rgb => [s[0], s[1], s[2], 65_535],
            Channels::Rgba => [s[0], s[1], s[2], s[3]],
        };
        let samples: Vec<u16> = picture.samples().iter().map(|sample| sample * scale).collect();
        Self { size: picture.size, pixels: samples.chunks_exact(picture.pixels.channels.count()).map(spread).collect() }
    }

    /// Removes transparency.
    #[must_use]
    pub fn opaque(mut self) -> Self {
        self.pixels.iter_mut().for_each(|pixel| pixel[3] = 65_535);
        self
    }

    /// Converts inks to RGB without a profile, as libtiff does.
    #[must_use]
    pub fn printed(&self) -> Self {
        let light = |ink: u16, black: u16| (u32::from(65_535 - ink) * u32::from(65_535 - black) / 65_535) as u16;
        let pixels = self.pixels.iter().map(|&[c, m, y, k]| [light(c, k), light(m, k), light(y, k), 65_535]).collect();
        Self { size: self.size, pixels }
    }

    /// Multiplies colours by alpha: colours of transparent pixels are then equal.
    #[must_use]
    pub fn premultiplied(&self) -> Self {
        let by = |v: u16, a: u16| ((u32::from(v) * u32::from(a) + 32_767) / 65_535) as u16;
        let pixels = self.pixels.iter().map(|&[r, g, b, a]| [by(r, a), by(g, a), by(b, a), a]).collect();
        Self { size: self.size, pixels }
    }

    /// Returns the first pixel that differs, for a message.
    #[must_use]
    pub fn first_difference(&self, other: &Self) -> Option<(usize, [u16; 4], [u16; 4])> {
        let pairs = self.pixels.iter().zip(&other.pixels).enumerate();
        pairs.map(|(i, (a, b))| (i, *a, *b)).find(|(_, a, b)| a != b)
    }

    /// Returns the largest difference of two samples, in levels of 255, or `None` for pictures of different sizes.
    #[must_use]
    pub fn distance(&self, other: &Self) -> Option<f64> {
        let pairs = self.pixels.iter().flatten().zip(other.pixels.iter().flatten());
        let most = pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
        (self.size == other.size).then_some(f64::from(most) / 257.0)
    }

    /// Returns the mean difference in levels of 255.
    #[must_use]
    pub fn mean_distance(&self, other: &Self) -> f64 {
        let pairs = self.pixels.iter().flatten().zip(other.pixels.iter().flatten());
        let sum: u64 = pairs.map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        sum as f64 / 257.0 / (self.pixels.len() * 4) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::PixelFormat;

    #[test]
    fn eight_bits_fill_sixteen_and_gray_fills_colors() {
        let picture = Picture { size: Size::new(2, 1), pixels: PixelFormat::GRAY8, rows: vec![0, 255] };
        let wide = Wide::of(&picture);
        assert_eq!(wide.pixels, [[0, 0, 0, 65_535], [65_535; 4]]);
        let mut other = wide.clone();
        other.pixels[1][0] -= 257;
        assert_eq!(wide.first_difference(&other), Some((1, [65_535; 4], [65_278, 65_535, 65_535, 65_535])));
        assert_eq!((wide.distance(&other), wide.mean_distance(&other)), (Some(1.0), 0.125));
        other.size = Size::new(1, 2);
        assert_eq!(wide.distance(&other), None);
    }

    #[test]
    fn transparent_colours_are_equal_and_black_ink_covers_the_others() {
        let wide = |pixel| Wide { size: Size::new(1, 1), pixels: vec![pixel] };
        assert_eq!(wide([9, 8, 7, 0]).premultiplied().pixels, [[0; 4]]);
        assert_eq!(wide([65_535, 0, 0, 0]).printed().pixels, [[0, 65_535, 65_535, 65_535]]);
        assert_eq!(wide([5, 6, 7, 65_535]).printed().pixels, [[0, 0, 0, 65_535]]);
        assert_eq!(wide([5, 6, 7, 8]).opaque().pixels, [[5, 6, 7, 65_535]]);
    }
}
