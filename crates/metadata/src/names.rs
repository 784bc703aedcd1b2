//! Decides which XMP properties are dropped and which get new values. Known namespaces are decisive; otherwise the
//! words in the name are, so that coordinates in an unknown namespace are dropped too.

use crate::policy::{Picture, Policy};

/// What happens to a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Keep,
    Drop,
    Set(u32),
}

const XMP: &str = "http://ns.adobe.com/xap/1.0/";
const NOTE: &str = "http://ns.adobe.com/xmp/note/";
const TIFF: &str = "http://ns.adobe.com/tiff/1.0/";
const EXIF: &str = "http://ns.adobe.com/exif/1.0/";
const PHOTOSHOP: &str = "http://ns.adobe.com/photoshop/1.0/";
const CAMERA: &str = "http://ns.google.com/photos/1.0/camera/";

/// Namespaces of the syntax, which have no properties. Their names are not examined: `rdf:Alt` is not an altitude.
const SYNTAX: [&str; 4] = [
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "adobe:ns:meta/",
    "http://www.w3.org/XML/1998/namespace",
    "http://www.w3.org/2000/xmlns/",
];

/// Prefixes of namespaces that describe parts of the file which the result does not contain: gain maps, depth maps,
/// sound.
const GONE: [&str; 8] = [
    "http://ns.adobe.com/hdr-gain-map/",
    "http://ns.apple.com/HDRGainMap/",
    "http://ns.apple.com/pixeldatainfo/",
    "http://ns.google.com/photos/1.0/container/",
    "http://ns.google.com/photos/1.0/depthmap/",
    "http://ns.google.com/photos/1.0/image/",
    "http://ns.google.com/photos/1.0/audio/",
    "http://ns.google.com/photos/dd/",
];

/// Namespaces that contain places only: the W3C's and Darwin Core.
const PLACES: [&str; 3] =
    ["http://www.w3.org/2003/01/geo/", "http://rs.tdwg.org/dwc/", "http://purl.org/dc/terms/Location"];

/// Letters that make any name that contains them a place. A maker of drones writes "Longtitude".
const PARTS: [&str; 9] =
    ["gps", "geotag", "latitude", "longitude", "longtitude", "altitude", "location", "country", "landmark"];

/// Whole names that are places.
const WHOLE: [&str; 10] =
    ["city", "state", "province", "provincestate", "lat", "long", "lon", "lng", "alt", "coverage"];

/// Keywords of texts that contain places; web pages use the last one.
const KEYWORDS: [&str; 5] = ["place", "address", "venue", "coordinates", "icbm"];

/// The value of EXIF's colour space for sRGB.
pub(crate) const SRGB: u32 = 1;

/// Prefixes of namespaces that describe a gain map, by Adobe and by Apple, and the parts of a file that has one.
const GAIN_MAP: [&str; 4] = [GONE[0], GONE[1], GONE[2], GONE[3]];

/// Whether a property belongs to a gain map or to the directory of a file's parts.
pub(crate) fn is_of_gain_map(namespace: &str) -> bool {
    GAIN_MAP.iter().any(|prefix| namespace.starts_with(prefix))
}

/// Whether a property states the density of the picture.
pub(crate) fn is_resolution(namespace: &str, name: &str) -> bool {
    namespace == TIFF && matches!(name, "XResolution" | "YResolution" | "ResolutionUnit")
}

/// What happens to the property `name` of `namespace`, which is empty when unknown.
pub(crate) fn verdict(namespace: &str, name: &str, policy: Policy, picture: Picture) -> Verdict {
    match (namespace, name) {
        (TIFF, "Orientation") => return Verdict::Set(picture.orientation.exif().into()),
        (TIFF, "ImageWidth") | (EXIF, "PixelXDimension") => return Verdict::Set(picture.size.width),
        (EXIF, "ColorSpace") if picture.is_converted => return Verdict::Set(SRGB),
        (PHOTOSHOP, "ICCProfile") if picture.is_converted => return Verdict::Drop,
        (TIFF, "ImageLength") | (EXIF, "PixelYDimension") => return Verdict::Set(picture.size.height),
        _ => {}
    }
    let drop = is_gone(namespace, name) || (policy == Policy::WithoutLocation && is_place(namespace, name));
    if drop { Verdict::Drop } else { Verdict::Keep }
}

/// Whether a property describes what the result does not contain: other pictures, the old thumbnail, a packet's
/// extension.
fn is_gone(namespace: &str, name: &str) -> bool {
    GONE.iter().any(|gone| namespace.starts_with(gone))
        || match namespace {
            XMP => name == "Thumbnails",
            NOTE => name == "HasExtendedXMP",
            CAMERA => name.starts_with("MicroVideo") || name.starts_with("MotionPhoto"),
            _ => false,
        }
}

/// Whether a namespace belongs to the syntax.
pub(crate) fn is_syntax(namespace: &str) -> bool {
    SYNTAX.contains(&namespace)
}

fn is_place(namespace: &str, name: &str) -> bool {
    if is_syntax(namespace) {
        return false;
    }
    // Google's own notes are encrypted. The subject's location is a position in the picture, in pixels.
    let unreadable = namespace == CAMERA && matches!(name, "hdrp_makernote" | "shot_log_data");
    let place = || is_place_word(&name.as_bytes().to_ascii_lowercase());
    PLACES.iter().any(|place| namespace.starts_with(place)) || unreadable || (name != "SubjectLocation" && place())
}

fn is_place_word(name: &[u8]) -> bool {
    PARTS.iter().any(|part| contains(name, part)) || WHOLE.iter().any(|whole| whole.as_bytes() == name)
}

/// Whether `part` occurs in a text. The standard library's search, which is faster in long texts, has 3 kB of code.
fn contains(text: &[u8], part: &str) -> bool {
    text.windows(part.len()).any(|window| window == part.as_bytes())
}

/// Whether an XMP packet may have a property that is a place: one of its words is the name of one. Words of values
/// count, too. Packets in which names could be hidden, by another encoding or by entities, may have one.
pub(crate) fn may_name_place(packet: &[u8]) -> bool {
    if core::str::from_utf8(packet).is_err() || contains(packet, "<!") || packet.contains(&0) {
        return true;
    }
    let is_part = |byte: u8| !byte.is_ascii() || byte.is_ascii_alphanumeric() || b"_-.:".contains(&byte);
    let mut words = packet.split(|&byte| !is_part(byte)).filter(|&word| word != b"rdf:Alt");
    PLACES.iter().any(|place| contains(packet, place))
        || words.any(|word| {
            let name = word.rsplit(|&byte| byte == b':').next().unwrap_or(word);
            let is_unreadable = matches!(name, b"hdrp_makernote" | b"shot_log_data");
            is_unreadable || (name != b"SubjectLocation" && is_place_word(&name.to_ascii_lowercase()))
        })
}

/// Whether a text under this keyword is a place. The keyword is examined as a property's name is, with and without its
/// prefix and punctuation.
pub(crate) fn is_place_keyword(keyword: &str) -> bool {
    let keyword = keyword.to_ascii_lowercase();
    let (prefix, local) = keyword.rsplit_once([':', '.']).unwrap_or(("", &keyword));
    let name: String = local.chars().filter(char::is_ascii_alphanumeric).collect();
    is_place_word(keyword.as_bytes())
        || is_place_word(name.as_bytes())
        || prefix == "geo"
        || KEYWORDS.contains(&name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Drop, Keep, Set};
    use raster::{Orientation, Size};

    #[test]
    fn converted_colours_are_srgb() {
        let verdicts = |is_converted| {
            let picture = Picture { size: Size::new(30, 20), orientation: Orientation::Upright, is_converted };
            [(EXIF, "ColorSpace"), (PHOTOSHOP, "ICCProfile")]
                .map(|(namespace, name)| verdict(namespace, name, Policy::Everything, picture))
        };
        assert_eq!(verdicts(false), [Keep, Keep]);
        assert_eq!(verdicts(true), [Set(1), Drop]);
    }

    #[test]
    fn packets_with_a_word_for_a_place_may_have_one() {
        for (packet, may) in [
            (&b"<rdf:Description dc:format=\"image/avif\"><dc:title><rdf:Alt/></dc:title>"[..], false),
            (b"<exif:SubjectLocation>1 2</exif:SubjectLocation>", false),
            (b"<a:Velocity>3</a:Velocity><b:Opacity/><c:Alternative/>", false),
            (b"<rdf:Description exif:GPSLatitude=\"1\">", true),
            (b"<photoshop:City>Bonn</photoshop:City>", true),
            (b"<x lat='1'>", true),
            (b"<x:Description xmlns:g=\"http://www.w3.org/2003/01/geo/wgs84_pos#\" g:x='1'/>", true),
            (b"<GCamera:hdrp_makernote>a</GCamera:hdrp_makernote>", true),
            (b"<!DOCTYPE x [<!ENTITY c \"City\">]><x/>", true),
            (b"<\0x\0/\0>\0", true),
            (b"\xff\xfe<x/>", true),
        ] {
            assert_eq!(may_name_place(packet), may, "{}", packet.escape_ascii());
        }
    }

    #[test]
    fn properties_are_decided_by_namespace_and_name() {
        let drone = "http://www.dji.com/drone-dji/1.0/";
        let iptc = "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/";
        let table = [
            (TIFF, "Orientation", Set(1), Set(1)),
            (TIFF, "ImageLength", Set(20), Set(20)),
            (EXIF, "PixelXDimension", Set(30), Set(30)),
            (EXIF, "GPSLatitude", Drop, Keep),
            (EXIF, "SubjectLocation", Keep, Keep),
            (EXIF, "FocalLength", Keep, Keep),
            (PHOTOSHOP, "City", Drop, Keep),
            (PHOTOSHOP, "Credit", Keep, Keep),
            (iptc, "Location", Drop, Keep),
            (iptc, "CountryCode", Drop, Keep),
            (iptc, "CiAdrCity", Keep, Keep),
            ("http://iptc.org/std/Iptc4xmpExt/2008-02-29/", "LocationShown", Drop, Keep),
            (drone, "GpsLongtitude", Drop, Keep),
            (drone, "RelativeAltitude", Drop, Keep),
            (drone, "GimbalYawDegree", Keep, Keep),
            ("http://www.w3.org/2003/01/geo/wgs84_pos#", "x", Drop, Keep),
            ("", "lat", Drop, Keep),
            (SYNTAX[0], "Alt", Keep, Keep),
            ("http://example.org/", "Opacity", Keep, Keep),
            ("http://example.org/", "Velocity", Keep, Keep),
            (XMP, "Thumbnails", Drop, Drop),
            (XMP, "Rating", Keep, Keep),
            (NOTE, "HasExtendedXMP", Drop, Drop),
            ("http://ns.adobe.com/hdr-gain-map/1.0/", "Version", Drop, Drop),
            ("http://ns.google.com/photos/1.0/container/item/", "Mime", Drop, Drop),
            (CAMERA, "MotionPhotoVersion", Drop, Drop),
            (CAMERA, "hdrp_makernote", Drop, Keep),
            (CAMERA, "SpecialTypeID", Keep, Keep),
        ];
        for (namespace, name, guarded, everything) in table {
            let picture = Picture { size: Size::new(30, 20), orientation: Orientation::Upright, is_converted: false };
            assert_eq!(verdict(namespace, name, Policy::WithoutLocation, picture), guarded, "{namespace}{name}");
            assert_eq!(verdict(namespace, name, Policy::Everything, picture), everything, "{namespace}{name}");
        }
    }
}
