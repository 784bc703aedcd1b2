//! The sequence header of AV1 (AV1 Bitstream & Decoding Process Specification, §5.5): what samples mean.

use heif::Description;
use isobmff::CodePoints;
use raster::Size;
use yuv::{Sampling, Siting};

/// The type of an OBU with a sequence header.
const SEQUENCE_HEADER: u8 = 1;

/// The header of the configuration, before its OBUs (AV1 in ISOBMFF, §2.3.3).
pub(crate) const CONFIGURATION_HEADER: usize = 4;

/// Describes a picture by the sequence header in its data, or else in its configuration.
pub(crate) fn describe(configuration: &[u8], head: &[u8]) -> Option<Description> {
    find(head).or_else(|| find(configuration.get(CONFIGURATION_HEADER..)?))
}

/// Returns the name of the codec with the parameters of a configuration (AV1 in ISOBMFF, §5).
pub(crate) fn codec_name(configuration: &[u8]) -> Option<String> {
    let &[_, profile_and_level, flags, _] = configuration.first_chunk()?;
    let (profile, level) = (profile_and_level >> 5, profile_and_level & 31);
    let tier = if flags & 0x80 == 0 { 'M' } else { 'H' };
    let depth = match (flags & 0x40 != 0, flags & 0x20 != 0) {
        (false, _) => 8,
        (true, false) => 10,
        (true, true) => 12,
    };
    Some(format!("av01.{profile}.{level:02}{tier}.{depth:02}"))
}

/// Returns the description in the first sequence header among the OBUs in `bytes`, which may be cut.
pub(crate) fn find(mut bytes: &[u8]) -> Option<Description> {
    loop {
        let (&header, mut rest) = bytes.split_first()?;
        if header & 4 != 0 {
            rest = rest.get(1..)?;
        }
        let len = if header & 2 != 0 { leb128(&mut rest)? } else { rest.len() };
        if header >> 3 & 15 == SEQUENCE_HEADER {
            return Bits { bytes: &rest[..len.min(rest.len())], at: 0 }.description();
        }
        bytes = rest.get(len..)?;
    }
}

/// Reads a number of seven bits a byte, the lowest first.
fn leb128(bytes: &mut &[u8]) -> Option<usize> {
    let mut value = 0;
    for shift in (0..56).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return usize::try_from(value).ok();
        }
    }
    None
}

/// The bits of a header, from the highest of each byte.
struct Bits<'a> {
    bytes: &'a [u8],
    /// The number of bits that were read.
    at: usize,
}

impl Bits<'_> {
    /// Returns the next `count` bits, at most 32.
    fn bits(&mut self, count: u32) -> Option<u32> {
        let mut value = 0;
        for _ in 0..count {
            let byte = self.bytes.get(self.at / 8)?;
            value = value << 1 | u32::from(byte >> (7 - self.at % 8) & 1);
            self.at += 1;
        }
        Some(value)
    }

    fn flag(&mut self) -> Option<bool> {
        self.bits(1).map(|bit| bit == 1)
    }

    /// Skips a number of variable length (§4.10.3).
    fn skip_variable(&mut self) -> Option<()> {
        let mut zeros = 0;
        while !self.flag()? {
            zeros += 1;
        }
        self.bits(if zeros < 32 { zeros } else { 0 }).map(drop)
    }

    fn description(mut self) -> Option<Description> {
        let profile = self.bits(3)?;
        let _is_still = self.flag()?;
        let is_reduced = self.flag()?;
        if is_reduced {
            self.bits(5)?;
        } else {
            self.skip_operating_points()?;
        }
        let [wide, high] = [self.bits(4)? + 1, self.bits(4)? + 1];
        let size = Size::new(self.bits(wide)? + 1, self.bits(high)? + 1);
        // Numbers of frames.
        if !is_reduced && self.flag()? {
            self.bits(7)?;
        }
        // Large superblocks and two intra filters.
        self.bits(3)?;
        if !is_reduced {
            self.skip_tools()?;
        }
        // Resizing, two filters.
        self.bits(3)?;
        self.colors(profile, size)
    }

    fn skip_operating_points(&mut self) -> Option<()> {
        let mut delay_bits = None;
        if self.flag()? {
            self.bits(32)?;
            self.bits(32)?;
            if self.flag()? {
                self.skip_variable()?;
            }
            if self.flag()? {
                delay_bits = Some(self.bits(5)? + 1);
                self.bits(32)?;
                self.bits(10)?;
            }
        }
        let has_display_delay = self.flag()?;
        for _ in 0..=self.bits(5)? {
            self.bits(12)?;
            if self.bits(5)? > 7 {
                self.bits(1)?;
            }
            if let Some(bits) = delay_bits
                && self.flag()?
            {
                self.bits(bits)?;
                self.bits(bits)?;
                self.bits(1)?;
            }
            if has_display_delay && self.flag()? {
                self.bits(4)?;
            }
        }
        Some(())
    }

    /// The tools of animations.
    fn skip_tools(&mut self) -> Option<()> {
        self.bits(4)?;
        let has_order = self.flag()?;
        if has_order {
            self.bits(2)?;
        }
        // Tools for screen contents are off, on, or chosen by each frame.
        if (self.flag()? || self.flag()?) && !self.flag()? {
            self.bits(1)?;
        }
        if has_order {
            self.bits(3)?;
        }
        Some(())
    }

    /// The colours (§5.5.2).
    fn colors(mut self, profile: u32, size: Size) -> Option<Description> {
        let is_deep = self.flag()?;
        let depth = match (profile, is_deep) {
            (2, true) if self.flag()? => 12,
            (_, true) => 10,
            (_, false) => 8,
        };
        let is_gray = profile != 1 && self.flag()?;
        let [primaries, transfer, matrix] =
            if self.flag()? { [self.bits(8)?, self.bits(8)?, self.bits(8)?] } else { [2; 3] }.map(|point| point as u16);
        let points = |is_full_range| CodePoints { primaries, transfer, matrix, is_full_range };
        let description =
            |sampling, siting, range| Description { size, depth, sampling, siting, code_points: points(range) };
        if is_gray {
            return Some(description(Sampling::Gray, Siting::Center, self.flag()?));
        }
        if (primaries, transfer, matrix) == (1, 13, 0) {
            return Some(description(Sampling::Full, Siting::Center, true));
        }
        let is_full_range = self.flag()?;
        let sampling = match profile {
            0 => Sampling::Half,
            1 => Sampling::Full,
            _ if depth < 12 => Sampling::Columns,
            _ if !self.flag()? => Sampling::Full,
            _ if self.flag()? => Sampling::Half,
            _ => Sampling::Columns,
        };
        let siting = match if sampling == Sampling::Half { self.bits(2)? } else { 0 } {
            1 => Siting::Left,
            2 => Siting::TopLeft,
            _ => Siting::Center,
        };
        Some(description(sampling, siting, is_full_range))
    }
}
