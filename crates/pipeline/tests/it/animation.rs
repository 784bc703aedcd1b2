//! Animations stay animations; lost frames are a warning.

use pipeline::{Encoding, Job, Part, Sharpening};
use raster::rows::{Delay, ImageSpec};
use raster::{
    Budget, Format, FrameHeader, Limits, Metadata, Notes, PixelFormat, Rect, RowReader, Sequence, Size, Wanted, Warning,
};
use testkit::{Picture, generate, read_all};

use crate::shared::{picture, run};

const SIZE: Size = Size::new(60, 40);
const DELAY: Delay = Delay { numerator: 7, denominator: 50 };

fn pictures() -> Vec<Picture> {
    (0..3).map(|seed| generate::noise(SIZE, PixelFormat::RGB8, seed)).collect()
}

fn animation() -> Vec<u8> {
    animation_of(&pictures())
}

fn animation_of(pictures: &[Picture]) -> Vec<u8> {
    let (mut bytes, budget) = (Vec::new(), Budget::new(&Limits::default()));
    let sequence = Sequence::Animation { plays: 5 };
    let spec =
        ImageSpec { frames: pictures.len() as u32, sequence, ..ImageSpec::single(SIZE, pictures[0].pixels, &budget) };
    let mut writer = Encoding::new(Format::Png).unwrap().create(&mut bytes, &spec).unwrap();
    for picture in pictures {
        let header = FrameHeader { delay: Some(DELAY), ..picture.header() };
        writer.begin_frame(&header, &Metadata::default()).unwrap();
        picture.rows.chunks_exact(picture.row_bytes()).for_each(|row| writer.write_row(row).unwrap());
    }
    writer.finish().unwrap();
    bytes
}

fn job(frames: &[u32], target: Size) -> Job {
    job_to(Format::Png, frames, target)
}

fn job_to(format: Format, frames: &[u32], target: Size) -> Job {
    let part = |frame: &u32| Part { frame: *frame, target, ..Part::whole(SIZE) };
    Job { parts: frames.iter().map(part).collect(), ..Job::whole(SIZE, Encoding::new(format).unwrap()) }
}

/// Pictures of few colours, with nothing behind them: what comes and goes shows the canvas.
fn drawings() -> Vec<Picture> {
    let drawing = |at: u32| {
        Picture::paint(SIZE, PixelFormat::RGBA8, |x, y| match (x / 10 + at) % 4 + y / 20 {
            0 => [0.0; 4],
            n => [f64::from(n) / 5.0, 0.2, 1.0, 1.0],
        })
    };
    (0..3).map(drawing).collect()
}

#[test]
fn every_frame_is_resized_and_plays_and_delays_are_kept() {
    let (out, report) = run(&animation(), &job(&[0, 1, 2], Size::new(30, 20))).unwrap();
    assert_eq!((report.frames, report.size, report.warnings), (3, Size::new(30, 20), vec![]));
    let mut reader = pipeline::open(Format::Png, &out, &Budget::new(&Limits::default()), &Notes::default()).unwrap();
    assert_eq!(reader.info().sequence, Sequence::Animation { plays: 5 });
    for _ in 0..3 {
        assert_eq!(reader.next_frame(&Wanted::FULL_SIZE).unwrap().unwrap().info.delay, Some(DELAY));
    }
}

#[test]
fn frames_that_keep_their_size_are_unchanged() {
    let (out, _) = run(&animation(), &job(&[0, 1, 2], SIZE)).unwrap();
    let mut reader = pipeline::open(Format::Png, &out, &Budget::new(&Limits::default()), &Notes::default()).unwrap();
    for picture in pictures() {
        assert!(read_all(&mut *reader).unwrap() == picture);
    }
}

#[test]
fn a_still_of_an_animation_warns_about_the_other_frames() {
    for (frame, expected) in pictures().iter().enumerate() {
        let (out, report) = run(&animation(), &job(&[frame as u32], SIZE)).unwrap();
        assert_eq!(report.warnings, [Warning::FirstFrameOnly { frames: 3 }]);
        assert!(picture(&out) == *expected);
    }
    for format in [Format::Jpeg, Format::Bmp, Format::Tiff] {
        let still = Job { encoding: Encoding::new(format).unwrap(), ..job(&[0], SIZE) };
        assert_eq!(run(&animation(), &still).unwrap().1.frames, 1);
    }
}

#[test]
fn a_damaged_frame_is_left_out() {
    let mut bytes = animation();
    let last = bytes.windows(4).rposition(|window| window == b"fdAT").unwrap();
    bytes[last + 8..last + 40].fill(0xFF);
    let (out, report) = run(&bytes, &job(&[0, 1, 2], SIZE)).unwrap();
    assert_eq!(report.warnings, [Warning::FramesSkipped { skipped: 1, of: 3 }]);
    assert_eq!(report.frames, 2);
    assert!(picture(&out) == pictures()[0]);
}

#[test]
fn an_animation_goes_through_all_formats_of_animations_and_keeps_frames_plays_and_delays() {
    let mut file = animation_of(&drawings());
    for format in [Format::Gif, Format::Png, Format::WebP, Format::Gif, Format::WebP, Format::Png] {
        let (next, report) = run(&file, &job_to(format, &[0, 1, 2], SIZE)).unwrap();
        assert_eq!((report.format, report.frames, report.warnings), (format, 3, vec![]));
        let mut reader = pipeline::open(format, &next, &Budget::new(&Limits::default()), &Notes::default()).unwrap();
        assert_eq!(reader.info().sequence, Sequence::Animation { plays: 5 });
        for drawing in drawings() {
            let mut frame = reader.next_frame(&Wanted::FULL_SIZE).unwrap().unwrap();
            let Delay { numerator, denominator } = frame.info.delay.unwrap();
            assert_eq!(numerator * DELAY.denominator, DELAY.numerator * denominator, "{format}");
            let mut row = vec![0; drawing.row_bytes()];
            for y in 0..SIZE.height {
                frame.rows.read_row(&mut row).unwrap();
                assert!(row == drawing.row(y), "{format}");
            }
        }
        drop(reader);
        file = next;
    }
}

#[test]
fn a_resized_gif_keeps_frames_times_and_transparency() {
    let (gif, _) = run(&animation_of(&drawings()), &job_to(Format::Gif, &[0, 1, 2], SIZE)).unwrap();
    let (small, report) = run(&gif, &job_to(Format::Gif, &[0, 1, 2], Size::new(30, 20))).unwrap();
    assert_eq!((report.frames, report.size, report.warnings), (3, Size::new(30, 20), vec![]));
    let mut reader = pipeline::open(Format::Gif, &small, &Budget::new(&Limits::default()), &Notes::default()).unwrap();
    assert!(reader.info().row_format.has_alpha());
    for _ in 0..3 {
        assert_eq!(
            reader.next_frame(&Wanted::FULL_SIZE).unwrap().unwrap().info.delay,
            Some(Delay { numerator: 14, denominator: 100 })
        );
    }
}

/// Of later frames only what changed is resampled. The pixels are those of each frame alone.
#[test]
fn frames_of_which_a_part_changes_have_the_pixels_of_each_frame_alone() {
    let moving = |at: u32| {
        Picture::paint(SIZE, PixelFormat::RGB8, |x, y| {
            let is_inside = (5 + 13 * at..20 + 13 * at).contains(&x) && (9 + 4 * at..15 + 4 * at).contains(&y);
            if is_inside { [1.0, 0.3, 0.0, 1.0] } else { [f64::from(x / 12) / 5.0, f64::from(y / 9) / 5.0, 0.5, 1.0] }
        })
    };
    let moving: Vec<Picture> = [0, 1, 1, 2].map(moving).into();
    let corner = Rect { x: 7, y: 3, width: 40, height: 30 };
    for (pictures, crop) in [(drawings(), corner), (moving, corner), (drawings(), Rect::whole(SIZE))] {
        let frames: Vec<u32> = (0..pictures.len() as u32).collect();
        let (gif, _) = run(&animation_of(&pictures), &job_to(Format::Gif, &frames, SIZE)).unwrap();
        let part = |&frame: &u32| Part { frame, crop, target: Size::new(31, 17), ..Part::whole(SIZE) };
        for sharpening in [Sharpening::Off, Sharpening::Mild] {
            let parts = |frames: &[u32]| frames.iter().map(part).collect();
            let job = |frames: &[u32]| Job { parts: parts(frames), sharpening, ..job(&[], SIZE) };
            let (all, _) = run(&gif, &job(&frames)).unwrap();
            let mut reader =
                pipeline::open(Format::Png, &all, &Budget::new(&Limits::default()), &Notes::default()).unwrap();
            for &frame in &frames {
                let alone = picture(&run(&gif, &job(&[frame])).unwrap().0);
                assert!(read_all(&mut *reader).unwrap().rows == alone.rows, "frame {frame}, {sharpening:?}");
            }
        }
    }
}

/// The first frames of each animation of the corpus whose frames have at most 255 colours.
#[test]
fn gifs_that_keep_their_size_come_back_exactly() {
    let Some(rows) = testkit::corpus::rows("gif") else { return };
    let mut compared = 0;
    for row in rows.iter().filter(|row| row.must && row.frames.is_some_and(|frames| frames > 1)) {
        let (file, budget) = (row.bytes(), Budget::new(&Limits::default()));
        let mut reader = pipeline::open(Format::Gif, &file, &budget, &Notes::default()).unwrap();
        let (size, frames) = (reader.info().size, reader.info().frames.min(20));
        let pictures: Vec<Picture> = (0..frames).map(|_| read_all(&mut *reader).unwrap()).collect();
        if frames < 2 || pictures.iter().any(|picture| colors(picture) > 255) {
            continue;
        }
        let parts = (0..frames).map(|frame| Part { frame, ..Part::whole(size) }).collect();
        let job = Job { parts, ..Job::whole(size, Encoding::new(Format::Gif).unwrap()) };
        let (written, _) = run(&file, &job).unwrap();
        let mut reader = pipeline::open(Format::Gif, &written, &budget, &Notes::default()).unwrap();
        for (number, picture) in pictures.iter().enumerate() {
            assert!(read_all(&mut *reader).unwrap() == *picture, "{}, frame {number}", row.name);
        }
        compared += 1;
    }
    assert!(compared > 20, "{compared}");
}

fn colors(picture: &Picture) -> usize {
    let pixels = picture.rows.chunks_exact(picture.pixels.bytes());
    pixels.collect::<std::collections::BTreeSet<_>>().len()
}
