//! The EXIF block that is rebuilt from a TIFF has the same tags as the TIFF, as exiftool reads them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use codec_tiff::open;
use raster::{Budget, Limits, Notes};
use testkit::witness;

/// Returns the tags of these groups as exiftool reads them, by file. Maker notes are left out, because their offsets
/// count from the file's start.
fn tags(files: &[PathBuf]) -> Vec<Vec<String>> {
    let groups = ["-ExifIFD:all", "-GPS:all", "-InteropIFD:all", "-IFD0:Make", "-IFD0:Model", "-IFD0:DateTime"];
    let more = ["-IFD0:ModifyDate", "-IFD0:Software", "-IFD0:Artist", "-IFD0:Copyright", "-IFD0:ImageDescription"];
    let options = ["-s", "-n", "-G1", "-a", "--MakerNotes:all"];
    let mut tags = witness::exiftool(&[&options[..], &groups, &more].concat(), files).expect("exiftool runs");
    tags.iter_mut().for_each(|lines| lines.retain(|line| !line.contains("Warning")));
    tags
}

/// Writes TIFFs in this order of bytes with the EXIF of the photographs `0.jpg`, `1.jpg` … in the same folder.
fn tiffs_with_exif(folder: &Path, bare: &Path, order: &str, photos: usize) -> Vec<PathBuf> {
    let tiffs: Vec<PathBuf> = (0..photos).map(|i| folder.join(format!("{i}.tif"))).collect();
    assert!(Command::new("tiffcp").arg(order).arg(bare).arg(&tiffs[0]).status().unwrap().success());
    tiffs[1..].iter().for_each(|tiff| assert!(fs::copy(&tiffs[0], tiff).is_ok()));
    let copy = ["-q", "-q", "-m", "-overwrite_original", "-all:all", "-TagsFromFile"];
    // `%f` is the name of the target without its extension.
    let photo = folder.join("%f.jpg");
    // A picture without any tags changes nothing, which the tool reports as a failure.
    let _ = Command::new("exiftool").args(copy).arg(photo).args(["-EXIF:all", "-GPS:all"]).args(&tiffs).status();
    tiffs
}

#[test]
fn rebuilt_blocks_have_the_tags_of_the_file() {
    let Some(photos) = testkit::corpus::photos() else { return };
    if Command::new("exiftool").arg("-ver").output().is_err() || Command::new("tiffcp").arg("-h").output().is_err() {
        eprintln!("SKIPPED: no exiftool or tiffcp (Debian: apt-get install libimage-exiftool-perl libtiff-tools)");
        return;
    }
    let rows = testkit::corpus::rows("tiff").expect("the corpus beside the photographs");
    let bare = rows.iter().find(|row| row.name.ends_with("decodedata-rgb-3c-8b.tiff")).expect("a row of the table");
    let mut compared = 0;
    for order in ["-L", "-B"] {
        let folder = std::env::temp_dir().join(format!("codec-tiff-exif-{}{order}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for (i, photo) in photos.iter().enumerate() {
            fs::copy(photo, folder.join(format!("{i}.jpg"))).unwrap();
        }
        let tiffs = tiffs_with_exif(&folder, &bare.path, order, photos.len());
        let (mut originals, mut rebuilt) = (Vec::new(), Vec::new());
        for (tags, tiff) in tags(&tiffs).into_iter().zip(&tiffs) {
            let bytes = fs::read(tiff).unwrap();
            let reader = open(&bytes, &Budget::new(&Limits::default()), &Notes::default()).unwrap();
            let Some(block) = &reader.info().metadata.exif else {
                assert!(tags.is_empty(), "{}: {tags:?}", tiff.display());
                continue;
            };
            let path = tiff.with_extension("exif.tif");
            fs::write(&path, block).unwrap();
            compared += usize::from(tags.len() > 10);
            originals.push(tags);
            rebuilt.push(path);
        }
        for ((tags, original), path) in tags(&rebuilt).iter().zip(&originals).zip(&rebuilt) {
            assert_eq!(tags, original, "{}", path.display());
        }
        fs::remove_dir_all(&folder).unwrap();
    }
    assert!(compared >= 6, "{compared} files with more than ten tags");
}
