//! The files of the corpus: every frame is what Chromium sees, and what is damaged is refused or read in time.

use std::collections::BTreeMap;

use codec_gif::open;
use raster::{Budget, Limits, Notes, Result, Sequence, Wanted, Warning};
use testkit::corpus::Row;
use testkit::{Picture, read_all, sha256};

/// What Chromium sees in a file.
#[derive(Debug, PartialEq, Eq)]
struct Expected<'a> {
    size: String,
    frames: u32,
    repetitions: &'a str,
    delays: String,
    hash: String,
}

fn table() -> BTreeMap<&'static str, Expected<'static>> {
    let lines = include_str!("chromium.tsv").lines().filter(|line| !line.starts_with('#'));
    let row = |line: &'static str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [name, size, frames, repetitions, delays, hash] = columns[..] else { panic!("{line}") };
        let frames = frames.parse().expect("a number");
        let [size, delays, hash] = [size, delays, hash].map(str::to_owned);
        (name, Expected { size, frames, repetitions, delays, hash })
    };
    lines.map(row).collect()
}

/// The pixels as the table hashes them: RGBA, all zero where alpha is.
fn rgba(picture: &Picture) -> Vec<u8> {
    let pixel = |p: &[u8]| match *p {
        [.., 0] if p.len() == 4 => [0; 4],
        [r, g, b, a] => [r, g, b, a],
        _ => [p[0], p[1], p[2], 255],
    };
    picture.rows.chunks_exact(picture.pixels.bytes()).flat_map(pixel).collect()
}

/// Delays as the table writes them: equal neighbours together.
fn runs(delays: &[u32]) -> String {
    let run = |run: &[u32]| match run {
        [delay] => delay.to_string(),
        _ => format!("{}x{}", run[0], run.len()),
    };
    delays.chunk_by(|a, b| a == b).map(run).collect::<Vec<_>>().join(",")
}

fn seen(bytes: &[u8], repetitions: &'static str) -> Result<Expected<'static>> {
    let notes = Notes::default();
    let mut reader = open(&bytes, &Budget::new(&Limits::default()), &notes)?;
    let info = reader.info().clone();
    let (mut hashes, mut delays) = (String::new(), Vec::new());
    for _ in 0..info.frames {
        hashes += &sha256(&rgba(&read_all(&mut *reader)?))[..12];
    }
    let mut again = open(&bytes, &Budget::new(&Limits::default()), &Notes::default())?;
    while let Some(frame) = again.next_frame(&Wanted::FULL_SIZE)? {
        delays.push(frame.info.delay.map(|delay| delay.numerator));
    }
    let plays = match (info.sequence, repetitions) {
        (Sequence::Animation { plays: 0 }, "inf") | (Sequence::Single, _) => repetitions,
        (Sequence::Animation { plays }, _) if repetitions == (plays.wrapping_sub(1)).to_string() => repetitions,
        _ => "other",
    };
    // A profile that is none is left out; Chromium looks at none.
    assert!(notes.warnings().iter().all(|warning| *warning == Warning::BrokenProfile));
    Ok(Expected {
        size: format!("{}x{}", info.size.width, info.size.height),
        frames: info.frames,
        repetitions: plays,
        delays: if info.frames > 1 {
            runs(&delays.iter().flatten().copied().collect::<Vec<_>>())
        } else {
            String::new()
        },
        hash: sha256(hashes.as_bytes())[..16].to_owned(),
    })
}

#[test]
fn every_frame_that_must_decode_is_what_chromium_sees() {
    let Some(rows) = testkit::corpus::rows("gif") else { return };
    let mut table = table();
    let mut wrong = Vec::new();
    let sound: Vec<&Row> = rows.iter().filter(|row| row.must && !row.reject).collect();
    for row in &sound {
        let mut expected = table.remove(row.name.as_str()).expect("a row of Chromium's table");
        // A still picture has no time.
        if expected.frames == 1 {
            expected.delays.clear();
        }
        match seen(&row.bytes(), expected.repetitions) {
            Ok(seen) if seen == expected => {}
            Ok(seen) => wrong.push(format!("{}: {seen:?}, Chromium {expected:?}", row.name)),
            Err(error) => wrong.push(format!("{}: {error}", row.name)),
        }
    }
    assert!(wrong.is_empty(), "{} of {} files:\n{}", wrong.len(), sound.len(), wrong.join("\n"));
}

fn read(bytes: &[u8]) -> Result<(Picture, Vec<Warning>)> {
    let notes = Notes::default();
    let mut reader = open(&bytes, &Budget::new(&Limits { memory: 64 << 20 }), &notes)?;
    let picture = read_all(&mut *reader)?;
    Ok((picture, notes.warnings()))
}

#[test]
fn every_file_that_must_be_refused_is_and_no_file_takes_a_second() {
    testkit::corpus::refuse("gif", read);
}
