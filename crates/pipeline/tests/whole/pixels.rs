//! What must not change does not change.

use pipeline::{Job, LightChoice, Output};
use raster::{Channels, Depth, Format, PixelFormat, Size, Warning};
use resample::Kernel;
use testkit::generate;

use crate::shared::{file, job, picture, run};

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
fn at_its_own_size_every_sample_survives_colours_under_alpha_0_included() {
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
fn a_flat_colour_stays_that_colour_at_every_scale_with_every_kernel_in_every_light() {
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
fn sixteen_bits_stay_where_the_format_can_hold_them_and_a_note_says_where_not() {
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
fn transparency_lies_on_the_background_where_the_format_has_none_and_a_note_says_so() {
    let size = Size::new(240, 240); // the corner lies blocks away from the disc
    let disc = generate::ghost_edges(size, Depth::Eight);
    let black = Output { background: [0, 0, 0], ..Output::new(Format::Jpeg) };
    for (output, corner) in [(Output::new(Format::Jpeg), 255), (black, 0)] {
        let (out, report) =
            run(&file(&disc, Format::Png), &Job { output, ..job(size, Size::new(200, 200), Format::Jpeg) }).unwrap();
        let flat = picture(&out);
        assert_eq!(flat.pixels, PixelFormat::RGB8);
        for channel in 0..3 {
            let sample = flat.sample(0, 0, channel);
            assert!(sample.abs_diff(corner) <= 4, "the hidden green does not show: {sample} in channel {channel}");
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
    let red = Output { background: [255, 0, 0], ..Output::new(Format::Jpeg) };
    for (output, want) in [(Output::new(Format::Jpeg), Channels::Gray), (red, Channels::Rgb)] {
        let (out, _) = run(&file(&gray, Format::Png), &Job { output, ..job(size, size, Format::Jpeg) }).unwrap();
        assert_eq!(picture(&out).pixels.channels, want);
    }
}
