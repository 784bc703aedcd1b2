//! Every file of the corpus through the whole pipeline: the result is an image of the right size, or an error, without
//! a panic and in bounded time.

use std::time::Duration;

use pipeline::Job;
use raster::{Error, Format, Limits, Notes, Size};
use testkit::corpus::{self, Row};
use testkit::cpu::within;

use crate::shared::{job, run};

/// A generous limit of processor time that only an endless loop exceeds.
const HANGING: Duration = Duration::from_secs(20);

#[test]
fn every_file_becomes_a_small_png_or_an_error() {
    for format in [Format::Png, Format::Bmp, Format::Jpeg] {
        let Some(rows) = corpus::rows(format.name()) else { return };
        let mut wrong = Vec::new();
        for row in rows {
            let outcome = within(HANGING, &row.name, || thumbnail(&row.bytes()));
            wrong.extend(complaint(&row, &outcome));
        }
        assert!(wrong.is_empty(), "{format}:\n{}", wrong.join("\n"));
    }
}

/// Files of every other format of the corpus are refused by name.
#[test]
fn formats_without_a_codec_are_unsupported() {
    for format in Format::ALL.into_iter().filter(|&format| pipeline::traits(format).is_err()) {
        let Some(rows) = corpus::rows(format.name()) else { return };
        for row in rows.iter().filter(|row| row.must && !row.reject) {
            let error = thumbnail(&row.bytes()).err();
            let right = matches!(error, Some(Error::Unsupported { format: named, .. }) if named == format);
            assert!(right, "{}: {error:?}", row.name);
        }
    }
}

/// Returns the stored size, after the whole picture was written as a PNG 16 pixels wide.
fn thumbnail(bytes: &[u8]) -> Result<Size, Error> {
    let limits = Limits { memory: 512 << 20 };
    let info = pipeline::probe(&bytes, &limits, &Notes::default())?;
    let upright = info.orientation.turn(info.size);
    let target = Size::new(16, (16 * upright.height / upright.width).clamp(1, 64));
    run(bytes, &Job { limits, ..job(upright, target, Format::Png) })?;
    Ok(info.size)
}

fn complaint(row: &Row, outcome: &Result<Size, Error>) -> Option<String> {
    let wrong = match outcome {
        _ if !row.must => false,
        Ok(size) => row.reject || row.size != Some((size.width, size.height)),
        Err(_) => !row.reject,
    };
    wrong.then(|| format!("{}: {outcome:?}, expected {:?} reject {}", row.name, row.size, row.reject))
}
