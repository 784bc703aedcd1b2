//! Texts from file to file, as exiftool reads them: a PNG's text chunks and a JPEG's comment, under three policies,
//! rewritten and copied.

use std::fs;
use std::path::Path;
use std::process::Command;

use pipeline::{Encoding, Job, Part, Policy};
use raster::{Budget, Format, ImageSpec, Limits, Metadata, Notes, PixelFormat, Size, Text};
use testkit::{generate, write_with};

const POLICIES: [Policy; 3] = [Policy::Everything, Policy::WithoutLocation, Policy::Nothing];

/// Returns texts for people, and coordinates.
fn texts() -> Vec<Text> {
    let pairs = [
        ("Title", "A boat"),
        ("Author", "Ännchen 船"),
        ("Description", "In the harbour"),
        ("Copyright", "Ann"),
        ("Comment", "Moored since May — to be sold"),
        ("City", "Bergen"),
        ("exif:GPSLatitude", "60/1, 23/1, 34/1"),
    ];
    pairs.map(|(keyword, text)| Text { keyword: keyword.into(), text: text.into(), ..Text::default() }).into()
}

fn source(format: Format, texts: Vec<Text>) -> Vec<u8> {
    let picture = generate::gradient(Size::new(40, 30), PixelFormat::RGB8);
    let (mut bytes, budget) = (Vec::new(), Budget::new(&Limits::default()));
    let spec = ImageSpec::single(picture.size, picture.pixels, &budget);
    let metadata = Metadata { texts, ..Metadata::default() };
    let writer = match format {
        Format::Png => codec_png::create(&mut bytes, &spec, &codec_png::Options::default()),
        Format::Gif => codec_gif::create(&mut bytes, &spec, &codec_gif::Options::default()),
        _ => codec_jpeg::create(&mut bytes, &spec, &codec_jpeg::Options::default()),
    };
    write_with(writer.unwrap(), &picture, &metadata).unwrap();
    bytes
}

fn resized(source: &[u8], format: Format, policy: Policy) -> Vec<u8> {
    let part = Part { target: Size::new(20, 15), ..Part::whole(Size::new(40, 30)) };
    let job =
        Job { parts: vec![part], metadata: policy, ..Job::whole(Size::new(40, 30), Encoding::new(format).unwrap()) };
    let mut out = Vec::new();
    pipeline::run(&source, &mut out, &job, &mut |_, _| {}).unwrap();
    out
}

fn copied(source: &[u8], policy: Policy) -> Vec<u8> {
    let mut out = Vec::new();
    pipeline::relabel(&source, &mut out, &policy.into(), &Limits::default()).unwrap();
    out
}

/// Returns exiftool's reading, one `tag: value` each, or `None` without exiftool.
fn exiftool_reading(folder: &Path, file: &[u8]) -> Option<Vec<String>> {
    let path = folder.join("written");
    fs::write(&path, file).unwrap();
    let tags =
        "Title Author Artist Description ImageDescription Copyright Comment City GPSLatitude Exif:all".split(' ');
    let options = ["-S", "-n", "-a", "-api", "Sort=Tag", "-charset", "exif=utf8"];
    let run = Command::new("exiftool").args(options).args(tags.map(|tag| format!("-{tag}"))).arg(path).output();
    let Ok(run) = run else {
        println!("SKIPPED: no exiftool");
        return None;
    };
    let mut lines: Vec<String> = String::from_utf8(run.stdout).unwrap().lines().map(str::to_owned).collect();
    lines.retain(|line| !["Resolution", "YCbCr", "Orientation"].iter().any(|own| line.contains(own)));
    lines.sort();
    lines.dedup();
    Some(lines)
}

#[test]
fn exiftool_reads_the_texts_that_each_policy_keeps() {
    let folder = tempfile::tempdir().unwrap();
    let png = source(Format::Png, texts());
    let people = [
        "Author: Ännchen 船",
        "Comment: Moored since May — to be sold",
        "Copyright: Ann",
        "Description: In the harbour",
        "Title: A boat",
    ];
    let with_places = [&people[..1], &["City: Bergen"], &people[1..]].concat();
    for (policy, expected) in POLICIES.into_iter().zip([&with_places[..], &people, &[]]) {
        for file in [resized(&png, Format::Png, policy), copied(&png, policy)] {
            let Some(mut lines) = exiftool_reading(folder.path(), &file) else { return };
            // exiftool has no name for ImageMagick's keyword.
            lines.retain(|line| !line.starts_with("GPSLatitude"));
            assert_eq!(lines, expected, "{policy:?}");
            let holds = |word: &[u8]| file.windows(word.len()).any(|window| window == word);
            assert_eq!(holds(b"GPSLatitude"), policy == Policy::Everything);
        }
    }
}

#[test]
fn other_formats_store_title_author_and_copyright_as_exif_and_jpeg_the_comment() {
    let folder = tempfile::tempdir().unwrap();
    let png = source(Format::Png, texts());
    let exif = ["Artist: Ännchen 船", "Copyright: Ann", "ImageDescription: In the harbour"];
    let with_comment = [&exif[..1], &["Comment: Moored since May — to be sold"], &exif[1..]].concat();
    for (format, expected) in [(Format::Jpeg, &with_comment[..]), (Format::Tiff, &exif)] {
        for policy in POLICIES {
            let Some(mut lines) = exiftool_reading(folder.path(), &resized(&png, format, policy)) else { return };
            lines.retain(|line| !TIFF_OWN.iter().any(|own| line.starts_with(own)));
            assert_eq!(lines, if policy == Policy::Nothing { &[][..] } else { expected }, "{format:?} {policy:?}");
        }
    }
}

/// The tags of a TIFF about its own pixels.
const TIFF_OWN: [&str; 13] = [
    "BitsPerSample",
    "Compression",
    "ImageHeight",
    "ImageWidth",
    "PhotometricInterpretation",
    "PlanarConfiguration",
    "Predictor",
    "RowsPerStrip",
    "SamplesPerPixel",
    "StripByteCounts",
    "StripOffsets",
    "SubfileType",
    "SampleFormat",
];

#[test]
fn a_comment_of_a_gif_is_kept_in_a_copy() {
    let folder = tempfile::tempdir().unwrap();
    let gif = source(Format::Gif, vec![Text::comment("A boat — 船".into())]);
    for policy in POLICIES {
        let Some(lines) = exiftool_reading(folder.path(), &copied(&gif, policy)) else { return };
        let expected = if policy == Policy::Nothing { vec![] } else { vec!["Comment: A boat — 船".to_owned()] };
        assert_eq!(lines, expected, "{policy:?}");
    }
}

#[test]
fn a_comment_of_a_jpeg_is_kept_in_jpeg_and_png() {
    let folder = tempfile::tempdir().unwrap();
    let jpeg = source(Format::Jpeg, vec![Text::comment("A boat — 船".into())]);
    for policy in POLICIES {
        let files = [resized(&jpeg, Format::Jpeg, policy), resized(&jpeg, Format::Png, policy), copied(&jpeg, policy)];
        for file in files {
            let Some(lines) = exiftool_reading(folder.path(), &file) else { return };
            let expected = if policy == Policy::Nothing { vec![] } else { vec!["Comment: A boat — 船".to_owned()] };
            assert_eq!(lines, expected, "{policy:?}");
        }
    }
}

#[test]
fn texts_are_details_and_places_among_them_are_locations() {
    let tells = |texts: Vec<Text>| {
        let info = pipeline::probe(&source(Format::Png, texts), &Limits::default(), &Notes::default()).unwrap();
        POLICIES.map(|policy| pipeline::respects(&info.metadata, policy))
    };
    assert_eq!(tells(vec![]), [true, true, true]);
    assert_eq!(tells(vec![Text::comment("A boat".into())]), [true, true, false]);
    assert_eq!(tells(texts()), [true, false, false]);
}
