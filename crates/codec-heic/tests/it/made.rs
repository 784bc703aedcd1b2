//! Files that `heif-enc` makes of generated pictures and of photographs.

use std::path::{Path, PathBuf};
use std::process::Command;

use raster::{Budget, Channels, Depth, Limits, Notes, PixelFormat, Size};
use testkit::{Picture, corpus, memory, witness, write_all};

use crate::corpus::decode;

pub(crate) fn tools() -> bool {
    witness::program(&["heif-enc"], "libheif").is_some()
}

pub(crate) fn heif_enc(from: &Path, to: &Path, way: &[&str]) {
    let output = Command::new("heif-enc").args(way).arg(from).arg("-o").arg(to).output().unwrap();
    assert!(output.status.success(), "{way:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Writes a picture as PNG.
pub(crate) fn png(picture: &Picture, path: &Path) {
    let (mut bytes, budget) = (Vec::new(), Budget::new(&Limits::default()));
    let spec = raster::ImageSpec::single(picture.size, picture.pixels, &budget);
    write_all(codec_png::create(&mut bytes, &spec, &codec_png::Options::default()).unwrap(), picture).unwrap();
    std::fs::write(path, bytes).unwrap();
}

/// Depths, alpha and grey; `heif-enc` keeps the highest bits of 16.
#[test]
fn files_have_the_depth_and_the_channels_of_their_source() {
    if !tools() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [source, file] = ["source.png", "made.heic"].map(|name| folder.path().join(name));
    for channels in [Channels::Rgb, Channels::Rgba] {
        for (depth, bits) in [(Depth::Eight, 8), (Depth::Sixteen, 10), (Depth::Sixteen, 12)] {
            let pixels = PixelFormat::new(channels, depth);
            let picture = Picture::paint(Size::new(134, 77), pixels, |x, y| {
                [f64::from(x) / 134.0, f64::from(y) / 77.0, 0.5, f64::from(x + y) / 211.0]
            });
            png(&picture, &source);
            heif_enc(&source, &file, &["-q", "99", "-p", "chroma=444", "-b", &bits.to_string()]);
            let (info, pictures) = decode(&std::fs::read(&file).unwrap()).unwrap();
            assert_eq!((info.stored.depth, info.row_format), (bits, pixels.into()));
            let differences = pictures[0].samples().into_iter().zip(picture.samples()).map(|(a, b)| a.abs_diff(b));
            let most = f64::from(differences.max().unwrap_or(0)) / f64::from(depth.max());
            assert!(most < 0.03, "{channels:?} {bits}: {most}");
        }
    }
}

#[test]
fn lossy_files_look_like_those_of_libheif() {
    if !tools() || witness::program(&["heif-convert"], "libheif").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [source, file, out] = ["source.png", "made.heic", "out.png"].map(|name| folder.path().join(name));
    for (size, sampling) in [((134, 77), "444"), ((64, 64), "444"), ((301, 200), "420"), ((135, 77), "422")] {
        for quality in ["20", "60", "90"] {
            let smooth = |x: u32, y: u32| {
                let wave = |v: u32, period: f64| (f64::from(v) / period).fract();
                [wave(x, 31.0), wave(y, 23.0), wave(x + y, 47.0), 1.0]
            };
            png(&Picture::paint(Size::new(size.0, size.1), PixelFormat::RGB8, smooth), &source);
            heif_enc(&source, &file, &["-q", quality, "-p", &format!("chroma={sampling}")]);
            assert!(Command::new("heif-convert").arg(&file).arg(&out).output().unwrap().status.success());
            let bytes = std::fs::read(&out).unwrap();
            let mut reader = codec_png::open(&bytes, &Budget::new(&Limits::default()), &Notes::default()).unwrap();
            let theirs = testkit::read_all(&mut *reader).unwrap();
            let (_, ours) = decode(&std::fs::read(&file).unwrap()).unwrap();
            assert_eq!(ours[0].size, theirs.size, "{size:?} {sampling}");
            let most = ours[0].samples().iter().zip(theirs.samples()).map(|(a, b)| a.abs_diff(b)).max();
            // It repeats samples of chroma, so edges differ.
            let bound = if sampling == "444" { 2 } else { 140 };
            assert!(most <= Some(bound), "{size:?} {sampling} {quality}: {most:?}");
        }
    }
}

/// Photographs decode within the memory that they are charged.
#[test]
#[ignore = "encodes photographs of many megapixels, which takes minutes"]
fn photographs_keep_to_the_memory_that_they_are_charged() {
    let Some(photos) = corpus::photos().filter(|_| tools()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let file: PathBuf = folder.path().join("made.heic");
    for way in [["-p", "chroma=420"], ["-p", "chroma=444"]] {
        heif_enc(&photos[0], &file, &[&["-p", "preset=ultrafast"], &way[..]].concat());
        let bytes = std::fs::read(&file).unwrap();
        let budget = Budget::new(&Limits { memory: 2 << 30 });
        let (info, held) = memory::measure(|| {
            let mut reader = codec_heic::open(&bytes, &budget, &Notes::default()).unwrap();
            drop(reader.next_frame(&raster::Wanted::FULL_SIZE).unwrap());
            reader.info().clone()
        });
        let pixels = info.size.area() as f64;
        let (charged, said) = (budget.peak() as f64 / pixels, info.working_set as f64 / pixels);
        println!(
            "{way:?} {}: held {:.1} bytes per pixel, charged {charged:.1}, said {said:.1}",
            info.size,
            held as f64 / pixels
        );
        assert!(held <= budget.peak() + memory::SLACK);
    }
}
