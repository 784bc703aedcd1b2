//! Texts under keywords: PNG's title, author, comment …, and what programs add to them.

use raster::Text;

use crate::{Policy, names};

/// TIFF's type of text.
const ASCII: u16 = 2;

/// Texts of so many bytes are too long for EXIF, all of which has 64 KB in a JPEG.
const LONG: usize = 10_000;

/// How XMP begins, under whatever keyword it hides.
const PACKETS: [&str; 3] = ["<?xpacket", "<x:xmpmeta", "<rdf:RDF"];

/// The texts that a result may hold. What is written under "Comment" is its writer's; what is written under "City" or
/// "exif:GPSLatitude" (as ImageMagick does) is a place, and so may be any part of a packet.
pub(crate) fn kept(texts: &[Text], policy: Policy) -> Vec<Text> {
    let may_stay = |text: &&Text| policy == Policy::Everything || !tells_place(text);
    texts.iter().filter(may_stay).cloned().collect()
}

fn tells_place(text: &Text) -> bool {
    names::is_place_keyword(&text.keyword) || PACKETS.iter().any(|packet| text.text.contains(packet))
}

/// EXIF of what texts say, where it has a place for that: ImageDescription, Artist and Copyright (TIFF 6.0 §8), in
/// UTF-8, as everybody writes and reads them.
pub(crate) fn exif(texts: &[Text]) -> Option<Vec<u8>> {
    let find = |keyword: &str| texts.iter().find(|text| text.keyword == keyword && text.text.len() < LONG);
    let found = [
        (0x010E_u16, find("Description").or_else(|| find("Title"))),
        (0x013B, find("Author")),
        (0x8298, find("Copyright")),
    ];
    let entries: Vec<(u16, &str)> = found.into_iter().filter_map(|(tag, text)| Some((tag, &*text?.text))).collect();
    if entries.is_empty() {
        return None;
    }
    let mut block = b"MM\0\x2a\0\0\0\x08\0".to_vec();
    block.push(entries.len() as u8);
    let mut values = Vec::new();
    let behind = block.len() + 12 * entries.len() + 4;
    for (tag, text) in entries {
        let value = [text.as_bytes(), &[0]].concat();
        block.extend([tag, ASCII].map(u16::to_be_bytes).as_flattened());
        block.extend((value.len() as u32).to_be_bytes());
        // Four bytes and less stand in the entry itself.
        if value.len() <= 4 {
            block.extend([&value[..], &[0; 3]].concat().iter().take(4));
        } else {
            block.extend(((behind + values.len()) as u32).to_be_bytes());
            values.extend(value);
            values.resize(values.len().next_multiple_of(2), 0);
        }
    }
    block.extend([0; 4]);
    Some([block, values].concat())
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
