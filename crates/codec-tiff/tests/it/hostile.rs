//! Files made to waste time or memory.

use std::io::Write;
use std::time::Duration;

use codec_tiff::open;
use raster::{Budget, Limits, Notes};
use testkit::cpu::within;

use crate::build;

/// A JPEG of 64 × 64 without data in a tile that claims the largest height.
#[test]
fn a_tile_higher_than_any_jpeg_is_refused() {
    for (width, length) in [(64, u32::MAX), (u32::MAX, 64), (u32::MAX - 63, u32::MAX - 63)] {
        let frame = [8, 0, 64, 0, 64, 1, 1, 0x11, 0];
        let segment = |code: u8, payload: &[u8]| [&[0xFF, code, 0, payload.len() as u8 + 2], payload].concat();
        let steps = segment(0xDB, &[&[0][..], &[8; 64]].concat());
        let jpeg =
            [&b"\xFF\xD8"[..], &steps, &segment(0xC0, &frame), &segment(0xDA, &[1, 1, 0, 0, 63, 0]), b"\xFF\xD9"];
        let jpeg = jpeg.concat();
        let tags = [
            (256, vec![64]),
            (257, vec![64]),
            (258, vec![8]),
            (259, vec![7]),
            (262, vec![1]),
            (277, vec![1]),
            (322, vec![width]),
            (323, vec![length]),
            (324, vec![build::DATA]),
            (325, vec![jpeg.len() as u32]),
        ];
        let code = build::read(&build::file(&jpeg, &tags)).unwrap_err().code();
        assert!(matches!(code, "malformed" | "memory"), "{width} × {length}: {code}");
    }
}

/// Two child directories of 65 535 entries: a search for each entry's tag among the earlier ones takes 4·10⁹ steps.
#[test]
fn directories_of_many_entries_are_read_once() {
    const ENTRIES: usize = 65_535;
    let mut child = (ENTRIES as u16).to_le_bytes().to_vec();
    for i in 0..ENTRIES {
        child.write_all(&[(i as u16).to_le_bytes(), 1_u16.to_le_bytes()].concat()).unwrap();
        child.write_all(&[1, 0, 0, 0, 7, 0, 0, 0]).unwrap();
    }
    child.extend([0; 4]);
    let data = [&[0_u8; 2][..], &child].concat();
    let tags = [
        (256, vec![1]),
        (257, vec![1]),
        (258, vec![8]),
        (262, vec![1]),
        (273, vec![build::DATA]),
        (279, vec![1]),
        (34_665, vec![build::DATA + 2]),
        (34_853, vec![build::DATA + 2]),
    ];
    let file = build::file(&data, &tags);
    let exif = within(Duration::from_secs(2), "opening", || {
        let reader = open(&file, &Budget::new(&Limits { memory: 64 << 20 }), &Notes::default()).unwrap();
        reader.info().metadata.exif.clone().unwrap()
    });
    assert!(exif.len() > 2 * 12 * 65_000, "{} bytes", exif.len());
}
