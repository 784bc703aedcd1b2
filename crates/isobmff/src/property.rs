//! Properties of items (ISO/IEC 23008-12 §6.5).

use raster::{Orientation, Rect, Size};

use crate::Cause;
use crate::fields::{Fields, FourCc};

/// A property of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Property {
    /// `ispe`: the size of the decoded picture, before it is cropped and turned.
    Size(Size),
    /// `pixi`: the bits of each channel.
    Bits(Vec<u8>),
    /// `colr` with an ICC profile.
    Icc(Vec<u8>),
    /// `colr` with code points.
    CodePoints(CodePoints),
    /// `clap`: the part that is shown.
    CleanAperture(CleanAperture),
    /// `irot` or `imir`, as one of the eight orientations.
    Turn(Orientation),
    /// `auxC`: the kind of an auxiliary picture, a URN.
    Auxiliary(Vec<u8>),
    /// `av1C` or `hvcC`: the configuration of the decoder.
    Configuration(Vec<u8>),
    /// `a1op`: the operating point of AV1.
    OperatingPoint(u8),
    /// `lsel`: the layer of a layered picture to show.
    Layer(u16),
    /// A property that describes and need not be known.
    Other(FourCc),
}

/// The colours of samples by the numbers of ITU-T H.273.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodePoints {
    /// The primaries; 2 is "not stated".
    pub primaries: u16,
    /// The transfer function; 2 is "not stated".
    pub transfer: u16,
    /// The matrix between RGB and the stored channels; 2 is "not stated".
    pub matrix: u16,
    /// Whether samples use all values from 0 to the largest.
    pub is_full_range: bool,
}

/// A crop in fractions: each value is a numerator and a denominator, as in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CleanAperture {
    width: [u32; 2],
    height: [u32; 2],
    /// The distance between the centres of the crop and of the picture.
    offset_x: [u32; 2],
    offset_y: [u32; 2],
}

impl CleanAperture {
    /// Returns the shown part of a picture of `size`; `None` unless it has whole pixels and lies inside.
    #[must_use]
    pub fn rect(&self, size: Size) -> Option<Rect> {
        let (x, width) = span(self.width, self.offset_x, size.width)?;
        let (y, height) = span(self.height, self.offset_y, size.height)?;
        Some(Rect { x, y, width, height })
    }
}

/// Returns the start and the length of a crop along one axis of `side` pixels.
fn span([length, unit]: [u32; 2], [offset, offset_unit]: [u32; 2], side: u32) -> Option<(u32, u32)> {
    if unit == 0 || offset_unit == 0 || !length.is_multiple_of(unit) {
        return None;
    }
    let length = length / unit;
    // The numerator of the offset has a sign. start = (side - length) / 2 + offset.
    let doubled = 2 * i64::from(offset.cast_signed());
    if doubled % i64::from(offset_unit) != 0 {
        return None;
    }
    let start = i64::from(side) - i64::from(length) + doubled / i64::from(offset_unit);
    let fits = start >= 0 && start % 2 == 0 && start / 2 + i64::from(length) <= i64::from(side) && length > 0;
    Some((u32::try_from(start / 2).ok().filter(|_| fits)?, length))
}

impl Property {
    /// Reads the contents of a property's box.
    pub(crate) fn read(kind: FourCc, mut fields: Fields<'_>) -> Result<Self, Cause> {
        Ok(match &kind {
            b"ispe" => {
                fields.version()?;
                Self::Size(Size::new(fields.u32()?, fields.u32()?))
            }
            b"pixi" => {
                fields.version()?;
                let channels = fields.u8()?;
                Self::Bits(fields.bytes(channels.into())?.to_vec())
            }
            b"colr" => Self::colors(fields)?,
            b"clap" => {
                let mut pair = || Ok([fields.u32()?, fields.u32()?]);
                let (width, height, offset_x, offset_y) = (pair()?, pair()?, pair()?, pair()?);
                Self::CleanAperture(CleanAperture { width, height, offset_x, offset_y })
            }
            // Rotation against the clock.
            b"irot" => Self::Turn(
                [Orientation::Upright, Orientation::Rotate270, Orientation::Rotate180, Orientation::Rotate90]
                    [usize::from(fields.u8()? & 3)],
            ),
            b"imir" if fields.u8()? & 1 == 0 => Self::Turn(Orientation::FlipVertical),
            b"imir" => Self::Turn(Orientation::FlipHorizontal),
            b"auxC" => {
                fields.version()?;
                let end = fields.rest.iter().position(|&byte| byte == 0).unwrap_or(fields.rest.len());
                Self::Auxiliary(fields.rest[..end].to_vec())
            }
            b"av1C" | b"hvcC" => Self::Configuration(fields.rest.to_vec()),
            b"a1op" => Self::OperatingPoint(fields.u8()?),
            b"lsel" => Self::Layer(fields.u16()?),
            _ => Self::Other(kind),
        })
    }

    fn colors(mut fields: Fields<'_>) -> Result<Self, Cause> {
        Ok(match &fields.array()? {
            b"nclx" => Self::CodePoints(CodePoints {
                primaries: fields.u16()?,
                transfer: fields.u16()?,
                matrix: fields.u16()?,
                is_full_range: fields.u8()? & 0x80 != 0,
            }),
            b"prof" | b"rICC" => Self::Icc(fields.rest.to_vec()),
            _ => Self::Other(*b"colr"),
        })
    }

    /// Returns the bytes of memory beside the value itself.
    pub(crate) fn byte_len(&self) -> u64 {
        match self {
            Self::Bits(bytes) | Self::Icc(bytes) | Self::Auxiliary(bytes) | Self::Configuration(bytes) => {
                bytes.capacity() as u64
            }
            _ => 0,
        }
    }

    /// Whether a reader that does not know the property may still show the item.
    pub(crate) const fn is_known(&self) -> bool {
        match self {
            // The sizes of layers only help to read fewer bytes.
            Self::Other(kind) => matches!(kind, b"a1lx" | b"colr" | b"pasp" | b"clli" | b"mdcv" | b"cclv" | b"amve"),
            _ => true,
        }
    }
}

/// Returns the code points among properties.
pub(crate) fn code_points<'a>(mut properties: impl Iterator<Item = &'a Property>) -> Option<CodePoints> {
    properties.find_map(|property| if let Property::CodePoints(points) = property { Some(*points) } else { None })
}

/// Returns the configuration of the decoder among properties.
pub(crate) fn configuration<'a>(mut properties: impl Iterator<Item = &'a Property>) -> Option<&'a [u8]> {
    properties.find_map(|property| if let Property::Configuration(bytes) = property { Some(&**bytes) } else { None })
}

/// Returns the ICC profile among properties.
pub(crate) fn profile<'a>(mut properties: impl Iterator<Item = &'a Property>) -> Option<&'a [u8]> {
    properties.find_map(|property| if let Property::Icc(bytes) = property { Some(&**bytes) } else { None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clean_aperture_is_around_the_centre_and_has_whole_pixels() {
        let minus = |value: i32| value.cast_unsigned();
        let size = Size::new(100, 41);
        for (aperture, rect) in [
            ([[50, 1], [41, 1], [0, 1], [0, 1]], Some((25, 0, 50, 41))),
            ([[100, 2], [21, 1], [minus(-25), 1], [minus(-10), 1]], Some((0, 0, 50, 21))),
            ([[49, 1], [40, 1], [1, 2], [minus(-1), 2]], Some((26, 0, 49, 40))),
            // Half a pixel.
            ([[49, 1], [41, 1], [0, 1], [0, 1]], None),
            ([[99, 2], [41, 1], [1, 2], [0, 1]], None),
            // Outside, empty, or not a number.
            ([[50, 1], [41, 1], [26, 1], [0, 1]], None),
            ([[0, 1], [41, 1], [0, 1], [0, 1]], None),
            ([[50, 0], [41, 1], [0, 1], [0, 1]], None),
            ([[u32::MAX, 1], [41, 1], [minus(i32::MIN), 1], [0, 0]], None),
        ] {
            let [width, height, offset_x, offset_y] = aperture;
            let found = CleanAperture { width, height, offset_x, offset_y }.rect(size);
            assert_eq!(found.map(|rect| (rect.x, rect.y, rect.width, rect.height)), rect, "{aperture:?}");
        }
    }
}
