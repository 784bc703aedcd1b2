//! IHDR (PNG §11.2.1): the size and format of the picture, and the lengths of rows that follow from them.

use raster::{Channels, Depth, PixelFormat, Size};

use crate::adam7::Pass;
use crate::error::Cause;

/// The meaning of a stored sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum ColorType {
    Gray = 0,
    Rgb = 2,
    Indexed = 3,
    GrayAlpha = 4,
    Rgba = 6,
}

impl ColorType {
    /// Whether the type has colour beside lightness.
    pub(crate) const fn has_color(self) -> bool {
        matches!(self, Self::Rgb | Self::Indexed | Self::Rgba)
    }
}

/// The header of every PNG, 13 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    /// The size in pixels.
    pub(crate) size: Size,
    /// The bits in a sample or palette index: 1, 2, 4, 8, 16.
    pub(crate) depth: u8,
    /// The meaning of the samples.
    pub(crate) color: ColorType,
    /// Whether rows are stored in Adam7's seven passes.
    pub(crate) interlaced: bool,
}

impl Header {
    /// The bytes of IHDR's data.
    pub(crate) const BYTES: usize = 13;

    /// Reads IHDR's data. Sizes are not checked here.
    pub(crate) fn parse(data: &[u8; Self::BYTES]) -> Result<Self, Cause> {
        let &[w0, w1, w2, w3, h0, h1, h2, h3, depth, color, compression, filter, interlace] = data;
        let size = Size::new(u32::from_be_bytes([w0, w1, w2, w3]), u32::from_be_bytes([h0, h1, h2, h3]));
        let (color, depths): (_, &[u8]) = match color {
            0 => (ColorType::Gray, &[1, 2, 4, 8, 16]),
            2 => (ColorType::Rgb, &[8, 16]),
            3 => (ColorType::Indexed, &[1, 2, 4, 8]),
            4 => (ColorType::GrayAlpha, &[8, 16]),
            6 => (ColorType::Rgba, &[8, 16]),
            _ => return Err(Cause::Header("an unknown colour type")),
        };
        if !depths.contains(&depth) {
            return Err(Cause::Header("a bit depth that its colour type does not allow"));
        }
        if compression != 0 {
            return Err(Cause::Header("an unknown compression method"));
        }
        if filter != 0 {
            return Err(Cause::Header("an unknown filter method"));
        }
        if interlace > 1 {
            return Err(Cause::Header("an unknown interlace method"));
        }
        Ok(Self { size, depth, color, interlaced: interlace == 1 })
    }

    /// Returns the header of a file with rows of `pixels`.
    pub(crate) const fn new(size: Size, pixels: PixelFormat) -> Self {
        let color = match pixels.channels {
            Channels::Gray => ColorType::Gray,
            Channels::GrayAlpha => ColorType::GrayAlpha,
            Channels::Rgb => ColorType::Rgb,
            Channels::Rgba => ColorType::Rgba,
        };
        Self { size, depth: pixels.depth.bits(), color, interlaced: false }
    }

    /// Returns IHDR's data.
    pub(crate) fn to_bytes(self) -> [u8; Self::BYTES] {
        let [w0, w1, w2, w3] = self.size.width.to_be_bytes();
        let [h0, h1, h2, h3] = self.size.height.to_be_bytes();
        [w0, w1, w2, w3, h0, h1, h2, h3, self.depth, self.color as u8, 0, 0, self.interlaced.into()]
    }

    /// Returns the number of samples stored for a pixel.
    const fn samples(self) -> u64 {
        match self.color {
            ColorType::Gray | ColorType::Indexed => 1,
            ColorType::GrayAlpha => 2,
            ColorType::Rgb => 3,
            ColorType::Rgba => 4,
        }
    }

    /// Returns the pixel format of the rows; `transparent` states that a usable tRNS chunk adds alpha.
    pub(crate) const fn pixels(self, transparent: bool) -> PixelFormat {
        let channels = match self.color {
            ColorType::Gray => Channels::new(false, transparent),
            ColorType::GrayAlpha => Channels::GrayAlpha,
            ColorType::Rgb | ColorType::Indexed => Channels::new(true, transparent),
            ColorType::Rgba => Channels::Rgba,
        };
        PixelFormat::new(channels, if self.depth == 16 { Depth::Sixteen } else { Depth::Eight })
    }

    /// Returns the distance in bytes between a sample and its neighbour in filters (§9.2): a whole pixel, at least one.
    pub(crate) const fn filter_unit(self) -> usize {
        (self.samples() * self.depth as u64).div_ceil(8) as usize
    }

    /// Returns the bytes in a line of `width` pixels, without the filter byte.
    pub(crate) const fn line_bytes(self, width: u32) -> u64 {
        (width as u64 * self.samples() * self.depth as u64).div_ceil(8)
    }

    /// Returns the inflated bytes of the whole picture, including filter bytes. The number cannot overflow: sides have
    /// 32 bits, pixels 8 bytes, and `open` has checked the sides before.
    pub(crate) fn raw_bytes(self) -> u64 {
        if self.interlaced {
            Pass::ALL.iter().map(|pass| self.pass_bytes(*pass)).sum()
        } else {
            self.plane_bytes(self.size)
        }
    }

    /// Returns the inflated bytes of one pass.
    pub(crate) fn pass_bytes(self, pass: Pass) -> u64 {
        self.plane_bytes(pass.size(self.size))
    }

    fn plane_bytes(self, size: Size) -> u64 {
        if size.is_empty() { 0 } else { (self.line_bytes(size.width) + 1).saturating_mul(size.height.into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: [u8; 13] = [0, 0, 0, 33, 0, 0, 0, 7, 8, 2, 0, 0, 1];

    #[test]
    fn colour_types_and_depths_are_those_of_the_standard() {
        let allowed =
            [(0, vec![1, 2, 4, 8, 16]), (2, vec![8, 16]), (3, vec![1, 2, 4, 8]), (4, vec![8, 16]), (6, vec![8, 16])];
        for color in 0..=255 {
            for depth in 0..=255 {
                let mut data = PLAIN;
                (data[8], data[9]) = (depth, color);
                let good = allowed.iter().any(|(c, depths)| *c == color && depths.contains(&depth));
                assert_eq!(Header::parse(&data).is_ok(), good, "colour {color}, depth {depth}");
            }
        }
    }

    #[test]
    fn unknown_methods_are_refused_and_headers_are_read_back() {
        assert_eq!(Header::parse(&PLAIN).unwrap().to_bytes(), PLAIN);
        for at in 10..13 {
            let mut data = PLAIN;
            data[at] = 2;
            assert!(Header::parse(&data).is_err());
        }
    }

    #[test]
    fn raw_bytes_of_the_passes_are_those_of_the_pixels() {
        let mut header = Header::parse(&PLAIN).unwrap();
        let lines: u64 = Pass::ALL
            .iter()
            .map(|pass| pass.size(header.size))
            .filter(|size| !size.is_empty())
            .map(|size| u64::from(size.height))
            .sum();
        assert_eq!(header.raw_bytes(), 33 * 7 * 3 + lines);
        header.interlaced = false;
        assert_eq!(header.raw_bytes(), (33 * 3 + 1) * 7);
    }

    #[test]
    fn a_gigapixel_does_not_overflow() {
        let mut data = [0, 15, 66, 64, 0, 15, 66, 64, 16, 6, 0, 0, 0];
        for interlace in [0, 1] {
            data[12] = interlace;
            assert!(Header::parse(&data).unwrap().raw_bytes() > 8_000_000_000_000);
        }
    }
}
