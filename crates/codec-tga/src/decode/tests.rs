#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use raster::{Channels, Limits};
use testkit::{Picture, SplitSource, read_all};

use super::*;

/// Image type, bits of a pixel, bits of alpha, a stored pixel; channels and samples as they are read.
type Case = (u8, u8, u8, &'static [u8], Channels, &'static [u8]);

const TOP_DOWN: u8 = 0x20;
const RIGHT_TO_LEFT: u8 = 0x10;

/// A file without a palette.
fn file(image_type: u8, [width, height]: [u8; 2], bits: u8, descriptor: u8, pixels: &[u8]) -> Vec<u8> {
    let header = [0, 0, image_type, 0, 0, 0, 0, 0, 9, 9, 9, 9, width, 0, height, 0, bits, descriptor];
    [&header, pixels].concat()
}

/// The same with an extension area whose attributes have this type.
fn extended(mut file: Vec<u8>, attributes_type: u8) -> Vec<u8> {
    let at = file.len() as u32;
    let mut extension = [0; 495];
    extension[..2].copy_from_slice(&495_u16.to_le_bytes());
    extension[494] = attributes_type;
    file.extend(extension);
    file.extend(at.to_le_bytes());
    file.extend([0; 4]);
    file.extend(b"TRUEVISION-XFILE.\0");
    file
}

fn read(file: &[u8]) -> Result<(Picture, Vec<Warning>)> {
    let source = SplitSource::new(file, 5);
    let notes = Notes::default();
    let mut reader = Reader::open(&source, &Budget::new(&Limits::default()), &notes)?;
    Ok((read_all(&mut reader)?, notes.warnings()))
}

fn rows(file: &[u8]) -> (Channels, Vec<u8>) {
    let (picture, warnings) = read(file).unwrap();
    assert_eq!(warnings, []);
    (picture.pixels.channels, picture.rows)
}

#[test]
fn rows_come_from_each_corner() {
    let pixels = [1, 2, 3, 4];
    for (descriptor, want) in [
        (TOP_DOWN, [1, 2, 3, 4]),
        (0, [3, 4, 1, 2]),
        (TOP_DOWN | RIGHT_TO_LEFT, [2, 1, 4, 3]),
        (RIGHT_TO_LEFT, [4, 3, 2, 1]),
    ] {
        assert_eq!(rows(&file(3, [2, 2], 8, descriptor, &pixels)).1, want);
        assert_eq!(rows(&file(11, [2, 2], 8, descriptor, &[3, 1, 2, 3, 4])).1, want, "one packet for both rows");
        assert_eq!(rows(&file(11, [2, 2], 8, descriptor, &[0, 1, 2, 2, 3, 4])).1, want);
    }
}

#[test]
fn pixels_of_every_depth_are_unpacked() {
    use Channels::{Gray, GrayAlpha, Rgb, Rgba};
    let table: [Case; 9] = [
        (3, 8, 0, &[7], Gray, &[7]),
        (3, 16, 8, &[7, 9], GrayAlpha, &[7, 9]),
        (3, 16, 0, &[7, 9], Gray, &[7]),
        (2, 15, 0, &[0x1F, 0x40], Rgb, &[132, 0, 255]),
        (2, 16, 0, &[0x1F, 0x40], Rgb, &[132, 0, 255]),
        (2, 16, 1, &[0x1F, 0xC0], Rgba, &[132, 0, 255, 255]),
        (2, 24, 0, &[3, 2, 1], Rgb, &[1, 2, 3]),
        (2, 32, 8, &[3, 2, 1, 4], Rgba, &[1, 2, 3, 4]),
        (2, 32, 0, &[3, 2, 1, 4], Rgb, &[1, 2, 3]),
    ];
    for (image_type, bits, alpha, pixel, channels, want) in table {
        assert_eq!(rows(&file(image_type, [1, 1], bits, alpha, pixel)), (channels, want.to_vec()), "{bits} bits");
        let run = [&[0x81], pixel].concat();
        let coded = file(image_type + 8, [2, 1], bits, alpha, &run);
        assert_eq!(rows(&coded), (channels, want.repeat(2)), "{bits} bits, a run");
    }
}

#[test]
fn the_extension_area_says_what_alpha_means() {
    let pixel = file(2, [1, 1], 32, 8, &[10, 20, 50, 100]);
    assert_eq!(rows(&extended(pixel.clone(), 3)), (Channels::Rgba, vec![50, 20, 10, 100]));
    assert_eq!(rows(&extended(pixel.clone(), 4)), (Channels::Rgba, vec![128, 51, 26, 100]));
    assert_eq!(rows(&extended(pixel, 2)), (Channels::Rgb, vec![50, 20, 10]));
}

#[test]
fn palettes_start_at_any_index() {
    let with_map = |map_bits: u8, descriptor, entries: &[u8]| {
        let header = [2, 1, 1, 5, 0, 2, 0, map_bits, 0, 0, 0, 0, 3, 0, 1, 0, 8, descriptor];
        [&header, &b"id"[..], entries, &[6, 5, 4]].concat()
    };
    let file = with_map(24, 0, &[3, 2, 1, 6, 5, 4]);
    assert_eq!(rows(&file), (Channels::Rgb, vec![4, 5, 6, 1, 2, 3, 0, 0, 0]));
    let file = with_map(32, 8, &[3, 2, 1, 9, 6, 5, 4, 8]);
    assert_eq!(rows(&file), (Channels::Rgba, vec![4, 5, 6, 8, 1, 2, 3, 9, 0, 0, 0, 255]));
}

#[test]
fn rows_that_the_file_does_not_have_are_blank_with_a_warning() {
    for file in [file(3, [2, 3], 8, TOP_DOWN, &[5, 5, 5]), file(11, [2, 3], 8, TOP_DOWN, &[0x81, 5, 0x80])] {
        let (picture, warnings) = read(&file).unwrap();
        assert_eq!(picture.rows, [5, 5, 0, 0, 0, 0]);
        assert_eq!(warnings, [Warning::Truncated { rows: 1, of: 3 }]);
    }
    assert_eq!(read(&file(11, [2, 3], 8, 0, &[0x81])).unwrap_err().code(), "malformed");
}

#[test]
fn headers_that_cannot_be_are_refused() {
    let sound = file(2, [1, 1], 24, 0, &[1, 2, 3]);
    assert!(crate::is_tga(&sound));
    let changes = [(1, 2), (1, 1), (2, 4), (2, 0), (3, 1), (7, 24), (12, 0), (14, 0), (16, 25), (17, 0x40), (17, 8)];
    for (at, value) in changes {
        let mut file = sound.clone();
        file[at] = value;
        assert!(!crate::is_tga(&file), "{value} at {at}");
        assert_eq!(read(&file).unwrap_err().code(), "malformed");
    }
    let mut large = file(10, [0, 0], 24, 0, &[0x81; 90]);
    large[12..16].fill(0xFF);
    assert_eq!(read(&large).unwrap_err().code(), "implausible");
}
