//! The shared corpus: Pillow's, image-rs' and others' icons and cursors, against what independent decoders make of them.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test stops at the first surprise")]

mod oracle;

use std::path::Path;
use std::time::{Duration, Instant};

use oracle::Seen;
use raster::{Budget, ByteSource, Channels, ImageInfo, Limits, Result};
use testkit::corpus::{Row, rows};
use testkit::{Picture, SplitSource, read_all};

/// What a hostile file may cost at most.
const HOSTILE: Limits = Limits { memory: 16 << 20 };

fn decode_from(source: &dyn ByteSource) -> Result<(ImageInfo, Vec<Picture>)> {
    let mut reader = codec_ico::open(source, &Budget::new(&HOSTILE))?;
    let frames = reader.info().frames;
    let pictures = (0..frames).map(|_| read_all(&mut *reader)).collect::<Result<_>>()?;
    assert!(reader.next_frame()?.is_none());
    Ok((reader.info().clone(), pictures))
}

fn decode(bytes: &[u8]) -> Result<(ImageInfo, Vec<Picture>)> {
    decode_from(&bytes)
}

fn rgba(picture: &Picture) -> Vec<[u8; 4]> {
    let pixel = |p: &[u8]| match picture.pixels.channels {
        Channels::Gray => [p[0], p[0], p[0], 255],
        Channels::GrayAlpha => [p[0], p[0], p[0], p[1]],
        Channels::Rgb => [p[0], p[1], p[2], 255],
        _ => [p[0], p[1], p[2], p[3]],
    };
    picture.rows.chunks_exact(picture.pixels.bytes()).map(pixel).collect()
}

/// Levels between two pixels once colour is multiplied by alpha: what shows through nothing does not count.
fn premultiplied(ours: [u8; 4], theirs: [u8; 4]) -> u8 {
    let times = |v: u8, a: u8| ((u32::from(v) * u32::from(a) * 2 + 255) / 510) as u8;
    let all = |[r, g, b, a]: [u8; 4]| [times(r, a), times(g, a), times(b, a), a];
    let (ours, theirs) = (all(ours), all(theirs));
    (0..4).map(|i| ours[i].abs_diff(theirs[i])).max().unwrap()
}

fn is_same(picture: &Picture, seen: &Seen) -> bool {
    seen.size == (picture.size.width, picture.size.height)
        && rgba(picture).into_iter().zip(&seen.rgba).all(|(ours, &theirs)| premultiplied(ours, theirs) == 0)
}

#[test]
fn sound_files_decode_and_broken_ones_are_refused_at_once() {
    let Some(rows) = rows("ico") else { return };
    let mut checked = 0;
    for row in rows {
        let (bytes, start) = (row.bytes(), Instant::now());
        let decoded = decode(&bytes);
        let name = &row.name;
        assert!(start.elapsed() < Duration::from_secs(1), "{name} took {:?}", start.elapsed());
        match (&decoded, row.must) {
            (Ok((info, pictures)), true) => {
                assert!(!row.reject, "{name} should be refused");
                assert_eq!(Some((info.size.width, info.size.height)), row.size, "{name}");
                assert_eq!(Some(info.frames), row.frames, "{name}");
                // The table counts the bits of a pixel, which is what bitmaps store.
                let bits = [info.stored.depth, info.stored.depth * info.stored.channels];
                assert!(row.bit_depth.is_none_or(|depth| bits.contains(&depth)), "{name}: {:?}", info.stored);
                assert!(pictures.iter().is_sorted_by_key(|picture| core::cmp::Reverse(picture.size.area())), "{name}");
                assert!(info.warnings.is_empty(), "{name}: {:?}", info.warnings);
                checked += 1;
            }
            (Err(error), true) => assert!(row.reject, "{name}: {error}"),
            (Ok((info, _)), false) => println!("{name}: {} of {}, {:?}", info.frames, info.size, info.warnings),
            (Err(error), false) => println!("{name}: {error}"),
        }
    }
    println!("{checked} files have the size and the frames of the table");
}

#[test]
fn any_split_of_the_reads_gives_the_same_pixels() {
    let Some(rows) = rows("ico") else { return };
    for (seed, row) in (0..).zip(rows) {
        let bytes = row.bytes();
        match (decode(&bytes), decode_from(&SplitSource::new(&bytes, seed))) {
            (Ok((_, whole)), Ok((_, split))) => assert_eq!(whole, split, "{}", row.name),
            (whole, split) => assert_eq!(whole.err().map(|e| e.code()), split.err().map(|e| e.code()), "{}", row.name),
        }
    }
}

/// Files by the end of their names, and what the other decoder does with them.
type Exceptions = &'static [(&'static str, &'static str)];

/// Every frame of every sound file is one of those that the other decoder sees, but for the exceptions, and those have
/// one that is not: a list that nobody prunes hides mistakes.
fn compare(exceptions: Exceptions, see: impl Fn(&Path) -> Option<Vec<Seen>>) {
    let Some(rows) = rows("ico") else { return };
    let mut wrong = Vec::new();
    for row in rows.iter().filter(|row| row.must && !row.reject) {
        let excepted = exceptions.iter().any(|(name, _)| row.name.ends_with(name));
        let same = see(&row.path).is_some_and(|seen| every_frame_is_seen(row, seen));
        if same == excepted {
            wrong.push(format!("{}: excepted {excepted}, the same {same}", row.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn every_frame_is_seen(row: &Row, mut seen: Vec<Seen>) -> bool {
    let (_, pictures) = decode(&row.bytes()).unwrap_or_else(|e| panic!("{}: {e}", row.name));
    let found = |picture: &Picture| {
        let place = seen.iter().position(|seen| is_same(picture, seen));
        place.map(|place| seen.swap_remove(place)).is_some()
    };
    pictures.iter().all(found)
}

/// Measured with ImageMagick 6.9.11.
#[test]
fn imagemagick_sees_the_same_pixels() {
    const EXCEPTIONS: Exceptions = &[];
    let Some(imagemagick) = oracle::imagemagick() else { return };
    compare(EXCEPTIONS, imagemagick);
}

#[test]
fn icotool_sees_the_same_pixels() {
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
