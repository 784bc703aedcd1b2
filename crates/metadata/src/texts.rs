//! Texts under keywords: PNG's title, author and comment, and the texts that programs add.

use ifd::{Builder, Order, tag};
use raster::Text;

use crate::names;
use crate::policy::Policy;

/// The bytes from which a text is too long for EXIF: the whole block of a JPEG has 64 KB.
const LONG: usize = 10_000;

/// The ways in which an XMP packet begins. Programs store packets under many keywords.
const PACKETS: [&str; 3] = ["<?xpacket", "<x:xmpmeta", "<rdf:RDF"];

/// Returns the texts that a result may contain. A text under "Comment" is its author's and stays; a text under "City"
/// or "exif:GPSLatitude" (which ImageMagick writes) is a place. An XMP packet is removed because it may contain a
/// place.
pub(crate) fn kept(texts: &[Text], policy: Policy) -> Vec<Text> {
    let may_stay = |text: &&Text| policy == Policy::Everything || !has_place(text);
    texts.iter().filter(may_stay).cloned().collect()
}

fn has_place(text: &Text) -> bool {
    names::is_place_keyword(&text.keyword) || PACKETS.iter().any(|packet| text.text.contains(packet))
}

/// Returns an EXIF block of the texts for which EXIF has tags: ImageDescription, Artist and Copyright (TIFF 6.0 §8).
/// The texts are UTF-8, as programs write and read them, although the standard requires ASCII.
pub(crate) fn exif(texts: &[Text]) -> Option<Vec<u8>> {
    let find = |keyword: &str| texts.iter().find(|text| text.keyword == keyword && text.text.len() < LONG);
    let found = [
        (tag::IMAGE_DESCRIPTION, find("Description").or_else(|| find("Title"))),
        (tag::ARTIST, find("Author")),
        (tag::COPYRIGHT, find("Copyright")),
    ];
    let mut block = Builder::new(Order::Big);
    for (tag, text) in found {
        text.into_iter().for_each(|text| block.text(tag, &text.text));
    }
    if block.fields.is_empty() { None } else { block.into_block().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stay_unless_their_keyword_is_a_place_or_they_are_packets() {
        let table = [
            ("Title", "Bergen", true),
            ("Comment", "We stood at 60.39 N", true),
            ("parameters", "a town, Steps: 20, Seed: 7", true),
            ("Software", "gimp", true),
            ("date:create", "2024-05-01", true),
            ("Status", "final", true),
            ("Placeholder", "x", true),
            ("Location", "Bergen", false),
            ("City", "Bergen", false),
            ("Province-State", "Vestland", false),
            ("photoshop:City", "Bergen", false),
            ("exif:GPSLatitude", "60/1, 23/1, 34/1", false),
            ("GPS Position", "60 N", false),
            ("geo:lat", "60.39", false),
            ("geo.placename", "Bergen", false),
            ("ICBM", "60.39, 5.32", false),
            ("Place", "Bergen", false),
            ("Address", "Strandgaten 1", false),
            ("Coordinates", "60.39, 5.32", false),
            ("xmp", "<?xpacket begin=''?><x:xmpmeta/>", false),
            ("Notes", "<rdf:RDF/>", false),
        ];
        for (keyword, text, stays) in table {
            let texts = [Text { keyword: keyword.into(), text: text.into(), ..Text::default() }];
            assert_eq!(kept(&texts, Policy::WithoutLocation).len(), usize::from(stays), "{keyword}");
            assert_eq!(kept(&texts, Policy::Everything), texts);
        }
    }
}
