//! Tests of files with long offsets, which no file of a test's size would need, and of distributed EXIF blocks.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use raster::{Budget, Limits, PixelFormat, Size};
use testkit::Picture;
use testkit::generate::noise;

use super::*;

/// Writes pages in this form.
fn write(pages: &[(Picture, Metadata)], form: Form, compression: Compression) -> Vec<u8> {
    let (mut file, budget) = (Vec::new(), Budget::new(&Limits { memory: 8 << 20 }));
    let (first, _) = &pages[0];
    let spec = ImageSpec { frames: pages.len() as u32, ..ImageSpec::single(first.size, first.pixels, &budget) };
    let mut writer = Writer::create(&mut file, &spec, &Options { compression }).unwrap();
    for (picture, metadata) in pages {
        writer.begin_frame(&picture.header(), metadata).unwrap();
        (0..picture.size.height).for_each(|y| writer.write_row(picture.row(y)).unwrap());
    }
    writer.finish_as(form).unwrap();
    file
}

fn path(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("codec-tiff-{}-{name}", std::process::id()))
}

/// Returns a block of EXIF with both directories, in either byte order, with the maker note at 200.
fn exif(little: bool) -> Vec<u8> {
    let two = |v: u16| if little { v.to_le_bytes() } else { v.to_be_bytes() };
    let four = |v: u32| if little { v.to_le_bytes() } else { v.to_be_bytes() };
    let entry = |tag: u16, kind: u16, count: u32, value: [u8; 4]| {
        [two(tag).as_slice(), &two(kind), &four(count), &value].concat()
    };
    let directory = |entries: &[Vec<u8>]| [&two(entries.len() as u16)[..], &entries.concat(), &[0; 4]].concat();
    let short = |v: u16| [two(v)[0], two(v)[1], 0, 0];
    let mut block = if little { b"II\x2a\0".to_vec() } else { b"MM\0\x2a".to_vec() };
    block.extend(four(8));
    block.extend(directory(&[
        entry(tag::MAKE, 2, 6, four(300)),
        entry(tag::ORIENTATION, 3, 1, short(6)),
        entry(tag::EXIF_IFD, 4, 1, four(80)),
        entry(tag::GPS_IFD, 4, 1, four(150)),
    ]));
    block.resize(80, 0);
    block.extend(directory(&[
        entry(0x829A, 5, 1, four(310)),
        entry(tag::MAKER_NOTE, 7, 20, four(200)),
        entry(0xA001, 3, 1, short(1)),
    ]));
    block.resize(150, 0);
    block.extend(directory(&[entry(1, 2, 2, *b"N\0\0\0"), entry(2, 5, 3, four(318))]));
    block.resize(200, 0);
    block.extend(b"note of twenty bytes");
    block.resize(300, 0);
    block.extend(b"Maker\0");
    block.resize(310, 0);
    [1, 125, 48, 1, 51, 1, 30, 1].into_iter().for_each(|v| block.extend(four(v)));
    block
}

fn find(directory: &Builder, tag: u16) -> &Value {
    &directory.fields.iter().find(|entry| entry.tag == tag).unwrap_or_else(|| panic!("tag {tag}")).value
}

#[test]
fn both_byte_orders_of_exif_become_the_same_directories() {
    let pages = [true, false].map(|little| {
        let (block, mut page) = (exif(little), Builder::new(Order::Little));
        let note = exif::take_apart(&block, &mut page).unwrap();
        assert_eq!((note.at, note.bytes), (200, &b"note of twenty bytes"[..]));
        page
    });
    let page = &pages[0];
    assert_eq!(page.fields.len(), 3, "the orientation is dropped");
    assert_eq!(find(page, tag::MAKE), &Value::Bytes(b"Maker\0".to_vec()));
    let Value::Directory(exif) = find(page, tag::EXIF_IFD) else { panic!("a directory") };
    let Value::Directory(gps) = find(page, tag::GPS_IFD) else { panic!("a directory") };
    let longs = |values: &[u32]| Value::Bytes(values.iter().flat_map(|v| v.to_le_bytes()).collect());
    assert_eq!(find(exif, 0x829A), &longs(&[1, 125]));
    assert_eq!(find(exif, 0xA001), &Value::Bytes(vec![1, 0]));
    assert_eq!(find(gps, 2), &longs(&[48, 1, 51, 1, 30, 1]));
    let big_endian = pages[1].clone();
    assert_eq!(pages[0], big_endian);
}

#[test]
fn no_prefix_and_no_flipped_bit_of_exif_panics_or_grows() {
    let sound = exif(true);
    let take = |block: &[u8]| {
        let mut page = Builder::new(Order::Little);
        let _ = exif::take_apart(block, &mut page);
        assert!(page.max_len() < 2 * (block.len() as u64 + 200), "{}", page.max_len());
    };
    (0..sound.len()).for_each(|end| take(&sound[..end]));
    for bit in 0..8 * sound.len() {
        let mut block = sound.clone();
        block[bit / 8] ^= 1 << (bit % 8);
        take(&block);
    }
}

#[test]
fn values_referenced_a_thousand_times_are_copied_once() {
    let mut block = b"II\x2a\0\x08\0\0\0".to_vec();
    block.extend([1, 0]);
    block.extend([0x25, 0x88, 4, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0]);
    block.extend(1000_u16.to_le_bytes());
    for tag in 0..1000_u16 {
        block.extend(tag.to_le_bytes());
        block.extend([7, 0, 0, 32, 0, 0, 0, 0, 0, 0]);
    }
    let mut page = Builder::new(Order::Little);
    assert!(exif::take_apart(&block, &mut page).is_none());
    let Value::Directory(gps) = find(&page, tag::GPS_IFD) else { panic!("a directory") };
    assert_eq!(gps.fields.len(), 1, "12 000 bytes hold 8192 once");
}

/// libtiff reads the long form through tiffcp, which copies the decoded pixels behind eight bytes of header.
#[test]
fn libtiff_reads_the_long_form() {
    let layouts = [PixelFormat::GRAY8, PixelFormat::RGB8, PixelFormat::RGBA8];
    let metadata = Metadata {
        icc: Some((0..=255).collect()),
        exif: Some(exif(false)),
        resolution: Some(raster::Resolution { x: 300.0, y: 72.5 }),
        ..Metadata::default()
    };
    let pages = layouts.map(|pixels| (noise(Size::new(301, 999), pixels, 7), metadata.clone()));
    let (big, raw) = (path("big.tif"), path("raw.tif"));
    for compression in [Compression::None, Compression::Lzw, Compression::Deflate] {
        let file = write(&pages, Form::Big, compression);
        assert!(file.starts_with(b"II\x2b\0\x08\0\0\0"));
        fs::write(&big, file).unwrap();
        let Ok(info) = Command::new("tiffinfo").arg(&big).output() else {
            eprintln!("SKIPPED: no tiffinfo on PATH");
            return;
        };
        assert_eq!(String::from_utf8_lossy(&info.stderr), "", "no warnings");
        assert_eq!(String::from_utf8_lossy(&info.stdout).matches("Image Width: 301").count(), 3);
        for (number, (picture, _)) in pages.iter().enumerate() {
            let page = format!("{},{number}", big.display());
            let copied = Command::new("tiffcp").args(["-c", "none", &page]).arg(&raw).output().unwrap();
            assert_eq!(String::from_utf8_lossy(&copied.stderr), "");
            assert!(fs::read(&raw).unwrap()[8..].starts_with(&picture.rows), "page {number}");
        }
    }
    let _ = (fs::remove_file(big), fs::remove_file(raw));
}
