//! The configuration of a HEVC decoder (ISO/IEC 14496-15, §8.3.3.1): parameter sets, which describe pictures.

use heifer_hevc_dec::nal::{NalUnit, NalUnitType};
use heifer_hevc_dec::params::Sps;

/// Returns the name of the codec with the parameters of a configuration (ISO/IEC 14496-15, §E.3).
pub(crate) fn codec_name(configuration: &[u8]) -> Option<String> {
    let &[_, profile, c0, c1, c2, c3, ref constraints @ .., level] = configuration.first_chunk::<13>()?;
    let space = ["", "A", "B", "C"][usize::from(profile >> 6)];
    let compatible = u32::from_be_bytes([c0, c1, c2, c3]).reverse_bits();
    let tier = if profile & 0x20 == 0 { 'L' } else { 'H' };
    let mut name = format!("hvc1.{space}{}.{compatible:X}.{tier}{level}", profile & 31);
    let used = constraints.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    for byte in &constraints[..used] {
        name += &format!(".{byte:X}");
    }
    Some(name)
}

/// The parameter sets of a configuration.
#[derive(Debug)]
pub(crate) struct Configuration<'a> {
    /// The bytes of the length before each unit in the data of pictures, 1 to 4.
    #[cfg(feature = "decode")]
    length_len: usize,
    units: Vec<&'a [u8]>,
}

impl<'a> Configuration<'a> {
    /// Reads the contents of box `hvcC`.
    pub(crate) fn read(bytes: &'a [u8]) -> Option<Self> {
        /// The fields before the arrays.
        const HEADER: usize = 22;
        #[cfg(feature = "decode")]
        let length_len = usize::from(bytes.get(HEADER - 1)? & 3) + 1;
        let (&arrays, mut rest) = bytes.get(HEADER..)?.split_first()?;
        let mut units = Vec::new();
        for _ in 0..arrays {
            let count = u16::from_be_bytes([*rest.get(1)?, *rest.get(2)?]);
            rest = rest.get(3..)?;
            for _ in 0..count {
                let len = u16::from_be_bytes([*rest.first()?, *rest.get(1)?]).into();
                units.push(rest.get(2..)?.get(..len)?);
                rest = &rest[2 + len..];
            }
        }
        Some(Self {
            #[cfg(feature = "decode")]
            length_len,
            units,
        })
    }

    /// Returns the sequence parameter set, which describes the samples.
    pub(crate) fn sequence(&self) -> Option<Sps> {
        let units = self.units.iter().filter_map(|unit| NalUnit::parse(unit).ok());
        let mut sets = units.filter(|unit| unit.header.unit_type == NalUnitType::Sps);
        Sps::parse(&sets.next()?.rbsp).ok()
    }

    /// Returns the parameter sets and the units of a picture's data. `None` if the lengths contradict the data.
    #[cfg(feature = "decode")]
    pub(crate) fn units_of(&self, data: &'a [u8]) -> Option<Vec<&'a [u8]>> {
        let (mut units, mut rest) = (self.units.clone(), data);
        while !rest.is_empty() {
            let (length, tail) = rest.split_at_checked(self.length_len)?;
            let len = length.iter().fold(0, |len, &byte| len << 8 | usize::from(byte));
            let (unit, tail) = tail.split_at_checked(len)?;
            units.push(unit);
            rest = tail;
        }
        units.retain(|unit| !unit.is_empty());
        Some(units)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_codec_states_profile_tier_level_and_constraints() {
        // The first two names are the examples of the standard's annex.
        let rows: [(&[u8], Option<&str>); 5] = [
            (&[1, 1, 0x60, 0, 0, 0, 0xB0, 0, 0, 0, 0, 0, 93], Some("hvc1.1.6.L93.B0")),
            (&[1, 0x61, 0x60, 0, 0, 0, 0xB0, 0, 0, 0, 0, 0, 93], Some("hvc1.A1.6.H93.B0")),
            (&[1, 3, 0x70, 0, 0, 0, 0x90, 0, 0, 0, 0, 8, 90], Some("hvc1.3.E.L90.90.0.0.0.0.8")),
            (&[1, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 60], Some("hvc1.4.10.L60")),
            (&[1, 1, 0x60], None),
        ];
        for (configuration, name) in rows {
            assert_eq!(codec_name(configuration).as_deref(), name);
        }
    }

    #[test]
    fn units_of_a_configuration_and_of_a_picture_follow_each_other() {
        let mut bytes = vec![0; 21];
        bytes.extend([0xFD, 2, 0x20, 0, 1, 0, 2, 7, 8, 0x21, 0, 2, 0, 1, 9, 0, 0]);
        let configuration = Configuration::read(&bytes).unwrap();
        assert_eq!(configuration.units, [&[7, 8][..], &[9], &[]]);
        let units = configuration.units_of(&[0, 3, 1, 2, 3, 0, 0, 0, 1, 4]).unwrap();
        assert_eq!(units, [&[7, 8][..], &[9], &[1, 2, 3], &[4]]);
        assert_eq!(configuration.units_of(&[0, 3, 1, 2]), None);
        assert_eq!(configuration.units_of(&[0]), None);
        for len in 0..bytes.len() {
            assert!(Configuration::read(&bytes[..len]).is_none(), "{len}");
        }
    }
}
