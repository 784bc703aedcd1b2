//! The container as a whole: what is written comes back, and nothing else is taken for it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at the first surprise")]

use codec_raw::{HEADER_LEN, MAGIC, Options};
use raster::rows::Create;
use raster::{Budget, Channels, Depth, Limits, Metadata, PixelFormat, Result, Size};
use testkit::{FailingSource, Picture, SplitSource, generate, read_all, write_all};

const CHANNELS: [Channels; 4] = [Channels::Gray, Channels::GrayAlpha, Channels::Rgb, Channels::Rgba];

fn budget() -> Budget {
    Budget::new(&Limits { memory: 0 }) // nothing may be charged: nothing is held
}

fn write(picture: &Picture) -> Vec<u8> {
    let mut file = Vec::new();
    let budget = budget();
    let create = Create::single(picture.size, picture.pixels, &budget);
    write_all(codec_raw::create(&mut file, &create, &Options::default()).unwrap(), picture).unwrap();
    file
}

fn read(bytes: &[u8]) -> Result<Picture> {
    read_all(&mut *codec_raw::open(&bytes, &budget())?)
}

fn small() -> Picture {
    generate::noise(Size::new(3, 2), PixelFormat::new(Channels::GrayAlpha, Depth::Sixteen), 7)
}

#[test]
fn the_header_is_byte_for_byte_as_documented() {
    let file = write(&small());
    assert_eq!(&file[..8], MAGIC);
    assert_eq!(file[8..HEADER_LEN], [1, 2, 16, 0, 3, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(file[HEADER_LEN..], small().rows, "and the rows are as in memory");
}

#[test]
fn every_pixel_format_comes_back_through_any_split_of_the_reads() {
    for (seed, channels) in CHANNELS.into_iter().enumerate() {
        for depth in [Depth::Eight, Depth::Sixteen] {
            let picture = generate::noise(Size::new(61, 17), PixelFormat::new(channels, depth), seed as u64);
            let file = write(&picture);
            assert_eq!(read(&file).unwrap(), picture);
            for seed in 0..8 {
                let source = SplitSource::new(&file, seed);
                assert_eq!(read_all(&mut *codec_raw::open(&source, &budget()).unwrap()).unwrap(), picture);
            }
        }
    }
}

#[test]
fn a_file_of_any_other_length_is_refused() {
    let mut file = write(&small());
    for len in 0..file.len() {
        assert_eq!(read(&file[..len]).unwrap_err().code(), "malformed", "{len} bytes");
    }
    file.push(0);
    assert_eq!(read(&file).unwrap_err().code(), "malformed", "a byte too many");
}

#[test]
fn every_other_header_is_refused() {
    let table: [(usize, &[u8], &str); 12] = [
        (0, b"\x92", "malformed"),
        (8, &[0], "malformed"),
        (8, &[2], "malformed"),
        (9, &[0], "malformed"),
        (9, &[5], "malformed"),
        (10, &[1], "malformed"),
        (10, &[32], "malformed"),
        (11, &[1], "malformed"),
        (23, &[1], "malformed"),
        (12, &[0], "no-size"),
        (16, &1_000_001u32.to_le_bytes(), "side"),
        (12, &[0xFF; 8], "side"),
    ];
    for (at, bytes, code) in table {
        let mut file = write(&small());
        file[at..at + bytes.len()].copy_from_slice(bytes);
        assert_eq!(read(&file).unwrap_err().code(), code, "{bytes:?} at {at}");
    }
}

#[test]
fn every_flipped_bit_of_the_header_is_an_error() {
    for bit in 0..HEADER_LEN * 8 {
        let mut file = write(&small());
        file[bit / 8] ^= 1 << (bit % 8);
        assert!(read(&file).is_err(), "bit {bit}");
    }
}

#[test]
fn a_failing_carrier_is_not_taken_for_a_broken_file() {
    let file = write(&small());
    for good in 0..file.len() as u64 {
        let source = FailingSource::new(&file, good);
        let result = codec_raw::open(&source, &budget()).and_then(|mut reader| read_all(&mut *reader));
        assert_eq!(result.unwrap_err().code(), "read", "{good} good bytes");
    }
}

#[test]
fn a_writer_holds_its_caller_to_the_promise() {
    let picture = small();
    let mut file = Vec::new();
    let budget = budget();
    let create = Create::single(picture.size, picture.pixels, &budget);
    let mut writer = codec_raw::create(&mut file, &create, &Options::default()).unwrap();
    assert_eq!(writer.write_row(picture.row(0)).unwrap_err().code(), "contradiction", "no frame yet");
    let other = Picture::blank(Size::new(3, 3), picture.pixels).header();
    assert_eq!(writer.begin_frame(&other, &Metadata::default()).unwrap_err().code(), "contradiction", "another shape");
    writer.begin_frame(&picture.header(), &Metadata::default()).unwrap();
    assert_eq!(
        writer.begin_frame(&picture.header(), &Metadata::default()).unwrap_err().code(),
        "unsupported",
        "a second frame"
    );
    assert_eq!(writer.write_row(&[0]).unwrap_err().code(), "contradiction", "a short row");
    writer.write_row(picture.row(0)).unwrap();
    assert_eq!(writer.finish().unwrap_err().code(), "contradiction", "a missing row");
}
