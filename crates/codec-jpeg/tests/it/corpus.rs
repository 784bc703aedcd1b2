//! Every JPEG of the shared corpus: valid files give the pixels of djpeg, invalid ones are refused at once.

use std::collections::BTreeMap;
use std::time::Duration;

use raster::{Budget, Limits, Notes, Orientation, PixelFormat, RowFormat, Size, Warning};
use testkit::corpus::{self, Row};
use testkit::cpu::within;
use testkit::{Difference, Picture, memory, read_all};

use crate::djpeg;

/// Reads a picture, with inks mixed as djpeg mixes them.
fn read(bytes: &[u8]) -> raster::Result<Picture> {
    let budget = Budget::new(&Limits::default());
    let mut reader = codec_jpeg::open(&bytes, &budget, &Notes::default())?;
    let picture = read_all(&mut *reader)?;
    let is_ink = matches!(reader.info().row_format, RowFormat::Inks { .. });
    Ok(if is_ink { through_inks(&picture) } else { picture })
}

#[test]
fn valid_files_give_the_pixels_of_djpeg() {
    let Some(rows) = corpus::rows("jpeg") else { return };
    let (mut exact, mut faults) = (0, Vec::new());
    for row in rows.iter().filter(|row| row.must && !row.reject) {
        match check(row) {
            Ok(Some(psnr)) if psnr.is_infinite() => exact += 1,
            Ok(Some(psnr)) => faults.push(format!("{}: {psnr:.2} dB", row.name)),
            Ok(None) => {}
            Err(fault) => faults.push(format!("{}: {fault}", row.name)),
        }
    }
    println!("{exact} files have the pixels of djpeg");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Returns the distance to djpeg, if djpeg is installed and reads the file.
fn check(row: &Row) -> Result<Option<f64>, String> {
    let bytes = row.bytes();
    let picture = read(&bytes).map_err(|error| error.to_string())?;
    let size = row.size.map(|(width, height)| Size::new(width, height));
    if size != Some(picture.size) {
        return Err(format!("{} instead of {size:?}", picture.size));
    }
    let Some(reference) = djpeg::decode(&bytes) else { return Ok(None) };
    if (reference.size, reference.pixels) != (picture.size, picture.pixels) {
        return Err(format!("{picture:?} where djpeg has {reference:?}"));
    }
    Ok(Some(Difference::between(&picture, &reference).psnr))
}

/// Converts inks as djpeg does: red is the light that cyan and black let through.
fn through_inks(inks: &Picture) -> Picture {
    let through = |ink: u8, black: u8| ((u32::from(255 - ink) * u32::from(255 - black) * 2 + 255) / 510) as u8;
    let rows = inks.rows.as_chunks::<4>().0.iter().flat_map(|&[c, m, y, k]| [c, m, y].map(|ink| through(ink, k)));
    Picture { pixels: PixelFormat::RGB8, rows: rows.collect(), ..*inks }
}

#[test]
fn invalid_files_are_refused_within_a_second() {
    let Some(rows) = corpus::rows("jpeg") else { return };
    for row in rows.iter().filter(|row| row.must && row.reject) {
        let bytes = row.bytes();
        let outcome = within(Duration::from_secs(1), &row.name, || read(&bytes));
        assert!(outcome.is_err(), "{} was read", row.name);
    }
}

#[test]
fn optional_files_end_in_a_picture_or_an_error_in_time() {
    let Some(rows) = corpus::rows("jpeg") else { return };
    let mut outcomes = BTreeMap::new();
    for row in rows.iter().filter(|row| !row.must) {
        let bytes = row.bytes();
        let outcome = within(Duration::from_secs(3), &row.name, || read(&bytes));
        let word = outcome.as_ref().map_or_else(|error| error.code(), |_| "read");
        *outcomes.entry((if row.reject { "reject" } else { "decode" }, word)).or_insert(0) += 1;
        println!("{word:12} {} {}", row.name, outcome.err().map_or(String::new(), |error| error.to_string()));
    }
    println!("{outcomes:?}");
}

#[test]
fn headers_match_the_table_of_the_corpus() {
    let Some(rows) = corpus::rows("jpeg") else { return };
    for row in rows.iter().filter(|row| row.must && !row.reject) {
        let bytes = row.bytes();
        let budget = Budget::new(&Limits::default());
        let reader = codec_jpeg::open(&bytes, &budget, &Notes::default())
            .unwrap_or_else(|error| panic!("{}: {error}", row.name));
        let info = reader.info();
        assert_eq!(Some((info.size.width, info.size.height)), row.size, "{}", row.name);
        assert_eq!(Some(info.stored.depth), row.bit_depth, "{}", row.name);
        let channels = match row.color.as_str() {
            "gray" => 1,
            "cmyk" | "ycck" => 4,
            _ => 3,
        };
        assert_eq!((info.frames, info.stored.channels), (1, channels), "{}", row.name);
        let orientation = row.orientation.and_then(|number| Orientation::from_exif(number.into()));
        assert_eq!(info.orientation, orientation.unwrap_or_default(), "{}", row.name);
    }
}

/// Five files of some 254 pieces, which are missing, duplicated, misnumbered or out of order. Even the complete ones do
/// not form a profile, only numbered bytes.
#[test]
fn pieces_without_a_valid_profile_are_left_out_with_a_warning() {
    let Some(rows) = corpus::rows("jpeg") else { return };
    let mut seen = 0;
    for row in rows.iter().filter(|row| row.name.contains("jpeg-decoder-icc")) {
        let bytes = row.bytes();
        let budget = Budget::new(&Limits::default());
        let notes = Notes::default();
        let reader = codec_jpeg::open(&bytes, &budget, &notes).unwrap();
        let icc = &reader.info().metadata.icc;
        assert_eq!((icc, notes.warnings()), (&None, vec![Warning::BrokenProfile]), "{}", row.name);
        seen += 1;
    }
    assert_eq!(seen, 5);
}

#[test]
fn the_budget_counts_what_is_really_allocated() {
    memory::corpus_is_counted("jpeg", &Limits { memory: 64 << 20 }, codec_jpeg::open);
}
