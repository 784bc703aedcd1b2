//! XMP that is too long for one segment of a JPEG, as exiftool writes and reads it: in a JPEG, a PNG and a TIFF, by three
//! policies.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test stops at the first surprise")]

use std::fs;
use std::path::Path;
use std::process::Command;

use pipeline::{Job, Output, Part, Policy};
use raster::rows::Create;
use raster::{Budget, Format, Limits, Metadata, PixelFormat, Size};
use testkit::{generate, write_with};

/// A photograph that exiftool gives a title, places, and instructions of this length; nothing without exiftool.
fn source(path: &Path, length: usize) -> Option<Vec<u8>> {
    let picture = generate::gradient(Size::new(40, 30), PixelFormat::RGB8);
    let (mut bytes, budget) = (Vec::new(), Budget::new(&Limits::default()));
    let create = Create::single(picture.size, picture.pixels, &budget);
    let writer = codec_jpeg::create(&mut bytes, &create, &codec_jpeg::Options::default()).unwrap();
    write_with(writer, &picture, &Metadata::default()).unwrap();
    fs::write(path, bytes).unwrap();
    let long = format!("-XMP-photoshop:Instructions={}", "x".repeat(length));
    let places = ["-XMP-exif:GPSLatitude=60.39", "-XMP-photoshop:City=Bergen"];
    let mut exiftool = Command::new("exiftool");
    exiftool.args(["-overwrite_original", "-XMP-dc:Title=A boat"]).args(places).arg(long).arg(path);
    if exiftool.output().is_err() {
        println!("SKIPPED: no exiftool");
        return None;
    }
    Some(fs::read(path).unwrap())
}

/// What exiftool says of the title, the city, the latitude, how many instructions there are, and its warnings.
fn said(path: &Path, file: &[u8]) -> String {
    fs::write(path, file).unwrap();
    let format =
        "$XMP-dc:Title|$XMP-photoshop:City|$XMP-exif:GPSLatitude#|${XMP-photoshop:Instructions;$_=length}|$Warning";
    let run = Command::new("exiftool").args(["-f", "-p", format]).arg(path).output().unwrap();
    String::from_utf8(run.stdout).unwrap().trim().to_owned()
}

#[test]
fn exiftool_reads_all_of_it_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    for length in [1000, 65_000, 100_000] {
        let Some(jpeg) = source(&folder.path().join("source.jpg"), length) else { return };
        let info = pipeline::probe(&jpeg, &Limits::default()).unwrap();
        assert_eq!(info.metadata.xmp_extension.is_some(), length > 1000);
        assert!(!pipeline::respects(&info.metadata, Policy::WithoutLocation));
        let table = [
            (Policy::Everything, format!("A boat|Bergen|60.39|{length}|-")),
            (Policy::WithoutLocation, format!("A boat|-|-|{length}|-")),
            (Policy::Nothing, "-|-|-|-|-".to_owned()),
        ];
        for (policy, expected) in table {
            for format in [Format::Jpeg, Format::Png, Format::Tiff] {
                let part = Part { target: Size::new(20, 15), ..Part::whole(Size::new(40, 30)) };
                let whole = Job::whole(Size::new(40, 30), Output::new(format));
                let mut out = Vec::new();
                let job = Job { parts: vec![part], metadata: policy, ..whole };
                let report = pipeline::run(&jpeg, &mut out, &job, &mut |_, _| {}).unwrap();
                assert_eq!(report.warnings, []);
                assert_eq!(said(&folder.path().join("written"), &out), expected, "{format:?} {policy:?}, {length}");
            }
            let mut copy = Vec::new();
            pipeline::relabel(&jpeg, &mut copy, policy, &Limits::default()).unwrap();
            assert_eq!(said(&folder.path().join("written"), &copy), expected, "copied, {policy:?}, {length}");
        }
    }
}
