//! Properties of reading: the split of the source does not matter, every prefix and every flipped bit ends in a picture
//! or an error, interlaced rows are those of the whole picture, and damage affects only later rows.

use codec_png::{Options, create, open};
use raster::{
    Budget, ByteSource, Channels, Depth, Effort, Error, Limit, Limits, Notes, PixelFormat, Result, Size, Wanted,
    Warning, rows::ImageSpec,
};
use testkit::{FailingSource, Picture, SplitSource, Wide, generate, read_all, write_all};

use crate::oracle;

const SMALL: Limits = Limits { memory: 16 << 20 };

fn read(source: &dyn ByteSource) -> Result<(Picture, Vec<Warning>)> {
    let notes = Notes::default();
    let mut reader = open(source, &Budget::new(&SMALL), &notes)?;
    let picture = read_all(&mut *reader)?;
    if reader.info().frames == 1 {
        assert!(reader.next_frame(&Wanted::FULL_SIZE)?.is_none(), "one frame only");
    }
    Ok((picture, notes.warnings()))
}

fn outcome(source: &dyn ByteSource) -> String {
    match read(source) {
        Ok((picture, warnings)) => format!("{picture:?} {warnings:?}"),
        Err(error) => error.to_string(),
    }
}

fn encode(picture: &Picture) -> Vec<u8> {
    let mut file = Vec::new();
    let budget = Budget::new(&SMALL);
    let spec = ImageSpec::single(picture.size, picture.pixels, &budget);
    let writer = create(&mut file, &spec, &Options { effort: Effort::Fast, ..Options::default() }).unwrap();
    write_all(writer, picture).unwrap();
    file
}

/// Returns small files of every kind in the corpus.
fn small_files() -> Vec<(String, Vec<u8>)> {
    let rows = testkit::corpus::rows("png").unwrap_or_default();
    let small = rows.iter().filter(|row| row.size.is_some_and(|(w, h)| w <= 64 && h <= 64));
    let mut files: Vec<_> = small.map(|row| (row.name.clone(), row.bytes())).collect();
    let picture = generate::zone_plate(Size::new(61, 47), PixelFormat::RGBA8);
    files.push(("our own".into(), encode(&picture)));
    files
}

#[test]
fn any_split_of_the_source_gives_the_same_pixels_warnings_and_errors() {
    for (name, file) in small_files() {
        let whole = outcome(&file);
        for seed in 0..3 {
            assert_eq!(outcome(&SplitSource::new(&file, seed)), whole, "{name}, seed {seed}");
        }
    }
}

#[test]
fn a_source_that_fails_is_an_io_error_and_never_a_partial_picture() {
    let file = encode(&generate::noise(Size::new(200, 300), PixelFormat::RGB8, 1));
    for good in (0..file.len() as u64).step_by(997) {
        let error = read(&FailingSource::new(&file, good)).unwrap_err();
        assert!(matches!(error, Error::Io(_)), "{good} bytes: {error}");
    }
}

#[test]
fn every_prefix_is_a_picture_or_an_error_and_gives_no_fewer_rows_than_a_shorter_one() {
    for (name, file) in small_files().into_iter().filter(|(_, file)| file.len() < 4000).step_by(3) {
        let mut rows = 0;
        for end in 0..file.len() {
            let cut = &file[..end];
            let Ok((picture, warnings)) = read(&cut) else { continue };
            let truncated = warnings.iter().find_map(|warning| match warning {
                Warning::Truncated { rows, .. } => Some(*rows),
                _ => None,
            });
            let now = truncated.unwrap_or(picture.size.height);
            assert!(now >= rows, "{name} cut at {end}: {now} rows after {rows}");
            rows = now;
        }
    }
}

#[test]
fn every_flipped_bit_is_a_picture_or_an_error() {
    for (_, file) in small_files().into_iter().filter(|(_, file)| file.len() < 1000).step_by(5) {
        for bit in 0..file.len().min(200) * 8 {
            let mut bent = file.clone();
            bent[bit / 8] ^= 1 << (bit % 8);
            if let Err(error) = read(&bent) {
                assert!(!matches!(error, Error::Contradiction(_) | Error::Io(_)), "bit {bit}: {error}");
            }
        }
    }
}

#[test]
fn a_truncated_file_keeps_its_rows_and_warns_with_their_number() {
    let whole = generate::noise(Size::new(100, 200), PixelFormat::RGB8, 3);
    let mut file = encode(&whole);
    file.truncate(file.len() / 2);
    let (picture, warnings) = read(&file).unwrap();
    let [Warning::Truncated { rows, of: 200 }] = warnings[..] else { panic!("{warnings:?}") };
    assert!((90..=100).contains(&rows), "half of the bytes of noise are half of the rows: {rows}");
    let kept = rows as usize * 300;
    assert_eq!(picture.rows[..kept], whole.rows[..kept]);
    assert!(picture.rows[kept..].iter().all(|&byte| byte == 0));
}

#[test]
fn damage_in_the_middle_loses_few_rows_before_it() {
    let whole = generate::noise(Size::new(100, 400), PixelFormat::RGB8, 4);
    let mut file = encode(&whole);
    let middle = file.len() / 2;
    file[middle] ^= 0x10;
    let (picture, warnings) = read(&file).unwrap();
    let [Warning::Truncated { rows, of: 400 }] = warnings[..] else { panic!("{warnings:?}") };
    // Noise is stored uncompressed, so the bit is in a sample and only the CRC at the end of its 64 KiB chunk reveals
    // it.
    assert!(rows >= 150, "{rows}");
    assert_eq!(picture.rows[..150 * 300], whole.rows[..150 * 300]);
}

#[test]
fn interlaced_rows_are_those_of_a_full_deinterlace() {
    let Some(rows) = testkit::corpus::rows("png") else { return };
    let mut compared = 0;
    for row in rows.iter().filter(|row| row.must && !row.reject) {
        let file = row.bytes();
        if file[28] == 0 {
            continue;
        }
        let ours = Wide::of(&read(&file).unwrap().0);
        let theirs = oracle::read_with_png_crate(&file).unwrap();
        assert_eq!(ours.first_difference(&theirs), None, "{}", row.name);
        compared += 1;
    }
    assert!(compared >= 35, "{compared} interlaced files");
}

#[test]
fn a_truncated_interlaced_file_shows_the_coarse_picture() {
    let Some(rows) = testkit::corpus::rows("png") else { return };
    let row = rows.iter().find(|row| row.name == "png/pngsuite/basi2c08.png").expect("PngSuite has it");
    let file = row.bytes();
    let whole = read(&file).unwrap().0;
    let mut known = 0;
    for end in 0..file.len() {
        let cut = &file[..end];
        let Ok((picture, _)) = read(&cut) else { continue };
        // The first pass is complete: there are no holes, and each pixel is one of the picture's own.
        assert!(picture.rows.chunks_exact(3).all(|pixel| whole.rows.chunks_exact(3).any(|own| own == pixel)));
        let equal = picture.rows.chunks_exact(3).zip(whole.rows.chunks_exact(3)).filter(|(a, b)| a == b).count();
        known = known.max(equal);
    }
    assert_eq!(known, 32 * 32);
}

/// Returns a file of these chunks, with right checksums.
pub(crate) fn file_of(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, data) in chunks {
        file.extend((data.len() as u32).to_be_bytes());
        file.extend(*kind);
        file.extend(*data);
        let mut crc = flate2::Crc::new();
        crc.update(*kind);
        crc.update(data);
        file.extend(crc.sum().to_be_bytes());
    }
    file
}

pub(crate) fn ihdr(width: u32, height: u32, depth: u8, color: u8, interlace: u8) -> Vec<u8> {
    let mut data = width.to_be_bytes().to_vec();
    data.extend(height.to_be_bytes());
    data.extend([depth, color, 0, 0, interlace]);
    data
}

#[test]
fn forged_sizes_fail_at_open_without_memory() {
    let cases = [
        (60_000, 60_000, "implausible"),
        (0, 5, "no-size"),
        (5, 0, "no-size"),
        (1_000_001, 1, "side"),
        (1, u32::MAX, "side"),
    ];
    for ((width, height, code), interlace) in cases.into_iter().flat_map(|case| [(case, 0), (case, 1)]) {
        let mut file =
            file_of(&[(b"IHDR", &ihdr(width, height, 8, 6, interlace)), (b"IDAT", &[0; 1900]), (b"IEND", &[])]);
        file.truncate(2000);
        let error = open(&file, &Budget::new(&Limits { memory: 0 }), &Notes::default()).err().expect("refused");
        assert_eq!(error.code(), code, "{width} × {height}: {error}");
    }
}

#[test]
fn a_budget_too_small_is_an_error_and_a_sufficient_one_is_kept() {
    for (width, interlace) in [(1_000_000, 0), (1_000_000, 1), (100, 0), (100, 1)] {
        let raw = vec![0; 3_000_100];
        let file = file_of(&[
            (b"IHDR", &ihdr(width, 1, 8, 2, interlace)),
            (b"IDAT", &fdeflate::compress_to_vec(&raw)),
            (b"IEND", &[]),
        ]);
        let generous = Budget::new(&Limits { memory: 1 << 30 });
        let mut reader = open(&file, &generous, &Notes::default()).unwrap();
        let promised = reader.info().working_set;
        read_all(&mut *reader).unwrap();
        assert!(
            generous.used() <= promised && promised <= generous.used() + (1 << 17),
            "{promised}, {}",
            generous.used()
        );
        let tight = Budget::new(&Limits { memory: promised / 2 });
        let error = read_all(&mut *open(&file, &tight, &Notes::default()).unwrap()).unwrap_err();
        assert!(matches!(error, Error::Limit(Limit::Memory { .. })), "{error}");
    }
}

#[test]
fn broken_ancillary_chunks_and_bombs_are_at_most_warnings() {
    let idat = fdeflate::compress_to_vec(&[0, 7]);
    let bomb = {
        let mut data = b"bomb\0\0".to_vec();
        data.extend(fdeflate::compress_to_vec(&vec![0; 50 << 20]));
        data
    };
    let with = |extra: &[(&[u8; 4], &[u8])]| {
        let header = ihdr(1, 1, 8, 0, 0);
        let mut chunks: Vec<(&[u8; 4], &[u8])> = vec![(b"IHDR", &header)];
        chunks.extend(extra);
        chunks.extend([(b"IDAT", idat.as_slice()), (b"IEND", &[])]);
        let mut file = file_of(&chunks);
        file.extend(b"junk after the end");
        let budget = Budget::new(&SMALL);
        let notes = Notes::default();
        let mut reader = open(&file, &budget, &notes).unwrap();
        assert_eq!(read_all(&mut *reader).unwrap().rows[0], 7);
        assert!(budget.used() < 1 << 20, "{}", budget.used());
        notes.warnings()
    };
    assert_eq!(with(&[]), []);
    for broken in [(b"zTXt", bomb.as_slice()), (b"iTXt", &bomb), (b"tEXt", b"\0\0\0")] {
        assert_eq!(with(&[broken]), [Warning::Skipped("text")]);
    }
    assert_eq!(with(&[(b"iCCP", &bomb)]), [Warning::BrokenProfile]);
    assert_eq!(with(&[(b"iCCP", b"")]), [Warning::BrokenProfile]);
    assert_eq!(with(&[(b"tRNS", b"1")]), [Warning::Skipped("tRNS")]);
    assert_eq!(with(&[(b"acTL", &[0; 8])]), [Warning::Skipped("acTL")]);
    assert_eq!(with(&[(b"acTL", &[0, 0, 0, 3, 0, 0, 0, 0])]), [Warning::FramesSkipped { skipped: 3, of: 3 }]);
    assert_eq!(with(&[(b"eXIf", b"nonsense"), (b"abCd", b"?")]), []);
    assert_eq!(with(&[(b"gAMA", b"x"), (b"cHRM", &[0; 32])]), [Warning::Skipped("color")]);
}

#[test]
fn a_wrong_crc_drops_only_its_ancillary_chunk() {
    let idat = fdeflate::compress_to_vec(&[0, 7]);
    let chunks: [(&[u8; 4], &[u8]); 4] =
        [(b"IHDR", &ihdr(1, 1, 8, 0, 0)), (b"tRNS", &[0, 7]), (b"IDAT", &idat), (b"IEND", &[])];
    let sound = file_of(&chunks);
    assert_eq!(read(&sound).unwrap().0.pixels.channels, Channels::GrayAlpha);
    let mut bent = sound;
    bent[33 + 8] ^= 1;
    let (picture, warnings) = read(&bent).unwrap();
    assert_eq!((picture.pixels.channels, warnings), (Channels::Gray, vec![Warning::Skipped("tRNS")]));
}

#[test]
fn millions_of_empty_chunks_are_refused() {
    let mut file = file_of(&[(b"IHDR", &ihdr(1, 1, 8, 0, 0))]);
    let empty = file_of(&[(b"teXt", &[])]);
    file.extend(empty[8..].repeat(200_000));
    let error = open(&file, &Budget::new(&SMALL), &Notes::default()).err().expect("refused");
    assert!(matches!(error, Error::Limit(Limit::Parts(_))), "{error}");
}

#[test]
fn image_data_split_into_empty_and_tiny_chunks_are_one_stream() {
    let picture = generate::noise(Size::new(9, 5), PixelFormat::new(Channels::GrayAlpha, Depth::Sixteen), 2);
    let file = encode(&picture);
    let length = u32::from_be_bytes(*file[33..].first_chunk().unwrap()) as usize;
    let data = &file[41..41 + length];
    let mut chunks: Vec<(&[u8; 4], &[u8])> = vec![(b"IHDR", &file[16..29])];
    for byte in data.chunks(1) {
        chunks.extend([(b"IDAT", byte), (b"IDAT", [].as_slice())]);
    }
    chunks.push((b"IEND", &[]));
    let (back, warnings) = read(&file_of(&chunks)).unwrap();
    assert!(back == picture && warnings.is_empty(), "{warnings:?}");
}
