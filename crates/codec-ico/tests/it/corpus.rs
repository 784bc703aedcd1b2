//! The shared corpus (icons and cursors of Pillow, image-rs and others), compared with independent decoders.

use std::path::Path;
use std::time::Duration;

use raster::{Budget, ByteSource, ImageInfo, Limits, Notes, Result, Wanted};
use testkit::corpus::{Exceptions, Row, agree, agree_when_split, rows};
use testkit::witness::{Seen, premultiplied};
use testkit::{Picture, read_all};
use testkit::{cpu, memory};

use crate::oracle;

/// The limits for a hostile file.
const HOSTILE: Limits = Limits { memory: 16 << 20 };

fn decode_from(source: &dyn ByteSource) -> Result<(ImageInfo, Vec<Picture>)> {
    decode_with(source, &Notes::default())
}

fn decode_with(source: &dyn ByteSource, notes: &Notes) -> Result<(ImageInfo, Vec<Picture>)> {
    let mut reader = codec_ico::open(source, &Budget::new(&HOSTILE), notes)?;
    let frames = reader.info().frames;
    let pictures = (0..frames).map(|_| read_all(&mut *reader)).collect::<Result<_>>()?;
    assert!(reader.next_frame(&Wanted::FULL_SIZE)?.is_none());
    Ok((reader.info().clone(), pictures))
}

fn decode(bytes: &[u8]) -> Result<(ImageInfo, Vec<Picture>)> {
    decode_from(&bytes)
}

#[test]
fn valid_files_decode_and_broken_ones_are_refused_at_once() {
    let Some(rows) = rows("ico") else { return };
    let mut checked = 0;
    for row in rows {
        let bytes = row.bytes();
        let name = &row.name;
        let notes = Notes::default();
        let decoded = cpu::within(Duration::from_secs(1), name, || decode_with(&bytes, &notes));
        let warnings = notes.warnings();
        match (&decoded, row.must) {
            (Ok((info, pictures)), true) => {
                assert!(!row.reject, "{name} should be refused");
                assert_eq!(Some((info.size.width, info.size.height)), row.size, "{name}");
                assert_eq!(Some(info.frames), row.frames, "{name}");
                // The table states the bits of a pixel, which bitmaps store.
                let bits = [info.stored.depth, info.stored.depth * info.stored.channels];
                assert!(row.bit_depth.is_none_or(|depth| bits.contains(&depth)), "{name}: {:?}", info.stored);
                assert!(pictures.iter().is_sorted_by_key(|picture| core::cmp::Reverse(picture.size.area())), "{name}");
                assert!(warnings.is_empty(), "{name}: {warnings:?}");
                checked += 1;
            }
            (Err(error), true) => assert!(row.reject, "{name}: {error}"),
            (Ok((info, _)), false) => println!("{name}: {} of {}, {warnings:?}", info.frames, info.size),
            (Err(error), false) => println!("{name}: {error}"),
        }
    }
    println!("{checked} files have the size and the frames of the table");
}

#[test]
fn any_split_of_the_reads_gives_the_same_pixels() {
    agree_when_split("ico", decode_from);
}

/// Asserts that every frame of every valid file is one of the other decoder's, except for the exceptions.
fn compare(exceptions: Exceptions, see: impl Fn(&Path) -> Option<Vec<Seen>>) {
    agree("ico", exceptions, |row| {
        let seen = see(&row.path).ok_or("refused")?;
        if every_frame_is_seen(row, seen) { Ok(()) } else { Err("other pixels".into()) }
    });
}

fn every_frame_is_seen(row: &Row, mut seen: Vec<Seen>) -> bool {
    let (_, pictures) = decode(&row.bytes()).unwrap_or_else(|e| panic!("{}: {e}", row.name));
    let found = |picture: &Picture| {
        let place = seen.iter().position(|seen| Seen::of(picture).difference(seen, premultiplied) == Some(0));
        place.map(|place| seen.swap_remove(place)).is_some()
    };
    pictures.iter().all(found)
}

/// Measured with ImageMagick 6.9.11.
#[test]
fn imagemagick_reads_the_same_pixels() {
    const EXCEPTIONS: Exceptions = &[];
    let Some(imagemagick) = oracle::imagemagick() else { return };
    compare(EXCEPTIONS, imagemagick);
}

#[test]
fn icotool_reads_the_same_pixels() {
    const LENGTH: &str = "refuses an entry whose length or mask is not as long as it calculates";
    const EXCEPTIONS: Exceptions = &[
        ("truncated_mask_32bpp.ico", LENGTH),
        ("hopper_mask.ico", LENGTH),
        ("mask_1.cur", LENGTH),
        ("mask_L.cur", LENGTH),
        ("pillow.ico", LENGTH),
        ("wiki.ico", LENGTH),
    ];
    let Some(icotool) = oracle::icotool() else { return };
    compare(EXCEPTIONS, icotool);
}

#[test]
fn the_budget_counts_what_is_really_allocated() {
    memory::corpus_is_counted("ico", &HOSTILE, codec_ico::open);
}
