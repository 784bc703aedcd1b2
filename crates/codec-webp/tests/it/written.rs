//! Files that are written here, read again here and by libwebp.

use std::path::Path;
use std::process::Command;
use std::{fs, process};

use codec_webp::{Lossless, Options, create, open, rewrite_metadata};
use raster::{
    Budget, Delay, Error, FrameHeader, ImageSpec, Limits, Metadata, Notes, PixelFormat, RowReader, Sequence, Size,
    Wanted,
};
use testkit::generate::Lcg;
use testkit::witness::{self, Seen, premultiplied};
use testkit::{Picture, read_all, write_with};

const DELAY: Delay = Delay { numerator: 3, denominator: 50 };

fn budget() -> Budget {
    Budget::new(&Limits::default())
}

/// A picture with flat areas, edges and, where the format has alpha, every level of it.
fn picture(size: Size, pixels: PixelFormat, seed: u64) -> Picture {
    Picture::paint(size, pixels, |x, y| {
        let speck = if Lcg::new(seed + u64::from(x * y)).next_byte() > 200 { 0.5 } else { 0.0 };
        [f64::from(x % 7) / 7.0, f64::from(y % 5) / 5.0, speck, f64::from((x + y) % 256) / 255.0]
    })
}

fn profile() -> Vec<u8> {
    let mut profile = vec![0; 132];
    profile[..4].copy_from_slice(&132_u32.to_be_bytes());
    profile[16..20].copy_from_slice(b"RGB ");
    profile[36..40].copy_from_slice(b"acsp");
    profile
}

fn still(picture: &Picture, metadata: &Metadata) -> Vec<u8> {
    let mut file = Vec::new();
    let budget = budget();
    let spec = ImageSpec::single(picture.size, picture.pixels, &budget);
    write_with(create(&mut file, &spec, Options::LOSSLESS, Lossless).unwrap(), picture, metadata).unwrap();
    file
}

fn animation(pictures: &[Picture]) -> Vec<u8> {
    let mut file = Vec::new();
    let budget = budget();
    let Picture { size, pixels, .. } = pictures[0];
    let (frames, sequence) = (pictures.len() as u32, Sequence::Animation { plays: 7 });
    let spec = ImageSpec { frames, sequence, ..ImageSpec::single(size, pixels, &budget) };
    let mut writer = create(&mut file, &spec, Options::LOSSLESS, Lossless).unwrap();
    for picture in pictures {
        let header = FrameHeader { delay: Some(DELAY), ..picture.header() };
        writer.begin_frame(&header, &Metadata::default()).unwrap();
        (0..size.height).for_each(|y| writer.write_row(picture.row(y)).unwrap());
    }
    writer.finish().unwrap();
    file
}

/// The frames of a file as libwebp decodes them for ImageMagick; nothing where that is missing.
fn libwebp(name: &str, file: &[u8]) -> Option<Vec<Seen>> {
    let convert = witness::imagemagick()?;
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}.webp", process::id()));
    fs::write(&path, file).unwrap();
    let output = Command::new(convert).arg(&path).args(["-coalesce", "-depth", "8", "pam:-"]).output().unwrap();
    fs::remove_file(&path).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(witness::pams(&output.stdout).unwrap())
}

fn assert_seen(name: &str, file: &[u8], pictures: &[Picture]) {
    let Some(seen) = libwebp(name, file) else { return };
    assert_eq!(seen.len(), pictures.len());
    for (frame, (seen, picture)) in seen.iter().zip(pictures).enumerate() {
        assert_eq!(Seen::of(picture).difference(seen, premultiplied), Some(0), "{name}, frame {frame}");
    }
}

#[test]
fn a_still_picture_and_its_metadata_come_back_exactly() {
    let all = Metadata {
        icc: Some(profile()),
        exif: Some(b"MM\0\x2a\0\0\0\x08\0\0\0\0\0\0".to_vec()),
        xmp: Some(b"<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".to_vec()),
        ..Metadata::default()
    };
    for (width, height) in [(1, 1), (2, 3), (33, 17), (300, 5)] {
        for pixels in [PixelFormat::RGB8, PixelFormat::RGBA8] {
            for metadata in [Metadata::default(), all.clone()] {
                let picture = picture(Size::new(width, height), pixels, width.into());
                let file = still(&picture, &metadata);
                let notes = Notes::default();
                let mut reader = open(&file, &budget(), &notes).unwrap();
                assert_eq!(*reader.info().metadata, metadata);
                assert_eq!(notes.warnings(), []);
                assert_eq!(read_all(&mut *reader).unwrap(), picture);
                assert_seen("still", &file, &[picture]);
            }
        }
    }
}

#[test]
fn a_copy_with_other_metadata_has_the_same_pictures_and_nothing_of_the_old_metadata() {
    let exif = Some(b"MM\0\x2a\0\0\0\x08\0\0\0\0\0".to_vec());
    let old = Metadata { icc: Some(profile()), exif, xmp: Some(b"<old secret='1'/>".to_vec()), ..Metadata::default() };
    let own = picture(Size::new(33, 17), PixelFormat::RGBA8, 3);
    let mut file = still(&own, &old);
    file.extend(b"ABCD\x06\0\0\0secret");
    let len = file.len() as u32 - 8;
    file[4..8].copy_from_slice(&len.to_le_bytes());
    for new in [Metadata { xmp: None, ..old.clone() }, Metadata { exif: None, xmp: None, ..old.clone() }, old] {
        let mut copy = Vec::new();
        rewrite_metadata(&file, &mut copy, &new).unwrap();
        let mut reader = open(&copy, &budget(), &Notes::default()).unwrap();
        assert_eq!(*reader.info().metadata, new);
        assert_eq!(read_all(&mut *reader).unwrap(), own);
        drop(reader);
        assert_eq!(copy.len() as u32, u32::from_le_bytes(copy[4..8].try_into().unwrap()) + 8);
        assert_eq!(copy.windows(6).any(|bytes| bytes == b"secret"), new.xmp.is_some());
        assert_seen("rewritten", &copy, std::slice::from_ref(&own));
    }
    let cut = file.len() / 2;
    assert_eq!(rewrite_metadata(&&file[..cut], &mut Vec::new(), &Metadata::default()).unwrap_err().code(), "malformed");
    let pictures = [picture(Size::new(9, 8), PixelFormat::RGB8, 1), picture(Size::new(9, 8), PixelFormat::RGB8, 2)];
    let mut copy = Vec::new();
    rewrite_metadata(&animation(&pictures), &mut copy, &Metadata::default()).unwrap();
    assert!(copy == animation(&pictures));
}

#[test]
fn an_animation_comes_back_with_every_frame_its_delays_and_its_plays() {
    for pixels in [PixelFormat::RGB8, PixelFormat::RGBA8] {
        let size = Size::new(31, 22);
        let first = picture(size, pixels, 1);
        let mut dot = first.clone();
        dot.set_sample(13, 7, 0, 250);
        let pictures = [first.clone(), dot.clone(), dot, picture(size, pixels, 2), first];
        let file = animation(&pictures);
        let mut reader = open(&file, &budget(), &Notes::default()).unwrap();
        let info = reader.info();
        assert_eq!((info.frames, info.sequence), (5, Sequence::Animation { plays: 7 }));
        for picture in &pictures {
            let mut frame = reader.next_frame(&Wanted::FULL_SIZE).unwrap().unwrap();
            let delay = frame.info.delay.unwrap();
            assert_eq!(delay.numerator * DELAY.denominator, delay.denominator * DELAY.numerator);
            let mut row = vec![0; frame.info.row_bytes() as usize];
            for y in 0..size.height {
                frame.rows.read_row(&mut row).unwrap();
                assert_eq!(row, picture.row(y));
            }
        }
        // ImageMagick lays every frame over the canvas, also where the file asks to replace its pixels.
        if !pixels.channels.has_alpha() {
            assert_seen("animation", &file, &pictures);
        }
        let whole = still(&pictures[0], &Metadata::default()).len();
        assert!(file.len() < 4 * whole, "unchanged areas are stored once: {} for {whole}", file.len());
    }
}

#[test]
fn sides_beyond_the_format_and_pages_are_refused() {
    let budget = budget();
    let wide = ImageSpec::single(Size::new(16_384, 1), PixelFormat::RGB8, &budget);
    assert!(matches!(create(&mut Vec::new(), &wide, Options::LOSSLESS, Lossless).err(), Some(Error::Limit(_))));
    let small = ImageSpec::single(Size::new(2, 2), PixelFormat::RGB8, &budget);
    let pages = ImageSpec { frames: 2, sequence: Sequence::Pages, ..small };
    assert!(matches!(
        create(&mut Vec::new(), &pages, Options::LOSSLESS, Lossless).err(),
        Some(Error::Unsupported { .. })
    ));
}
