//! Files that `cjxl` makes from generated pictures and from photographs, compared with `djxl`.

use std::path::{Path, PathBuf};
use std::process::Command;

use raster::{Budget, Channels, Depth, Limits, Notes, PixelFormat, Sequence, Size};
use testkit::witness::{self, Seen};
use testkit::{Picture, corpus, generate, memory, read_all, write_all};

use crate::corpus::{decode, difference, djxl};

/// Ways of coding, as arguments of `cjxl`: lossless, lossy, progressive, in steps of resolution, with noise, with
/// filters, by the other of both modes, in boxes.
const WAYS: [&[&str]; 12] = [
    &["-d", "0"],
    &["-d", "0", "-e", "3"],
    &["-d", "0", "--responsive=1", "--modular=1"],
    &["-d", "0", "--container=1"],
    &["-d", "1"],
    &["-d", "1", "-e", "3"],
    &["-d", "4", "--progressive"],
    &["-d", "1", "--progressive_dc=1"],
    &["-d", "1", "--photon_noise=ISO3200"],
    &["-d", "2", "--epf=3", "--gaborish=0"],
    &["-d", "1", "--modular=1"],
    &["-d", "8", "--ec_resampling=1"],
];

/// Ways of coding whose memory differs.
const MEMORY_WAYS: [&[&str]; 7] = [
    &["-d", "0"],
    &["-d", "0", "--responsive=1", "--modular=1"],
    &["-d", "1"],
    &["-d", "1", "--modular=1"],
    &["-d", "4", "--progressive"],
    &["-d", "1", "--progressive_dc=1"],
    &["-d", "1", "--container=1"],
];

pub(crate) fn tools() -> bool {
    witness::program(&["cjxl"], "JPEG XL").is_some() && witness::program(&["djxl"], "JPEG XL").is_some()
}

pub(crate) fn cjxl(from: &Path, to: &Path, way: &[&str]) {
    let output = Command::new("cjxl").arg(from).arg(to).args(way).arg("--quiet").output().unwrap();
    assert!(output.status.success(), "{way:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Writes a picture as PNG.
pub(crate) fn png(picture: &Picture, path: &Path) {
    let (mut bytes, budget) = (Vec::new(), Budget::new(&Limits::default()));
    let spec = raster::ImageSpec::single(picture.size, picture.pixels, &budget);
    write_all(codec_png::create(&mut bytes, &spec, &codec_png::Options::default()).unwrap(), picture).unwrap();
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn every_way_of_coding_gives_the_pixels_of_djxl() {
    if !tools() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [source, file] = ["source.png", "made.jxl"].map(|name| folder.path().join(name));
    let (mut made, mut compared, mut wrong) = (0, 0, Vec::new());
    for channels in [Channels::Gray, Channels::GrayAlpha, Channels::Rgb, Channels::Rgba] {
        for depth in [Depth::Eight, Depth::Sixteen] {
            let pixels = PixelFormat::new(channels, depth);
            let picture = generate::zone_plate(Size::new(301, 277), pixels);
            png(&picture, &source);
            for way in WAYS {
                cjxl(&source, &file, way);
                let bytes = std::fs::read(&file).unwrap();
                let (info, pictures) = decode(&bytes).unwrap_or_else(|error| panic!("{pixels:?} {way:?}: {error}"));
                assert_eq!(info.row_format, pixels.into(), "{way:?}");
                // The noise of libjxl 0.7 differs by up to 22 levels in colour; nothing here tells who is right.
                let is_noisy = way.contains(&"--photon_noise=ISO3200");
                if let Some(seen) = djxl(&file, depth.bits()).filter(|_| !is_noisy) {
                    let levels = difference(&pictures[0], &seen);
                    if levels.is_none_or(|levels| levels > 1.0) {
                        wrong.push(format!("{pixels:?} {way:?}: {levels:?}"));
                    }
                    compared += 1;
                }
                if way[1] == "0" {
                    assert_eq!(difference(&pictures[0], &picture), Some(0.0), "{pixels:?} {way:?}");
                }
                made += 1;
            }
        }
    }
    // It cannot write some of its own files with alpha.
    println!("{made} files, {compared} of them are compared with djxl");
    assert!(compared >= 60, "{compared}");
    assert!(wrong.is_empty(), "{} of {made} files:\n{}", wrong.len(), wrong.join("\n"));
}

/// The charge covers what decoding holds, and opaque pictures of coefficients, as photographs are, are charged little.
/// A small and a large picture together tell the bytes per pixel.
#[test]
fn the_bytes_per_pixel_of_each_way_of_coding_are_charged() {
    if !tools() {
        return;
    }
    const SIZES: [Size; 2] = [Size::new(400, 300), Size::new(1200, 900)];
    let folder = tempfile::tempdir().unwrap();
    let [small, large, file] = ["small.png", "large.png", "made.jxl"].map(|name| folder.path().join(name));
    let mut wrong = Vec::new();
    for channels in [Channels::Gray, Channels::Rgb, Channels::Rgba] {
        for depth in [Depth::Eight, Depth::Sixteen] {
            let pixels = PixelFormat::new(channels, depth);
            let sources = [&small, &large];
            sources.iter().zip(SIZES).for_each(|(source, size)| png(&generate::zone_plate(size, pixels), source));
            for way in MEMORY_WAYS {
                let [small, large] = sources.map(|source| {
                    cjxl(source, &file, &[way, &["-e", "3"]].concat());
                    memory_of(&file)
                });
                let per_pixel = |of: fn([u64; 2]) -> u64| {
                    (of(large) as f64 - of(small) as f64) / (SIZES[1].area() - SIZES[0].area()) as f64
                };
                let (held, charged) = (per_pixel(|[held, _]| held), per_pixel(|[_, charged]| charged));
                let is_block = way[..2] == ["-d", "1"] && !way.contains(&"--modular=1") && !channels.has_alpha();
                let most = if is_block && way.len() == 2 { pixels.bytes() as f64 + 3.1 } else { f64::INFINITY };
                if held > charged || charged > most {
                    wrong.push(format!("{pixels:?} {way:?}: {held:.2} bytes per pixel held, {charged:.2} charged"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Decodes all frames. Returns the bytes that were held and the bytes that were charged.
fn memory_of(file: &Path) -> [u64; 2] {
    let bytes = std::fs::read(file).unwrap();
    let budget = Budget::new(&Limits { memory: 1 << 30 });
    let (_, held) = memory::measure(|| {
        let mut reader = codec_jxl::open(&bytes, &budget, &Notes::default()).unwrap();
        while reader.next_frame(&raster::Wanted::FULL_SIZE).unwrap().is_some() {}
    });
    [held, budget.peak()]
}

/// Photographs keep their profile and EXIF, decode within the memory that they are charged, and to what `djxl` shows.
#[test]
#[ignore = "encodes photographs of many megapixels, which takes minutes"]
fn photographs_keep_to_the_memory_that_they_are_charged() {
    let Some(photos) = corpus::photos().filter(|_| tools()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let file: PathBuf = folder.path().join("made.jxl");
    for photo in photos.iter().take(3) {
        for way in WAYS {
            if way.contains(&"--responsive=1") {
                continue;
            }
            cjxl(photo, &file, &[way, &["-j", "0", "-e", "3"]].concat());
            let bytes = std::fs::read(&file).unwrap();
            let limits = Limits { memory: 2 << 30 };
            let budget = Budget::new(&limits);
            let (info, held) = memory::measure(|| {
                let mut reader = codec_jxl::open(&bytes, &budget, &Notes::default()).unwrap();
                drop(reader.next_frame(&raster::Wanted::FULL_SIZE).unwrap());
                reader.info().clone()
            });
            let pixels = info.size.area() as f64;
            println!(
                "{way:?} {}: held {:.1} bytes per pixel, charged {:.1}, said {:.1}",
                info.size,
                held as f64 / pixels,
                budget.peak() as f64 / pixels,
                info.working_set as f64 / pixels
            );
            assert!(held <= budget.peak() + memory::SLACK);
        }
    }
}

#[test]
fn animations_have_all_frames_with_their_times() {
    if !tools() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("made.jxl");
    let ball = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/pictures/ball.gif");
    let gif = std::fs::read(&ball).unwrap();
    for way in [&["-d", "0"][..], &["-d", "1"]] {
        cjxl(&ball, &file, way);
        let bytes = std::fs::read(&file).unwrap();
        let budget = Budget::new(&Limits::default());
        let mut reader = codec_jxl::open(&bytes, &budget, &Notes::default()).unwrap();
        let mut wanted = codec_gif::open(&gif, &budget, &Notes::default()).unwrap();
        assert_eq!((reader.info().frames, reader.info().size), (3, wanted.info().size));
        assert!(matches!(reader.info().sequence, Sequence::Animation { .. }));
        for _ in 0..3 {
            let seconds = |delay: Option<raster::Delay>| {
                let delay = delay.expect("a frame of an animation has a time");
                f64::from(delay.numerator) / f64::from(delay.denominator)
            };
            let frames = [&mut reader, &mut wanted].map(|reader| {
                let frame = reader.next_frame(&raster::Wanted::FULL_SIZE).unwrap().unwrap();
                seconds(frame.info.delay)
            });
            assert!((frames[0] - frames[1]).abs() < 1e-3, "{frames:?}");
        }
        let (mut ours, mut theirs) = (
            codec_jxl::open(&bytes, &budget, &Notes::default()).unwrap(),
            codec_gif::open(&gif, &budget, &Notes::default()).unwrap(),
        );
        for frame in 0..3 {
            let (ours, theirs) = (read_all(&mut *ours).unwrap(), read_all(&mut *theirs).unwrap());
            let difference = Seen::of(&ours).difference(&Seen::of(&theirs), witness::premultiplied);
            assert!(way[1] != "0" || difference == Some(0), "frame {frame}: {difference:?}");
        }
    }
}

#[test]
fn cut_animations_lose_only_the_frames_that_are_missing() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/pictures/ball.jxl");
    let whole = std::fs::read(file).unwrap();
    let cut = whole[..whole.len() - 10].to_vec();
    let budget = Budget::new(&Limits::default());
    let mut reader = codec_jxl::open(&cut, &budget, &Notes::default()).unwrap();
    let frames = reader.info().frames;
    assert!((2..=3).contains(&frames));
    for _ in 0..frames - 1 {
        drop(reader.next_frame(&raster::Wanted::FULL_SIZE).unwrap().unwrap());
    }
    let last = reader.next_frame(&raster::Wanted::FULL_SIZE);
    assert_eq!(last.err().map(|error| error.code()), Some("malformed"));
    assert!(reader.next_frame(&raster::Wanted::FULL_SIZE).unwrap().is_none());
}
