//! The shared corpus, compared with its table and with libwebp, called through ImageMagick.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use raster::{Budget, ByteSource, ImageInfo, Limits, Notes, Result, Wanted};
use testkit::corpus::{Exceptions, agree, agree_when_split, rows};
use testkit::witness::{self, Seen, premultiplied};
use testkit::{Picture, read_all};
use testkit::{cpu, memory};

/// The memory limit of each file.
const LIMITS: Limits = Limits { memory: 64 << 20 };

fn decode(source: &dyn ByteSource) -> Result<(ImageInfo, Vec<Picture>)> {
    decode_with(source, &Notes::default())
}

fn decode_with(source: &dyn ByteSource, notes: &Notes) -> Result<(ImageInfo, Vec<Picture>)> {
    let mut reader = codec_webp::open(source, &Budget::new(&LIMITS), notes)?;
    let frames = reader.info().frames;
    let pictures = (0..frames).map(|_| read_all(&mut *reader)).collect::<Result<_>>()?;
    assert!(reader.next_frame(&Wanted::FULL_SIZE)?.is_none());
    Ok((reader.info().clone(), pictures))
}

#[test]
fn valid_files_decode_and_broken_files_are_refused_within_a_second() {
    let Some(rows) = rows("webp") else { return };
    let mut checked = 0;
    for row in rows {
        let bytes = row.bytes();
        let name = &row.name;
        let notes = Notes::default();
        let decoded = cpu::within(Duration::from_secs(1), name, || decode_with(&bytes, &notes));
        let warnings = notes.warnings();
        match (&decoded, row.must) {
            (Ok((info, _)), true) => {
                assert!(!row.reject, "{name} should be refused");
                assert_eq!(Some((info.size.width, info.size.height)), row.size, "{name}");
                assert_eq!(Some(info.frames), row.frames, "{name}");
                assert_eq!(info.orientation.exif(), row.orientation.unwrap_or(1), "{name}");
                assert!(warnings.is_empty(), "{name}: {warnings:?}");
                checked += 1;
            }
            (Err(error), true) => assert!(row.reject, "{name}: {error}"),
            (Ok((info, _)), false) => println!("{name}: {} of {}, {warnings:?}", info.frames, info.size),
            (Err(error), false) => println!("{name}: {error}"),
        }
    }
    println!("{checked} files have the size, the frames and the orientation of the table");
}

#[test]
fn reads_split_at_any_offset_give_the_same_pixels() {
    agree_when_split("webp", decode);
}

#[test]
fn prefixes_of_files_end_with_an_image_or_an_error() {
    let Some(rows) = rows("webp") else { return };
    for row in rows.iter().filter(|row| row.must && !row.reject) {
        let bytes = row.bytes();
        for eighth in 0..8 {
            let prefix = bytes[..bytes.len() * eighth / 8].to_vec();
            drop(cpu::within(Duration::from_secs(1), &row.name, || decode(&prefix)));
        }
    }
}

/// Returns the frames of a file as ImageMagick reads them.
fn imagemagick(convert: &str, path: &Path) -> Option<Vec<Seen>> {
    let output = Command::new(convert).arg(path).args(["-coalesce", "-depth", "8", "pam:-"]).output().unwrap();
    if output.status.success() { witness::pams(&output.stdout) } else { None }
}

/// Measured with ImageMagick 6.9.11 and libwebp 1.2.4.
#[test]
fn libwebp_reads_the_same_pixels() {
    const EXCEPTIONS: Exceptions = &[];
    let Some(convert) = witness::imagemagick() else { return };
    agree("webp", EXCEPTIONS, |row| {
        let seen = imagemagick(convert, &row.path).ok_or("refused")?;
        let (_, pictures) = decode(&row.bytes()).map_err(|error| error.to_string())?;
        if seen.len() != pictures.len() {
            return Err(format!("{} frames", seen.len()));
        }
        let difference = |(ours, seen): (&Picture, &Seen)| Seen::of(ours).difference(seen, premultiplied);
        match pictures.iter().zip(&seen).map(difference).enumerate().find(|(_, difference)| *difference != Some(0)) {
            None => Ok(()),
            Some((frame, difference)) => Err(format!("frame {frame} differs by {difference:?}")),
        }
    });
}

#[test]
fn the_budget_counts_what_is_really_allocated() {
    memory::corpus_is_counted("webp", &LIMITS, codec_webp::open);
}
