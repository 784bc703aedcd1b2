//! Colours with profiles, compared with Little CMS.

use std::io::Write;
use std::process::{Command, Stdio};

use pipeline::{Encoding, Job, Part};
use raster::{Budget, Channels, Format, ImageSpec, Limits, Metadata, Notes, PixelFormat, Size, Transfer, Warning};
use resample::Kernel;
use testkit::{Picture, corpus, generate};

use crate::shared::{file_with_profile, job, picture, run};

/// Converts colours under a profile to sRGB, 0 to 255, with Little CMS (perceptual, as `moxcms`). Returns `None` when
/// it refuses the profile, or, with a message, when it is missing.
fn little_cms(icc: &[u8], colors: &[Vec<f64>]) -> Option<Vec<[f64; 3]>> {
    let profile = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(profile.path(), icc).unwrap();
    let arguments = ["-n", "-s", "-c0", "-t0", "-o*sRGB", "-i"];
    let mut command = Command::new("transicc");
    command.args(arguments).arg(profile.path()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else {
        println!("SKIPPED: no transicc to compare with (Debian: liblcms2-utils)");
        return None;
    };
    let lines: Vec<String> =
        colors.iter().map(|color| color.iter().map(f64::to_string).collect::<Vec<_>>().join(" ")).collect();
    // When the program refuses the profile, it has closed its input.
    let _ = child.stdin.take().unwrap().write_all((lines.join("\n") + "\n").as_bytes());
    let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let number = |word: &str| word.parse::<f64>().unwrap();
    let seen: Vec<[f64; 3]> = output
        .lines()
        .filter_map(|line| line.split_whitespace().map(number).collect::<Vec<_>>().try_into().ok())
        .collect();
    (seen.len() == colors.len()).then_some(seen) // the lengths differ when it refuses the profile
}

/// The colour space of a profile.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Space {
    Gray,
    Rgb,
    Inks,
}

/// Returns the largest and the mean distance from Little CMS in levels of eight bits, over a grid of colours.
fn distance(icc: &[u8], space: Space) -> Option<(f64, f64)> {
    const STEPS: [u16; 6] = [0, 51, 102, 153, 204, 255];
    let n: u32 = match space {
        Space::Gray => 1,
        Space::Rgb => 3,
        Space::Inks => 4,
    };
    let color = |i: u32| (0..n).map(|c| STEPS[(i / 6_u32.pow(c) % 6) as usize]).collect::<Vec<u16>>();
    let colors: Vec<Vec<u16>> = (0..6_u32.pow(n)).map(color).collect();
    let full = if space == Space::Inks { 100.0 } else { 255.0 }; // percent of ink
    let asked: Vec<Vec<f64>> =
        colors.iter().map(|color| color.iter().map(|&v| f64::from(v) / 255.0 * full).collect()).collect();
    let want = little_cms(icc, &asked)?;
    let width = colors.len() as u32;
    let budget = Budget::new(&Limits::default());
    let to_srgb = match space {
        Space::Gray => color::ToSrgb::new(icc, Channels::Gray, width, &budget),
        Space::Rgb => color::ToSrgb::new(icc, Channels::Rgb, width, &budget),
        Space::Inks => color::ToSrgb::of_inks(icc, &budget),
    };
    let mut to_srgb = to_srgb.unwrap().unwrap();
    let row: Vec<u16> = colors.iter().flatten().map(|v| v * 257).collect();
    let mut got = vec![0; width as usize * if space == Space::Gray { 1 } else { 3 }];
    to_srgb.row(&row, &mut got).unwrap();
    let channels = got.len() / width as usize;
    let off = |(i, got): (usize, &u16)| (f64::from(*got) / 257.0 - want[i / channels][i % channels]).abs();
    let off: Vec<f64> = got.iter().enumerate().map(off).collect();
    Some((off.iter().copied().fold(0.0, f64::max), off.iter().sum::<f64>() / off.len() as f64))
}

/// The descriptions of profiles for which the two differ, with the reason.
const EXCEPTIONS: [(&str, &str); 2] = [
    ("not suitable for r", "its own description warns: steps of 15 levels between the points of its grid"),
    ("\0X\0Y\0B", "jpegli's own colour space, whose grid is folded: on average 5 levels, at its corners anything"),
];

#[test]
fn every_profile_of_the_corpus_gives_the_colours_of_little_cms() {
    let mut seen = 0;
    for folder in ["jpeg", "png", "tiff"] {
        let Some(rows) = corpus::rows(folder) else { return };
        for row in rows.iter().filter(|row| row.must && !row.reject) {
            let Ok(info) = pipeline::probe(&row.bytes(), &Limits::default(), &Notes::default()) else { continue };
            let Some(icc) = info.metadata.icc.as_deref() else { continue };
            if EXCEPTIONS.iter().any(|(name, _)| icc.windows(name.len()).any(|text| text == name.as_bytes())) {
                continue;
            }
            let space = match &icc[16..20] {
                b"GRAY" => Space::Gray,
                b"CMYK" => Space::Inks,
                _ => Space::Rgb,
            };
            let Some((most, mean)) = distance(icc, space) else { continue };
            println!("{most:6.2} {mean:6.3} {space:?} {}", row.name);
            // Between the points of a profile's grid for four inks, several interpolations are valid.
            let limits = if space == Space::Inks { (10.0, 0.5) } else { (2.0, 0.5) };
            assert!((most, mean) <= limits && mean <= limits.1, "{}: {most}, on average {mean} levels", row.name);
            seen += 1;
        }
    }
    assert!(seen == 0 || seen >= 15, "only {seen} profiles");
}

/// Returns the profile with its red and green exchanged.
fn swapped(icc: &[u8]) -> Vec<u8> {
    let mut icc = icc.to_vec();
    let tags = u32::from_be_bytes(*icc[128..].first_chunk().unwrap()) as usize;
    let find = |icc: &[u8], name: &[u8]| (0..tags).map(|i| 132 + 12 * i).find(|&at| &icc[at..at + 4] == name).unwrap();
    let (red, green) = (find(&icc, b"rXYZ"), find(&icc, b"gXYZ"));
    for i in 4..8 {
        icc.swap(red + i, green + i);
    }
    icc
}

#[test]
fn a_format_without_profiles_gets_srgb_unless_the_profile_is_broken() {
    let Some(rows) = corpus::rows("png") else { return };
    let with_srgb = rows.iter().find(|row| row.name.ends_with("P3-sRGB-red.png"));
    let Some(row) = with_srgb else { return };
    let info = pipeline::probe(&row.bytes(), &Limits::default(), &Notes::default()).unwrap();
    let p3 = info.metadata.icc.clone().unwrap();
    let size = Size::new(8, 8);
    let orange = generate::flat(size, PixelFormat::RGB8, [0.8, 0.4, 0.2, 1.0]);
    let flat_color = |picture: &Picture| [0, 1, 2].map(|channel| picture.sample(3, 3, channel));
    for icc in [swapped(&p3), p3] {
        let source = file_with_profile(&orange, Format::Png, Some(&icc));
        let (out, report) = run(&source, &job(size, size, Format::Ico)).unwrap();
        let converted = flat_color(&picture(&out));
        assert_eq!(report.warnings, [], "nothing is lost");
        let asked = vec![[0, 1, 2].map(|channel| f64::from(orange.sample(3, 3, channel))).to_vec()];
        let Some(seen) = little_cms(&icc, &asked) else { return };
        for (got, want) in converted.iter().zip(seen[0]) {
            assert!((f64::from(*got) - want).abs() <= 1.0, "{converted:?} {:?}", seen[0]);
        }
    }
    let broken = [vec![0; 16], b"RGB ".to_vec(), vec![0; 16], b"acsp".to_vec(), vec![0; 92]].concat();
    let mut broken = broken;
    broken[3] = broken.len() as u8;
    let source = file_with_profile(&orange, Format::Png, Some(&broken));
    let (out, report) = run(&source, &job(size, size, Format::Ico)).unwrap();
    assert_eq!(flat_color(&picture(&out)), flat_color(&orange));
    assert_eq!(report.warnings, [Warning::ProfileDropped]);
}

#[test]
fn inks_with_a_profile_become_their_printed_colours() {
    let Some(rows) = corpus::rows("jpeg") else { return };
    let Some(row) = rows.iter().find(|row| row.name.ends_with("jpeg-decoder/ycck.jpg")) else { return };
    let info = pipeline::probe(&row.bytes(), &Limits::default(), &Notes::default()).unwrap();
    let icc = info.metadata.icc.as_deref().unwrap();
    assert_eq!(&icc[16..20], b"CMYK");
    let inks = picture(&row.bytes());
    let (out, report) = run(&row.bytes(), &Job::whole(info.size, Encoding::new(Format::Png).unwrap())).unwrap();
    assert_eq!(report.warnings, []);
    let colors = picture(&out);
    let places: Vec<(u32, u32)> =
        (0..40).map(|i| (i * 7919 % info.size.width, i * 104_729 % info.size.height)).collect();
    let percent = |v: u16| f64::from(v) / 2.55;
    let asked: Vec<Vec<f64>> =
        places.iter().map(|&(x, y)| (0..4).map(|c| percent(inks.sample(x, y, c))).collect()).collect();
    let Some(want) = little_cms(icc, &asked) else { return };
    for (&(x, y), want) in places.iter().zip(want) {
        for (c, want) in want.into_iter().enumerate() {
            let got = f64::from(colors.sample(x, y, c));
            assert!((got - want).abs() <= 2.5, "at {x},{y} channel {c}: {got} {want}");
        }
    }
    assert!(
        pipeline::probe(&out, &Limits::default(), &Notes::default()).unwrap().metadata.icc.is_none(),
        "sRGB needs no profile"
    );
}

/// Half black and half white is half the light, whose code depends on the curve of the picture's own profile.
#[test]
fn linear_light_follows_the_pictures_own_curve() {
    let fixtures = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/pictures");
    let profile = |name: &str| {
        let file = std::fs::read(fixtures.join(name)).unwrap();
        pipeline::probe(&file, &Limits::default(), &Notes::default()).unwrap().metadata.icc.clone()
    };
    let table = [
        (None, PixelFormat::RGB8, 188), // 255 · (1.055 · 0.5^(1/2.4) − 0.055) = 187.5
        (profile("zone-adobe-rgb8.png"), PixelFormat::RGB8, 186), // 255 · 0.5^(256/563) = 186.06
        (Some(color::gray_profile("Gamma 2.2", &Transfer::Gamma(2.2))), PixelFormat::GRAY8, 186), // 255 · 0.5^(1/2.2)
        (profile("noise-prophoto-rgba16.png"), PixelFormat::RGB8, 174), // 255 · 0.5^(1/1.8) = 173.5
    ];
    for (icc, pixels, want) in table {
        let size = Size::new(8, 8);
        let picture = Picture::paint(size, pixels, |x, y| [f64::from((x + y) % 2); 4]);
        let (mut file, budget) = (Vec::new(), Budget::new(&Limits::default()));
        let spec = ImageSpec::single(size, pixels, &budget);
        let writer = Encoding::new(Format::Png).unwrap().create(&mut file, &spec).unwrap();
        testkit::write_with(writer, &picture, &Metadata { icc: icc.clone(), ..Metadata::default() }).unwrap();
        let part = Part { target: Size::new(4, 4), ..Part::whole(size) };
        let job =
            Job { parts: vec![part], kernel: Kernel::Box, ..Job::whole(size, Encoding::new(Format::Tiff).unwrap()) };
        let mut out = Vec::new();
        pipeline::run(&file, &mut out, &job, &mut |_, _| {}).unwrap();
        let seen = testkit::read_all(&mut *codec_tiff::open(&&out[..], &budget, &Notes::default()).unwrap()).unwrap();
        assert!(seen.rows.iter().all(|&code| code == want), "{:?} instead of {want}", &seen.rows[..4]);
        assert_eq!(pipeline::probe(&out, &Limits::default(), &Notes::default()).unwrap().metadata.icc, icc);
    }
}
