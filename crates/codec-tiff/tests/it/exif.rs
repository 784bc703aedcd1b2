//! The EXIF block that is rebuilt from a TIFF has the same tags as the TIFF, as exiftool reads them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use codec_tiff::open;
use raster::{Budget, Limits};

/// Returns the tags of these groups as exiftool reads them, sorted. Maker notes are left out, because their offsets
/// count from the file's start.
fn tags(path: &Path) -> Vec<String> {
    let groups = ["-ExifIFD:all", "-GPS:all", "-InteropIFD:all", "-IFD0:Make", "-IFD0:Model", "-IFD0:DateTime"];
    let more = ["-IFD0:ModifyDate", "-IFD0:Software", "-IFD0:Artist", "-IFD0:Copyright", "-IFD0:ImageDescription"];
    let quiet = ["-s", "-n", "-G1", "-a", "--MakerNotes:all"];
    let output =
        Command::new("exiftool").args(quiet).args(groups).args(more).arg(path).output().expect("exiftool runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut lines: Vec<String> = text.lines().filter(|line| !line.contains("Warning")).map(str::to_owned).collect();
    lines.sort();
    lines
}

#[test]
fn rebuilt_blocks_have_the_tags_of_the_file() {
    let Some(photos) = testkit::corpus::photos() else { return };
    if Command::new("exiftool").arg("-ver").output().is_err() || Command::new("tiffcp").arg("-h").output().is_err() {
        eprintln!("SKIPPED: no exiftool or tiffcp (Debian: apt-get install libimage-exiftool-perl libtiff-tools)");
        return;
    }
    let folder = std::env::temp_dir().join(format!("codec-tiff-exif-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| -> PathBuf { folder.join(name) };
    let rows = testkit::corpus::rows("tiff").expect("the corpus beside the photographs");
    let bare = rows.iter().find(|row| row.name.ends_with("decodedata-rgb-3c-8b.tiff")).expect("a row of the table");
    let mut compared = 0;
    for (i, photo) in photos.iter().enumerate() {
        for order in ["-L", "-B"] {
            let tiff = path(&format!("{i}{order}.tif"));
            assert!(Command::new("tiffcp").arg(order).arg(&bare.path).arg(&tiff).status().unwrap().success());
            let copy = ["-q", "-q", "-m", "-overwrite_original", "-all:all", "-TagsFromFile"];
            let all = ["-EXIF:all", "-GPS:all"];
            // A picture without any tags changes nothing, which the tool reports as a failure.
            let _ = Command::new("exiftool").args(copy).arg(photo).args(all).arg(&tiff).status().unwrap();
            let bytes = fs::read(&tiff).unwrap();
            let reader = open(&bytes, &Budget::new(&Limits::default())).unwrap();
            let want = tags(&tiff);
            let Some(block) = &reader.info().metadata.exif else {
                assert!(want.is_empty(), "{}: {want:?}", photo.display());
                continue;
            };
            let rebuilt = path(&format!("{i}{order}.exif.tif"));
            fs::write(&rebuilt, block).unwrap();
            assert_eq!(tags(&rebuilt), want, "{} {order}", photo.display());
            compared += usize::from(want.len() > 10);
        }
    }
    fs::remove_dir_all(&folder).unwrap();
    assert!(compared >= 6, "{compared} files with more than ten tags");
}
