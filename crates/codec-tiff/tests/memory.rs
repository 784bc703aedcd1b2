//! Pictures of 96 megapixels in memory that does not know their height: one strip of any length is read row by row.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::io::Write;

use codec_tiff::open;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use raster::{Budget, ByteSource, Limits, Result};
use weezl::BitOrder;
use weezl::encode::Encoder;

const WIDTH: u32 = 12_000;
const HEIGHT: u32 = 8_000;
const ROW: usize = WIDTH as usize * 3;

/// A directory of RGB8 behind the data, which start at 8.
fn directory(data_len: u64, compression: u32, pieces: &[(u16, Vec<u32>)]) -> Vec<u8> {
    let mut entries: Vec<(u16, Vec<u32>)> = vec![
        (256, vec![WIDTH]),
        (257, vec![HEIGHT]),
        (258, vec![8]),
        (259, vec![compression]),
        (262, vec![2]),
        (277, vec![3]),
    ];
    entries.extend(pieces.iter().cloned());
    entries.sort_by_key(|(tag, _)| *tag);
    let mut behind = Vec::new();
    let mut bytes = (entries.len() as u16).to_le_bytes().to_vec();
    let start = 8 + data_len + 2 + 12 * entries.len() as u64 + 4;
    for (tag, values) in entries {
        let numbers: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        bytes.extend(tag.to_le_bytes());
        bytes.extend([4, 0]);
        bytes.extend((values.len() as u32).to_le_bytes());
        if values.len() == 1 {
            bytes.extend(numbers);
        } else {
            bytes.extend(((start + behind.len() as u64) as u32).to_le_bytes());
            behind.extend(numbers);
        }
    }
    bytes.extend([0; 4]);
    bytes.extend(behind);
    bytes
}

fn file(data: &[u8], compression: u32, pieces: &[(u16, Vec<u32>)]) -> Vec<u8> {
    let header = [b"II\x2A\0", &(8 + data.len() as u32).to_le_bytes()[..]].concat();
    [&header, data, &directory(data.len() as u64, compression, pieces)].concat()
}

fn one_strip(data: &[u8]) -> Vec<(u16, Vec<u32>)> {
    vec![(273, vec![8]), (278, vec![HEIGHT]), (279, vec![data.len() as u32])]
}

/// Row `y` of the picture: neighbours differ, so that no row can be taken for another.
fn row(y: u32) -> Vec<u8> {
    (0..ROW).map(|i| ((i as u32 / 96).wrapping_mul(y / 16 + 1) >> 3) as u8).collect()
}

/// Reads all rows, a sample of them compared; says how much was charged.
fn cost(source: &dyn ByteSource, want: impl Fn(u32) -> Vec<u8>) -> Result<u64> {
    let budget = Budget::new(&Limits { memory: 24 << 20 });
    let mut reader = open(source, &budget)?;
    let frame = reader.next_frame()?.unwrap();
    let mut got = vec![0; ROW];
    for y in 0..HEIGHT {
        frame.rows.read_row(&mut got)?;
        assert!(y % 97 != 0 || got == want(y), "row {y}");
    }
    drop(reader);
    Ok(budget.used())
}

#[test]
fn one_deflated_strip_takes_less_than_a_megabyte() {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    (0..HEIGHT).for_each(|y| encoder.write_all(&row(y)).unwrap());
    let data = encoder.finish().unwrap();
    let used = cost(&file(&data, 8, &one_strip(&data)), row).unwrap();
    assert!(used < 1 << 20, "{used} bytes");
}

#[test]
fn one_lzw_strip_takes_less_than_a_megabyte() {
    let mut data = Vec::new();
    let mut encoder = Encoder::with_tiff_size_switch(BitOrder::Msb, 8);
    let rows: Vec<u8> = (0..HEIGHT).flat_map(row).collect();
    encoder.into_stream(&mut data).encode_all(&rows[..]).status.unwrap();
    let used = cost(&file(&data, 5, &one_strip(&data)), row).unwrap();
    assert!(used < 1 << 20, "{used} bytes");
}

/// A file of bytes that are made when they are asked for.
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
    let source = Made { tail: directory(data_len, 1, &strips), data_len, byte };
    let want = |y: u32| (0..ROW as u64).map(|x| ((u64::from(y) * ROW as u64 + x) % 251) as u8).collect();
    let used = cost(&source, want).unwrap();
    assert!(used < 1 << 18, "{used} bytes");

    let (across, down) = (WIDTH.div_ceil(256), HEIGHT.div_ceil(256));
    let tile = 256 * 256 * 3_u32;
    let offsets = (0..across * down).map(|i| 8 + i * tile).collect();
    let tiles = [(322, vec![256]), (323, vec![256]), (324, offsets), (325, vec![tile; (across * down) as usize])];
    let data_len = u64::from(across * down * tile);
    let source = Made { tail: directory(data_len, 1, &tiles), data_len, byte };
    let want = |y: u32| {
        let place = |x: u32| u64::from((y / 256 * across + x / 256) * tile + (y % 256 * 256 + x % 256) * 3);
        (0..WIDTH).flat_map(|x| (0..3).map(move |c| ((place(x) + c) % 251) as u8)).collect()
    };
    let used = cost(&source, want).unwrap();
    let held = u64::from(across) * u64::from(tile);
    assert!(used < held + (1 << 18), "{used} bytes for tiles of {held}");
}
