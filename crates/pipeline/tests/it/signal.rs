//! HDR and wide colours in PNG's chunks for video, as exiftool reads them: they are kept when samples are kept, and
//! their loss is a warning.

use std::fs;
use std::process::Command;

use pipeline::{Encoding, Job, Part, Policy};
use raster::{Budget, Channels, Depth, Format, ImageSpec, Limits, Metadata, Notes, PixelFormat, Signal, Size, Warning};
use testkit::{generate, write_with};

/// BT.2100 PQ with all optional chunks.
const PQ: Signal = Signal {
    code_points: [9, 16, 0, 1],
    mastering_display: Some(
        *b"\x8A\x48\x39\x08\x21\x34\x9B\xAA\x19\x96\x08\xFC\x3D\x13\x40\x42\0\x98\x96\x80\0\0\0\x32",
    ),
    light_level: Some(*b"\0\x98\x96\x80\0\x0F\x42\x40"),
    has_profile: false,
};

/// Display P3 and sRGB, which profiles can describe too.
const P3: Signal =
    Signal { code_points: [12, 13, 0, 1], mastering_display: None, light_level: None, has_profile: true };
const SRGB: Signal = Signal { code_points: [1, 13, 0, 1], ..P3 };

fn source(signal: Signal, channels: Channels) -> Vec<u8> {
    let picture = generate::gradient(Size::new(40, 30), PixelFormat::new(channels, Depth::Sixteen));
    let (mut bytes, budget) = (Vec::new(), Budget::new(&Limits::default()));
    let spec = ImageSpec::single(picture.size, picture.pixels, &budget);
    let writer = codec_png::create(&mut bytes, &spec, &codec_png::Options::default()).unwrap();
    write_with(writer, &picture, &Metadata { signal: Some(signal), ..Metadata::default() }).unwrap();
    bytes
}

fn resized(source: &[u8], format: Format, policy: Policy) -> (Vec<u8>, Vec<Warning>) {
    let part = Part { target: Size::new(20, 15), ..Part::whole(Size::new(40, 30)) };
    let job =
        Job { parts: vec![part], metadata: policy, ..Job::whole(Size::new(40, 30), Encoding::new(format).unwrap()) };
    let mut out = Vec::new();
    let report = pipeline::run(&source, &mut out, &job, &mut |_, _| {}).unwrap();
    (out, report.warnings)
}

fn metadata(bytes: &[u8]) -> Metadata {
    Metadata::clone(&pipeline::probe(&bytes, &Limits::default(), &Notes::default()).unwrap().metadata)
}

#[test]
fn chunks_for_video_are_kept_in_a_png_under_every_policy() {
    for signal in [PQ, P3, SRGB] {
        for channels in [Channels::Rgb, Channels::Rgba, Channels::Gray] {
            let png = source(signal, channels);
            let before = metadata(&png);
            assert_eq!((before.signal, before.icc.is_some()), (Some(signal), signal == P3));
            for policy in [Policy::Everything, Policy::WithoutLocation, Policy::Nothing] {
                let (out, warnings) = resized(&png, Format::Png, policy);
                assert_eq!((metadata(&out), warnings), (before.clone(), vec![]));
                let mut copy = Vec::new();
                pipeline::relabel(&png, &mut copy, &policy.into(), &Limits::default()).unwrap();
                assert_eq!(metadata(&copy), before);
            }
        }
    }
}

#[test]
fn other_formats_get_a_profile_or_a_warning() {
    for (signal, note) in [(PQ, true), (P3, false), (SRGB, false)] {
        for format in [Format::Jpeg, Format::Tiff, Format::Bmp] {
            let (out, warnings) = resized(&source(signal, Channels::Rgb), format, Policy::default());
            let found = metadata(&out);
            assert_eq!((found.signal, found.icc.is_some()), (None, signal == P3), "{format:?}");
            assert_eq!(warnings.contains(&Warning::ProfileDropped), note, "{format:?}: {warnings:?}");
        }
    }
}

#[test]
fn exiftool_reads_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pq.png");
    fs::write(&path, resized(&source(PQ, Channels::Rgb), Format::Png, Policy::default()).0).unwrap();
    let Ok(output) = Command::new("exiftool").args(["-S", "-n", "-PNG-cICP:all"]).arg(path).output() else {
        println!("SKIPPED: no exiftool");
        return;
    };
    let output = String::from_utf8(output.stdout).unwrap();
    let expected =
        ["ColorPrimaries: 9", "TransferCharacteristics: 16", "MatrixCoefficients: 0", "VideoFullRangeFlag: 1"];
    assert_eq!(output.lines().collect::<Vec<_>>(), expected);
}
