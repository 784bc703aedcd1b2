//! The program as scripts use it: arguments, exit codes, one line on stderr, no unfinished files.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may panic and print")]

mod many;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use raster::{Channels, Depth, PixelFormat, Size};
use tempfile::TempDir;
use testkit::Picture;

fn cli(args: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_resize-images")).args(args).current_dir(folder).output().unwrap()
}

fn one_line(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(text.lines().count(), 1, "one line on stderr, not {text:?}");
    text
}

/// Creates a folder with a small picture in each format that can be written.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let picture = testkit::generate::gradient(Size::new(40, 30), PixelFormat::new(Channels::Rgb, Depth::Eight));
    let mut raw = Vec::new();
    let budget = raster::Budget::new(&raster::Limits::default());
    write(&picture, &mut raw, &budget);
    fs::write(folder.path().join("in.raw"), raw).unwrap();
    for name in ["in.png", "in.bmp", "in.jpg"] {
        let done = cli(&["resize", "in.raw", "-o", name], folder.path());
        assert!(done.status.success(), "{name}: {}", String::from_utf8_lossy(&done.stderr));
    }
    folder
}

fn write(picture: &Picture, sink: &mut Vec<u8>, budget: &raster::Budget) {
    let spec = raster::ImageSpec::single(picture.size, picture.pixels, budget);
    let writer = pipeline::Encoding::new(raster::Format::Raw).unwrap().create(sink, &spec).unwrap();
    testkit::write_all(writer, picture).unwrap();
}

fn names(folder: &Path) -> Vec<PathBuf> {
    let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    names
}

#[test]
fn every_format_becomes_every_other_at_the_requested_size() {
    let folder = folder();
    for from in ["png", "bmp", "jpg", "raw"] {
        for to in ["png", "bmp", "jpg", "raw"] {
            let (input, output) = (format!("in.{from}"), format!("out.{to}"));
            let done = cli(&["resize", &input, "-o", &output, "--width", "20"], folder.path());
            assert!(done.status.success(), "{input} {output}: {}", String::from_utf8_lossy(&done.stderr));
            let json = probe(&output, folder.path());
            assert_eq!((json["width"].as_u64(), json["height"].as_u64()), (Some(20), Some(15)), "{input} {output}");
        }
    }
}

fn probe(name: &str, folder: &Path) -> serde_json::Value {
    let done = cli(&["probe", name, "--json"], folder);
    assert!(done.status.success(), "{name}: {}", String::from_utf8_lossy(&done.stderr));
    serde_json::from_slice(&done.stdout).unwrap()
}

#[test]
fn probe_prints_the_documented_words() {
    let folder = folder();
    let json = probe("in.png", folder.path());
    let words = ["format", "width", "height", "frames", "depth", "channels", "orientation", "icc", "warnings"];
    assert!(words.iter().all(|word| json.get(word).is_some()), "{json}");
    assert_eq!(json["format"], "png");
    assert_eq!((json["depth"].as_u64(), json["channels"].as_u64()), (Some(8), Some(3)));
    let sentence = cli(&["probe", "in.png"], folder.path());
    assert_eq!(String::from_utf8(sentence.stdout).unwrap().trim(), "png, 40 × 30, 8 bits × 3 channels");
}

#[test]
fn nothing_grows_unless_it_may() {
    let folder = folder();
    for (words, want) in [
        (&["--width", "80"][..], (40, 30)),
        (&["--width", "80", "--enlarge"][..], (80, 60)),
        (&["--percent", "200"][..], (40, 30)),
        (&["--percent", "50"][..], (20, 15)),
        (&["--width", "10", "--height", "10", "--fit", "cover"][..], (10, 10)),
        (&["--width", "10", "--height", "10", "--fit", "pad"][..], (10, 10)),
        (&["--width", "10", "--height", "10", "--fit", "stretch"][..], (10, 10)),
        (&["--width", "10", "--height", "10"][..], (10, 8)),
        (&[][..], (40, 30)),
    ] {
        let call = [&["resize", "in.png", "-o", "out.png"], words].concat();
        assert!(cli(&call, folder.path()).status.success(), "{words:?}");
        let json = probe("out.png", folder.path());
        assert_eq!((json["width"].as_u64(), json["height"].as_u64()), (Some(want.0), Some(want.1)), "{words:?}");
    }
}

#[test]
fn a_lossless_picture_at_its_own_size_keeps_every_pixel() {
    let folder = folder();
    assert!(cli(&["resize", "in.png", "-o", "back.raw"], folder.path()).status.success());
    assert_eq!(fs::read(folder.path().join("back.raw")).unwrap(), fs::read(folder.path().join("in.raw")).unwrap());
}

#[test]
fn failures_have_their_codes_one_line_and_leave_nothing_behind() {
    let folder = folder();
    let at = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    let png = fs::read(folder.path().join("in.png")).unwrap();
    at("empty", b"");
    at("text.png", b"not a picture at all");
    at("paper.pdf", b"%PDF-1.7 and more");
    at("stump.png", &png[..20]);
    let mut bomb = png.clone();
    bomb[16..24].copy_from_slice(&[0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60]); // 60 000 × 60 000
    let crc = crc32(&bomb[12..29]);
    bomb[29..33].copy_from_slice(&crc.to_be_bytes());
    at("bomb.png", &bomb);
    let before = names(folder.path());
    for (code, call) in [
        (3, &["resize", "empty", "-o", "out.png"][..]),
        (3, &["resize", "text.png", "-o", "out.png"][..]),
        (3, &["resize", "stump.png", "-o", "out.png"][..]),
        (4, &["resize", "paper.pdf", "-o", "out.png"][..]),
        (4, &["resize", "in.png", "-o", "out.avif"][..]),
        (5, &["resize", "bomb.png", "-o", "out.png"][..]),
        (5, &["resize", "in.png", "-o", "out.jpg", "--enlarge", "--width", "70000"][..]),
        (5, &["resize", "in.png", "-o", "out.png", "--enlarge", "--width", "900000", "--memory", "1"][..]),
        (6, &["resize", "missing.png", "-o", "out.png"][..]),
        (6, &["resize", "in.png", "-o", "no/such/folder/out.png"][..]),
        (6, &["probe", "missing.png"][..]),
        (3, &["probe", "text.png"][..]),
    ] {
        let done = cli(call, folder.path());
        assert_eq!(done.status.code(), Some(code), "{call:?}: {}", String::from_utf8_lossy(&done.stderr));
        one_line(&done);
        assert_eq!(names(folder.path()), before, "{call:?} left something behind");
    }
}

/// A large picture takes long enough to be interrupted in the middle.
#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_nothing_behind() {
    let folder = folder();
    let before = names(folder.path());
    let mut child = Command::new(env!("CARGO_BIN_EXE_resize-images"))
        .args(["resize", "in.png", "-o", "out.png", "--enlarge", "--width", "60000"])
        .current_dir(folder.path())
        .spawn()
        .unwrap();
    while names(folder.path()) == before {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be interrupted");
    }
    Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(names(folder.path()), before);
}

#[test]
fn wrong_calls_end_with_2() {
    let folder = folder();
    for call in [
        &[][..],
        &["resize"][..],
        &["resize", "in.png"][..],
        &["resize", "in.png", "-o", "out.png", "--width", "0"][..],
        &["resize", "in.png", "-o", "out.png", "--width", "-4"][..],
        &["resize", "in.png", "-o", "out.png", "--percent", "0"][..],
        &["resize", "in.png", "-o", "out.png", "--percent", "nan"][..],
        &["resize", "in.png", "-o", "out.png", "--kernel", "best"][..],
        &["resize", "in.png", "-o", "out.png", "--fit", "fill"][..],
        &["resize", "in.png", "-o", "out.png", "--quality", "101"][..],
        &["resize", "in.png", "-o", "out.png", "--effort", "most"][..],
        &["resize", "in.png", "-o", "out.tif", "--compression", "jpeg"][..],
        &["resize", "in.png", "-o", "out.ico", "--icon-sizes", "16,257"][..],
        &["resize", "in.png", "-o", "out.ico", "--icon-sizes", "16", "--width", "16"][..],
        &["resize", "in.png", "-o", "out.png", "--icon-sizes", "16"][..],
        &["resize", "in.png", "-o", "out.docx"][..],
        &["resize", "in.png", "-o", "out.png", "--memory", "0"][..],
    ] {
        let done = cli(call, folder.path());
        assert_eq!(done.status.code(), Some(2), "{call:?}");
        assert!(one_line(&done).len() > 10, "{call:?}");
    }
}

#[test]
fn a_webp_is_written_without_loss_and_a_lossy_one_ends_with_4() {
    let folder = folder();
    let done = cli(&["resize", "in.png", "-o", "out.webp"], folder.path());
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(probe("out.webp", folder.path())["format"], "webp");
    let done = cli(&["resize", "in.png", "-o", "lossy.webp", "--quality", "80"], folder.path());
    assert_eq!(done.status.code(), Some(4));
    assert!(one_line(&done).contains("lossy"), "{}", one_line(&done));
    assert!(!folder.path().join("lossy.webp").exists());
}

/// Returns an icon's directory: the sides of its entries in the order of the file (0 stands for 256).
fn sides(icon: &[u8]) -> Vec<u8> {
    let count = usize::from(u16::from_le_bytes([icon[4], icon[5]]));
    icon[6..].chunks_exact(16).take(count).map(|entry| entry[0]).collect()
}

#[test]
fn icons_contain_the_requested_sizes() {
    let folder = folder();
    for (words, want) in [
        (&[][..], &[16, 24, 32][..]),
        (&["--icon-sizes", "32,16"][..], &[16, 32][..]),
        // Without enlargement a larger icon is not made, but an icon needs at least one picture.
        (&["--icon-sizes", "20,48,256"][..], &[20][..]),
        (&["--icon-sizes", "64,48"][..], &[48][..]),
        (&["--icon-sizes", "20,48,256", "--enlarge"][..], &[20, 48, 0][..]),
    ] {
        let done = cli(&[&["resize", "in.png", "-o", "out.ico"], words].concat(), folder.path());
        assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
        assert_eq!(sides(&fs::read(folder.path().join("out.ico")).unwrap()), want, "{words:?}");
    }
    // Entries of an icon are counted from the largest.
    let calls: [&[&str]; 2] = [&["--frame", "2"], &["--frame", "2", "--icon-sizes", "16,24,32"]];
    for (words, name) in calls.into_iter().zip(["entry.png", "of-entry.ico"]) {
        assert!(
            cli(&[&["resize", "out.ico", "-o", name], words].concat(), folder.path()).status.success(),
            "{words:?}"
        );
    }
    assert_eq!(probe("entry.png", folder.path())["width"], 48);
    assert_eq!(sides(&fs::read(folder.path().join("of-entry.ico")).unwrap()), [16, 24, 32]);
}

/// A circle is drawn anew for each result, so that only pixels of its edge are neither black nor transparent.
#[test]
fn drawings_are_drawn_at_the_requested_size_and_stay_drawings() {
    let folder = tempfile::tempdir().unwrap();
    let circle = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><circle cx='4.5' cy='4.5' r='4'/></svg>\n";
    fs::write(folder.path().join("in.svg"), circle).unwrap();
    let resize = |output: &str, more: &[&str]| {
        let done = cli(&[&["resize", "in.svg", "-o", output][..], more].concat(), folder.path());
        assert!(done.status.success(), "{output}: {}", String::from_utf8_lossy(&done.stderr));
        fs::read(folder.path().join(output)).unwrap()
    };
    resize("out.png", &["--width", "900", "--enlarge"]);
    assert_eq!(probe("out.png", folder.path())["height"], 900);
    let raw = resize("out.raw", &["--width", "900", "--enlarge"]);
    let edge = raw[100..].as_chunks::<4>().0.iter().filter(|pixel| !matches!(pixel, [_, _, _, 0 | 255])).count();
    assert!(edge < 900 * 12, "{edge} pixels are neither inside nor outside");
    assert_eq!(sides(&resize("out.ico", &["--enlarge"])).len(), 7);
    let svg = String::from_utf8(resize("out.svg", &["--width", "60"])).unwrap();
    assert_eq!(svg, circle.replace("<svg", "<svg width=\"60\" height=\"60\""));
    let back = cli(&["resize", "out.png", "-o", "back.svg"], folder.path());
    assert_eq!(back.status.code(), Some(4), "{}", String::from_utf8_lossy(&back.stderr));
}

#[test]
fn effort_and_compression_change_only_the_bytes_of_the_file() {
    let folder = folder();
    let mut lengths = Vec::new();
    for (name, words) in [
        ("fast.png", ["--effort", "fast"]),
        ("smallest.png", ["--effort", "smallest"]),
        ("none.tif", ["--compression", "none"]),
        ("lzw.tif", ["--compression", "lzw"]),
        ("deflate.tif", ["--compression", "deflate"]),
    ] {
        for (input, name) in [("in.png", name), (name, "back.raw")] {
            let done = cli(&[&["resize", input, "-o", name][..], &words[..]].concat(), folder.path());
            assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
        }
        let back = fs::read(folder.path().join("back.raw")).unwrap();
        assert!(back == fs::read(folder.path().join("in.raw")).unwrap(), "{words:?}");
        lengths.push(fs::metadata(folder.path().join(name)).unwrap().len());
    }
    assert!(lengths[0] > lengths[1] && lengths[2] > lengths[3] && lengths[3] != lengths[4], "{lengths:?}");
}

#[test]
fn a_file_may_be_replaced_by_its_own_result() {
    let folder = folder();
    assert!(cli(&["resize", "in.png", "-o", "in.png", "--width", "10"], folder.path()).status.success());
    assert_eq!(probe("in.png", folder.path())["width"], 10);
}

#[cfg(unix)]
#[test]
fn a_link_is_kept_and_only_files_are_read_or_replaced() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    use std::os::unix::net::UnixListener;

    let folder = folder();
    symlink("in.png", folder.path().join("link.png")).unwrap();
    assert!(cli(&["resize", "in.bmp", "-o", "link.png", "--width", "10"], folder.path()).status.success());
    assert!(fs::symlink_metadata(folder.path().join("link.png")).unwrap().is_symlink());
    assert_eq!(probe("in.png", folder.path())["width"], 10);

    // A socket replaces /dev/null, which a test must not risk.
    let device = folder.path().join("device");
    let _listener = UnixListener::bind(&device).unwrap();
    for call in [&["resize", "in.png", "-o", "device"][..], &["probe", "device"]] {
        let done = cli(call, folder.path());
        assert_eq!(done.status.code(), Some(6), "{call:?}");
        one_line(&done);
        assert!(fs::metadata(&device).unwrap().file_type().is_socket(), "{call:?}");
    }
}

/// Computes the CRC-32 bit by bit, for one forged header.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 })
    })
}
