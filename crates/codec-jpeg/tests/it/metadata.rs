//! Tests of written metadata, and of files that get other metadata while their pixels stay.

use codec_jpeg::{FORMAT, Options, rewrite_metadata};
use raster::{Budget, ImageSpec, Limits, Metadata, Notes, PixelFormat, Resolution, Size, Text};
use testkit::{Picture, corpus, generate, read_all, write_with};

fn budget() -> Budget {
    Budget::new(&Limits::default())
}

fn noise(len: usize, seed: u8) -> Vec<u8> {
    (0..len).map(|i| (i * 31 % 251) as u8 ^ seed).collect()
}

fn profile(len: u32) -> Vec<u8> {
    let mut profile = noise(len as usize, 0);
    profile[..4].copy_from_slice(&len.to_be_bytes());
    profile[16..20].copy_from_slice(b"RGB ");
    profile[36..40].copy_from_slice(b"acsp");
    profile
}

fn everything() -> Metadata {
    Metadata {
        icc: Some(profile(600)),
        exif: Some(b"MM\0\x2a not looked into here".into()),
        xmp: Some(b"<x:xmpmeta/>".into()),
        iptc: Some(b"\x1C\x02\x50\0\x03Ann".into()),
        texts: vec![Text::comment("A boat".into()), Text::comment("船".into())],
        resolution: Some(Resolution { x: 300.0, y: 72.0 }),
        ..Metadata::default()
    }
}

fn write(picture: &Picture, metadata: &Metadata) -> Vec<u8> {
    let (mut bytes, budget) = (Vec::new(), budget());
    let spec = ImageSpec::single(picture.size, picture.pixels, &budget);
    write_with(codec_jpeg::create(&mut bytes, &spec, &Options::default()).unwrap(), picture, metadata).unwrap();
    bytes
}

fn metadata(bytes: &[u8]) -> Metadata {
    Metadata::clone(&codec_jpeg::open(&bytes, &budget(), &Notes::default()).unwrap().info().metadata)
}

fn pixels(bytes: &[u8]) -> Picture {
    read_all(&mut *codec_jpeg::open(&bytes, &budget(), &Notes::default()).unwrap()).unwrap()
}

fn relabelled(bytes: &[u8], metadata: &Metadata) -> Vec<u8> {
    let mut out = Vec::new();
    rewrite_metadata(&bytes, &mut out, metadata).unwrap();
    out
}

#[test]
fn metadata_of_the_largest_size_are_read_back() {
    let picture = generate::gradient(Size::new(33, 17), PixelFormat::RGB8);
    let long = Metadata {
        icc: Some(profile(200_000)),
        exif: Some(noise(FORMAT.metadata.exif, 1)),
        xmp: Some(noise(FORMAT.metadata.xmp, 2)),
        iptc: Some(noise(150_001, 3)),
        texts: vec![Text::comment("x".repeat(65_533))],
        ..Metadata::default()
    };
    for all in [everything(), long, Metadata::default()] {
        let bytes = write(&picture, &all);
        assert!(metadata(&bytes) == all);
        assert!(pixels(&bytes) == pixels(&write(&picture, &Metadata::default())));
    }
}

#[test]
fn new_metadata_replace_all_others_and_trailing_data() {
    let picture = generate::gradient(Size::new(64, 48), PixelFormat::RGB8);
    let plain = write(&picture, &Metadata::default());
    let full = write(&picture, &everything());
    let secrets = b"\xFF\xFE\0\x0860,23N\xFF\xE5\0\x0860,23N\xFF\xE2\0\x0860,23N";
    let busy = [&full[..2], secrets, &full[2..], b"60,23N behind the end"].concat();
    let kept = relabelled(&busy, &everything());
    assert!(metadata(&kept) == everything() && pixels(&kept) == pixels(&plain));
    assert_eq!(kept.len(), full.len(), "the order of segments apart, the file is the same");
    let unprofiled = Metadata { icc: None, ..everything() };
    assert!(relabelled(&plain, &unprofiled) == write(&picture, &unprofiled));
    assert!(relabelled(&relabelled(&plain, &unprofiled), &Metadata::default()) == plain);
}

/// Returns a packet with space for the name of its extension, and an extension of four pieces.
fn extended() -> Metadata {
    let packet = |text: &str| format!("<x:xmpmeta><rdf:RDF><a>{text}</a></rdf:RDF></x:xmpmeta>").into_bytes();
    Metadata { xmp: Some(packet("")), xmp_extension: Some(packet(&"x".repeat(200_000))), ..Metadata::default() }
}

#[test]
fn pieces_of_extended_xmp_may_be_in_any_order() {
    let picture = generate::gradient(Size::new(9, 9), PixelFormat::RGB8);
    let bytes = write(&picture, &extended());
    let found = metadata(&bytes);
    assert!(found.xmp_extension == extended().xmp_extension);
    let xmp = String::from_utf8(found.xmp.unwrap()).unwrap();
    assert!(xmp.ends_with("/></rdf:RDF></x:xmpmeta>") && xmp.contains("HasExtendedXMP"), "{xmp}");

    let name = b"http://ns.adobe.com/xmp/extension/\0";
    let starts: Vec<usize> = (4..bytes.len()).filter(|&at| bytes[at..].starts_with(name)).map(|at| at - 4).collect();
    let length = |at: usize| 2 + usize::from(u16::from_be_bytes([bytes[at + 2], bytes[at + 3]]));
    let pieces: Vec<&[u8]> = starts.iter().map(|&at| &bytes[at..at + length(at)]).collect();
    let (before, behind) = (&bytes[..starts[0]], &bytes[starts[3] + length(starts[3])..]);
    let with = |order: &[usize]| {
        let pieces: Vec<u8> = order.iter().flat_map(|&i| pieces[i].to_vec()).collect();
        let file = [before, &pieces, behind].concat();
        let budget = budget();
        let notes = Notes::default();
        let reader = codec_jpeg::open(&file, &budget, &notes).unwrap();
        (reader.info().metadata.xmp_extension.is_some(), notes.warnings().len())
    };
    assert_eq!(pieces.len(), 4);
    assert_eq!(with(&[2, 0, 3, 1]), (true, 0));
    for damaged in [&[0, 1, 2][..], &[1, 2, 3], &[0, 1, 1, 2, 3]] {
        assert_eq!(with(damaged), (false, 1), "{damaged:?}");
    }
    assert_eq!(with(&[]), (false, 0));
}

#[test]
fn a_packet_without_space_for_a_name_has_no_extension() {
    let full = Metadata { xmp: Some(noise(FORMAT.metadata.xmp, 2)), ..extended() };
    let can_hold = FORMAT.metadata.xmp_extension.unwrap();
    assert!(can_hold(&extended()) && !can_hold(&full));
    let found = metadata(&write(&generate::gradient(Size::new(9, 9), PixelFormat::RGB8), &full));
    assert!(found == Metadata { xmp_extension: None, ..full });
}

#[test]
fn comments_are_texts_in_utf8_or_else_latin1() {
    let picture = generate::gradient(Size::new(9, 9), PixelFormat::RGB8);
    let plain = write(&picture, &Metadata::default());
    let table: [(&[u8], Option<&str>); 6] = [
        (b"A boat\r\n", Some("A boat\r\n")),
        ("船\0\0".as_bytes(), Some("船")),
        (b"\xC4nnchen", Some("Ännchen")),
        (b"\x01\x02\xFF", None),
        (b"\0\0", None),
        (b"", None),
    ];
    for (bytes, expected) in table {
        let length = (bytes.len() as u16 + 2).to_be_bytes();
        let file = [&plain[..2], &[0xFF, 0xFE], &length, bytes, &plain[2..]].concat();
        let found = metadata(&file).texts;
        assert_eq!(found, expected.map(|text| Text::comment(text.into())).as_slice());
    }
    // A long comment takes several segments, which are never divided inside a character.
    let long = Metadata { texts: vec![Text::comment("船".repeat(30_000))], ..Metadata::default() };
    let back: String = metadata(&write(&picture, &long)).texts.into_iter().map(|text| text.text).collect();
    assert_eq!(back, long.texts[0].text);
    let other = Metadata { texts: vec![Text { keyword: "Title".into(), ..Text::default() }], ..Metadata::default() };
    assert!(write(&picture, &other) == plain);
}

/// Adobe's RGB files are not JFIF files; a JFIF segment would change their meaning to YCbCr.
#[test]
fn new_metadata_keep_the_pixels_of_every_file_of_the_corpus() {
    let Some(rows) = corpus::rows("jpeg") else { return };
    let mut compared = 0;
    for row in rows.iter().filter(|row| row.must && !row.reject) {
        let bytes = row.bytes();
        let open = |bytes: &Vec<u8>| {
            codec_jpeg::open(bytes, &budget(), &Notes::default()).and_then(|mut reader| read_all(&mut *reader))
        };
        let Ok(before) = open(&bytes) else { continue };
        let after = open(&relabelled(&bytes, &everything())).unwrap();
        assert!(after == before, "{}", row.name);
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn every_prefix_and_every_file_of_the_corpus_ends_in_a_file_or_an_error() {
    let bytes = write(&generate::gradient(Size::new(20, 20), PixelFormat::RGB8), &everything());
    for end in 0..bytes.len() {
        let mut out = Vec::new();
        if rewrite_metadata(&&bytes[..end], &mut out, &Metadata::default()).is_ok() {
            assert!(out.ends_with(b"\xFF\xD9") && out.len() <= end + 2 + 2, "cut at {end}");
        }
    }
    for row in corpus::rows("jpeg").unwrap_or_default() {
        let _ = rewrite_metadata(&row.bytes(), &mut Vec::new(), &Metadata::default());
    }
}
