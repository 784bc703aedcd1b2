//! The shared corpus, compared with its table and with libavif, called through `avifdec`.

use std::time::Duration;

use raster::{Budget, ByteSource, Depth, ImageInfo, Limits, Notes, Result, Wanted, Warning};
use testkit::corpus::{Exceptions, agree, agree_when_split, rows};
use testkit::{Picture, cpu, memory, read_all, witness};

use crate::avifdec;

/// The memory limit of each file.
pub(crate) const LIMITS: Limits = Limits { memory: 256 << 20 };

pub(crate) fn decode(source: &dyn ByteSource) -> Result<(ImageInfo, Vec<Picture>)> {
    decode_with(source, &Notes::default())
}

fn decode_with(source: &dyn ByteSource, notes: &Notes) -> Result<(ImageInfo, Vec<Picture>)> {
    let mut reader = codec_avif::open(source, &Budget::new(&LIMITS), notes)?;
    let frames = reader.info().frames;
    let pictures = (0..frames).map(|_| read_all(&mut *reader)).collect::<Result<_>>()?;
    assert!(reader.next_frame(&Wanted::FULL_SIZE)?.is_none());
    Ok((reader.info().clone(), pictures))
}

#[test]
fn valid_files_decode() {
    let Some(rows) = rows("avif") else { return };
    for row in rows.iter().filter(|row| row.must && !row.reject) {
        let (name, notes) = (&row.name, Notes::default());
        let (info, pictures) = decode_with(&row.bytes(), &notes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let upright = info.orientation.turn(info.size);
        assert_eq!(Some((upright.width, upright.height)), row.size, "{name}");
        assert_eq!(Some(info.frames), row.frames, "{name}");
        let pixels = info.row_format.in_colors();
        if let Some(depth) = row.bit_depth {
            assert_eq!(info.stored.depth, depth, "{name}");
            assert_eq!(pixels.channels.has_alpha(), row.color.ends_with("alpha"), "{name}");
        }
        assert_eq!(pixels.depth == Depth::Sixteen, info.stored.depth > 8, "{name}");
        assert!(notes.warnings().is_empty(), "{name}: {:?}", notes.warnings());
        assert!(pictures.iter().all(|picture| picture.size == info.size), "{name}");
    }
}

#[test]
fn reads_split_at_any_offset_give_the_same_pixels() {
    agree_when_split("avif", decode);
}

#[test]
fn prefixes_of_files_end_with_an_image_or_an_error() {
    let Some(rows) = rows("avif") else { return };
    for row in rows.iter().filter(|row| row.must && !row.reject) {
        let bytes = row.bytes();
        for eighth in 0..8 {
            let prefix = bytes[..bytes.len() * eighth / 8].to_vec();
            let outcome = cpu::within(Duration::from_secs(2), &row.name, || decode(&prefix));
            let code = outcome.err().map(|error| error.code());
            assert!(matches!(code, None | Some("malformed" | "unsupported")), "{}: {code:?}", row.name);
        }
    }
}

/// The decoder of AV1 panicked on such files before its change (crates/vendor/README.md).
#[test]
fn damaged_files_end_with_an_image_or_an_error() {
    let Some(rows) = rows("avif") else { return };
    for row in rows.iter().filter(|row| row.bytes().len() < 12_000) {
        let bytes = row.bytes();
        for step in 0..12 {
            let mut damaged = bytes.clone();
            for flip in 0..=step % 3 {
                let at = (step * 7919 + flip * 104_729 + bytes.len() / 3) % bytes.len();
                damaged[at] ^= [0x01, 0x80, 0x55, 0xFF][step % 4];
            }
            let outcome = cpu::within(Duration::from_secs(2), &row.name, || decode(&damaged));
            let code = outcome.err().map(|error| error.code());
            assert!(!matches!(code, Some("contradiction")), "{}: {code:?}", row.name);
        }
    }
}

#[test]
fn a_grid_that_is_cut_keeps_its_first_rows_of_tiles() {
    let Some(rows) = rows("avif") else { return };
    let Some(row) = rows.iter().find(|row| row.name.ends_with("sofa_grid1x5_420.avif")) else { return };
    let (bytes, notes) = (row.bytes(), Notes::default());
    let (_, whole) = decode(&bytes).unwrap();
    let (_, cut) = decode_with(&bytes[..bytes.len() - 100].to_vec(), &notes).unwrap();
    let [Warning::Truncated { rows, of: 770 }] = notes.warnings()[..] else { panic!("{:?}", notes.warnings()) };
    assert!((400..770).contains(&rows), "{rows}");
    // The last row before the missing tiles needs their chroma, so it is missing, too.
    let kept = whole[0].rows.len() / 770 * rows as usize;
    assert_eq!(cut[0].rows[..kept], whole[0].rows[..kept]);
    assert!(cut[0].rows[kept..].iter().all(|&byte| byte == 0));
}

/// Measured with libavif 0.11.1.
#[test]
fn avifdec_reads_the_same_planes() {
    const EXCEPTIONS: Exceptions = &[
        ("colors-animated-8bpc-audio.avif", "refuses it"),
        ("draw_points_idat_metasize0.avif", "refuses it"),
        ("plum_blossom_12bit.avif", "refuses it"),
        ("poc_b_506387278.avif", "refuses its second frame"),
    ];
    if witness::program(&["avifdec"], "dav1d").is_none() {
        return;
    }
    agree("avif", EXCEPTIONS, |row| {
        let (info, pictures) = decode(&row.bytes()).map_err(|error| error.to_string())?;
        (0..).zip(&pictures).try_for_each(|(frame, picture)| avifdec::compare(&row.path, &info, frame, picture))
    });
}

#[test]
fn the_budget_counts_what_is_really_allocated() {
    memory::corpus_is_counted("avif", &LIMITS, codec_avif::open);
}
