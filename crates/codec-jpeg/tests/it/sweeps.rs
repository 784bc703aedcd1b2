//! Every prefix of a file, and every change of a bit in its headers: a picture or an error, in time, within the budget,
//! whatever parts the source returns.

use std::time::Duration;

use codec_jpeg::{Coding, Options};
use raster::{Budget, ByteSource, ImageSpec, Limits, Metadata, Notes, PixelFormat, Size, Warning};
use testkit::cpu::within;
use testkit::lossless_jpeg::{self, Component, Way};
use testkit::{Picture, SplitSource, corpus, generate, memory, read_all, write_with};

use crate::kinds::encode;

const LIMITS: Limits = Limits { memory: 4 << 20 };

/// The bytes of rows that are read of a file: a changed header can state a larger picture.
const ROWS: u64 = 1 << 20;

fn ours(picture: &Picture, coding: Coding, restart_rows: u16) -> Vec<u8> {
    let (mut bytes, budget) = (Vec::new(), Budget::new(&Limits::default()));
    let options = Options { quality: Some(70.into()), coding, restart_rows, ..Options::default() };
    let spec = ImageSpec::single(picture.size, picture.pixels, &budget);
    write_with(codec_jpeg::create(&mut bytes, &spec, &options).unwrap(), picture, &Metadata::default()).unwrap();
    bytes
}

fn lossless(size: (usize, usize)) -> Vec<u8> {
    let rows = (0..size.1).map(|y| (0..size.0).map(|x| (x * x * 40 + y * 700) as u16 & 0xFFF).collect()).collect();
    let way = Way { precision: 12, predictor: 5, low: 0, restart: 4, is_interleaved: true };
    lossless_jpeg::write(size, &[Component { factors: (1, 1), rows }], way)
}

/// Returns files of ten kinds; five of them only if cjpeg is installed.
fn files(size: (u32, u32)) -> Vec<(String, Vec<u8>)> {
    let picture = |pixels| generate::zone_plate(Size::new(size.0, size.1), pixels);
    let (color, gray) = (picture(PixelFormat::RGB8), picture(PixelFormat::GRAY8));
    let mut files = vec![
        ("baseline".to_owned(), ours(&color, Coding::Baseline, 0)),
        ("restart".to_owned(), ours(&color, Coding::Baseline, 1)),
        ("progressive".to_owned(), ours(&color, Coding::Progressive, 0)),
        ("grey".to_owned(), ours(&gray, Coding::Smallest, 0)),
        ("lossless".to_owned(), lossless((size.0 as usize, size.1 as usize))),
    ];
    let ways: [(&[&str], Option<&str>); 5] = [
        (&["-sample", "2x2"], Some("0; 1; 2;")),
        (&["-sample", "2x1", "-restart", "3B"], Some("0,1; 2;")),
        (&["-arithmetic"], None),
        (&["-arithmetic", "-progressive", "-restart", "1"], None),
        (&["-sample", "1x2,1x1,2x1", "-progressive"], None),
    ];
    for (way, script) in ways {
        files.extend(encode(&color, way, script).map(|file| (way.join(" "), file)));
    }
    files
}

/// Reads a file, however it ends.
fn survive(what: &str, bytes: &[u8]) {
    within(Duration::from_secs(1), what, || {
        // An error is as good as a picture.
        let _ = memory::counted(what, &LIMITS, |budget| memory::read(codec_jpeg::open, &bytes, budget, ROWS));
    });
}

fn sweep_prefixes(name: &str, file: &[u8]) {
    for len in 0..file.len() {
        survive(&format!("{name}, the first {len} bytes"), &file[..len]);
    }
}

/// Changes each bit of the bytes that are no entropy-coded data.
fn sweep_headers(name: &str, file: &[u8]) {
    let (mut at, mut in_data) = (2, false);
    while at + 3 < file.len() {
        let is_marker = file[at] == 0xFF && !matches!(file[at + 1], 0 | 0xD0..=0xD7 | 0xFF);
        if in_data && !is_marker {
            at += 1;
            continue;
        }
        in_data = file[at + 1] == 0xDA;
        let end = (at + 2 + usize::from(u16::from_be_bytes([file[at + 2], file[at + 3]]))).min(file.len());
        for (place, bit) in (at..end).flat_map(|place| (0..8).map(move |bit| (place, bit))) {
            let mut changed = file.to_vec();
            changed[place] ^= 1 << bit;
            survive(&format!("{name}, bit {bit} of byte {place}"), &changed);
        }
        at = end;
    }
}

#[test]
fn every_prefix_ends_in_a_picture_or_an_error() {
    files((25, 19)).iter().for_each(|(name, file)| sweep_prefixes(name, file));
}

#[test]
fn every_bit_of_the_headers_may_change() {
    files((25, 19)).iter().for_each(|(name, file)| sweep_headers(name, file));
}

#[test]
#[ignore = "it reads 170,000 files, which takes minutes"]
fn larger_files_and_those_of_the_corpus_survive_too() {
    let mut all = files((150, 117));
    let rows = corpus::rows("jpeg").unwrap_or_default();
    let small = rows.iter().map(|row| (row.name.clone(), row.bytes())).filter(|(_, bytes)| bytes.len() < 6000);
    all.extend(small);
    for (name, file) in &all {
        sweep_prefixes(name, file);
        sweep_headers(name, file);
    }
    println!("{} files", all.len());
}

fn read(source: &dyn ByteSource) -> raster::Result<(Picture, Vec<Warning>)> {
    let notes = Notes::default();
    let mut reader = codec_jpeg::open(source, &Budget::new(&Limits::default()), &notes)?;
    Ok((read_all(&mut *reader)?, notes.warnings()))
}

#[test]
fn the_parts_in_which_a_file_is_read_do_not_matter() {
    for (name, file) in files((70, 45)) {
        for cut in [file.len(), file.len() * 2 / 3] {
            let whole = read(&file[..cut].to_vec()).unwrap();
            for seed in 0..3 {
                assert!(read(&SplitSource::new(&file[..cut], seed)).unwrap() == whole, "{name}, {cut}, {seed}");
            }
        }
    }
}
