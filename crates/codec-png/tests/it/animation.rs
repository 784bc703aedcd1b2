//! Animations: every visible frame, compared with a composition of the `png` crate's frames by formula.

use codec_png::{Options, create, open};
use raster::rows::{Delay, ImageSpec};
use raster::{
    Budget, ByteSource, Channels, Depth, Error, FrameHeader, Limits, Metadata, Notes, PixelFormat, RowReader, Sequence,
    Size, Wanted, Warning,
};
use testkit::corpus::Row;
use testkit::{Picture, Wide, generate, read_all};

use crate::oracle;

/// A frame as the `png` crate reads it, and the content of its fcTL.
struct Part {
    control: png::FrameControl,
    picture: Wide,
}

/// Returns all frames of the animation, without a default image that is not a frame.
fn parts(bytes: &[u8]) -> Vec<Part> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut parts = Vec::new();
    let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
    while let Ok(frame) = reader.next_frame(&mut buffer) {
        let picture = oracle::wide(&frame, buffer[..frame.buffer_size()].to_vec());
        if let Some(control) = reader.info().frame_control {
            parts.push(Part { control, picture });
        }
    }
    parts
}

/// Composes frames in doubles, as the specification defines it.
fn compose(size: Size, parts: &[Part]) -> Vec<Vec<[f64; 4]>> {
    let mut canvas = vec![[0.0; 4]; size.area() as usize];
    let mut seen = Vec::new();
    for (index, Part { control, picture }) in parts.iter().enumerate() {
        let before = canvas.clone();
        let region: Vec<usize> = (0..control.height)
            .flat_map(|y| (0..control.width).map(move |x| (x + control.x_offset, y + control.y_offset)))
            .map(|(x, y)| (y * size.width + x) as usize)
            .collect();
        for (place, pixel) in region.iter().zip(&picture.pixels) {
            let source = pixel.map(f64::from);
            let (above, below) = (source[3] / 65_535.0, canvas[*place][3] / 65_535.0);
            let both = above + below * (1.0 - above);
            canvas[*place] = match control.blend_op {
                png::BlendOp::Source => source,
                png::BlendOp::Over if both == 0.0 => canvas[*place],
                png::BlendOp::Over => core::array::from_fn(|i| {
                    let mixed = source[i] * above + canvas[*place][i] * below * (1.0 - above);
                    if i == 3 { both * 65_535.0 } else { mixed / both }
                }),
            };
        }
        seen.push(canvas.clone());
        match control.dispose_op {
            png::DisposeOp::None => {}
            png::DisposeOp::Previous if index > 0 => canvas = before,
            _ => region.iter().for_each(|place| canvas[*place] = [0.0; 4]),
        }
    }
    seen
}

/// Returns the first visible difference of more than a level of 8 bits: each frame is rounded, and blending
/// accumulates.
fn first_difference(ours: &Wide, want: &[[f64; 4]]) -> Option<(usize, [u16; 4], [f64; 4])> {
    let close = |ours: &[u16; 4], want: &[f64; 4]| {
        let visible = want[3] / 65_535.0;
        (0..3).all(|i| (f64::from(ours[i]) - want[i]).abs() * visible < 300.0)
            && (f64::from(ours[3]) - want[3]).abs() < 300.0
    };
    let pairs = ours.pixels.iter().zip(want).enumerate();
    pairs.map(|(at, (ours, want))| (at, *ours, *want)).find(|(_, ours, want)| !close(ours, want))
}

/// Files whose number of frames differs from acTL's, which the table contains.
const COUNTED: [(&str, u32); 1] = [
    // Its first fcTL has no data: Chromium leaves that frame out too.
    ("png/pillow-apng/chunk_no_fdat.png", 1),
];

fn check(row: &Row) -> Result<(), String> {
    let bytes = row.bytes();
    let mut reader =
        open(&bytes, &Budget::new(&Limits::default()), &Notes::default()).map_err(|error| error.to_string())?;
    let frames = reader.info().frames;
    let expected = COUNTED.iter().find(|(name, _)| *name == row.name).map(|(_, frames)| *frames).or(row.frames);
    if Some(frames) != expected {
        return Err(format!("{frames} frames, expected {expected:?}"));
    }
    if frames == 1 {
        return Ok(());
    }
    let want = compose(reader.info().size, &parts(&bytes));
    for index in 0..frames as usize {
        let ours = read_all(&mut *reader).map_err(|error| format!("frame {index}: {error}"))?;
        let Some(want) = want.get(index) else { return Err(format!("the png crate has no frame {index}")) };
        if let Some((at, ours, want)) = first_difference(&Wide::of(&ours), want) {
            return Err(format!("frame {index}, pixel {at}: {ours:?}, not {want:?}"));
        }
    }
    let more = reader.next_frame(&Wanted::FULL_SIZE).map_err(|error| error.to_string())?;
    if more.is_some() { Err("a frame too many".into()) } else { Ok(()) }
}

#[test]
fn every_frame_of_the_corpus_equals_the_specification() {
    let Some(rows) = testkit::corpus::rows("png") else { return };
    let wanted: Vec<&Row> = rows.iter().filter(|row| row.must && !row.reject && row.frames.is_some()).collect();
    let failures: Vec<String> =
        wanted.iter().filter_map(|row| check(row).err().map(|why| format!("{}: {why}", row.name))).collect();
    assert!(failures.is_empty(), "{} files:\n{}", failures.len(), failures.join("\n"));
    assert!(wanted.iter().filter(|row| row.frames > Some(1)).count() > 30);
}

fn corpus_file(name: &str) -> Option<Vec<u8>> {
    let rows = testkit::corpus::rows("png")?;
    Some(rows.iter().find(|row| row.name == name).expect("a row of the table").bytes())
}

#[test]
fn damage_ends_an_animation_and_keeps_earlier_frames() {
    let Some(sound) = corpus_file("png/pillow-apng/dispose_op_none.png") else { return };
    let last = sound.windows(4).rposition(|window| window == b"fdAT").unwrap();
    let mut damaged = sound.clone();
    damaged[last + 12..last + 20].fill(0xFF);
    let budget = Budget::new(&Limits::default());
    let mut reader = open(&damaged, &budget, &Notes::default()).unwrap();
    assert_eq!((reader.info().frames, reader.info().sequence), (3, Sequence::Animation { plays: 1 }));
    let mut whole = open(&sound, &budget, &Notes::default()).unwrap();
    for _ in 0..2 {
        assert!(read_all(&mut *reader).unwrap() == read_all(&mut *whole).unwrap());
    }
    assert!(matches!(reader.next_frame(&Wanted::FULL_SIZE).map(|_| ()), Err(Error::Malformed { .. })));
    assert!(reader.next_frame(&Wanted::FULL_SIZE).unwrap().is_none());
}

#[test]
fn no_prefix_and_no_flipped_bit_panics() {
    let Some(sound) = corpus_file("png/image-rs/fcTL-dispose-in-region-previous.png") else { return };
    let budget = Budget::new(&Limits { memory: 1 << 20 });
    let run = |bytes: &[u8]| {
        let Ok(mut reader) = open(&bytes, &budget.scope(), &Notes::default()) else { return };
        for _ in 0..reader.info().frames.min(9) {
            let Ok(Some(mut frame)) = reader.next_frame(&Wanted::FULL_SIZE) else { continue };
            let mut row = vec![0; frame.info.row_bytes() as usize];
            while frame.rows.read_row(&mut row).is_ok() {}
        }
    };
    for end in (0..sound.len()).step_by(3) {
        run(&sound[..end]);
    }
    for at in 0..sound.len() {
        let mut bytes = sound.clone();
        bytes[at] ^= 1 << (at % 8);
        run(&bytes);
    }
}

#[test]
fn missing_frames_are_a_warning_and_the_canvas_is_charged() {
    let Some(bytes) = corpus_file("png/pillow-apng/syntax_num_frames_high.png") else { return };
    let notes = Notes::default();
    let _reader = open(&bytes, &Budget::new(&Limits::default()), &notes).unwrap();
    assert_eq!(notes.warnings(), [Warning::FramesSkipped { skipped: 1, of: 3 }]);

    let poor = Budget::new(&Limits { memory: 300_000 });
    let bytes = corpus_file("png/pillow-apng/dispose_op_previous_first.png").unwrap();
    let mut reader = open(&bytes, &poor, &Notes::default()).unwrap();
    read_all(&mut *reader).expect("the first frame needs no canvas");
    assert!(
        matches!(reader.next_frame(&Wanted::FULL_SIZE).map(|_| ()), Err(Error::Limit(_))),
        "twice 128 x 64 x 4 bytes are too many"
    );
}

/// Returns a ramp over which a square moves; the third frame equals the second.
fn frames(pixels: PixelFormat) -> Vec<Picture> {
    let size = Size::new(90, 60);
    let ground = generate::gradient(size, pixels);
    let at = |x: usize, y: usize| {
        let mut picture = ground.clone();
        let (row, pixel) = (picture.row_bytes(), pixels.bytes());
        for row in picture.rows.chunks_exact_mut(row).skip(y).take(20) {
            row[x * pixel..(x + 25) * pixel].fill(0x9A);
        }
        picture
    };
    vec![at(0, 0), at(30, 10), at(30, 10), at(65, 40)]
}

const DELAYS: [Option<Delay>; 4] = [
    Some(Delay { numerator: 3, denominator: 100 }),
    Some(Delay { numerator: 0, denominator: 7 }),
    None,
    Some(Delay { numerator: 100_000, denominator: 200_000 }),
];

fn encode(pictures: &[Picture], announced: u32, plays: u32) -> Vec<u8> {
    let mut file = Vec::new();
    let budget = Budget::new(&Limits::default());
    let sequence = Sequence::Animation { plays };
    let first = pictures[0].header();
    let spec = ImageSpec { frames: announced, sequence, ..ImageSpec::single(first.size, first.pixels, &budget) };
    let mut writer = create(&mut file, &spec, &Options::default()).unwrap();
    for (picture, delay) in pictures.iter().zip(DELAYS.into_iter().cycle()) {
        writer.begin_frame(&FrameHeader { delay, ..picture.header() }, &Metadata::default()).unwrap();
        picture.rows.chunks_exact(picture.row_bytes()).for_each(|row| writer.write_row(row).unwrap());
    }
    writer.finish().unwrap();
    file
}

#[test]
fn written_animations_are_read_back_exactly_and_by_the_png_crate() {
    for channels in [Channels::Gray, Channels::GrayAlpha, Channels::Rgb, Channels::Rgba] {
        for depth in [Depth::Eight, Depth::Sixteen] {
            let pictures = frames(PixelFormat::new(channels, depth));
            let file = encode(&pictures, 4, 3);
            let notes = Notes::default();
            let mut reader = open(&file, &Budget::new(&Limits::default()), &notes).unwrap();
            assert_eq!((reader.info().frames, reader.info().sequence), (4, Sequence::Animation { plays: 3 }));
            for picture in &pictures {
                assert!(read_all(&mut *reader).unwrap() == *picture, "{channels:?} {depth:?}");
            }
            assert_eq!(notes.warnings(), []);
            let seen = compose(pictures[0].size, &parts(&file));
            for (picture, seen) in pictures.iter().zip(&seen) {
                assert_eq!(first_difference(&Wide::of(picture), seen), None, "{channels:?} {depth:?}");
            }
        }
    }
}

#[test]
fn only_differences_are_written_and_delays_fit_sixteen_bits() {
    let file = encode(&frames(PixelFormat::RGB8), 4, 0);
    let controls: Vec<png::FrameControl> = parts(&file).into_iter().map(|part| part.control).collect();
    let regions = controls.iter().map(|c| (c.x_offset, c.y_offset, c.width, c.height)).collect::<Vec<_>>();
    assert_eq!(regions, [(0, 0, 90, 60), (0, 0, 55, 30), (0, 0, 1, 1), (30, 10, 60, 50)]);
    let delays = controls.iter().map(|c| (c.delay_num, c.delay_den)).collect::<Vec<_>>();
    assert_eq!(delays, [(3, 100), (0, 7), (1, 10), (500, 1000)]);
}

#[test]
fn missing_frames_are_not_counted() {
    let pictures = frames(PixelFormat::RGBA8);
    for came in 1..4 {
        let file = encode(&pictures[..came], 4, 0);
        let notes = Notes::default();
        let reader = open(&file, &Budget::new(&Limits::default()), &notes).unwrap();
        assert_eq!((reader.info().frames, notes.warnings().len()), (came as u32, 0));
        assert_eq!(parts(&file).len(), came, "the checksum of acTL is right");
    }
    let mut file = Vec::new();
    let budget = Budget::new(&Limits::default());
    let pages = ImageSpec {
        frames: 2,
        sequence: Sequence::Pages,
        ..ImageSpec::single(Size::new(1, 1), PixelFormat::RGB8, &budget)
    };
    assert!(matches!(create(&mut file, &pages, &Options::default()), Err(Error::Unsupported { .. })));
    assert_eq!(file.as_slice().byte_len(), 0);
}
