//! The header of 18 bytes, and the footer that leads to the extension area.

use raster::{ByteSource, Result, Size};

pub(crate) const HEADER: usize = 18;

/// The signature at the end of a file of version 2.
const SIGNATURE: &[u8; 18] = b"TRUEVISION-XFILE.\0";
/// The footer: the offsets of the extension area and of the developer area, and the signature.
const FOOTER: usize = 26;
/// The place of the attributes' type in the extension area, and the first bytes of that area, its length.
const ATTRIBUTES_TYPE: u64 = 494;
const EXTENSION: u16 = 495;

/// What the samples of a pixel are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One byte that counts the entries of the palette.
    Indexed,
    /// Blue, green, red.
    Color,
    Gray,
}

/// A palette in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ColorMap {
    /// The index of its first entry.
    pub(crate) first: u16,
    pub(crate) len: u16,
    /// Bits in an entry.
    pub(crate) bits: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) kind: Kind,
    pub(crate) is_run_length_coded: bool,
    /// Bytes of text between header and palette.
    pub(crate) id_len: u8,
    pub(crate) map: Option<ColorMap>,
    pub(crate) size: Size,
    /// Bits in a pixel.
    pub(crate) bits: u8,
    /// Whether a pixel has bits for alpha.
    pub(crate) has_alpha: bool,
    pub(crate) is_top_down: bool,
    pub(crate) is_right_to_left: bool,
}

/// What the bits for alpha mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alpha {
    None,
    Straight,
    Premultiplied,
}

impl Header {
    /// The header, if it is sound.
    pub(crate) fn parse(bytes: &[u8; HEADER]) -> Option<Self> {
        let [id_len, map_type, image_type, f0, f1, l0, l1, map_bits, _, _, _, _, w0, w1, h0, h1, bits, descriptor] =
            *bytes;
        let map = match map_type {
            0 if bytes[3..8] == [0; 5] => None,
            1 if matches!(map_bits, 15 | 16 | 24 | 32) => Some(ColorMap {
                first: u16::from_le_bytes([f0, f1]),
                len: u16::from_le_bytes([l0, l1]),
                bits: map_bits,
            }),
            _ => return None,
        };
        let alpha_bits = descriptor & 15;
        let kind = match (image_type, bits, alpha_bits) {
            (1 | 9, 8, 0 | 1 | 8) if map.is_some() => Kind::Indexed,
            (2 | 10, 15 | 16, 0 | 1) | (2 | 10, 24, 0) | (2 | 10, 32, 0 | 8) => Kind::Color,
            (3 | 11, 8, 0) | (3 | 11, 16, 0 | 8) => Kind::Gray,
            _ => return None,
        };
        let size = Size::new(u16::from_le_bytes([w0, w1]).into(), u16::from_le_bytes([h0, h1]).into());
        // The two highest bits once meant interlaced rows; the specification wants them to be 0.
        if size.is_empty() || descriptor >> 6 != 0 {
            return None;
        }
        Some(Self {
            kind,
            is_run_length_coded: image_type >= 8,
            id_len,
            map,
            size,
            bits,
            has_alpha: alpha_bits > 0,
            is_top_down: descriptor & 0x20 != 0,
            is_right_to_left: descriptor & 0x10 != 0,
        })
    }

    /// Bytes in a pixel.
    pub(crate) const fn pixel_bytes(&self) -> usize {
        self.bits.div_ceil(8) as usize
    }

    /// Where the palette stands, if there is one.
    pub(crate) const fn map_at(&self) -> u64 {
        HEADER as u64 + self.id_len as u64
    }

    /// Where the pixels stand.
    pub(crate) fn pixels_at(&self) -> u64 {
        self.map_at() + self.map.map_or(0, |map| u64::from(map.len) * u64::from(map.bits.div_ceil(8)))
    }

    /// What alpha means: the extension area says it, where there is one.
    pub(crate) fn alpha(&self, source: &dyn ByteSource) -> Result<Alpha> {
        Ok(match attributes_type(source)? {
            _ if !self.has_alpha => Alpha::None,
            Some(0..=2) => Alpha::None,
            Some(4) => Alpha::Premultiplied,
            _ => Alpha::Straight,
        })
    }
}

/// The attributes' type of the extension area; nothing where there is no such area.
fn attributes_type(source: &dyn ByteSource) -> Result<Option<u8>> {
    let mut footer = [0; FOOTER];
    let Some(at) = source.byte_len().checked_sub(FOOTER as u64) else { return Ok(None) };
    source.read_full_at(at, &mut footer)?;
    if !footer.ends_with(SIGNATURE) {
        return Ok(None);
    }
    let [a, b, c, d, ..] = footer;
    let extension_at = u64::from(u32::from_le_bytes([a, b, c, d]));
    let mut len = [0; 2];
    let is_whole = extension_at >= HEADER as u64 && extension_at + u64::from(EXTENSION) <= at;
    if !is_whole || source.read_full_at(extension_at, &mut len)? < 2 || u16::from_le_bytes(len) < EXTENSION {
        return Ok(None);
    }
    let mut attributes = [0];
    source.read_full_at(extension_at + ATTRIBUTES_TYPE, &mut attributes)?;
    Ok(Some(attributes[0]))
}
