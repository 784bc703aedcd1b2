//! Files built for one rule each.

use image_webp::{ColorType, WebPEncoder};
use raster::{
    Budget, ByteSource, Delay, Error, ImageReader, Limits, Notes, Orientation, PixelFormat, Result, Sequence, Size,
    Wanted, Warning,
};
use testkit::{Picture, memory, read_all};

const RED: [u8; 4] = [255, 0, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const CLEAR: [u8; 4] = [0, 0, 0, 0];

/// The flag of VP8X for animations.
const ANIMATED: u8 = 2;
/// Flags of a frame: its region becomes transparent afterwards; its pixels replace the canvas.
const CLEARS: u8 = 1;
const REPLACES: u8 = 2;

fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let padding = vec![0; data.len() % 2];
    [kind.as_slice(), &(data.len() as u32).to_le_bytes(), data, &padding].concat()
}

fn file(chunks: &[Vec<u8>]) -> Vec<u8> {
    chunk(b"RIFF", &[b"WEBP".as_slice(), &chunks.concat()].concat())
}

fn bits24(value: u32) -> [u8; 3] {
    let [a, b, c, _] = value.to_le_bytes();
    [a, b, c]
}

/// Returns the VP8L chunk of a picture of one colour.
fn lossless(size: Size, color: [u8; 4]) -> Vec<u8> {
    let mut file = Vec::new();
    let pixels = color.repeat(size.area() as usize);
    WebPEncoder::new(&mut file).encode(&pixels, size.width, size.height, ColorType::Rgba8).unwrap();
    file[12..].to_vec()
}

fn extended(flags: u8, canvas: Size) -> Vec<u8> {
    chunk(b"VP8X", &[&[flags, 0, 0, 0][..], &bits24(canvas.width - 1), &bits24(canvas.height - 1)].concat())
}

fn frame((x, y): (u32, u32), size: Size, color: [u8; 4], flags: u8) -> Vec<u8> {
    let numbers = [x / 2, y / 2, size.width - 1, size.height - 1, 40].map(bits24).concat();
    chunk(b"ANMF", &[&numbers, &[flags][..], &lossless(size, color)].concat())
}

/// Returns an animation that is shown three times.
fn animation(canvas: Size, frames: &[Vec<u8>]) -> Vec<u8> {
    let plays = chunk(b"ANIM", &[9, 9, 9, 255, 3, 0]);
    file(&[vec![extended(ANIMATED, canvas), plays], frames.to_vec()].concat())
}

fn open(bytes: &dyn ByteSource) -> Result<Box<dyn ImageReader + '_>> {
    codec_webp::open(bytes, &Budget::new(&Limits::default()), &Notes::default())
}

fn frames(bytes: &dyn ByteSource) -> Vec<Result<Picture>> {
    let mut reader = open(bytes).unwrap();
    (0..reader.info().frames).map(|_| read_all(&mut *reader)).collect()
}

#[test]
fn frames_are_drawn_on_a_transparent_canvas_and_cleared_as_stated() {
    let (canvas, left) = (Size::new(4, 1), Size::new(2, 1));
    let bytes = animation(
        canvas,
        &[
            frame((0, 0), left, RED, CLEARS),
            frame((2, 0), left, BLUE, 0),
            frame((0, 0), canvas, CLEAR, 0),
            frame((0, 0), canvas, CLEAR, REPLACES),
        ],
    );
    let reader = open(&bytes).unwrap();
    let info = reader.info();
    assert_eq!((info.frames, info.sequence), (4, Sequence::Animation { plays: 3 }));
    assert_eq!(info.row_format, PixelFormat::RGBA8.into());
    let want = [
        [RED, RED, CLEAR, CLEAR],
        [CLEAR, CLEAR, BLUE, BLUE],
        [CLEAR, CLEAR, BLUE, BLUE],
        [CLEAR, CLEAR, CLEAR, CLEAR],
    ];
    for (frame, want) in frames(&bytes).into_iter().zip(want) {
        assert_eq!(frame.unwrap().rows, want.concat());
    }
}

#[test]
fn an_animation_has_delays_and_a_still_picture_has_none() {
    let size = Size::new(2, 2);
    let bytes = animation(size, &[frame((0, 0), size, RED, 0), frame((0, 0), size, BLUE, 0)]);
    let delay =
        |bytes: &dyn ByteSource| open(bytes).unwrap().next_frame(&Wanted::FULL_SIZE).unwrap().unwrap().info.delay;
    assert_eq!(delay(&bytes), Some(Delay { numerator: 40, denominator: 1000 }));
    assert_eq!(delay(&file(&[lossless(size, RED)])), None);
    let single = animation(size, &[frame((0, 0), size, RED, 0)]);
    assert_eq!((delay(&single), open(&single).unwrap().info().sequence), (None, Sequence::Single));
}

#[test]
fn frames_from_the_first_broken_one_on_are_counted_and_left_out() {
    let size = Size::new(2, 2);
    let sound = frame((0, 0), size, RED, 0);
    let beyond = frame((2, 0), size, RED, 0);
    let bytes = animation(size, &[sound.clone(), beyond.clone(), sound]);
    let notes = Notes::default();
    let reader = codec_webp::open(&bytes, &Budget::new(&Limits::default()), &notes).unwrap();
    assert_eq!(reader.info().frames, 1);
    assert_eq!(notes.warnings(), [Warning::FramesSkipped { skipped: 2, of: 3 }]);
    assert!(matches!(open(&animation(size, &[beyond])).err(), Some(Error::Malformed { .. })));
}

#[test]
fn a_frame_behind_damaged_data_is_an_error() {
    let size = Size::new(64, 64);
    let mut broken = frame((0, 0), size, BLUE, 0);
    let len = broken.len();
    broken[len - 8..].fill(0xFF);
    broken[30..len - 8].fill(0xAA);
    let bytes = animation(size, &[frame((0, 0), size, RED, 0), broken, frame((0, 0), size, RED, 0)]);
    let frames = frames(&bytes);
    assert!(frames[0].is_ok());
    assert!(frames[1..].iter().all(|frame| matches!(frame, Err(Error::Malformed { .. }))), "{frames:?}");
}

#[test]
fn metadata_are_found_before_and_behind_the_picture() {
    let size = Size::new(3, 2);
    let exif = b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    for code in [b"".as_slice(), b"Exif\0\0"] {
        let bytes = file(&[
            extended(0b10_1100, size),
            chunk(b"ICCP", b"no profile"),
            lossless(size, RED),
            chunk(b"EXIF", &[code, exif].concat()),
            chunk(b"XMP ", b"<x/>"),
        ]);
        let notes = Notes::default();
        let reader = codec_webp::open(&bytes, &Budget::new(&Limits::default()), &notes).unwrap();
        let info = reader.info();
        assert_eq!(info.metadata.exif.as_deref(), Some(exif.as_slice()));
        assert_eq!(info.metadata.xmp.as_deref(), Some(b"<x/>".as_slice()));
        assert_eq!((&info.metadata.icc, notes.warnings()), (&None, vec![Warning::BrokenProfile]));
        assert_eq!(info.orientation, Orientation::from_exif(6).unwrap());
    }
}

#[test]
fn sizes_that_contradict_each_other_are_refused() {
    let size = Size::new(3, 2);
    for chunks in [
        vec![],
        vec![extended(0, size)],
        vec![extended(0, Size::new(4, 2)), lossless(size, RED)],
        vec![extended(ANIMATED, size), lossless(size, RED)],
        vec![chunk(b"VP8X", &[0; 4]), lossless(size, RED)],
        vec![chunk(b"VP8L", b"/\0\0\0\xE0")],
        vec![chunk(b"VP8 ", &[1; 10])],
        vec![chunk(b"VP8 ", &[0; 10])],
        // The chunk states more bytes than the file.
        vec![[b"VP8L\x90\0\0\0".as_slice(), &lossless(size, RED)[8..]].concat()],
    ] {
        let bytes = file(&chunks);
        assert!(matches!(open(&bytes).err(), Some(Error::Malformed { .. })), "{}", bytes.escape_ascii());
    }
}

/// The pixels of this picture have 16 MB; a reference can reach 4 MiB of them.
#[test]
fn a_lossless_picture_takes_the_memory_of_the_pixels_to_which_it_can_refer() {
    let bytes = file(&[lossless(Size::new(2000, 2000), RED)]);
    let read = |memory| {
        let limits = Limits { memory };
        memory::counted("2000 × 2000", &limits, |budget| memory::read(codec_webp::open, &bytes, budget, u64::MAX))
    };
    read(5 << 20).unwrap();
    assert!(matches!(read(4 << 20), Err(Error::Limit(_))));
}

#[test]
fn the_budget_counts_what_is_really_allocated() {
    let large = Size::new(1000, 1000);
    let frames: Vec<_> = (0..5).map(|_| frame((0, 0), large, RED, CLEARS)).collect();
    for bytes in [file(&[lossless(large, RED)]), animation(large, &frames)] {
        let read = |budget: &Budget| memory::read(codec_webp::open, &bytes, budget, u64::MAX);
        memory::counted("1000 × 1000", &Limits::default(), read).unwrap();
    }
}

/// The chunks of a file and those inside a frame were read through three windows.
#[test]
fn the_headers_of_a_long_animation_are_read_through_one_window() {
    let size = Size::new(2, 2);
    let bytes = animation(size, &[frame((0, 0), size, RED, 0), chunk(b"long", &[0; 1 << 19])]);
    memory::counted("the headers", &Limits::default(), |budget| {
        codec_webp::open(&bytes, budget, &Notes::default()).map(drop).unwrap();
    });
}

/// A decoder could allocate the stated length of a partition, here 16 MB, before it finds that the file is shorter.
#[test]
fn partitions_that_the_file_does_not_contain_are_not_allocated() {
    // A first partition of 71 bytes, whose fields state more than one partition, and lengths of 16 MB.
    let fields = [0x3E, 0x91, 0x48, 0x9F, 0x4B, 0x25, 0xA4, 0xA3, 0x21, 0xA5, 0x75, 0x59];
    let header = [0xF0, 8, 0, 0x9D, 1, 0x2A, 82, 0, 82, 0];
    let file = file(&[chunk(b"VP8 ", &[&header[..], &fields, &[0x58; 59], &[0xFF; 200]].concat())]);
    let read = |budget: &Budget| memory::read(codec_webp::open, &file, budget, u64::MAX);
    let error = memory::counted("a picture", &Limits::default(), read).unwrap_err();
    assert!(error.to_string().contains("a partition is beyond the end"), "{error}");
}
