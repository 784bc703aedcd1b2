//! Tests of written metadata, of older forms of metadata, and of files that get other metadata while their pixels stay.

use core::cell::Cell;

use codec_png::{Options, rewrite_metadata};
use raster::{Budget, ByteSource, ImageSpec, Limits, Metadata, Notes, PixelFormat, Resolution, Size, Text, Warning};
use testkit::{Picture, corpus, generate, read_all, write_with};

fn budget() -> Budget {
    Budget::new(&Limits::default())
}

fn everything() -> Metadata {
    let mut profile = vec![7; 600];
    profile[..4].copy_from_slice(&600_u32.to_be_bytes());
    profile[16..20].copy_from_slice(b"RGB ");
    profile[36..40].copy_from_slice(b"acsp");
    Metadata {
        icc: Some(profile),
        exif: Some(b"MM\0\x2a not looked into here".into()),
        xmp: Some(b"<x:xmpmeta/>".into()),
        iptc: Some([&b"\x1C\x02\x50\0\xC8"[..], &[b'A'; 200]].concat()),
        texts: vec![text("Title", "A boat"), text("Comment", "船")],
        ..Metadata::default()
    }
}

fn text(keyword: &str, text: &str) -> Text {
    Text { keyword: keyword.into(), text: text.into(), ..Text::default() }
}

fn write(picture: &Picture, metadata: &Metadata) -> Vec<u8> {
    let (mut bytes, budget) = (Vec::new(), budget());
    let spec = ImageSpec::single(picture.size, picture.pixels, &budget);
    write_with(codec_png::create(&mut bytes, &spec, &Options::default()).unwrap(), picture, metadata).unwrap();
    bytes
}

fn opened(bytes: &[u8]) -> (Metadata, Vec<Warning>) {
    let budget = budget();
    let notes = Notes::default();
    let reader = codec_png::open(&bytes, &budget, &notes).unwrap();
    (Metadata::clone(&reader.info().metadata), notes.warnings())
}

fn pixels(bytes: &[u8]) -> Picture {
    read_all(&mut *codec_png::open(&bytes, &budget(), &Notes::default()).unwrap()).unwrap()
}

fn relabelled(bytes: &[u8], metadata: &Metadata) -> Vec<u8> {
    let mut out = Vec::new();
    rewrite_metadata(&bytes, &mut out, metadata, &budget()).unwrap();
    out
}

fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let named = [kind, data].concat();
    let sum = crc(&named);
    [&(data.len() as u32).to_be_bytes()[..], &named, &sum.to_be_bytes()].concat()
}

/// The slow reference of the CRC (§5.5).
fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc: u32, &byte| (0..8).fold(crc ^ u32::from(byte), step))
}

/// Returns `plain` with chunks behind its IHDR.
fn with(plain: &[u8], chunks: &[Vec<u8>]) -> Vec<u8> {
    [&plain[..33], &chunks.concat(), &plain[33..]].concat()
}

fn picture() -> Picture {
    generate::gradient(Size::new(33, 17), PixelFormat::RGB8)
}

#[test]
fn written_metadata_are_read_back() {
    for all in [everything(), Metadata::default()] {
        let bytes = write(&picture(), &all);
        assert!(opened(&bytes) == (all, vec![]));
        assert!(pixels(&bytes) == picture());
    }
    let dense = Metadata { resolution: Some(Resolution { x: 300.0, y: 72.0 }), ..Metadata::default() };
    let Resolution { x, y } = opened(&write(&picture(), &dense)).0.resolution.unwrap();
    assert!((x - 300.0).abs() < 0.02 && (y - 72.0).abs() < 0.02, "{x} × {y}: whole pixels per metre");
}

#[test]
fn older_forms_of_metadata_are_read() {
    let plain = write(&picture(), &Metadata::default());
    let deflate = |data: &[u8]| fdeflate::compress_to_vec(data);
    let international = |flag: u8, text: &[u8]| [b"XML:com.adobe.xmp\0", &[flag, 0][..], b"en\0\0", text].concat();
    let raw = |name: &str, bytes: &[u8]| {
        let digits: String = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
        format!("\n{name}\n{:8}\n{digits}\n", bytes.len()).into_bytes()
    };
    let profile = |name: &str, bytes: &[u8]| [b"Raw profile type ", name.as_bytes(), b"\0", &raw(name, bytes)].concat();
    let deflated = |name: &str, bytes: &[u8]| {
        [b"Raw profile type ", name.as_bytes(), b"\0\0", &deflate(&raw(name, bytes))].concat()
    };
    let datasets = b"\x1C\x02\x50\0\x03Ann";
    let resource = b"8BIM\x04\x04\0\0\0\0\0\x08\x1C\x02\x50\0\x03Ann";
    let xmp = |text: &[u8]| Metadata { xmp: Some(text.into()), ..Metadata::default() };
    let exif = Metadata { exif: Some(b"MM\0\x2a...".into()), ..Metadata::default() };
    let iptc = Metadata { iptc: Some(datasets.into()), ..Metadata::default() };
    let table = [
        (chunk(b"iTXt", &international(0, b"<x/>")), xmp(b"<x/>")),
        (chunk(b"iTXt", &international(1, &deflate(&[b'x'; 100_000]))), xmp(&[b'x'; 100_000])),
        (chunk(b"tEXt", &profile("xmp", b"<x/>")), xmp(b"<x/>")),
        (chunk(b"zTXt", &deflated("APP1", b"http://ns.adobe.com/xap/1.0/\0<x/>")), xmp(b"<x/>")),
        (chunk(b"tEXt", &profile("exif", b"Exif\0\0MM\0\x2a...")), exif.clone()),
        (chunk(b"zTXt", &deflated("APP1", b"Exif\0\0MM\0\x2a...")), exif.clone()),
        (chunk(b"zTXt", &deflated("iptc", resource)), iptc.clone()),
        (chunk(b"tEXt", &profile("8bim", resource)), iptc.clone()),
        (chunk(b"tEXt", &profile("iptc", datasets)), iptc),
        (chunk(b"tEXt", &profile("generic", b"Ann")), Metadata::default()),
        ([chunk(b"eXIf", b"MM\0\x2a..."), chunk(b"tEXt", &profile("exif", b"MM\0\x2aolder"))].concat(), exif),
    ];
    for (i, (chunk, expected)) in table.into_iter().enumerate() {
        assert_eq!(opened(&with(&plain, &[chunk])), (expected, vec![]), "row {i}");
    }
}

#[test]
fn texts_are_read_from_every_kind_of_chunk() {
    let plain = write(&picture(), &Metadata::default());
    let long = "wide and long ".repeat(10_000);
    let deflated = fdeflate::compress_to_vec(long.as_bytes());
    let foreign = Text { language: "de-CH".into(), translated: "Käpt’n".into(), ..text("Author", "Ännchen 船") };
    let table = [
        (chunk(b"tEXt", b"Author\0\xC4nnchen\nBerg"), text("Author", "Ännchen\nBerg")),
        (chunk(b"tEXt", b"Author\0"), text("Author", "")),
        (chunk(b"tEXt", b"Author\0Ann\0\0"), text("Author", "Ann")),
        (chunk(b"tEXt", b" An  author \0Ann"), text("An author", "Ann")),
        (chunk(b"zTXt", &[b"Comment\0\0", &deflated[..]].concat()), text("Comment", &long)),
        (chunk(b"iTXt", "Author\0\0\0de-CH\0Käpt’n\0Ännchen 船".as_bytes()), foreign),
        (chunk(b"iTXt", &[b"Comment\0\x01\0\0\0", &deflated[..]].concat()), text("Comment", &long)),
    ];
    for (chunk, expected) in table {
        let found = opened(&with(&plain, &[chunk]));
        assert_eq!(found, (Metadata { texts: vec![expected], ..Metadata::default() }, vec![]));
    }
}

#[test]
fn texts_are_written_in_the_oldest_chunk_that_holds_them() {
    let (short, long) = ("ß".repeat(511), "ß".repeat(512));
    let (foreign, deflated) = ("船".repeat(341), "船".repeat(342));
    let german = Text { language: "de".into(), ..text("Title", "Boot") };
    let table = [
        (text("Title", "A boat"), b"tEXt"),
        (text("Title", ""), b"tEXt"),
        (text("Title", &short), b"tEXt"),
        (text("Title", &long), b"zTXt"),
        (text("Title", &foreign), b"iTXt"),
        (text("Title", &deflated), b"iTXt"),
        (german, b"iTXt"),
    ];
    for (text, kind) in table {
        let metadata = Metadata { texts: vec![text], ..Metadata::default() };
        let bytes = write(&picture(), &metadata);
        assert_eq!(bytes[37..41], *kind);
        assert_eq!(opened(&bytes), (metadata, vec![]));
    }
}

/// Returns `plain` with chunks before its IEND.
fn with_behind(plain: &[u8], chunks: &[Vec<u8>]) -> Vec<u8> {
    let (before, end) = plain.split_at(plain.len() - 12);
    [before, &chunks.concat(), end].concat()
}

#[test]
fn metadata_behind_the_pixels_are_used_unless_the_same_kind_is_before_them() {
    let lying = b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    let all = Metadata {
        exif: Some(lying.into()),
        xmp: Some(b"<x/>".into()),
        texts: vec![text("Title", "A boat"), text("Comment", "Moored")],
        ..Metadata::default()
    };
    let behind = [
        chunk(b"eXIf", lying),
        chunk(b"tIME", b"1234567"),
        chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0<x/>"),
        chunk(b"tEXt", b"Comment\0Moored"),
    ];
    let titled = Metadata { texts: vec![text("Title", "A boat")], ..Metadata::default() };
    let bytes = with_behind(&write(&picture(), &titled), &behind);
    let budget = budget();
    let reader = codec_png::open(&bytes, &budget, &Notes::default()).unwrap();
    assert_eq!(*reader.info().metadata, all);
    assert_eq!(reader.info().orientation, raster::Orientation::Upright, "as browsers show it");

    let first = Metadata { exif: Some(b"MM\0\x2athe first".into()), xmp: Some(b"<first/>".into()), ..titled };
    let found = opened(&with_behind(&write(&picture(), &first), &behind)).0;
    assert_eq!((&found.exif, &found.xmp, found.texts), (&first.exif, &first.xmp, all.texts));

    let broken = [&chunk(b"eXIf", lying)[..25], b"damage", &chunk(b"tEXt", b"Comment\0Moored")].concat();
    assert_eq!(opened(&with_behind(&write(&picture(), &first), &[broken])).0.exif, first.exif);
}

/// A file whose image data are `count` blank chunks of 8 KiB, with a counter of reads.
struct Sparse {
    before: Vec<u8>,
    count: u64,
    behind: Vec<u8>,
    reads: Cell<u32>,
}

const SPARSE: u64 = 12 + 8192;

impl ByteSource for Sparse {
    fn byte_len(&self) -> u64 {
        (self.before.len() + self.behind.len()) as u64 + self.count * SPARSE
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> raster::Result<usize> {
        self.reads.set(self.reads.get() + 1);
        let first = self.before.len() as u64;
        let last = first + self.count * SPARSE;
        for (byte, at) in into.iter_mut().zip(offset..) {
            *byte = match at {
                _ if at < first => self.before[at as usize],
                _ if at < last => *b"\0\0\x20\0IDAT".get(((at - first) % SPARSE) as usize).unwrap_or(&0),
                _ => match self.behind.get((at - last) as usize) {
                    Some(&byte) => byte,
                    None => return Ok((at - offset) as usize),
                },
            };
        }
        Ok(into.len())
    }
}

#[test]
fn the_chunks_of_a_large_picture_are_skipped() {
    let plain = write(&picture(), &Metadata::default());
    let behind = [chunk(b"tEXt", b"Title\0A boat"), chunk(b"IEND", b"")].concat();
    for count in [1, 2, 3, 1000, 37_500, 400_000] {
        let source = Sparse { before: plain[..33].into(), count, behind: behind.clone(), reads: Cell::new(0) };
        let budget = budget();
        let reader = codec_png::open(&source, &budget, &Notes::default()).unwrap();
        assert_eq!(reader.info().metadata.texts, [text("Title", "A boat")], "{count} chunks");
        assert!(source.reads.get() < 50, "{count} chunks, {} reads", source.reads.get());
    }
}

#[test]
fn texts_have_bounds_in_bytes_and_number() {
    let plain = write(&picture(), &Metadata::default());
    let half = [b"Comment\0\0", &fdeflate::compress_to_vec(&[b' '; 2 << 20])[..]].concat();
    let (found, warnings) = opened(&with(&plain, &vec![chunk(b"zTXt", &half); 3]));
    assert_eq!((found.texts.len(), warnings), (1, vec![Warning::Skipped("text")]), "the second keyword is too much");
    let (found, warnings) = opened(&with(&plain, &vec![chunk(b"tEXt", b"Comment\0x"); 1001]));
    assert_eq!((found.texts.len(), warnings), (1000, vec![Warning::Skipped("text")]));
}

#[test]
fn broken_texts_and_bombs_are_warnings() {
    let plain = write(&picture(), &Metadata::default());
    let bomb = fdeflate::compress_to_vec(&vec![b' '; 64 << 20]);
    let table = [
        [&b"XML:com.adobe.xmp\0\x01\0\0\0"[..], &bomb].concat(),
        b"XML:com.adobe.xmp\0\x02\0\0\0<x/>".to_vec(),
        b"XML:com.adobe.xmp\0".to_vec(),
        b"Raw profile type exif\0\0\0\0\0\nexif\n 4000000000\n4D4D\n".to_vec(),
        b"Raw profile type exif\0\0\0\0\0no profile".to_vec(),
        [&b"Comment\0\x01\0\0\0"[..], &bomb].concat(),
        b"Comment\0\0\0\0\0two\0texts".to_vec(),
        b"Comment\0\0\0\0\0no \xC4 UTF-8".to_vec(),
        b"Comment\0\0\0d=\0\0no language".to_vec(),
        b"\0\0\0\0\0no keyword".to_vec(),
        b"Two\nlines\0\0\0\0\0no keyword".to_vec(),
        [&[b'k'; 80][..], b"\0\0\0\0\0too long a keyword"].concat(),
    ];
    for (i, data) in table.iter().enumerate() {
        let found = opened(&with(&plain, &[chunk(b"iTXt", data)]));
        assert_eq!(found, (Metadata::default(), vec![Warning::Skipped("text")]), "row {i}");
    }
}

#[test]
fn new_metadata_replace_all_others_and_trailing_data() {
    let (plain, full) = (write(&picture(), &Metadata::default()), write(&picture(), &everything()));
    let secrets = [chunk(b"tEXt", b"Comment\x0060,23N"), chunk(b"prVt", b"60,23N"), chunk(b"tIME", b"60,23N.")];
    let mut busy = with(&full, &secrets);
    let end = busy.len() - 12;
    busy.splice(end..end, chunk(b"eXIf", b"MM\0\x2a60,23N"));
    busy.extend(b"60,23N behind the end");
    let kept = relabelled(&busy, &everything());
    assert!(opened(&kept).0 == everything() && pixels(&kept) == picture() && kept.len() == full.len());
    let unprofiled = Metadata { icc: None, ..everything() };
    assert!(relabelled(&plain, &unprofiled) == write(&picture(), &unprofiled));
    assert!(relabelled(&write(&picture(), &unprofiled), &Metadata::default()) == plain);
}

#[test]
fn new_metadata_keep_the_pixels_of_every_file_of_the_corpus() {
    let Some(rows) = corpus::rows("png") else { return };
    let mut compared = 0;
    for row in rows.iter().filter(|row| row.must && !row.reject) {
        let bytes = row.bytes();
        let open = |bytes: &Vec<u8>| {
            codec_png::open(bytes, &budget(), &Notes::default()).and_then(|mut reader| read_all(&mut *reader))
        };
        let Ok(before) = open(&bytes) else { continue };
        assert!(open(&relabelled(&bytes, &everything())).unwrap() == before, "{}", row.name);
        compared += 1;
    }
    assert!(compared > 200, "{compared}");
}

#[test]
fn every_prefix_and_every_file_of_the_corpus_ends_in_a_file_or_an_error() {
    let bytes = write(&picture(), &everything());
    for end in 0..bytes.len() {
        let mut out = Vec::new();
        let _ = rewrite_metadata(&&bytes[..end], &mut out, &Metadata::default(), &budget());
        assert!(out.len() <= end.max(8), "cut at {end}");
    }
    for row in corpus::rows("png").unwrap_or_default() {
        let _ = rewrite_metadata(&row.bytes(), &mut Vec::new(), &Metadata::default(), &budget());
    }
}
