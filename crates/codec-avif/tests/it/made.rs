//! Files that `avifenc` makes from generated pictures and from photographs, compared with `avifdec`.

use std::path::{Path, PathBuf};
use std::process::Command;

use raster::{Budget, Channels, Depth, Limits, Notes, Orientation, PixelFormat, Sequence, Size};
use testkit::{Picture, corpus, generate, memory, read_all, witness, write_all};

use crate::avifdec;
use crate::corpus::decode;

/// Ways of coding, as arguments of `avifenc`: ranges, qualities, colours, grids, grain.
const WAYS: [&[&str]; 7] = [
    &["-r", "full"],
    &["-r", "limited", "--min", "0", "--max", "0"],
    &["--cicp", "1/13/1"],
    &["--cicp", "9/16/9", "-r", "limited"],
    &["--cicp", "12/13/12"],
    &["--grid", "2x3", "--tilerowslog2", "1"],
    &["-a", "film-grain-test=1", "-a", "film-grain-table=0"],
];

pub(crate) fn tools() -> bool {
    witness::program(&["avifenc"], "aom").is_some() && witness::program(&["avifdec"], "dav1d").is_some()
}

/// Returns what `avifenc` says if it refuses.
pub(crate) fn avifenc(from: &[&Path], to: &Path, way: &[&str]) -> Result<(), String> {
    let output = Command::new("avifenc").args(["-s", "9", "-j", "1"]).args(way).args(from).arg(to).output().unwrap();
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// Writes a picture as PNG.
pub(crate) fn png(picture: &Picture, path: &Path) {
    let (mut bytes, budget) = (Vec::new(), Budget::new(&Limits::default()));
    let spec = raster::ImageSpec::single(picture.size, picture.pixels, &budget);
    write_all(codec_png::create(&mut bytes, &spec, &codec_png::Options::default()).unwrap(), picture).unwrap();
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn every_way_of_coding_gives_the_planes_of_avifdec() {
    if !tools() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [source, file] = ["source.png", "made.avif"].map(|name| folder.path().join(name));
    let (mut made, mut wrong, mut refused) = (0, Vec::new(), Vec::new());
    for channels in [Channels::Rgb, Channels::Rgba] {
        png(&generate::fading(Size::new(384, 264), PixelFormat::new(channels, Depth::Sixteen)), &source);
        for depth in ["8", "10", "12"] {
            for sampling in ["400", "420", "422", "444"] {
                for way in WAYS {
                    if let Err(error) = avifenc(&[&source], &file, &[&["-d", depth, "-y", sampling], way].concat()) {
                        refused.push(format!("{channels:?} {depth} {sampling} {way:?}: {error}"));
                        continue;
                    }
                    made += 1;
                    let bytes = std::fs::read(&file).unwrap();
                    let (info, pictures) = decode(&bytes).unwrap_or_else(|error| panic!("{depth} {way:?}: {error}"));
                    assert_eq!(info.stored.depth.to_string(), depth, "{way:?}");
                    let has = Channels::new(sampling != "400", channels.has_alpha());
                    assert_eq!(info.row_format.in_colors().channels, has, "{way:?}");
                    if let Err(error) = avifdec::compare(&file, &info, 0, &pictures[0]) {
                        wrong.push(format!("{channels:?} {depth} {sampling} {way:?}: {error}"));
                    }
                }
            }
        }
    }
    println!("{made} files; refused:\n{}", refused.join("\n"));
    assert!(made >= 150, "{made}");
    assert!(wrong.is_empty(), "{} of {made} files:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn turns_and_crops_are_those_that_were_asked_for() {
    if !tools() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [source, file] = ["source.png", "made.avif"].map(|name| folder.path().join(name));
    png(&generate::zone_plate(Size::new(120, 80), PixelFormat::RGB8), &source);
    let whole = ["--min", "0", "--max", "0", "-y", "444", "-d", "8"];
    avifenc(&[&source], &file, &whole).unwrap();
    let (_, upright) = decode(&std::fs::read(&file).unwrap()).unwrap();
    for (way, orientation, [x, y, width, height]) in [
        (&["--irot", "1"][..], Orientation::Rotate270, [0, 0, 120, 80]),
        (&["--irot", "2"], Orientation::Rotate180, [0, 0, 120, 80]),
        (&["--imir", "0"], Orientation::FlipVertical, [0, 0, 120, 80]),
        (&["--imir", "1"], Orientation::FlipHorizontal, [0, 0, 120, 80]),
        (&["--irot", "1", "--imir", "0"], Orientation::Transpose, [0, 0, 120, 80]),
        (&["--clap", "60,1,40,1,10,1,-20,1"], Orientation::Upright, [40, 0, 60, 40]),
        (&["--clap", "60,1,40,1,-30,1,20,1", "--irot", "3"], Orientation::Rotate90, [0, 40, 60, 40]),
    ] {
        avifenc(&[&source], &file, &[way, &whole].concat()).unwrap();
        let (info, pictures) = decode(&std::fs::read(&file).unwrap()).unwrap();
        assert_eq!((info.orientation, info.size), (orientation, Size::new(width as u32, height as u32)), "{way:?}");
        let rows = upright[0].rows.chunks_exact(120 * 3).skip(y).take(height);
        let wanted: Vec<u8> = rows.flat_map(|row| row[x * 3..][..width * 3].to_vec()).collect();
        assert!(pictures[0].rows == wanted, "{way:?}");
    }
}

#[test]
fn colours_that_were_multiplied_by_alpha_are_divided() {
    if !tools() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [source, file] = ["source.png", "made.avif"].map(|name| folder.path().join(name));
    let picture = generate::fading(Size::new(120, 80), PixelFormat::RGBA8);
    png(&picture, &source);
    let exact = ["--min", "0", "--max", "0", "-y", "444", "-d", "10"];
    avifenc(&[&source], &file, &[&["--premultiply"], &exact[..]].concat()).unwrap();
    let (_, pictures) = decode(&std::fs::read(&file).unwrap()).unwrap();
    let (ours, theirs) = (pictures[0].samples(), picture.samples());
    for (a, b) in ours.chunks_exact(4).zip(theirs.chunks_exact(4)).filter(|(_, b)| b[3] > 128) {
        for (a, b) in a.iter().zip(b) {
            assert!((f64::from(*a) / 257.0 - f64::from(*b)).abs() < 4.0, "{a:?} {b:?}");
        }
    }
}

#[test]
fn animations_have_all_frames_with_their_times() {
    if !tools() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("made.avif");
    let sources: Vec<PathBuf> = (0..3).map(|i| folder.path().join(format!("{i}.png"))).collect();
    let size = Size::new(100, 50);
    let alpha_of = |y: u32| (f64::from(y) * 2.55 + 0.5) as u16;
    for (frame, path) in (0..).zip(&sources) {
        let red = |x: u32, y: u32| f64::from((x + y + 9 * frame) % 100) / 100.0;
        let color = |x, y| [red(x, y), 0.5, 0.2, f64::from(y) / 100.0];
        let picture = Picture::paint(size, PixelFormat::RGBA8, color);
        png(&picture, path);
    }
    let paths: Vec<&Path> = sources.iter().map(PathBuf::as_path).collect();
    avifenc(&paths, &file, &["--fps", "5", "--min", "0", "--max", "0", "-y", "444"]).unwrap();
    let bytes = std::fs::read(&file).unwrap();
    let budget = Budget::new(&Limits::default());
    let mut reader = codec_avif::open(&bytes, &budget, &Notes::default()).unwrap();
    assert_eq!((reader.info().frames, reader.info().size), (3, size));
    assert!(matches!(reader.info().sequence, Sequence::Animation { .. }));
    for frame in 0..3 {
        let info = reader.info().clone();
        let picture = read_all(&mut *reader).unwrap();
        avifdec::compare(&file, &info, frame, &picture).unwrap();
        let (alpha, wanted) = (picture.samples(), (0..50).flat_map(|y| [alpha_of(y); 100]));
        assert!(alpha.iter().skip(3).step_by(4).zip(wanted).all(|(&a, b)| a.abs_diff(b) < 3));
    }
    let mut reader = codec_avif::open(&bytes, &budget, &Notes::default()).unwrap();
    let delay = reader.next_frame(&raster::Wanted::FULL_SIZE).unwrap().unwrap().info.delay.unwrap();
    assert_eq!(f64::from(delay.numerator) / f64::from(delay.denominator), 0.2);
}

/// Photographs decode within the memory that they are charged.
#[test]
#[ignore = "encodes photographs of many megapixels, which takes minutes"]
fn photographs_keep_to_the_memory_that_they_are_charged() {
    let Some(photos) = corpus::photos().filter(|_| tools()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let file: PathBuf = folder.path().join("made.avif");
    for photo in photos.iter().take(2) {
        for way in [
            ["-d", "8", "-y", "420"],
            ["-d", "8", "-y", "444"],
            ["-d", "10", "-y", "420"],
            ["-d", "12", "-y", "444"],
            ["-d", "8", "-y", "400"],
        ] {
            avifenc(&[photo], &file, &[&["-s", "10", "-j", "2"], &way[..]].concat()).unwrap();
            let bytes = std::fs::read(&file).unwrap();
            let budget = Budget::new(&Limits { memory: 2 << 30 });
            let (info, held) = memory::measure(|| {
                let mut reader = codec_avif::open(&bytes, &budget, &Notes::default()).unwrap();
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
