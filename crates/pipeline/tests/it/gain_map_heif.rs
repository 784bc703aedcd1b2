//! Gain maps of HEIC and AVIF files, which results in JPEG keep.

use std::path::Path;
use std::process::Command;

use isobmff::Container;
use pipeline::{Job, Part, Policy};
use raster::{
    Budget, ByteSource, Channels, Depth, Format, Limits, Notes, Orientation, PixelFormat, Rect, Result, Size, Warning,
};
use testkit::heif::{Item, boxed, extent, versioned};
use testkit::{Picture, corpus, generate, witness};

use crate::gain_map::map_of;
use crate::shared::{file, job, picture, run_here_and_apart, with_part};

// `heif-enc` codes smaller pictures, and those of other sides, in tiles.
const SIZE: Size = Size::new(256, 128);
const MAP: Size = Size::new(128, 64);
const APPLE: &str = "urn:com:apple:photo:2020:aux:hdrgainmap";

/// Returns the decoder's configuration and the data of a picture that `heif-enc` codes without loss.
fn coded(picture: &Picture, folder: &Path) -> (Vec<u8>, Vec<u8>) {
    let [source, made] = ["coded.png", "coded.heic"].map(|name| folder.join(name));
    std::fs::write(&source, file(picture, Format::Png)).unwrap();
    let gray = picture.pixels.channels == Channels::Gray;
    let way: &[&str] = if gray { &["-L"] } else { &["-L", "-p", "chroma=444", "--matrix_coefficients=0"] };
    let output = Command::new("heif-enc").args(way).arg(&source).arg("-o").arg(&made).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let bytes = std::fs::read(&made).unwrap();
    let budget = Budget::new(&Limits::default());
    let container = Container::read(&bytes, Format::Heic, &budget).unwrap();
    let item = container.primary().unwrap();
    (container.configuration(item).unwrap().to_vec(), container.bytes(&bytes, item, &budget).unwrap())
}

/// A picture and its map, coded.
struct Both {
    shown: Item,
    map: Item,
    map_picture: Picture,
}

/// Returns both, or `None` without `heif-enc`.
fn both() -> Option<Both> {
    witness::program(&["heif-enc"], "libheif")?;
    let folder = tempfile::tempdir().unwrap();
    let colors = |full: &[u8]| boxed(b"colr", full);
    let item = |picture: &Picture, full: &[u8]| {
        let (configuration, data) = coded(picture, folder.path());
        let Size { width, height } = picture.size;
        let properties = vec![extent(width, height), colors(full), boxed(b"hvcC", &configuration)];
        Item { kind: *b"hvc1", data, properties, ..Item::default() }
    };
    let shown = item(&generate::gradient(SIZE, PixelFormat::RGB8), b"nclx\x00\x01\x00\x0D\x00\x00\x80");
    let map_picture = generate::gradient(MAP, PixelFormat::new(Channels::Gray, Depth::Eight));
    let map = item(&map_picture, b"nclx\x00\x01\x00\x0D\x00\x06\x80");
    Some(Both { shown, map, map_picture })
}

impl Both {
    /// Returns a file as iPhones write it, turned, with an XMP packet for the map.
    fn apple(&self, turn: u8, xmp: Option<&str>) -> Vec<u8> {
        let mut shown = self.shown.clone();
        let mut map = self.map.clone();
        shown.properties.push(boxed(b"irot", &[turn]));
        map.properties.push(boxed(b"irot", &[turn]));
        map.properties.push(versioned(b"auxC", 0, &[APPLE.as_bytes(), &[0]].concat()));
        map.references.push((*b"auxl", vec![1]));
        let describes = |xmp: &str| Item {
            kind: *b"mime",
            content_type: "application/rdf+xml",
            data: xmp.as_bytes().to_vec(),
            references: vec![(*b"cdsc", vec![2])],
            ..Item::default()
        };
        let items: Vec<_> = [shown, map].into_iter().chain(xmp.map(describes)).collect();
        testkit::heif::file(b"heic", 1, &items)
    }

    /// Returns a file whose map is described by ISO 21496-1. `primaries`: those of the tone-mapped picture.
    fn iso(&self, data: &[u8], primaries: u8) -> Vec<u8> {
        let colors = [&b"nclx\0"[..], &[primaries], b"\0\x10\0\0\x80"].concat();
        let tone_mapped = Item {
            kind: *b"tmap",
            data: data.to_vec(),
            properties: vec![extent(SIZE.width, SIZE.height), boxed(b"colr", &colors)],
            references: vec![(*b"dimg", vec![1, 2])],
            ..Item::default()
        };
        testkit::heif::file(b"heic", 1, &[self.shown.clone(), self.map.clone(), tone_mapped])
    }
}

/// Returns the data of a tone-mapped picture: the highest gain is four times.
fn tone_map(flags: u8, base_headroom: u32) -> Vec<u8> {
    let numbers = [base_headroom, 1, 2, 1, 0, 1, 2, 1, 1, 1, 1, 64, 1, 64];
    [&[0, 0, 0, 0, 0, flags][..], &numbers.map(u32::to_be_bytes).concat()].concat()
}

/// What an iPhone's map says of itself, beside a property that no result may contain.
fn headroom(strength: &str) -> String {
    format!(
        "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\
         <rdf:Description rdf:about='' xmlns:HDRGainMap='http://ns.apple.com/HDRGainMap/1.0/' \
         xmlns:dc='http://purl.org/dc/elements/1.1/' HDRGainMap:HDRGainMapVersion='131072'{strength} \
         dc:creator='Ann'/></rdf:RDF></x:xmpmeta>"
    )
}

#[test]
fn an_iphones_map_is_resized_turned_and_cropped_like_its_picture() {
    let Some(both) = both() else { return };
    let xmp = headroom(" HDRGainMap:HDRGainMapHeadroom='2.5'");
    for (turn, orientation) in [(0, Orientation::Upright), (3, Orientation::Rotate90)] {
        let bytes = both.apple(turn, Some(&xmp));
        assert!(pipeline::probe(&bytes, &Limits::default(), &Notes::default()).unwrap().gain_map);
        let upright = orientation.turn(SIZE);
        let half = |size: Size| Size::new(size.width / 2, size.height / 2);
        let crop = Rect { x: 16, y: 8, width: 64, height: 80 };
        let cropped = with_part(upright, Format::Jpeg, |part| Part { crop, target: half(crop.size()), ..part });
        for (job, expected) in [
            (job(upright, upright, Format::Jpeg), orientation.turn(MAP)),
            (job(upright, half(upright), Format::Jpeg), half(orientation.turn(MAP))),
            (cropped, Size::new(16, 20)),
        ] {
            let (out, warnings) = run_here_and_apart(&bytes, &job);
            assert_eq!(warnings, []);
            let (jpeg, found, iso) = map_of(&out).unwrap();
            let made = picture(&jpeg);
            // The result is stored upright or with the same turn in its EXIF.
            let stored = pipeline::probe(&out, &Limits::default(), &Notes::default()).unwrap().orientation;
            assert_eq!(stored.turn(made.size), expected, "{orientation:?}");
            let found = found.unwrap();
            assert!(found.contains(APPLE) && found.contains("2.5") && !found.contains("Ann"), "{found}");
            assert_eq!(iso, None);
        }
    }
}

#[test]
fn the_samples_of_a_map_stay() {
    let Some(both) = both() else { return };
    let bytes = both.iso(&tone_map(0x40, 0), 9);
    let (out, warnings) = run_here_and_apart(&bytes, &job(SIZE, SIZE, Format::Jpeg));
    assert_eq!(warnings, []);
    let (jpeg, xmp, iso) = map_of(&out).unwrap();
    assert_eq!((xmp, iso.as_deref()), (None, Some(&tone_map(0x40, 0)[1..])));
    let made = picture(&jpeg);
    assert_eq!(made.size, MAP);
    let pairs = both.map_picture.samples().into_iter().zip(made.samples());
    let most = pairs.map(|(one, other)| one.abs_diff(other)).max().unwrap();
    assert!(most <= 6, "a map coded without loss differs by {most} levels behind JPEG");
}

/// What is kept of a map with this description: by ISO 21496-1, or for the whole metadata.
#[test]
fn a_map_is_kept_only_if_its_description_is_understood() {
    let Some(both) = both() else { return };
    let later = [&[0, 0, 1][..], &tone_map(0x40, 0)[3..]].concat();
    let newer = [&[1][..], &tone_map(0x40, 0)[1..]].concat();
    let table: [(&str, Vec<u8>, bool); 8] = [
        ("the picture's own primaries", both.iso(&tone_map(0x40, 0), 9), true),
        ("the same primaries", both.iso(&tone_map(0, 0), 1), true),
        ("other primaries", both.iso(&tone_map(0, 0), 9), false),
        ("a map of an HDR picture", both.iso(&tone_map(0x40, 1), 9), false),
        ("a later version is needed", both.iso(&later, 9), false),
        ("a later form of the data", both.iso(&newer, 9), false),
        ("cut data", both.iso(&tone_map(0x40, 0)[..8], 9), false),
        ("no data", both.iso(&[], 9), false),
    ];
    for (what, bytes, stays) in table {
        assert!(pipeline::probe(&bytes, &Limits::default(), &Notes::default()).unwrap().gain_map, "{what}");
        let (out, warnings) = run_here_and_apart(&bytes, &job(SIZE, MAP, Format::Jpeg));
        let lost: &[Warning] = if stays { &[] } else { &[Warning::GainMapDropped] };
        assert_eq!(warnings, lost, "{what}");
        assert_eq!(map_of(&out).is_some(), stays, "{what}");
    }
}

#[test]
fn an_iphones_map_needs_its_strength() {
    let Some(both) = both() else { return };
    let own = headroom(" HDRGainMap:HDRGainMapHeadroom='2.5'");
    let none = headroom("");
    for (xmp, is_own) in [(Some(&own), true), (Some(&none), false), (None, false)] {
        let bytes = both.apple(0, xmp.map(String::as_str));
        for policy in Policy::ALL {
            let job = Job { metadata: policy, ..job(SIZE, MAP, Format::Jpeg) };
            let (out, warnings) = run_here_and_apart(&bytes, &job);
            // Else the maker's notes say it, which the last policy removes.
            let stays = is_own || policy != Policy::Nothing;
            assert_eq!(map_of(&out).is_some(), stays, "{policy:?} {xmp:?}");
            assert_eq!(warnings.is_empty(), stays);
        }
    }
}

#[test]
fn damaged_maps_cost_only_themselves() {
    let Some(mut both) = both() else { return };
    both.map.data.truncate(20);
    let bytes = both.apple(0, Some(&headroom(" HDRGainMap:HDRGainMapHeadroom='2.5'")));
    let (out, warnings) = run_here_and_apart(&bytes, &job(SIZE, MAP, Format::Jpeg));
    assert_eq!(warnings, [Warning::GainMapDropped]);
    assert!(map_of(&out).is_none());
    assert_eq!(picture(&out).size, MAP);
}

#[test]
fn other_formats_say_that_the_map_is_lost() {
    let Some(both) = both() else { return };
    let bytes = both.iso(&tone_map(0x40, 0), 9);
    let (_, warnings) = run_here_and_apart(&bytes, &job(SIZE, MAP, Format::Png));
    assert_eq!(warnings, [Warning::GainMapDropped]);
}

/// A map as `avifdec` decodes it, from the file in which it is the picture.
fn by_avifdec(bytes: &[u8], folder: &Path) -> Option<Picture> {
    witness::program(&["avifdec"], "libavif")?;
    let [source, out] = ["map.avif", "map.png"].map(|name| folder.join(name));
    std::fs::write(&source, bytes).unwrap();
    assert!(Command::new("avifdec").args(["-d", "8"]).arg(&source).arg(&out).output().unwrap().status.success());
    Some(picture(&std::fs::read(&out).unwrap()))
}

/// The files of libavif hold HDR pictures, whose maps a JPEG does not keep. With another headroom of the picture they
/// are those of pictures for all screens.
#[test]
fn maps_of_libavif_are_those_that_avifdec_sees() -> Result<()> {
    let Some(rows) = corpus::rows("avif") else { return Ok(()) };
    let folder = tempfile::tempdir().unwrap();
    let mut found = 0;
    for row in rows.iter().filter(|row| row.name.contains("gainmap")) {
        let mut bytes = row.bytes();
        let budget = Budget::new(&Limits::default());
        assert_eq!(codec_avif::find_gain_map(&bytes, &budget)?, None, "{}", row.name);
        let container = Container::read(&bytes, Format::Avif, &budget)?;
        let tone_mapped = container.items_of(*b"tmap").next().unwrap();
        let at = container.extents(tone_mapped)?[0].at as usize;
        bytes[at + 6..at + 10].fill(0);
        let Some(map) = codec_avif::find_gain_map(&bytes, &budget)? else {
            assert!(row.name.contains("unsupported"), "{}", row.name);
            continue;
        };
        found += 1;
        let source: &dyn ByteSource = &bytes;
        let mut alone = vec![0; map.file(source).byte_len() as usize];
        map.file(source).read_full_at(0, &mut alone)?;
        assert_eq!(alone.len(), bytes.len());
        let Some(theirs) = by_avifdec(&alone, folder.path()) else { continue };
        let info = pipeline::probe(&bytes, &Limits::default(), &Notes::default())?;
        let (out, warnings) = run_here_and_apart(&bytes, &job(info.size, info.size, Format::Jpeg));
        assert!(!warnings.contains(&Warning::GainMapDropped), "{}: {warnings:?}", row.name);
        let (jpeg, _, iso) = map_of(&out).unwrap();
        assert_eq!(iso, map.iso);
        let ours = picture(&jpeg);
        assert_eq!(ours.size, theirs.size, "{}", row.name);
        let mean = |picture: &Picture| {
            let samples = picture.samples();
            samples.iter().map(|&sample| f64::from(sample)).sum::<f64>() / samples.len() as f64
        };
        assert!((mean(&ours) - mean(&theirs)).abs() < 1.0, "{}: {} and {}", row.name, mean(&ours), mean(&theirs));
    }
    assert_eq!(found, 3);
    Ok(())
}
