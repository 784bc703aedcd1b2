//! Every PNG of the shared corpus: valid files have libpng's pixels, invalid ones are refused, and no file causes a
//! panic or takes long.

use codec_png::open;
use raster::{Budget, Limits, Notes, Result, Warning};
use testkit::corpus::Row;
use testkit::{Picture, Wide, memory, read_all};

use crate::oracle;

/// The limits for a hostile file.
const HOSTILE: Limits = Limits { memory: 64 << 20 };

fn read(bytes: &[u8]) -> Result<(Picture, Vec<Warning>)> {
    let source = bytes;
    let notes = Notes::default();
    let mut reader = open(&source, &Budget::new(&HOSTILE), &notes)?;
    let picture = read_all(&mut *reader)?;
    Ok((picture, notes.warnings()))
}

#[test]
fn every_valid_file_has_the_pixels_of_libpng() {
    let Some(rows) = testkit::corpus::rows("png") else { return };
    let with_oracle = oracle::is_there();
    let mut failures = Vec::new();
    for row in rows.iter().filter(|row| row.must && !row.reject) {
        if let Err(why) = check(row, with_oracle) {
            failures.push(format!("{}: {why}", row.name));
        }
    }
    assert!(failures.is_empty(), "{} files:\n{}", failures.len(), failures.join("\n"));
}

fn check(row: &Row, with_oracle: bool) -> std::result::Result<(), String> {
    let bytes = row.bytes();
    let source = bytes.as_slice();
    let reader = open(&source, &Budget::new(&HOSTILE), &Notes::default()).map_err(|e| e.to_string())?;
    let info = reader.info();
    let size = Some((info.size.width, info.size.height));
    if size != row.size || Some(info.stored.depth) != row.bit_depth {
        return Err(format!(
            "{} of {} bits, expected {:?} of {:?}",
            info.size, info.stored.depth, row.size, row.bit_depth
        ));
    }
    let colors: &[u8] = match row.color.as_str() {
        "gray" => &[1, 2],
        "gray+alpha" => &[2],
        "palette" | "rgb" => &[3, 4],
        _ => &[4],
    };
    if !colors.contains(&info.stored.channels) {
        return Err(format!("{} channels of {}", info.stored.channels, row.color));
    }
    let (ours, warnings) = read(&bytes).map_err(|e| e.to_string())?;
    if warnings.iter().any(|warning| matches!(warning, Warning::Truncated { .. })) {
        return Err("truncated".into());
    }
    let ours = Wide::of(&ours);
    if oracle::animation_leaves_out_the_default_image(&bytes) {
        return Ok(()); // The animation's first frame is another picture; tests/animation.rs compares all of them.
    }
    // Depth 1 and the key 0x00FF: §11.3.1.1 requires decoders to mask it to 1. The crate does not; Chromium,
    // ImageMagick and Pillow do.
    if row.name != "png/pillow/1_trns.png" {
        compare(&ours, &oracle::read_with_png_crate(&bytes)?, "the png crate")?;
    }
    if !with_oracle {
        return Ok(());
    }
    let theirs = oracle::read(&bytes)?;
    if NETPBM_MISREADS_ALPHA.contains(&row.name.as_str()) {
        return compare(&ours.opaque(), &theirs.opaque(), "libpng");
    }
    compare(&ours, &theirs, "libpng")
}

/// netpbm 11.1 converts a transparent colour to alpha itself, with errors when its search for a free colour fails: it
/// shows these as opaque, or black as transparent. Chromium, libvips, pngjs and the `png` crate follow the standard.
const NETPBM_MISREADS_ALPHA: [&str; 6] = [
    "png/pillow/1_trns.png",
    "png/pillow/rgb_trns.png",
    "png/pngsuite/tbbn2c16.png",
    "png/pngsuite/tbgn2c16.png",
    "png/pngsuite/tbrn2c08.png",
    "png/wuffs/animated-red-blue.apng",
];

fn compare(ours: &Wide, theirs: &Wide, who: &str) -> std::result::Result<(), String> {
    if ours.size != theirs.size {
        return Err(format!("{}, {who} reads {}", ours.size, theirs.size));
    }
    match ours.first_difference(theirs) {
        Some((at, our, their)) => Err(format!("pixel {at} is {our:?}, {who} reads {their:?}")),
        None => Ok(()),
    }
}

#[test]
fn every_invalid_file_is_refused_within_a_second() {
    testkit::corpus::refuse("png", read);
}

#[test]
fn a_wrong_checksum_behind_the_last_row_is_a_warning() {
    let Some(rows) = testkit::corpus::rows("png") else { return };
    for name in ["png/pngsuite/xcsn0g01.png", "png/image-png/x_interlaced_chck.png"] {
        let row = rows.iter().find(|row| row.name == name).expect("a row of the table");
        assert_eq!(read(&row.bytes()).expect("all rows").1, [Warning::Skipped("checksum")], "{name}");
    }
}

#[test]
fn frames_orientations_and_profiles_match_the_table() {
    let Some(rows) = testkit::corpus::rows("png") else { return };
    let opened = |name: &str| {
        let notes = Notes::default();
        let row = rows.iter().find(|row| row.name == name).expect("a row of the table");
        let bytes = row.bytes();
        let reader = open(&bytes, &Budget::new(&HOSTILE), &notes).expect("a readable file");
        (reader.info().clone(), notes.warnings())
    };
    let info = |name| opened(name).0;
    assert_eq!(info("png/image-png/F-exif-chunk-early.png").orientation.exif(), 6);
    assert_eq!(info("png/pillow/icc_profile.png").metadata.icc.clone().expect("a profile")[36..40], *b"acsp");
    assert!(opened("png/pillow/unknown_compression_method.png").1.contains(&Warning::BrokenProfile));
    let (animated, warnings) = opened("png/image-rs/rgba16.png");
    assert_eq!((animated.frames, warnings), (3, vec![]));
    assert_eq!(info("png/pillow-apng/syntax_num_frames_invalid.png").frames, 1);
}

#[test]
fn the_budget_counts_what_is_really_allocated() {
    memory::corpus_is_counted("png", &HOSTILE, open);
}
