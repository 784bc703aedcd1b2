//! Comparison with the f64 whole-image reference: every 8-bit sample within one level and at least 99.5 % of them
//! identical, 16-bit samples within two levels of 65,535. Run with `--nocapture` to see the table.

use pipeline::{Job, LightChoice};
use raster::{Channels, Depth, Format, PixelFormat, Size};
use resample::{Kernel, reference};
use testkit::{Difference, Picture, corpus, generate};

use crate::shared::{file, job, picture, run};

/// Scales from 1/20 to 3, including fractions and odd sizes.
const SCALES: [f64; 7] = [0.05, 0.121, 0.3, 0.5, 0.87, 1.37, 3.0];

const LIGHTS: [(LightChoice, reference::Light); 2] =
    [(LightChoice::Linear, reference::Light::Linear), (LightChoice::Encoded, reference::Light::Encoded)];

fn scaled(size: Size, scale: f64) -> Size {
    let side = |side: u32| ((f64::from(side) * scale).round() as u32).max(1);
    Size::new(side(size.width), side(size.height))
}

fn against_reference(from: &Picture, target: Size, kernel: Kernel, light: usize) -> Difference {
    let (choice, exact) = LIGHTS[light];
    let (out, _) =
        run(&file(from, Format::Raw), &Job { kernel, light: choice, ..job(from.size, target, Format::Raw) }).unwrap();
    let stored = reference::Stored { size: from.size, pixels: from.pixels, rows: &from.rows };
    let rows = reference::resize(stored, target, kernel, exact);
    Difference::between(&picture(&out), &Picture { size: target, pixels: from.pixels, rows })
}

fn table(name: &str, from: &Picture, kernels: &[Kernel], scales: &[f64]) {
    let (most, least) = match from.pixels.depth {
        Depth::Eight => (1, 0.995),
        Depth::Sixteen => (2, 0.0),
    };
    for &scale in scales {
        for &kernel in kernels {
            for (light, (choice, _)) in LIGHTS.iter().enumerate() {
                let d = against_reference(from, scaled(from.size, scale), kernel, light);
                println!(
                    "{name:14} × {scale:5} {:12} {choice:8?} max {} identical {:.5}",
                    kernel.name(),
                    d.max,
                    d.identical
                );
                assert!(d.max <= most && d.identical >= least, "{name} × {scale} {kernel:?} {choice:?}: {d:?}");
            }
        }
    }
}

#[test]
fn generated_pictures_match_the_reference_at_eight_bits() {
    let size = Size::new(211, 163);
    let pictures = [
        ("zone plate", generate::zone_plate(size, PixelFormat::RGB8)),
        ("checker lines", generate::checker_lines(size, PixelFormat::GRAY8)),
        ("gradient", generate::gradient(size, PixelFormat::RGB8)),
        ("noise", generate::noise(size, PixelFormat::RGBA8, 11)),
        ("ghost edges", generate::ghost_edges(size, Depth::Eight)),
    ];
    for (name, picture) in pictures {
        table(name, &picture, &[Kernel::Lanczos3, Kernel::Mitchell], &SCALES);
        table(name, &picture, &Kernel::ALL, &[0.3, 1.37]);
    }
}

#[test]
fn generated_pictures_match_the_reference_at_sixteen_bits() {
    let size = Size::new(211, 163);
    let rgb16 = PixelFormat::new(Channels::Rgb, Depth::Sixteen);
    let pictures = [
        ("zone plate 16", generate::zone_plate(size, rgb16)),
        ("ramp 16", generate::ramp16(size)),
        ("ghost 16", generate::ghost_edges(size, Depth::Sixteen)),
    ];
    for (name, picture) in pictures {
        table(name, &picture, &[Kernel::Lanczos3], &SCALES);
        table(name, &picture, &Kernel::ALL, &[0.3, 1.37]);
    }
}

/// Tests the middle of each photograph at several scales.
#[test]
fn photographs_match_the_reference() {
    let Some(photos) = corpus::photos() else { return };
    for (i, path) in photos.iter().enumerate() {
        let whole = picture(&std::fs::read(path).unwrap());
        let middle = cut(&whole, Size::new(900, 700));
        table(&format!("photo {i}"), &middle, &[Kernel::Lanczos3], &[[0.05, 0.48], [0.3, 1.37], [0.121, 0.87]][i % 3]);
    }
}

fn cut(whole: &Picture, size: Size) -> Picture {
    let (x, y) = ((whole.size.width - size.width) / 2, (whole.size.height - size.height) / 2);
    let mut piece = Picture::blank(size, whole.pixels);
    let (row_bytes, left) = (piece.row_bytes(), x as usize * whole.pixels.bytes());
    for (row, out) in (y..).zip(piece.rows.chunks_exact_mut(row_bytes)) {
        out.copy_from_slice(&whole.row(row)[left..left + row_bytes]);
    }
    piece
}
