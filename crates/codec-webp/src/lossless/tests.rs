//! Pictures that `image-webp` encodes and decodes, and streams built bit by bit.

use image_webp::{ColorType, WebPEncoder};
use raster::{Budget, Limits, PixelFormat, Size};
use testkit::{generate, memory};

use super::*;

/// Bits in the order of the file.
#[derive(Default)]
struct Written {
    bytes: Vec<u8>,
    count: usize,
}

impl Written {
    fn add(&mut self, value: u32, bits: usize) -> &mut Self {
        for n in 0..bits {
            if self.count.is_multiple_of(8) {
                self.bytes.push(0);
            }
            self.bytes[self.count / 8] |= ((value >> n & 1) as u8) << (self.count % 8);
            self.count += 1;
        }
        self
    }

    /// Adds a code whose only symbol is `symbol`.
    fn one_symbol(&mut self, symbol: u8) -> &mut Self {
        self.add(0b101, 3).add(symbol.into(), 8)
    }
}

fn decoded(bytes: &[u8], size: Size, budget: &Budget) -> Result<Vec<Argb>> {
    let source: &dyn ByteSource = &bytes;
    let mut decoder = Decoder::new(source, (0, bytes.len() as u64), size, budget)?;
    let mut pixels = Vec::new();
    for _ in 0..size.height {
        pixels.extend(decoder.next_row()?);
    }
    Ok(pixels)
}

#[test]
fn pictures_of_any_size_come_back() {
    for (width, height) in [(1, 1), (2, 3), (16, 16), (17, 5), (300, 200), (1, 700), (1500, 900)] {
        let size = Size::new(width, height);
        let picture = generate::noise(size, PixelFormat::RGBA8, 7);
        let mut file = Vec::new();
        WebPEncoder::new(&mut file).encode(&picture.rows, width, height, ColorType::Rgba8).unwrap();
        let pixels = decoded(&file[25..], size, &Budget::new(&Limits::default())).unwrap();
        let rgba = |&pixel: &Argb| {
            let [blue, green, red, alpha] = channels(pixel);
            [red, green, blue, alpha]
        };
        assert!(pixels.iter().flat_map(rgba).eq(picture.rows.iter().copied()), "{size}");
    }
}

/// Writes a picture with 65,536 groups of codes, of which only the last is used.
fn with_all_groups() -> Vec<u8> {
    let mut bits = Written::default();
    // No transform, no cache; groups for squares of 4 × 4 pixels, whose picture has the colour 0xFFFF.
    bits.add(0, 1).add(0, 1).add(1, 1).add(0, 3).add(0, 1);
    for symbol in [255, 255, 0, 0, 0] {
        bits.one_symbol(symbol);
    }
    for group in 0..1 << 16 {
        for symbol in [if group == 0xFFFF { 20 } else { 1 }, 10, 30, 255, 0] {
            bits.one_symbol(symbol);
        }
    }
    bits.bytes
}

#[test]
fn groups_of_codes_that_no_pixel_uses_take_no_memory() {
    let bytes = with_all_groups();
    let budget = Budget::new(&Limits::default());
    let pixels = decoded(&bytes, Size::new(9, 7), &budget).unwrap();
    assert!(pixels.iter().all(|&pixel| pixel == 0xFF0A_141E), "{pixels:X?}");
    assert!(budget.peak() < 300_000, "{}", budget.peak());
}

/// Writes a picture of 64 × 64 pixels, in which each of 256 squares has a group of codes with a table of ten bits.
fn with_long_codes() -> Vec<u8> {
    let mut bits = Written::default();
    bits.add(0, 1).add(0, 1).add(1, 1).add(0, 3).add(0, 1);
    // The numbers of the groups: 256 codes of eight bits, whose only length is stored in no bits. A code for a number
    // is the number, highest bit first.
    bits.add(0, 1).add(8, 4).add(0, 30).add(0, 3).add(1, 3).add(1, 1).add(3, 3).add(254, 8);
    (0..4).for_each(|_| _ = bits.one_symbol(0));
    (0..256_u32).for_each(|number| _ = bits.add(number.reverse_bits() >> 24, 8));
    for _ in 0..256 {
        // The lengths 0 to 15 have codes of four bits. The codes of green have 1, 2, … 9, 10 and 10 bits.
        bits.add(0, 1).add(15, 4);
        LENGTHS_IN_ORDER.iter().for_each(|&length| _ = bits.add(if length < 16 { 4 } else { 0 }, 3));
        bits.add(1, 1).add(1, 3).add(9, 4);
        (1..=10).chain([10]).for_each(|length: u32| _ = bits.add(length.reverse_bits() >> 28, 4));
        [0, 0, 255, 0].iter().for_each(|&symbol| _ = bits.one_symbol(symbol));
    }
    (0..128).for_each(|_| _ = bits.add(0, 32));
    bits.bytes
}

/// The order in which the lengths of the codes for lengths are stored.
const LENGTHS_IN_ORDER: [u8; 19] = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// The decoder of `image-webp` holds a megabyte for this file of 23 kB, and much more for a larger one.
#[test]
fn the_tables_of_all_groups_in_use_are_counted() {
    let bytes = with_long_codes();
    let read = |budget: &Budget| decoded(&bytes, Size::new(64, 64), budget);
    let pixels = memory::counted("256 groups", &Limits::default(), read).unwrap();
    assert!(pixels.iter().all(|&pixel| pixel == 0xFF00_0000), "{pixels:X?}");
}

/// Writes a bitstream.
type Build = fn(&mut Written);

#[test]
fn data_that_end_early_or_refer_to_nothing_are_told() {
    let size = Size::new(4, 4);
    let budget = Budget::new(&Limits::default());
    let table: [(Build, &str); 4] = [
        (|_| {}, "they end early"),
        (
            |bits| {
                // Two transforms that subtract green.
                bits.add(0b101, 3).add(0b101, 3);
            },
            "a transform twice",
        ),
        (
            |bits| {
                bits.add(0, 1).add(1, 1).add(12, 4);
            },
            "a cache of colours of a wrong size",
        ),
        (
            |bits| {
                // A code of green with one symbol, the length 1: 256 zeros, a one, 23 zeros. Its lengths are coded by
                // a zero for one and a one for many zeros.
                bits.add(0, 4).add(0, 4).add(0, 3).add(1, 3).add(0, 3).add(1, 3).add(0, 1);
                bits.add(1, 1).add(127, 7).add(1, 1).add(107, 7).add(0, 1).add(1, 1).add(12, 7);
                for _ in 0..4 {
                    bits.one_symbol(0);
                }
            },
            "a reference beyond the picture",
        ),
    ];
    for (build, want) in table {
        let mut bits = Written::default();
        build(&mut bits);
        let error = decoded(&bits.bytes, size, &budget).unwrap_err().to_string();
        assert!(error.contains(want), "{error}");
    }
}
