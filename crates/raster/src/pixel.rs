//! The formats of stored pixels, and working pixels.

/// The samples of a stored pixel without inks. Alpha is straight in stored pixels. Inks are in [`RowFormat`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channels {
    /// Lightness.
    Gray,
    /// Lightness, alpha.
    GrayAlpha,
    /// Red, green, blue.
    Rgb,
    /// Red, green, blue, alpha.
    Rgba,
}

impl Channels {
    /// Returns the channels of a picture with or without colour, with or without alpha.
    #[must_use]
    pub const fn new(color: bool, alpha: bool) -> Self {
        match (color, alpha) {
            (false, false) => Self::Gray,
            (false, true) => Self::GrayAlpha,
            (true, false) => Self::Rgb,
            (true, true) => Self::Rgba,
        }
    }

    /// Returns the number of samples in a pixel, 1 to 4.
    #[must_use]
    pub const fn count(self) -> usize {
        match self {
            Self::Gray => 1,
            Self::GrayAlpha => 2,
            Self::Rgb => 3,
            Self::Rgba => 4,
        }
    }

    /// Whether the last sample is alpha.
    #[must_use]
    pub const fn has_alpha(self) -> bool {
        matches!(self, Self::GrayAlpha | Self::Rgba)
    }

    /// Whether there is colour beside lightness.
    #[must_use]
    pub const fn has_color(self) -> bool {
        matches!(self, Self::Rgb | Self::Rgba)
    }
}

/// The size of a stored sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Depth {
    /// One byte, 0 to 255.
    Eight,
    /// Two bytes, little-endian on every machine, 0 to 65 535.
    Sixteen,
}

impl Depth {
    /// Returns the bytes in a sample.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Eight => 1,
            Self::Sixteen => 2,
        }
    }

    /// Returns the bits in a sample.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.bytes() as u8 * 8
    }

    /// Returns the sample of full light or full opacity.
    #[must_use]
    pub const fn max(self) -> u16 {
        match self {
            Self::Eight => 255,
            Self::Sixteen => 65_535,
        }
    }
}

/// The format of a pixel in a row: samples interleaved, no padding between pixels or at the end of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PixelFormat {
    /// The samples and their order.
    pub channels: Channels,
    /// The size of each sample.
    pub depth: Depth,
}

impl PixelFormat {
    /// Eight-bit grey.
    pub const GRAY8: Self = Self::new(Channels::Gray, Depth::Eight);
    /// Eight-bit red, green, blue.
    pub const RGB8: Self = Self::new(Channels::Rgb, Depth::Eight);
    /// Eight-bit red, green, blue, straight alpha.
    pub const RGBA8: Self = Self::new(Channels::Rgba, Depth::Eight);

    /// Creates a format of these samples.
    #[must_use]
    pub const fn new(channels: Channels, depth: Depth) -> Self {
        Self { channels, depth }
    }

    /// Returns the bytes in a pixel, 1 to 8.
    #[must_use]
    pub const fn bytes(self) -> usize {
        self.channels.count() * self.depth.bytes()
    }

    /// Returns the bytes in a row of `width` pixels. The number cannot overflow: 2³² pixels × 8 bytes is below 2⁶⁴.
    /// Callers allocate through a budget.
    #[must_use]
    pub const fn row_bytes(self, width: u32) -> u64 {
        width as u64 * self.bytes() as u64
    }

    /// Returns whether a row of such pixels has one that is not opaque.
    #[must_use]
    pub fn is_transparent(self, row: &[u8]) -> bool {
        let alpha_at = self.bytes() - self.depth.bytes()..self.bytes();
        // Full opacity is 255 in each byte of alpha.
        let is_partial = |at: usize| row.iter().skip(at).step_by(self.bytes()).any(|&byte| byte < 255);
        self.channels.has_alpha() && alpha_at.into_iter().any(is_partial)
    }
}

/// The format of a reader's rows: samples interleaved, no padding, as in [`PixelFormat`].
///
/// Only readers return inks. The first stage of the pipeline converts them to RGB; all later stages and the writers use
/// [`PixelFormat`] only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowFormat {
    /// Samples of light: grey, or red, green and blue.
    Colors(PixelFormat),
    /// Cyan, magenta, yellow and black, where 0 is no ink; then straight alpha, if there is one.
    Inks {
        /// The size of a sample.
        depth: Depth,
        /// Whether a fifth sample is alpha.
        alpha: bool,
    },
}

impl RowFormat {
    /// Returns the size of a sample.
    #[must_use]
    pub const fn depth(self) -> Depth {
        match self {
            Self::Colors(pixels) => pixels.depth,
            Self::Inks { depth, .. } => depth,
        }
    }

    /// Whether the last sample is alpha.
    #[must_use]
    pub const fn has_alpha(self) -> bool {
        match self {
            Self::Colors(pixels) => pixels.channels.has_alpha(),
            Self::Inks { alpha, .. } => alpha,
        }
    }

    /// Returns the number of samples in a pixel, 1 to 5.
    #[must_use]
    pub const fn count(self) -> usize {
        match self {
            Self::Colors(pixels) => pixels.channels.count(),
            Self::Inks { alpha, .. } => 4 + alpha as usize,
        }
    }

    /// Returns the bytes in a row of `width` pixels. The number cannot overflow: 2³² pixels × 10 bytes is below 2⁶⁴.
    #[must_use]
    pub const fn row_bytes(self, width: u32) -> u64 {
        width as u64 * (self.count() * self.depth().bytes()) as u64
    }

    /// Returns the pixel format after inks are converted to RGB of the same depth.
    #[must_use]
    pub const fn in_colors(self) -> PixelFormat {
        match self {
            Self::Colors(pixels) => pixels,
            Self::Inks { depth, alpha } => PixelFormat::new(Channels::new(true, alpha), depth),
        }
    }
}

impl From<PixelFormat> for RowFormat {
    fn from(pixels: PixelFormat) -> Self {
        Self::Colors(pixels)
    }
}

/// A working pixel: red, green, blue, alpha as `f32`, where 1 is full. Colour is premultiplied by alpha; it is in
/// linear light or encoded, as the job requires. Grey pictures have their lightness in all three colours. One pixel is
/// one 128-bit vector.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(transparent)]
pub struct Pixel(pub [f32; 4]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_transparent_if_a_byte_of_alpha_is_not_full() {
        let rgba16 = PixelFormat::new(Channels::Rgba, Depth::Sixteen);
        let mut row = [[0, 0, 0, 0, 0, 0, 255, 255]; 3].concat();
        assert!(!rgba16.is_transparent(&row));
        for (pixels, at) in [(rgba16, 22), (rgba16, 23), (PixelFormat::RGBA8, 7)] {
            row.fill(255);
            row[at] = 254;
            assert!(pixels.is_transparent(&row));
        }
        row.fill(0);
        assert!(!PixelFormat::RGB8.is_transparent(&row));
    }
}
