//! gAMA, cHRM and cICP become profiles that the engine's own colour management reads with the same colours.

use codec_png::{Options, create, open};
use color::ToSrgb;
use raster::{Budget, Channels, Depth, Limits, Metadata, Notes, PixelFormat, Size, rows::ImageSpec};
use testkit::{generate, write_with};

fn budget() -> Budget {
    Budget::new(&Limits::default())
}

/// Returns the profile of a picture in whose file these chunks follow IHDR.
fn profile(channels: Channels, chunks: &[(&[u8; 4], &[u8])]) -> Option<Vec<u8>> {
    let picture = generate::gradient(Size::new(9, 9), PixelFormat::new(channels, Depth::Sixteen));
    let (mut file, budget) = (Vec::new(), budget());
    let spec = ImageSpec::single(picture.size, picture.pixels, &budget);
    write_with(create(&mut file, &spec, &Options::default()).unwrap(), &picture, &Metadata::default()).unwrap();
    let mut extra = Vec::new();
    for (kind, data) in chunks {
        let body = [&kind[..], data].concat();
        extra.extend((data.len() as u32).to_be_bytes());
        extra.extend_from_slice(&body);
        extra.extend(crc32fast::hash(&body).to_be_bytes());
    }
    file.splice(33..33, extra);
    let notes = Notes::default();
    let reader = open(&file, &budget, &notes).unwrap();
    assert_eq!(notes.warnings(), []);
    reader.info().metadata.icc.clone()
}

fn to_srgb(icc: &[u8], channels: Channels, pixel: &[f64]) -> Vec<f64> {
    let mut convert = ToSrgb::new(icc, channels, 1, &budget()).unwrap().expect("a profile that can be used");
    let row: Vec<u16> = pixel.iter().map(|value| (value * 65_535.0).round() as u16).collect();
    let mut out = vec![0; row.len()];
    convert.row(&row, &mut out).unwrap();
    out.into_iter().map(|value| f64::from(value) / 65_535.0).collect()
}

#[expect(clippy::disallowed_methods, reason = "the expected value, compared with a tolerance")]
fn encode_srgb(light: f64) -> f64 {
    if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the expected value, compared with a tolerance")]
fn gammas_are_undone() {
    for (gama, gamma) in [(100_000_u32, 1.0), (55_556, 1.8), (35_000, 1.0 / 0.35)] {
        for channels in [Channels::Gray, Channels::Rgb] {
            let icc = profile(channels, &[(b"gAMA", &gama.to_be_bytes())]).expect("a profile");
            for value in [0.1, 0.25, 0.5, 0.9] {
                let want = encode_srgb(f64::powf(value, gamma));
                for got in to_srgb(&icc, channels, &vec![value; channels.count()]) {
                    assert!((got - want).abs() < 0.003, "{channels:?}, gamma {gamma}: {value} is {got}, not {want}");
                }
            }
        }
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the expected value, compared with a tolerance")]
fn display_p3_is_display_p3_and_its_neutrals_are_neutral() {
    let icc = profile(Channels::Rgb, &[(b"cICP", &[12, 13, 0, 1])]).expect("a profile");
    for value in [0.05, 0.3, 0.7, 1.0] {
        for got in to_srgb(&icc, Channels::Rgb, &[value; 3]) {
            assert!((got - value).abs() < 0.003, "neutral {value} is {got}");
        }
    }
    // P3's (0.5, 0.4, 0.4), converted by the matrix between the two sets of primaries.
    let linear = [0.5_f64, 0.4, 0.4].map(|v| ((v + 0.055) / 1.055).powf(2.4));
    let rows = [[1.224_94, -0.224_94, 0.0], [-0.042_06, 1.042_06, 0.0], [-0.019_64, -0.078_64, 1.098_28]];
    let want = rows.map(|row| encode_srgb(row[0] * linear[0] + row[1] * linear[1] + row[2] * linear[2]));
    for (got, want) in to_srgb(&icc, Channels::Rgb, &[0.5, 0.4, 0.4]).into_iter().zip(want) {
        assert!((got - want).abs() < 0.003, "{got}, not {want}");
    }
}

#[test]
fn equivalents_of_srgb_need_no_profile() {
    assert_eq!(profile(Channels::Rgb, &[(b"gAMA", &45_455_u32.to_be_bytes())]), None);
    assert_eq!(profile(Channels::Rgb, &[(b"sRGB", &[0]), (b"gAMA", &100_000_u32.to_be_bytes())]), None);
    assert_eq!(profile(Channels::Gray, &[(b"cICP", &[1, 13, 0, 1])]), None);
}
