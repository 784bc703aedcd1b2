//! The integration tests, with the corpus.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a failed call fails the test; skipped parts are printed"
)]

mod rewrite;

use isobmff::{Container, Plays};
use raster::{Budget, ByteSource, Format, Limits, Notes, Result, Size};
use testkit::corpus::{Row, rows};
use testkit::memory;

const LIMITS: Limits = Limits { memory: 64 << 20 };

/// Reads everything that the container tells; returns the upright size of the picture or of the animation.
fn describe(source: &dyn ByteSource, budget: &Budget) -> Result<Size> {
    let container = Container::read(source, Format::Avif, budget)?;
    if let Some((track, alpha)) = container.sequence(*b"avis", *b"av01") {
        for track in [Some(track), alpha].into_iter().flatten() {
            for sample in &track.samples {
                container.join(source, &[sample.data], &budget.scope())?;
            }
        }
        return Ok(track.size.expect("a track states its size"));
    }
    let item = container.primary()?;
    let alpha = container.alpha(item.id);
    for item in [Some(item), alpha].into_iter().flatten() {
        let tiles = match &item.kind {
            b"grid" => container.tile_grid(source, item, &budget.scope())?.tiles,
            _ => vec![item.id],
        };
        for id in tiles {
            let tile = container.item(id).expect("a tile exists");
            assert!(container.configuration(tile).is_some());
            container.bytes(source, tile, &budget.scope())?;
        }
    }
    container.metadata(source, item.id, budget, &Notes::default())?;
    let geometry = container.geometry(item, container.size(item).unwrap_or(Size::new(1, 1)));
    Ok(geometry.orientation.turn(Size::new(geometry.shown.width, geometry.shown.height)))
}

fn all_rows() -> Option<Vec<Row>> {
    Some(rows("avif")?.into_iter().chain(rows("heic")?).collect())
}

#[test]
fn the_corpus_has_the_sizes_of_its_table() {
    let Some(rows) = all_rows() else { return };
    for row in rows {
        let outcome = describe(&row.bytes(), &Budget::new(&LIMITS));
        match outcome {
            Ok(size) if row.must => assert_eq!(Some((size.width, size.height)), row.size, "{}", row.name),
            Err(error) if row.must => panic!("{}: {error}", row.name),
            Ok(_) | Err(_) => {}
        }
    }
}

#[test]
fn animations_have_their_frames_and_times() {
    let Some(rows) = rows("avif") else { return };
    let mut plays = Vec::new();
    for row in rows {
        let bytes = row.bytes();
        let container = Container::read(&bytes, Format::Avif, &Budget::new(&LIMITS)).unwrap();
        let Some((track, alpha)) = container.sequence(*b"avis", *b"av01") else { continue };
        assert_eq!(Some(track.samples.len() as u32), row.frames, "{}", row.name);
        assert!(track.timescale > 0 && track.samples.iter().all(|sample| sample.duration > 0), "{}", row.name);
        assert_eq!(alpha.is_some(), row.color.ends_with("alpha"), "{}", row.name);
        plays.push((row.name.rsplit('/').next().unwrap_or_default().to_owned(), track.plays));
    }
    plays.sort_by(|a, b| a.0.cmp(&b.0));
    let wanted = [
        ("colors-animated-8bpc-alpha-exif-xmp.avif", Plays::Forever),
        ("colors-animated-8bpc-audio.avif", Plays::Times(1)),
        ("colors-animated-8bpc.avif", Plays::Times(1)),
        ("poc_b_506387278.avif", Plays::Unknown),
        ("star.avifs", Plays::Unknown),
    ];
    assert_eq!(plays.iter().map(|(name, plays)| (&**name, *plays)).collect::<Vec<_>>(), wanted);
}

#[test]
fn damaged_boxes_end_with_an_error_or_a_size_and_never_hold_more_than_they_pay() {
    let Some(rows) = all_rows() else { return };
    for row in rows {
        // The boxes are at the front, except in files of sequences.
        let bytes = row.bytes();
        let last = bytes.len().min(2500);
        for at in 0..last {
            let mut damaged = bytes.clone();
            damaged[at] = [0, 1, 0x7F, 0x80, 0xFF][at % 5];
            damaged.truncate(if at % 3 == 0 { bytes.len() - at % 64 } else { bytes.len() });
            let _ = memory::counted(&row.name, &LIMITS, |budget| {
                Container::read(&damaged, Format::Avif, budget).map(|_| ())
            });
        }
        for len in 0..last {
            let _ = Container::read(&bytes[..len].to_vec(), Format::Avif, &Budget::new(&LIMITS));
        }
    }
}

/// Returns a box.
fn boxed(kind: &[u8; 4], contents: &[u8]) -> Vec<u8> {
    [&(contents.len() as u32 + 8).to_be_bytes()[..], kind, contents].concat()
}

/// A table: its version, and numbers.
fn table(kind: &[u8; 4], numbers: &[u32]) -> Vec<u8> {
    boxed(kind, &[&[0; 4][..], &numbers.iter().flat_map(|number| number.to_be_bytes()).collect::<Vec<_>>()].concat())
}

#[test]
fn samples_that_few_bytes_state_are_charged_before_they_are_listed() {
    // One chunk of 65,537 samples of one byte, in each of 16 tracks.
    let tables = [table(b"stsz", &[1, 90_000]), table(b"stco", &[1, 0]), table(b"stsc", &[1, 1, 65_537, 1])].concat();
    let file = [boxed(b"ftyp", b"avis"), boxed(b"moov", &boxed(b"trak", &tables).repeat(16))].concat();
    let read = |limits| memory::counted("samples", &limits, |budget| describe(&file, budget).map_err(|e| e.code()));
    assert_eq!(read(LIMITS), Err("malformed"));
    assert_eq!(read(Limits { memory: 4 << 20 }), Err("memory"));
}
