//! Pictures of more colours than a palette holds are reduced to one, if their source had a palette and the file gets
//! smaller.

use codec_png::{Options, PaletteUse, create, open};
use raster::{Budget, Limits, Metadata, Notes, PixelFormat, Size, Warning, rows::ImageSpec};
use testkit::{Picture, generate, memory, read_all, write_with};

const SIZE: Size = Size::new(200, 150);
const LIKE_SOURCE: Options = Options { palette: PaletteUse::LikeSource, effort: raster::Effort::Default };

/// Writes a picture. Returns the file, the warnings and the most bytes that the budget counted.
fn encode(picture: &Picture, options: Options, source_palette: bool, memory: u64) -> (Vec<u8>, Vec<Warning>, u64) {
    let (mut file, notes, budget) = (Vec::new(), Notes::default(), Budget::new(&Limits { memory }));
    let spec = ImageSpec { source_palette, notes: notes.clone(), ..single(picture, &budget) };
    write_with(create(&mut file, &spec, &options).unwrap(), picture, &Metadata::default()).unwrap();
    (file, notes.warnings(), budget.peak())
}

fn single<'a>(picture: &Picture, budget: &'a Budget) -> ImageSpec<'a> {
    ImageSpec::single(picture.size, picture.pixels, budget)
}

fn reduced(picture: &Picture) -> Vec<u8> {
    let (file, warnings, _) = encode(picture, LIKE_SOURCE, true, 1 << 30);
    assert_eq!(warnings, [Warning::ColorsReduced]);
    assert_eq!(file[24..26], [8, 3]);
    assert!(file.len() < encode(picture, LIKE_SOURCE, false, 1 << 30).0.len());
    file
}

fn decode(file: &[u8]) -> Picture {
    read_all(&mut *open(&file, &Budget::new(&Limits::default()), &Notes::default()).unwrap()).unwrap()
}

/// A disc of one colour on a ground of another, with an edge and a shadow of many shades.
fn drawing(pixels: PixelFormat) -> Picture {
    let mut picture = Picture::blank(SIZE, pixels);
    let bytes = pixels.bytes();
    for (at, pixel) in picture.rows.chunks_exact_mut(bytes).enumerate() {
        let (x, y) = (at as i32 % 200 - 80, at as i32 / 200 - 70);
        let inside = (60 * 60 - x * x - y * y).clamp(-3000, 600);
        let color = match inside {
            600 => [230, 57, 70, 255],
            -3000 => [255, 255, 255, if bytes == 4 { 0 } else { 255 }],
            1..600 => [230, (57 + (600 - inside) / 4) as u8, (70 + (x + 100) / 2) as u8, 255],
            _ => [(40 + x.abs()) as u8, 40, (40 + y.abs()) as u8, ((inside + 3000) / 12) as u8],
        };
        pixel.copy_from_slice(&color[..bytes]);
    }
    picture
}

#[test]
fn flat_areas_stay_exact_and_other_pixels_are_close() {
    for pixels in [PixelFormat::RGB8, PixelFormat::RGBA8] {
        let picture = drawing(pixels);
        let shown = decode(&reduced(&picture));
        assert_eq!((shown.size, shown.pixels), (picture.size, pixels));
        let bytes = pixels.bytes();
        let pairs = || picture.rows.chunks_exact(bytes).zip(shown.rows.chunks_exact(bytes));
        let flat = |pixel: &[u8]| pixel[..3] == [230, 57, 70] || pixel[..3] == [255; 3];
        assert!(pairs().filter(|(want, _)| flat(want) && want.get(3) != Some(&0)).all(|(want, got)| want == got));
        let apart = |(a, b): (&[u8], &[u8])| a.iter().zip(b).map(|(a, b)| u64::from(a.abs_diff(*b))).sum::<u64>();
        let seen = pairs().filter(|(want, _)| want.get(3) != Some(&0));
        let mean = seen.clone().map(apart).sum::<u64>() as f64 / seen.count() as f64;
        assert!(mean < 6.0, "{mean}");
    }
}

#[test]
fn alpha_keeps_its_meaning_and_its_levels() {
    let picture = drawing(PixelFormat::RGBA8);
    let shown = decode(&reduced(&picture));
    let alphas = || picture.rows.iter().skip(3).step_by(4).zip(shown.rows.iter().skip(3).step_by(4));
    assert!(alphas().all(|(want, got)| (*want == 0, *want == 255) == (*got == 0, *got == 255)));
    assert!(alphas().all(|(want, got)| want.abs_diff(*got) <= 16));
    let mut levels: Vec<u8> = alphas().map(|(_, got)| *got).collect();
    levels.sort_unstable();
    levels.dedup();
    assert!(levels.len() > 40, "{} levels", levels.len());
}

#[test]
fn every_pixel_stays_without_a_palette_in_the_source_or_by_choice() {
    let picture = drawing(PixelFormat::RGB8);
    let exact = Options { palette: PaletteUse::Exact, ..LIKE_SOURCE };
    for (options, source_palette) in [(LIKE_SOURCE, false), (exact, true), (exact, false)] {
        let (file, warnings, _) = encode(&picture, options, source_palette, 1 << 30);
        assert!(decode(&file) == picture && warnings.is_empty());
    }
}

#[test]
fn few_colors_greys_sixteen_bits_and_small_pictures_stay_exact() {
    let mut few = drawing(PixelFormat::RGB8);
    few.rows.iter_mut().for_each(|sample| *sample &= 0xE0);
    let wide = PixelFormat { depth: raster::Depth::Sixteen, ..PixelFormat::RGB8 };
    let small = generate::noise(Size::new(20, 20), PixelFormat::RGBA8, 3);
    let others = [PixelFormat::GRAY8, wide].map(|pixels| generate::gradient(SIZE, pixels));
    for picture in others.iter().chain([&few, &small]) {
        let (file, warnings, _) = encode(picture, LIKE_SOURCE, true, 1 << 30);
        assert!(decode(&file) == *picture && warnings.is_empty());
    }
}

/// A gradient compresses better than the indices of its palette.
#[test]
fn a_larger_file_keeps_its_colors() {
    let size = Size::new(256, 256);
    let mut ramp = Picture::blank(size, PixelFormat::RGB8);
    for (at, pixel) in ramp.rows.chunks_exact_mut(3).enumerate() {
        let (x, y) = (at % 256, at / 256);
        pixel.copy_from_slice(&[(x + y) as u8, (x + 2 * y) as u8, (2 * x + y) as u8]);
    }
    let (file, warnings, _) = encode(&ramp, LIKE_SOURCE, true, 1 << 30);
    assert!(decode(&file) == ramp && warnings.is_empty());
}

#[test]
fn without_enough_memory_every_pixel_stays() {
    let picture = drawing(PixelFormat::RGBA8);
    let needed = encode(&picture, LIKE_SOURCE, true, 1 << 30).2;
    for memory in [needed - 1, needed / 2] {
        let (file, warnings, peak) = encode(&picture, LIKE_SOURCE, true, memory);
        assert!(decode(&file) == picture && warnings.is_empty() && peak <= memory);
    }
}

/// Noise fills the histogram several times.
#[test]
fn the_budget_counts_what_is_held() {
    let picture = generate::noise(Size::new(500, 400), PixelFormat::RGBA8, 5);
    let mut file = Vec::with_capacity(1 << 20);
    memory::counted("noise", &Limits::default(), |budget| {
        let spec = ImageSpec { source_palette: true, ..single(&picture, budget) };
        write_with(create(&mut file, &spec, &LIKE_SOURCE).unwrap(), &picture, &Metadata::default()).unwrap();
    });
    assert_eq!(file[24..26], [8, 3]);
}
