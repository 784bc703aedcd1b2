//! Tests of the format as a whole: written files are read back, and other files are refused.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed call fails the test")]

use std::rc::Rc;

use codec_raw::{MAGIC, Options};
use raster::steps::finished;
use raster::{
    Budget, Channels, Delay, Depth, Error, Format, Frame, FrameInfo, ImageInfo, ImageReader, ImageSpec, Limits,
    Metadata, Notes, Orientation, PixelFormat, Resolution, Result, RowFormat, RowReader, Sequence, Signal, Size,
    Stored, StoredGainMap, Text, Wanted, Warning,
};
use testkit::{ArrivingSource, FailingSource, Picture, SplitSource, generate, read_all, write_all};

const CHANNELS: [Channels; 4] = [Channels::Gray, Channels::GrayAlpha, Channels::Rgb, Channels::Rgba];

fn budget() -> Budget {
    Budget::new(&Limits { memory: 1 << 20 })
}

fn write(picture: &Picture) -> Vec<u8> {
    let mut file = Vec::new();
    let budget = budget();
    let spec = ImageSpec::single(picture.size, picture.pixels, &budget);
    write_all(codec_raw::create(&mut file, &spec, &Options::default()).unwrap(), picture).unwrap();
    file
}

fn read(bytes: &[u8]) -> Result<Picture> {
    read_all(&mut *codec_raw::open(&bytes, &budget(), &Notes::default())?)
}

fn small() -> Picture {
    generate::noise(Size::new(3, 2), PixelFormat::new(Channels::GrayAlpha, Depth::Sixteen), 7)
}

#[test]
fn a_file_is_byte_for_byte_as_documented() {
    let mut want = MAGIC.to_vec();
    want.extend([3, 0, 0, 0]);
    want.extend(b"HEAD\x26\0\0\0\x02\x10\x01\x03\0\0\0\x02\0\0\0"); // 38 bytes: GA, 16 bit, upright, 3 × 2
    want.extend([0, 0, 16, 2]); // single, without a quality, 16 bits in 2 samples
    want.extend([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]); // one frame, no plays, no sizes
    want.extend(b"\x03\0\0\0raw\0\0\0\0"); // the format and no metadata
    want.extend(b"FRAM\x14\0\0\0\x02\x10\x01\x03\0\0\0\x02\0\0\0\0\0\0\0\0\0\0\0\0"); // no delay, metadata of the head
    for row in 0..2 {
        want.extend(b"ROW \x0c\0\0\0");
        want.extend(small().row(row));
    }
    want.extend(b"END \0\0\0\0");
    assert_eq!(write(&small()), want);
}

#[test]
fn every_pixel_format_comes_back_through_any_split_of_the_reads() {
    for (seed, channels) in CHANNELS.into_iter().enumerate() {
        for depth in [Depth::Eight, Depth::Sixteen] {
            let picture = generate::noise(Size::new(61, 17), PixelFormat::new(channels, depth), seed as u64);
            let file = write(&picture);
            assert_eq!(read(&file).unwrap(), picture);
            for seed in 0..8 {
                let source = SplitSource::new(&file, seed);
                assert_eq!(
                    read_all(&mut *codec_raw::open(&source, &budget(), &Notes::default()).unwrap()).unwrap(),
                    picture
                );
            }
        }
    }
}

#[test]
fn fewer_frames_than_announced_are_corrected_in_the_head() {
    let (picture, budget, mut file) = (small(), budget(), Vec::new());
    let sequence = Sequence::Animation { plays: 3 };
    let spec = ImageSpec { frames: 5, sequence, ..ImageSpec::single(picture.size, picture.pixels, &budget) };
    write_all(codec_raw::create(&mut file, &spec, &Options::default()).unwrap(), &picture).unwrap();
    let reader = codec_raw::open(&file, &budget, &Notes::default()).unwrap();
    assert_eq!((reader.info().frames, reader.info().sequence), (1, sequence));
}

#[test]
fn a_file_that_ends_early_is_an_io_error() {
    let file = write(&small());
    let head = file.windows(4).position(|bytes| bytes == b"FRAM").unwrap();
    for len in 0..head {
        assert_eq!(read(&file[..len]).unwrap_err().code(), "malformed", "{len} bytes");
    }
    for len in head..file.len() - 8 {
        assert_eq!(read(&file[..len]).unwrap_err().code(), "read", "{len} bytes");
    }
}

#[test]
fn a_failing_source_is_not_reported_as_a_broken_file() {
    let file = write(&small());
    for good in 0..file.len() as u64 - 8 {
        let source = FailingSource::new(&file, good);
        let result =
            codec_raw::open(&source, &budget(), &Notes::default()).and_then(|mut reader| read_all(&mut *reader));
        assert_eq!(result.unwrap_err().code(), "read", "{good} good bytes");
    }
}

/// A reader with all features: three frames of different shapes. The second frame is damaged, the third in its second
/// row, and all kinds of warnings occur.
struct FullReader {
    info: ImageInfo,
    notes: Notes,
    next: usize,
    row: u8,
}

const DAMAGE: &str = "a marker is missing";

impl FullReader {
    fn new(notes: &Notes) -> Self {
        notes.warn(Warning::BrokenProfile);
        notes.warn(Warning::Skipped("exif"));
        let signal = Signal {
            code_points: [9, 16, 0, 1],
            mastering_display: Some([7; 24]),
            light_level: Some([8; 8]),
            has_profile: true,
        };
        let text =
            Text { keyword: "Title".into(), language: "de".into(), translated: "Titel".into(), text: "ä".into() };
        let metadata = Metadata {
            unread: false,
            icc: Some(vec![1; 300]),
            exif: Some(vec![2; 30]),
            xmp: Some(Vec::new()),
            xmp_extension: Some(vec![4; 5]),
            iptc: Some(vec![5]),
            texts: vec![text, Text::comment("second".into())],
            resolution: Some(Resolution { x: 72.5, y: 300.0 }),
            signal: Some(signal),
            gain_map: None,
        };
        let row_format = RowFormat::Inks { depth: Depth::Sixteen, alpha: true };
        let info = ImageInfo {
            frames: 3,
            sequence: Sequence::Pages,
            frame_sizes: vec![Size::new(3, 2), Size::new(9, 9), Size::new(5, 2)],
            stored: Stored { depth: 4, channels: 3 },
            orientation: Orientation::Transverse,
            metadata: Rc::new(metadata),
            quality: Some(77),
            gain_map: true,
            has_palette: true,
            ..ImageInfo::still(Format::Tiff, Size::new(2, 3), row_format)
        };
        Self { info, notes: notes.clone(), next: 0, row: 0 }
    }

    fn frame(&self) -> (FrameInfo, Rc<Metadata>) {
        let orientation = self.info.orientation;
        let first = FrameInfo { orientation, ..FrameInfo::new(self.info.size, self.info.row_format) };
        let delay = Some(Delay { numerator: 7, denominator: 100 });
        let last = FrameInfo { delay, ..FrameInfo::new(Size::new(5, 2), PixelFormat::GRAY8.into()) };
        match self.next {
            1 => (first, Rc::clone(&self.info.metadata)),
            _ => (last, Rc::new(Metadata::profile(Some(&[9; 9])))),
        }
    }
}

impl ImageReader for FullReader {
    fn info(&self) -> &ImageInfo {
        &self.info
    }

    fn next_frame(&mut self, _: &Wanted) -> Result<Option<Frame<'_>>> {
        self.next += 1;
        self.row = 0;
        if self.next == 2 {
            self.notes.warn(Warning::Skipped("page"));
            return Err(Error::malformed(Format::Tiff, 1 << 40, DAMAGE));
        }
        let (info, metadata) = self.frame();
        Ok((self.next <= 3).then_some(Frame::new(info, metadata, self)))
    }
}

impl RowReader for FullReader {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        if self.next == 3 && self.row == 1 {
            return Err(Error::malformed(Format::Jpeg, 5, DAMAGE));
        }
        self.row += 1;
        row.fill(16 * self.next as u8 + self.row);
        if self.row == 2 {
            self.notes.warn(Warning::Truncated { rows: 1, of: 3 });
        }
        Ok(())
    }
}

/// Returns everything that a reader returns, as text. A call whose bytes have not arrived is repeated.
fn transcript(reader: &mut dyn ImageReader, notes: &Notes) -> Vec<String> {
    let mut transcript = vec![format!("{:?}", reader.info())];
    for _ in 0..reader.info().frames {
        match again(|| frame_told(reader, notes)) {
            Ok(Some(frame)) => transcript.extend(frame),
            Ok(None) => break,
            Err(error) => transcript.push(error.to_string()),
        }
        transcript.push(format!("{:?}", notes.warnings()));
    }
    transcript
}

fn again<T>(mut attempt: impl FnMut() -> Result<T>) -> Result<T> {
    loop {
        match attempt() {
            Err(error) if error.is_not_yet() => {}
            result => return result,
        }
    }
}

fn frame_told(reader: &mut dyn ImageReader, notes: &Notes) -> Result<Option<Vec<String>>> {
    let Some(mut frame) = reader.next_frame(&Wanted::FULL_SIZE)? else { return Ok(None) };
    let mut transcript = vec![format!("{:?} {:?}", frame.info, frame.metadata)];
    let mut row = vec![0; frame.info.row_bytes() as usize];
    for _ in 0..frame.info.size.height {
        match again(|| frame.rows.read_row(&mut row)) {
            Ok(()) => transcript.push(format!("{row:?} {:?}", notes.warnings())),
            Err(error) => {
                transcript.push(error.to_string());
                break;
            }
        }
    }
    Ok(Some(transcript))
}

fn transferred(reader: &mut dyn ImageReader, notes: &Notes) -> Vec<u8> {
    let mut file = Vec::new();
    finished(codec_raw::transfer(reader, None, &mut file, &budget(), notes)).unwrap();
    file
}

fn full_file() -> Vec<u8> {
    let notes = Notes::default();
    transferred(&mut FullReader::new(&notes), &notes)
}

fn full_transcript() -> Vec<String> {
    let notes = Notes::default();
    transcript(&mut FullReader::new(&notes), &notes)
}

#[test]
fn a_gain_map_is_carried_in_the_head() {
    let notes = Notes::default();
    let file = full_file();
    let mut map = codec_raw::open(&file, &budget(), &notes).unwrap();
    assert_eq!(finished(codec_raw::gain_map_rows(&mut *map, &budget(), &notes)).unwrap(), None, "it has warnings");
    for (xmp, iso, needs_notes) in [(Some(b"<xmp/>".to_vec()), None, true), (None, Some(vec![0, 1]), false)] {
        let map = StoredGainMap { start: vec![7; 5000], xmp, iso, needs_notes, ..StoredGainMap::default() };
        let (mut file, notes) = (Vec::new(), Notes::default());
        let (mut reader, budget) = (FullReader::new(&notes), budget());
        finished(codec_raw::transfer(&mut reader, Some(map.clone()), &mut file, &budget, &notes)).unwrap();
        let notes = Notes::default();
        let mut reader = codec_raw::open(&file, &budget, &notes).unwrap();
        assert_eq!(reader.info().carried_gain_map.as_deref(), Some(&map));
        assert!(transcript(&mut *reader, &notes)[1..] == full_transcript()[1..]);
    }
}

#[test]
fn everything_that_a_reader_tells_is_told_at_the_other_end() {
    let file = full_file();
    let notes = Notes::default();
    let mut reader = codec_raw::open(&file, &budget(), &notes).unwrap();
    assert_eq!(transcript(&mut *reader, &notes), full_transcript());
    assert!(reader.next_frame(&Wanted::FULL_SIZE).unwrap().is_none());
}

#[test]
fn a_transferred_file_transferred_again_is_the_same() {
    let file = full_file();
    let notes = Notes::default();
    assert_eq!(transferred(&mut *codec_raw::open(&file, &budget(), &notes).unwrap(), &notes), file);
}

#[test]
fn rows_that_are_not_read_are_skipped() {
    let file = full_file();
    let mut reader = codec_raw::open(&file, &budget(), &Notes::default()).unwrap();
    reader.next_frame(&Wanted::FULL_SIZE).unwrap();
    assert_eq!(reader.next_frame(&Wanted::FULL_SIZE).err().unwrap().code(), "malformed", "the second frame is damaged");
    let frame = reader.next_frame(&Wanted::FULL_SIZE).unwrap().unwrap();
    assert_eq!(frame.info.size, Size::new(5, 2));
    assert!(reader.next_frame(&Wanted::FULL_SIZE).unwrap().is_none());
}

#[test]
fn every_prefix_and_every_flipped_bit_ends_in_frames_or_an_error() {
    let file = full_file();
    let survive = |bytes: &[u8]| {
        let notes = Notes::default();
        if let Ok(mut reader) = codec_raw::open(&bytes, &budget(), &notes) {
            transcript(&mut *reader, &notes);
        }
    };
    for len in 0..file.len() {
        survive(&file[..len]);
    }
    for bit in 0..file.len() * 8 {
        let mut broken = file.clone();
        broken[bit / 8] ^= 1 << (bit % 8);
        survive(&broken);
    }
}

#[test]
fn an_impossible_length_takes_no_memory() {
    let mut file = write(&small());
    file[16..20].copy_from_slice(&u32::MAX.to_le_bytes());
    let budget = budget();
    assert_eq!(codec_raw::open(&file, &budget, &Notes::default()).err().unwrap().code(), "malformed");
    assert_eq!(budget.peak(), 0);
}

#[test]
fn a_reader_waits_for_bytes_at_any_position() {
    let file = full_file();
    for step in [1, 2, 3, 7, 64, 500, 5000] {
        let (source, notes) = (ArrivingSource::new(&file, step), Notes::default());
        let mut reader = again(|| codec_raw::open(&source, &budget(), &notes)).unwrap();
        assert_eq!(transcript(&mut *reader, &notes), full_transcript(), "{step} bytes at a time");
        let (source, notes) = (ArrivingSource::new(&file, step), Notes::default());
        let mut reader = again(|| codec_raw::open(&source, &budget(), &notes)).unwrap();
        assert_eq!(transferred(&mut *reader, &notes), file, "{step} bytes at a time");
    }
}
