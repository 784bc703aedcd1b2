//! A whole picture in memory, as stored pixels, for comparisons in tests.

use raster::{Channels, Depth, FrameHeader, PixelFormat, Size};

/// Stored pixels of a whole frame.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// The size in pixels.
    pub size: Size,
    /// The format of a pixel in [`Picture::rows`].
    pub pixels: PixelFormat,
    /// All rows, top to bottom, without padding.
    pub rows: Vec<u8>,
}

impl Picture {
    /// Returns a picture whose bytes are all zero.
    #[must_use]
    pub fn blank(size: Size, pixels: PixelFormat) -> Self {
        let len = usize::try_from(pixels.row_bytes(size.width) * u64::from(size.height)).expect("fits in memory");
        Self { size, pixels, rows: vec![0; len] }
    }

    /// Returns a picture whose pixel at `(x, y)` is `color(x, y)`: red, green, blue, straight alpha, 0 to 1, clipped,
    /// and rounded half up to the depth. Grey formats use red as their lightness.
    #[must_use]
    pub fn paint(size: Size, pixels: PixelFormat, color: impl Fn(u32, u32) -> [f64; 4]) -> Self {
        let mut picture = Self::blank(size, pixels);
        let max = f64::from(pixels.depth.max());
        for y in 0..size.height {
            for x in 0..size.width {
                let [r, g, b, a] = color(x, y).map(|v| (v.clamp(0.0, 1.0) * max + 0.5) as u16);
                let samples: &[u16] = match pixels.channels {
                    Channels::Gray => &[r],
                    Channels::GrayAlpha => &[r, a],
                    Channels::Rgb => &[r, g, b],
                    Channels::Rgba => &[r, g, b, a],
                };
                for (channel, &sample) in samples.iter().enumerate() {
                    picture.set_sample(x, y, channel, sample);
                }
            }
        }
        picture
    }

    /// Returns the header of a frame of this size and format.
    #[must_use]
    pub const fn header(&self) -> FrameHeader {
        FrameHeader::new(self.size, self.pixels)
    }

    /// Returns the bytes in a row.
    #[must_use]
    pub fn row_bytes(&self) -> usize {
        usize::try_from(self.pixels.row_bytes(self.size.width)).expect("fits in memory")
    }

    /// Returns row `y`, counted from the top.
    #[must_use]
    pub fn row(&self, y: u32) -> &[u8] {
        &self.rows[y as usize * self.row_bytes()..][..self.row_bytes()]
    }

    /// Returns one sample of any depth.
    #[must_use]
    pub fn sample(&self, x: u32, y: u32, channel: usize) -> u16 {
        let at = self.position(x, y, channel);
        match self.pixels.depth {
            Depth::Eight => self.rows[at].into(),
            Depth::Sixteen => u16::from_le_bytes([self.rows[at], self.rows[at + 1]]),
        }
    }

    /// Sets one sample. At eight bits `value` is at most 255.
    pub fn set_sample(&mut self, x: u32, y: u32, channel: usize, value: u16) {
        let at = self.position(x, y, channel);
        match self.pixels.depth {
            Depth::Eight => self.rows[at] = u8::try_from(value).expect("an eight-bit sample"),
            Depth::Sixteen => self.rows[at..at + 2].copy_from_slice(&value.to_le_bytes()),
        }
    }

    /// Returns all samples in order, of any depth.
    #[must_use]
    pub fn samples(&self) -> Vec<u16> {
        match self.pixels.depth {
            Depth::Eight => self.rows.iter().map(|&byte| byte.into()).collect(),
            Depth::Sixteen => self.rows.as_chunks::<2>().0.iter().map(|&pair| u16::from_le_bytes(pair)).collect(),
        }
    }

    fn position(&self, x: u32, y: u32, channel: usize) -> usize {
        assert!(x < self.size.width && y < self.size.height && channel < self.pixels.channels.count());
        y as usize * self.row_bytes() + x as usize * self.pixels.bytes() + channel * self.pixels.depth.bytes()
    }
}

/// Prints size and format only, because a failed comparison must not print megabytes.
impl core::fmt::Debug for Picture {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Picture {} {:?} {}", self.size, self.pixels, &crate::sha256(&self.rows)[..12])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn painting_rounds_half_up_and_clips_at_both_depths() {
        let color = |_, _| [-0.5, 0.1, 2.0, 0.5];
        let eight = Picture::paint(Size::new(1, 1), PixelFormat::RGBA8, color);
        assert_eq!(eight.rows, [0, 26, 255, 128], "25.5 and 127.5 go up");
        let sixteen = Picture::paint(Size::new(1, 1), PixelFormat::new(Channels::GrayAlpha, Depth::Sixteen), color);
        assert_eq!(sixteen.samples(), [0, 32768]);
        assert_eq!(sixteen.rows, [0, 0, 0, 0x80], "little-endian");
    }

    #[test]
    fn samples_rows_and_positions_agree() {
        let mut picture = Picture::blank(Size::new(3, 2), PixelFormat::new(Channels::Rgb, Depth::Sixteen));
        picture.set_sample(2, 1, 1, 0x1234);
        assert_eq!(picture.sample(2, 1, 1), 0x1234);
        assert_eq!(picture.samples()[(3 + 2) * 3 + 1], 0x1234);
        assert_eq!(picture.row(1)[2 * 6 + 2..][..2], [0x34, 0x12]);
    }
}
