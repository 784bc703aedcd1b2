//! Writing. Rows come top to bottom, and BMP stores them bottom to top: the picture is held in memory and written from
//! its last row up, because many readers (older viewers, devices, game tools) support no other order. A picture that is
//! too large to hold is written top-down, which Windows, macOS, browsers, ImageMagick, netpbm and GIMP support too. The
//! choice depends on the job only, never on the machine.
//!
//! A held picture with at most 256 colours gets a palette if that makes the file smaller: to a third, plus the palette.

mod colors;

use raster::{
    Budget, ByteSink, Channels, Depth, Error, Format, FrameHeader, ImageSpec, ImageWriter, Limit, Metadata, Resolution,
    Result, Size, icc,
};

use self::colors::Colors;
use crate::density;
use crate::repack::{repack, swap_rgba};

/// The most bytes of pixel data that are held and written bottom-up: 22 million pixels at 24 bits.
const HOLD: u64 = 64 << 20;
/// The bytes of a held picture that are written at once, so that the sink need not hold a second copy of it.
const CHUNK: usize = 1 << 20;

const FILE_HEADER: u32 = 14;
const INFO_HEADER: u32 = 40;
const V5_HEADER: u32 = 124;

const BI_RGB: u32 = 0;
const BI_BITFIELDS: u32 = 3;
const LCS_SRGB: u32 = u32::from_be_bytes(*b"sRGB");
const PROFILE_EMBEDDED: u32 = u32::from_be_bytes(*b"MBED");
/// The rendering intent for photographs, perceptual.
const LCS_GM_IMAGES: u32 = 4;

/// The layout of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    size: Size,
    channels: Channels,
    /// The number of palette entries; 0 for pixels without a palette.
    palette: u32,
    /// The bytes of the profile; 0 for none.
    profile_len: u32,
}

impl Layout {
    /// Returns the bytes of a pixel: a palette index, blue-green-red, or that with alpha.
    const fn pixel_bytes(self) -> u32 {
        if self.palette > 0 {
            1
        } else if self.channels.has_alpha() {
            4
        } else {
            3
        }
    }

    /// Returns the bytes of the info header: V5's when alpha needs a mask or there is a profile, else those of the
    /// header of 1990, which all readers support.
    const fn header_len(self) -> u32 {
        if self.channels.has_alpha() || self.profile_len > 0 { V5_HEADER } else { INFO_HEADER }
    }

    const fn pixels_at(self) -> u32 {
        FILE_HEADER + self.header_len() + 4 * self.palette
    }

    const fn stride(self) -> u64 {
        (self.size.width as u64 * self.pixel_bytes() as u64).next_multiple_of(4)
    }

    const fn pixels_len(self) -> u64 {
        self.stride() * self.size.height as u64
    }

    /// Returns the length of the file. All lengths and offsets in the file have 32 bits.
    fn file_len(self) -> Result<u32> {
        let len = u64::from(self.pixels_at()) + self.pixels_len() + u64::from(self.profile_len);
        let too_long = |_| {
            // The message states one longest side: that of the largest square that fits.
            let max =
                (u64::from(u32::MAX - self.pixels_at() - self.profile_len) / u64::from(self.pixel_bytes())).isqrt();
            Limit::Side { size: self.size, max: max as u32 & !3 }.into()
        };
        u32::try_from(len).map_err(too_long)
    }

    /// Returns everything before the pixels except the palette.
    fn head(self, top_down: bool) -> Result<Vec<u8>> {
        let mut head = Vec::with_capacity(self.pixels_at() as usize);
        head.extend(b"BM");
        words(&mut head, &[self.file_len()?, 0, self.pixels_at()]);
        let height = self.size.height;
        let height = if top_down { height.wrapping_neg() } else { height };
        let planes_and_bits = 1 | (8 * self.pixel_bytes()) << 16;
        let compression = if self.channels.has_alpha() { BI_BITFIELDS } else { BI_RGB };
        words(&mut head, &[self.header_len(), self.size.width, height, planes_and_bits, compression]);
        // `density::write` replaces the two zeros when a density is known.
        words(&mut head, &[self.pixels_len() as u32, 0, 0, self.palette, 0]);
        if self.header_len() == V5_HEADER {
            self.v5(&mut head);
        }
        Ok(head)
    }

    /// Appends the fields of `BITMAPV5HEADER`: masks, colour space, nine end points and three gammas that those spaces
    /// do not use, intent, profile, reserved.
    fn v5(self, head: &mut Vec<u8>) {
        let masks =
            if self.channels.has_alpha() { [0x00FF_0000, 0x0000_FF00, 0x0000_00FF, 0xFF00_0000] } else { [0; 4] };
        words(head, &masks);
        words(head, &[if self.profile_len > 0 { PROFILE_EMBEDDED } else { LCS_SRGB }]);
        words(head, &[0; 12]);
        let from_header = self.pixels_at() - FILE_HEADER + self.pixels_len() as u32;
        let profile_at = if self.profile_len > 0 { from_header } else { 0 };
        words(head, &[LCS_GM_IMAGES, profile_at, self.profile_len, 0]);
    }
}

fn words(head: &mut Vec<u8>, words: &[u32]) {
    words.iter().for_each(|word| head.extend(word.to_le_bytes()));
}

pub(crate) struct Writer<'a> {
    sink: &'a mut dyn ByteSink,
    budget: Budget,
    layout: Layout,
    profile: Vec<u8>,
    resolution: Option<Resolution>,
    /// The colours of a held picture without alpha, until they are too many for a palette.
    colors: Option<Colors>,
    /// The whole picture, or one row of it.
    rows: Vec<u8>,
    top_down: bool,
    /// The number of rows received.
    taken: u32,
}

impl<'a> Writer<'a> {
    pub(crate) fn create(sink: &'a mut dyn ByteSink, spec: &ImageSpec<'_>) -> Result<Self> {
        if spec.pixels.depth != Depth::Eight {
            return Err(Error::Unsupported { format: Format::Bmp, feature: "16 bits per sample" });
        }
        raster::limits::check_size(spec.size, raster::limits::MAX_SIDE)?;
        let channels = spec.pixels.channels;
        let palette = if channels == Channels::Gray { 256 } else { 0 };
        let layout = Layout { size: spec.size, channels, palette, profile_len: 0 };
        layout.file_len()?;
        let (rows, top_down) = rows(layout, spec.budget)?;
        let budget = spec.budget.clone();
        let colors = (channels == Channels::Rgb && !top_down).then(Colors::default);
        let (profile, resolution, taken) = (Vec::new(), None, 0);
        Ok(Self { sink, budget, layout, profile, resolution, colors, rows, top_down, taken })
    }

    fn take_profile(&mut self, icc: &[u8]) -> Result<()> {
        self.layout.profile_len = u32::try_from(icc.len()).unwrap_or(0);
        self.layout.file_len()?;
        self.profile = self.budget.filled(self.layout.profile_len.into(), 0)?;
        self.profile.copy_from_slice(&icc[..self.layout.profile_len as usize]);
        Ok(())
    }

    /// Writes everything before the pixels.
    fn write_head(&mut self, palette: &[[u8; 3]]) -> Result<()> {
        let mut head = self.layout.head(self.top_down)?;
        density::write(&mut head, self.resolution);
        palette.iter().for_each(|&[blue, green, red]| head.extend([blue, green, red, 0]));
        self.sink.write(&head)
    }

    /// Returns the palette of greys, or an empty one.
    fn grays(&self) -> Vec<[u8; 3]> {
        (0..self.layout.palette).map(|gray| [gray as u8; 3]).collect()
    }

    /// Converts the held rows to palette indices, if the colours are few enough and the file becomes smaller.
    fn take_palette(&mut self) -> Option<Vec<[u8; 3]>> {
        let colors = self.colors.take()?;
        let palette = colors.palette();
        let (plain, indexed) = (self.layout, Layout { palette: palette.len() as u32, ..self.layout });
        if indexed.file_len().ok()? >= plain.file_len().ok()? {
            return None;
        }
        colors.index(&mut self.rows, plain.size.width as usize, plain.stride() as usize, indexed.stride() as usize);
        self.layout = indexed;
        Some(palette)
    }
}

/// Allocates the whole picture, or one row and `true` when the picture is too large.
fn rows(layout: Layout, budget: &Budget) -> Result<(Vec<u8>, bool)> {
    if layout.pixels_len() <= HOLD
        && let Ok(rows) = budget.filled(layout.pixels_len(), 0)
    {
        return Ok((rows, false));
    }
    Ok((budget.filled(layout.stride(), 0)?, true))
}

impl ImageWriter for Writer<'_> {
    fn begin_frame(&mut self, _: &FrameHeader, metadata: &Metadata) -> Result<()> {
        if let Some(icc) = metadata.icc.as_deref().and_then(|bytes| icc::sound(bytes, icc::RGB)) {
            self.take_profile(icc)?;
        }
        self.resolution = metadata.resolution;
        if self.top_down { self.write_head(&self.grays()) } else { Ok(()) }
    }

    fn write_row(&mut self, row: &[u8]) -> Result<()> {
        let stride = self.layout.stride() as usize;
        let y = if self.top_down { 0 } else { (self.layout.size.height - 1 - self.taken) as usize };
        let into = &mut self.rows[y * stride..][..stride];
        pack(row, into, self.layout.channels);
        if let Some(colors) = &mut self.colors
            && !colors.take(&into[..row.len()])
        {
            self.colors = None;
        }
        self.taken += 1;
        if self.top_down { self.sink.write(into) } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        if !self.top_down {
            let palette = self.take_palette().unwrap_or_else(|| self.grays());
            self.write_head(&palette)?;
            self.rows.chunks(CHUNK).try_for_each(|chunk| self.sink.write(chunk))?;
        }
        if self.profile.is_empty() { Ok(()) } else { self.sink.write(&self.profile) }
    }
}

/// Copies a row in the order of the file. Padding is not written, because it is zero already.
fn pack(row: &[u8], into: &mut [u8], channels: Channels) {
    match channels {
        Channels::Gray => into[..row.len()].copy_from_slice(row),
        Channels::GrayAlpha => repack::<2, 4>(row, into, |&[gray, alpha]| [gray, gray, gray, alpha]),
        Channels::Rgb => simd::swap_rgb(row, into),
        Channels::Rgba => swap_rgba(row, into),
    }
}
