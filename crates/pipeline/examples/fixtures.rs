//! Writes the pictures of `tests/fixtures/pictures` that our own writers support; the README there describes the
//! others.
//!
//! `cargo run -p pipeline --example fixtures -- FOLDER`

#![allow(clippy::unwrap_used, reason = "a development tool may panic")]

use std::path::PathBuf;
use std::{env, fs};

use pipeline::Encoding;
use raster::{Budget, Channels, Depth, Format, ImageSpec, Limits, PixelFormat, Size};
use testkit::{Picture, generate};

fn main() {
    let folder = PathBuf::from(env::args().nth(1).unwrap());
    let rgba16 = PixelFormat::new(Channels::Rgba, Depth::Sixteen);
    let gray_alpha = PixelFormat::new(Channels::GrayAlpha, Depth::Eight);
    let files = [
        ("zone-rgb8.png", generate::zone_plate(Size::new(160, 121), PixelFormat::RGB8)),
        ("ghost-rgba8.png", generate::ghost_edges(Size::new(90, 70), Depth::Eight)),
        ("ramp-gray16.png", generate::ramp16(Size::new(256, 40))),
        ("noise-rgba16.png", generate::noise(Size::new(47, 31), rgba16, 1)),
        ("checker-gray8.png", generate::checker_lines(Size::new(101, 77), PixelFormat::GRAY8)),
        ("noise-graya8.png", generate::noise(Size::new(33, 29), gray_alpha, 2)),
        ("gradient-24.bmp", generate::gradient(Size::new(121, 83), PixelFormat::RGB8)),
        ("ghost-32.bmp", generate::ghost_edges(Size::new(60, 50), Depth::Eight)),
        ("zone-8.bmp", generate::zone_plate(Size::new(77, 59), PixelFormat::GRAY8)),
        ("zone-95.jpg", generate::zone_plate(Size::new(160, 121), PixelFormat::RGB8)),
        ("gradient-gray.jpg", generate::gradient(Size::new(99, 65), PixelFormat::GRAY8)),
        ("noise.raw", generate::noise(Size::new(31, 17), rgba16, 3)),
    ];
    for (name, picture) in files {
        let path = folder.join(name);
        let format = Format::from_extension(path.extension().unwrap().to_str().unwrap()).unwrap();
        fs::write(path, file(&picture, format)).unwrap();
    }
}

fn file(picture: &Picture, format: Format) -> Vec<u8> {
    let mut bytes = Vec::new();
    let budget = Budget::new(&Limits::default());
    let spec = ImageSpec::single(picture.size, picture.pixels, &budget);
    let mut encoding = Encoding::new(format).unwrap();
    if let Encoding::Jpeg(options) = &mut encoding {
        options.quality = Some(95.into());
    }
    testkit::write_all(encoding.create(&mut bytes, &spec).unwrap(), picture).unwrap();
    bytes
}
