//! JPEG streams (compression 7) of more than 8 bits, and lossless ones.

use raster::{Budget, Channels, Depth, Limits, Notes, PixelFormat, Size};
use testkit::lossless_jpeg::{self, Component, Way};
use testkit::{corpus, read_all};

use crate::build;

const WIDTH: u32 = 21;
const ROWS: u32 = 9;

/// Returns the sample of a picture of two strips.
fn sample(channel: u32, x: u32, y: u32, bits: u32) -> u32 {
    (x * 3011 + y * 1973 + channel * 977 + x * y * 41) % (1 << bits)
}

/// Returns a page of two lossless streams with its byte order.
fn page(channels: u32, bits: u32, is_big: bool) -> Vec<u8> {
    let (mut data, mut offsets, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
    for strip in 0..2 {
        let row = |channel, y| (0..WIDTH).map(|x| sample(channel, x, y, bits) as u16).collect();
        let rows = |channel| (0..ROWS).map(|y| row(channel, strip * ROWS + y)).collect();
        let components: Vec<_> =
            (0..channels).map(|channel| Component { factors: (1, 1), rows: rows(channel) }).collect();
        let way = Way { precision: bits as u8, predictor: 6, low: 0, restart: strip as usize, is_interleaved: true };
        let stream = lossless_jpeg::write((WIDTH as usize, ROWS as usize), &components, way);
        offsets.push(build::DATA + data.len() as u32);
        lengths.push(stream.len() as u32);
        data.extend(stream);
    }
    let tags = [
        (256, vec![WIDTH]),
        (257, vec![2 * ROWS]),
        (258, vec![bits; channels as usize]),
        (259, vec![7]),
        (262, vec![if channels == 1 { 1 } else { 2 }]),
        (273, offsets),
        (277, vec![channels]),
        (278, vec![ROWS]),
        (279, lengths),
    ];
    let file = build::file(&data, &tags);
    if is_big { big_endian(file, build::DATA as usize + data.len(), tags.len()) } else { file }
}

/// Converts a file whose directory of `tags` tags is at `at` to big-endian numbers.
fn big_endian(mut file: Vec<u8>, at: usize, tags: usize) -> Vec<u8> {
    file[..2].copy_from_slice(b"MM");
    let mut swap = |range: core::ops::Range<usize>, bytes| file[range].chunks_mut(bytes).for_each(<[u8]>::reverse);
    swap(2..4, 2);
    swap(4..8, 4);
    swap(at..at + 2, 2);
    let entries = at + 2;
    for entry in (0..tags).map(|i| entries + 12 * i) {
        swap(entry..entry + 4, 2);
        swap(entry + 4..entry + 12, 4);
    }
    let end = file.len();
    file[entries + 12 * tags..end].chunks_mut(4).for_each(<[u8]>::reverse);
    file
}

#[test]
fn lossless_streams_are_read() {
    for (channels, bits, is_big) in
        [(1, 8, false), (1, 12, true), (1, 16, false), (3, 8, true), (3, 14, false), (3, 16, true)]
    {
        let (picture, warnings) = build::read(&page(channels, bits, is_big)).unwrap();
        let depth = if bits > 8 { Depth::Sixteen } else { Depth::Eight };
        let pixels = PixelFormat::new(Channels::new(channels == 3, false), depth);
        assert_eq!((picture.size, picture.pixels, warnings), (Size::new(WIDTH, 2 * ROWS), pixels, vec![]));
        let (max, full) = ((1_u32 << bits) - 1, u32::from(depth.max()));
        for (y, x, channel) in
            (0..2 * ROWS).flat_map(|y| (0..WIDTH * channels).map(move |i| (y, i / channels, i % channels)))
        {
            let want = (sample(channel, x, y, bits) * full + max / 2) / max;
            assert_eq!(u32::from(picture.sample(x, y, channel as usize)), want, "{channels} × {bits} bits: {x} {y}");
        }
    }
}

#[test]
fn streams_of_12_bits_are_read() {
    let Some(rows) = corpus::rows("jpeg") else { return };
    let stream = rows.iter().find(|row| row.name.ends_with("monkey12.jpg")).unwrap().bytes();
    let mut reader = codec_jpeg::open(&stream, &Budget::new(&Limits::default()), &Notes::default()).unwrap();
    let want = read_all(&mut *reader).unwrap();
    let (width, height) = (want.size.width, want.size.height);
    let tags = [
        (256, vec![width]),
        (257, vec![height]),
        (258, vec![12; 3]),
        (259, vec![7]),
        (262, vec![6]),
        (273, vec![build::DATA]),
        (277, vec![3]),
        (278, vec![height]),
        (279, vec![stream.len() as u32]),
        (530, vec![2, 2]),
    ];
    assert_eq!(build::read(&build::file(&stream, &tags)).unwrap(), (want, vec![]));
}
