//! Properties of reading. The split of the source does not matter. Every prefix and every flipped bit of a header ends
//! in a picture or an error within the budget. A failing source is never reported as a damaged file.

use std::time::Duration;

use codec_tiff::open;
use raster::{Budget, ByteSource, Error, Limits, Notes, Result, Wanted, Warning};
use testkit::cpu::timed;
use testkit::{FailingSource, Picture, SplitSource, read_all};

const SMALL: Limits = Limits { memory: 16 << 20 };

/// Reads every page.
fn read(source: &dyn ByteSource) -> Result<(Vec<Picture>, Vec<Warning>)> {
    let notes = Notes::default();
    let mut reader = open(source, &Budget::new(&SMALL), &notes)?;
    let pages = (0..reader.info().frames).map(|_| read_all(&mut *reader)).collect::<Result<_>>()?;
    assert!(reader.next_frame(&Wanted::FULL_SIZE)?.is_none(), "no more pages than stated");
    Ok((pages, notes.warnings()))
}

fn outcome(source: &dyn ByteSource) -> String {
    match read(source) {
        Ok((pages, warnings)) => format!("{pages:?} {warnings:?}"),
        Err(error) => error.to_string(),
    }
}

/// Returns files of every kind in the corpus, up to `most` bytes.
fn files(most: usize) -> Vec<(String, Vec<u8>)> {
    let rows = testkit::corpus::rows("tiff").unwrap_or_default();
    rows.iter().map(|row| (row.name.clone(), row.bytes())).filter(|(_, bytes)| bytes.len() <= most).collect()
}

#[test]
fn any_split_of_the_source_gives_the_same_pixels_warnings_and_errors() {
    for (name, file) in files(40_000) {
        let whole = outcome(&file);
        assert_eq!(outcome(&SplitSource::new(&file, 1)), whole, "{name}");
    }
}

#[test]
fn a_source_that_fails_is_an_io_error_and_never_a_damaged_picture() {
    for (name, file) in files(3000) {
        let Ok((_, warnings)) = read(&file) else { continue };
        if !warnings.is_empty() {
            continue;
        }
        for good in (0..file.len() as u64).step_by(61) {
            match read(&FailingSource::new(&file, good)) {
                // All needed bytes may have been read before the failure.
                Ok((_, warnings)) => assert!(warnings.is_empty(), "{name}, {good} bytes: {warnings:?}"),
                Err(error) => assert!(matches!(error, Error::Io(_)), "{name}, {good} bytes: {error}"),
            }
        }
    }
}

#[test]
fn every_prefix_is_a_picture_or_an_error() {
    for (name, file) in files(1500) {
        for end in 0..file.len() {
            check(&name, &file[..end], end);
        }
    }
}

/// Tests flipped bits of the header and the directories. In small files, these and their values are most of the file.
#[test]
fn every_flipped_bit_is_a_picture_or_an_error() {
    for (name, file) in files(900) {
        // A third of the bits are tested, another third in each file.
        for bit in (name.len() % 3..file.len() * 8).step_by(3) {
            let mut bent = file.clone();
            bent[bit / 8] ^= 1 << (bit % 8);
            check(&name, &bent, bit);
        }
    }
}

fn check(name: &str, file: &[u8], at: usize) {
    let (outcome, spent) = timed(|| read(&file));
    if let Err(error) = outcome {
        let is_ours = matches!(error, Error::Contradiction(_) | Error::Io(_));
        assert!(!is_ours, "{name} at {at}: {error}");
    }
    assert!(spent < Duration::from_secs(2), "{name} at {at} took {spent:?} of processor time");
}
