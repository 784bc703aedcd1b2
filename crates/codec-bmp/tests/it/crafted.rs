//! Files built by hand: one for each variant of the headers, and one for each possible defect.

use raster::{
    Budget, ByteSource, Error, ImageInfo, ImageSpec, Limit, Limits, Metadata, Notes, PixelFormat, Result, Size, Wanted,
    Warning, icc,
};
use testkit::generate::{self, Lcg};
use testkit::{FailingSource, Picture, SplitSource, memory, read_all, write_with};

fn decode_from(source: &dyn ByteSource) -> Result<(ImageInfo, Picture)> {
    let mut reader = codec_bmp::open(source, &Budget::new(&Limits { memory: 8 << 20 }), &Notes::default())?;
    let picture = read_all(&mut *reader)?;
    Ok((reader.info().clone(), picture))
}

fn decode(file: &[u8]) -> Result<(ImageInfo, Picture)> {
    decode_from(&file)
}

/// A file with `BITMAPINFOHEADER`, cut or extended with zeros to `header_len` bytes.
fn warnings(file: &[u8]) -> Vec<Warning> {
    let notes = Notes::default();
    read_all(&mut *codec_bmp::open(&file, &Budget::new(&Limits { memory: 8 << 20 }), &notes).unwrap()).unwrap();
    notes.warnings()
}

#[derive(Clone)]
struct Made {
    header_len: u32,
    width: i32,
    height: i32,
    bits: u16,
    compression: u32,
    colors: u32,
    /// Bytes that overwrite the header from byte 40 on.
    more: Vec<u8>,
    /// Masks and palette.
    tables: Vec<u8>,
    /// The number of zero bytes between those and the pixels.
    gap: usize,
    pixels: Vec<u8>,
}

impl Made {
    fn new(width: i32, height: i32, bits: u16, pixels: &[u8]) -> Self {
        let (more, tables, pixels) = (Vec::new(), Vec::new(), pixels.to_vec());
        Self { header_len: 40, width, height, bits, compression: 0, colors: 0, more, tables, gap: 0, pixels }
    }

    fn file(&self) -> Vec<u8> {
        let mut header = self.header_len.to_le_bytes().to_vec();
        if self.header_len == 12 {
            [self.width as u16, self.height as u16, 1, self.bits].iter().for_each(|v| header.extend(v.to_le_bytes()));
        } else {
            [self.width, self.height].iter().for_each(|v| header.extend(v.to_le_bytes()));
            [1, self.bits].iter().for_each(|v| header.extend(v.to_le_bytes()));
            [self.compression, 0, 0, 0, self.colors, 0].iter().for_each(|v| header.extend(v.to_le_bytes()));
            header.extend(&self.more);
            header.resize(self.header_len as usize, 0);
        }
        let offset = 14 + header.len() + self.tables.len() + self.gap;
        let mut file = b"BM\0\0\0\0\0\0\0\0".to_vec();
        file.extend((offset as u32).to_le_bytes());
        file.extend(header);
        file.extend(&self.tables);
        file.resize(offset, 0);
        file.extend(&self.pixels);
        file
    }
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Blue, green, red, padding.
const RED: [u8; 4] = [0, 0, 255, 0];
const GREEN: [u8; 4] = [0, 255, 0, 0];
const GREY: [u8; 4] = [7, 7, 7, 0];

#[test]
#[expect(clippy::too_many_lines, reason = "nearly all of it is a table of files")]
fn every_header_and_layout_gives_its_pixels() {
    let two_by_one = |bits, pixels: &[u8]| Made::new(2, 1, bits, pixels);
    let rgb = PixelFormat::RGB8;
    let linear: Vec<u8> = [0i16, 4096, 8192, 8192, 0, 0, 0, 0].into_iter().flat_map(i16::to_le_bytes).collect();
    let table: [(&str, Made, PixelFormat, &[u8]); 19] = [
        ("24 bits", two_by_one(24, &[1, 2, 3, 4, 5, 6, 0, 0]), rgb, &[3, 2, 1, 6, 5, 4]),
        ("padding missing", two_by_one(24, &[1, 2, 3, 4, 5, 6]), rgb, &[3, 2, 1, 6, 5, 4]),
        ("OS/2 1", Made { header_len: 12, ..two_by_one(24, &[1, 2, 3, 4, 5, 6, 0, 0]) }, rgb, &[3, 2, 1, 6, 5, 4]),
        ("OS/2 2", Made { header_len: 64, ..two_by_one(24, &[1, 2, 3, 4, 5, 6, 0, 0]) }, rgb, &[3, 2, 1, 6, 5, 4]),
        ("OS/2 2, short", Made { header_len: 16, ..two_by_one(24, &[1, 2, 3, 4, 5, 6]) }, rgb, &[3, 2, 1, 6, 5, 4]),
        ("filler is not alpha", two_by_one(32, &[1, 2, 3, 99, 4, 5, 6, 0]), rgb, &[3, 2, 1, 6, 5, 4]),
        ("5-5-5", two_by_one(16, &[0x1F, 0x80, 0x00, 0x7C]), rgb, &[0, 0, 255, 255, 0, 0]),
        (
            "5-6-5 behind the header",
            Made { compression: 3, tables: words(&[0xF800, 0x7E0, 0x1F]), ..two_by_one(16, &[0xE0, 0x07, 0x10, 0x84]) },
            rgb,
            &[0, 255, 0, 132, 130, 132],
        ),
        (
            "four masks behind the header",
            Made {
                compression: 6,
                tables: words(&[0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000]),
                ..two_by_one(32, &[1, 2, 3, 4, 5, 6, 7, 0])
            },
            PixelFormat::RGBA8,
            &[1, 2, 3, 4, 5, 6, 7, 0],
        ),
        (
            "alpha that is 0 everywhere is believed",
            Made {
                header_len: 56,
                compression: 3,
                more: words(&[0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000]),
                ..two_by_one(32, &[1, 2, 3, 0, 4, 5, 6, 0])
            },
            PixelFormat::RGBA8,
            &[3, 2, 1, 0, 6, 5, 4, 0],
        ),
        (
            "plain RGB with an alpha mask somewhere",
            Made { header_len: 108, more: words(&[0, 0, 0, 1]), ..two_by_one(32, &[1, 2, 3, 4, 5, 6, 7, 8]) },
            PixelFormat::RGBA8,
            &[3, 2, 1, 4, 7, 6, 5, 8],
        ),
        (
            "alpha beyond the pixel's bits",
            Made {
                header_len: 124,
                compression: 3,
                more: words(&[0x7C00, 0x3E0, 0x1F, 0xFF00_0000]),
                ..two_by_one(16, &[0x1F, 0, 0, 0x7C])
            },
            rgb,
            &[0, 0, 255, 255, 0, 0],
        ),
        ("64 bits", two_by_one(64, &linear), PixelFormat::RGBA8, &[255, 188, 0, 255, 0, 0, 0, 0]),
        (
            "1 bit",
            Made { tables: [RED, GREEN].concat(), ..two_by_one(1, &[0x40, 0, 0, 0]) },
            rgb,
            &[255, 0, 0, 0, 255, 0],
        ),
        (
            "a palette of greys",
            Made { tables: GREY.to_vec(), colors: 1, ..two_by_one(8, &[0, 1, 0, 0]) },
            PixelFormat::GRAY8,
            &[7, 0],
        ),
        (
            "a short palette ends in black",
            Made { tables: RED.to_vec(), ..two_by_one(8, &[0, 1, 0, 0]) },
            rgb,
            &[255, 0, 0, 0, 0, 0],
        ),
        (
            "more colours than indices",
            Made { tables: [RED; 300].concat(), colors: 300, ..two_by_one(8, &[0, 255]) },
            rgb,
            &[255, 0, 0, 255, 0, 0],
        ),
        (
            "a gap before the pixels",
            Made { tables: RED.to_vec(), colors: 1, gap: 33, ..two_by_one(8, &[0, 0]) },
            rgb,
            &[255, 0, 0, 255, 0, 0],
        ),
        (
            "a palette for poor screens",
            Made { tables: [RED; 9].concat(), colors: 9, ..two_by_one(24, &[1, 2, 3, 4, 5, 6]) },
            rgb,
            &[3, 2, 1, 6, 5, 4],
        ),
    ];
    for (what, made, pixels, rows) in table {
        let (info, picture) = decode(&made.file()).unwrap_or_else(|e| panic!("{what}: {e}"));
        assert_eq!((picture.pixels, &picture.rows[..]), (pixels, rows), "{what}");
        assert_eq!((u16::from(info.stored.depth), warnings(&made.file()).len()), (made.bits, 0), "{what}");
        let no_offset = [&made.file()[..10], &[0; 4], &made.file()[14..]].concat();
        if made.gap == 0 && made.tables.len() != 4 && made.colors != 300 {
            assert_eq!(decode(&no_offset).unwrap().1, picture, "{what}, with an offset of 0");
        }
    }
}

#[test]
fn rows_are_bottom_up_unless_the_height_is_negative() {
    let pixels = [1, 1, 1, 0, 2, 2, 2, 0];
    let [up, down] = [2, -2].map(|height| decode(&Made::new(1, height, 24, &pixels).file()).unwrap().1);
    assert_eq!((&up.rows[..], &down.rows[..]), (&[2, 2, 2, 1, 1, 1][..], &[1, 1, 1, 2, 2, 2][..]));
}

#[test]
fn invalid_files_are_refused_for_the_right_reason() {
    let plain = || Made::new(2, 2, 24, &[0; 16]);
    let fields = |compression, masks: &[u32]| Made { compression, bits: 32, tables: words(masks), ..plain() };
    let table: [(&str, Made, &str); 20] = [
        ("no width", Made { width: 0, ..plain() }, "no-size"),
        ("no height", Made { height: 0, ..plain() }, "no-size"),
        ("a negative width", Made { width: -2, ..plain() }, "malformed"),
        ("the lowest height", Made { height: i32::MIN, ..plain() }, "side"),
        ("a million and one", Made { width: 1_000_001, ..plain() }, "side"),
        ("60 000 × 60 000 in a few bytes", Made { width: 60_000, height: 60_000, ..plain() }, "implausible"),
        ("3 bits", Made { bits: 3, ..plain() }, "malformed"),
        ("0 bits", Made { bits: 0, ..plain() }, "malformed"),
        ("RLE8 of 24 bits", Made { compression: 1, ..plain() }, "malformed"),
        ("RLE4 of 8 bits", Made { compression: 2, bits: 8, ..plain() }, "malformed"),
        ("masks of 24 bits", Made { compression: 3, ..plain() }, "malformed"),
        ("compression 7", Made { compression: 7, ..plain() }, "malformed"),
        ("Huffman", Made { compression: 3, bits: 1, ..plain() }, "unsupported"),
        ("JPEG", Made { compression: 4, bits: 0, ..plain() }, "unsupported"),
        ("PNG", Made { compression: 5, bits: 0, ..plain() }, "unsupported"),
        ("CMYK", Made { compression: 11, bits: 32, ..plain() }, "unsupported"),
        ("a mask with a gap", fields(3, &[0xF0F0, 0, 0]), "malformed"),
        ("masks that overlap", fields(3, &[0xFF, 0xFF, 0xFF]), "malformed"),
        ("a negative number of colours", Made { bits: 8, colors: 0xFF00_0006, ..plain() }, "malformed"),
        ("no row", Made { pixels: vec![0; 5], ..plain() }, "malformed"),
    ];
    for (what, made, code) in table {
        assert_eq!(decode(&made.file()).unwrap_err().code(), code, "{what}");
    }
    for len in [0, 11, 13, 18, 41, 66, 109, 125, u32::MAX] {
        let mut file = plain().file();
        file[14..18].copy_from_slice(&len.to_le_bytes());
        assert_eq!(decode(&file).unwrap_err().code(), "malformed", "a header of {len} bytes");
    }
}

#[test]
fn blank_pictures_of_a_few_bytes_are_accepted_up_to_16_megapixels() {
    let sheet = |height| Made { compression: 1, ..Made::new(4096, height, 8, &[0, 1]) }.file();
    let (_, picture) = decode(&sheet(4096)).unwrap();
    assert!(warnings(&sheet(4096)).is_empty() && picture.rows.iter().all(|&v| v == 0));
    assert!(matches!(decode(&sheet(4097)), Err(Error::Limit(Limit::Implausible { .. }))));
}

#[test]
fn a_cut_file_gives_the_rows_it_has_at_their_end_of_the_picture() {
    let whole: Vec<u8> = (1..=40).collect();
    for cut in 4..40 {
        let complete = (cut + 1) / 4; // the fourth byte is padding
        let file = Made::new(1, 10, 24, &whole[..cut]).file();
        let (_, picture) = decode(&file).unwrap();
        let expected = if complete < 10 { vec![Warning::Truncated { rows: complete as u32, of: 10 }] } else { vec![] };
        assert_eq!(warnings(&file), expected);
        for y in 0..10 {
            let from_below = 9 - y as usize;
            let pixel = [3, 2, 1].map(|byte| if from_below < complete { (4 * from_below + byte) as u8 } else { 0 });
            assert_eq!(picture.row(y), pixel, "row {y} of a file cut to {cut} bytes");
        }
    }
}

/// The slow reference, which paints the whole picture by Microsoft's page on bitmap compression.
fn painted(bits: usize, width: usize, height: usize, code: &[u8]) -> Vec<[u8; 3]> {
    let mut sheet = vec![[0; 3]; width * height];
    let color = |bytes: &[u8], i: usize| match bits {
        4 => [17 * (bytes[i / 2] >> [4, 0][i % 2] & 15), 1, 2],
        8 => [bytes[i], 1, 2],
        _ => [bytes[3 * i + 2], bytes[3 * i + 1], bytes[3 * i]],
    };
    let (mut x, mut y, mut at) = (0, 0, 0);
    while let Some(&[count, value]) = code.get(at..at + 2) {
        at += 2;
        let mut paint = |pixels: Vec<[u8; 3]>| {
            for pixel in pixels {
                if x < width && y < height {
                    sheet[y * width + x] = pixel;
                }
                x = (x + 1).min(width);
            }
        };
        let (pixel_bytes, n) = (if bits == 24 { 3 } else { 1 }, usize::from(count.max(value)));
        match (count, value) {
            (0, 0) => (x, y) = (0, y + 1),
            (0, 1) => break,
            (0, 2) => {
                let Some(&[right, down]) = code.get(at..at + 2) else { break };
                (x, y, at) = ((x + usize::from(right)).min(width), y + usize::from(down), at + 2);
            }
            (0, _) => {
                let len = (n * bits).div_ceil(8).next_multiple_of(2);
                let Some(bytes) = code.get(at..at + len) else { break };
                paint((0..n).map(|i| color(bytes, i)).collect());
                at += len;
            }
            _ => {
                let Some(bytes) = code.get(at - 1..at - 1 + pixel_bytes) else { break };
                let of = |i| if bits == 4 { i % 2 } else { 0 };
                paint((0..usize::from(count)).map(|i| color(bytes, of(i))).collect());
                at += pixel_bytes - 1;
            }
        }
    }
    sheet
}

/// Returns random code with more ends, deltas and short runs than uniform bytes would give.
fn random_code(random: &mut Lcg, len: usize) -> Vec<u8> {
    let mut code = Vec::new();
    while code.len() < len {
        match random.below(8) {
            0 => code.extend([0, 0]),
            1 => code.extend([0, 2, random.below(6) as u8, random.below(3) as u8]),
            2 => code.extend([0, 3 + random.below(9) as u8]), // the literal consists of the next bytes
            3 if random.below(30) == 0 => code.extend([0, 1]),
            _ => code.extend([1 + random.below(12) as u8, random.next_byte()]),
        }
    }
    code
}

#[test]
fn rle_equals_the_slow_reference_in_either_order() {
    let mut random = Lcg::new(11);
    for round in 0..3000 {
        let (bits, compression) = [(4, 2), (8, 1), (24, 4)][round % 3];
        let (width, height) = (1 + random.below(40) as usize, 1 + random.below(12) as usize);
        let len = 2 + random.below(300) as usize;
        let code = random_code(&mut random, len);
        let scale = if bits == 4 { 17 } else { 1 };
        let palette: Vec<u8> = (0..1 << bits.min(8)).flat_map(|i: u32| [2, 1, (scale * i) as u8, 0]).collect();
        let tables = if bits == 24 { Vec::new() } else { palette };
        let header_len = if bits == 24 { 64 } else { 40 };
        let made = |height| Made {
            header_len,
            compression,
            tables: tables.clone(),
            ..Made::new(width as i32, height, bits, &code)
        };
        let sheet = painted(bits.into(), width, height, &code);
        for top_down in [false, true] {
            let file = made(if top_down { -(height as i32) } else { height as i32 }).file();
            let Ok((_, picture)) = decode(&file) else {
                // No row is complete, so only the first may be painted.
                assert!(sheet[width..].iter().all(|&pixel| pixel == [0; 3]), "round {round}");
                continue;
            };
            for y in 0..height {
                let from = if top_down { y } else { height - 1 - y };
                assert_eq!(
                    picture.row(y as u32),
                    sheet[from * width..][..width].as_flattened(),
                    "round {round}, row {y}"
                );
            }
        }
    }
}

#[test]
fn an_invalid_profile_is_left_out() {
    let picture = generate::noise(Size::new(5, 4), PixelFormat::RGB8, 4);
    for (len, kept) in [(icc::SHORTEST, true), (icc::LONGEST, true), (icc::LONGEST + 1, false)] {
        let mut icc = vec![0; len];
        icc[..4].copy_from_slice(&(len as u32).to_be_bytes());
        icc[16..20].copy_from_slice(b"RGB ");
        icc[36..40].copy_from_slice(b"acsp");
        let budget = Budget::new(&Limits::default());
        let spec = ImageSpec::single(picture.size, picture.pixels, &budget);
        let mut file = Vec::new();
        write_with(codec_bmp::create(&mut file, &spec).unwrap(), &picture, &Metadata::profile(Some(&icc))).unwrap();
        let notes = Notes::default();
        let reader = codec_bmp::open(&file, &Budget::new(&Limits { memory: 17 << 20 }), &notes).unwrap();
        assert_eq!((reader.info().metadata.icc.is_some(), &notes.warnings()[..]), (kept, &[][..]), "{len} bytes");
    }
}

/// Returns files of different kinds, small enough to test every prefix and bit.
fn samples() -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    for pixels in [PixelFormat::GRAY8, PixelFormat::RGB8, PixelFormat::RGBA8] {
        let picture = generate::noise(Size::new(13, 9), pixels, 4);
        let mut icc = vec![0; 132];
        icc[3] = 132;
        icc[16..20].copy_from_slice(b"RGB ");
        icc[36..40].copy_from_slice(b"acsp");
        let budget = Budget::new(&Limits::default());
        let spec = ImageSpec::single(picture.size, pixels, &budget);
        let mut file = Vec::new();
        write_with(codec_bmp::create(&mut file, &spec).unwrap(), &picture, &Metadata::profile(Some(&icc))).unwrap();
        files.push(file);
    }
    let code = random_code(&mut Lcg::new(3), 200);
    files.push(Made { compression: 2, tables: [RED; 16].concat(), ..Made::new(20, 15, 4, &code) }.file());
    files.push(Made { compression: 1, tables: [GREEN; 256].concat(), ..Made::new(20, -15, 8, &code) }.file());
    files.push(Made { header_len: 12, tables: vec![9; 6], ..Made::new(20, 15, 1, &[0xA5; 60]) }.file());
    files.push(
        Made { compression: 3, tables: words(&[0xF800, 0x7E0, 0x1F]), ..Made::new(5, 6, 16, &[0xA5; 72]) }.file(),
    );
    files
}

#[test]
fn any_split_of_the_reads_gives_the_same_pixels() {
    for (nth, file) in samples().iter().enumerate() {
        let (_, whole) = decode(file).unwrap();
        for seed in 0..20 {
            assert_eq!(decode_from(&SplitSource::new(file, seed)).unwrap().1, whole, "sample {nth}, seed {seed}");
        }
    }
}

#[test]
fn every_prefix_ends_in_a_picture_or_an_error() {
    for file in samples() {
        let (whole, _) = decode(&file).unwrap();
        for len in 0..file.len() {
            if let Ok((info, _)) = decode(&file[..len]) {
                assert_eq!(info.size, whole.size, "the size is right");
            }
        }
    }
}

#[test]
fn every_flipped_bit_of_the_head_ends_in_a_picture_or_an_error() {
    for file in samples() {
        for bit in 0..file.len().min(154) * 8 {
            let mut file = file.clone();
            file[bit / 8] ^= 1 << (bit % 8);
            let _ = decode(&file); // within its 8 MiB; a panic or an endless loop is the failure
        }
    }
}

#[test]
fn a_failing_source_is_not_reported_as_a_broken_file() {
    for file in samples() {
        for good in (0..file.len() as u64).step_by(7) {
            // Several rows are read together, so a source may fail only after it returned all needed bytes.
            if let Err(error) = decode_from(&FailingSource::new(&file, good)) {
                assert_eq!(error.code(), "read", "{good} good bytes");
            }
        }
    }
}

/// A picture of 24 bits whose bytes are computed, because it is too large for a test's memory.
struct Endless {
    head: Vec<u8>,
    width: u64,
    height: u64,
}

impl ByteSource for Endless {
    fn byte_len(&self) -> u64 {
        self.head.len() as u64 + self.width * 3 * self.height
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize> {
        let n = into.len().min((self.byte_len() - offset) as usize);
        for (byte, at) in into[..n].iter_mut().zip(offset..) {
            let behind = at.checked_sub(self.head.len() as u64);
            *byte = behind.map_or_else(|| self.head[at as usize], |at| (at % 251) as u8);
        }
        Ok(n)
    }
}

#[test]
fn memory_depends_on_the_width_only_and_sides_above_65535_are_accepted() {
    let (width, height) = (100_000, 300);
    let source = Endless { head: Made::new(width as i32, height as i32, 24, &[]).file(), width, height };
    let budget = Budget::new(&Limits { memory: 310_000 });
    let mut reader = codec_bmp::open(&source, &budget, &Notes::default()).unwrap();
    assert_eq!(reader.info().working_set, budget.used());
    let limits = Limits { memory: 620_000 };
    memory::counted("rows", &limits, |budget| memory::read(codec_bmp::open, &source, budget, u64::MAX)).unwrap();
    let picture = read_all(&mut *reader).unwrap();
    for (x, y) in [(0, 0), (99_999, 0), (70_000, 150), (0, 299), (99_999, 299)] {
        let at = ((height - 1 - u64::from(y)) * width + u64::from(x)) * 3;
        assert_eq!([0, 1, 2].map(|c| u64::from(picture.sample(x, y, c))), [2, 1, 0].map(|byte| (at + byte) % 251));
    }
}

#[test]
fn a_second_frame_does_not_exist() {
    let file = samples().remove(0);
    let mut reader = codec_bmp::open(&file, &Budget::new(&Limits::default()), &Notes::default()).unwrap();
    assert!(reader.next_frame(&Wanted::FULL_SIZE).unwrap().is_some());
    assert!(reader.next_frame(&Wanted::FULL_SIZE).unwrap().is_none());
}
