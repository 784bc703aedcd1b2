//! Every layout, packing and compression that libtiff's `tiffcp` supports gives the original pixels.

use std::fs;
use std::path::Path;
use std::process::Command;

use codec_tiff::open;
use raster::{Budget, Channels, Depth, Limits, Notes, PixelFormat, Size, Warning};
use testkit::{Picture, generate, read_all};

use crate::oracle::{self, Scratch};

const SIZE: Size = Size::new(61, 47);

/// An uncompressed little-endian file of one strip: the samples unchanged.
struct Plain {
    bits: u16,
    format: u16,
    samples: u16,
    photometric: u16,
    /// The type of the last sample, if it is an extra sample.
    extra: Option<u16>,
    data: Vec<u8>,
}

impl Plain {
    fn of(picture: &Picture) -> Self {
        let samples = picture.pixels.channels.count() as u16;
        let photometric = if picture.pixels.channels.has_color() { 2 } else { 1 };
        let extra = picture.pixels.channels.has_alpha().then_some(2);
        let bits = picture.pixels.depth.bits().into();
        Self { bits, format: 1, samples, photometric, extra, data: picture.rows.clone() }
    }

    /// Treats the same samples as four inks.
    fn of_inks(picture: &Picture) -> Self {
        Self { photometric: 5, extra: None, ..Self::of(picture) }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut entries: Vec<(u16, Vec<u32>)> = vec![
            (256, vec![SIZE.width]),
            (257, vec![SIZE.height]),
            (258, vec![self.bits.into(); self.samples.into()]),
            (259, vec![1]),
            (262, vec![self.photometric.into()]),
            (273, vec![8]),
            (277, vec![self.samples.into()]),
            (278, vec![SIZE.height]),
            (279, vec![self.data.len() as u32]),
        ];
        entries.extend(self.extra.map(|kind| (338, vec![kind.into()])));
        entries.push((339, vec![self.format.into(); self.samples.into()]));
        let directory = (8 + self.data.len()).next_multiple_of(2);
        let mut values = directory + 2 + 12 * entries.len() + 4;
        let mut file = [b"II\x2A\0", &(directory as u32).to_le_bytes()[..], &self.data].concat();
        file.resize(directory, 0);
        file.extend((entries.len() as u16).to_le_bytes());
        let mut behind = Vec::new();
        for (tag, numbers) in entries {
            file.extend(tag.to_le_bytes());
            file.extend(4_u16.to_le_bytes());
            file.extend((numbers.len() as u32).to_le_bytes());
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            if let [number] = numbers[..] {
                file.extend(number.to_le_bytes());
            } else {
                file.extend((values as u32).to_le_bytes());
                values += bytes.len();
                behind.extend(bytes);
            }
        }
        file.extend([0; 4]);
        file.extend(behind);
        file
    }
}

fn read(bytes: &[u8]) -> Picture {
    let source = bytes;
    let notes = Notes::default();
    let mut reader = open(&source, &Budget::new(&Limits { memory: 32 << 20 }), &notes).unwrap();
    let picture = read_all(&mut *reader).unwrap();
    let is_cut = |warning: &Warning| matches!(warning, Warning::Truncated { .. });
    assert!(!notes.warnings().iter().any(is_cut));
    picture
}

/// Copies with options. Returns `None` when this `tiffcp` cannot: it separates planes at eight bits only.
fn tiffcp(options: &str, from: &Path) -> Option<Vec<u8>> {
    let to = Scratch::new("copy.tif");
    let done = Command::new("tiffcp").args(options.split_whitespace()).arg(from).arg(&to.0).output().unwrap();
    done.status.success().then(|| fs::read(&to.0).unwrap())
}

const CUTS: [&str; 5] = ["-r 1", "-r 7", "-r 100", "-t -w 16 -l 32", "-t -w 128 -l 16"];

fn check(kind: &str, file: &Plain, options: &[&str], want: &Picture) -> usize {
    let plain = Scratch::new("plain.tif");
    fs::write(&plain.0, file.bytes()).unwrap();
    assert!(read(&file.bytes()) == *want, "{kind}, plain");
    let mut copies = 0;
    for (i, options) in options.iter().enumerate() {
        for (j, cut) in CUTS.iter().enumerate() {
            // Each pair of byte order, planes, bit order and BigTIFF is combined with each compression and layout. The
            // floating-point predictor is little-endian here: libtiff 4.5 writes big-endian files with it which it then
            // reads in reversed order.
            let order = if options.contains(":3") { "-L" } else { ["-L", "-B"][(i + j) % 2] };
            for planes in ["-p contig", "-p separate"] {
                let more = ["", "-8", "-f lsb2msb"][(i + j + planes.len()) % 3];
                let all = format!("{options} {cut} {order} {planes} {more}");
                let Some(copy) = tiffcp(&all, &plain.0) else { continue };
                assert!(read(&copy) == *want, "{kind}: tiffcp {all}");
                copies += 1;
            }
        }
    }
    copies
}

#[test]
fn every_cut_plane_order_and_compression_gives_the_same_pixels() {
    if !oracle::is_there() {
        return;
    }
    let options = ["-c none", "-c lzw", "-c lzw:2", "-c zip", "-c zip:2", "-c packbits", "-c zstd:2", "-c lzma:2:p1"];
    type ToPlain = fn(&Picture) -> Plain;
    let kinds: [(Channels, ToPlain); 5] = [
        (Channels::Gray, Plain::of),
        (Channels::GrayAlpha, Plain::of),
        (Channels::Rgb, Plain::of),
        (Channels::Rgba, Plain::of),
        (Channels::Rgba, Plain::of_inks),
    ];
    for (kind, (channels, plain)) in kinds.into_iter().enumerate() {
        for depth in [Depth::Eight, Depth::Sixteen] {
            let pixels = PixelFormat::new(channels, depth);
            let mut picture = generate::noise(SIZE, pixels, 3);
            // Half of the picture is smooth, so that codes get long.
            let half = picture.rows.len() / 2;
            picture.rows[..half].iter_mut().enumerate().for_each(|(i, byte)| *byte = (i / 40) as u8);
            let copies = check(&format!("{kind}: {pixels:?}"), &plain(&picture), &options, &picture);
            assert!(copies >= 35, "{copies} copies of {kind}: {pixels:?}");
        }
    }
}

#[test]
fn every_fax_code_gives_the_same_pixels() {
    if !oracle::is_there() {
        return;
    }
    let plate = generate::zone_plate(SIZE, PixelFormat::GRAY8);
    let picture = Picture { rows: plate.rows.iter().map(|&v| if v < 100 { 0 } else { 255 }).collect(), ..plate };
    let pack = |row: &[u8]| -> Vec<u8> {
        row.chunks(8).map(|eight| eight.iter().enumerate().fold(0, |bits, (i, v)| bits | (v & 1) << (7 - i))).collect()
    };
    for white_is_zero in [true, false] {
        let data: Vec<u8> = (0..SIZE.height).flat_map(|y| pack(picture.row(y))).collect();
        let data = data.iter().map(|byte| if white_is_zero { !byte } else { *byte }).collect();
        let photometric = u16::from(!white_is_zero);
        let file = Plain { bits: 1, format: 1, samples: 1, photometric, extra: None, data };
        let options = ["-c g3:1d", "-c g3:2d", "-c g3:1d:fill", "-c g3:2d:fill", "-c g4", "-c packbits", "-c lzw"];
        let copies = check("one bit", &file, &options, &picture);
        assert!(copies >= 30, "{copies} copies");
    }
}

/// Numbers of 32 and 64 bits keep their 16 highest bits; real ones are scaled from 0 to 1.
#[test]
fn deep_samples_are_read_with_every_predictor() {
    if !oracle::is_there() {
        return;
    }
    let picture = generate::noise(SIZE, PixelFormat::new(Channels::Rgb, Depth::Sixteen), 9);
    let of = |bits: u16, format: u16, bytes: &dyn Fn(u16) -> Vec<u8>| {
        let data = picture.samples().into_iter().flat_map(bytes).collect();
        Plain { bits, format, samples: 3, photometric: 2, extra: None, data }
    };
    let horizontal = ["-c none", "-c lzw", "-c lzw:2", "-c zip:2", "-c zstd"];
    let float = ["-c none", "-c lzw:3", "-c zip:3", "-c zstd:3", "-c lzma:p1"];
    let share = |v: u16| f64::from(v) / 65_535.0;
    type Case<'a> = (u16, u16, &'a dyn Fn(u16) -> Vec<u8>, &'a [&'a str]);
    let table: [Case<'_>; 4] = [
        (32, 1, &|v| [0x77, 0xF0, v as u8, (v >> 8) as u8].to_vec(), &horizontal),
        (64, 1, &|v| [9, 9, 9, 9, 9, 0xFF, v as u8, (v >> 8) as u8].to_vec(), &horizontal),
        (32, 3, &|v| (share(v) as f32).to_le_bytes().to_vec(), &float),
        (64, 3, &|v| share(v).to_le_bytes().to_vec(), &float),
    ];
    for (bits, format, bytes, options) in table {
        let copies = check(&format!("{bits} bits, format {format}"), &of(bits, format, bytes), options, &picture);
        assert!(copies >= 20, "{copies} copies of {bits} bits, format {format}");
    }
}

/// Damage in the middle of a strip affects only the rest of that strip.
#[test]
fn a_broken_strip_is_blank_and_the_next_is_whole() {
    if !oracle::is_there() {
        return;
    }
    let picture = generate::noise(SIZE, PixelFormat::RGB8, 4);
    let plain = Scratch::new("whole.tif");
    fs::write(&plain.0, Plain::of(&picture).bytes()).unwrap();
    let mut file = tiffcp("-c zip -r 10", &plain.0).unwrap();
    // libtiff writes strips in order behind the header; the second zlib stream starts with the same two bytes.
    let head: [u8; 2] = [file[8], file[9]];
    let second = (12..file.len()).find(|&i| file[i..i + 2] == head && file[i - 1] != head[0]).unwrap();
    file[second] ^= 0xFF;
    let source = file.as_slice();
    let notes = Notes::default();
    let mut reader = open(&source, &Budget::new(&Limits::default()), &notes).unwrap();
    let got = read_all(&mut *reader).unwrap();
    let blank = (0..SIZE.height).filter(|&y| got.row(y).iter().all(|&byte| byte == 0)).count() as u32;
    let whole = (0..SIZE.height).filter(|&y| got.row(y) == picture.row(y)).count() as u32;
    assert_eq!((blank, whole), (10, SIZE.height - 10));
    assert_eq!(notes.warnings(), [Warning::Truncated { rows: SIZE.height - 10, of: SIZE.height }]);
}

/// Colours are divided by associated alpha; transparent pixels are black.
#[test]
fn associated_alpha_becomes_straight_in_grey_and_colour() {
    for channels in [Channels::GrayAlpha, Channels::Rgba] {
        for depth in [Depth::Eight, Depth::Sixteen] {
            let pixels = PixelFormat::new(channels, depth);
            let mut picture = generate::noise(SIZE, pixels, 8);
            let (count, max) = (channels.count(), u32::from(depth.max()));
            // The pixels are opaque enough that dividing the product gives the same values again.
            let step = |x: u32, y: u32| max - (x * 7 + y) % (max / 2) / 8;
            for (x, y) in (0..SIZE.height).flat_map(|y| (0..SIZE.width).map(move |x| (x, y))) {
                picture.set_sample(x, y, count - 1, if x == 5 { 0 } else { step(x, y) as u16 });
            }
            let mut stored = picture.clone();
            for (x, y) in (0..SIZE.height).flat_map(|y| (0..SIZE.width).map(move |x| (x, y))) {
                let alpha = u32::from(picture.sample(x, y, count - 1));
                for channel in 0..count - 1 {
                    let color = u32::from(picture.sample(x, y, channel));
                    stored.set_sample(x, y, channel, ((color * alpha + max / 2) / max) as u16);
                }
            }
            let got = read(&Plain { extra: Some(1), ..Plain::of(&stored) }.bytes());
            for (x, y) in (0..SIZE.height).flat_map(|y| (0..SIZE.width).map(move |x| (x, y))) {
                for channel in 0..count {
                    let (want, got) = (picture.sample(x, y, channel), got.sample(x, y, channel));
                    let want = if x == 5 { 0 } else { want };
                    assert!(want.abs_diff(got) <= 1, "{pixels:?} at {x}, {y}: {got} for {want}");
                }
            }
        }
    }
}
