//! Several pictures in one file: pages, and the sizes of icons.

use pipeline::{Encoding, Job, Part};
use raster::{
    Budget, Format, FrameHeader, ImageSpec, Limits, Metadata, Notes, PixelFormat, Rect, Sequence, Size, Warning,
};
use testkit::{Picture, Wide, generate};

use crate::shared::{file, frames, picture, run};

/// Returns a TIFF of these pages.
fn pages(pictures: &[Picture]) -> Vec<u8> {
    let (mut bytes, budget) = (Vec::new(), Budget::new(&Limits::default()));
    let first = &pictures[0];
    let frames = pictures.len() as u32;
    let spec = ImageSpec { frames, sequence: Sequence::Pages, ..ImageSpec::single(first.size, first.pixels, &budget) };
    let mut writer = Encoding::new(Format::Tiff).unwrap().create(&mut bytes, &spec).unwrap();
    for page in pictures {
        writer.begin_frame(&FrameHeader::new(page.size, page.pixels), &Metadata::default()).unwrap();
        (0..page.size.height).for_each(|y| writer.write_row(page.row(y)).unwrap());
    }
    writer.finish().unwrap();
    bytes
}

/// Returns a job that keeps these frames unchanged.
fn keep(sizes: &[(u32, Size)], format: Format) -> Job {
    let parts = sizes.iter().map(|&(frame, size)| Part { frame, ..Part::whole(size) }).collect();
    Job { parts, ..Job::whole(sizes[0].1, Encoding::new(format).unwrap()) }
}

fn three() -> Vec<Picture> {
    let sizes = [(20, 15), (9, 25), (32, 5)].map(|(width, height)| Size::new(width, height));
    sizes.iter().enumerate().map(|(i, &size)| generate::noise(size, PixelFormat::RGB8, i as u64)).collect()
}

#[test]
fn pages_are_written_in_any_order_each_in_its_own_size() {
    let source = three();
    let bytes = pages(&source);
    let info = pipeline::probe(&bytes, &Limits::default(), &Notes::default()).unwrap();
    assert_eq!((info.frames, info.sequence), (3, Sequence::Pages));
    assert_eq!(info.frame_sizes, source.iter().map(|page| page.size).collect::<Vec<_>>());
    for order in [vec![0, 1, 2], vec![2, 0], vec![1, 1, 0]] {
        let wanted: Vec<_> = order.iter().map(|&i: &usize| (i as u32, source[i].size)).collect();
        let (out, report) = run(&bytes, &keep(&wanted, Format::Tiff)).unwrap();
        assert_eq!((report.frames, &report.warnings[..]), (order.len() as u32, &[][..]));
        let written = frames(&out);
        assert!(written.len() == order.len() && written.iter().zip(&order).all(|(got, &i)| *got == source[i]));
    }
}

#[test]
fn each_part_is_resampled_from_its_own_original() {
    let photo = generate::zone_plate(Size::new(300, 300), PixelFormat::RGBA8);
    let source = file(&photo, Format::Png);
    let sides = [16, 24, 32, 48, 64, 128, 256];
    let part = |side| Part { target: Size::new(side, side), ..Part::whole(photo.size) };
    let whole = Job::whole(photo.size, Encoding::new(Format::Ico).unwrap());
    let (icon, report) = run(&source, &Job { parts: sides.map(part).to_vec(), ..whole.clone() }).unwrap();
    assert_eq!((report.frames, report.size), (7, Size::new(256, 256)));
    let entries = frames(&icon);
    for side in sides {
        let entry = entries.iter().find(|entry| entry.size.width == side).unwrap();
        let alone = Job { parts: vec![part(side)], encoding: Encoding::new(Format::Png).unwrap(), ..whole.clone() };
        let (png, _) = run(&source, &alone).unwrap();
        // The entries of an icon have alpha; a PNG of few opaque colours has none.
        assert_eq!(Wide::of(entry).first_difference(&Wide::of(&picture(&png))), None, "{side} px");
    }
}

#[test]
fn effort_and_compression_reach_the_encoder_and_keep_every_pixel() {
    use pipeline::{Compression, PngOptions, TiffOptions};
    use raster::Effort;
    let photo = generate::zone_plate(Size::new(200, 120), PixelFormat::RGB8);
    let source = file(&photo, Format::Bmp);
    let as_written = |encoding: Encoding| {
        let (bytes, _) = run(&source, &Job::whole(photo.size, encoding)).unwrap();
        assert!(picture(&bytes) == photo, "{encoding:?}");
        bytes
    };
    let [fast, default, smallest] =
        Effort::ALL.map(|effort| as_written(Encoding::Png(PngOptions { effort, ..PngOptions::default() })));
    assert!(default == as_written(Encoding::new(Format::Png).unwrap()));
    assert!(fast.len() >= default.len() && default.len() > smallest.len());

    let codes = [Compression::None, Compression::Lzw, Compression::Deflate];
    let [none, lzw, deflate] = codes.map(|compression| as_written(Encoding::Tiff(TiffOptions { compression })));
    assert!(lzw == as_written(Encoding::new(Format::Tiff).unwrap()));
    assert!(none.len() > lzw.len() && lzw.len() > deflate.len());
}

#[test]
fn a_format_for_one_picture_refuses_several() {
    let source = three();
    let wanted: Vec<_> = source.iter().enumerate().map(|(i, page)| (i as u32, page.size)).collect();
    for format in [Format::Jpeg, Format::Png, Format::Bmp] {
        assert_eq!(run(&pages(&source), &keep(&wanted, format)).unwrap_err().code(), "unsupported", "{format}");
    }
}

#[test]
fn progress_ends_at_its_end_and_never_goes_back() {
    let source = three();
    let bytes = pages(&source);
    let mut job = keep(&[(0, source[0].size), (1, source[1].size), (2, source[2].size)], Format::Tiff);
    job.parts[1].crop = Rect { x: 1, y: 1, width: 8, height: 8 };
    job.parts[1].target = Size::new(4, 4);
    let mut reported: Vec<f64> = Vec::new();
    pipeline::run(&bytes, &mut Vec::new(), &job, &mut |done, all| reported.push(done as f64 / all as f64)).unwrap();
    assert!(reported.is_sorted() && reported.len() <= 101, "{reported:?}");
    assert_eq!(reported.last(), Some(&1.0));
}

#[test]
fn an_unreadable_page_is_left_out_with_a_warning_and_the_others_are_kept() {
    let source = three();
    let mut bytes = pages(&source);
    let info = pipeline::probe(&bytes, &Limits::default(), &Notes::default()).unwrap();
    let mut damaged = 0;
    for at in (8..bytes.len()).step_by(7) {
        let before = bytes[at];
        bytes[at] = 0xFF;
        let wanted: Vec<_> = info.frame_sizes.iter().enumerate().map(|(i, &size)| (i as u32, size)).collect();
        if let Ok((out, report)) = run(&bytes, &keep(&wanted, Format::Tiff))
            && report.warnings.contains(&Warning::FramesSkipped { skipped: 1, of: 3 })
        {
            assert_eq!((report.frames, frames(&out).len()), (2, 2));
            damaged += 1;
        }
        bytes[at] = before;
    }
    assert!(damaged > 0, "no byte of the file can spoil a page alone");
}
