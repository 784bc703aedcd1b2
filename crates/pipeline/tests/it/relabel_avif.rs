//! A copy of an AVIF file with other metadata has the coded data of the original, and nothing of what the policy
//! removes. The files are made by `avifenc` and read by `exiftool` and `avifdec`.

use std::path::Path;
use std::process::Command;

use isobmff::Container;
use pipeline::{Policy, respects};
use raster::{Budget, Format, Limits, Notes, PixelFormat, Size};
use testkit::{generate, witness};

use crate::relabel::{POLICIES, WORDS, kept, labelled_picture};
use crate::shared::{frames, picture};

/// The files that `avifenc` makes: from JPEG or PNG, with arguments.
const WAYS: [(Format, &[&str]); 5] = [
    (Format::Jpeg, &["-y", "420"]),
    (Format::Jpeg, &["-d", "10", "-y", "444", "--irot", "1"]),
    (Format::Png, &["-d", "12", "--min", "0", "--max", "0"]),
    (Format::Png, &["-y", "400", "--imir", "0"]),
    (Format::Png, &["--grid", "2x2"]),
];

/// Returns the AVIF file of a picture with a photographer and a place.
fn avif((format, way): (Format, &[&str]), folder: &Path) -> Vec<u8> {
    let pixels = if format == Format::Png { PixelFormat::RGBA8 } else { PixelFormat::RGB8 };
    let labelled = labelled_picture(&generate::zone_plate(Size::new(256, 192), pixels), format);
    let source = folder.join(if format == Format::Png { "source.png" } else { "source.jpg" });
    let made = folder.join("made.avif");
    std::fs::write(&source, labelled).unwrap();
    let output = Command::new("avifenc").args(["-s", "9", "-j", "1"]).args(way).arg(&source).arg(&made).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{way:?}: {}", String::from_utf8_lossy(&output.stderr));
    std::fs::read(made).unwrap()
}

fn has_tools() -> bool {
    witness::program(&["avifenc"], "aom").is_some() && witness::program(&["avifdec"], "dav1d").is_some()
}

fn contains(file: &[u8], word: &[u8]) -> bool {
    file.windows(word.len()).any(|bytes| bytes == word)
}

/// Returns the coded data of the picture that a file shows, or of all of its tiles.
fn coded(file: &[u8]) -> Vec<Vec<u8>> {
    let budget = Budget::new(&Limits::default());
    let container = Container::read(&file, Format::Avif, &budget).unwrap();
    container.items_of(*b"av01").map(|item| container.bytes(&file, item, &budget).unwrap()).collect()
}

#[test]
fn a_copy_has_the_coded_data_of_the_original_and_nothing_that_the_policy_removes() {
    if !has_tools() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for way in WAYS {
        let file = avif(way, folder.path());
        let before = pipeline::probe(&file, &Limits::default(), &Notes::default()).unwrap();
        assert_eq!(WORDS.map(|word| contains(&file, word)), [true; 4], "{way:?}");
        for policy in POLICIES {
            let mut copy = Vec::new();
            let report = pipeline::relabel(&file, &mut copy, &policy.into(), &Limits::default());
            let report = report.unwrap_or_else(|error| panic!("{way:?}, {policy:?}: {error}"));
            let after = pipeline::probe(&copy, &Limits::default(), &Notes::default()).unwrap();
            assert_eq!((copy.len(), report.byte_len), (file.len(), file.len() as u64), "{way:?}, {policy:?}");
            assert_eq!(coded(&copy), coded(&file), "{way:?}, {policy:?}");
            assert!(picture(&copy) == picture(&file), "{way:?}, {policy:?}");
            assert_eq!((after.orientation, &after.metadata.icc), (before.orientation, &before.metadata.icc));
            assert!(respects(&after.metadata, policy), "{way:?}, {policy:?}");
            assert_eq!(WORDS.map(|word| contains(&copy, word)), kept(policy), "{way:?}, {policy:?}");
            let path = folder.path().join("copy.avif");
            std::fs::write(&path, &copy).unwrap();
            let strict = Command::new("avifdec").arg("--info").arg(&path).output().unwrap();
            assert!(strict.status.success(), "{}", String::from_utf8_lossy(&strict.stderr));
            let options = ["-G1", "-s", "-Artist", "-XMP:all", "-GPS:all", "-Warning"];
            let Some(tags) = witness::exiftool(&options, std::slice::from_ref(&path)) else { continue };
            // The profile of these files is none.
            let tells = |word: &str| tags[0].iter().any(|line| line.contains(word) && !line.contains("ICC_Profile"));
            let [artist, headline, place, _] = kept(policy);
            assert_eq!(
                ["Ann Author", "Harbour", "GPSLatitude", "[GPS]", "Warning"].map(tells),
                [artist, headline, place, place, false],
                "{way:?}, {policy:?}: {:?}",
                tags[0]
            );
        }
    }
}

/// Returns a file with another type instead of `from`, wherever that stands.
fn with_kind(file: &[u8], from: &[u8; 4], to: &[u8; 4]) -> Vec<u8> {
    let mut changed = file.to_vec();
    let places: Vec<usize> = (0..file.len() - 4).filter(|&at| file[at..at + 4] == *from).collect();
    assert!(!places.is_empty());
    places.into_iter().for_each(|at| changed[at..at + 4].copy_from_slice(to));
    changed
}

/// Returns an animation of two pictures with a photographer and a place, also in the track.
fn animation(folder: &Path) -> Vec<u8> {
    let made = folder.join("made.avif");
    let sources = [PixelFormat::RGB8, PixelFormat::RGBA8].map(|pixels| {
        let picture = generate::zone_plate(Size::new(128, 96), pixels);
        let path = folder.join(format!("{}.png", pixels.bytes()));
        let opaque = testkit::Picture { pixels: PixelFormat::RGB8, rows: rgb(&picture), ..picture };
        std::fs::write(&path, labelled_picture(&opaque, Format::Png)).unwrap();
        path
    });
    let output = Command::new("avifenc").args(["-s", "9", "-j", "1"]).args(&sources).arg(&made).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::read(made).unwrap()
}

/// Returns the red, green and blue samples.
fn rgb(picture: &testkit::Picture) -> Vec<u8> {
    picture.rows.chunks_exact(picture.pixels.bytes()).flat_map(|pixel| pixel[..3].to_vec()).collect()
}

#[test]
fn a_copy_of_an_animation_has_its_frames_and_nothing_that_the_policy_removes() {
    if !has_tools() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = animation(folder.path());
    let shown = frames(&file);
    assert_eq!((shown.len(), WORDS.map(|word| contains(&file, word))), (2, [true; 4]));
    for policy in POLICIES {
        let mut copy = Vec::new();
        let report = pipeline::relabel(&file, &mut copy, &policy.into(), &Limits::default());
        let report = report.unwrap_or_else(|error| panic!("{policy:?}: {error}"));
        let after = pipeline::probe(&copy, &Limits::default(), &Notes::default()).unwrap();
        assert_eq!((copy.len() as u64, coded(&copy)), (report.byte_len, coded(&file)), "{policy:?}");
        assert_eq!(copy.len(), file.len(), "{policy:?}");
        assert_eq!(frames(&copy), shown, "{policy:?}");
        assert!(respects(&after.metadata, policy), "{policy:?}");
        assert_eq!(WORDS.map(|word| contains(&copy, word)), kept(policy), "{policy:?}");
        // libavif reads the metadata of the track, which are those of the file.
        let path = folder.path().join("copy.avif");
        std::fs::write(&path, &copy).unwrap();
        let strict = Command::new("avifdec").arg("--info").arg(&path).output().unwrap();
        let told = String::from_utf8_lossy(&strict.stdout);
        assert!(strict.status.success(), "{told}{}", String::from_utf8_lossy(&strict.stderr));
        let metadata = ["Exif Metadata  : Present", "XMP Metadata   : Present"].map(|line| told.contains(line));
        assert_eq!(metadata, [policy != Policy::Nothing; 2], "{policy:?}: {told}");
    }
}

/// The third track of an animation may be one of places.
#[test]
fn tracks_that_are_no_pictures_are_left_out() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/pictures");
    let mut file = std::fs::read(fixtures.join("ball.avif")).unwrap();
    // The samples of the second track, the first of which is an item, too.
    let samples = 1766..1804;
    let relabelled = |file: &Vec<u8>| {
        let mut copy = Vec::new();
        pipeline::relabel(file, &mut copy, &Policy::WithoutLocation.into(), &Limits::default()).unwrap();
        copy
    };
    assert_eq!(relabelled(&file), file);
    for (from, to) in [(b"auxv", b"meta"), (b"av01", b"mett")] {
        let at = file[..1724].windows(4).rposition(|bytes| bytes == from).unwrap();
        file[at..at + 4].copy_from_slice(to);
    }
    let copy = relabelled(&file);
    assert!(copy[samples].iter().all(|&byte| byte == 0) && !contains(&copy, b"mett"));
    assert_eq!((copy.len(), frames(&copy)), (file.len(), frames(&file)));
}

#[test]
fn boxes_and_items_that_are_not_understood_are_left_out() {
    if !has_tools() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = avif(WAYS[0], folder.path());
    let note = [&80_u32.to_be_bytes()[..], b"uuid", &[7; 16], b"Bergen Harbour 60,23N, written by Ann "].concat();
    let note = [&note[..], &vec![b'.'; 80 - note.len()]].concat();
    for (file, gone) in [
        // XMP whose item has another type of content is a note of an unknown kind.
        (with_kind(&file, b"rdf+", b"abc+"), &b"Harbour"[..]),
        ([&file[..], &note].concat(), b"Bergen"),
        ([&file[..], b"60,23N"].concat(), b"60,23N"),
    ] {
        let mut copy = Vec::new();
        pipeline::relabel(&file, &mut copy, &Policy::WithoutLocation.into(), &Limits::default()).unwrap();
        assert!(contains(&file, gone) && !contains(&copy, gone));
        assert!(contains(&copy, b"Ann Author"));
        assert_eq!((copy.len(), coded(&copy)), (file.len(), coded(&file)));
    }
}

#[test]
fn what_cannot_be_copied_is_refused() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/pictures");
    let mut fragments = std::fs::read(fixtures.join("ball.avif")).unwrap();
    fragments.extend(b"\0\0\0\x08moof");
    let relabel = |file: &Vec<u8>| {
        pipeline::relabel(file, &mut Vec::new(), &Policy::Nothing.into(), &Limits::default()).map_err(|e| e.code())
    };
    assert_eq!(relabel(&fragments).unwrap_err(), "unsupported");
    if !has_tools() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for file in [avif(WAYS[0], folder.path()), animation(folder.path())] {
        cut_files_tell_no_place(&file);
    }
}

fn cut_files_tell_no_place(file: &[u8]) {
    for len in (0..file.len()).step_by(97) {
        // A cut file is copied as far as it goes, or refused; no copy tells a place.
        let mut copy = Vec::new();
        let cut = file[..len].to_vec();
        if pipeline::relabel(&cut, &mut copy, &Policy::WithoutLocation.into(), &Limits::default()).is_ok() {
            assert!(!contains(&copy, b"60,23N"), "{len}");
        }
    }
}
