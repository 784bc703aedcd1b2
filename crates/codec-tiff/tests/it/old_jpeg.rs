//! JPEG of the old style (compression 6, TIFF 6.0 §22) in the layouts that programs wrote. The streams consist of flat
//! blocks, built by hand: each is a difference of the DC coefficient in four bits of category, and the end-of-block
//! code.

use raster::{PixelFormat, Size};

use crate::build;

/// The blocks in a row, the rows of blocks in a strip, the strips.
const ACROSS: usize = 3;
const STRIPS: usize = 4;
const SIZE: Size = Size::new(8 * ACROSS as u32, 8 * STRIPS as u32);

/// Returns the colours of a strip's blocks in YCbCr; the strips differ.
fn blocks(strip: usize) -> [[u8; 3]; ACROSS] {
    let block = |i: usize| [(40 + 50 * strip + 7 * i) as u8, (100 + 9 * strip) as u8, (150 - 11 * i) as u8];
    [block(0), block(1), block(2)]
}

fn segment(code: u8, payload: &[u8]) -> Vec<u8> {
    [&[0xFF, code, 0, payload.len() as u8 + 2], payload].concat()
}

/// Returns a quantisation table of eights, with which a DC coefficient is a level; a DC table whose twelve categories
/// have codes of four bits; an AC table with the end-of-block code only, one bit of 0.
fn tables() -> Vec<u8> {
    let mut counts = [0; 16];
    counts[3] = 12;
    let dc = [&[0x00][..], &counts, &core::array::from_fn::<u8, 12, _>(|i| i as u8)].concat();
    counts = [0; 16];
    counts[0] = 1;
    let ac = [&[0x10][..], &counts, &[0]].concat();
    [segment(0xDB, &[&[0][..], &[8; 64]].concat()), segment(0xC4, &dc), segment(0xC4, &ac)].concat()
}

fn frame(height: u32) -> Vec<u8> {
    let components: Vec<u8> = (1..=3).flat_map(|id| [id, 0x11, 0]).collect();
    segment(0xC0, &[&[8, 0, height as u8, 0, SIZE.width as u8, 3][..], &components].concat())
}

fn scan_header() -> Vec<u8> {
    segment(0xDA, &[3, 1, 0, 2, 0, 3, 0, 0, 63, 0])
}

/// Returns the entropy-coded data of one strip, with predictions reset.
fn scan(strip: usize) -> Vec<u8> {
    let (mut bits, mut last) = (Vec::new(), [128; 3]);
    for block in blocks(strip) {
        for (last, value) in last.iter_mut().zip(block) {
            let step = i32::from(value) - *last;
            *last = value.into();
            let category = 32 - step.unsigned_abs().leading_zeros();
            let code = if step < 0 { step - 1 } else { step };
            bits.extend((0..4).rev().map(|i| category >> i & 1));
            bits.extend((0..category).rev().map(|i| (code >> i & 1) as u32));
            bits.push(0);
        }
    }
    bits.resize(bits.len().next_multiple_of(8), 1);
    let bytes = bits.chunks(8).map(|eight| eight.iter().fold(0, |byte, bit| byte << 1 | *bit as u8));
    bytes.flat_map(|byte| if byte == 0xFF { vec![0xFF, 0] } else { vec![byte] }).collect()
}

/// Returns the pixels of the strips.
fn rgb() -> Vec<u8> {
    let color = |[y, cb, cr]: [u8; 3]| {
        let (y, cb, cr) = (f64::from(y), f64::from(cb) - 128.0, f64::from(cr) - 128.0);
        [y + 1.402 * cr, y - 0.344_136 * cb - 0.714_136 * cr, y + 1.772 * cb].map(|v| (v + 0.5).clamp(0.0, 255.0) as u8)
    };
    let rows = (0..STRIPS).flat_map(|strip| [blocks(strip); 8]);
    rows.flat_map(|row| row.into_iter().flat_map(|block| [color(block); 8])).flatten().collect()
}

fn assert_shows_all_strips(file: &[u8], what: &str) {
    let (picture, warnings) = build::read(file).unwrap();
    assert_eq!(warnings, [], "{what}");
    assert_eq!((picture.size, picture.pixels), (SIZE, PixelFormat::RGB8), "{what}");
    let off = picture.rows.iter().zip(rgb()).map(|(got, want)| got.abs_diff(want)).max();
    assert!(off <= Some(2), "{what}: off by {off:?}");
}

/// Returns a page of strips and a stream's header outside of them.
fn page(head: &[u8], strips: &[Vec<u8>], photometric: u32, more: &[(u16, Vec<u32>)]) -> Vec<u8> {
    let mut data = head.to_vec();
    let mut offsets = Vec::new();
    for strip in strips {
        // A gap tests that strips need not be adjacent.
        data.extend([0; 6]);
        offsets.push(build::DATA + data.len() as u32);
        data.extend(strip);
    }
    let mut tags = vec![
        (256, vec![SIZE.width]),
        (257, vec![SIZE.height]),
        (258, vec![8; 3]),
        (259, vec![6]),
        (262, vec![photometric]),
        (273, offsets),
        (277, vec![3]),
        (278, vec![8]),
        (279, strips.iter().map(|strip| strip.len() as u32).collect()),
        (530, vec![1, 1]),
    ];
    tags.extend(more.iter().cloned());
    build::file(&data, &tags)
}

/// The layout of Wang Imaging, which Windows 95 and NT had as Kodak Imaging: JPEGInterchangeFormat points to tables and
/// headers, and each strip contains a restart interval of data.
#[test]
fn strips_with_a_separate_header_are_all_decoded() {
    let head = [b"\xFF\xD8", &tables()[..], &frame(SIZE.height)].concat();
    let with_scan = [&head[..], &scan_header()].concat();
    let strips: Vec<Vec<u8>> = (0..STRIPS).map(scan).collect();
    let mut first_has_header = strips.clone();
    first_has_header[0].splice(0..0, scan_header());
    let mut with_restarts = strips.clone();
    (0..STRIPS - 1).for_each(|i| with_restarts[i].extend([0xFF, 0xD0 + i as u8]));
    let layouts = [
        ("the scan's header in the head", &with_scan, &strips),
        ("no header of the scan", &head, &strips),
        ("the scan's header in the first strip", &head, &first_has_header),
        ("restart markers behind the strips", &with_scan, &with_restarts),
    ];
    for (what, head, strips) in layouts {
        let head_tags = [(513, vec![build::DATA]), (514, vec![head.len() as u32])];
        assert_shows_all_strips(&page(head, strips, 6, &head_tags), what);
    }
}

/// Returns a whole stream, whose scan has a restart interval for each strip.
fn whole_stream() -> Vec<u8> {
    let restart = segment(0xDD, &[0, ACROSS as u8]);
    let mut stream = [b"\xFF\xD8", &tables()[..], &restart, &frame(SIZE.height), &scan_header()].concat();
    for strip in 0..STRIPS {
        stream.extend(scan(strip));
        stream.extend([0xFF, if strip + 1 < STRIPS { 0xD0 + strip as u8 } else { 0xD9 }]);
    }
    stream
}

/// Under compression 6 libtiff reads RGB as YCbCr: no file that really contains RGB is known.
#[test]
fn pages_tagged_rgb_or_untagged_contain_ycbcr() {
    let stream = whole_stream();
    for photometric in [Some(6), Some(2), None] {
        let mut tags = vec![
            (256, vec![SIZE.width]),
            (257, vec![SIZE.height]),
            (258, vec![8; 3]),
            (259, vec![6]),
            (273, vec![build::DATA]),
            (277, vec![3]),
            (278, vec![SIZE.height]),
            (279, vec![stream.len() as u32]),
            (513, vec![build::DATA]),
            (514, vec![stream.len() as u32]),
        ];
        tags.extend(photometric.map(|code| (262, vec![code])));
        assert_shows_all_strips(&build::file(&stream, &tags), &format!("{photometric:?}"));
    }
}

/// A stream that contains the strips is decoded as one; the strips' own data are ignored.
#[test]
fn strips_inside_a_stream_are_read_as_the_stream() {
    let stream = whole_stream();
    let head = stream.len() - scans_len();
    let offsets: Vec<u32> = (0..STRIPS).map(|strip| build::DATA + (head + strip_start(strip)) as u32).collect();
    let tags = [
        (256, vec![SIZE.width]),
        (257, vec![SIZE.height]),
        (258, vec![8; 3]),
        (259, vec![6]),
        (262, vec![6]),
        (273, offsets),
        (277, vec![3]),
        (278, vec![8]),
        (279, (0..STRIPS).map(|strip| scan(strip).len() as u32).collect()),
        (513, vec![build::DATA]),
        (514, vec![stream.len() as u32]),
    ];
    assert_shows_all_strips(&build::file(&stream, &tags), "strips inside");
}

fn strip_start(strip: usize) -> usize {
    (0..strip).map(|strip| scan(strip).len() + 2).sum()
}

fn scans_len() -> usize {
    strip_start(STRIPS)
}
