//! Written files, read again by our reader and by the `gif` crate.

use codec_gif::{Options, create, open, rewrite_metadata};
use raster::rows::Delay;
use raster::{
    Budget, Error, FrameHeader, ImageSpec, Limits, Metadata, Notes, PixelFormat, Sequence, Size, Text, Wanted,
};
use testkit::generate::{self, Lcg};
use testkit::{Picture, read_all};

fn budget() -> Budget {
    Budget::new(&Limits::default())
}

/// An animation of these pictures, each shown for its number of hundredths of a second.
fn animation(pictures: &[Picture], plays: u32, options: &Options) -> Vec<u8> {
    animation_of(pictures, plays, options, false)
}

/// The same. `keeps_palette`: the colours are those of palettes.
fn animation_of(pictures: &[Picture], plays: u32, options: &Options, keeps_palette: bool) -> Vec<u8> {
    let (mut file, budget) = (Vec::new(), budget());
    let first = pictures[0].header();
    let spec = ImageSpec {
        frames: pictures.len() as u32,
        sequence: Sequence::Animation { plays },
        keeps_palette,
        ..ImageSpec::single(first.size, first.pixels, &budget)
    };
    let mut writer = create(&mut file, &spec, options).unwrap();
    for (picture, number) in pictures.iter().zip(0..) {
        let delay = Some(Delay { numerator: number, denominator: 100 });
        writer.begin_frame(&FrameHeader { delay, ..first }, &Metadata::default()).unwrap();
        picture.rows.chunks_exact(picture.row_bytes()).for_each(|row| writer.write_row(row).unwrap());
    }
    writer.finish().unwrap();
    file
}

fn still(picture: &Picture, metadata: &Metadata) -> Vec<u8> {
    let (mut file, budget) = (Vec::new(), budget());
    let spec = ImageSpec::single(picture.size, picture.pixels, &budget);
    let writer = create(&mut file, &spec, &Options::default()).unwrap();
    testkit::rows::write_with(writer, picture, metadata).unwrap();
    file
}

/// All frames as our reader sees them.
fn frames(file: &[u8]) -> Vec<Picture> {
    let mut reader = open(&file, &budget(), &Notes::default()).unwrap();
    (0..reader.info().frames).map(|_| read_all(&mut *reader).unwrap()).collect()
}

/// The number of frames that the `gif` crate decompresses without an error, and their rectangles.
fn rectangles(file: &[u8]) -> Vec<(u16, u16, u16, u16)> {
    let mut decoder = gif::DecodeOptions::new().read_info(file).unwrap();
    let mut rectangles = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        assert_eq!(frame.buffer.len(), usize::from(frame.width) * usize::from(frame.height));
        rectangles.push((frame.left, frame.top, frame.width, frame.height));
    }
    rectangles
}

/// Squares of few colours that come and go at random places, over nothing or over a ground.
fn squares(pixels: PixelFormat, count: usize) -> Vec<Picture> {
    let size = Size::new(70, 50);
    let mut random = Lcg::new(11);
    let mut picture = Picture::blank(size, pixels);
    let mut one = |picture: &mut Picture| {
        let color = [random.below(5) as u8 * 50, random.below(3) as u8 * 90, 7, 255 * random.below(2) as u8];
        let (x, y) = (random.below(50) as usize, random.below(30) as usize);
        let (row, bytes) = (picture.row_bytes(), picture.pixels.bytes());
        let color = if color[3] == 0 { [0; 4] } else { color };
        for row in picture.rows.chunks_exact_mut(row).skip(y).take(20) {
            row[x * bytes..(x + 15) * bytes].chunks_exact_mut(bytes).for_each(|p| p.copy_from_slice(&color[..bytes]));
        }
        picture.clone()
    };
    (0..count).map(|_| one(&mut picture)).collect()
}

#[test]
fn few_colors_come_back_exactly_whatever_comes_and_goes() {
    for pixels in [PixelFormat::RGB8, PixelFormat::RGBA8] {
        let pictures = squares(pixels, 40);
        let file = animation(&pictures, 3, &Options::default());
        let info = open(&file, &budget(), &Notes::default()).unwrap().info().clone();
        assert_eq!((info.frames, info.sequence), (40, Sequence::Animation { plays: 3 }));
        assert_eq!(info.row_format, pixels.into());
        for (index, (ours, want)) in frames(&file).iter().zip(&pictures).enumerate() {
            assert!(ours == want, "{pixels:?}, frame {index}");
        }
        assert_eq!(rectangles(&file).len(), 40);
    }
}

#[test]
fn the_whole_palette_can_be_used_by_each_frame() {
    let size = Size::new(16, 16);
    let ramp = |blue: u8| {
        Picture::paint(size, PixelFormat::RGB8, |x, y| {
            [f64::from(x) / 15.0, f64::from(y) / 15.0, f64::from(blue) / 255.0, 1.0]
        })
    };
    assert!(frames(&still(&ramp(9), &Metadata::default())) == [ramp(9)]);
    let pictures = [ramp(0), ramp(255), ramp(255), ramp(0)];
    assert!(frames(&animation(&pictures, 1, &Options::default())) == pictures);
}

/// Frames of a GIF of which a small area changes, with up to 255 colours for each of them.
#[test]
fn colors_of_palettes_come_back_exactly_from_small_areas() {
    let mut picture = generate::noise(Size::new(40, 30), PixelFormat::RGB8, 1);
    for (pixel, i) in picture.rows.as_chunks_mut::<3>().0.iter_mut().zip(0_u32..) {
        *pixel = [(i % 250) as u8, 9, 9];
    }
    let mut random = Lcg::new(7);
    let mut pictures = vec![picture.clone()];
    for _ in 0..12 {
        let (x, y) = (random.below(23) as usize, random.below(14) as usize);
        for row in picture.rows.chunks_exact_mut(120).skip(y).take(15) {
            row[3 * x..3 * (x + 17)].fill_with(|| random.next_byte());
        }
        pictures.push(picture.clone());
    }
    let seen = frames(&animation_of(&pictures, 0, &Options::default(), true));
    assert!(seen == pictures);
}

#[test]
fn alpha_of_half_and_more_is_opaque() {
    let rows = vec![9, 8, 7, 127, 9, 8, 7, 128, 1, 2, 3, 0, 1, 2, 3, 255];
    let picture = Picture { size: Size::new(4, 1), pixels: PixelFormat::RGBA8, rows };
    let seen = frames(&still(&picture, &Metadata::default()));
    assert_eq!(seen[0].rows, [0, 0, 0, 0, 9, 8, 7, 255, 0, 0, 0, 0, 1, 2, 3, 255]);
    let opaque = generate::flat(Size::new(3, 3), PixelFormat::RGBA8, [1.0; 4]);
    assert!(frames(&still(&opaque, &Metadata::default())) == [opaque], "alpha stays where all is opaque");
}

/// Pictures of many colours of which a part stays as it is: that part shows the same pixels in every frame, and a
/// picture that comes again as a whole is the same file of pixels again.
#[test]
fn still_areas_do_not_flicker() {
    let size = Size::new(90, 60);
    let ground = generate::gradient(size, PixelFormat::RGB8);
    let mut random = Lcg::new(2);
    let pictures: Vec<Picture> = (0..12)
        .map(|_| {
            let mut picture = ground.clone();
            let (x, y, seed) = (random.below(60) as usize, random.below(40) as usize, random.below(99));
            let noise = generate::noise(Size::new(30, 20), PixelFormat::RGB8, seed.into());
            for (row, noise) in picture.rows.chunks_exact_mut(270).skip(y).zip(noise.rows.chunks_exact(90)) {
                row[x * 3..x * 3 + 90].copy_from_slice(noise);
            }
            picture
        })
        .collect();
    let file = animation(&pictures, 0, &Options::default());
    let seen = frames(&file);
    for (pair, source) in seen.windows(2).zip(pictures.windows(2)) {
        let pixels = |picture: &Picture| picture.rows.as_chunks::<3>().0.to_vec();
        let [before, after, was, is] = [&pair[0], &pair[1], &source[0], &source[1]].map(pixels);
        for at in 0..before.len() {
            assert!(was[at] != is[at] || before[at] == after[at], "pixel {at}");
        }
    }
    assert_eq!(file, animation(&pictures, 0, &Options::default()));
}

/// The palette of the first frame serves small changes of a picture of many colours: a frame of its own palette would
/// take 770 bytes more.
#[test]
fn small_changes_bring_no_palette() {
    let ground = generate::gradient(Size::new(200, 150), PixelFormat::RGB8);
    let shifted = |by: usize| {
        let mut picture = ground.clone();
        for y in 20..50 {
            picture.rows.copy_within((y * 200 + 40 + by) * 3..(y * 200 + 70 + by) * 3, (y * 200 + 10) * 3);
        }
        picture
    };
    let one = animation(&[ground.clone(), shifted(1)], 0, &Options::default()).len();
    let two = animation(&[ground.clone(), shifted(1), shifted(9)], 0, &Options::default()).len();
    assert!(two - one < 900, "{} bytes", two - one);
}

#[test]
fn only_the_changed_rectangle_is_written() {
    let size = Size::new(40, 30);
    let ground = generate::flat(size, PixelFormat::RGB8, [0.2, 0.4, 0.6, 1.0]);
    let mut spot = ground.clone();
    spot.rows[(5 * 40 + 7) * 3..(5 * 40 + 9) * 3].fill(0);
    spot.rows[(8 * 40 + 6) * 3..(8 * 40 + 7) * 3].fill(0);
    let file = animation(&[ground.clone(), spot.clone(), spot, ground], 0, &Options::default());
    assert_eq!(rectangles(&file), [(0, 0, 40, 30), (6, 5, 3, 4), (0, 0, 1, 1), (6, 5, 3, 4)]);
}

#[test]
fn delays_keep_their_sum_and_loops_their_number() {
    let pictures = squares(PixelFormat::RGB8, 9);
    for plays in [0, 1, 2, 65_536] {
        let file = animation(&pictures, plays, &Options::default());
        let mut reader = open(&file, &budget(), &Notes::default()).unwrap();
        assert_eq!(reader.info().sequence, Sequence::Animation { plays });
        for number in 0..9 {
            let frame = reader.next_frame(&Wanted::FULL_SIZE).unwrap().unwrap();
            assert_eq!(frame.info.delay, Some(Delay { numerator: number, denominator: 100 }));
        }
    }
    let (mut file, budget) = (Vec::new(), budget());
    let first = pictures[0].header();
    let spec = ImageSpec {
        frames: 9,
        sequence: Sequence::Animation { plays: 0 },
        ..ImageSpec::single(first.size, first.pixels, &budget)
    };
    let mut writer = create(&mut file, &spec, &Options::default()).unwrap();
    for picture in &pictures {
        let delay = Some(Delay { numerator: 1, denominator: 30 });
        writer.begin_frame(&FrameHeader { delay, ..first }, &Metadata::default()).unwrap();
        picture.rows.chunks_exact(picture.row_bytes()).for_each(|row| writer.write_row(row).unwrap());
    }
    writer.finish().unwrap();
    let mut reader = open(&file, &budget, &Notes::default()).unwrap();
    let mut delays = Vec::new();
    while let Some(frame) = reader.next_frame(&Wanted::FULL_SIZE).unwrap() {
        delays.extend(frame.info.delay.map(|delay| delay.numerator));
    }
    assert_eq!(delays, [3, 4, 3, 3, 4, 3, 3, 4, 3]);
}

#[test]
fn comments_and_xmp_come_back() {
    let picture = generate::flat(Size::new(3, 2), PixelFormat::RGB8, [1.0, 0.0, 0.0, 1.0]);
    let texts = vec![Text::comment("é".repeat(200)), Text::comment("two".into())];
    let metadata = Metadata { texts, xmp: Some(b"<x:xmpmeta>1</x:xmpmeta>".to_vec()), ..Metadata::default() };
    let file = still(&picture, &metadata);
    assert_eq!(*open(&file, &budget(), &Notes::default()).unwrap().info().metadata, metadata);
    assert_eq!(rectangles(&file).len(), 1);
}

/// An animation whose frames, comment, program data and end are where other programs may put them.
fn animation_with_extensions(pictures: &[Picture]) -> Vec<u8> {
    let file = animation(pictures, 4, &Options::default());
    let loops = file.windows(14).position(|bytes| bytes.ends_with(b"NETSCAPE2.0")).unwrap() + 19;
    let extensions: [&[u8]; 4] = [
        b"\x21\xfe\x06secret\0",
        b"\x21\xff\x0bSECRET  1.0\x06secret\0",
        b"\x21\xff\x0bXMP DataXMP<old secret='1'/>\x01",
        b"\x21\x99\x06secret\0",
    ];
    let xmp_end: Vec<u8> = (0..=255).rev().chain([0]).collect();
    let [comment, program, xmp, unknown] = extensions;
    let head = [&file[..loops], comment, program, xmp, &xmp_end, unknown].concat();
    [&head, &file[loops..file.len() - 1], comment, b"\x3bsecret"].concat()
}

#[test]
fn a_copy_with_other_metadata_has_the_same_frames_and_nothing_of_the_old_metadata() {
    let pictures = squares(PixelFormat::RGBA8, 12);
    let plain = animation(&pictures, 4, &Options::default());
    let file = animation_with_extensions(&pictures);
    let old = open(&file, &budget(), &Notes::default()).unwrap().info().metadata.as_ref().clone();
    assert_eq!((old.texts.len(), old.xmp.is_some()), (2, true));
    let new = Metadata { texts: vec![Text::comment("new".into())], ..Metadata::default() };
    for metadata in [Metadata::default(), new, Metadata { xmp: Some(b"<new/>".to_vec()), ..Metadata::default() }] {
        let mut copy = Vec::new();
        rewrite_metadata(&file, &mut copy, &metadata).unwrap();
        let info = open(&copy, &budget(), &Notes::default()).unwrap().info().clone();
        assert_eq!((&*info.metadata, info.sequence), (&metadata, Sequence::Animation { plays: 4 }));
        assert!(frames(&copy) == pictures);
        assert_eq!(rectangles(&copy), rectangles(&plain));
        assert!(!copy.windows(6).any(|bytes| bytes.eq_ignore_ascii_case(b"secret")));
    }
    let mut copy = Vec::new();
    rewrite_metadata(&file, &mut copy, &Metadata::default()).unwrap();
    assert!(copy == plain, "nothing else changes");
}

#[test]
fn the_copy_of_a_part_of_a_file_shows_as_much() {
    let file = animation_with_extensions(&squares(PixelFormat::RGB8, 3));
    for cut in 0..file.len() {
        let (part, mut copy) = (&file[..cut], Vec::new());
        let is_copied = rewrite_metadata(&part, &mut copy, &Metadata::default()).is_ok();
        if let Ok(reader) = open(&part, &budget(), &Notes::default()) {
            assert!(is_copied);
            let frames = open(&copy, &budget(), &Notes::default()).unwrap().info().frames;
            assert_eq!(frames, reader.info().frames, "{cut} bytes");
        }
    }
}

#[test]
fn a_comment_makes_an_old_file_one_of_the_version_with_extensions() {
    let picture = generate::flat(Size::new(3, 2), PixelFormat::RGB8, [1.0, 0.0, 0.0, 1.0]);
    let mut file = still(&picture, &Metadata::default());
    file[..6].copy_from_slice(b"GIF87a");
    let metadata = Metadata { texts: vec![Text::comment("new".into())], ..Metadata::default() };
    let mut copy = Vec::new();
    rewrite_metadata(&file, &mut copy, &metadata).unwrap();
    assert!(copy == still(&picture, &metadata));
    assert_eq!(rewrite_metadata(&b"GIF90a".as_slice(), &mut copy, &metadata).unwrap_err().code(), "malformed");
}

/// Noise fills the table at once, runs never do: both ways of LZW through all palette sizes.
#[test]
fn every_number_of_colors_and_every_length_is_decompressed() {
    for colors in [1, 2, 3, 4, 5, 17, 64, 200, 256_u32] {
        for (width, height) in [(1, 1), (2, 1), (300, 200)] {
            let mut random = Lcg::new(colors.into());
            let mut picture = Picture::blank(Size::new(width, height), PixelFormat::RGB8);
            for (at, pixel) in picture.rows.as_chunks_mut::<3>().0.iter_mut().enumerate() {
                let is_noisy = (at / 20_000) % 2 == 0;
                let color = if is_noisy { random.below(colors) } else { at as u32 / 7000 % colors };
                *pixel = [color as u8, 255 - color as u8, 0];
            }
            let file = still(&picture, &Metadata::default());
            assert!(frames(&file) == [picture], "{colors} colours, {width} x {height}");
            assert_eq!(rectangles(&file).len(), 1);
        }
    }
}

#[test]
fn what_the_format_cannot_hold_is_refused() {
    let budget = budget();
    let mut file = Vec::new();
    let spec = |size| ImageSpec::single(size, PixelFormat::RGB8, &budget);
    assert!(matches!(create(&mut file, &spec(Size::new(65_536, 1)), &Options::default()), Err(Error::Limit(_))));
    let pages = ImageSpec { frames: 2, sequence: Sequence::Pages, ..spec(Size::new(1, 1)) };
    assert!(matches!(create(&mut file, &pages, &Options::default()), Err(Error::Unsupported { .. })));
}
