//! Independent decoders: icoutils' `icotool` and ImageMagick, through their command lines. When one is missing, the
//! test that needs it prints a message and passes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use testkit::Seen;
use testkit::witness::{self, program};

/// Returns a function that reads every entry with ImageMagick, in the order of the directory; it returns `None` for a
/// file that ImageMagick refuses.
pub(crate) fn imagemagick() -> Option<impl Fn(&Path) -> Option<Vec<Seen>>> {
    let convert = witness::imagemagick()?;
    Some(move |path: &Path| {
        let output = Command::new(convert).arg(path).args(["-depth", "8", "pam:-"]).output().unwrap();
        if output.status.success() { witness::pams(&output.stdout) } else { None }
    })
}

/// Returns a function that extracts every entry with icotool; it returns `None` for a file that icotool refuses.
pub(crate) fn icotool() -> Option<impl Fn(&Path) -> Option<Vec<Seen>>> {
    let (icotool, convert) = (program(&["icotool"], "icoutils")?, witness::imagemagick()?);
    Some(move |path: &Path| {
        let folder = folder(path);
        let output = Command::new(icotool).args(["-x", "-o"]).arg(&folder).arg(path).output().unwrap();
        let mut pictures: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        pictures.sort();
        if !output.status.success() || pictures.is_empty() {
            return None;
        }
        let mut seen = Vec::new();
        for picture in pictures {
            let pam = Command::new(convert).arg(picture).args(["-depth", "8", "pam:-"]).output().unwrap();
            seen.extend(witness::pams(&pam.stdout)?);
        }
        Some(seen)
    })
}

/// Creates an empty folder for this test.
fn folder(path: &Path) -> PathBuf {
    let name = path.to_string_lossy().replace('/', "_");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("ico-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}
