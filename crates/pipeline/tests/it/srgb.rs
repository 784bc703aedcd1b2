//! Pictures that are converted to sRGB because the user wants it.

use pipeline::{Job, ProfileChoice};
use raster::{Channels, Depth, Format, Limits, Metadata, Notes, PixelFormat, Size, Transfer};
use testkit::{Picture, generate};

use crate::shared::{file, file_with_profile, job, picture, run};

const SIZE: Size = Size::new(16, 12);

fn metadata(bytes: &[u8]) -> Metadata {
    Metadata::clone(&pipeline::probe(&bytes, &Limits::default(), &Notes::default()).unwrap().metadata)
}

/// Converts a file at its own size and returns the result, which has no profile, with nothing to warn about.
fn converted(source: &[u8], format: Format) -> Vec<u8> {
    let (out, report) = run(source, &Job { profile: ProfileChoice::Srgb, ..job(SIZE, SIZE, format) }).unwrap();
    assert_eq!((report.warnings, metadata(&out).icc), (vec![], None));
    out
}

fn p3() -> Vec<u8> {
    color::rgb_profile("Display P3", &color::P3_D65, &Transfer::Srgb).unwrap()
}

#[test]
fn colours_become_srgb_and_the_profile_is_left_out() {
    // Display P3 (0.8, 0.4, 0.2) by the matrices and the curve of both spaces.
    let want = [0.8596, 0.3704, 0.1234];
    for depth in [Depth::Eight, Depth::Sixteen] {
        for channels in [Channels::Rgb, Channels::Rgba] {
            let pixels = PixelFormat::new(channels, depth);
            let alpha = if channels.has_alpha() { 0.6 } else { 1.0 };
            let source = generate::flat(SIZE, pixels, [0.8, 0.4, 0.2, alpha]);
            for format in [Format::Png, Format::Tiff] {
                let out = picture(&converted(&file_with_profile(&source, format, Some(&p3())), format));
                assert_eq!(out.pixels, pixels);
                let max = f64::from(depth.max());
                for (channel, want) in want.into_iter().enumerate() {
                    let got = f64::from(out.sample(5, 5, channel)) / max;
                    assert!((got - want).abs() < 1.0 / 255.0, "{pixels:?} {format:?} {channel}: {got} {want}");
                }
            }
        }
    }
}

#[test]
fn greys_get_the_curve_of_srgb() {
    let icc = color::gray_profile("Gamma 1.8", &Transfer::Gamma(1.8));
    let source = generate::flat(SIZE, PixelFormat::new(Channels::Gray, Depth::Sixteen), [0.5; 4]);
    let out = picture(&converted(&file_with_profile(&source, Format::Png, Some(&icc)), Format::Png));
    assert_eq!(out.pixels, source.pixels);
    // 0.5^1.8 of the light is 0.5723 in sRGB.
    assert!((f64::from(out.sample(5, 5, 0)) / 65_535.0 - 0.5723).abs() < 0.002, "{}", out.sample(5, 5, 0));
}

/// Pixels without a profile are sRGB and stay the same. A profile of sRGB that was made by other hands differs by less
/// than a level.
#[test]
fn srgb_stays_as_it_is() {
    let source = generate::noise(SIZE, PixelFormat::RGB8, 4);
    let srgb = color::rgb_profile("sRGB", &color::BT_709, &Transfer::Srgb).unwrap();
    assert_eq!(picture(&converted(&file(&source, Format::Png), Format::Png)), source);
    let out = converted(&file_with_profile(&source, Format::Png, Some(&srgb)), Format::Png);
    assert!(samples(&out).iter().zip(source.samples()).all(|(&got, want)| got.abs_diff(want) <= 1));
}

/// A job with both settings converts first; its result is that of two jobs but for the rounding between them.
#[test]
fn conversion_and_resampling_are_one_job() {
    let target = Size::new(8, 6);
    let source = generate::gradient(SIZE, PixelFormat::new(Channels::Rgb, Depth::Sixteen));
    let bytes = file_with_profile(&source, Format::Png, Some(&p3()));
    let (small, _) = run(&bytes, &job(SIZE, target, Format::Png)).unwrap();
    let srgb = |size| Job { profile: ProfileChoice::Srgb, ..job(size, target, Format::Png) };
    let (later, _) = run(&small, &srgb(target)).unwrap();
    let (at_once, _) = run(&bytes, &srgb(SIZE)).unwrap();
    assert_eq!(samples(&at_once), samples(&later));
    assert_ne!(samples(&at_once), picture(&small).samples());
}

fn samples(bytes: &[u8]) -> Vec<u16> {
    let picture: Picture = picture(bytes);
    picture.samples()
}

#[test]
fn the_default_keeps_the_profile() {
    let source = generate::noise(SIZE, PixelFormat::RGB8, 4);
    let (out, _) = run(&file_with_profile(&source, Format::Png, Some(&p3())), &job(SIZE, SIZE, Format::Png)).unwrap();
    assert_eq!((metadata(&out).icc, picture(&out)), (Some(p3()), source.clone()));
    assert_eq!(metadata(&file(&source, Format::Png)).icc, None);
}
