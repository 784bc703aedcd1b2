//! Written files, read by our own reader, icotool and ImageMagick.

use std::fs;
use std::path::Path;

use raster::{Budget, Channels, Depth, ImageSpec, Limits, Metadata, Notes, PixelFormat, Result, Sequence, Size};
use testkit::{Picture, generate, read_all};

use crate::oracle;

const ICON: [u32; 7] = [16, 24, 32, 48, 64, 128, 256];

fn write(pictures: &[Picture], announced: u32) -> Result<Vec<u8>> {
    let (mut file, budget) = (Vec::new(), Budget::new(&Limits { memory: 8 << 20 }));
    let Picture { size, pixels, .. } = pictures[0];
    let spec = ImageSpec { frames: announced, sequence: Sequence::Sizes, ..ImageSpec::single(size, pixels, &budget) };
    let mut writer = codec_ico::create(&mut file, &spec)?;
    for picture in pictures {
        writer.begin_frame(&picture.header(), &Metadata::default())?;
        (0..picture.size.height).try_for_each(|y| writer.write_row(picture.row(y)))?;
    }
    writer.finish()?;
    Ok(file)
}

fn pixels(channels: Channels) -> PixelFormat {
    PixelFormat::new(channels, Depth::Eight)
}

/// Returns a picture in seven sizes with all levels of alpha.
fn motif() -> Vec<Picture> {
    ICON.iter().map(|&side| generate::ghost_edges(Size::new(side, side), Depth::Eight)).collect()
}

fn read(file: &[u8]) -> Vec<Picture> {
    let notes = Notes::default();
    let mut reader = codec_ico::open(&file, &Budget::new(&Limits::default()), &notes).unwrap();
    let frames = reader.info().frames;
    assert!(notes.warnings().is_empty());
    (0..frames).map(|_| read_all(&mut *reader).unwrap()).collect()
}

#[test]
fn seven_sizes_are_read_largest_first_with_png_from_64_pixels_on() {
    let pictures = motif();
    let file = write(&pictures, 7).unwrap();
    assert!(read(&file).iter().eq(pictures.iter().rev()));
    for (i, side) in ICON.iter().enumerate() {
        let entry = &file[6 + 16 * i..][..16];
        let at = u32::from_le_bytes(*entry[12..].first_chunk().unwrap()) as usize;
        assert_eq!(file[at..].starts_with(b"\x89PNG"), *side >= 64, "{side}");
        assert_eq!(entry[..8], [*side as u8, *side as u8, 0, 0, 1, 0, 32, 0]);
    }
    assert_eq!(write(&pictures, 7).unwrap(), file, "the same bytes again");
}

/// Windows' reader of PNG entries requires red, green, blue, alpha of eight bits: colour type 6.
#[test]
fn a_png_entry_of_few_colors_still_has_32_bits_a_pixel() {
    let flat = generate::flat(Size::new(64, 64), PixelFormat::RGB8, [0.2, 0.4, 0.6, 1.0]);
    let file = write(core::slice::from_ref(&flat), 1).unwrap();
    assert_eq!(file[22..][24..26], [8, 6]);
}

#[test]
fn other_programs_read_the_same_pixels() {
    let pictures = motif();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("written-{}.ico", std::process::id()));
    fs::write(&path, write(&pictures, 7).unwrap()).unwrap();
    let check = |who: &str, seen: Vec<testkit::Seen>| {
        assert_eq!(seen.len(), 7, "{who}");
        for (picture, seen) in pictures.iter().zip(seen) {
            assert_eq!(seen.size, (picture.size.width, picture.size.height), "{who}");
            // Neither keeps the colour of transparent pixels.
            let visible = |&[r, g, b, a]: &[u8; 4]| if a == 0 { [0; 4] } else { [r, g, b, a] };
            let ours = picture.rows.as_chunks::<4>().0.iter().map(visible);
            assert!(ours.eq(seen.rgba.iter().map(visible)), "{who}: {}", picture.size);
        }
    };
    if let Some(see) = oracle::icotool() {
        check("icotool", see(&path).unwrap());
    }
    if let Some(see) = oracle::imagemagick() {
        check("ImageMagick", see(&path).unwrap());
    }
}

#[test]
fn every_layout_and_odd_size_becomes_red_green_blue_alpha() {
    let sides = [(1, 1), (3, 2), (31, 5), (33, 1), (1, 63), (64, 1), (256, 3), (100, 256)];
    for channels in [Channels::Gray, Channels::GrayAlpha, Channels::Rgb, Channels::Rgba] {
        for (width, height) in sides {
            let picture = generate::noise(Size::new(width, height), pixels(channels), 1);
            let widened: Vec<u8> = picture
                .rows
                .chunks_exact(channels.count())
                .flat_map(|p| match *p {
                    [gray] => [gray, gray, gray, 255],
                    [gray, alpha] => [gray, gray, gray, alpha],
                    [red, green, blue] => [red, green, blue, 255],
                    _ => [p[0], p[1], p[2], p[3]],
                })
                .collect();
            let back = read(&write(core::slice::from_ref(&picture), 1).unwrap());
            assert!(back[0].size == picture.size && back[0].rows == widened, "{channels:?} {width} × {height}");
        }
    }
}

#[test]
fn fewer_frames_than_announced_are_valid() {
    let pictures = motif();
    assert!(read(&write(&pictures[..3], 7).unwrap()).iter().eq(pictures[..3].iter().rev()));
}

#[test]
fn unsupported_frames_are_refused_before_the_first_row() {
    let (mut file, budget) = (Vec::new(), Budget::new(&Limits::default()));
    let mut refusal = |size, pixels, frames| {
        let spec = ImageSpec { frames, sequence: Sequence::Sizes, ..ImageSpec::single(size, pixels, &budget) };
        codec_ico::create(&mut file, &spec).err().map(|e| e.code())
    };
    assert_eq!(refusal(Size::new(257, 1), PixelFormat::RGBA8, 1), Some("side"));
    assert_eq!(refusal(Size::new(1, 0), PixelFormat::RGBA8, 1), Some("no-size"));
    assert_eq!(refusal(Size::new(1, 1), PixelFormat::RGBA8, 65_536), Some("parts"));
    assert_eq!(refusal(Size::new(1, 1), PixelFormat::new(Channels::Rgb, Depth::Sixteen), 1), Some("unsupported"));
    assert_eq!(refusal(Size::new(256, 256), PixelFormat::RGB8, 65_535), None);
}
