//! XMP packets (ISO 16684-1) as texts, to which a description can be added without a parser.

/// A packet without properties.
pub const EMPTY: &str = "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF \
    xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"></rdf:RDF></x:xmpmeta>";

/// Returns a packet with one more description, an element `rdf:Description`, or `None` when the packet has no
/// descriptions.
#[must_use]
pub fn with_description(xmp: &[u8], description: &str) -> Option<Vec<u8>> {
    let last = |bytes: &[u8], part: &[u8]| bytes.windows(part.len()).rposition(|window| window == part);
    let end = last(&xmp[..last(xmp, b":RDF>")?], b"</")?;
    Some([&xmp[..end], description.as_bytes(), &xmp[end..]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_added_behind_the_others() {
        let one = with_description(EMPTY.as_bytes(), "<a/>").unwrap();
        let two = String::from_utf8(with_description(&one, "<b/>").unwrap()).unwrap();
        assert!(two.contains("<a/><b/></rdf:RDF></x:xmpmeta>"), "{two}");
        assert_eq!(with_description(b"<x:xmpmeta/>", "<a/>"), None);
    }
}
