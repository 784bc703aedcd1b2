//! A copy of a JPEG XL file with other metadata has the codestream of the original, and nothing of what the policy
//! removes. The files are made by `cjxl` and read by `exiftool` and `djxl`.

use std::path::Path;
use std::process::Command;

use pipeline::{Policy, respects};
use raster::{Format, ImageInfo, Limits, Notes, PixelFormat, Size};
use testkit::{Picture, generate, witness};

use crate::relabel::{POLICIES, WORDS, kept, labelled_with};
use crate::shared::{frames, picture};

/// A file with its name and the metadata that it has.
struct Made {
    name: &'static str,
    file: Vec<u8>,
    has_metadata: bool,
}

fn has_tools() -> bool {
    witness::program(&["cjxl"], "JPEG XL").is_some() && witness::program(&["djxl"], "JPEG XL").is_some()
}

/// Returns the file that `cjxl` makes.
fn cjxl(source: &[u8], format: Format, arguments: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let [from, to] =
        [format!("source.{format:?}").to_lowercase(), "made.jxl".into()].map(|name| folder.path().join(name));
    std::fs::write(&from, source).unwrap();
    let output =
        Command::new("cjxl").arg(&from).arg(&to).args(arguments).args(["-e", "3", "--quiet"]).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    std::fs::read(to).unwrap()
}

fn boxed(kind: &[u8; 4], contents: &[u8]) -> Vec<u8> {
    [&(contents.len() as u32 + 8).to_be_bytes()[..], kind, contents].concat()
}

/// Returns the boxes of a file: type and bytes.
fn boxes(file: &[u8]) -> Vec<([u8; 4], &[u8])> {
    let (mut rest, mut boxes) = (file, Vec::new());
    // The bytes behind the last box of one file are fewer than a header.
    while rest.len() >= 8 {
        let len = rest.first_chunk().unwrap();
        let len = match u32::from_be_bytes(*len) {
            0 => rest.len(),
            len => len as usize,
        };
        boxes.push((rest[4..8].try_into().unwrap(), &rest[..len]));
        rest = &rest[len..];
    }
    boxes
}

/// Returns the boxes of the picture.
fn coded(file: &[u8]) -> Vec<([u8; 4], &[u8])> {
    boxes(file).into_iter().filter(|(kind, _)| matches!(kind, b"JXL " | b"ftyp" | b"jxlc" | b"jxlp")).collect()
}

/// Returns a JPEG with a place in EXIF, XMP and IPTC.
fn jpeg(picture: &Picture) -> Vec<u8> {
    let file = labelled_with(picture, Format::Jpeg, None);
    let iptc = [&b"\x1c\x02\x5a\0\x06Bergen"[..], &[0]].concat();
    let resource = [b"Photoshop 3.0\08BIM\x04\x04\0\0", &(iptc.len() as u32 - 1).to_be_bytes()[..], &iptc].concat();
    let segment = [b"\xff\xed", &(resource.len() as u16 + 2).to_be_bytes()[..], &resource].concat();
    [&file[..2], &segment, &file[2..]].concat()
}

/// Puts plain metadata around the codestream of a file with boxes.
fn with_plain_metadata(file: &[u8], metadata: &raster::Metadata) -> Vec<u8> {
    let exif = boxed(b"Exif", &[&[0; 4], &metadata.exif.as_ref().unwrap()[..]].concat());
    let xmp = boxed(b"xml ", metadata.xmp.as_ref().unwrap());
    let [start, codestream] = [&file[..32], &file[32..]];
    [start, &exif, codestream, &xmp].concat()
}

fn probe(file: &[u8]) -> ImageInfo {
    pipeline::probe(&file, &Limits::default(), &Notes::default()).unwrap()
}

/// Returns files of every form, with a photographer and a place.
fn files() -> Vec<Made> {
    let opaque = generate::zone_plate(Size::new(120, 90), PixelFormat::RGB8);
    let jpeg = jpeg(&opaque);
    let labels = probe(&jpeg).metadata;
    let png = labelled_with(&generate::zone_plate(Size::new(120, 90), PixelFormat::RGBA8), Format::Png, None);
    let container = cjxl(&png, Format::Png, &["-d", "1", "--container=1"]);
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/pictures");
    let gif = std::fs::read(fixtures.join("ball.gif")).unwrap();
    let animation = cjxl(&gif, Format::Gif, &["-d", "1", "--container=1"]);
    let transcoded = cjxl(&jpeg, Format::Jpeg, &["--lossless_jpeg=1"]);
    let brob = cjxl(&jpeg, Format::Jpeg, &["--lossless_jpeg=1", "--jpeg_store_metadata=0"]);
    let noted = [&transcoded[..], &boxed(b"jumb", b"Bergen 60,23N"), b"Bergen"].concat();
    let has = |file: &[u8], wanted: &[u8; 4]| boxes(file).iter().any(|(kind, _)| kind == wanted);
    assert!([b"brob", b"jbrd", b"jxlp"].iter().all(|kind| has(&transcoded, kind)));
    assert!(has(&brob, b"brob") && !has(&brob, b"jbrd") && has(&container, b"jxlc"));
    let made = |name, file| Made { name, file, has_metadata: true };
    vec![
        made("plain", with_plain_metadata(&container, &labels)),
        made("animation", with_plain_metadata(&animation, &labels)),
        made("brob", brob),
        made("jbrd", transcoded),
        made("others", noted),
        Made { name: "boxes", file: container, has_metadata: false },
        Made { name: "bare", file: cjxl(&png, Format::Png, &["-d", "1", "--container=0"]), has_metadata: false },
    ]
}

fn contains(file: &[u8], word: &[u8]) -> bool {
    file.windows(word.len()).any(|bytes| bytes == word)
}

/// Returns what `djxl` writes without metadata: the pixels, or the JPEG.
fn djxl(file: &[u8], name: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let [from, to] = ["file.jxl", name].map(|name| folder.path().join(name));
    std::fs::write(&from, file).unwrap();
    let output = Command::new("djxl").arg(&from).arg(&to).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::read(to).unwrap()
}

#[test]
fn a_copy_has_the_codestream_of_the_original_and_nothing_that_the_policy_removes() {
    if !has_tools() {
        return;
    }
    for Made { name, file, has_metadata } in files() {
        let before = probe(&file);
        assert_eq!(respects(&before.metadata, Policy::WithoutLocation), !has_metadata, "{name}");
        for policy in POLICIES {
            let what = format!("{name}, {policy:?}");
            let mut copy = Vec::new();
            let report = pipeline::relabel(&file, &mut copy, &policy.into(), &Limits::default());
            let report = report.unwrap_or_else(|error| panic!("{what}: {error}"));
            let after = probe(&copy);
            assert_eq!((report.byte_len, report.warnings.len()), (copy.len() as u64, 0), "{what}");
            assert!(respects(&after.metadata, policy), "{what}");
            assert_eq!((after.size, after.frames, &after.sequence), (before.size, before.frames, &before.sequence));
            assert_eq!(frames(&copy), frames(&file), "{what}");
            if !has_metadata || policy == Policy::Everything {
                assert!(copy == file, "{what}");
                continue;
            }
            assert_eq!(coded(&copy), coded(&file), "{what}");
            let allowed = |kind: &[u8; 4]| matches!(kind, b"JXL " | b"ftyp" | b"jxlc" | b"jxlp" | b"Exif" | b"xml ");
            assert!(boxes(&copy).iter().all(|(kind, _)| allowed(kind)), "{what}");
            assert_eq!(WORDS.map(|word| contains(&copy, word)), kept(policy), "{what}");
            assert!(!contains(&copy, b"Bergen"), "{what}");
            if before.frames == 1 {
                let [ours, theirs] = [&copy, &file].map(|file| picture(&djxl(file, "out.png")));
                assert_eq!(ours, theirs, "{what}");
            }
            exiftool_sees(&copy, policy, &what);
        }
    }
}

/// Compares exiftool's reading of a copy with the policy.
fn exiftool_sees(copy: &[u8], policy: Policy, what: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("copy.jxl");
    std::fs::write(&path, copy).unwrap();
    let options = ["-G1", "-s", "-Artist", "-XMP:all", "-GPS:all", "-IPTC:all", "-Warning"];
    let Some(tags) = witness::exiftool(&options, std::slice::from_ref(&path)) else { return };
    let tells = |word: &str| tags[0].iter().any(|line| line.contains(word));
    let [artist, headline, place, _] = kept(policy);
    let seen = ["Ann Author", "Harbour", "GPSLatitude", "[GPS]", "IPTC", "Warning"].map(tells);
    assert_eq!(seen, [artist, headline, place, place, false, false], "{what}: {:?}", tags[0]);
}

/// The JPEG of a transcoded picture stays as long as all metadata do.
#[test]
fn a_copy_with_all_metadata_still_contains_the_jpeg() {
    if !has_tools() {
        return;
    }
    let jpeg = jpeg(&generate::zone_plate(Size::new(120, 90), PixelFormat::RGB8));
    let file = cjxl(&jpeg, Format::Jpeg, &["--lossless_jpeg=1"]);
    let copied = |policy: Policy| {
        let mut copy = Vec::new();
        pipeline::relabel(&file, &mut copy, &policy.into(), &Limits::default()).unwrap();
        copy
    };
    assert!(djxl(&copied(Policy::Everything), "out.jpg") == jpeg);
    assert!(djxl(&copied(Policy::Nothing), "out.jpg") != jpeg);
}

/// A JPEG without EXIF and XMP may still name a place, in segments that only `jbrd` contains.
#[test]
fn a_transcoded_jpeg_says_too_much_though_its_exif_names_no_place() {
    if !has_tools() {
        return;
    }
    let plain = crate::shared::file(&generate::zone_plate(Size::new(120, 90), PixelFormat::RGB8), Format::Jpeg);
    let file = cjxl(&plain, Format::Jpeg, &["--lossless_jpeg=1"]);
    let info = probe(&file);
    assert_eq!((&info.metadata.exif, &info.metadata.xmp), (&None, &None));
    let allows = |allows: fn(&raster::Metadata, Policy) -> bool| POLICIES.map(|policy| allows(&info.metadata, policy));
    assert_eq!((allows(respects), allows(pipeline::surely_respects)), ([true, false, false], [true, false, false]));
    for policy in [Policy::WithoutLocation, Policy::Nothing] {
        let mut copy = Vec::new();
        pipeline::relabel(&file, &mut copy, &policy.into(), &Limits::default()).unwrap();
        assert!(respects(&probe(&copy).metadata, Policy::Nothing));
        assert_eq!(coded(&copy), coded(&file));
    }
}

/// The picture is turned by the codestream; EXIF says nothing about it.
#[test]
fn a_turned_picture_stays_turned() {
    if !has_tools() {
        return;
    }
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/pictures");
    let jpeg = std::fs::read(fixtures.join("turned-6.jpg")).unwrap();
    let file = cjxl(&jpeg, Format::Jpeg, &["--lossless_jpeg=1"]);
    for policy in POLICIES {
        let mut copy = Vec::new();
        let report = pipeline::relabel(&file, &mut copy, &policy.into(), &Limits::default()).unwrap();
        let (before, after) = (probe(&file), probe(&copy));
        assert_eq!((after.size, after.orientation), (before.size, before.orientation), "{policy:?}");
        assert_eq!(report.size, before.size, "{policy:?}");
        assert_eq!(frames(&copy), frames(&file), "{policy:?}");
        assert_eq!(coded(&copy), coded(&file), "{policy:?}");
    }
}
