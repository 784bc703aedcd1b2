//! Decoders that nobody here wrote: icoutils' `icotool` and ImageMagick, through their command lines. Where one is
//! missing, the test that needs it says so aloud and passes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use testkit::Seen;
use testkit::witness::{self, program};

/// Every entry as ImageMagick sees it, in the order of the directory; nothing for a file that it refuses.
pub(crate) fn imagemagick() -> Option<impl Fn(&Path) -> Option<Vec<Seen>>> {
    let convert = witness::imagemagick()?;
    Some(move |path: &Path| {
        let output = Command::new(convert).arg(path).args(["-depth", "8", "pam:-"]).output().unwrap();
        if output.status.success() { pams(&output.stdout) } else { None }
    })
}

/// Every entry as icotool extracts it; nothing for a file that it refuses.
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
            seen.extend(pams(&pam.stdout)?);
        }
        Some(seen)
    })
}

/// An empty folder of this test's own.
fn folder(path: &Path) -> PathBuf {
    let name = path.to_string_lossy().replace('/', "_");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("ico-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Pictures in netpbm's PAM, one behind the other, of eight bits.
fn pams(mut bytes: &[u8]) -> Option<Vec<Seen>> {
    let mut all = Vec::new();
    while !bytes.is_empty() {
        let end = bytes.windows(7).position(|window| window == b"ENDHDR\n")?;
        let header = std::str::from_utf8(&bytes[..end]).ok()?;
        let field = |name: &str| {
            header.lines().find_map(|line| line.strip_prefix(name)).map(|value| value.trim().parse::<u32>().unwrap())
        };
        let (width, height, depth) = (field("WIDTH")?, field("HEIGHT")?, field("DEPTH")? as usize);
        let max = field("MAXVAL")?;
        let (samples, rest) = bytes[end + 7..].split_at(width as usize * height as usize * depth);
        let full = |sample: u8| (u32::from(sample) * 255 / max) as u8;
        let pixel = |pixel: &[u8]| match *pixel {
            [gray] => [full(gray), full(gray), full(gray), 255],
            [gray, alpha] => [full(gray), full(gray), full(gray), full(alpha)],
            [red, green, blue] => [full(red), full(green), full(blue), 255],
            _ => [full(pixel[0]), full(pixel[1]), full(pixel[2]), full(pixel[3])],
        };
        all.push(Seen { size: (width, height), rgba: samples.chunks_exact(depth).map(pixel).collect() });
        bytes = rest;
    }
    Some(all)
}
