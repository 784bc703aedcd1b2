//! Files made by the tests: damage of every kind, properties of the writer, profiles, failing sources.

use codec_jpeg::{Options, Subsampling};
use raster::{
    Budget, ByteSource, Error, FrameHeader, ImageSpec, Limit, Limits, Metadata, Notes, PixelFormat, Result, Size,
    Warning,
};
use testkit::{Difference, FailingSource, Picture, SplitSource, generate, memory, read_all, write_with};

use crate::djpeg;

fn budget() -> Budget {
    Budget::new(&Limits::default())
}

fn write(picture: &Picture, options: &Options, icc: Option<&[u8]>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let budget = budget();
    let spec = ImageSpec::single(picture.size, picture.pixels, &budget);
    write_with(codec_jpeg::create(&mut bytes, &spec, options).unwrap(), picture, &Metadata::profile(icc)).unwrap();
    bytes
}

fn read(source: &dyn ByteSource) -> Result<(Picture, Vec<Warning>)> {
    let notes = Notes::default();
    let mut reader = codec_jpeg::open(source, &budget(), &notes)?;
    let picture = read_all(&mut *reader)?;
    Ok((picture, notes.warnings()))
}

fn options(quality: u8) -> Options {
    Options { quality: Some(quality.into()), ..Options::default() }
}

/// Returns the picture as we write it and, if cjpeg is installed, as one of its progressive files.
fn files(picture: &Picture, quality: u8) -> Vec<Vec<u8>> {
    let progressive = djpeg::encode(picture, &["-progressive", "-quality", &quality.to_string()]);
    [write(picture, &options(quality), None)].into_iter().chain(progressive).collect()
}

#[test]
fn pictures_are_closer_to_the_original_at_higher_quality() {
    for pixels in [PixelFormat::RGB8, PixelFormat::GRAY8] {
        let picture = generate::gradient(Size::new(131, 67), pixels);
        let mut last = 25.0;
        for quality in [10, 50, 75, 90, 100] {
            let bytes = write(&picture, &options(quality), None);
            let (own, warnings) = read(&bytes).unwrap();
            let psnr = Difference::between(&own, &picture).psnr;
            assert!(psnr > last - 0.5, "{pixels:?} {quality}: {psnr:.1} dB after {last:.1}");
            last = psnr;
            assert_eq!(warnings, []);
            assert_eq!(codec_jpeg::open(&bytes, &budget(), &Notes::default()).unwrap().info().quality, Some(quality));
            let Some(foreign) = djpeg::decode(&bytes) else { continue };
            assert!(Difference::between(&own, &foreign).psnr > 40.0);
        }
        assert!(last > 45.0, "{last:.1} dB at quality 100");
    }
}

/// Behind the first two million symbols the tables are not optimal any more, but the pixels are the same.
#[test]
fn long_files_give_the_pixels_of_cjpeg() {
    let picture = generate::noise(Size::new(1600, 1600), PixelFormat::RGB8, 5);
    for (subsampling, sample) in [(Subsampling::Auto, "2x2"), (Subsampling::Full, "1x1")] {
        let ours = write(&picture, &Options { subsampling, ..options(85) }, None);
        let arguments = [&["-optimize", "-sample", sample, "-quality", "85"], &djpeg::TABLE[..]].concat();
        let Some(foreign) = djpeg::encode(&picture, &arguments) else { return };
        let (own, cjpegs) = (djpeg::decode(&ours).unwrap(), djpeg::decode(&foreign).unwrap());
        assert!(own.rows == cjpegs.rows && ours != foreign, "{sample}");
        assert!(ours.len() * 100 < foreign.len() * 101, "{} bytes, cjpeg {}", ours.len(), foreign.len());
    }
}

#[test]
fn every_small_size_can_be_written_and_read() {
    for width in 1..=17 {
        for height in [1, 2, 7, 8, 9, 15, 16, 17] {
            for (pixels, subsampling) in [
                (PixelFormat::GRAY8, Subsampling::Auto),
                (PixelFormat::RGB8, Subsampling::Reduced),
                (PixelFormat::RGB8, Subsampling::Full),
            ] {
                let picture = generate::flat(Size::new(width, height), pixels, [0.2, 0.6, 0.4, 1.0]);
                let mut files = vec![write(&picture, &Options { subsampling, ..options(95) }, None)];
                files.extend(djpeg::encode(&picture, &["-progressive", "-quality", "95"]));
                for bytes in files {
                    let (got, _) = read(&bytes).unwrap();
                    assert!(Difference::between(&got, &picture).max <= 3, "{width} × {height} {pixels:?}");
                }
            }
        }
    }
}

#[test]
fn colour_is_halved_only_for_photographs() {
    let photo = generate::noise(Size::new(64, 64), PixelFormat::RGB8, 7);
    let drawing = generate::flat(Size::new(64, 64), PixelFormat::RGB8, [1.0, 0.0, 0.0, 1.0]);
    let luma_factors = |picture: &Picture, quality: u8| {
        let bytes = write(picture, &options(quality), None);
        let at = bytes.windows(2).position(|pair| pair == [0xFF, 0xC0]).unwrap();
        bytes[at + 11]
    };
    assert_eq!(luma_factors(&photo, 85), 0x22);
    assert_eq!(luma_factors(&photo, 90), 0x11);
    assert_eq!(luma_factors(&drawing, 50), 0x11);
}

/// Returns a profile of `len` bytes: a header, then counted bytes.
fn profile(len: usize, space: &[u8; 4]) -> Vec<u8> {
    let mut profile: Vec<u8> = (0..len).map(|i| (i * 7 % 251) as u8).collect();
    profile[..4].copy_from_slice(&(len as u32).to_be_bytes());
    profile[16..20].copy_from_slice(space);
    profile[36..40].copy_from_slice(b"acsp");
    profile
}

#[test]
fn profiles_come_back_byte_for_byte_from_any_number_of_segments() {
    let picture = generate::gradient(Size::new(9, 9), PixelFormat::RGB8);
    for len in [132, 3000, 65_519, 65_520, 200_000] {
        let icc = profile(len, b"RGB ");
        let bytes = write(&picture, &Options::default(), Some(&icc));
        let reader = codec_jpeg::open(&bytes, &budget(), &Notes::default()).unwrap();
        assert!(reader.info().metadata.icc.as_deref() == Some(&icc[..]), "{len} bytes");
    }
    let bytes = write(&picture, &Options::default(), Some(&profile(500, b"CMYK")));
    let notes = Notes::default();
    let reader = codec_jpeg::open(&bytes, &budget(), &notes).unwrap();
    assert_eq!((reader.info().metadata.icc.clone(), notes.warnings()), (None, vec![Warning::BrokenProfile]));
}

#[test]
fn short_reads_give_the_same_pixels_and_a_failing_source_its_own_error() {
    let picture = generate::zone_plate(Size::new(200, 150), PixelFormat::RGB8);
    let with_profile = write(&picture, &options(80), Some(&profile(70_000, b"RGB ")));
    for bytes in files(&picture, 80).into_iter().chain([with_profile]) {
        let (whole, _) = read(&bytes).unwrap();
        for seed in 0..5 {
            assert_eq!(read(&SplitSource::new(&bytes, seed)).unwrap().0, whole);
        }
        for good in [0, 1, 100, bytes.len() - 3000, bytes.len() - 1500] {
            let outcome = read(&FailingSource::new(&bytes, good as u64));
            assert!(matches!(outcome, Err(Error::Io(_))), "{good}: {:?}", outcome.err());
        }
    }
}

#[test]
fn a_cut_file_gives_the_rows_above_the_cut_and_a_warning() {
    let picture = generate::noise(Size::new(96, 96), PixelFormat::RGB8, 3);
    let bytes = write(&picture, &options(85), None);
    let (whole, _) = read(&bytes).unwrap();
    let cut = bytes.len() * 6 / 10;
    let (part, warnings) = read(&bytes[..cut].to_vec()).unwrap();
    let [Warning::Truncated { rows, of: 96 }] = warnings[..] else { panic!("{warnings:?}") };
    assert!((40..=64).contains(&rows), "{rows} rows");
    // The last whole row of MCUs ends with colour that is interpolated with the incomplete one's.
    for y in 0..rows - 17 {
        assert_eq!(part.row(y), whole.row(y), "row {y}");
    }
    assert!((rows..96).all(|y| part.row(y).iter().all(|&sample| sample == 0)));
}

#[test]
fn scan_data_full_of_noise_never_panics() {
    let picture = generate::zone_plate(Size::new(64, 48), PixelFormat::RGB8);
    let mut random = generate::Lcg::new(11);
    for bytes in files(&picture, 60).into_iter().chain(files(&picture, 95)) {
        for _ in 0..2000 {
            let mut damaged = bytes.clone();
            for _ in 0..1 + random.below(6) {
                let at = random.below(damaged.len() as u32) as usize;
                damaged[at] = random.next_byte();
            }
            let _ = read(&damaged);
        }
    }
}

#[test]
fn impossible_headers_are_refused_before_anything_is_allocated() {
    let bytes = write(&generate::flat(Size::new(8, 8), PixelFormat::RGB8, [0.5; 4]), &options(75), None);
    let frame = bytes.windows(2).position(|pair| pair == [0xFF, 0xC0]).unwrap();
    let claim = |height: u16, width: u16| {
        let mut bytes = bytes.clone();
        bytes[frame + 5..frame + 7].copy_from_slice(&height.to_be_bytes());
        bytes[frame + 7..frame + 9].copy_from_slice(&width.to_be_bytes());
        codec_jpeg::open(&bytes, &budget(), &Notes::default()).err()
    };
    assert!(matches!(claim(60_000, 60_000), Some(Error::Limit(Limit::Implausible { .. }))));
    assert!(matches!(claim(0, 8), Some(Error::Limit(Limit::NoSize(_)))));
    assert!(claim(8, 8).is_none());
}

/// Comments were once held, but not counted. Latin-1 takes two bytes each in UTF-8.
#[test]
fn comments_are_counted() {
    let picture = write(&generate::flat(Size::new(8, 8), PixelFormat::RGB8, [0.5; 4]), &options(75), None);
    let comment = [&[0xFF, 0xFE, 0xFF, 0xFF][..], &[0xE9; 65_533]].concat();
    let file = [&picture[..2], &comment.repeat(16), &picture[2..]].concat();
    memory::counted("a JPEG with comments", &Limits::default(), |budget| {
        memory::read(codec_jpeg::open, &file, budget, u64::MAX).unwrap();
    });
}

#[test]
fn memory_is_charged_before_it_is_used() {
    let picture = generate::noise(Size::new(256, 256), PixelFormat::RGB8, 5);
    for bytes in &files(&picture, 80) {
        let need = codec_jpeg::open(bytes, &budget(), &Notes::default()).unwrap().info().working_set;
        let tight = |memory| {
            let budget = Budget::new(&Limits { memory });
            let mut reader = codec_jpeg::open(bytes, &budget, &Notes::default()).unwrap();
            read_all(&mut *reader).err()
        };
        memory::counted("a JPEG", &Limits::default(), |budget| {
            memory::read(codec_jpeg::open, bytes, budget, u64::MAX).unwrap();
        });
        assert!(tight(need).is_none());
        assert!(matches!(tight(need - 1), Some(Error::Limit(Limit::Memory { .. }))));
    }
    let small = Budget::new(&Limits { memory: 100_000 });
    let spec = ImageSpec::single(picture.size, picture.pixels, &small);
    let mut sink = Vec::new();
    let outcome = codec_jpeg::create(&mut sink, &spec, &Options::default()).err();
    assert!(matches!(outcome, Some(Error::Limit(Limit::Memory { .. }))));
}

/// A progressive file can repeat its last scan without end.
#[test]
fn more_than_a_hundred_scans_are_refused() {
    let picture = generate::flat(Size::new(16, 16), PixelFormat::GRAY8, [0.5; 4]);
    let Some(bytes) = djpeg::encode(&picture, &["-progressive", "-quality", "75"]) else { return };
    let scan = bytes.windows(2).rposition(|pair| pair == [0xFF, 0xDA]).unwrap();
    let (head, last) = bytes[..bytes.len() - 2].split_at(scan);
    let mut bomb = head.to_vec();
    for _ in 0..150 {
        bomb.extend(last);
    }
    bomb.extend([0xFF, 0xD9]);
    assert!(matches!(read(&bomb), Err(Error::Limit(Limit::Parts("scans")))));
}

#[test]
fn a_writer_refuses_what_a_jpeg_cannot_hold() {
    let budget = budget();
    let attempt = |size: Size, pixels: PixelFormat, icc: Option<&[u8]>| {
        let mut sink = Vec::new();
        let writer = codec_jpeg::create(&mut sink, &ImageSpec::single(size, pixels, &budget), &Options::default());
        writer.and_then(|mut w| w.begin_frame(&FrameHeader::new(size, pixels), &Metadata::profile(icc))).err()
    };
    let size = Size::new(4, 4);
    assert!(matches!(attempt(size, PixelFormat::RGBA8, None), Some(Error::Unsupported { .. })));
    assert!(matches!(attempt(Size::new(65_536, 1), PixelFormat::GRAY8, None), Some(Error::Limit(Limit::Side { .. }))));
    assert!(matches!(attempt(Size::new(0, 1), PixelFormat::GRAY8, None), Some(Error::Limit(Limit::NoSize(_)))));
    let endless = vec![0; 255 * 65_519 + 1];
    assert!(matches!(attempt(size, PixelFormat::RGB8, Some(&endless)), Some(Error::Limit(Limit::Parts(_)))));
    assert!(attempt(size, PixelFormat::RGB8, None).is_none());
}
