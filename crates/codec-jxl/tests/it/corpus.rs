//! The shared corpus, compared with its table and with libjxl, called through `djxl`.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use raster::{Budget, ByteSource, Depth, ImageInfo, Limits, Notes, Result, Wanted};
use testkit::corpus::{Exceptions, agree, agree_when_split, rows};
use testkit::witness;
use testkit::{Picture, cpu, memory, read_all};

/// The memory limit of each file.
const LIMITS: Limits = Limits { memory: 256 << 20 };

pub(crate) fn decode(source: &dyn ByteSource) -> Result<(ImageInfo, Vec<Picture>)> {
    decode_with(source, &Notes::default())
}

fn decode_with(source: &dyn ByteSource, notes: &Notes) -> Result<(ImageInfo, Vec<Picture>)> {
    let mut reader = codec_jxl::open(source, &Budget::new(&LIMITS), notes)?;
    let frames = reader.info().frames;
    let pictures = (0..frames).map(|_| read_all(&mut *reader)).collect::<Result<_>>()?;
    assert!(reader.next_frame(&Wanted::FULL_SIZE)?.is_none());
    Ok((reader.info().clone(), pictures))
}

#[test]
fn valid_files_decode() {
    let Some(rows) = rows("jxl") else { return };
    for row in rows.iter().filter(|row| row.must && !row.reject) {
        let (name, notes) = (&row.name, Notes::default());
        let (info, pictures) = decode_with(&row.bytes(), &notes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(Some((info.size.width, info.size.height)), row.size, "{name}");
        assert_eq!(Some(info.frames), row.frames, "{name}");
        assert_eq!(Some(info.stored.depth), row.bit_depth, "{name}");
        let is_gray = row.color.starts_with("gray");
        let pixels = info.row_format.in_colors();
        assert_eq!(
            (!pixels.channels.has_color(), pixels.channels.has_alpha()),
            (is_gray, row.color == "rgba"),
            "{name}"
        );
        assert_eq!(pixels.depth == Depth::Sixteen, info.stored.depth > 8, "{name}");
        assert!(notes.warnings().is_empty(), "{name}: {:?}", notes.warnings());
        assert!(pictures.iter().all(|picture| picture.size == info.size), "{name}");
    }
}

#[test]
fn reads_split_at_any_offset_give_the_same_pixels() {
    agree_when_split("jxl", decode);
}

#[test]
fn prefixes_of_files_end_with_an_image_or_an_error() {
    let Some(rows) = rows("jxl") else { return };
    for row in rows.iter().filter(|row| row.must && !row.reject) {
        let bytes = row.bytes();
        for eighth in 0..8 {
            let prefix = bytes[..bytes.len() * eighth / 8].to_vec();
            let outcome = cpu::within(Duration::from_secs(2), &row.name, || decode(&prefix));
            let code = outcome.err().map(|error| error.code());
            assert!(matches!(code, None | Some("malformed")), "{}: {code:?}", row.name);
        }
    }
}

/// Returns the first frame of a file as `djxl` reads it. It scales samples of 10 and 12 bits only if it is
/// told to, and then refuses alpha.
pub(crate) fn djxl(path: &Path, stored: u8) -> Option<Picture> {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.png");
    let output = Command::new("djxl")
        .arg(path)
        .arg(&out)
        .args((!matches!(stored, 8 | 16)).then_some("--bits_per_sample=16"))
        .output()
        .unwrap();
    if !output.status.success() {
        eprintln!("{}", String::from_utf8_lossy(&output.stderr));
        return None;
    }
    let bytes = std::fs::read(out).unwrap();
    let mut reader = codec_png::open(&bytes, &Budget::new(&Limits::default()), &Notes::default()).unwrap();
    Some(read_all(&mut *reader).unwrap())
}

/// Returns the largest difference of two samples in levels of 8 bits; pixels without any opacity count as equal.
pub(crate) fn difference(ours: &Picture, theirs: &Picture) -> Option<f64> {
    if (ours.size, ours.pixels) != (theirs.size, theirs.pixels) {
        return None;
    }
    let (all, channels) = ((ours.samples(), theirs.samples()), ours.pixels.channels);
    let pixels = all.0.chunks_exact(channels.count()).zip(all.1.chunks_exact(channels.count()));
    let seen = pixels.filter(|(a, b)| !channels.has_alpha() || a.last() != Some(&0) || b.last() != Some(&0));
    let most = seen.flat_map(|(a, b)| a.iter().zip(b)).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
    Some(f64::from(most) * 255.0 / f64::from(ours.pixels.depth.max()))
}

/// Measured with libjxl 0.7.0.
#[test]
fn djxl_reads_the_same_pixels() {
    const EXCEPTIONS: Exceptions =
        &[("alpha_nonpremultiplied.jxl", "refuses to write colour and alpha of different depths")];
    if witness::program(&["djxl"], "JPEG XL").is_none() {
        return;
    }
    agree("jxl", EXCEPTIONS, |row| {
        let (info, pictures) = decode(&row.bytes()).map_err(|error| error.to_string())?;
        let seen = djxl(&row.path, info.stored.depth).ok_or("refused")?;
        match difference(&pictures[0], &seen) {
            Some(levels) if levels <= 1.0 => Ok(()),
            levels => Err(format!("differs by {levels:?}, {:?} and {:?}", pictures[0], seen)),
        }
    });
}

#[test]
fn the_budget_counts_what_is_really_allocated() {
    memory::corpus_is_counted("jxl", &LIMITS, codec_jxl::open);
}

/// A file that fuzzing found: its header has codes whose tables are larger than a piece of the file.
#[test]
fn the_tables_of_a_header_are_counted() {
    let file: &[u8] = b"\
        \xff\x0a\x47\xc0\x71\xff\xff\xff\x01\x29\xce\x31\x58\x35\x22\x06\x62\x60\x21\x04\xf4\x8a\x18\xac\xc3\x18\
        \x7e\x02\x14\xa8\x00\x10\x29\x62\xbb\x3c\x4b\xf6\xb2\xad\xfb\xae\x32\xa2\xbd\x6c\xeb\xbe\x58\xfb\xee\x62\
        \xd9\xd6\x7d\xb1\xd9\xcb\xb6\x6a\xd0\x5e\x03\x11\xfb\x2f\x63\x67\xc0\x28\xdf\x27\xd9\xd8\x33\x61\xc5\xae\
        \x32\xa2\xbd\x6c\xeb\xbe\x58\xfb\xee\x62\xd9\xd6\x7d\xb1\xd9\xcb\xb6\x6a\xff\xec\x8b\xcd\x6a\xd9\xd6\x7d\
        \xb1\x59\xed\x3e\x8d\x93\x75\x5f\x6c\x56\xbb\xe5\xba\x2f\x36\xab\x5d\x53\xfb\x72\xbb\x2f\x36\xab\xdd\x72\
        \xbb\x6e\x1f\xe0\x58\x49\x9f\x31\xa2\x71\x08\xc1\x88\xdb\xfb\x8c\x40\x8a\x00";
    let outcome = memory::counted("the header", &LIMITS, |budget| {
        codec_jxl::open(&file, budget, &Notes::default()).map(|reader| reader.info().size)
    });
    assert_eq!(outcome.unwrap_err().code(), "malformed");
}

/// A file that fuzzing found: a frame of a picture of 50 × 80 pixels is one pixel wide and 294,868 high.
#[test]
fn frames_larger_than_their_picture_are_refused_before_they_are_allocated() {
    let file: &[u8] = include_bytes!("tall-frame.jxl");
    let limits = Limits { memory: 64 << 20 };
    memory::counted("the frame", &limits, |budget| memory::read(codec_jxl::open, &file, budget, 1 << 20)).unwrap_err();
}
