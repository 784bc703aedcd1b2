//! Written files: their bytes as other readers require them, and their pixels as our reader, ImageMagick and netpbm
//! read them.

use std::fs;
use std::path::{Path, PathBuf};

use raster::{
    Budget, ByteSink, ByteSource, Channels, Depth, Error, ImageSpec, Limit, Limits, Metadata, Notes, PixelFormat,
    Result, Size, Warning,
};
use testkit::{Picture, generate, read_all, write_with};

use crate::oracle;

const GRAY_ALPHA8: PixelFormat = PixelFormat::new(Channels::GrayAlpha, Depth::Eight);
const FORMATS: [PixelFormat; 4] = [PixelFormat::GRAY8, GRAY_ALPHA8, PixelFormat::RGB8, PixelFormat::RGBA8];

fn budget() -> Budget {
    Budget::new(&Limits::default())
}

fn write_under(picture: &Picture, icc: Option<&[u8]>, budget: &Budget) -> Vec<u8> {
    let mut file = Vec::new();
    let spec = ImageSpec::single(picture.size, picture.pixels, budget);
    write_with(codec_bmp::create(&mut file, &spec).unwrap(), picture, &Metadata::profile(icc)).unwrap();
    file
}

fn write(picture: &Picture, icc: Option<&[u8]>) -> Vec<u8> {
    write_under(picture, icc, &budget())
}

/// Returns the picture as it is read back: grey with alpha becomes RGB with alpha.
fn as_read(picture: &Picture) -> Picture {
    if picture.pixels != GRAY_ALPHA8 {
        return picture.clone();
    }
    let rows =
        picture.rows.as_chunks().0.iter().flat_map(|&[gray, alpha]: &[u8; 2]| [gray, gray, gray, alpha]).collect();
    Picture { size: picture.size, pixels: PixelFormat::RGBA8, rows }
}

/// Returns the smallest valid profile: 128 bytes of header and a count of no tags.
fn profile(space: &[u8; 4]) -> Vec<u8> {
    let mut profile = vec![0; 132];
    profile[3] = 132;
    profile[16..20].copy_from_slice(space);
    profile[36..40].copy_from_slice(b"acsp");
    profile
}

fn word(file: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(file[at..at + 4].try_into().unwrap())
}

#[test]
fn every_format_and_width_is_read_back() {
    for (seed, pixels) in FORMATS.into_iter().enumerate() {
        for width in 1..=17 {
            let picture = generate::noise(Size::new(width, 5), pixels, seed as u64);
            let file = write(&picture, None);
            assert_eq!(word(&file, 2) as usize, file.len(), "the header states the file's length");
            let notes = Notes::default();
            let mut reader = codec_bmp::open(&file, &budget(), &notes).unwrap();
            assert_eq!(read_all(&mut *reader).unwrap(), as_read(&picture));
            assert!(notes.warnings().is_empty());
        }
    }
}

#[test]
fn headers_are_the_oldest_that_support_the_picture() {
    let table = [
        // pixels, profile, header length, bits, compression, colour space
        (PixelFormat::GRAY8, None, 40, 8, 0, 0),
        (PixelFormat::RGB8, None, 40, 24, 0, 0),
        (PixelFormat::RGBA8, None, 124, 32, 3, 0x7352_4742),
        (GRAY_ALPHA8, None, 124, 32, 3, 0x7352_4742),
        (PixelFormat::RGB8, Some(profile(b"RGB ")), 124, 24, 0, 0x4D42_4544),
        (PixelFormat::RGBA8, Some(profile(b"RGB ")), 124, 32, 3, 0x4D42_4544),
        (PixelFormat::RGB8, Some(profile(b"GRAY")), 40, 24, 0, 0),
        (PixelFormat::GRAY8, Some(profile(b"GRAY")), 40, 8, 0, 0),
    ];
    for (pixels, icc, header_len, bits, compression, space) in table {
        let picture = generate::noise(Size::new(3, 2), pixels, 1);
        let file = write(&picture, icc.as_deref());
        assert_eq!((word(&file, 14), word(&file, 28) & 0xFFFF, word(&file, 30)), (header_len, bits, compression));
        if header_len == 124 {
            assert_eq!(word(&file, 14 + 56), space);
        }
        let reader = codec_bmp::open(&file, &budget(), &Notes::default()).unwrap();
        assert_eq!(reader.info().metadata.icc, icc.filter(|icc| icc[16..20] == *b"RGB "), "{pixels:?}");
    }
}

#[test]
fn a_held_picture_is_bottom_up_and_a_larger_one_top_down() {
    let picture = generate::noise(Size::new(50, 40), PixelFormat::RGB8, 3);
    let (usual, poor) = (write(&picture, None), Budget::new(&Limits { memory: 1000 }));
    let unheld = write_under(&picture, None, &poor);
    assert_eq!((word(&usual, 22), word(&unheld, 22)), (40, 40u32.wrapping_neg()));
    assert_eq!(usual.len(), unheld.len());
    for file in [usual, unheld] {
        assert_eq!(read_all(&mut *codec_bmp::open(&file, &budget(), &Notes::default()).unwrap()).unwrap(), picture);
    }
    assert!(poor.used() <= 152, "one row is held, not {} bytes", poor.used());
}

/// A sink that counts bytes and drops them.
struct Counting(u64, [u8; 26]);

impl ByteSink for Counting {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        if self.0 == 0 {
            self.1.copy_from_slice(&bytes[..26]);
        }
        self.0 += bytes.len() as u64;
        Ok(())
    }
    fn patch(&mut self, _: u64, _: &[u8]) -> Result<()> {
        Err(Error::Contradiction("nothing is patched"))
    }
    fn reread(&mut self) -> Result<Box<dyn ByteSource + '_>> {
        Err(Error::Contradiction("forgotten"))
    }
}

#[test]
fn above_64_mib_rows_are_written_at_once_and_above_4_gib_files_are_refused() {
    let picture = generate::gradient(Size::new(8192, 1), PixelFormat::RGB8);
    let mut sink = Counting(0, [0; 26]);
    let (size, pixels, budget) = (Size::new(8192, 2731), PixelFormat::RGB8, budget());
    let spec = ImageSpec::single(size, pixels, &budget);
    let mut writer = codec_bmp::create(&mut sink, &spec).unwrap();
    writer.begin_frame(&raster::FrameHeader::new(size, pixels), &Metadata::default()).unwrap();
    (0..size.height).for_each(|_| writer.write_row(&picture.rows).unwrap());
    writer.finish().unwrap();
    assert_eq!((sink.0, word(&sink.1, 22)), (54 + 8192 * 3 * 2731, 2731u32.wrapping_neg()));
    assert!(budget.used() <= 8192 * 3);

    let size = Size::new(40_000, 40_000);
    let spec = ImageSpec::single(size, pixels, &budget);
    let mut file = Vec::new();
    let refused = codec_bmp::create(&mut file, &spec).err().unwrap();
    assert!(matches!(refused, Error::Limit(Limit::Side { max: 37_836, .. })), "{refused}");
    assert!(file.is_empty());
    let spec = ImageSpec { size: Size::new(37_836, 37_836), ..spec };
    assert!(codec_bmp::create(&mut file, &spec).is_ok(), "the size that the refusal names fits");
}

#[test]
fn sixteen_bits_are_refused() {
    let budget = budget();
    let mut file = Vec::new();
    let pixels = PixelFormat::new(Channels::Rgb, Depth::Sixteen);
    let spec = ImageSpec::single(Size::new(1, 2), pixels, &budget);
    assert_eq!(codec_bmp::create(&mut file, &spec).err().unwrap().code(), "unsupported");
}

#[test]
fn a_cut_profile_is_a_warning() {
    let picture = generate::noise(Size::new(4, 4), PixelFormat::RGB8, 1);
    let mut file = write(&picture, Some(&profile(b"RGB ")));
    file.pop();
    let notes = Notes::default();
    let mut reader = codec_bmp::open(&file, &budget(), &notes).unwrap();
    assert_eq!(notes.warnings(), [Warning::BrokenProfile]);
    assert_eq!(read_all(&mut *reader).unwrap(), picture);
}

/// Returns stripes of `count` colours, which `color` computes from their numbers.
fn stripes(count: u32, color: impl Fn(u32) -> [u8; 3]) -> Picture {
    let size = Size::new(101, 64);
    let mut picture = Picture::blank(size, PixelFormat::RGB8);
    let pixels = picture.rows.as_chunks_mut::<3>().0;
    (0..).zip(pixels).for_each(|(i, pixel)| *pixel = color(i / 7 % count));
    picture
}

const fn motley(i: u32) -> [u8; 3] {
    [i as u8, (i * 7) as u8, (255 - i % 256) as u8]
}

#[test]
fn few_colors_become_a_palette_that_other_programs_read() {
    let (netpbm, imagemagick) = (oracle::netpbm(), oracle::imagemagick());
    let gray = |i| [i as u8; 3];
    let table = [
        ("two", stripes(2, motley), 8, 2),
        ("all", stripes(256, motley), 8, 256),
        ("one-more", stripes(257, |i| if i == 256 { [1, 1, 1] } else { motley(i) }), 24, 0),
        ("greys", stripes(9, gray), 8, 9),
        ("all-greys", stripes(256, gray), 8, 256),
    ];
    for (name, picture, bits, colors) in table {
        for icc in [None, Some(profile(b"RGB "))] {
            let file = write(&picture, icc.as_deref());
            assert_eq!((word(&file, 28) & 0xFFFF, word(&file, 46)), (bits, colors), "{name}");
            assert_eq!(word(&file, 2) as usize, file.len(), "{name}");
            let mut reader = codec_bmp::open(&file, &budget(), &Notes::default()).unwrap();
            let read = read_all(&mut *reader).unwrap();
            // A palette of greys is read as grey, unless the file has a profile for RGB.
            let rows = match read.pixels {
                PixelFormat::GRAY8 => read.rows.iter().flat_map(|&level| [level; 3]).collect(),
                _ => read.rows,
            };
            assert_eq!(read.pixels == PixelFormat::GRAY8, name.contains("greys") && icc.is_none(), "{name}");
            assert!(rows == picture.rows, "{name}");
            assert_eq!(reader.info().metadata.icc, icc, "{name}");
            let path = on_disk(&format!("palette-{name}.bmp"), &file);
            let rgba: Vec<u8> = picture.rows.as_chunks::<3>().0.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect();
            let seen = [
                imagemagick.as_ref().map(|see| see(&path, (101, 64)).unwrap()),
                netpbm.as_ref().map(|see| see(&path).unwrap()),
            ];
            seen.into_iter().flatten().for_each(|seen| assert!(seen.rgba.as_flattened() == rgba, "{name}"));
        }
    }
}

#[test]
fn a_palette_that_saves_no_bytes_is_not_written() {
    for (width, bits) in [(11, 24), (15, 8)] {
        let mut picture = generate::noise(Size::new(width, 1), PixelFormat::RGB8, 1);
        picture.rows.as_chunks_mut::<3>().0.iter_mut().skip(5).for_each(|pixel| *pixel = [1, 2, 3]);
        assert_eq!(word(&write(&picture, None), 28) & 0xFFFF, bits, "{width} pixels of six colours");
    }
}

/// Writes a file to disk for other programs.
fn on_disk(name: &str, file: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, file).unwrap();
    path
}

#[test]
fn other_programs_read_written_files() {
    let (netpbm, imagemagick) = (oracle::netpbm(), oracle::imagemagick());
    for (nth, pixels) in FORMATS.into_iter().enumerate() {
        let picture = generate::noise(Size::new(19, 7), pixels, 5);
        let usual = write(&picture, None);
        let top_down = write_under(&picture, None, &Budget::new(&Limits { memory: 100 }));
        let profiled = write(&picture, Some(&profile(b"RGB ")));
        for (variant, file) in [("usual", usual), ("top-down", top_down), ("profiled", profiled)] {
            let path = on_disk(&format!("{nth}-{variant}.bmp"), &file);
            let ours = as_read(&picture);
            let rgba: Vec<u8> = match ours.pixels {
                PixelFormat::GRAY8 => ours.rows.iter().flat_map(|&v| [v, v, v, 255]).collect(),
                PixelFormat::RGB8 => {
                    ours.rows.as_chunks::<3>().0.iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect()
                }
                _ => ours.rows.clone(),
            };
            if let Some(imagemagick) = &imagemagick {
                let seen = imagemagick(&path, (19, 7)).unwrap_or_else(|| panic!("{} is refused", path.display()));
                assert!(seen.rgba.as_flattened() == rgba, "ImageMagick reads {} otherwise", path.display());
            }
            // netpbm does not support masks with alpha and reads wrong bytes as colour.
            if let Some(netpbm) = netpbm.as_ref().filter(|_| !ours.pixels.channels.has_alpha()) {
                let seen = netpbm(&path).unwrap_or_else(|| panic!("{} is refused", path.display()));
                assert!(seen.rgba.as_flattened() == rgba, "netpbm reads {} otherwise", path.display());
            }
        }
    }
}
