//! Each kind of damage is told. The files are our own, changed byte by byte.

use codec_jpeg::{Coding, Options, Subsampling};
use raster::{Budget, ImageSpec, Limits, Metadata, Notes, PixelFormat, Size, Warning};
use testkit::{Picture, generate, read_all, write_with};

use crate::{djpeg, slow};

const SIZE: Size = Size::new(72, 80);
const DAMAGED: [Warning; 1] = [Warning::Truncated { rows: SIZE.height, of: SIZE.height }];
const STRAY: [Warning; 1] = [Warning::Skipped("bytes")];

/// Writes noise, which has many bits in each MCU.
fn file(coding: Coding, restart_rows: u16) -> Vec<u8> {
    let picture = generate::noise(SIZE, PixelFormat::RGB8, 9);
    let mut bytes = Vec::new();
    let budget = Budget::new(&Limits::default());
    let spec = ImageSpec::single(picture.size, picture.pixels, &budget);
    let options = Options { quality: Some(80.into()), subsampling: Subsampling::Reduced, coding, restart_rows };
    write_with(codec_jpeg::create(&mut bytes, &spec, &options).unwrap(), &picture, &Metadata::default()).unwrap();
    bytes
}

fn read(jpeg: &[u8]) -> (Picture, Vec<Warning>) {
    let notes = Notes::default();
    let mut reader = codec_jpeg::open(&jpeg, &Budget::new(&Limits::default()), &notes).unwrap();
    let picture = read_all(&mut *reader).unwrap();
    (picture, notes.warnings())
}

/// Returns the offsets of the markers with this code.
fn markers(jpeg: &[u8], code: u8) -> Vec<usize> {
    (0..jpeg.len() - 1).filter(|&at| jpeg[at..at + 2] == [0xFF, code]).collect()
}

fn inserted(jpeg: &[u8], at: usize, bytes: &[u8]) -> Vec<u8> {
    [&jpeg[..at], bytes, &jpeg[at..]].concat()
}

fn without(jpeg: &[u8], from: usize, to: usize) -> Vec<u8> {
    [&jpeg[..from], &jpeg[to..]].concat()
}

#[test]
fn sound_files_are_read_without_a_note() {
    for coding in [Coding::Baseline, Coding::Progressive, Coding::Smallest] {
        for restart_rows in [0, 1, 2] {
            assert_eq!(read(&file(coding, restart_rows)).1, [], "{coding:?} {restart_rows}");
        }
    }
}

#[test]
fn invalid_codes_are_told() {
    for coding in [Coding::Baseline, Coding::Progressive] {
        let mut jpeg = file(coding, 0);
        // No code consists of ones only (T.81 C.2).
        let data = markers(&jpeg, 0xDA)[0] + 400;
        jpeg[data..data + 12].copy_from_slice(&[0xFF, 0].repeat(6));
        assert_eq!(read(&jpeg).1, DAMAGED, "{coding:?}");
    }
}

/// Returns copies of a file of which one byte of the data differs. Markers and stuffed zeros stay.
fn with_changed_data(jpeg: &[u8]) -> impl Iterator<Item = (usize, Vec<u8>)> {
    let scan = markers(jpeg, 0xDA)[0] + 14;
    let places = (scan..jpeg.len() - 2).step_by(7).filter(|at| !jpeg[at - 1..=at + 1].contains(&0xFF));
    places.filter(|&at| jpeg[at] ^ 0x5A != 0xFF).map(|at| {
        let mut changed = jpeg.to_vec();
        changed[at] ^= 0x5A;
        (at, changed)
    })
}

#[test]
fn changed_data_are_told_exactly_when_they_are_invalid() {
    let jpeg = file(Coding::Baseline, 1);
    // An MCU of four blocks of luma and two of chroma; a row of 72 pixels has five.
    let is_valid = |jpeg: &[u8]| slow::is_valid(jpeg, 5, &[(4, 0, 0), (1, 1, 1), (1, 1, 1)]);
    assert!(is_valid(&jpeg));
    let (mut valid, mut invalid) = (0, 0);
    for (at, changed) in with_changed_data(&jpeg) {
        let is_valid = is_valid(&changed);
        assert_eq!(read(&changed).1.is_empty(), is_valid, "byte {at}");
        *if is_valid { &mut valid } else { &mut invalid } += 1;
    }
    // Codes behind a changed one often fall into step with those of the file, and few bits are no code.
    assert!(valid > 100 && invalid > 100, "{valid} valid, {invalid} invalid");
}

#[test]
fn changed_data_have_the_pixels_of_djpeg_and_all_its_warnings() {
    for coding in [Coding::Baseline, Coding::Progressive] {
        let mut told = 0;
        for (at, changed) in with_changed_data(&file(coding, 1)).step_by(3) {
            let Some((want, warned)) = djpeg::decode_warned(&changed) else { return };
            let (got, warnings) = read(&changed);
            assert!(got == want, "{coding:?}, byte {at}: pixels");
            assert!(!warned || !warnings.is_empty(), "{coding:?}, byte {at}: djpeg warns");
            told += usize::from(warned);
        }
        assert!(told > 5, "{coding:?}: {told} warnings");
    }
}

#[test]
fn stray_bytes_are_told() {
    for coding in [Coding::Baseline, Coding::Progressive] {
        let jpeg = file(coding, 0);
        let (picture, _) = read(&jpeg);
        let frame = markers(&jpeg, if coding == Coding::Baseline { 0xC0 } else { 0xC2 })[0];
        let table = *markers(&jpeg, 0xC4).last().unwrap();
        let end = jpeg.len() - 2;
        for (what, at) in [("before the frame", frame), ("before the last table", table), ("before the end", end)] {
            for bytes in [&[0][..], &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], &[0xFF, 0]] {
                assert_eq!(read(&inserted(&jpeg, at, bytes)), (picture.clone(), STRAY.to_vec()), "{coding:?}, {what}");
            }
            let filled = inserted(&jpeg, at, &[0xFF; 3]);
            assert_eq!(read(&filled), (picture.clone(), vec![]), "{coding:?}, fill bytes {what}");
        }
    }
}

#[test]
fn restart_markers_that_are_lost_doubled_or_wrong_are_told() {
    let jpeg = file(Coding::Baseline, 1);
    let (picture, _) = read(&jpeg);
    let third = markers(&jpeg, 0xD2)[0];
    let mut wrong = jpeg.clone();
    wrong[third + 1] = 0xD6;
    let table = [
        ("lost", without(&jpeg, third, third + 2)),
        ("doubled", inserted(&jpeg, third, &[0xFF, 0xD2])),
        ("wrong", wrong),
        ("lost with its interval", without(&jpeg, third, markers(&jpeg, 0xD3)[0])),
        ("behind other bytes", inserted(&jpeg, third, &[1, 2, 3])),
        ("behind many other bytes", inserted(&jpeg, third, &[7; 40])),
    ];
    for (what, changed) in table {
        let (got, warnings) = read(&changed);
        assert_eq!(warnings, DAMAGED, "{what}");
        // Rows of MCUs have 16 rows; colour is interpolated with the next one's.
        assert_eq!((got.row(30), got.row(78)), (picture.row(30), picture.row(78)), "{what}: above and below");
    }
}

#[test]
fn missing_scans_are_told() {
    let jpeg = file(Coding::Progressive, 0);
    let scans = markers(&jpeg, 0xDA);
    for (number, scan) in scans.iter().enumerate().skip(1) {
        // The table of a scan stands before it.
        let table = *markers(&jpeg[..*scan], 0xC4).last().unwrap();
        let end = if table > scans[number - 1] { table } else { *scan };
        let cut = [&jpeg[..end], &[0xFF, 0xD9]].concat();
        assert_eq!(read(&cut).1, DAMAGED, "{number} of {} scans", scans.len());
    }
}

#[test]
fn a_broken_table_between_progressive_scans_is_told() {
    let mut jpeg = file(Coding::Progressive, 0);
    let scans = markers(&jpeg, 0xDA);
    let table = *markers(&jpeg, 0xC4).iter().find(|&&table| table > scans[1]).unwrap();
    jpeg[table + 5] = 200;
    let (picture, warnings) = read(&jpeg);
    assert_eq!(warnings, DAMAGED);
    assert!(picture.rows.iter().any(|sample| *sample != picture.rows[0]), "the scans before it");
}

#[test]
fn a_missing_quantisation_table_is_an_error() {
    let jpeg = file(Coding::Baseline, 0);
    let tables = markers(&jpeg, 0xDB);
    let end = tables[0] + 2 + usize::from(u16::from_be_bytes([jpeg[tables[0] + 2], jpeg[tables[0] + 3]]));
    let changed = without(&jpeg, tables[0], end);
    let budget = Budget::new(&Limits::default());
    let outcome = codec_jpeg::open(&changed, &budget, &Notes::default()).and_then(|mut reader| read_all(&mut *reader));
    assert_eq!(outcome.unwrap_err().code(), "malformed");
}

#[test]
fn the_rows_of_cut_files_are_told() {
    for (coding, restart_rows) in [(Coding::Baseline, 0), (Coding::Baseline, 1), (Coding::Progressive, 0)] {
        let jpeg = file(coding, restart_rows);
        let scan = markers(&jpeg, 0xDA)[0];
        for percent in [20, 50, 90, 99] {
            let (_, warnings) = read(&jpeg[..scan + 14 + (jpeg.len() - scan - 14) * percent / 100]);
            let [Warning::Truncated { rows, of }] = warnings[..] else { panic!("{coding:?} {percent}: {warnings:?}") };
            let is_all = coding == Coding::Progressive;
            assert_eq!((of, rows > 0, rows == of), (80, true, is_all || percent >= 90), "{coding:?} {percent}: {rows}");
        }
    }
}
