//! A picture whose source has a palette gets one at another size, if the file gets smaller.

use pipeline::{Encoding, Job, PaletteUse, Part, PngOptions, Report};
use raster::{Format, PixelFormat, Rect, Size, Warning};
use resample::Kernel;
use testkit::{Picture, generate};

use crate::shared::{file, picture, run, with_part};

const SIZE: Size = Size::new(300, 200);
const HALF: Size = Size::new(150, 100);

/// Returns a picture of 27 colours, some of them half transparent, in rings.
fn rings() -> Picture {
    let mut picture = generate::zone_plate(SIZE, PixelFormat::RGBA8);
    for (at, pixel) in picture.rows.chunks_exact_mut(4).enumerate() {
        pixel[0] = pixel[0] / 86 * 120;
        pixel[1] = (at % 300 / 101 * 100) as u8;
        pixel[2] = (at / 300 / 67 * 90) as u8;
        pixel[3] = if pixel[0] == 120 { 128 } else { 255 };
    }
    picture
}

fn opaque() -> Picture {
    let rgba = rings();
    let rows = rgba.rows.as_chunks::<4>().0.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect();
    Picture { pixels: PixelFormat::RGB8, rows, ..rgba }
}

fn resized(source: &[u8], target: Size, palette: PaletteUse, kernel: Kernel) -> (Picture, Vec<u8>, Report) {
    let mut job = with_part(SIZE, Format::Png, |part| Part { target, ..part });
    job.encoding = Encoding::Png(PngOptions { palette, ..PngOptions::default() });
    let (bytes, report) = run(source, &Job { kernel, ..job }).unwrap();
    (picture(&bytes), bytes, report)
}

/// The bit depth and colour type of a PNG with an 8-bit palette.
const PALETTE8: [u8; 2] = [8, 3];

#[test]
fn a_palette_stays_one_at_half_the_size() {
    for (format, source) in
        [(Format::Png, rings()), (Format::Png, opaque()), (Format::Gif, opaque()), (Format::Bmp, opaque())]
    {
        let source = file(&source, format);
        let (exact, large, quiet) = resized(&source, HALF, PaletteUse::Exact, Kernel::Lanczos3);
        let (shown, small, report) = resized(&source, HALF, PaletteUse::LikeSource, Kernel::Lanczos3);
        assert_eq!((&small[24..26], &report.warnings[..]), (&PALETTE8[..], &[Warning::ColorsReduced][..]), "{format}");
        assert!(quiet.warnings.is_empty() && small.len() < large.len(), "{format}");
        assert_eq!((shown.size, shown.pixels), (exact.size, exact.pixels), "{format}");
        let apart = shown.rows.iter().zip(&exact.rows).map(|(a, b)| f64::from(a.abs_diff(*b)));
        let mean = apart.sum::<f64>() / exact.rows.len() as f64;
        assert!(mean < 3.0, "{format}: {mean}");
    }
}

#[test]
fn sources_without_a_palette_keep_every_color() {
    let source = file(&generate::gradient(SIZE, PixelFormat::RGB8), Format::Png);
    let like = resized(&source, HALF, PaletteUse::LikeSource, Kernel::Lanczos3);
    let exact = resized(&source, HALF, PaletteUse::Exact, Kernel::Lanczos3);
    assert!(like.1 == exact.1 && like.2.warnings.is_empty());
}

#[test]
fn no_color_changes_where_none_is_new() {
    let picture = rings();
    let source = file(&picture, Format::Png);
    let (same, _, report) = resized(&source, SIZE, PaletteUse::LikeSource, Kernel::Lanczos3);
    assert!(same == picture && report.warnings.is_empty());
    let double = Size::new(600, 400);
    let (large, bytes, report) = resized(&source, double, PaletteUse::LikeSource, Kernel::Nearest);
    assert!(report.warnings.is_empty());
    assert_eq!(bytes[24..26], PALETTE8);
    let pixel = |of: &Picture, x: u32, y: u32| of.row(y)[x as usize * 4..][..4].to_vec();
    for (x, y) in [(0, 0), (13, 7), (299, 199), (100, 66), (151, 133)] {
        assert_eq!(pixel(&large, 2 * x + 1, 2 * y + 1), pixel(&picture, x, y));
    }
}

#[test]
fn a_crop_of_a_palette_stays_exact() {
    let picture_of = rings();
    let source = file(&picture_of, Format::Png);
    let crop = Rect { x: 20, y: 10, width: 200, height: 150 };
    let job = with_part(SIZE, Format::Png, |part| Part { crop, target: crop.size(), ..part });
    let (bytes, report) = run(&source, &job).unwrap();
    assert!(report.warnings.is_empty());
    let cut = picture(&bytes);
    assert!((0..150).all(|y| cut.row(y) == &picture_of.row(y + 10)[80..880]));
}
