//! Many files and folders in one call: the same tree of folders, names by a pattern, one summary line, and failures
//! that do not stop other files.

use std::fs;
use std::path::Path;
use std::process::Output;

use raster::{Channels, Depth, PixelFormat, Size};
use tempfile::TempDir;

use super::{cli, folder, names, probe};

/// Creates a folder `trip` with two images, one of them in a subfolder, a text file, and a damaged image.
fn trip() -> TempDir {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("trip/day 1")).unwrap();
    fs::copy(at("in.png"), at("trip/a.png")).unwrap();
    fs::copy(at("in.jpg"), at("trip/day 1/b.JPG")).unwrap();
    fs::write(at("trip/notes.txt"), "no image").unwrap();
    folder
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn files_below(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for path in names(folder) {
        if path.is_dir() {
            found.extend(files_below(&path).into_iter().map(|below| format!("{}/{below}", name_of(&path))));
        } else {
            found.push(name_of(&path));
        }
    }
    found
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

#[test]
fn a_folder_is_written_with_the_same_tree_and_one_summary_line() {
    let folder = trip();
    let done = cli(&["resize", "trip", "-o", "out/small", "--width", "20", "--jobs", "2"], folder.path());
    assert!(done.status.success(), "{}", stderr(&done));
    let out = folder.path().join("out/small");
    assert_eq!(files_below(&out), ["a-20x15.png", "day 1/b-20x15.JPG"]);
    assert_eq!(probe("out/small/day 1/b-20x15.JPG", folder.path())["width"], 20);
    let printed = stderr(&done);
    assert_eq!(printed.lines().count(), 1, "{printed:?}");
    assert!(printed.starts_with("2 images written, 1 skipped because they are no images: "), "{printed:?}");
}

#[test]
fn results_of_many_files_have_the_names_and_format_of_the_call_and_never_share_a_name() {
    let folder = trip();
    let call = ["resize", "in.png", "in.bmp", "trip/a.png", "-o", "out", "--names", "{n}-{name}", "--format", "jpeg"];
    let done = cli(&call, folder.path());
    assert!(done.status.success(), "{}", stderr(&done));
    assert_eq!(files_below(&folder.path().join("out")), ["1-in.jpg", "2-in.jpg", "3-a.jpg"]);
    let done = cli(&["resize", "in.png", "in.bmp", "-o", "one", "--names", "x", "--format", "png"], folder.path());
    assert!(done.status.success(), "{}", stderr(&done));
    assert_eq!(files_below(&folder.path().join("one")), ["x (2).png", "x.png"]);
}

#[test]
fn the_results_do_not_depend_on_the_number_of_jobs() {
    let folder = trip();
    for jobs in ["1", "4"] {
        let out = format!("out{jobs}");
        let call = ["resize", "trip", "in.bmp", "in.jpg", "-o", &out, "--percent", "50", "--jobs", jobs];
        assert!(cli(&call, folder.path()).status.success());
    }
    let (one, four) = (folder.path().join("out1"), folder.path().join("out4"));
    assert_eq!(files_below(&one), files_below(&four));
    for name in files_below(&one) {
        assert!(fs::read(one.join(&name)).unwrap() == fs::read(four.join(&name)).unwrap(), "{name}");
    }
}

#[test]
fn a_failed_file_does_not_stop_others_and_the_highest_code_is_the_exit_code() {
    let folder = trip();
    fs::write(folder.path().join("bad.png"), b"\x89PNG\r\n\x1a\n").unwrap();
    fs::write(folder.path().join("paper.pdf"), b"%PDF-1.7").unwrap();
    let call = ["resize", "bad.png", "paper.pdf", "missing.png", "in.png", "-o", "out"];
    let done = cli(&call, folder.path());
    assert_eq!(done.status.code(), Some(6), "3, 4 and 6 make 6: {}", stderr(&done));
    assert_eq!(files_below(&folder.path().join("out")), ["in-40x30.png"]);
    let printed = stderr(&done);
    assert_eq!(printed.lines().count(), 4, "{printed}");
    assert!(["bad.png: ", "paper.pdf: ", "missing.png: "].iter().all(|name| printed.contains(name)), "{printed}");
    assert!(printed.contains("1 image written, 3 failed: "), "{printed}");
}

#[test]
fn originals_are_never_replaced_by_results_of_many() {
    let folder = trip();
    let before = fs::read(folder.path().join("trip/a.png")).unwrap();
    let done = cli(&["resize", "trip", "-o", "trip", "--names", "{name}", "--width", "10"], folder.path());
    assert_eq!(done.status.code(), Some(2), "{}", stderr(&done));
    assert_eq!(fs::read(folder.path().join("trip/a.png")).unwrap(), before);
    // With other names the results may be beside the originals. With a folder of their own, a second run does not treat
    // them as originals.
    for _ in 0..2 {
        assert!(cli(&["resize", "trip", "-o", "trip/small", "--width", "10"], folder.path()).status.success());
    }
    assert_eq!(files_below(&folder.path().join("trip/small")), ["a-10x8.png", "day 1/b-10x8.JPG"]);
}

#[test]
fn one_file_is_written_into_a_folder_if_it_exists_or_its_name_ends_like_one() {
    let folder = folder();
    for out in ["there", "new/"] {
        fs::create_dir_all(folder.path().join("there")).unwrap();
        let done = cli(&["resize", "in.png", "-o", out, "--width", "20"], folder.path());
        assert!(done.status.success(), "{}", stderr(&done));
        assert_eq!(files_below(&folder.path().join(out)), ["in-20x15.png"]);
    }
}

#[test]
fn wrong_calls_with_many_files_end_with_2_and_empty_folders_with_3() {
    let folder = trip();
    for (code, call) in [
        (2, &["resize", "in.png", "in.bmp", "-o", "in.jpg"][..]),
        (2, &["resize", "trip", "-o", "out", "--names", "a/b"][..]),
        (2, &["resize", "trip", "-o", "out", "--jobs", "0"][..]),
        (2, &["resize", "trip", "-o", "out", "--format", "docx"][..]),
        (3, &["resize", "none", "-o", "out"][..]),
    ] {
        fs::create_dir_all(folder.path().join("none")).unwrap();
        let done = cli(call, folder.path());
        assert_eq!(done.status.code(), Some(code), "{call:?}: {}", stderr(&done));
    }
}

#[test]
fn probe_prints_file_names_when_there_are_several() {
    let folder = trip();
    let done = cli(&["probe", "in.png", "trip", "missing.png"], folder.path());
    assert_eq!(done.status.code(), Some(6));
    let printed = String::from_utf8(done.stdout).unwrap();
    let starts = ["in.png: png, 40 × 30", "trip/a.png: png, 40 × 30", "trip/day 1/b.JPG: jpeg, 40 × 30"];
    assert!(printed.lines().zip(starts).all(|(line, start)| line.starts_with(start)), "{printed}");
}

#[test]
fn files_of_formats_that_are_only_read_become_png() {
    let folder = folder();
    let write = |name: &str, bytes: &[&[u8]]| fs::write(folder.path().join(name), bytes.concat()).unwrap();
    write("a.qoi", &[b"qoif\0\0\0\x02\0\0\0\x01\x03\0", &[0xFE, 9, 8, 7, 0xC0], &[0, 0, 0, 0, 0, 0, 0, 1]]);
    write("b.ppm", &[b"P6 2 1 255\n", &[9, 8, 7, 9, 8, 7]]);
    write("c.tga", &[&[0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 24, 0], &[0x81, 7, 8, 9]]);
    let done = cli(&["resize", "a.qoi", "b.ppm", "c.tga", "-o", "out", "--width", "1"], folder.path());
    assert!(done.status.success(), "{}", stderr(&done));
    let out = folder.path().join("out");
    assert_eq!(files_below(&out), ["a-1x1.png", "b-1x1.png", "c-1x1.png"]);
    let [a, b, c] = ["a", "b", "c"].map(|name| fs::read(out.join(format!("{name}-1x1.png"))).unwrap());
    assert!(a == b && b == c, "the pixels of all three are the same");
}

#[test]
fn each_jpeg_is_within_the_limit_and_near_it() {
    let folder = folder();
    let noise = testkit::generate::noise(Size::new(240, 180), PixelFormat::new(Channels::Rgb, Depth::Eight), 7);
    let mut raw = Vec::new();
    super::write(&noise, &mut raw, &raster::Budget::new(&raster::Limits::default()));
    fs::write(folder.path().join("noise.raw"), raw).unwrap();
    for (limit, bytes) in [("8KB", 8000), ("20KB", 20_000), ("40KiB", 40_960)] {
        let done = cli(&["resize", "noise.raw", "-o", "out.jpg", "--max-bytes", limit], folder.path());
        assert!(done.status.success() && done.stderr.is_empty(), "{limit}: {}", stderr(&done));
        let written = fs::metadata(folder.path().join("out.jpg")).unwrap().len();
        assert!(written <= bytes && written * 100 >= bytes * 95, "{limit}: {written}");
    }
    // With a typed quality, the search starts there and stays below it.
    let typed = ["resize", "noise.raw", "-o", "typed.jpg", "--quality", "30"];
    assert!(cli(&typed, folder.path()).status.success());
    let same = ["resize", "noise.raw", "-o", "same.jpg", "--quality", "30", "--max-bytes", "1MB"];
    assert!(cli(&same, folder.path()).status.success());
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(read("typed.jpg") == read("same.jpg"));
}

#[test]
fn a_file_over_the_limit_is_the_smallest_one_and_a_note_says_so() {
    let folder = folder();
    let before = names(folder.path()).len();
    for (name, quality) in [("out.jpg", Some("1")), ("out.png", None)] {
        let done = cli(&["resize", "in.png", "-o", name, "--max-bytes", "100"], folder.path());
        let bytes = fs::metadata(folder.path().join(name)).unwrap().len();
        assert!(done.status.success());
        assert!(stderr(&done).starts_with(&format!("note: the file has {bytes} bytes, the limit is 100")), "{name}");
        let quality = quality.map(|quality| ["--quality", quality]);
        let plain = [&["resize", "in.png", "-o", "plain"][..], &["--format", &name[4..]]].concat();
        let plain = [&plain[..], quality.as_ref().map_or(&[], |args| &args[..])].concat();
        assert!(cli(&plain, folder.path()).status.success());
        assert_eq!(fs::metadata(folder.path().join("plain")).unwrap().len(), bytes, "{name}");
    }
    assert_eq!(names(folder.path()).len(), before + 3, "no unfinished files");
    let wrong = cli(&["resize", "in.png", "-o", "out.jpg", "--max-bytes", "many"], folder.path());
    assert_eq!(wrong.status.code(), Some(2));
}
