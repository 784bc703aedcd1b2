//! Files that Netpbm writes are read exactly.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::io::Write;
use std::process::{Command, Stdio};

use raster::{Budget, Limits, Notes, PixelFormat, Size};
use testkit::witness::program;
use testkit::{Picture, generate, read_all};

/// Returns what `pamtotga` makes of an RGB picture.
fn netpbm(picture: &Picture, options: &[&str]) -> Vec<u8> {
    let mut child = Command::new("pamtotga")
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let Size { width, height } = picture.size;
    let header = format!("P6 {width} {height} 255\n");
    child.stdin.take().unwrap().write_all(&[header.as_bytes(), &picture.rows].concat()).unwrap();
    child.wait_with_output().unwrap().stdout
}

#[test]
fn files_of_netpbm_are_read_exactly() {
    if program(&["pamtotga"], "Netpbm").is_none() {
        return;
    }
    // Runs of more than 128 pixels, of few, and none; at most 256 colours for a palette.
    let (wide, size) = (Size::new(300, 7), Size::new(61, 37));
    let mut levels = generate::noise(size, PixelFormat::RGB8, 4);
    levels.rows.iter_mut().for_each(|sample| *sample &= 0xC0);
    let pictures =
        [generate::checker_lines(wide, PixelFormat::RGB8), generate::zone_plate(size, PixelFormat::RGB8), levels];
    for picture in pictures {
        for options in [&["-rgb"][..], &["-rgb", "-norle"], &["-cmap"], &["-cmap", "-norle"]] {
            let file = netpbm(&picture, options);
            assert!(codec_tga::is_tga(&file), "{options:?}");
            let mut reader = codec_tga::open(&file, &Budget::new(&Limits::default()), &Notes::default()).unwrap();
            assert!(read_all(&mut *reader).unwrap() == picture, "{options:?}");
        }
    }
}
