//! The shared corpus (files of BMP Suite, Pillow, image-rs, Go and others), compared with independent decoders.

use std::time::Duration;

use raster::{Budget, ByteSource, ImageInfo, Limits, Notes, Result};
use testkit::corpus::{Exceptions, Row, agree, agree_when_split, rows};
use testkit::witness::{Seen, furthest, premultiplied};
use testkit::{Picture, read_all};
use testkit::{cpu, memory};

use crate::oracle;

fn decode_from(source: &dyn ByteSource) -> Result<(ImageInfo, Picture)> {
    let mut reader = codec_bmp::open(source, &Budget::new(&Limits::default()), &Notes::default())?;
    let picture = read_all(&mut *reader)?;
    Ok((reader.info().clone(), picture))
}

fn decode(bytes: &[u8]) -> Result<(ImageInfo, Picture)> {
    decode_from(&bytes)
}

fn difference(picture: &Picture, seen: &Seen, distance: impl Fn([u8; 4], [u8; 4]) -> u8) -> Option<u8> {
    Seen::of(picture).difference(seen, distance)
}

/// Returns the files of the corpus that every good decoder reads.
fn sound() -> Option<Vec<Row>> {
    Some(rows("bmp")?.into_iter().filter(|row| row.must && !row.reject).collect())
}

/// Asserts that every valid file has the same pixels, except for the exceptions.
fn compare(exceptions: Exceptions, difference: impl Fn(&Row, &Picture) -> Option<u8>) {
    agree("bmp", exceptions, |row| {
        let (_, picture) = decode(&row.bytes()).unwrap_or_else(|e| panic!("{}: {e}", row.name));
        match difference(row, &picture) {
            Some(0) => Ok(()),
            difference => Err(format!("differs by {difference:?}")),
        }
    });
}

#[test]
fn valid_files_decode_and_broken_ones_are_refused_at_once() {
    let Some(rows) = rows("bmp") else { return };
    for row in rows {
        let bytes = row.bytes();
        let name = &row.name;
        let decoded = cpu::within(Duration::from_secs(1), name, || decode(&bytes));
        match (&decoded, row.must) {
            (Ok((info, _)), true) => {
                assert!(!row.reject, "{name} should be refused");
                assert_eq!(Some((info.size.width, info.size.height)), row.size, "{name}");
                assert_eq!(Some(info.stored.depth), row.bit_depth, "{name}");
            }
            (Err(error), true) => assert!(row.reject, "{name}: {error}"),
            (decoded, false) => println!("{name}: {:?}", decoded.as_ref().map(|(info, _)| info.size)),
        }
    }
}

#[test]
fn any_split_of_the_reads_gives_the_same_pixels() {
    agree_when_split("bmp", decode_from);
}

#[test]
fn netpbm_reads_the_same_pixels() {
    const REFUSES: &str = "refuses the file";
    const PADDING: &str = "requires every row of the code to be complete";
    const MASKS: &str = "reads masks other than 5-5-5 and 8-8-8 wrongly";
    const SCALE: &str = "rounds five bits down";
    const EXCEPTIONS: Exceptions = &[
        ("b-badplanes.bmp", REFUSES),
        ("b-rletopdown.bmp", REFUSES),
        ("q-pal8os2sp.bmp", REFUSES),
        ("q-pal8os2v2-16.bmp", REFUSES),
        ("q-pal8os2v2.bmp", REFUSES),
        ("q-pal8oversizepal.bmp", REFUSES),
        ("q-rgba32abf.bmp", REFUSES),
        ("q-pal4rletrns.bmp", PADDING),
        ("q-pal8rletrns.bmp", PADDING),
        ("imagemagick_invalid_run_length_issue_2321.bmp", PADDING),
        ("pal4rlecut.bmp", PADDING),
        ("rle_overflow.bmp", PADDING),
        ("hopper_rle8_row_overflow.bmp", PADDING),
        ("g-rgb16-565.bmp", MASKS),
        ("g-rgb16-565pal.bmp", MASKS),
        ("g-rgb32bf.bmp", MASKS),
        ("q-rgb16-231.bmp", MASKS),
        ("q-rgb32-111110.bmp", MASKS),
        ("q-rgb32bf-xbgr.bmp", MASKS),
        ("q-rgb32h52.bmp", MASKS),
        ("q-rgba32.bmp", MASKS),
        ("q-rgba32h56.bmp", MASKS),
        ("V3_A4_R4_G4_B4.bmp", MASKS),
        ("V3_A4_R4_G4_B4_Top_Down.bmp", MASKS),
        ("V3_R5_G6_B5.bmp", MASKS),
        ("V3_R5_G6_B5_Top_Down.bmp", MASKS),
        ("V3_X4_R4_G4_B4.bmp", MASKS),
        ("V3_X4_R4_G4_B4_Top_Down.bmp", MASKS),
        ("V3_X8_R8_G8_B8.bmp", MASKS),
        ("V3_X8_R8_G8_B8_Top_Down.bmp", MASKS),
        ("rgb16-880.bmp", MASKS),
        ("rgba32-61754.bmp", MASKS),
        ("rgb32bf-abgr.bmp", MASKS),
        ("rgb32bf-rgba.bmp", MASKS),
        ("g-rgb16.bmp", SCALE),
        ("V4_R5_G6_B5.bmp", SCALE),
        ("V5_A1_R5_G5_B5.bmp", SCALE),
        ("rgba16-1924.bmp", SCALE),
    ];
    let Some(netpbm) = oracle::netpbm() else { return };
    let color = |[r, g, b, _]: [u8; 4], theirs| furthest([r, g, b, 255], theirs);
    compare(EXCEPTIONS, |row, picture| difference(picture, &netpbm(&row.path)?, color));
}

/// Measured with ImageMagick 6.9.11.
#[test]
fn imagemagick_reads_the_same_pixels() {
    const REFUSES: &str = "refuses the file";
    const BITS: &str = "fills short channels by repeating their bits: a level off the nearest in places";
    const HOLES: &str = "gives pixels that the code skips the first colour of the palette";
    const FILLER: &str = "takes the fourth byte of a header without masks for alpha";
    const ALPHA: &str = "ignores the alpha mask of plain RGB";
    const MASKS: &str = "reads odd masks wrongly; Chromium equals the picture that comes with BMP Suite";
    const EXCEPTIONS: Exceptions = &[
        ("b-badfilesize.bmp", REFUSES),
        ("b-badplanes.bmp", REFUSES),
        ("q-pal2.bmp", REFUSES),
        ("pal2color.bmp", REFUSES),
        ("q-pal8oversizepal.bmp", REFUSES),
        ("q-rgba32abf.bmp", REFUSES),
        ("q-pal8os2v2.bmp", "reads the palette of this header wrongly"),
        ("g-rgb16-565.bmp", BITS),
        ("g-rgb16-565pal.bmp", BITS),
        ("g-rgb16.bmp", BITS),
        ("q-rgb32-111110.bmp", BITS),
        ("V4_R5_G6_B5.bmp", BITS),
        ("q-pal4rletrns.bmp", HOLES),
        ("q-pal8rletrns.bmp", HOLES),
        ("pal4rlecut.bmp", HOLES),
        ("rle_overflow.bmp", HOLES),
        ("q-rgb32fakealpha.bmp", FILLER),
        ("Images_32bit.bmp", FILLER),
        ("yellow_rose-small.bmp", FILLER),
        ("V5_A8_R8_G8_B8_Rgb.bmp", ALPHA),
        ("V5_A8_R8_G8_B8_Rgb_BadMask.bmp", ALPHA),
        ("q-rgb16-231.bmp", MASKS),
        ("q-rgba16-4444.bmp", MASKS),
        ("V3_X4_R4_G4_B4.bmp", MASKS),
        ("V3_X4_R4_G4_B4_Top_Down.bmp", MASKS),
        ("V5_A1_R5_G5_B5.bmp", MASKS),
        ("rgba16-1924.bmp", MASKS),
        ("rgba32-61754.bmp", MASKS),
    ];
    let Some(imagemagick) = oracle::imagemagick() else { return };
    compare(EXCEPTIONS, |row, picture| difference(picture, &imagemagick(&row.path, row.size?)?, premultiplied));
}

/// Chromium decides where the others differ. Measured with Chromium 156.
#[test]
fn chromium_shows_the_same_pixels() {
    const LONG: &str = "drops the lower bits of channels of more than eight, which are rounded here";
    const EXCEPTIONS: Exceptions = &[
        ("rgb24prof2.bmp", "applies the colour profile, which swaps red and green"),
        ("q-rgb32-111110.bmp", LONG),
        ("rgba32-61754.bmp", LONG),
    ];
    let Some(rows) = sound() else { return };
    let Some(seen) = oracle::chromium("sound", &rows) else { return };
    // A canvas stores premultiplied samples and returns them divided: a level is lost when alpha is not full.
    let canvas = |ours: [u8; 4], theirs| premultiplied(ours, theirs).saturating_sub(u8::from(ours[3] != 255));
    compare(EXCEPTIONS, |row, picture| difference(picture, seen.get(&row.name)?, canvas));
}

/// Files that decoders read differently. Our pixels equal Chromium's, as far as Chromium reads them; files that
/// Chromium does not show, or only as an empty sheet, are refused.
#[test]
fn disputed_files_are_shown_as_chromium_shows_them() {
    const PALETTE: &str = "mmap_error.bmp"; // Chromium reads it as rows
    let Some(rows) = rows("bmp") else { return };
    let rows: Vec<Row> = rows.into_iter().filter(|row| !row.must).collect();
    let Some(seen) = oracle::chromium("disputed", &rows) else { return };
    // Missing rows are transparent there, black here.
    let shown = |ours, theirs: [u8; 4]| if theirs[3] == 0 { 0 } else { premultiplied(ours, theirs) };
    for row in &rows {
        match (decode(&row.bytes()), seen.get(&row.name)) {
            (Ok((_, picture)), Some(theirs)) => {
                let same = difference(&picture, theirs, shown) == Some(0);
                assert_eq!(same, !row.name.ends_with(PALETTE), "{}", row.name);
            }
            (Err(error), theirs) => {
                let empty = theirs.is_none_or(|theirs| theirs.rgba.iter().all(|&pixel| pixel == [0; 4]));
                assert!(empty, "{}: {error}", row.name);
            }
            (Ok(_), None) => panic!("{} is shown by us alone", row.name),
        }
    }
}

#[test]
fn the_budget_counts_what_is_really_allocated() {
    memory::corpus_is_counted("bmp", &Limits { memory: 64 << 20 }, codec_bmp::open);
}
