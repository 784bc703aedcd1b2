//! Which colour profile goes into the written file: the source's, or none. One for other channels than the file has is
//! worse than none, since libpng and browsers reject it, or the picture with it.

/// Bytes of a profile's header and of the shortest tag table (ICC.1:2022 §7.2, §7.3).
const SHORTEST: usize = 132;

/// What JPEG's 255 segments hold; PNG and BMP hold more. The largest profiles in use have some 4 MB.
const LONGEST: usize = 255 * 65_519;

/// The part of `icc` that its own header calls the profile, if that is one for `space`. Some writers pad; PNG readers
/// want the exact length.
pub(crate) fn fitting(icc: &[u8], space: [u8; 4]) -> Option<&[u8]> {
    let len = u32::from_be_bytes(*icc.first_chunk()?) as usize;
    let profile = icc.get(..len).filter(|_| (SHORTEST..=LONGEST).contains(&len))?;
    (profile[16..20] == space && profile[36..40] == *b"acsp").then_some(profile)
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
            (profile(200, 200, b"GRAY"), *b"GRAY", Some(200)),
            (profile(200, 203, b"GRAY"), *b"GRAY", Some(200)),
            (profile(200, 199, b"GRAY"), *b"GRAY", None),
            (profile(200, 200, b"GRAY"), *b"RGB ", None),
            (profile(200, 200, b"RGB "), *b"GRAY", None),
            (profile(131, 200, b"RGB "), *b"RGB ", None),
            (profile(LONGEST as u32 + 1, LONGEST + 1, b"RGB "), *b"RGB ", None),
            (vec![0; 200], *b"RGB ", None),
            (Vec::new(), *b"RGB ", None),
        ];
        for (i, (icc, space, want)) in table.iter().enumerate() {
            assert_eq!(fitting(icc, *space).map(<[u8]>::len), *want, "row {i}");
        }
    }
}
