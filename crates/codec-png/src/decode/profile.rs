//! iCCP (PNG §11.3.2.3): a name, a compression method, a deflated ICC profile.

use deflate::SliceInflater;
use raster::{Budget, icc};

use crate::header::ColorType;

/// Returns the profile, byte for byte, if it is [sound](icc::sound) for the picture's channels. Only the header and
/// then exactly the length that it states are inflated, therefore a bomb takes no memory.
pub(crate) fn unpack(data: &[u8], color: ColorType, budget: &Budget) -> Option<Vec<u8>> {
    // §11.3.2.3: the name has 1 to 79 bytes and ends with a zero; method 0 is deflate.
    let name = data.iter().take(80).position(|&byte| byte == 0).filter(|&name| name > 0)?;
    let (&0, deflated) = data[name + 1..].split_first()? else { return None };

    let mut inflater = SliceInflater::new(deflated);
    let mut header = [0; icc::HEADER];
    (inflater.fill(&mut header, 0).ok()? == icc::HEADER).then_some(())?;
    let space = match color {
        ColorType::Gray | ColorType::GrayAlpha => icc::GRAY,
        ColorType::Rgb | ColorType::Indexed | ColorType::Rgba => icc::RGB,
    };
    let len = icc::sound_len(&header, space)?;
    let mut profile = budget.filled(len as u64, 0).ok()?;
    profile[..icc::HEADER].copy_from_slice(&header);
    (inflater.fill(&mut profile, icc::HEADER).ok()? == len).then_some(profile)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::Limits;

    fn profile(size: usize, claimed: u32, space: &[u8; 4]) -> Vec<u8> {
        let mut profile: Vec<u8> = (0..size).map(|i| (i * 7 % 251) as u8).collect();
        profile[..4].copy_from_slice(&claimed.to_be_bytes());
        profile[16..20].copy_from_slice(space);
        profile[36..40].copy_from_slice(b"acsp");
        profile
    }

    fn pack(profile: &[u8]) -> Vec<u8> {
        let mut data = b"a name\0\0".to_vec();
        data.extend(fdeflate::compress_to_vec(profile));
        data
    }

    fn unpack_rgb(data: &[u8]) -> Option<Vec<u8>> {
        unpack(data, ColorType::Rgb, &Budget::new(&Limits::default()))
    }

    #[test]
    fn a_sound_profile_is_read_byte_for_byte() {
        for size in [132, 133, 3144, 500_000] {
            let sound = profile(size, size as u32, b"RGB ");
            assert_eq!(unpack_rgb(&pack(&sound)).unwrap(), sound);
        }
    }

    #[test]
    fn wrong_lengths_spaces_names_and_methods_are_refused() {
        assert_eq!(unpack_rgb(&pack(&profile(600, 601, b"RGB "))), None, "too short");
        assert_eq!(unpack_rgb(&pack(&profile(600, 599, b"RGB "))).map(|profile| profile.len()), Some(599), "padded");
        assert_eq!(unpack_rgb(&pack(&profile(600, 131, b"RGB "))), None, "no tag table");
        assert_eq!(unpack_rgb(&pack(&profile(600, 600, b"CMYK"))), None);
        assert_eq!(unpack_rgb(&pack(&profile(600, 600, b"GRAY"))), None);
        let mut data = pack(&profile(600, 600, b"RGB "));
        data[7] = 1;
        assert_eq!(unpack_rgb(&data), None, "method 1");
        data[7] = 0;
        assert_eq!(unpack_rgb(&data[6..]), None, "no name");
        assert!(
            unpack(&pack(&profile(600, 600, b"GRAY")), ColorType::GrayAlpha, &Budget::new(&Limits::default()))
                .is_some()
        );
    }

    #[test]
    fn a_bomb_is_not_inflated_and_a_small_budget_is_kept() {
        let bomb = pack(&profile(100 << 20, 600, b"RGB "));
        let budget = Budget::new(&Limits { memory: 10_000 });
        assert_eq!(unpack(&bomb, ColorType::Rgb, &budget).map(|profile| profile.len()), Some(600));
        assert_eq!(budget.used(), 600);
        assert_eq!(unpack(&pack(&profile(20_000, 20_000, b"RGB ")), ColorType::Rgb, &budget), None);
    }

    #[test]
    fn no_prefix_panics() {
        let data = pack(&profile(3144, 3144, b"RGB "));
        for end in 0..data.len() - 8 {
            assert_eq!(unpack_rgb(&data[..end]), None, "cut at {end}");
        }
    }
}
