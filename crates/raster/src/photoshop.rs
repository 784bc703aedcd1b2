//! Photoshop's image resources, in which JPEG, TIFF and PNG wrap IPTC-IIM (Adobe Photoshop File Formats, "Image
//! Resource Blocks"). A resource is `8BIM`, a number, a name, a length and data; name and data are padded to even
//! lengths.

/// The number of the resource with IPTC-IIM datasets.
const IPTC: u16 = 0x0404;

/// Returns the IPTC-IIM datasets among resources. The search ends at the first damaged resource.
#[must_use]
pub fn iptc(resources: &[u8]) -> Option<&[u8]> {
    let mut rest = resources;
    loop {
        let (&[b'8', b'B', b'I', b'M', n1, n0, name], _) = rest.split_first_chunk()? else { return None };
        let name = (1 + usize::from(name)).next_multiple_of(2);
        let (len, data) = rest.get(6 + name..)?.split_first_chunk()?;
        let len = u32::from_be_bytes(*len) as usize;
        if u16::from_be_bytes([n1, n0]) == IPTC {
            return data.get(..len).filter(|data| !data.is_empty());
        }
        // The padding of the last resource may be missing; no further resource follows then.
        rest = data.get(len.checked_next_multiple_of(2)?..)?;
    }
}

/// Returns one resource with these datasets.
#[must_use]
pub fn wrap_iptc(iptc: &[u8]) -> Vec<u8> {
    let mut resource = b"8BIM\x04\x04\0\0".to_vec();
    resource.extend((iptc.len() as u32).to_be_bytes());
    resource.extend(iptc);
    resource.resize(resource.len().next_multiple_of(2), 0);
    resource
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn datasets_are_found_among_other_resources_and_read_back_unchanged() {
        let other = b"8BIM\x03\xED\x03abc\0\0\0\x03xyz\0";
        for datasets in [&b"\x1C\x02\x50\0\x03Ann"[..], b"\x1C\x02\x50\0\x02An"] {
            let resources = [&other[..], &wrap_iptc(datasets), other].concat();
            assert_eq!(iptc(&resources), Some(datasets));
            for end in 0..other.len() + 12 + datasets.len() {
                assert_eq!(iptc(&resources[..end]), None, "cut at {end}");
            }
        }
        assert_eq!(iptc(other), None);
        assert_eq!(iptc(b"8BIM\x03\xED\0\0\xFF\xFF\xFF\xFFdata"), None);
    }
}
