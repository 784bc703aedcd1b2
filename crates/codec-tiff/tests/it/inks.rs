//! The meaning of the fifth sample of a CMYK page, by ExtraSamples.

use codec_tiff::open;
use raster::{Budget, Depth, Limits, Notes, RowFormat, RowReader, Size, Wanted};

use crate::build;

const SIZE: Size = Size::new(4, 1);
/// Cyan, magenta, yellow, black and a fifth sample, which is full, half, small and 0.
const PIXELS: [[u8; 5]; 4] = [[200, 0, 0, 0, 255], [0, 100, 50, 0, 128], [9, 9, 9, 9, 3], [0, 0, 0, 40, 0]];

fn file(kinds: &[u32]) -> Vec<u8> {
    let data = PIXELS.concat();
    let mut tags = vec![
        (256, vec![SIZE.width]),
        (257, vec![SIZE.height]),
        (258, vec![8; 5]),
        (262, vec![5]),
        (273, vec![build::DATA]),
        (277, vec![5]),
        (279, vec![data.len() as u32]),
    ];
    tags.extend((!kinds.is_empty()).then(|| (338, kinds.to_vec())));
    build::file(&data, &tags)
}

/// Returns the first row and its format.
fn row(kinds: &[u32]) -> (Vec<u8>, RowFormat) {
    let file = file(kinds);
    let notes = Notes::default();
    let mut reader = open(&file, &Budget::new(&Limits::default()), &notes).unwrap();
    let mut frame = reader.next_frame(&Wanted::FULL_SIZE).unwrap().unwrap();
    let mut row = vec![0; frame.info.row_bytes() as usize];
    frame.rows.read_row(&mut row).unwrap();
    let format = frame.info.row_format;
    assert_eq!(notes.warnings(), [], "{kinds:?}");
    (row, format)
}

/// 0 is unspecified: a spot plate, a saved selection. Without the tag the type is unknown too.
#[test]
fn an_unspecified_fifth_sample_is_not_alpha() {
    for kinds in [&[0][..], &[]] {
        let (row, format) = row(kinds);
        assert_eq!(format, RowFormat::Inks { depth: Depth::Eight, alpha: false }, "{kinds:?}");
        assert_eq!(row, PIXELS.map(|[c, m, y, k, _]| [c, m, y, k]).concat(), "{kinds:?}");
    }
}

/// 2 and Corel's 999 are alpha with inks that are not premultiplied, 1 is alpha with premultiplied inks.
#[test]
fn alpha_is_returned_straight_behind_the_inks() {
    let format = RowFormat::Inks { depth: Depth::Eight, alpha: true };
    for kind in [2, 999] {
        assert_eq!(row(&[kind]), (PIXELS.concat(), format), "{kind}");
    }
    let straight = [[200, 0, 0, 0, 255], [0, 199, 100, 0, 128], [255, 255, 255, 255, 3], [0; 5]];
    assert_eq!(row(&[1]), (straight.concat(), format));
}
