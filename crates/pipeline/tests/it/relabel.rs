//! A copy with other metadata has the same pixels and the same profile, and says no more than the policy allows.

use pipeline::{Encoding, Policy, respects};
use raster::{Budget, Format, ImageSpec, Limits, Metadata, Notes, PixelFormat, Size};
use testkit::generate;

use crate::shared::{long_profile, picture};

const POLICIES: [Policy; 3] = [Policy::Everything, Policy::WithoutLocation, Policy::Nothing];
const XMP: &[u8] =
    b"<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\
<rdf:Description rdf:about='' xmlns:exif='http://ns.adobe.com/exif/1.0/' exif:GPSLatitude='60,23N' \
xmlns:photoshop='http://ns.adobe.com/photoshop/1.0/' photoshop:Headline='Harbour'/></rdf:RDF></x:xmpmeta>";

/// Returns a file with a photographer, a place in EXIF and in XMP, and a profile.
fn labelled(format: Format) -> Vec<u8> {
    let mut exif = ifd::Builder::new(ifd::Order::Little);
    let mut gps = ifd::Builder::new(ifd::Order::Little);
    gps.text(1, "N");
    exif.directory(ifd::tag::GPS_IFD, gps);
    exif.text(ifd::tag::ARTIST, "Ann Author");
    let labels = Metadata {
        exif: Some(exif.into_block().unwrap()),
        xmp: Some(XMP.to_vec()),
        icc: Some(long_profile(500)),
        ..Metadata::default()
    };
    let picture = generate::zone_plate(Size::new(60, 40), PixelFormat::RGB8);
    let (mut file, budget) = (Vec::new(), Budget::new(&Limits::default()));
    let spec = ImageSpec::single(picture.size, picture.pixels, &budget);
    let writer = Encoding::new(format).unwrap().create(&mut file, &spec);
    testkit::write_with(writer.unwrap(), &picture, &labels).unwrap();
    file
}

#[test]
fn a_copy_has_the_pixels_and_the_profile_and_what_the_policy_allows() {
    for format in [Format::Jpeg, Format::Png, Format::WebP] {
        let file = labelled(format);
        let before = pipeline::probe(&file, &Limits::default(), &Notes::default()).unwrap();
        assert!(!respects(&before.metadata, Policy::WithoutLocation), "{format}");
        for policy in POLICIES {
            let mut copy = Vec::new();
            let report = pipeline::relabel(&file, &mut copy, policy, None, &Limits::default()).unwrap();
            let after = pipeline::probe(&copy, &Limits::default(), &Notes::default()).unwrap();
            assert_eq!((report.format, report.byte_len, report.warnings.len()), (format, copy.len() as u64, 0));
            assert!(picture(&copy) == picture(&file), "{format}, {policy:?}");
            assert_eq!(after.metadata.icc, before.metadata.icc, "{format}, {policy:?}");
            assert!(respects(&after.metadata, policy), "{format}, {policy:?}");
            let holds = |word: &[u8]| copy.windows(word.len()).any(|bytes| bytes == word);
            let kept = [&b"Ann Author"[..], b"Harbour", b"GPSLatitude"].map(holds);
            let expected = match policy {
                Policy::Everything => [true; 3],
                Policy::WithoutLocation => [true, true, false],
                Policy::Nothing => [false; 3],
            };
            assert_eq!(kept, expected, "{format}, {policy:?}");
        }
    }
}
