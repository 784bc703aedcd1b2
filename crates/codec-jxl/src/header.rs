//! The header of a codestream (ISO/IEC 18181-1 §D, §E), read without the decoder, as far as a file that was written or
//! copied is compared with what was promised.

use std::rc::Rc;

use raster::{
    Budget, ByteSource, Channels, Depth, Error, Format, ImageInfo, Notes, Orientation, PixelFormat, Result, Size,
    Stored,
};

use crate::boxes;

/// The two bytes with which a codestream begins.
const START: [u8; 2] = [0xFF, 0x0A];

/// Reads the header of a file. An animation is described by its first frame, because only the decoder finds the others,
/// and all further channels count as alpha. The profile is not read.
///
/// # Errors
/// `Unsupported` for data that are no such header; `Io` from the source; `Limit` when the metadata exceed the budget.
pub fn header(source: &dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<ImageInfo> {
    let unsupported = Error::Unsupported { format: Format::Jxl, feature: "this header without the decoder" };
    let mut bytes = [0; 64];
    let filled = source.read_full_at(boxes::codestream(source)?, &mut bytes)?;
    let read = || {
        let rest = bytes.get(..filled)?.strip_prefix(&START)?;
        Bits { bytes: rest, at: 0 }.picture()
    };
    let (size, pixels, depth) = read().ok_or(unsupported)?;
    Ok(ImageInfo {
        stored: Stored { depth, channels: pixels.channels.count() as u8 },
        metadata: Rc::new(boxes::metadata(source, budget, notes)?),
        ..ImageInfo::still(Format::Jxl, size, pixels.into())
    })
}

/// The bits of a codestream, from the lowest of each byte.
struct Bits<'a> {
    bytes: &'a [u8],
    /// The number of bits that were read.
    at: usize,
}

impl Bits<'_> {
    /// Returns the next `count` bits, at most 32.
    fn bits(&mut self, count: u32) -> Option<u32> {
        let mut value = 0;
        for shift in 0..count {
            let byte = self.bytes.get(self.at / 8)?;
            value |= u32::from(byte >> (self.at % 8) & 1) << shift;
            self.at += 1;
        }
        Some(value)
    }

    fn flag(&mut self) -> Option<bool> {
        self.bits(1).map(|bit| bit == 1)
    }

    /// Returns a number in one of four forms: an offset, and the count of bits that are added to it.
    fn number(&mut self, forms: [(u32, u32); 4]) -> Option<u32> {
        let (offset, count) = *forms.get(self.bits(2)? as usize)?;
        Some(offset.saturating_add(self.bits(count)?))
    }

    /// Reads size and metadata: returns the upright size, the format of rows and the bits of a stored sample.
    fn picture(&mut self) -> Option<(Size, PixelFormat, u8)> {
        let stored = self.size()?;
        let (orientation, depth, has_alpha) =
            if self.flag()? { (Orientation::Upright, 8, false) } else { self.metadata()? };
        let channels = Channels::new(true, has_alpha);
        let pixels = PixelFormat::new(channels, if depth > 8 { Depth::Sixteen } else { Depth::Eight });
        Some((orientation.turn(stored), pixels, depth))
    }

    /// Reads `SizeHeader`.
    fn size(&mut self) -> Option<Size> {
        let is_small = self.flag()?;
        let side = |bits: &mut Self| match is_small {
            true => Some((bits.bits(5)? + 1) * 8),
            false => bits.number([(1, 9), (1, 13), (1, 18), (1, 30)]),
        };
        let height = side(self)?;
        let (numerator, denominator) = match self.bits(3)? {
            0 => return Some(Size::new(side(self)?, height)),
            1 => (1, 1),
            2 => (12, 10),
            3 => (4, 3),
            4 => (3, 2),
            5 => (16, 9),
            6 => (5, 4),
            _ => (2, 1),
        };
        let width = u64::from(height) * numerator / denominator;
        Some(Size::new(u32::try_from(width).ok()?, height))
    }

    /// Reads `PreviewHeader`.
    fn preview(&mut self) -> Option<()> {
        let forms =
            if self.flag()? { [(16, 0), (32, 0), (1, 5), (33, 9)] } else { [(1, 6), (65, 8), (321, 10), (1345, 12)] };
        self.number(forms)?;
        if self.bits(3)? == 0 {
            self.number(forms)?;
        }
        Some(())
    }

    /// Reads `AnimationHeader`.
    fn animation(&mut self) -> Option<()> {
        self.number([(100, 0), (1000, 0), (1, 10), (1, 30)])?;
        self.number([(1, 0), (1001, 0), (1, 8), (1, 10)])?;
        self.number([(0, 0), (0, 3), (0, 16), (0, 32)])?;
        self.flag().map(drop)
    }

    /// Reads `ImageMetadata` up to the extra channels: returns the turn, the depth, and whether there are such
    /// channels.
    fn metadata(&mut self) -> Option<(Orientation, u8, bool)> {
        let mut orientation = Orientation::Upright;
        if self.flag()? {
            orientation = Orientation::from_exif(self.bits(3)? as u16 + 1)?;
            if self.flag()? {
                self.size()?;
            }
            if self.flag()? {
                self.preview()?;
            }
            if self.flag()? {
                self.animation()?;
            }
        }
        let is_float = self.flag()?;
        let depth = self.number(if is_float {
            [(32, 0), (16, 0), (24, 0), (1, 6)]
        } else {
            [(8, 0), (10, 0), (12, 0), (1, 6)]
        })?;
        if is_float {
            self.bits(4)?;
        }
        let _fits_16_bits = self.flag()?;
        let extra_channels = self.number([(0, 0), (1, 0), (2, 4), (1, 12)])?;
        Some((orientation, u8::try_from(depth).ok()?, extra_channels > 0))
    }
}
