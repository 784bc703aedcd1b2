//! EXIF blocks built byte by byte, and their rewritten forms.

use metadata::{Picture, Policy, apply, respects, surely_respects};
use raster::{Metadata, Orientation, Resolution, Size, Text, Warning};

use crate::tiff::{ASCII, Builder, LONG, RATIONAL, SHORT, UNDEFINED, number, read};

const WRITTEN: Picture =
    Picture { size: Size { width: 640, height: 480 }, orientation: Orientation::Upright, is_converted: false };
const SECRET: &[u8] = b"\x2a\x2a60 deg 23 min north\x2a\x2a";
const THUMBNAIL: &[u8] = b"\xFF\xD8 a small picture of all \xFF\xD9";

/// Builds a camera's block: IFD0, Exif, Interop, GPS, a thumbnail in IFD1, an unknown maker note.
fn camera(little: bool, note: &[u8], make: &[u8]) -> Vec<u8> {
    let mut b = Builder::new(little);
    let gps = b.directory(&[(1, ASCII, b"N\0".into()), (0x1B, UNDEFINED, SECRET.into())], 0);
    let interop = b.directory(&[(1, ASCII, b"R98\0".into()), (0x1001, LONG, b.long(4000))], 0);
    let exif = b.directory(
        &[
            (0x829A, RATIONAL, b.longs(&[1, 250])),
            (0x927C, UNDEFINED, note.into()),
            (0xA002, LONG, b.long(4000)),
            (0xA003, SHORT, b.short(3000)),
            (0xA005, LONG, b.long(interop)),
        ],
        0,
    );
    let start = b.bytes.len() as u32;
    b.bytes.extend(THUMBNAIL);
    let (jpeg, len) = (b.long(start), b.long(THUMBNAIL.len() as u32));
    let ifd1 = b.directory(&[(0x0201, LONG, jpeg), (0x0202, LONG, len)], 0);
    let ifd0 = b.directory(
        &[
            (0x0100, SHORT, b.short(4000)),
            (0x010F, ASCII, make.into()),
            (0x0112, SHORT, b.short(6)),
            (0x011A, RATIONAL, b.longs(&[300, 1])),
            (0x011B, RATIONAL, b.longs(&[240, 1])),
            (0x0128, SHORT, b.short(2)),
            (0x014A, LONG, b.long(ifd1)),
            (0x8769, LONG, b.long(exif)),
            (0x8825, LONG, b.long(gps)),
        ],
        ifd1,
    );
    b.finish(ifd0)
}

fn rewritten(exif: &[u8], policy: Policy, picture: Picture) -> (Option<Vec<u8>>, Vec<Warning>) {
    let applied = apply(&Metadata { exif: Some(exif.into()), ..Metadata::default() }, policy, picture);
    (applied.metadata.exif, applied.warnings)
}

fn sound(exif: &[u8], policy: Policy) -> Vec<u8> {
    let (exif, warnings) = rewritten(exif, policy, WRITTEN);
    assert_eq!(warnings, []);
    exif.unwrap()
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

fn value(block: &[u8], directory: Option<usize>, tag: u16) -> Option<Vec<u8>> {
    read(block, directory).into_iter().find(|(t, _)| *t == tag).map(|(_, value)| value)
}

fn pointer(block: &[u8], directory: Option<usize>, tag: u16) -> Option<usize> {
    value(block, directory, tag).map(|value| number(block, &value))
}

/// A file that needs no change is copied unchanged; its thumbnail shows the same picture.
#[test]
fn a_thumbnail_alone_is_not_a_location() {
    let mut b = Builder::new(true);
    let start = b.bytes.len() as u32;
    b.bytes.extend(THUMBNAIL);
    let (jpeg, len) = (b.long(start), b.long(THUMBNAIL.len() as u32));
    let ifd1 = b.directory(&[(0x0201, LONG, jpeg), (0x0202, LONG, len)], 0);
    let ifd0 = b.directory(&[(0x010F, ASCII, b"Maker\0".into())], ifd1);
    let block = b.finish(ifd0);
    let metadata = Metadata { exif: Some(block.clone()), ..Metadata::default() };
    assert!(respects(&metadata, Policy::WithoutLocation));
    let rewritten = apply(&metadata, Policy::WithoutLocation, WRITTEN).metadata.exif.unwrap();
    assert!(
        !rewritten.windows(THUMBNAIL.len()).any(|bytes| bytes == THUMBNAIL),
        "the thumbnail of the old picture is removed"
    );
}

#[test]
fn a_cameras_block_is_upright_of_the_new_size_and_without_a_thumbnail() {
    for little in [true, false] {
        for policy in [Policy::WithoutLocation, Policy::Everything] {
            let camera = camera(little, b"whatever", b"Acme\0");
            let block = sound(&camera, policy);
            let exif = pointer(&block, None, 0x8769);
            let interop = pointer(&block, exif, 0xA005);
            let found = |directory, tag| value(&block, directory, tag).map(|value| number(&block, &value));
            assert_eq!(found(None, 0x0112), Some(1));
            assert_eq!(found(None, 0x0100), Some(640));
            assert_eq!((found(exif, 0xA002), found(exif, 0xA003)), (Some(640), Some(480)));
            assert_eq!(found(interop, 0x1001), Some(640));
            assert_eq!(value(&block, interop, 1).unwrap(), b"R98\0");
            assert_eq!(value(&block, exif, 0x829A), value(&camera, pointer(&camera, None, 0x8769), 0x829A));
            assert_eq!(value(&block, None, 0x014A), None);
            assert!(!contains(&block, &THUMBNAIL[4..20]));
        }
    }
}

#[test]
fn places_and_unknown_maker_notes_are_removed_unless_everything_is_kept() {
    for little in [true, false] {
        let camera = camera(little, b"at 60.39 N, 5.32 E", b"Acme\0");
        let guarded = sound(&camera, Policy::WithoutLocation);
        assert!(!contains(&guarded, &SECRET[2..12]) && !contains(&guarded, b"60.39"));
        assert_eq!(pointer(&guarded, None, 0x8825), None);
        assert_eq!(pointer(&guarded, pointer(&guarded, None, 0x8769), 0x927C), None);

        let everything = sound(&camera, Policy::Everything);
        let gps = pointer(&everything, None, 0x8825);
        assert_eq!(value(&everything, gps, 0x1B).unwrap(), SECRET);
        let exif = pointer(&everything, None, 0x8769);
        assert_eq!(value(&everything, exif, 0x927C).unwrap(), b"at 60.39 N, 5.32 E");
    }
}

#[test]
fn known_maker_notes_stay_where_they_are() {
    let camera = camera(true, b"Apple iOS\0 and more", b"Apple\0");
    let guarded = sound(&camera, Policy::WithoutLocation);
    let find = |bytes: &[u8]| bytes.windows(9).position(|window| window == b"Apple iOS");
    assert_eq!(find(&guarded), find(&camera));
    assert!(find(&guarded).is_some() && contains(&guarded, b"Apple iOS\0 and more"));
}

/// Builds a note with one entry for each tag and values outside the entries; its offsets count from `base`.
fn note(signature: &[u8], at: usize, base: usize, tags: &[u16]) -> Vec<u8> {
    let mut b = Builder { little: true, bytes: vec![0; base + at] };
    b.bytes[base..base + signature.len()].copy_from_slice(signature);
    let values: Vec<_> = tags.iter().map(|tag| (*tag, ASCII, format!("value {tag:#06x}").into_bytes())).collect();
    // In a note the directory comes before its values. It is built behind them, and then both are exchanged.
    let start = b.bytes.len() + 2 + 12 * tags.len() + 4;
    b.bytes.resize(start, 0);
    let directory = b.directory(&values, 0) as usize;
    let moved = b.bytes.split_off(directory);
    b.bytes[base + at..start].copy_from_slice(&moved);
    b.bytes.split_off(base)
}

#[test]
fn notes_of_known_forms_lose_only_places_and_previews() {
    const OTHER: u16 = 0x0999;
    // The position of the note's bytes in `camera`'s block, which is the same for all notes.
    let home = {
        let probe = camera(true, b"!!a note!!", b"Acme\0");
        probe.windows(10).position(|window| window == b"!!a note!!").unwrap()
    };
    type Case = (&'static [u8], &'static [u8], usize, usize, &'static [u16], &'static [u16]);
    let table: [Case; 8] = [
        (b"Nikon\0\x02\x10\0\0II\x2a\0\x08\0\0\0", b"Nikon\0", 18, 10, &[0x39, 0xC3], &[0x11]),
        (b"Panasonic\0\0\0", b"Panasonic\0", 12, home, &[0x3A, 0x67, 0x69, 0x6B, 0x6D, 0x6F, 0x80], &[]),
        (b"SONY DSC \0\0\0", b"SONY\0", 12, home, &[], &[0x2001]),
        (b"OLYMPUS\0II\x03\0", b"OLYMPUS\0", 12, 0, &[], &[0x81, 0x100]),
        (b"PENTAX \0II", b"PENTAX\0", 10, 0, &[0x23, 0x24, 0x6B], &[0x04]),
        (b"AOC\0II", b"PENTAX\0", 6, home, &[0x23, 0x24, 0x6B], &[0x04]),
        (b"QVC\0\0\0", b"CASIO\0", 6, home, &[0x3006], &[0x2000]),
        (b"", b"Canon\0", 0, home, &[0x35], &[]),
    ];
    for (signature, make, at, base, places, previews) in table {
        let tags = [&[OTHER][..], places, previews].concat();
        let nested = signature.starts_with(b"Nikon");
        let mut note = if nested {
            [&signature[..10], &note(&signature[10..], 8, 0, &tags)].concat()
        } else {
            note(signature, at, base, &tags)
        };
        note.extend(b"the end.");
        let text = |tag: u16| format!("value {tag:#06x}").into_bytes();
        let camera = camera(true, &note, make);
        let (guarded, everything) = (sound(&camera, Policy::WithoutLocation), sound(&camera, Policy::Everything));
        let name = String::from_utf8_lossy(make);
        for block in [&guarded, &everything] {
            assert!(contains(block, &text(OTHER)) && contains(block, b"the end."), "{name}");
            assert!(previews.iter().all(|&tag| !contains(block, &text(tag))), "{name}: a preview");
        }
        assert!(places.iter().all(|&tag| !contains(&guarded, &text(tag))), "{name}: a place");
        assert!(places.iter().all(|&tag| contains(&everything, &text(tag))), "{name}: lost");
        let left = guarded.windows(signature.len() + 2).any(|w| w.starts_with(signature)) || signature.is_empty();
        assert!(left, "{name}: the signature");
        let count = guarded[home + at];
        assert_eq!(usize::from(count), 1, "{name}: entries");
    }
}

/// Returns a block whose directory of a position has the number of another tag, which is kept.
fn without_position(mut block: Vec<u8>) -> Vec<u8> {
    let at = block.windows(4).position(|window| window == [0x25, 0x88, 4, 0]).unwrap();
    block[at] = 0x26;
    block
}

#[test]
fn modules_that_only_read_find_the_same_places() {
    let home = camera(true, b"!!a note!!", b"Acme\0").windows(10).position(|window| window == b"!!a note!!").unwrap();
    for (has_place, make, note) in [
        (true, &b"Acme\0"[..], b"of an unknown form".to_vec()),
        (false, b"Apple\0", b"Apple iOS\0 and more".to_vec()),
        (false, b"SONY\0", note(b"SONY DSC \0\0\0", 12, home, &[0x2001, 0x0999])),
        (true, b"SONY\0", b"SONY DSC \0\0\0".to_vec()),
        (false, b"Panasonic\0", note(b"Panasonic\0\0\0", 12, home, &[0x0999])),
        (true, b"Panasonic\0", note(b"Panasonic\0\0\0", 12, home, &[0x0999, 0x0069])),
        (false, b"Canon\0", note(b"", 0, home, &[0x0001])),
        (true, b"Canon\0", note(b"", 0, home, &[0x0001, 0x0035])),
        (false, b"SAMSUNG\0", note(b"", 0, 0, &[0x0001])),
        (true, b"SAMSUNG\0", note(b"", 0, 0, &[0x0001, 0x0035])),
    ] {
        let with_position = camera(true, &note, make);
        for (exif, has_place) in [(without_position(with_position.clone()), has_place), (with_position, true)] {
            let metadata = Metadata { exif: Some(exif), ..Metadata::default() };
            let name = String::from_utf8_lossy(make);
            assert_eq!(respects(&metadata, Policy::WithoutLocation), !has_place, "{name}");
            assert_eq!(surely_respects(&metadata, Policy::WithoutLocation), !has_place, "{name}");
        }
    }
}

#[test]
fn sizes_beyond_16_bits_become_longs() {
    let wide = Picture { size: Size::new(70_000, 480), ..WRITTEN };
    let (block, _) = rewritten(&camera(false, b"", b"Acme\0"), Policy::Everything, wide);
    let block = block.unwrap();
    assert_eq!(value(&block, None, 0x0100).unwrap(), 70_000_u32.to_be_bytes());
    let exif = pointer(&block, None, 0x8769);
    assert_eq!(value(&block, exif, 0xA003).unwrap(), 480_u16.to_be_bytes());
}

#[test]
fn forged_values_that_lie_over_the_coordinates_get_zeros_there() {
    let mut b = Builder::new(true);
    let gps = b.directory(&[(0x1B, UNDEFINED, SECRET.into())], 0);
    let len = b.bytes.len() as u32;
    let all = (0x010E, UNDEFINED, Vec::new());
    let first = b.directory(&[all, (0x010F, ASCII, b"Acme\0".into()), (0x8825, LONG, b.long(gps))], 0);
    let entry = first as usize + 2;
    b.bytes[entry + 4..entry + 8].copy_from_slice(&len.to_le_bytes());
    let block = sound(&b.finish(first), Policy::WithoutLocation);
    assert!(!contains(&block, &SECRET[..8]) && contains(&block, b"Acme"));
}

#[test]
fn cycles_end() {
    let mut b = Builder::new(true);
    let first = b.bytes.len() as u32;
    let at = b.directory(
        &[
            (0x0112, SHORT, b.short(8)),
            (0x8769, LONG, b.long(first)),
            (0x8825, LONG, b.long(first)),
            (0xA005, LONG, b.long(first)),
        ],
        first,
    );
    assert_eq!(at, first);
    let block = sound(&b.finish(first), Policy::Everything);
    assert_eq!(read(&block, None).iter().map(|(tag, _)| *tag).collect::<Vec<_>>(), [0x0112]);
}

#[test]
fn overlapping_values_are_refused_without_long_copies() {
    let mut b = Builder::new(true);
    b.bytes.resize(1 << 20, 7);
    let entries: Vec<_> = (0..60_000).map(|_| (0x010E_u16, UNDEFINED, vec![8, 0, 0, 0])).collect();
    let first = b.directory(&entries, 0);
    for entry in 0..60_000 {
        let count = first as usize + 2 + 12 * entry + 4;
        b.bytes[count..count + 4].copy_from_slice(&(1_000_000_u32).to_le_bytes());
    }
    let (block, warnings) = rewritten(&b.finish(first), Policy::Everything, WRITTEN);
    assert_eq!((block, warnings), (None, vec![Warning::Skipped("exif")]));
}

#[test]
fn invalid_blocks_are_left_out_with_a_warning() {
    for nonsense in [&b""[..], b"II", b"II\x2a\0\xFF\xFF\xFF\xFF", b"a text that is not EXIF", b"MM\0\x2a\0\0\0\x08"] {
        let (block, warnings) = rewritten(nonsense, Policy::Everything, WRITTEN);
        assert_eq!((block, warnings), (None, vec![Warning::Skipped("exif")]), "{nonsense:?}");
    }
}

#[test]
fn no_prefix_and_no_flipped_bit_panics_or_leaks() {
    for (make, signature) in [(&b"Canon\0"[..], &b""[..]), (b"NIKON\0", b"Nikon\0\x02\x10\0\0II\x2a\0\x08\0\0\0")] {
        let note = note(signature, 18 * usize::from(!signature.is_empty()), 0, &[0x35, 0x39, 0x11, 0x500]);
        let camera = camera(true, &note, make);
        for policy in [Policy::WithoutLocation, Policy::Everything] {
            for end in 0..camera.len() {
                let (block, _) = rewritten(&camera[..end], policy, WRITTEN);
                assert!(block.is_none_or(|block| block.len() <= end + 4), "cut at {end}");
            }
            for bit in 0..camera.len() * 8 {
                let mut flipped = camera.clone();
                flipped[bit / 8] ^= 1 << (bit % 8);
                let (block, _) = rewritten(&flipped, policy, WRITTEN);
                let metadata = Metadata { exif: Some(flipped), ..Metadata::default() };
                assert!(respects(&metadata, policy) || !surely_respects(&metadata, policy), "bit {bit}");
                let leaks = block.as_ref().is_some_and(|block| contains(block, &SECRET[2..12]));
                assert!(!leaks || policy == Policy::Everything, "bit {bit}");
                let written = Metadata { exif: block.clone(), ..Metadata::default() };
                assert!(respects(&written, policy), "bit {bit}");
                let again = block.map(|block| rewritten(&block, policy, WRITTEN).0);
                assert!(again.is_none_or(|again| again.is_some()), "bit {bit}: the rewritten block cannot be read");
            }
        }
    }
}

#[test]
fn unchanged_pixels_keep_their_orientation_under_every_policy() {
    for orientation in (1..=8).filter_map(Orientation::from_exif) {
        let lying = Picture { orientation, ..WRITTEN };
        for policy in [Policy::WithoutLocation, Policy::Everything, Policy::Nothing] {
            let (block, _) = rewritten(&camera(false, b"", b"Acme\0"), policy, lying);
            let written = block.as_deref().and_then(ifd::orientation).unwrap_or_default();
            assert_eq!(written, orientation, "{policy:?}");
        }
        let nothing = rewritten(&camera(false, b"", b"Acme\0"), Policy::Nothing, lying).0;
        assert!(nothing.is_none_or(|block| read(&block, None).len() == 1 && orientation != Orientation::Upright));
    }
}

#[test]
fn resolution_is_taken_from_the_block_where_the_file_has_no_other() {
    let exif = Some(camera(true, b"", b"Acme\0"));
    let written = |resolution| {
        let source = Metadata { exif: exif.clone(), resolution, ..Metadata::default() };
        apply(&source, Policy::WithoutLocation, WRITTEN).metadata.resolution
    };
    assert_eq!(written(None), Some(Resolution { x: 300.0, y: 240.0 }));
    let own = Some(Resolution { x: 72.0, y: 72.0 });
    assert_eq!(written(own), own);
}

#[test]
fn the_policy_nothing_keeps_only_the_profile() {
    let source = Metadata {
        icc: Some(vec![1, 2, 3]),
        exif: Some(camera(true, b"", b"Acme\0")),
        xmp: Some(b"<x/>".into()),
        iptc: Some(vec![0x1C, 2, 80, 0, 0]),
        texts: vec![Text::comment("A boat".into())],
        resolution: Some(Resolution { x: 72.0, y: 72.0 }),
        ..Metadata::default()
    };
    let nothing = apply(&source, Policy::Nothing, WRITTEN);
    let profile = Metadata { icc: source.icc.clone(), ..Metadata::default() };
    assert_eq!((&nothing.metadata, &nothing.warnings), (&profile, &vec![]));
    let everything = apply(&source, Policy::Everything, WRITTEN).metadata;
    let guarded = apply(&source, Policy::WithoutLocation, WRITTEN).metadata;
    let table = [(&everything, [true, false, false]), (&guarded, [true, true, false]), (&profile, [true; 3])];
    for (metadata, expected) in table {
        let policies = [Policy::Everything, Policy::WithoutLocation, Policy::Nothing];
        assert_eq!(policies.map(|policy| respects(metadata, policy)), expected);
        let read = Metadata { iptc: None, texts: Vec::new(), ..metadata.clone() };
        assert_eq!(policies.map(|policy| surely_respects(&read, policy)), expected);
        assert!(policies.iter().all(|&policy| respects(metadata, policy) || !surely_respects(metadata, policy)));
    }
    let turned = Picture { orientation: Orientation::from_exif(6).unwrap(), ..WRITTEN };
    assert!(respects(&apply(&source, Policy::Nothing, turned).metadata, Policy::Nothing));
    assert_eq!((everything.icc, everything.xmp, everything.iptc), (source.icc, source.xmp, source.iptc));
}

/// A camera's block for Adobe RGB: "uncalibrated", the index R03, a white point and a gamma.
#[test]
fn converted_colours_are_srgb_in_exif_too() {
    let mut b = Builder::new(true);
    let interop = b.directory(&[(1, ASCII, b"R03\0".into()), (2, UNDEFINED, b"0100".into())], 0);
    let exif = b.directory(
        &[(0xA001, SHORT, b.short(65_535)), (0xA005, LONG, b.long(interop)), (0xA500, RATIONAL, b.longs(&[22, 10]))],
        0,
    );
    let white = (0x013E, RATIONAL, b.longs(&[313, 1000, 329, 1000]));
    let ifd0 = b.directory(&[white, (0x8769, LONG, b.long(exif))], 0);
    let block = b.finish(ifd0);
    let found = |is_converted| {
        let (exif, warnings) = rewritten(&block, Policy::Everything, Picture { is_converted, ..WRITTEN });
        assert_eq!(warnings, []);
        let block = exif.unwrap();
        let exif = pointer(&block, None, 0x8769);
        let interop = pointer(&block, exif, 0xA005);
        let places = [(None, 0x013E), (exif, 0xA001), (exif, 0xA500), (interop, 1), (interop, 2)];
        places.map(|(directory, tag)| value(&block, directory, tag).map(|value| number(&block, &value[..2])))
    };
    let r0 = usize::from(b'R') | usize::from(b'0') << 8;
    let version = usize::from(b'0') | usize::from(b'1') << 8;
    assert_eq!(found(false), [Some(313), Some(65_535), Some(22), Some(r0), Some(version)]);
    assert_eq!(found(true), [None, Some(1), None, None, Some(version)]);
}
