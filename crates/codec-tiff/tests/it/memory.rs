//! Pictures of 24 megapixels in memory that does not depend on their height: a strip of any length is read row by row.
//! Their 72 MB of pixels are almost three times the limit.

use std::io::Write;

use codec_tiff::open;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use raster::{Budget, ByteSource, Limits, Notes, Result, RowReader, Wanted};
use testkit::memory;
use weezl::BitOrder;
use weezl::encode::Encoder;

use crate::build;

const WIDTH: u32 = 12_000;
const HEIGHT: u32 = 2_000;
const ROW: usize = WIDTH as usize * 3;

/// Returns the tags of an RGB picture of 8 bits, and those of its strips or tiles.
fn tags(compression: u32, segments: &[(u16, Vec<u32>)]) -> Vec<(u16, Vec<u32>)> {
    let picture = [(256, WIDTH), (257, HEIGHT), (258, 8), (259, compression), (262, 2), (277, 3)];
    let picture = picture.into_iter().map(|(tag, value)| (tag, vec![value]));
    picture.chain(segments.iter().cloned()).collect()
}

fn file(data: &[u8], compression: u32, segments: &[(u16, Vec<u32>)]) -> Vec<u8> {
    build::file(data, &tags(compression, segments))
}

fn one_strip(data: &[u8]) -> Vec<(u16, Vec<u32>)> {
    vec![(273, vec![8]), (278, vec![HEIGHT]), (279, vec![data.len() as u32])]
}

/// Returns row `y` of the picture; adjacent rows differ.
fn row(y: u32) -> Vec<u8> {
    (0..ROW).map(|i| ((i as u32 / 96).wrapping_mul(y / 16 + 1) >> 3) as u8).collect()
}

/// Reads all rows, compares a sample of them, and returns the memory charged.
fn cost(source: &dyn ByteSource, want: impl Fn(u32) -> Vec<u8>) -> Result<u64> {
    memory::counted("24 megapixels", &Limits { memory: 24 << 20 }, |budget| {
        let mut reader = open(source, budget, &Notes::default())?;
        let mut frame = reader.next_frame(&Wanted::FULL_SIZE)?.unwrap();
        let mut got = vec![0; ROW];
        for y in 0..HEIGHT {
            frame.rows.read_row(&mut got)?;
            assert!(y % 97 != 0 || got == want(y), "row {y}");
        }
        Ok(budget.peak())
    })
}

#[test]
fn one_deflated_strip_takes_less_than_half_a_megabyte() {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    (0..HEIGHT).for_each(|y| encoder.write_all(&row(y)).unwrap());
    let data = encoder.finish().unwrap();
    let used = cost(&file(&data, 8, &one_strip(&data)), row).unwrap();
    assert!(used < 400_000, "{used} bytes");
}

#[test]
fn one_lzw_strip_takes_less_than_half_a_megabyte() {
    let mut data = Vec::new();
    let mut encoder = Encoder::with_tiff_size_switch(BitOrder::Msb, 8);
    let rows: Vec<u8> = (0..HEIGHT).flat_map(row).collect();
    encoder.into_stream(&mut data).encode_all(&rows[..]).status.unwrap();
    let used = cost(&file(&data, 5, &one_strip(&data)), row).unwrap();
    assert!(used < 500_000, "{used} bytes");
}

/// A file of bytes that are generated when they are read.
struct Made {
    tail: Vec<u8>,
    data_len: u64,
    byte: fn(u64) -> u8,
}

impl ByteSource for Made {
    fn byte_len(&self) -> u64 {
        8 + self.data_len + self.tail.len() as u64
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize> {
        let header = [b"II\x2A\0", &(8 + self.data_len as u32).to_le_bytes()[..]].concat();
        let n = into.len().min(self.byte_len().saturating_sub(offset) as usize);
        for (at, byte) in (offset..).zip(&mut into[..n]) {
            *byte = match at.checked_sub(8) {
                None => header[at as usize],
                Some(at) if at < self.data_len => (self.byte)(at),
                Some(at) => self.tail[(at - self.data_len) as usize],
            };
        }
        Ok(n)
    }
}

#[test]
fn uncompressed_rows_take_a_window_and_tiles_a_row_of_tiles() {
    let data_len = ROW as u64 * u64::from(HEIGHT);
    let strips = [(273, vec![8]), (278, vec![HEIGHT]), (279, vec![data_len as u32])];
    let byte = |at: u64| (at % 251) as u8;
    let source = Made { tail: build::directory(data_len, &tags(1, &strips)), data_len, byte };
    let want = |y: u32| (0..ROW as u64).map(|x| ((u64::from(y) * ROW as u64 + x) % 251) as u8).collect();
    let used = cost(&source, want).unwrap();
    assert!(used < 160_000, "{used} bytes");

    let (across, down) = (WIDTH.div_ceil(256), HEIGHT.div_ceil(256));
    let tile = 256 * 256 * 3_u32;
    let offsets = (0..across * down).map(|i| 8 + i * tile).collect();
    let tiles = [(322, vec![256]), (323, vec![256]), (324, offsets), (325, vec![tile; (across * down) as usize])];
    let data_len = u64::from(across * down * tile);
    let source = Made { tail: build::directory(data_len, &tags(1, &tiles)), data_len, byte };
    let want = |y: u32| {
        let place = |x: u32| u64::from((y / 256 * across + x / 256) * tile + (y % 256 * 256 + x % 256) * 3);
        (0..WIDTH).flat_map(|x| (0..3).map(move |c| ((place(x) + c) % 251) as u8)).collect()
    };
    let used = cost(&source, want).unwrap();
    let held = u64::from(across) * u64::from(tile);
    assert!(used < held + 160_000, "{used} bytes for tiles of {held}");
}

/// Two pages of the same tiles, one after the other: the first is released before the second is allocated.
#[test]
fn one_page_is_held_at_a_time_and_opening_holds_none() {
    let across = WIDTH.div_ceil(256);
    let tile = 256 * 256 * 3_u32;
    let count = across as usize;
    let tiles = [(322, vec![256]), (323, vec![256]), (324, vec![8; count]), (325, vec![tile; count])];
    let mut tags = tags(1, &tiles);
    tags.iter_mut().filter(|(tag, _)| *tag == 257).for_each(|(_, height)| *height = vec![256]);
    let data = vec![7; tile as usize];
    let mut file = build::file(&data, &tags);
    // The chain continues with a copy of the directory, which shares the values of the first.
    let first = 8 + data.len();
    let entries = usize::from(u16::from_le_bytes([file[first], file[first + 1]]));
    let next = first + 2 + 12 * entries;
    let second = file.len().next_multiple_of(2);
    let copy = file[first..next + 4].to_vec();
    file[next..next + 4].copy_from_slice(&(second as u32).to_le_bytes());
    file.resize(second, 0);
    file.extend(copy);

    let page = u64::from(across) * u64::from(tile);
    let budget = Budget::new(&Limits { memory: page + page / 2 });
    let mut reader = open(&file, &budget, &Notes::default()).unwrap();
    assert_eq!(reader.info().frames, 2);
    assert!(budget.peak() < 1 << 20, "{} bytes to open", budget.peak());
    for _ in 0..2 {
        let mut frame = reader.next_frame(&Wanted::FULL_SIZE).unwrap().unwrap();
        let mut row = vec![0; ROW];
        frame.rows.read_row(&mut row).unwrap();
        assert!(row.iter().all(|&byte| byte == 7));
        assert!(budget.used() > page, "the page is charged");
    }
    assert_eq!(reader.info().working_set, budget.peak());
}
