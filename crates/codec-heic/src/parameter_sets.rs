//! The configuration of a HEVC decoder (ISO/IEC 14496-15, §8.3.3.1): parameter sets, which describe pictures.

use heifer_hevc_dec::nal::{NalUnit, NalUnitType};
use heifer_hevc_dec::params::Sps;

/// What precedes each unit in a byte stream (H.265, annex B).
const START: [u8; 4] = [0, 0, 0, 1];

/// The parameter sets of a configuration.
#[derive(Debug)]
pub(crate) struct Configuration<'a> {
    /// The bytes of the length before each unit in the data of pictures, 1 to 4.
    length_len: usize,
    units: Vec<&'a [u8]>,
}

impl<'a> Configuration<'a> {
    /// Reads the contents of box `hvcC`.
    pub(crate) fn read(bytes: &'a [u8]) -> Option<Self> {
        /// The fields before the arrays.
        const HEADER: usize = 22;
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
        Some(Self { length_len, units })
    }

    /// Returns the sequence parameter set, which describes the samples.
    pub(crate) fn sequence(&self) -> Option<Sps> {
        let units = self.units.iter().filter_map(|unit| NalUnit::parse(unit).ok());
        let mut sets = units.filter(|unit| unit.header.unit_type == NalUnitType::Sps);
        Sps::parse(&sets.next()?.rbsp).ok()
    }

    /// Returns a byte stream of the parameter sets and of a picture's data. `None` if the lengths contradict the data.
    pub(crate) fn byte_stream(&self, data: &[u8]) -> Option<Vec<u8>> {
        let sets: usize = self.units.iter().map(|unit| START.len() + unit.len()).sum();
        let mut stream = Vec::with_capacity(sets + data.len() + START.len());
        self.units.iter().for_each(|unit| stream.extend([&START, *unit].concat()));
        let mut rest = data;
        while !rest.is_empty() {
            let (length, tail) = rest.split_at_checked(self.length_len)?;
            let len = length.iter().fold(0, |len, &byte| len << 8 | usize::from(byte));
            let (unit, tail) = tail.split_at_checked(len)?;
            stream.extend(START);
            stream.extend(unit);
            rest = tail;
        }
        Some(stream)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_a_configuration_and_of_a_picture_become_a_byte_stream() {
        let mut bytes = vec![0; 21];
        bytes.extend([0xFD, 2, 0x20, 0, 1, 0, 2, 7, 8, 0x21, 0, 2, 0, 1, 9, 0, 0]);
        let configuration = Configuration::read(&bytes).unwrap();
        assert_eq!(configuration.units, [&[7, 8][..], &[9], &[]]);
        let stream = configuration.byte_stream(&[0, 3, 1, 2, 3, 0, 1, 4]).unwrap();
        assert_eq!(stream, [0, 0, 0, 1, 7, 8, 0, 0, 0, 1, 9, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 3, 0, 0, 0, 1, 4]);
        assert_eq!(configuration.byte_stream(&[0, 3, 1, 2]), None);
        assert_eq!(configuration.byte_stream(&[0]), None);
        for len in 0..bytes.len() {
            assert!(Configuration::read(&bytes[..len]).is_none(), "{len}");
        }
    }
}
