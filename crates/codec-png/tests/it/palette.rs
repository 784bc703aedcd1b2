//! Pictures of few colours are written with a palette or few bits of grey; they are read back with the same pixels. A
//! palette whose colours are all opaque says nothing about alpha.

use codec_png::{Options, create, open};
use raster::{Budget, Limits, Metadata, Notes, PixelFormat, Size, rows::ImageSpec};
use testkit::generate::Lcg;
use testkit::{Picture, Wide, generate, read_all, write_with};

use crate::oracle;

/// Returns a picture of random pixels from `colors`; every colour occurs.
fn of_colors(size: Size, pixels: PixelFormat, colors: &[[u8; 4]]) -> Picture {
    let mut picture = Picture::blank(size, pixels);
    let mut random = Lcg::new(9);
    for (at, pixel) in picture.rows.chunks_exact_mut(pixels.bytes()).enumerate() {
        let index = if at < colors.len() { at } else { usize::from(random.next_byte()) % colors.len() };
        pixel.copy_from_slice(&colors[index][..pixels.bytes()]);
    }
    picture
}

fn encode(picture: &Picture, memory: u64) -> Vec<u8> {
    let mut file = Vec::new();
    let budget = Budget::new(&Limits { memory });
    let spec = ImageSpec::single(picture.size, picture.pixels, &budget);
    let writer = create(&mut file, &spec, &Options::default()).unwrap();
    write_with(writer, picture, &Metadata::default()).unwrap();
    file
}

/// Returns the bit depth and colour type in IHDR.
fn stored(file: &[u8]) -> (u8, u8) {
    (file[24], file[25])
}

fn check(picture: &Picture, want: (u8, u8), name: &str) {
    let file = encode(picture, 1 << 30);
    assert_eq!(stored(&file), want, "{name}");
    let notes = Notes::default();
    let mut reader = open(&file, &Budget::new(&Limits::default()), &notes).unwrap();
    assert!(read_all(&mut *reader).unwrap() == *picture, "{name}");
    assert_eq!(notes.warnings(), []);
    assert_eq!(Wide::of(picture).first_difference(&oracle::read_with_png_crate(&file).unwrap()), None, "{name}");
    if oracle::is_there() {
        assert_eq!(Wide::of(picture).first_difference(&oracle::read(&file).unwrap()), None, "{name}, libpng");
    }
}

fn colors(count: u32, alpha: impl Fn(u32) -> u8) -> Vec<[u8; 4]> {
    (0..count).map(|i| [i as u8, (i * 7) as u8, (i / 2) as u8, alpha(i)]).collect()
}

#[test]
fn the_depth_follows_from_the_number_of_colours() {
    for width in [33, 64] {
        let size = Size::new(width, 40);
        for (count, depth) in [(1, 1), (2, 1), (3, 2), (4, 2), (5, 4), (16, 4), (17, 8), (256, 8)] {
            let opaque = colors(count, |_| 255);
            check(&of_colors(size, PixelFormat::RGB8, &opaque), (depth, 3), &format!("{count} colours"));
            assert_eq!(
                encode(&of_colors(size, PixelFormat::RGBA8, &opaque), 1 << 30),
                encode(&of_colors(size, PixelFormat::RGB8, &opaque), 1 << 30),
                "{count} opaque of RGBA"
            );
            let clear = colors(count, |i| (i * 3 + 100) as u8);
            check(&of_colors(size, PixelFormat::RGBA8, &clear), (depth, 3), &format!("{count} with alpha"));
        }
        for (levels, depth) in [(2_u32, 1), (4, 2), (16, 4)] {
            let gray: Vec<[u8; 4]> = (0..levels).map(|i| [(i * 255 / (levels - 1)) as u8; 4]).collect();
            check(&of_colors(size, PixelFormat::GRAY8, &gray), (depth, 0), &format!("{levels} levels"));
        }
    }
}

#[test]
fn too_many_colours_other_levels_and_small_pictures_get_no_palette() {
    let size = Size::new(80, 50);
    let mut many = colors(256, |_| 255);
    many.push([1, 1, 255, 255]);
    check(&of_colors(size, PixelFormat::RGB8, &many), (8, 2), "257 colours");
    check(&of_colors(size, PixelFormat::RGBA8, &many), (8, 6), "257 colours and alpha");
    check(&of_colors(size, PixelFormat::GRAY8, &[[0; 4], [16; 4]]), (8, 0), "a level that four bits have not");
    check(&of_colors(Size::new(8, 8), PixelFormat::RGB8, &colors(17, |_| 255)), (8, 2), "64 pixels of 17 colours");
    let wide = generate::gradient(size, PixelFormat { depth: raster::Depth::Sixteen, ..PixelFormat::RGB8 });
    check(&wide, (16, 2), "sixteen bits");

    // The last colour is in the last pixel, so all rows are held until then.
    let mut late = of_colors(size, PixelFormat::RGB8, &colors(256, |_| 255));
    let last = late.rows.len() - 3;
    late.rows[last..].copy_from_slice(&[1, 1, 255]);
    check(&late, (8, 2), "the 257th colour in the last pixel");
}

#[test]
fn a_budget_too_small_for_held_rows_only_disables_the_palette() {
    let picture = of_colors(Size::new(1000, 1000), PixelFormat::RGB8, &colors(4, |_| 255));
    let file = encode(&picture, 1_000_000);
    assert_eq!(stored(&file), (8, 2));
    assert!(
        read_all(&mut *open(&file, &Budget::new(&Limits::default()), &Notes::default()).unwrap()).unwrap() == picture
    );
    assert_eq!(stored(&encode(&picture, 8_000_000)), (2, 3));
}
