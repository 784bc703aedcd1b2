//! A copy with other metadata has the same pixels and the same profile, and says no more than the policy allows.

use pipeline::{Changes, Encoding, Policy, respects};
use raster::{Budget, Format, ImageSpec, Limits, Metadata, Notes, Orientation, PixelFormat, Size};
use testkit::{Picture, generate};

use crate::shared::{long_profile, picture};

pub(crate) const POLICIES: [Policy; 3] = [Policy::Everything, Policy::WithoutLocation, Policy::Nothing];

/// Words of the metadata of made files.
pub(crate) const WORDS: [&[u8]; 4] = [b"Ann Author", b"Harbour", b"GPSLatitude", b"60,23N"];

/// Whether a policy keeps them.
pub(crate) fn kept(policy: Policy) -> [bool; 4] {
    match policy {
        Policy::Everything => [true; 4],
        Policy::WithoutLocation => [true, true, false, false],
        Policy::Nothing => [false; 4],
    }
}
const XMP: &[u8] =
    b"<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\
<rdf:Description rdf:about='' xmlns:exif='http://ns.adobe.com/exif/1.0/' exif:GPSLatitude='60,23N' \
xmlns:photoshop='http://ns.adobe.com/photoshop/1.0/' photoshop:Headline='Harbour'/></rdf:RDF></x:xmpmeta>";

/// Returns a file with a photographer, a place in EXIF and in XMP, and a profile.
fn labelled(format: Format) -> Vec<u8> {
    labelled_picture(&generate::zone_plate(Size::new(60, 40), PixelFormat::RGB8), format)
}

/// Returns a file of `picture` with the same metadata.
pub(crate) fn labelled_picture(picture: &Picture, format: Format) -> Vec<u8> {
    labelled_with(picture, format, Some(long_profile(500)))
}

/// Returns a file of `picture` with the same metadata and another profile.
pub(crate) fn labelled_with(picture: &Picture, format: Format, icc: Option<Vec<u8>>) -> Vec<u8> {
    let mut exif = ifd::Builder::new(ifd::Order::Little);
    let mut gps = ifd::Builder::new(ifd::Order::Little);
    gps.text(1, "N");
    exif.directory(ifd::tag::GPS_IFD, gps);
    exif.text(ifd::tag::ARTIST, "Ann Author");
    let labels =
        Metadata { exif: Some(exif.into_block().unwrap()), xmp: Some(XMP.to_vec()), icc, ..Metadata::default() };
    let (mut file, budget) = (Vec::new(), Budget::new(&Limits::default()));
    let spec = ImageSpec::single(picture.size, picture.pixels, &budget);
    let writer = Encoding::new(format).unwrap().create(&mut file, &spec);
    testkit::write_with(writer.unwrap(), picture, &labels).unwrap();
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
            let report = pipeline::relabel(&file, &mut copy, &policy.into(), &Limits::default()).unwrap();
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

/// Returns the samples of a stored picture, turned upright by `turn`.
fn upright(stored: &Picture, turn: Orientation) -> Picture {
    let mut upright = Picture::blank(turn.turn(stored.size), stored.pixels);
    for (x, y) in (0..stored.size.height).flat_map(|y| (0..stored.size.width).map(move |x| (x, y))) {
        let to = turn.upright_position((x, y), stored.size);
        for channel in 0..stored.pixels.channels.count() {
            upright.set_sample(to.0, to.1, channel, stored.sample(x, y, channel));
        }
    }
    upright
}

#[test]
fn a_turned_jpeg_has_the_pixels_of_the_original_and_is_stored_upright() {
    // Grey, because the decoder's filter of colours is not the same in both directions.
    let size = Size::new(64, 48);
    let picture_of = generate::zone_plate(size, PixelFormat::GRAY8);
    let plain = crate::shared::file(&picture_of, Format::Jpeg);
    for stored in Orientation::ALL {
        let source = with_orientation(&plain, stored);
        let before = pipeline::probe(&source, &Limits::default(), &Notes::default()).unwrap();
        assert_eq!(before.orientation, stored);
        for turn in Orientation::ALL {
            let changes = Changes { turn, ..Policy::Everything.into() };
            let mut copy = Vec::new();
            let report = pipeline::relabel(&source, &mut copy, &changes, &Limits::default()).unwrap();
            let after = pipeline::probe(&copy, &Limits::default(), &Notes::default()).unwrap();
            let shown = upright(&upright(&picture(&source), stored), turn);
            let turned = upright(&picture(&copy), after.orientation);
            assert_eq!((turned.size, report.warnings), (shown.size, vec![]));
            let pairs = shown.samples().into_iter().zip(turned.samples());
            let most = pairs.map(|(one, other)| one.abs_diff(other)).max().unwrap();
            // The inverse transform rounds rows and columns in another order.
            assert!(most <= 2, "{stored:?} {turn:?}: {most}");
            let expected = if turn == Orientation::Upright { stored } else { Orientation::Upright };
            assert_eq!(after.orientation, expected, "{stored:?} {turn:?}");
        }
    }
}

/// Returns a JPEG with an orientation and a photographer in its EXIF.
fn with_orientation(jpeg: &[u8], orientation: Orientation) -> Vec<u8> {
    let mut exif = ifd::Builder::new(ifd::Order::Little);
    exif.shorts(0x0112, &[orientation.exif().into()]);
    exif.text(ifd::tag::ARTIST, "Ann Author");
    let block = [&b"Exif\0\0"[..], &exif.into_block().unwrap()].concat();
    let len = (block.len() as u16 + 2).to_be_bytes();
    [&jpeg[..2], &[0xFF, 0xE1], &len, &block, &jpeg[2..]].concat()
}

#[test]
fn a_turned_jpeg_keeps_what_the_policy_allows() {
    let picture = generate::zone_plate(Size::new(64, 48), PixelFormat::RGB8);
    let source = with_orientation(&crate::shared::file(&picture, Format::Jpeg), Orientation::Rotate90);
    for policy in POLICIES {
        let changes = Changes { turn: Orientation::Rotate180, density: Some(300.0), policy };
        let mut copy = Vec::new();
        pipeline::relabel(&source, &mut copy, &changes, &Limits::default()).unwrap();
        let after = pipeline::probe(&copy, &Limits::default(), &Notes::default()).unwrap();
        assert_eq!(after.size, Size::new(48, 64));
        assert!(respects(&after.metadata, policy));
        assert_eq!(after.metadata.exif.is_some(), policy != Policy::Nothing);
        assert_eq!(after.metadata.resolution.map(|density| density.x), Some(300.0));
    }
}

#[test]
fn what_cannot_be_turned_without_loss_is_refused() {
    let odd = crate::shared::file(&generate::zone_plate(Size::new(61, 48), PixelFormat::RGB8), Format::Jpeg);
    let png = crate::shared::file(&generate::zone_plate(Size::new(64, 48), PixelFormat::RGB8), Format::Png);
    for source in [odd, png] {
        let changes = Changes { turn: Orientation::Rotate270, ..Policy::Everything.into() };
        let refusal = pipeline::relabel(&source, &mut Vec::new(), &changes, &Limits::default());
        assert_eq!(refusal.unwrap_err().code(), "unsupported");
    }
}
