//! Tests of everything that must not change.

use pipeline::{Canvas, Job, LightChoice, Part};
use raster::{Channels, Depth, Format, Limits, Notes, PixelFormat, Size, Warning};
use resample::Kernel;
use testkit::generate;

use crate::shared::{file, file_with_profile, job, picture, run, with_part};

const LAYOUTS: [PixelFormat; 8] = [
    PixelFormat::new(Channels::Gray, Depth::Eight),
    PixelFormat::new(Channels::GrayAlpha, Depth::Eight),
    PixelFormat::new(Channels::Rgb, Depth::Eight),
    PixelFormat::new(Channels::Rgba, Depth::Eight),
    PixelFormat::new(Channels::Gray, Depth::Sixteen),
    PixelFormat::new(Channels::GrayAlpha, Depth::Sixteen),
    PixelFormat::new(Channels::Rgb, Depth::Sixteen),
    PixelFormat::new(Channels::Rgba, Depth::Sixteen),
];

#[test]
fn every_sample_is_kept_at_the_own_size_including_colour_under_alpha_0() {
    let size = Size::new(33, 21);
    for pixels in LAYOUTS {
        let noise = generate::noise(size, pixels, 7);
        let (out, report) = run(&file(&noise, Format::Png), &job(size, size, Format::Png)).unwrap();
        assert_eq!(picture(&out), noise, "{pixels:?}");
        assert_eq!(report.warnings, []);
    }
    let noise = generate::noise(size, PixelFormat::RGB8, 7);
    for (from, to) in [(Format::Bmp, Format::Png), (Format::Png, Format::Bmp), (Format::Bmp, Format::Bmp)] {
        let (out, _) = run(&file(&noise, from), &job(size, size, to)).unwrap();
        assert_eq!(picture(&out), noise, "{from} {to}");
    }
}

#[test]
fn a_flat_colour_is_kept_at_every_scale_with_every_kernel_in_every_light() {
    let from = Size::new(97, 61);
    for target in [(1, 1), (5, 3), (48, 30), (96, 60), (97, 61), (98, 62), (200, 7), (291, 183)] {
        let target = Size::new(target.0, target.1);
        for (kernel, light) in
            Kernel::ALL.into_iter().flat_map(|k| [(k, LightChoice::Linear), (k, LightChoice::Encoded)])
        {
            for pixels in [PixelFormat::RGB8, PixelFormat::new(Channels::Rgba, Depth::Sixteen)] {
                let flat = generate::flat(from, pixels, [0.1, 0.5, 0.78, 0.6]);
                let (out, _) =
                    run(&file(&flat, Format::Raw), &Job { kernel, light, ..job(from, target, Format::Raw) }).unwrap();
                let want = generate::flat(target, pixels, [0.1, 0.5, 0.78, 0.6]);
                assert_eq!(picture(&out), want, "{target} {kernel:?} {light:?} {pixels:?}");
            }
        }
    }
}

#[test]
fn sixteen_bits_are_kept_if_the_format_supports_them_else_a_warning_is_given() {
    let (from, to) = (Size::new(64, 64), Size::new(16, 16));
    let ramp = generate::ramp16(from);
    for (format, depth, warnings) in [
        (Format::Png, Depth::Sixteen, vec![]),
        (Format::Bmp, Depth::Eight, vec![Warning::DepthReduced]),
        (Format::Jpeg, Depth::Eight, vec![Warning::DepthReduced]),
    ] {
        let (out, report) = run(&file(&ramp, Format::Png), &job(from, to, format)).unwrap();
        assert_eq!(picture(&out).pixels.depth, depth, "{format}");
        assert_eq!(report.warnings, warnings, "{format}");
    }
}

#[test]
fn transparency_is_flattened_with_a_warning_if_the_format_has_none() {
    let size = Size::new(240, 240); // the corner lies blocks away from the disc
    let disc = generate::ghost_edges(size, Depth::Eight);
    for corner in [255, 0] {
        let job = Job { background: [corner; 3], ..job(size, Size::new(200, 200), Format::Jpeg) };
        let (out, report) = run(&file(&disc, Format::Png), &job).unwrap();
        let flat = picture(&out);
        assert_eq!(flat.pixels, PixelFormat::RGB8);
        for channel in 0..3 {
            let sample = flat.sample(0, 0, channel);
            assert!(
                sample.abs_diff(corner.into()) <= 4,
                "the hidden green does not show: {sample} in channel {channel}"
            );
        }
        assert_eq!(report.warnings, [Warning::Flattened]);
    }
    let opaque = generate::flat(size, PixelFormat::RGBA8, [0.5, 0.5, 0.5, 1.0]);
    let (_, report) = run(&file(&opaque, Format::Png), &job(size, size, Format::Jpeg)).unwrap();
    assert_eq!(report.warnings, [], "nothing was transparent");
}

#[test]
fn gray_stays_gray_unless_the_background_or_the_border_has_colour() {
    let size = Size::new(20, 20);
    let gray = generate::gradient(size, PixelFormat::new(Channels::GrayAlpha, Depth::Eight));
    for (background, want) in [([255; 3], Channels::Gray), ([255, 0, 0], Channels::Rgb)] {
        let (out, _) = run(&file(&gray, Format::Png), &Job { background, ..job(size, size, Format::Jpeg) }).unwrap();
        assert_eq!(picture(&out).pixels.channels, want);
    }
}

/// Returns a minimal sound profile: a header for `space`, an empty tag table, and `padding` behind its own end.
fn profile(space: &[u8; 4], padding: usize) -> Vec<u8> {
    let mut profile = vec![0; 132 + padding];
    profile[3] = 132;
    profile[16..20].copy_from_slice(space);
    profile[36..40].copy_from_slice(b"acsp");
    profile
}

#[test]
fn a_profile_is_kept_if_the_output_has_its_channels_else_a_warning_is_given() {
    const GRAY: PixelFormat = PixelFormat::GRAY8;
    const GRAY_ALPHA: PixelFormat = PixelFormat::new(Channels::GrayAlpha, Depth::Eight);
    const RGB: PixelFormat = PixelFormat::RGB8;
    let (from, to) = (Size::new(16, 16), Size::new(8, 8));
    let red = Some(Canvas { size: Size::new(10, 10), x: 1, y: 1, color: [255, 0, 0, 255] });
    let white = red.map(|canvas| Canvas { color: [255; 4], ..canvas });
    let (on_white, on_red) = ([255; 3], [255, 0, 0]);
    let table = [
        (RGB, Format::Png, None, on_white, true),
        (RGB, Format::Jpeg, red, on_white, true),
        (RGB, Format::Bmp, None, on_white, true),
        (RGB, Format::Raw, None, on_white, true),
        (GRAY, Format::Png, None, on_white, true),
        (GRAY, Format::Jpeg, white, on_red, true),
        (GRAY, Format::Jpeg, red, on_white, false),
        (GRAY, Format::Png, red, on_white, false),
        (GRAY, Format::Bmp, None, on_white, false),
        (GRAY_ALPHA, Format::Png, white, on_red, true),
        (GRAY_ALPHA, Format::Jpeg, None, on_white, true),
        (GRAY_ALPHA, Format::Jpeg, None, on_red, false),
        (GRAY_ALPHA, Format::Bmp, None, on_white, false),
    ];
    for (pixels, format, canvas, background, stays) in table {
        let space = if pixels.channels.has_color() { b"RGB " } else { b"GRAY" };
        let icc = profile(space, 0);
        let flat = generate::flat(from, pixels, [0.5, 0.5, 0.5, 1.0]);
        let source = file_with_profile(&flat, Format::Png, Some(&icc));
        let (out, report) =
            run(&source, &Job { background, ..with_part(from, format, |part| Part { target: to, canvas, ..part }) })
                .unwrap();
        let notes = Notes::default();
        let written = pipeline::probe(&out, &Limits::default(), &notes).unwrap();
        let case = format!("{pixels:?} to {format}, canvas {canvas:?}, background {background:?}");
        assert_eq!(written.metadata.icc, stays.then_some(icc), "{case}");
        assert_eq!(notes.warnings(), [], "{case}: our own reader finds nothing broken");
        assert_eq!(report.warnings.contains(&Warning::ProfileDropped), !stays, "{case}");
    }
}

#[test]
fn a_padded_profile_loses_its_padding_and_nothing_else() {
    let (from, to) = (Size::new(16, 16), Size::new(8, 8));
    let flat = generate::flat(from, PixelFormat::RGB8, [0.5; 4]);
    for source in [Format::Jpeg, Format::Bmp] {
        let source = file_with_profile(&flat, source, Some(&profile(b"RGB ", 3)));
        let (out, report) = run(&source, &job(from, to, Format::Png)).unwrap();
        assert_eq!(report.warnings, []);
        let notes = Notes::default();
        let written = pipeline::probe(&out, &Limits::default(), &notes).unwrap();
        assert_eq!((written.metadata.icc.clone(), notes.warnings()), (Some(profile(b"RGB ", 0)), vec![]));
    }
}
