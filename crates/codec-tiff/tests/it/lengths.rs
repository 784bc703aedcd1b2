//! StripByteCounts of 0, which some writers leave: the strip extends to the next one, or to the end of the file.

use std::io::Write;

use flate2::write::ZlibEncoder;
use raster::PixelFormat;
use testkit::generate::noise;
use weezl::BitOrder;
use weezl::encode::Encoder;

use crate::build;

const SIZE: raster::Size = raster::Size::new(40, 30);
const ROWS_PER_STRIP: u32 = 10;

/// Codes bytes as literal runs of up to 128 bytes.
fn packbits(bytes: &[u8]) -> Vec<u8> {
    bytes.chunks(128).flat_map(|run| [&[run.len() as u8 - 1], run].concat()).collect()
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn lzw(bytes: &[u8]) -> Vec<u8> {
    Encoder::with_tiff_size_switch(BitOrder::Msb, 8).encode(bytes).unwrap()
}

#[test]
fn strips_without_a_length_are_read_under_every_compression() {
    let picture = noise(SIZE, PixelFormat::GRAY8, 3);
    let plain = |bytes: &[u8]| bytes.to_vec();
    type Encode<'a> = &'a dyn Fn(&[u8]) -> Vec<u8>;
    let codes: [(u32, Encode<'_>); 4] = [(1, &plain), (5, &lzw), (8, &zlib), (32_773, &packbits)];
    for (compression, encode) in codes {
        let strips = picture.rows.chunks((SIZE.width * ROWS_PER_STRIP) as usize).map(encode);
        let (mut data, mut offsets) = (Vec::new(), Vec::new());
        for strip in strips {
            offsets.push(build::DATA + data.len() as u32);
            data.extend(strip);
        }
        for counts in [Some(vec![0; offsets.len()]), None] {
            let mut tags = vec![
                (256, vec![SIZE.width]),
                (257, vec![SIZE.height]),
                (258, vec![8]),
                (259, vec![compression]),
                (262, vec![1]),
                (273, offsets.clone()),
                (277, vec![1]),
                (278, vec![ROWS_PER_STRIP]),
            ];
            tags.extend(counts.map(|counts| (279, counts)));
            let (got, warnings) = build::read(&build::file(&data, &tags)).unwrap();
            assert!(got == picture, "compression {compression}");
            assert_eq!(warnings, [], "compression {compression}");
        }
    }
}
