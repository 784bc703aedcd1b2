//! The one thing the pixel path must know of EXIF: how the picture is to be turned. Never fails; nonsense is no
//! orientation.

use crate::Orientation;

/// Finds tag 0x0112 in the first directory of a TIFF-structured EXIF block (EXIF 2.32 §4.5), with or without the
/// `Exif\0\0` that JPEG puts before it.
#[must_use]
pub fn orientation(exif: &[u8]) -> Option<Orientation> {
    let tiff = exif.strip_prefix(b"Exif\0\0").unwrap_or(exif);
    let little = match tiff.get(..4)? {
        [b'I', b'I', 42, 0] => true,
        [b'M', b'M', 0, 42] => false,
        _ => return None,
    };
    let u16_at = |at: usize| -> Option<u16> {
        let bytes = tiff.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(if little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
    };
    let u32_at = |at: usize| -> Option<u32> {
        let bytes = tiff.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some(if little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) })
    };
    const ORIENTATION: u16 = 0x0112;
    const SHORT: u16 = 3;
    let directory = usize::try_from(u32_at(4)?).ok()?;
    let entries = usize::from(u16_at(directory)?);
    (0..entries)
        .map_while(|i| directory.checked_add(2 + 12 * i))
        .take_while(|&entry| entry < tiff.len())
        .find(|&entry| u16_at(entry) == Some(ORIENTATION) && u16_at(entry + 2) == Some(SHORT))
        .and_then(|entry| Orientation::from_exif(u16_at(entry + 8)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(little: bool, tag: u16, value: u16) -> Vec<u8> {
        let two = |v: u16| if little { v.to_le_bytes() } else { v.to_be_bytes() };
        let four = |v: u32| if little { v.to_le_bytes() } else { v.to_be_bytes() };
        let mut bytes = if little { b"II\x2a\0".to_vec() } else { b"MM\0\x2a".to_vec() };
        bytes.extend(four(8));
        bytes.extend(two(1));
        bytes.extend(two(tag));
        bytes.extend(two(3));
        bytes.extend(four(1));
        bytes.extend(two(value));
        bytes.extend([0, 0]);
        bytes
    }

    #[test]
    fn both_byte_orders_give_every_orientation() {
        for number in 1..=8 {
            for little in [true, false] {
                assert_eq!(orientation(&block(little, 0x0112, number)), Orientation::from_exif(number));
            }
        }
    }

    #[test]
    fn nonsense_gives_none_and_no_prefix_panics() {
        assert_eq!(orientation(&block(true, 0x0112, 9)), None);
        assert_eq!(orientation(&block(true, 0x0113, 3)), None);
        let sound = block(false, 0x0112, 6);
        for cut in 0..sound.len() - 2 {
            let _ = orientation(&sound[..cut]);
        }
        assert_eq!(orientation(b"MM\0\x2a\xff\xff\xff\xff"), None);
    }
}
