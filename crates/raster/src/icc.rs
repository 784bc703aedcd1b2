//! ICC profiles, as far as a codec must know them: whether bytes are a profile for the samples beside them.
//!
//! Files carry cut profiles, padded ones, and profiles for other channels than their own. libpng and browsers reject
//! the last kind, sometimes with the whole picture. Every reader and every writer therefore asks [`sound`], and what it
//! refuses is left out with [`Warning::BrokenProfile`](crate::Warning::BrokenProfile).

/// Bytes of a profile's header (ICC.1:2022 §7.2).
pub const HEADER: usize = 128;

/// Bytes of the shortest profile: the header and an empty tag table, which is its count (§7.3).
pub const SHORTEST: usize = HEADER + 4;

/// Bytes of the longest profile that is carried: what the 255 segments of a JPEG hold, which is less than what other
/// formats hold. The longest profiles in use have about 4 MB.
pub const LONGEST: usize = 255 * 65_519;

/// The signature of profiles for one grey channel (§7.2.6, table 19).
pub const GRAY: [u8; 4] = *b"GRAY";
/// The signature of profiles for red, green and blue.
pub const RGB: [u8; 4] = *b"RGB ";
/// The signature of profiles for four inks.
pub const CMYK: [u8; 4] = *b"CMYK";

/// The length of the profile that begins with `header`, if that is the header of a profile for `space`: the signature
/// `acsp` is there (§7.2.9), the colour space is `space`, the length is one that a profile can have. Bytes behind
/// [`HEADER`] are not looked at.
#[must_use]
pub fn sound_len(header: &[u8], space: [u8; 4]) -> Option<usize> {
    let header: &[u8; HEADER] = header.first_chunk()?;
    let len = u32::from_be_bytes(*header.first_chunk()?) as usize;
    let is_sound = header[36..40] == *b"acsp" && header[16..20] == space && (SHORTEST..=LONGEST).contains(&len);
    is_sound.then_some(len)
}

/// The profile for `space` that `bytes` begin with, if they do and hold all of it. Bytes behind it are padding, which
/// some writers add and PNG's readers refuse, so they are cut off.
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
