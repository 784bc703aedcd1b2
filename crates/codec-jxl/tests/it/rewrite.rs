//! Copies with other metadata, of the corpus' files and of damaged ones.

use codec_jxl::{header, rewrite_metadata, unpack};
use raster::{Budget, ByteSource, Limits, Metadata, Notes, Result};
use testkit::corpus::rows;
use testkit::memory;

use crate::corpus::decode;

/// The memory limit of a copy on the page.
const LIMITS: Limits = Limits { memory: 64 << 20 };

const SIGNATURE: &[u8] = b"\0\0\0\x0cJXL \r\n\x87\n\0\0\0\x14ftypjxl \0\0\0\0jxl ";

/// A Brotli stream of 80 MiB of zeros.
const BOMB: &[u8] = b"\xcf\xff\xff\x7f\xf8\x27\x00\xe2\xb1\x40\x20\xf7\xfe\x9f\xff\xff\xff\xf0\x4f\x00\xc4\x61\x01\
    \x80\xee\xfd\x3f\xff\xff\xff\xe1\x9f\x00\x88\xc3\x22\x00\xdd\xfb\x7f\xfe\xff\xff\xc3\x3f\x01\x10\x87\x05\x00\xba\
    \xf7\xff\xf9\xff\xff\x8f\x7f\x02\x20\x0e\x0b\x00\x74\xef\xff\x01";

fn boxed(kind: &[u8; 4], contents: &[u8]) -> Vec<u8> {
    [&(contents.len() as u32 + 8).to_be_bytes()[..], kind, contents].concat()
}

/// A Brotli stream of one block without compression, and an empty last one (RFC 7932 §9.2).
fn stored(bytes: &[u8]) -> Vec<u8> {
    let head = (bytes.len() as u32 - 1) << 4 | 1 << 20;
    [&head.to_le_bytes()[..3], bytes, &[3]].concat()
}

fn file(boxes: &[Vec<u8>]) -> Vec<u8> {
    [SIGNATURE, &boxes.concat()].concat()
}

fn copied(file: &[u8], metadata: &Metadata) -> Result<Vec<u8>> {
    let mut copy = Vec::with_capacity(file.len() + (1 << 16));
    memory::counted("copy", &LIMITS, |budget| rewrite_metadata(&file, &mut copy, metadata, budget))?;
    Ok(copy)
}

fn unpacked(file: &[u8]) -> Result<Vec<u8>> {
    // The sink is no part of the budget.
    let mut copy = Vec::with_capacity(file.len() + (4 << 20));
    memory::counted("unpack", &LIMITS, |budget| unpack(&file, &mut copy, budget))?;
    Ok(copy)
}

fn own(file: &dyn ByteSource) -> Metadata {
    let budget = Budget::new(&Limits::default());
    Metadata::clone(&header(file, &budget, &Notes::default()).unwrap().metadata)
}

#[test]
fn copies_of_the_corpus_have_its_pictures_and_the_new_metadata() {
    let Some(rows) = rows("jxl") else { return };
    let (mut copies, mut with_metadata) = (0, 0);
    for row in rows.iter().filter(|row| row.must && !row.reject) {
        let (file, name) = (row.bytes(), &row.name);
        let (info, frames) = decode(&file).unwrap();
        let had = own(&file);
        let plain = unpacked(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        let of_plain = own(&plain);
        assert_eq!((&of_plain.exif, &of_plain.xmp, of_plain.unread), (&had.exif, &had.xmp, had.unread), "{name}");
        for new in [Metadata::default(), Metadata { unread: false, ..had.clone() }] {
            let copy = copied(&file, &new).unwrap_or_else(|error| panic!("{name}: {error}"));
            let (after, copied_frames) = decode(&copy).unwrap();
            assert_eq!((&after.metadata.exif, &after.metadata.xmp), (&new.exif, &new.xmp), "{name}");
            assert!(!after.metadata.unread && copied_frames == frames, "{name}");
            assert_eq!((&after.metadata.icc, after.size), (&info.metadata.icc, info.size), "{name}");
            copies += 1;
        }
        with_metadata += u32::from(had.exif.is_some() || had.xmp.is_some());
    }
    println!("{copies} copies, {with_metadata} files have metadata");
    assert!(copies > 50, "{copies}");
}

#[test]
fn boxes_of_every_form_are_copied_as_they_are() {
    let exif = boxed(b"Exif", b"\0\0\0\0II*\0Ann");
    let picture = b"\xff\x0a\x10\x20picture";
    let long = [&[0, 0, 0, 1][..], b"jxlc", &(16 + picture.len() as u64).to_be_bytes(), picture].concat();
    let to_the_end = [&[0, 0, 0, 0][..], b"jxlc", picture].concat();
    let index = boxed(b"jxli", b"index");
    let part = |number: u32, bytes: &[u8]| boxed(b"jxlp", &[&number.to_be_bytes()[..], bytes].concat());
    for codestream in [boxed(b"jxlc", picture), long, to_the_end, [part(0, picture), part(1 << 31 | 1, b"")].concat()] {
        let old = file(&[boxed(b"jxll", &[5]), index.clone(), exif.clone(), codestream.clone()]);
        let removed = file(&[boxed(b"jxll", &[5]), index.clone(), codestream.clone()]);
        assert_eq!(copied(&old, &Metadata::default()).unwrap(), removed);
        let metadata = Metadata { exif: Some(b"MM\0*Bob".to_vec()), ..Metadata::default() };
        let replaced = boxed(b"Exif", b"\0\0\0\0MM\0*Bob");
        let expected = file(&[boxed(b"jxll", &[5]), index.clone(), replaced, codestream]);
        assert_eq!(copied(&old, &metadata).unwrap(), expected);
    }
}

#[test]
fn what_is_not_read_stays_only_if_all_stays() {
    let picture = boxed(b"jxlc", b"\xff\x0a\x10\x20picture");
    let [exif, second] = [b"\0\0\0\0II*\0Ann", b"\0\0\0\0II*\0Bob"].map(|exif| boxed(b"Exif", exif));
    let others =
        [boxed(b"jbrd", b"jpeg"), boxed(b"jumb", b"claims"), boxed(b"brob", b"jumbclaims"), second, b"end".to_vec()];
    let base = file(&[exif.clone(), picture.clone()]);
    assert!(!own(&base).unread);
    for other in &others {
        let old = file(&[exif.clone(), picture.clone(), other.clone()]);
        let all = own(&old);
        assert!(all.unread);
        assert!(copied(&old, &all).unwrap() == old);
        assert!(copied(&old, &Metadata { unread: false, ..all.clone() }).unwrap() == base);
    }
    // The JPEG cannot be made again with other metadata.
    let old = file(&[exif, picture.clone(), others[0].clone(), others[1].clone()]);
    let new = Metadata { exif: None, ..own(&old) };
    assert!(copied(&old, &new).unwrap() == file(&[picture, others[1].clone()]));
}

#[test]
fn what_cannot_be_copied_is_refused() {
    let picture = boxed(b"jxlc", b"\xff\x0a\x10\x20picture");
    let exif = boxed(b"Exif", b"\0\0\0\0II*\0Ann");
    let new = Metadata { xmp: Some(b"<x".to_vec()), ..Metadata::default() };
    let code = |file: &[u8], new: &Metadata| copied(file, new).map_err(|error| error.code());
    assert_eq!(code(&file(&[exif.clone(), picture]), &new), Err("unsupported"));
    assert_eq!(code(b"\xff\x0a\x10\x20picture", &new), Err("unsupported"));
    assert_eq!(copied(b"\xff\x0a\x10\x20picture", &Metadata::default()).unwrap(), b"\xff\x0a\x10\x20picture");
    for cut in [vec![exif.clone()], vec![exif, boxed(b"jxlp", b"\0\0\0\0\xff\x0a\x10\x20pict")]] {
        assert_eq!(code(&file(&cut), &Metadata::default()), Err("unsupported"));
    }
}

#[test]
fn compressed_metadata_become_plain_within_the_memory() {
    let picture = boxed(b"jxlc", b"\xff\x0a\x10\x20picture");
    let packed = |kind: &[u8; 4], stream: &[u8]| boxed(b"brob", &[&kind[..], stream].concat());
    let note = packed(b"jumb", b"claims");
    let old =
        file(&[packed(b"Exif", &stored(b"\0\0\0\0II*\0")), picture.clone(), packed(b"xml ", &stored(b"<x>")), note]);
    let plain =
        file(&[boxed(b"Exif", b"\0\0\0\0II*\0"), picture.clone(), boxed(b"xml ", b"<x>"), packed(b"jumb", b"claims")]);
    assert!(unpacked(&old).unwrap() == plain);
    let broken = file(&[packed(b"Exif", b"\xff\xff\xff"), picture.clone()]);
    assert!(unpacked(&broken).unwrap() == file(std::slice::from_ref(&picture)));
    let bomb = file(&[packed(b"xml ", BOMB), picture]);
    assert_eq!(unpacked(&bomb).unwrap_err().code(), "memory");
    assert_eq!(copied(&bomb, &Metadata::default()).unwrap_err().code(), "memory");
}

#[test]
fn damaged_files_are_copied_or_refused_within_their_memory() {
    let Some(rows) = rows("jxl") else { return };
    let exif = boxed(b"Exif", b"\0\0\0\0II*\0Ann");
    let xmp = [&b"xml "[..], &stored(b"<x:xmpmeta>")].concat();
    let boxes = [exif, boxed(b"brob", &xmp), boxed(b"jxlc", b"\xff\x0a\x10\x20picture")];
    let mut files: Vec<Vec<u8>> = rows.iter().step_by(6).map(testkit::corpus::Row::bytes).collect();
    files.push(file(&boxes));
    let mut ways = [0, 0];
    for file in files {
        let mut try_both = |damaged: &[u8]| {
            let outcomes = [copied(damaged, &Metadata::default()), unpacked(damaged)];
            outcomes.iter().for_each(|outcome| ways[usize::from(outcome.is_ok())] += 1);
            if let Ok(copy) = &outcomes[0] {
                assert!(copy.len() <= damaged.len());
            }
        };
        for at in 0..file.len().min(300) {
            let mut damaged = file[..file.len().min(5000)].to_vec();
            damaged[at] = [0, 1, 0x7F, 0x80, 0xFF][at % 5];
            try_both(&damaged);
            try_both(&file[..at]);
        }
    }
    println!("{} copies, {} are refused", ways[1], ways[0]);
}
