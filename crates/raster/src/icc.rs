//! Checks of ICC profiles: whether bytes are a profile for the samples of their picture.
//!
//! Files contain cut profiles, padded ones, and profiles for other channels than their own. libpng and browsers reject
//! the last kind, sometimes with the whole picture. Every reader and every writer therefore calls [`sound`], and leaves
//! out refused profiles with [`Warning::BrokenProfile`](crate::Warning::BrokenProfile).

/// The bytes of a profile's header (ICC.1:2022 §7.2).
pub const HEADER: usize = 128;

/// The bytes of the shortest profile: the header and the count of an empty tag table (§7.3).
pub const SHORTEST: usize = HEADER + 4;

/// The bytes of the longest profile that is kept: the capacity of a JPEG's 255 segments, which is smaller than that of
/// other formats. The longest profiles in use have about 4 MB.
pub const LONGEST: usize = 255 * 65_519;

/// The signature of profiles for one grey channel (§7.2.6, table 19).
pub const GRAY: [u8; 4] = *b"GRAY";
/// The signature of profiles for red, green and blue.
pub const RGB: [u8; 4] = *b"RGB ";
/// The signature of profiles for CMYK.
pub const CMYK: [u8; 4] = *b"CMYK";

/// Returns the length of the profile that begins with `header`, if that is the header of a profile for `space`: it has
/// the signature `acsp` (§7.2.9), the colour space is `space`, and the length is valid. Bytes behind [`HEADER`] are not
/// read.
#[must_use]
pub fn sound_len(header: &[u8], space: [u8; 4]) -> Option<usize> {
    let header: &[u8; HEADER] = header.first_chunk()?;
    let len = u32::from_be_bytes(*header.first_chunk()?) as usize;
    let is_sound = header[36..40] == *b"acsp" && header[16..20] == space && (SHORTEST..=LONGEST).contains(&len);
    is_sound.then_some(len)
}

/// Returns the profile for `space` at the start of `bytes`, if it is complete. Bytes behind it are padding, which some
/// writers add and PNG's readers refuse, so they are cut off.
///
/// ```
/// let mut bytes = vec![0; 140];
/// bytes[..4].copy_from_slice(&136_u32.to_be_bytes());
/// bytes[16..20].copy_from_slice(b"RGB ");
/// bytes[36..40].copy_from_slice(b"acsp");
/// assert_eq!(raster::icc::sound(&bytes, raster::icc::RGB).map(<[u8]>::len), Some(136));
/// assert_eq!(raster::icc::sound(&bytes, raster::icc::GRAY), None);
/// ```
#[must_use]
pub fn sound(bytes: &[u8], space: [u8; 4]) -> Option<&[u8]> {
    bytes.get(..sound_len(bytes, space)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(claimed: u32, len: usize, space: &[u8; 4]) -> Vec<u8> {
        let mut profile = vec![0; len];
        profile[..4].copy_from_slice(&claimed.to_be_bytes());
        profile[16..20].copy_from_slice(space);
        profile[36..40].copy_from_slice(b"acsp");
        profile
    }

    #[test]
    fn a_profile_must_be_whole_and_for_the_channels_there_are() {
        let table = [
            (profile(200, 200, b"GRAY"), GRAY, Some(200)),
            (profile(200, 203, b"GRAY"), GRAY, Some(200)),
            (profile(200, 199, b"GRAY"), GRAY, None),
            (profile(200, 200, b"GRAY"), RGB, None),
            (profile(200, 200, b"RGB "), GRAY, None),
            (profile(200, 200, b"CMYK"), CMYK, Some(200)),
            (profile(132, 132, b"RGB "), RGB, Some(132)),
            (profile(131, 200, b"RGB "), RGB, None),
            (profile(0, 200, b"RGB "), RGB, None),
            (profile(LONGEST as u32, LONGEST, b"RGB "), RGB, Some(LONGEST)),
            (profile(LONGEST as u32 + 1, LONGEST + 1, b"RGB "), RGB, None),
            (vec![0; 200], RGB, None),
            (Vec::new(), RGB, None),
        ];
        for (i, (icc, space, want)) in table.iter().enumerate() {
            assert_eq!(sound(icc, *space).map(<[u8]>::len), *want, "row {i}");
        }
    }
}
