//! Gain maps, which HDR screens use: a JPEG keeps its own, cropped, resized and turned like the picture. Elsewhere a
//! warning states the loss.

use std::rc::Rc;

use pipeline::{Canvas, Changes, Encoding, Job, Part, Policy, ProfileChoice, Report};
use raster::{
    Budget, ByteSource, Format, GainMap, ImageSpec, Limits, Metadata, Notes, Orientation, PixelFormat, Rect, Size,
    Warning,
};
use testkit::{Picture, generate};

use crate::shared::{file, job, picture, run, run_here_and_apart, with_part};

const SIZE: Size = Size::new(40, 30);
const XMP: &str = "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF \
    xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' \
    xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/'";

/// Returns a JPEG whose first segment has this marker code and payload.
fn jpeg(code: u8, payload: &[u8]) -> Vec<u8> {
    let plain = file(&generate::gradient(SIZE, PixelFormat::RGB8), Format::Jpeg);
    let [high, low] = (payload.len() as u16 + 2).to_be_bytes();
    [&plain[..2], &[0xFF, code, high, low], payload, &plain[2..]].concat()
}

fn with_xmp(property: &str) -> Vec<u8> {
    jpeg(0xE1, format!("{XMP}{property}/></rdf:RDF></x:xmpmeta>").as_bytes())
}

fn copied(bytes: &[u8]) -> (Vec<u8>, Report) {
    let mut out = Vec::new();
    let report = pipeline::relabel(&bytes, &mut out, &Policy::Everything.into(), &Limits::default()).unwrap();
    (out, report)
}

/// How a map is applied, as Adobe describes it, beside a property that no result may contain.
const APPLIED: &str = "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF \
    xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' \
    xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/' xmlns:dc='http://purl.org/dc/elements/1.1/' \
    hdrgm:Version='1.0' hdrgm:GainMapMax='2.5' dc:creator='Ann'/></rdf:RDF></x:xmpmeta>";
/// How a map is applied, as ISO 21496-1 describes it: the versions, and numbers that are only copied.
const ISO: &[u8] = &[0, 0, 0, 0, 0, 0x40, 1, 2, 3, 4];

/// Returns a JPEG of the picture with a gain map.
fn with_map(shown: &Picture, map: &Picture, xmp: Option<&str>, iso: Option<&[u8]>) -> Vec<u8> {
    let gain_map = GainMap {
        jpeg: file(map, Format::Jpeg),
        xmp: xmp.map(|xmp| xmp.as_bytes().to_vec()),
        iso: iso.map(<[u8]>::to_vec),
    };
    let metadata = Metadata { gain_map: Some(Rc::new(gain_map)), ..Metadata::default() };
    let (mut bytes, budget) = (Vec::new(), Budget::new(&Limits::default()));
    let spec = ImageSpec::single(shown.size, shown.pixels, &budget);
    let writer = Encoding::new(Format::Jpeg).unwrap().create(&mut bytes, &spec).unwrap();
    testkit::write_with(writer, shown, &metadata).unwrap();
    bytes
}

/// The map of a file, and its descriptions as XMP and as ISO 21496-1.
pub(crate) type Map = (Vec<u8>, Option<String>, Option<Vec<u8>>);

/// Returns the map of a file.
pub(crate) fn map_of(bytes: &[u8]) -> Option<Map> {
    let found = codec_jpeg::find_gain_map(&bytes, &Budget::new(&Limits::default())).unwrap()?;
    let source: &dyn ByteSource = &bytes;
    let map = found.file(source);
    let mut jpeg = vec![0; found.len as usize];
    assert_eq!(map.read_full_at(0, &mut jpeg).unwrap(), jpeg.len());
    assert_eq!(found.at + found.len, bytes.len() as u64, "the map ends with the file");
    Some((jpeg, found.xmp.map(|xmp| String::from_utf8(xmp).unwrap()), found.iso))
}

/// Returns the largest difference of two pictures.
fn difference(one: &Picture, other: &Picture) -> u16 {
    assert_eq!((one.size, one.pixels), (other.size, other.pixels));
    let samples = |picture: &Picture| {
        let Size { width, height } = picture.size;
        let channels = picture.pixels.channels.count();
        let all = (0..height).flat_map(move |y| (0..width).flat_map(move |x| (0..channels).map(move |c| (x, y, c))));
        all.map(|(x, y, c)| picture.sample(x, y, c)).collect::<Vec<_>>()
    };
    let pairs = samples(one).into_iter().zip(samples(other));
    pairs.map(|(one, other)| one.abs_diff(other)).max().unwrap()
}

#[test]
fn a_map_is_changed_like_its_picture() {
    let shown = generate::gradient(SIZE, PixelFormat::RGB8);
    let crop = Rect { x: 8, y: 4, width: 24, height: 12 };
    let turned = Rect { x: 4, y: 8, width: 12, height: 24 };
    // Maps of half, a quarter and a third of the sides; the last does not divide them.
    for map in [Size::new(20, 15), Size::new(10, 8), Size::new(13, 10)] {
        let map = generate::gradient(map, PixelFormat::GRAY8);
        let source = with_map(&shown, &map, Some(APPLIED), Some(ISO));
        let whole = Part::whole(SIZE);
        let parts = [
            Part { target: Size::new(20, 15), ..whole },
            Part { crop, target: Size::new(12, 6), ..whole },
            Part { crop: turned, target: Size::new(12, 24), turn: Orientation::Rotate90, ..whole },
            Part { target: Size::new(80, 60), ..whole },
        ];
        for part in parts {
            let job = Job { parts: vec![part], ..Job::whole(SIZE, Encoding::new(Format::Jpeg).unwrap()) };
            let (out, warnings) = run_here_and_apart(&source, &job);
            assert_eq!(warnings, [], "{part:?}");
            let (jpeg, ..) = map_of(&out).unwrap();
            let made = picture(&jpeg);
            let upright = part.turn.turn(SIZE);
            let across = f64::from(part.turn.turn(map.size).width) / f64::from(upright.width);
            let down = f64::from(part.turn.turn(map.size).height) / f64::from(upright.height);
            let side = |target: u32, ratio: f64| (f64::from(target) * ratio).round() as u32;
            let expected = Size::new(side(part.target.width, across), side(part.target.height, down));
            assert_eq!(made.size, expected, "{part:?} of {:?}", map.size);
        }
    }
}

#[test]
fn a_map_is_turned_with_its_picture_without_loss_or_not_at_all() {
    let shown = generate::gradient(Size::new(64, 48), PixelFormat::RGB8);
    for (size, is_whole) in [(Size::new(32, 24), true), (Size::new(30, 22), false)] {
        let map = generate::gradient(size, PixelFormat::GRAY8);
        let source = with_map(&shown, &map, Some(APPLIED), Some(ISO));
        let changes = Changes { turn: Orientation::Rotate90, ..Policy::Everything.into() };
        let mut copy = Vec::new();
        let report = pipeline::relabel(&source, &mut copy, &changes, &Limits::default());
        if !is_whole {
            assert_eq!(report.unwrap_err().code(), "unsupported");
            continue;
        }
        assert_eq!(report.unwrap().warnings, []);
        let (before, after) = (map_of(&source).unwrap(), map_of(&copy).unwrap());
        assert_eq!(after.2.as_deref(), Some(ISO));
        assert!(after.1.is_some_and(|xmp| xmp.contains("hdrgm:GainMapMax")));
        let (before, after) = (picture(&before.0), picture(&after.0));
        assert_eq!(after.size, size.swapped());
        for (x, y) in (0..size.height).flat_map(|y| (0..size.width).map(move |x| (x, y))) {
            let to = Orientation::Rotate90.upright_position((x, y), size);
            assert!(before.sample(x, y, 0).abs_diff(after.sample(to.0, to.1, 0)) <= 2, "{x}, {y}");
        }
    }
}

#[test]
fn a_crop_of_whole_pixels_of_the_map_is_exact() {
    let shown = generate::gradient(SIZE, PixelFormat::RGB8);
    let map = generate::gradient(Size::new(20, 15), PixelFormat::GRAY8);
    let source = with_map(&shown, &map, Some(APPLIED), None);
    let crop = |scale: u32| Rect { x: 4 * scale, y: 2 * scale, width: 12 * scale, height: 8 * scale };
    let job = with_part(SIZE, Format::Jpeg, |part| Part { crop: crop(2), target: Size::new(12, 8), ..part });
    let (out, _) = run(&source, &job).unwrap();
    // The map alone as a picture, with the crop in its own pixels. Its values are averaged as they are.
    let alone = with_part(map.size, Format::Jpeg, |part| Part { crop: crop(1), target: Size::new(6, 4), ..part });
    let alone = Job { light: pipeline::LightChoice::Encoded, ..alone };
    let (expected, _) = run(&file(&map, Format::Jpeg), &alone).unwrap();
    assert_eq!(difference(&picture(&map_of(&out).unwrap().0), &picture(&expected)), 0);
}

#[test]
fn a_crop_between_pixels_of_the_map_is_exact_to_a_level() {
    // A gradient along the rows: the value at each position is known, and a shift of half a pixel is 4 levels.
    let shown = generate::gradient(SIZE, PixelFormat::RGB8);
    let mut map = Picture::blank(Size::new(20, 15), PixelFormat::GRAY8);
    for y in 0..15 {
        for x in 0..20 {
            map.set_sample(x, y, 0, 40 + 8 * x as u16);
        }
    }
    let source = with_map(&shown, &map, None, Some(ISO));
    let crop = Rect { x: 9, y: 5, width: 22, height: 16 };
    let job = with_part(SIZE, Format::Jpeg, |part| Part { crop, target: Size::new(22, 16), ..part });
    let made = picture(&map_of(&run(&source, &job).unwrap().0).unwrap().0);
    assert_eq!(made.size, Size::new(11, 8));
    for x in 2..9 {
        // The centre of column x is at 4.5 + x + 0.5 in pixels of the map, half a pixel after that of column 4 + x.
        let expected = 40.0 + 8.0 * (4.5 + f64::from(x));
        let found = f64::from(made.sample(x, 4, 0));
        assert!((found - expected).abs() <= 1.5, "column {x}: {found}, not {expected}");
    }
}

#[test]
fn descriptions_of_a_map_stay_and_nothing_else_of_its_metadata() {
    let shown = generate::gradient(SIZE, PixelFormat::RGB8);
    let map = generate::gradient(Size::new(20, 15), PixelFormat::RGB8);
    for (xmp, iso) in [(Some(APPLIED), None), (None, Some(ISO)), (Some(APPLIED), Some(ISO))] {
        let source = with_map(&shown, &map, xmp, iso);
        for policy in Policy::ALL {
            let resized = Job { metadata: policy, ..job(SIZE, Size::new(20, 15), Format::Jpeg) };
            let mut copy = Vec::new();
            let report = pipeline::relabel(&source, &mut copy, &policy.into(), &Limits::default()).unwrap();
            for (out, report) in [run(&source, &resized).unwrap(), (copy, report)] {
                assert_eq!(report.warnings, [], "{policy:?}");
                let (_, found_xmp, found_iso) = map_of(&out).unwrap();
                assert_eq!(found_iso.as_deref(), iso);
                assert_eq!(found_xmp.is_some(), xmp.is_some());
                let kept = found_xmp.unwrap_or_default();
                assert!(kept.contains("hdrgm:GainMapMax") == xmp.is_some() && !kept.contains("Ann"), "{kept}");
            }
        }
    }
}

/// What Apple's maps say of themselves, beside a property that no result may contain.
fn apple(strength: &str) -> String {
    format!(
        "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\
         <rdf:Description rdf:about='' xmlns:HDRGainMap='http://ns.apple.com/HDRGainMap/1.0/' \
         xmlns:apdi='http://ns.apple.com/pixeldatainfo/1.0/' xmlns:dc='http://purl.org/dc/elements/1.1/' \
         HDRGainMap:HDRGainMapVersion='65536'{strength} dc:creator='Ann' \
         apdi:AuxiliaryImageType='urn:com:apple:photo:2020:aux:hdrgainmap'/></rdf:RDF></x:xmpmeta>"
    )
}

#[test]
fn maps_of_apple_stay_where_something_says_how_strong_they_are() {
    let shown = generate::gradient(SIZE, PixelFormat::RGB8);
    let map = generate::gradient(Size::new(20, 15), PixelFormat::GRAY8);
    for (strength, is_own) in [("", false), (" HDRGainMap:HDRGainMapHeadroom='2.5'", true)] {
        let source = with_map(&shown, &map, Some(&apple(strength)), None);
        assert!(pipeline::probe(&source, &Limits::default(), &Notes::default()).unwrap().gain_map);
        for policy in Policy::ALL {
            // Older maps have the strength in the notes of the camera, which the last policy removes.
            let stays = is_own || policy != Policy::Nothing;
            let resized = Job { metadata: policy, ..job(SIZE, Size::new(20, 15), Format::Jpeg) };
            let mut copy = Vec::new();
            let report = pipeline::relabel(&source, &mut copy, &policy.into(), &Limits::default()).unwrap();
            for (out, report) in [run(&source, &resized).unwrap(), (copy, report)] {
                let lost: &[Warning] = if stays { &[] } else { &[Warning::GainMapDropped] };
                assert_eq!(report.warnings, lost, "{policy:?}, own strength {is_own}");
                let found = map_of(&out).and_then(|(_, xmp, _)| xmp);
                assert_eq!(found.is_some(), stays);
                let kept = found.unwrap_or_default();
                assert!(kept.contains("apdi:AuxiliaryImageType") == stays && !kept.contains("Ann"), "{kept}");
                assert_eq!(kept.contains("Headroom"), is_own);
                // The picture does not announce it in another maker's words.
                assert!(!out.windows(13).any(|bytes| bytes == b"hdrgm:Version"));
            }
        }
    }
}

/// Found by fuzzing: the copy lost the property by which its map is found.
#[test]
fn a_map_that_is_described_in_an_unknown_namespace_is_dropped() {
    let shown = generate::gradient(SIZE, PixelFormat::RGB8);
    let map = generate::gradient(Size::new(20, 15), PixelFormat::GRAY8);
    let xmp = apple(" HDRGainMap:HDRGainMapHeadroom='2.5'").replace("pixeldatainfo", "pixeldatan");
    let source = with_map(&shown, &map, Some(&xmp), None);
    assert!(map_of(&source).is_some());
    let mut copy = Vec::new();
    let report = pipeline::relabel(&source, &mut copy, &Policy::Everything.into(), &Limits::default()).unwrap();
    for (out, report) in [run(&source, &job(SIZE, Size::new(20, 15), Format::Jpeg)).unwrap(), (copy, report)] {
        assert_eq!(report.warnings, [Warning::GainMapDropped]);
        assert_eq!(map_of(&out), None);
    }
}

#[test]
fn photographs_of_an_iphone_keep_their_maps() {
    let Some(photos) = testkit::corpus::photos() else { return };
    let photos: Vec<_> = photos.iter().filter(|path| path.to_string_lossy().contains("iPhone_13")).collect();
    assert_eq!(photos.len(), 2);
    for path in photos {
        let source = std::fs::read(path).unwrap();
        let info = pipeline::probe(&source, &Limits::default(), &Notes::default()).unwrap();
        let upright = info.orientation.turn(info.size);
        let target = Size::new(upright.width / 4, upright.height / 4);
        let (out, warnings) = run_here_and_apart(&source, &job(upright, target, Format::Jpeg));
        assert_eq!(warnings, []);
        let before = picture(&map_of(&source).unwrap().0);
        let made = picture(&map_of(&out).unwrap().0);
        let whole = info.orientation.turn(before.size);
        assert_eq!(made.size, Size::new(whole.width / 4, whole.height / 4));
        let mean = |picture: &Picture| {
            let Size { width, height } = picture.size;
            let samples = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
            samples.map(|(x, y)| f64::from(picture.sample(x, y, 0))).sum::<f64>() / picture.size.area() as f64
        };
        assert!((mean(&before) - mean(&made)).abs() < 0.5, "{} and {}", mean(&before), mean(&made));
    }
}

#[test]
fn what_cannot_keep_its_map_says_so() {
    let shown = generate::gradient(SIZE, PixelFormat::RGB8);
    let color = generate::gradient(Size::new(20, 15), PixelFormat::RGB8);
    let source = with_map(&shown, &color, Some(APPLIED), Some(ISO));
    let small = job(SIZE, Size::new(20, 15), Format::Jpeg);
    let canvas = Some(Canvas { size: Size::new(30, 15), x: 5, y: 0, color: [255; 4] });
    let framed = with_part(SIZE, Format::Jpeg, |part| Part { target: Size::new(20, 15), canvas, ..part });
    let converted = Job { profile: ProfileChoice::Srgb, ..small.clone() };
    let cut = &source[..source.len() - 60];
    let announced = &source[..source.len() - map_of(&source).unwrap().0.len()];
    let all = [
        (&source[..], job(SIZE, Size::new(20, 15), Format::Png)),
        (&source, framed),
        (&source, converted),
        (cut, small.clone()),
        (announced, small),
    ];
    for (i, (source, job)) in all.into_iter().enumerate() {
        let (out, report) = run(source, &job).unwrap();
        assert_eq!(report.warnings, [Warning::GainMapDropped], "case {i}");
        assert!(!pipeline::probe(&out, &Limits::default(), &Notes::default()).unwrap().gain_map, "case {i}");
    }
}

#[test]
fn exiftool_reads_both_pictures() {
    let shown = generate::gradient(SIZE, PixelFormat::RGB8);
    let map = generate::gradient(Size::new(20, 15), PixelFormat::GRAY8);
    let source = with_map(&shown, &map, Some(APPLIED), Some(ISO));
    let (out, _) = run(&source, &job(SIZE, Size::new(20, 15), Format::Jpeg)).unwrap();
    let folder = std::env::temp_dir().join(format!("gain-map-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("out.jpg");
    std::fs::write(&path, &out).unwrap();
    let read = testkit::witness::exiftool(&["-G1", "-a", "-s", "-n"], &[path]);
    std::fs::remove_dir_all(&folder).unwrap();
    let Some([lines]) = read.as_deref() else { return };
    let length = map_of(&out).unwrap().0.len();
    let value = |tag: &str| {
        let line = lines.iter().find(|line| line.contains(tag));
        line.map(|line| line.rsplit(": ").next().unwrap().trim().to_owned())
    };
    assert_eq!(value("MPImageStart").as_deref(), Some("0"), "{lines:#?}");
    let starts: Vec<_> = lines.iter().filter(|line| line.contains("MPImageStart")).collect();
    assert!(starts.iter().any(|line| line.ends_with(&format!(": {}", out.len() - length))), "{starts:?}");
    assert_eq!(value("DirectoryItemLength"), Some(length.to_string()));
}

#[test]
fn a_lost_gain_map_is_a_warning() {
    let sources = [jpeg(0xE2, b"urn:iso:std:iso:ts:21496:-1\0\0\0\0\0"), with_xmp(" hdrgm:Version='1.0'")];
    for source in sources {
        let notes = Notes::default();
        let header = pipeline::probe(&source, &Limits::default(), &notes).unwrap();
        assert!(header.gain_map && notes.warnings().is_empty(), "a file that is kept has lost nothing");
        let resized = |format| run(&source, &job(SIZE, Size::new(20, 15), format)).unwrap();
        for (out, report) in [resized(Format::Jpeg), resized(Format::Png), copied(&source)] {
            assert_eq!(report.warnings, [Warning::GainMapDropped], "{}", report.format);
            let result = pipeline::probe(&out, &Limits::default(), &Notes::default()).unwrap();
            assert!(!result.gain_map, "{}: a result made of a result has nothing to lose", report.format);
        }
    }
}

#[test]
fn a_file_without_a_gain_map_gets_no_warning() {
    for source in [jpeg(0xE2, b"urn:iso:std:iso:ts:99999"), with_xmp("")] {
        assert!(!pipeline::probe(&source, &Limits::default(), &Notes::default()).unwrap().gain_map);
        let (_, resized) = run(&source, &job(SIZE, Size::new(20, 15), Format::Jpeg)).unwrap();
        assert_eq!((resized.warnings, copied(&source).1.warnings), (vec![], vec![]));
    }
}
