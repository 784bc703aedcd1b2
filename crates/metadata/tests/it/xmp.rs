//! XMP packets and their rewritten forms.

use std::time::Duration;

use metadata::{Picture, Policy, apply, extend_xmp, join_xmp, respects, surely_respects};
use raster::{Metadata, Orientation, Size, Warning};
use testkit::cpu::within;

const WRITTEN: Picture =
    Picture { size: Size { width: 640, height: 480 }, orientation: Orientation::Upright, is_converted: false };

/// Builds a packet with these attributes and elements in its one description.
fn packet(attributes: &str, elements: &str) -> String {
    format!(
        "<?xpacket begin='\u{feff}' id='W5M0MpCehiHzreSzNTczkc9d'?>\n\
         <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\
         <rdf:Description rdf:about='' xmlns:exif='http://ns.adobe.com/exif/1.0/' \
         xmlns:tiff='http://ns.adobe.com/tiff/1.0/' xmlns:dc='http://purl.org/dc/elements/1.1/' \
         xmlns:photoshop='http://ns.adobe.com/photoshop/1.0/' xmlns:xmp='http://ns.adobe.com/xap/1.0/' \
         xmlns:ext='http://iptc.org/std/Iptc4xmpExt/2008-02-29/'{attributes}>{elements}</rdf:Description>\
         </rdf:RDF></x:xmpmeta>\n{}\n<?xpacket end='w'?>",
        " ".repeat(2000)
    )
}

fn rewritten(xmp: &[u8], policy: Policy) -> (Option<String>, Vec<Warning>) {
    let applied = apply(&Metadata { xmp: Some(xmp.into()), ..Metadata::default() }, policy, WRITTEN);
    (applied.metadata.xmp.map(|xmp| String::from_utf8_lossy(&xmp).into_owned()), applied.warnings)
}

fn sound(xmp: &str, policy: Policy) -> String {
    let (xmp, warnings) = rewritten(xmp.as_bytes(), policy);
    assert_eq!(warnings, []);
    xmp.unwrap()
}

#[test]
fn places_are_removed_as_attributes_and_as_elements() {
    let table = [
        (" exif:GPSLatitude='60,23N'", ""),
        ("", "<exif:GPSLatitude>60,23N</exif:GPSLatitude>"),
        ("", "<photoshop:City>60,23N</photoshop:City>"),
        ("", "<ext:LocationShown><rdf:Bag><rdf:li ext:City='60,23N'/></rdf:Bag></ext:LocationShown>"),
        ("", "<ext:LocationShown rdf:parseType='Resource'><ext:Name>60,23N</ext:Name></ext:LocationShown>"),
        (" xmlns:d='http://www.dji.com/drone-dji/1.0/' d:GpsLongtitude='60,23N'", ""),
        ("", "<g:lat xmlns:g='http://www.w3.org/2003/01/geo/wgs84_pos#'>60,23N</g:lat>"),
        (" unheard:GpsPosition='60,23N'", ""),
        ("", "<!-- taken at 60,23N -->"),
    ];
    for (attributes, elements) in table {
        let xmp = packet(
            &format!(" xmp:Rating='5'{attributes} dc:format='image/jpeg'"),
            &format!("<dc:title>A &amp; B</dc:title>{elements}<dc:rights>mine</dc:rights>"),
        );
        let guarded = sound(&xmp, Policy::WithoutLocation);
        assert!(!guarded.contains("60,23N"), "{attributes}{elements}");
        for kept in ["Rating='5'", "Rating=\"5\"", "<dc:title>A &amp; B</dc:title>", "<dc:rights>mine</dc:rights>"] {
            assert!(guarded.contains(kept) || kept.starts_with("Rating"), "{attributes}{elements}: {kept}");
        }
        assert!(guarded.contains("Rating='5'") || guarded.contains("Rating=\"5\""), "{attributes}{elements}");
        assert_eq!(sound(&guarded, Policy::WithoutLocation), guarded, "a second pass changes nothing");
        let comment = elements.starts_with("<!--");
        assert_eq!(sound(&xmp, Policy::Everything).contains("60,23N"), !comment, "{attributes}{elements}");
    }
}

#[test]
fn a_known_namespace_counts_under_any_prefix() {
    let xmp = packet("", "<o:Orientation xmlns:o='http://ns.adobe.com/tiff/1.0/'>6</o:Orientation>");
    assert!(sound(&xmp, Policy::Everything).contains(">1</o:Orientation>"));
    let other = packet("", "<tiff:Orientation xmlns:tiff='http://example.org/'>6</tiff:Orientation>");
    assert!(sound(&other, Policy::Everything).contains(">6</tiff:Orientation>"));
}

/// A regression test for a result of fuzzing: the mark was not counted, and everything was cut three bytes too early.
#[test]
fn a_byte_order_mark_before_the_packet_is_not_part_of_it() {
    let xmp = packet(" tiff:Orientation='6'", "<photoshop:City>Bergen</photoshop:City><dc:title>x</dc:title>");
    for policy in [Policy::WithoutLocation, Policy::Everything] {
        for mark in ["\u{feff}", "\u{feff}\u{feff}"] {
            assert_eq!(sound(&format!("{mark}{xmp}"), policy), sound(&xmp, policy));
        }
    }
}

#[test]
fn orientation_and_sizes_are_those_of_the_result() {
    for policy in [Policy::WithoutLocation, Policy::Everything] {
        let as_attributes = packet(" tiff:Orientation='6' tiff:ImageWidth='4000' exif:PixelYDimension=\"3000\"", "");
        let changed = sound(&as_attributes, policy);
        for part in ["tiff:Orientation=\"1\"", "tiff:ImageWidth=\"640\"", "exif:PixelYDimension=\"480\""] {
            assert!(changed.contains(part), "{part} in {changed}");
        }
        let elements = "<tiff:Orientation>6</tiff:Orientation><exif:PixelXDimension>4000</exif:PixelXDimension>";
        let changed = sound(&packet("", elements), policy);
        let expected = "<tiff:Orientation>1</tiff:Orientation><exif:PixelXDimension>640</exif:PixelXDimension>";
        assert!(changed.contains(expected), "{changed}");
    }
}

#[test]
fn properties_about_other_pictures_are_removed() {
    let xmp = packet(
        " xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/' hdrgm:Version='1.0'",
        "<xmp:Thumbnails><rdf:Alt><rdf:li>c2VjcmV0</rdf:li></rdf:Alt></xmp:Thumbnails>\
         <c:Directory xmlns:c='http://ns.google.com/photos/1.0/container/'>\
         <rdf:Seq><rdf:li c:Item='GainMap'/></rdf:Seq></c:Directory>",
    );
    let kept = sound(&xmp, Policy::Everything);
    assert!(!kept.contains("hdrgm:Version") && !kept.contains("c2VjcmV0") && !kept.contains("GainMap"), "{kept}");
}

#[test]
fn nested_quotes_are_kept_and_padding_is_removed() {
    let xmp = packet(" dc:title='a \"small\" boat' exif:GPSAltitude='9/1' dc:rights=\"Ann's\"", "");
    let guarded = sound(&xmp, Policy::WithoutLocation);
    assert!(guarded.contains(" dc:title='a \"small\" boat' dc:rights=\"Ann's\""), "{guarded}");
    assert!(guarded.ends_with("</x:xmpmeta>\n<?xpacket end='w'?>"), "{guarded}");
}

#[test]
fn broken_packets_are_kept_only_when_everything_is_kept() {
    let sound = packet("", "<dc:title>x</dc:title>");
    let table = [
        sound.replace("</dc:title>", "</dc:other>").into_bytes(),
        sound.replace("<dc:title>", "").into_bytes(),
        sound[..sound.find("</rdf:RDF>").unwrap()].into(),
        format!("<!DOCTYPE x [<!ENTITY g 'GPSLatitude'>]>{sound}").into_bytes(),
        b"\xFF\xFE<\0x\0".to_vec(),
        b"<a b=>".to_vec(),
    ];
    for xmp in table {
        let name = String::from_utf8_lossy(&xmp).into_owned();
        assert_eq!(rewritten(&xmp, Policy::WithoutLocation), (None, vec![Warning::Skipped("xmp")]), "{name}");
        let everything =
            apply(&Metadata { xmp: Some(xmp.clone()), ..Metadata::default() }, Policy::Everything, WRITTEN);
        assert_eq!(everything.metadata.xmp, Some(xmp), "{name}");
    }
}

#[test]
fn an_extension_follows_the_same_rules_and_is_joined_when_it_fits() {
    let written = |extension: &str, policy| {
        let (xmp, extension) = (packet(" xmp:Rating='5'", ""), extension.to_owned());
        let source = Metadata { xmp: Some(xmp.into()), xmp_extension: Some(extension.into()), ..Metadata::default() };
        apply(&source, policy, WRITTEN)
    };
    let places = packet(" exif:GPSLatitude='60,23N'", "<dc:source>here</dc:source>");
    for (policy, tells) in [(Policy::Everything, true), (Policy::WithoutLocation, false)] {
        let mut metadata = written(&places, policy).metadata;
        assert_eq!(respects(&metadata, Policy::WithoutLocation), !tells);
        assert_eq!(surely_respects(&metadata, Policy::WithoutLocation), !tells);
        assert!(!join_xmp(&mut metadata, 500) && metadata.xmp_extension.is_some(), "no room");
        assert!(join_xmp(&mut metadata, 10_000) && metadata.xmp_extension.is_none());
        let (joined, warnings) = rewritten(metadata.xmp.as_ref().unwrap(), policy);
        let joined = joined.unwrap();
        assert!(warnings.is_empty() && joined.contains("Rating=") && joined.contains("<dc:source>here</dc:source>"));
        assert_eq!(joined.contains("60,23N"), tells);
        assert_eq!(joined.matches("<rdf:Description").count(), 2);
    }
    let only_places = written(&packet(" exif:GPSLatitude='60,23N'", ""), Policy::WithoutLocation);
    assert_eq!((only_places.metadata.xmp_extension, only_places.warnings), (None, vec![]));
    let broken = written("<x", Policy::WithoutLocation);
    assert_eq!((broken.metadata.xmp_extension, broken.warnings), (None, vec![Warning::Skipped("xmp")]));

    let foreign = [
        places.replace("rdf:RDF", "r:RDF").replace("xmlns:rdf", "xmlns:r"),
        places.replace("<rdf:RDF ", "<rdf:RDF xmlns:more='http://example.org/' "),
    ];
    for foreign in foreign {
        let mut metadata = written(&foreign, Policy::Everything).metadata;
        assert!(!join_xmp(&mut metadata, 10_000), "{foreign}");
    }
}

#[test]
fn a_packet_becomes_the_extension_of_an_empty_one_and_comes_back() {
    let xmp = packet(" xmp:Rating='5'", "<dc:title>x</dc:title>");
    for xmp in [&xmp, xmp.split_once("?>\n").unwrap().1] {
        let mut metadata = Metadata { xmp: Some(xmp.into()), ..Metadata::default() };
        extend_xmp(&mut metadata);
        let extension = String::from_utf8(metadata.xmp_extension.clone().unwrap()).unwrap();
        assert!(extension.starts_with("<x:xmpmeta ") && extension.ends_with("</x:xmpmeta>"), "{extension}");
        assert!(!String::from_utf8_lossy(metadata.xmp.as_ref().unwrap()).contains("Description"));
        assert!(join_xmp(&mut metadata, 10_000));
        let back = sound(str::from_utf8(metadata.xmp.as_ref().unwrap()).unwrap(), Policy::Everything);
        assert!(back.contains("xmp:Rating='5'") && back.contains("<dc:title>x</dc:title>"), "{back}");
    }
    for broken in ["", "<a", "<a/>", "<?xpacket begin=''?>"] {
        let before = Metadata { xmp: Some(broken.into()), ..Metadata::default() };
        let mut metadata = before.clone();
        extend_xmp(&mut metadata);
        assert_eq!(metadata, before, "{broken}");
    }
}

#[test]
fn no_prefix_and_no_flipped_bit_panics_or_leaks() {
    let xmp =
        packet(" tiff:Orientation='6' exif:GPSLatitude='1'", "<photoshop:City>Bergen</photoshop:City>").into_bytes();
    for end in 0..xmp.len() {
        let _ = rewritten(&xmp[..end], Policy::WithoutLocation);
    }
    for bit in 0..xmp.len() * 8 {
        let mut flipped = xmp.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let xmp = rewritten(&flipped, Policy::WithoutLocation).0.map(String::into_bytes);
        assert!(respects(&Metadata { xmp, ..Metadata::default() }, Policy::WithoutLocation), "bit {bit}");
    }
}

#[test]
fn deep_nesting_and_many_declarations_are_refused_quickly() {
    let deep = format!("<x>{}{}</x>", "<a>".repeat(1_000_000), "</a>".repeat(1_000_000));
    let wide: String = (0..200_000).map(|i| format!(" xmlns:n{i}='u' n{i}:a=''")).collect();
    within(Duration::from_secs(5), "nesting", || {
        for endless in [deep, format!("<x{wide}/>")] {
            let (_, warnings) = rewritten(endless.as_bytes(), Policy::WithoutLocation);
            assert_eq!(warnings, [Warning::Skipped("xmp")]);
        }
    });
}
