//! IPTC-IIM 4.2: a list of datasets. Each is 0x1C, record, number, length, data (§1.5). Seven of them name places.

const MARKER: u8 = 0x1C;

/// Numbers of the datasets of record 2 that name places: ContentLocationCode and -Name, City, Sublocation,
/// Province/State, Country code and name.
const PLACES: [u8; 7] = [26, 27, 90, 92, 95, 100, 101];

/// Returns the datasets without places, up to the first damaged one, or `None` when none is left.
pub(crate) fn without_places(iptc: &[u8]) -> Option<Vec<u8>> {
    let mut kept = Vec::with_capacity(iptc.len());
    let mut rest = iptc;
    while let Some((dataset, after)) = split(rest) {
        if !(dataset[1] == 2 && PLACES.contains(&dataset[2])) {
            kept.extend_from_slice(dataset);
        }
        rest = after;
    }
    (!kept.is_empty()).then_some(kept)
}

/// Splits off the first dataset. Its length has two bytes; when the high bit is set, they are the length of the length
/// (§1.5.d).
fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let &[MARKER, _, _, high, low] = bytes.first_chunk()? else { return None };
    let short = u16::from_be_bytes([high, low]);
    let (start, len) = if short < 0x8000 {
        (5, usize::from(short))
    } else {
        let digits = usize::from(short & 0x7FFF);
        let long = bytes.get(5..5 + digits).filter(|_| digits <= 4)?;
        (5 + digits, long.iter().fold(0_usize, |sum, &byte| sum << 8 | usize::from(byte)))
    };
    bytes.split_at_checked(start.checked_add(len)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dataset(record: u8, number: u8, data: &[u8]) -> Vec<u8> {
        [&[MARKER, record, number, 0, data.len() as u8], data].concat()
    }

    #[test]
    fn places_are_removed_and_all_else_stays_in_order() {
        let kept =
            [dataset(1, 90, b"\x1B%G"), dataset(2, 80, b"Ann"), dataset(2, 120, b"A boat"), dataset(3, 90, b"x")];
        let mut all = Vec::new();
        for (i, place) in PLACES.iter().enumerate() {
            all.extend(dataset(2, *place, b"Bergen"));
            all.extend(kept.get(i).cloned().unwrap_or_default());
        }
        assert_eq!(without_places(&all), Some(kept.concat()));
        assert_eq!(without_places(&dataset(2, 90, b"Bergen")), None);
    }

    #[test]
    fn extended_lengths_are_read_and_damage_ends_the_list() {
        let long = [&[MARKER, 2, 90, 0x80, 4, 0, 0, 0, 6][..], b"Bergen"].concat();
        let name = dataset(2, 80, b"Ann");
        assert_eq!(without_places(&[&long[..], &name].concat()), Some(name.clone()));
        for end in 0..long.len() {
            assert_eq!(without_places(&[&name[..], &long[..end]].concat()), Some(name.clone()), "cut at {end}");
        }
        assert_eq!(without_places(&[MARKER, 2, 80, 0xFF, 0xFF]), None);
        assert_eq!(without_places(&[MARKER, 2, 80, 0x80, 4, 255, 255, 255, 255]), None);
    }
}
