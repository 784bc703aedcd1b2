//! Files built by hand: the variants of a directory and an entry, and their possible defects.

use raster::{Budget, Error, ImageInfo, Limit, Limits, Notes, PixelFormat, Result, Sequence, Size, Wanted, Warning};
use testkit::generate::{self, Lcg};
use testkit::memory::{counted, read};
use testkit::{FailingSource, Picture, read_all, write_all};

fn decode(file: &[u8]) -> Result<(ImageInfo, Vec<Picture>)> {
    decode_with(file, &Notes::default())
}

fn decode_with(file: &[u8], notes: &Notes) -> Result<(ImageInfo, Vec<Picture>)> {
    let mut reader = codec_ico::open(&file, &Budget::new(&Limits { memory: 4 << 20 }), notes)?;
    let frames = reader.info().frames;
    let pictures = (0..frames).map(|_| read_all(&mut *reader)).collect::<Result<_>>()?;
    Ok((reader.info().clone(), pictures))
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Returns `BITMAPINFOHEADER` of a bitmap and its mask, then the bytes `rest`.
fn bitmap(width: u32, height: i32, bits: u32, rest: &[&[u8]]) -> Vec<u8> {
    let mut entry = words(&[40, width, (2 * height) as u32, 1 | bits << 16, 0, 0, 0, 0, 0, 0]);
    rest.iter().for_each(|part| entry.extend(*part));
    entry
}

fn png(picture: &Picture) -> Vec<u8> {
    let (mut file, budget) = (Vec::new(), Budget::new(&Limits::default()));
    let spec = raster::ImageSpec::single(picture.size, picture.pixels, &budget);
    write_all(codec_png::create(&mut file, &spec, &codec_png::Options::default()).unwrap(), picture).unwrap();
    file
}

/// Returns a file of these entries. Its directory is right only about their positions.
fn icon(kind: u8, entries: &[&[u8]]) -> Vec<u8> {
    let mut file = vec![0, 0, kind, 0, entries.len() as u8, 0];
    let mut at = 6 + 16 * entries.len();
    for entry in entries {
        file.extend([7, 9, 0xEE, 0xEE, 3, 0, 1, 0]);
        file.extend(words(&[1, at as u32]));
        at += entry.len();
    }
    entries.iter().for_each(|entry| file.extend(*entry));
    file
}

/// Returns two pixels, black and white, of one bit, with a mask that hides the second.
fn two_pixels() -> Vec<u8> {
    bitmap(2, 1, 1, &[&[0, 0, 0, 0, 255, 255, 255, 0], &[0b0100_0000, 0, 0, 0], &[0b0100_0000, 0, 0, 0]])
}

#[test]
fn every_depth_gives_its_pixels_and_the_mask_its_alpha() {
    let red_green: &[u8] = &[0, 0, 255, 0, 0, 255, 0, 0];
    let (shown, hidden): (&[u8], &[u8]) = (&[0, 0, 0, 0], &[0b0100_0000, 0, 0, 0]);
    let sixteen = [red_green, &[0; 56]].concat();
    let many = [red_green, &[0; 1016]].concat();
    let table: [(&str, Vec<u8>, &[u8]); 11] = [
        ("1 bit, grey", two_pixels(), &[0, 255, 255, 0]),
        ("1 bit", bitmap(2, 1, 1, &[red_green, &[0x40, 0, 0, 0], hidden]), &[255, 0, 0, 255, 0, 255, 0, 0]),
        ("4 bits", bitmap(2, 1, 4, &[&sixteen, &[0x01, 0, 0, 0], hidden]), &[255, 0, 0, 255, 0, 255, 0, 0]),
        ("8 bits", bitmap(2, 1, 8, &[&many, &[1, 0, 0, 0], shown]), &[0, 255, 0, 255, 255, 0, 0, 255]),
        ("16 bits", bitmap(2, 1, 16, &[&[0x1F, 0, 0, 0x7C], hidden]), &[0, 0, 255, 255, 255, 0, 0, 0]),
        ("24 bits", bitmap(2, 1, 24, &[&[1, 2, 3, 4, 5, 6, 0, 0], hidden]), &[3, 2, 1, 255, 6, 5, 4, 0]),
        ("alpha", bitmap(2, 1, 32, &[&[1, 2, 3, 0, 4, 5, 6, 9], shown]), &[3, 2, 1, 0, 6, 5, 4, 9]),
        ("alpha against the mask", bitmap(2, 1, 32, &[&[1, 2, 3, 99, 4, 5, 6, 9], hidden]), &[3, 2, 1, 99, 6, 5, 4, 9]),
        ("empty alpha", bitmap(2, 1, 32, &[&[1, 2, 3, 0, 4, 5, 6, 0], hidden]), &[3, 2, 1, 255, 6, 5, 4, 0]),
        ("no mask", bitmap(2, 1, 24, &[&[1, 2, 3, 4, 5, 6]]), &[3, 2, 1, 255, 6, 5, 4, 255]),
        ("empty alpha, no mask", bitmap(1, 1, 32, &[&[1, 2, 3, 0]]), &[3, 2, 1, 255]),
    ];
    for (what, entry, want) in table {
        for kind in [1, 2] {
            let (info, pictures) = decode(&icon(kind, &[&entry])).unwrap_or_else(|e| panic!("{what}: {e}"));
            assert_eq!(pictures[0].rows, want, "{what}");
            assert!(info.row_format.has_alpha() && info.sequence == Sequence::Sizes && info.frame_sizes.is_empty());
        }
    }
}

#[test]
fn alpha_of_one_pixel_disables_the_mask() {
    let mut pixels = vec![0; 4 * 300 * 300];
    let last_in_the_file = pixels.len() - 1;
    pixels[last_in_the_file] = 1;
    let mask = vec![0; 40 * 300];
    let file = icon(1, &[&bitmap(300, 300, 32, &[&pixels, &mask])]);
    let (_, pictures) = decode(&file).unwrap();
    assert_eq!(pictures[0].sample(299, 0, 3), 1);
    assert_eq!(pictures[0].sample(0, 299, 3), 0, "the mask, which shows all, does not count");
}

#[test]
fn both_bitmaps_are_bottom_up_unless_the_height_is_negative() {
    let parts: &[&[u8]] = &[&[1, 1, 1, 0, 2, 2, 2, 0], &[0x80, 0, 0, 0, 0, 0, 0, 0]];
    let up = decode(&icon(1, &[&bitmap(1, 2, 24, parts)])).unwrap().1;
    let down = decode(&icon(1, &[&bitmap(1, -2, 24, parts)])).unwrap().1;
    assert_eq!(up[0].rows, [2, 2, 2, 255, 1, 1, 1, 0]);
    assert_eq!(down[0].rows, [1, 1, 1, 0, 2, 2, 2, 255]);
}

#[test]
fn frames_come_largest_first_then_deepest_then_as_in_the_directory() {
    let gray = |side: u32, level: u8| {
        bitmap(side, side as i32, 24, &[&vec![level; side.next_multiple_of(4) as usize * 3 * side as usize]])
    };
    let deep = bitmap(4, 4, 32, &[&[255; 64], &[0; 16]]);
    let picture = generate::gradient(Size::new(7, 3), PixelFormat::RGB8);
    let file = icon(1, &[&gray(4, 10), &gray(2, 20), &gray(4, 30), &png(&picture), &deep]);
    let (info, pictures) = decode(&file).unwrap();
    let side = |side| Size::new(side, side);
    assert_eq!((info.size, info.frames), (picture.size, 5));
    assert_eq!(info.frame_sizes, [picture.size, side(4), side(4), side(4), side(2)]);
    assert_eq!(pictures[0], picture, "a PNG entry comes as it is");
    assert_eq!([1, 2, 3, 4].map(|frame| pictures[frame].rows[0]), [255, 10, 30, 20]);
}

#[test]
fn unreadable_entries_are_left_out_and_are_an_error_only_together() {
    let broken = words(&[3, 0, 0]);
    let notes = Notes::default();
    let (info, pictures) = decode_with(&icon(1, &[&broken, &two_pixels(), &broken]), &notes).unwrap();
    assert_eq!((info.frames, pictures.len()), (1, 1));
    assert_eq!(notes.warnings(), [Warning::Skipped("entry")]);
    let error = decode(&icon(1, &[&broken, &broken])).unwrap_err();
    assert!(error.to_string().ends_with("near byte 38: no header has 3 bytes"), "the first entry's: {error}");
    let mut promising = icon(1, &[&two_pixels()]);
    promising[4..6].copy_from_slice(&[255, 255]);
    let notes = Notes::default();
    decode_with(&promising, &notes).unwrap();
    assert_eq!(notes.warnings(), [Warning::Skipped("entry")]);
}

#[test]
fn warnings_of_a_png_entry_are_known_after_its_frame() {
    let mut cut = png(&generate::noise(Size::new(40, 40), PixelFormat::RGBA8, 5));
    cut.truncate(cut.len() / 2);
    let file = icon(1, &[&two_pixels(), &cut]);
    let notes = Notes::default();
    let mut reader = codec_ico::open(&file, &Budget::new(&Limits::default()), &notes).unwrap();
    assert!(notes.warnings().is_empty());
    read_all(&mut *reader).unwrap();
    let cut = notes.warnings();
    assert!(matches!(cut[..], [Warning::Truncated { of: 40, .. }]), "{cut:?}");
    read_all(&mut *reader).unwrap();
    assert!(reader.next_frame(&Wanted::FULL_SIZE).unwrap().is_none());
    assert_eq!(notes.warnings(), cut);
}

#[test]
fn bombs_are_refused_and_many_entries_take_the_memory_of_one() {
    let claim = bitmap(60_000, 60_000, 32, &[&[0; 100]]);
    let refused = decode(&icon(1, &[&claim])).unwrap_err();
    assert!(matches!(refused, Error::Limit(Limit::Implausible { .. })), "{refused}");
    let noise = png(&generate::noise(Size::new(256, 256), PixelFormat::RGBA8, 1));
    let memory = |entries: usize| {
        let file = icon(1, &vec![&noise[..]; entries]);
        let budget = Budget::new(&Limits::default());
        let mut reader = codec_ico::open(&file, &budget, &Notes::default()).unwrap();
        (0..entries).for_each(|_| drop(read_all(&mut *reader).unwrap()));
        assert!(budget.peak() <= reader.info().working_set, "{} of {}", budget.peak(), reader.info().working_set);
        budget.peak()
    };
    assert_eq!(memory(1), memory(20));
    let file = icon(1, &vec![&noise[..]; 20]);
    counted("20 entries", &Limits::default(), |budget| read(codec_ico::open, &file, budget, u64::MAX)).unwrap();
}

#[test]
fn every_prefix_and_every_changed_byte_ends_in_pictures_or_an_error() {
    let picture = generate::noise(Size::new(9, 9), PixelFormat::RGBA8, 3);
    let sound = icon(1, &[&two_pixels(), &png(&picture), &bitmap(3, 3, 32, &[&[9; 36], &[0; 12]])]);
    for end in 0..sound.len() {
        let _ = decode(&sound[..end]);
    }
    let mut random = Lcg::new(1);
    for at in 0..sound.len() {
        let mut file = sound.clone();
        file[at] ^= 1 << random.below(8);
        let _ = decode(&file);
        file[at] = 0xFF;
        let _ = decode(&file);
    }
}

#[test]
fn a_failing_source_is_an_io_error() {
    let file = icon(1, &[&two_pixels(), &two_pixels()]);
    for at in 0..file.len() as u64 {
        let source = FailingSource::new(&file, at);
        let outcome = codec_ico::open(&source, &Budget::new(&Limits::default()), &Notes::default())
            .and_then(|mut r| read_all(&mut *r));
        assert_eq!(outcome.unwrap_err().code(), "read", "fails at {at}");
    }
}
