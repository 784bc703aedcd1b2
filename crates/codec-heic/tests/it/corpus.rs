//! The shared corpus.

use std::time::Duration;

use raster::{Budget, ByteSource, ImageInfo, Limits, Notes, Result, Wanted};
use testkit::corpus::{agree_when_split, rows};
use testkit::{Picture, cpu, memory, read_all};

/// The memory limit of each file.
pub(crate) const LIMITS: Limits = Limits { memory: 256 << 20 };

pub(crate) fn decode(source: &dyn ByteSource) -> Result<(ImageInfo, Vec<Picture>)> {
    let mut reader = codec_heic::open(source, &Budget::new(&LIMITS), &Notes::default())?;
    let frames = reader.info().frames;
    let pictures = (0..frames).map(|_| read_all(&mut *reader)).collect::<Result<_>>()?;
    assert!(reader.next_frame(&Wanted::FULL_SIZE)?.is_none());
    Ok((reader.info().clone(), pictures))
}

#[test]
fn valid_files_decode() {
    let Some(rows) = rows("heic") else { return };
    for row in rows.iter().filter(|row| !row.reject) {
        let (info, _) = decode(&row.bytes()).unwrap_or_else(|error| panic!("{}: {error}", row.name));
        let upright = info.orientation.turn(info.size);
        assert_eq!(Some((upright.width, upright.height)), row.size, "{}", row.name);
        assert_eq!(Some(info.frames), row.frames, "{}", row.name);
    }
}

#[test]
fn reads_split_at_any_offset_give_the_same_pixels() {
    agree_when_split("heic", decode);
}

#[test]
fn damaged_files_end_with_an_image_or_an_error() {
    let Some(rows) = rows("heic") else { return };
    for row in &rows {
        let bytes = row.bytes();
        for step in 0..40 {
            let mut damaged = bytes.clone();
            match step % 2 {
                0 => damaged.truncate(bytes.len() * step / 40),
                _ => damaged[bytes.len() * step / 40] ^= 0x55,
            }
            let outcome = cpu::within(Duration::from_secs(2), &row.name, || decode(&damaged));
            let code = outcome.err().map(|error| error.code());
            assert!(!matches!(code, Some("contradiction")), "{}: {code:?}", row.name);
        }
    }
}

#[test]
fn the_budget_counts_what_is_really_allocated() {
    memory::corpus_is_counted("heic", &LIMITS, codec_heic::open);
}
