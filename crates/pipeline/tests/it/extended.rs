//! XMP that is too long for one segment of a JPEG, written and read by exiftool: from a JPEG, a PNG and a TIFF to each
//! of them, under three policies.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use pipeline::{Encoding, Job, Part, Policy};
use raster::{Budget, Format, ImageSpec, Limits, Metadata, Notes, PixelFormat, Size};
use testkit::{generate, write_with};

/// Returns a photograph to which exiftool adds a title, places, and instructions of this length, or `None` without
/// exiftool.
fn source(path: &Path, length: usize) -> Option<Vec<u8>> {
    let picture = generate::gradient(Size::new(40, 30), PixelFormat::RGB8);
    let (mut bytes, budget) = (Vec::new(), Budget::new(&Limits::default()));
    let spec = ImageSpec::single(picture.size, picture.pixels, &budget);
    let writer = codec_jpeg::create(&mut bytes, &spec, &codec_jpeg::Options::default()).unwrap();
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

/// Returns exiftool's reading of each file: the title, the city, the latitude, the length of the instructions, and its
/// warnings.
fn exiftool_readings(files: &[PathBuf]) -> Vec<String> {
    let format =
        "$XMP-dc:Title|$XMP-photoshop:City|$XMP-exif:GPSLatitude#|${XMP-photoshop:Instructions;$_=length}|$Warning";
    let run = Command::new("exiftool").args(["-e", "-f", "-p", format]).args(files).output().unwrap();
    String::from_utf8(run.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// Returns a file written in a format at half its size or its own.
fn written(source: &[u8], format: Format, policy: Policy, target: Size) -> Vec<u8> {
    let from = pipeline::probe(&source, &Limits::default(), &Notes::default()).unwrap().size;
    let part = Part { target, ..Part::whole(from) };
    let job = Job { parts: vec![part], metadata: policy, ..Job::whole(from, Encoding::new(format).unwrap()) };
    let mut out = Vec::new();
    let report = pipeline::run(&source, &mut out, &job, &mut |_, _| {}).unwrap();
    assert_eq!(report.warnings, []);
    out
}

#[test]
fn exiftool_reads_all_of_it_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let (mut files, mut cases) = (Vec::new(), Vec::new());
    let mut keep = |bytes: &[u8], expected: &str, case: String| {
        let path = folder.path().join(format!("{}", files.len()));
        fs::write(&path, bytes).unwrap();
        files.push(path);
        cases.push((case, expected.to_owned()));
    };
    for length in [1000, 65_000, 100_000] {
        let Some(jpeg) = source(&folder.path().join("source.jpg"), length) else { return };
        let info = pipeline::probe(&jpeg, &Limits::default(), &Notes::default()).unwrap();
        assert_eq!(info.metadata.xmp_extension.is_some(), length > 1000);
        assert!(!pipeline::respects(&info.metadata, Policy::WithoutLocation));
        let table = [
            (Policy::Everything, format!("A boat|Bergen|60.39|{length}|-")),
            (Policy::WithoutLocation, format!("A boat|-|-|{length}|-")),
            (Policy::Nothing, "-|-|-|-|-".to_owned()),
        ];
        let others = [Format::Png, Format::Tiff].map(|format| written(&jpeg, format, Policy::Everything, info.size));
        for (policy, expected) in table {
            for (from, source) in [&jpeg, &others[0], &others[1]].into_iter().enumerate() {
                for format in [Format::Jpeg, Format::Png, Format::Tiff] {
                    let out = written(source, format, policy, Size::new(20, 15));
                    keep(&out, &expected, format!("source {from}, {format:?} {policy:?}, {length}"));
                }
            }
            let mut copy = Vec::new();
            pipeline::relabel(&jpeg, &mut copy, &policy.into(), &Limits::default()).unwrap();
            keep(&copy, &expected, format!("copied, {policy:?}, {length}"));
        }
    }
    let readings = exiftool_readings(&files);
    assert_eq!(readings.len(), cases.len());
    for ((case, expected), reading) in cases.into_iter().zip(readings) {
        assert_eq!(reading, expected, "{case}");
    }
}
