//! Written files against those of cjpeg, byte by byte.

use codec_jpeg::{Coding, Options, Subsampling};
use raster::{Budget, Error, ImageSpec, Limit, Limits, Metadata, Notes, PixelFormat, Size};
use testkit::{Difference, Picture, generate, memory, read_all, write_with};

use crate::djpeg;

fn write(picture: &Picture, options: &Options) -> Vec<u8> {
    let mut bytes = Vec::new();
    let budget = Budget::new(&Limits::default());
    let spec = ImageSpec::single(picture.size, picture.pixels, &budget);
    write_with(codec_jpeg::create(&mut bytes, &spec, options).unwrap(), picture, &Metadata::default()).unwrap();
    bytes
}

const KINDS: [(PixelFormat, Subsampling, &str); 3] = [
    (PixelFormat::GRAY8, Subsampling::Auto, "1x1"),
    (PixelFormat::RGB8, Subsampling::Reduced, "2x2"),
    (PixelFormat::RGB8, Subsampling::Full, "1x1"),
];

/// Pictures of all kinds of content.
fn pictures(size: Size, pixels: PixelFormat) -> [(Picture, &'static str); 4] {
    [
        (generate::zone_plate(size, pixels), "zone plate"),
        (generate::noise(size, pixels, 3), "noise"),
        (generate::gradient(size, pixels), "gradient"),
        (generate::flat(size, pixels, [0.2, 0.6, 0.4, 1.0]), "flat"),
    ]
}

/// Compares files of these sizes and qualities with those of cjpeg.
fn compare(sizes: &[(u32, u32)], qualities: &[u8], options: Options, arguments: &[&str]) {
    for size in sizes.iter().map(|&(width, height)| Size::new(width, height)) {
        for (pixels, subsampling, sample) in KINDS {
            for (picture, name) in pictures(size, pixels) {
                for &quality in qualities {
                    let number = quality.to_string();
                    let all =
                        [&["-optimize", "-sample", sample, "-quality", &number], &djpeg::TABLE[..], arguments].concat();
                    let Some(foreign) = djpeg::encode(&picture, &all) else { return };
                    let ours = write(&picture, &Options { quality: Some(quality.into()), subsampling, ..options });
                    assert!(ours == foreign, "{name}, {size:?}, {sample} {pixels:?}, quality {quality}");
                }
            }
        }
    }
}

/// Sizes around whole blocks and MCUs, all kinds of content, qualities from 1 to 100.
#[test]
fn baseline_files_equal_those_of_cjpeg() {
    let sizes = [(1, 1), (7, 9), (8, 8), (15, 16), (16, 15), (17, 33), (24, 41), (100, 57), (320, 200)];
    compare(&sizes, &[1, 30, 50, 85, 100], Options::default(), &["-baseline"]);
}

#[test]
fn progressive_files_equal_those_of_cjpeg() {
    let options = Options { coding: Coding::Progressive, ..Options::default() };
    compare(
        &[(1, 1), (16, 15), (17, 33), (100, 57), (320, 200)],
        &[1, 50, 85, 100],
        options,
        &["-baseline", "-progressive"],
    );
}

#[test]
fn restart_markers_are_where_cjpeg_writes_them() {
    for (coding, argument) in [(Coding::Baseline, "-baseline"), (Coding::Progressive, "-progressive")] {
        for rows in [1, 3] {
            let options = Options { coding, restart_rows: rows, ..Options::default() };
            let rows = rows.to_string();
            compare(&[(7, 9), (100, 157)], &[85], options, &[argument, "-restart", &rows]);
        }
    }
}

/// Returns a gradient with some noise, a little like a photograph.
fn detailed(size: Size, pixels: PixelFormat) -> Picture {
    let mut picture = generate::gradient(size, pixels);
    let noise = generate::noise(size, pixels, 9);
    for (sample, noise) in picture.rows.iter_mut().zip(noise.rows) {
        *sample = sample.saturating_add(noise / 16);
    }
    picture
}

#[test]
fn the_smallest_file_is_smaller_and_djpeg_reads_it() {
    for (pixels, subsampling, _) in KINDS {
        for size in [Size::new(1, 1), Size::new(33, 17), Size::new(320, 200)] {
            let picture = detailed(size, pixels);
            let file = |coding, restart_rows| {
                write(&picture, &Options { quality: Some(85.into()), subsampling, coding, restart_rows })
            };
            let (baseline, smallest) = (file(Coding::Baseline, 0), file(Coding::Smallest, 0));
            if size.area() > 1000 {
                assert!(smallest.len() * 100 < baseline.len() * 90, "{} of {}", smallest.len(), baseline.len());
            }
            let read = |file: &Vec<u8>| {
                let budget = Budget::new(&Limits::default());
                let mut reader = codec_jpeg::open(file, &budget, &Notes::default()).unwrap();
                assert_eq!(reader.info().quality, Some(85));
                read_all(&mut *reader).unwrap()
            };
            let own = read(&smallest);
            let psnr = Difference::between(&own, &picture).psnr;
            assert!(psnr > 28.0, "{size:?} {pixels:?}: {psnr:.1} dB");
            assert!(read(&file(Coding::Smallest, 2)) == own);
            let Some(foreign) = djpeg::decode(&smallest) else { continue };
            assert!(own == foreign, "{size:?} {pixels:?}");
        }
    }
}

/// All coefficients of noise at quality 100 differ from 0, so they need most memory.
#[test]
fn memory_of_coefficients_is_charged() {
    let picture = generate::noise(Size::new(256, 256), PixelFormat::RGB8, 5);
    for coding in [Coding::Progressive, Coding::Smallest] {
        let write = |budget: &Budget| {
            let mut sink = budget.reserved(1 << 19)?;
            let spec = ImageSpec::single(picture.size, picture.pixels, budget);
            let options = Options { quality: Some(100.into()), coding, ..Options::default() };
            let writer = codec_jpeg::create(&mut sink, &spec, &options)?;
            write_with(writer, &picture, &Metadata::default())
        };
        memory::counted("a JPEG", &Limits::default(), |budget| write(budget).unwrap());
        let tight = Budget::new(&Limits { memory: 900_000 });
        assert!(matches!(write(&tight), Err(Error::Limit(Limit::Memory { .. }))));
    }
}
