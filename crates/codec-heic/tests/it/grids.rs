//! Pictures in tiles, as phones write them. `heif-enc` makes the tiles, this file the boxes around them.

use std::path::Path;
use std::process::Command;

use isobmff::Container;
use raster::{Budget, Format, Limits, Notes, Orientation, PixelFormat, Size};
use testkit::heif::{Item, boxed, extent};
use testkit::{Picture, generate, read_all};

use crate::corpus::decode;
use crate::made::{heif_enc, png, tools};

const TILE: u32 = 64;

/// Parameters of `heif-enc` with which RGB samples are coded as they are.
pub(crate) const EXACT: [&str; 5] = ["-L", "-p", "chroma=444", "--matrix_coefficients=0", "--full_range_flag=1"];

/// The colours of the same files: sRGB without a matrix, full range.
pub(crate) const COLORS: &[u8] = b"nclx\x00\x01\x00\x0D\x00\x00\x80";

/// A tile: the configuration of its decoder and its data.
type Tile = (Vec<u8>, Vec<u8>);

/// A property of a picture: the type of a box and its contents.
type Property<'a> = (&'a [u8; 4], &'a [u8]);

/// Returns a file: items 1 to n are the tiles, item n + 1 is the grid, which has these properties.
fn file(whole: Size, tiles: &[Tile], of_grid: &[Property<'_>]) -> Vec<u8> {
    let [columns, rows] = [whole.width, whole.height].map(|side| side.div_ceil(TILE) as u8);
    let tile = |(configuration, data): &Tile| Item {
        kind: *b"hvc1",
        data: data.clone(),
        properties: vec![extent(TILE, TILE), boxed(b"colr", COLORS), boxed(b"hvcC", configuration)],
        ..Item::default()
    };
    let sides = [whole.width, whole.height].map(|side| (side as u16).to_be_bytes()).concat();
    let of_grid = of_grid.iter().map(|(kind, contents)| boxed(kind, contents));
    let grid = Item {
        kind: *b"grid",
        data: [&[0, 0, rows - 1, columns - 1], &sides[..]].concat(),
        properties: [extent(whole.width, whole.height), boxed(b"colr", COLORS)].into_iter().chain(of_grid).collect(),
        references: vec![(*b"dimg", (1..=tiles.len() as u16).collect())],
        ..Item::default()
    };
    let items: Vec<_> = tiles.iter().map(tile).chain([grid]).collect();
    testkit::heif::file(b"heic", items.len() as u16, &items)
}

/// Encodes the tiles of a picture, row by row; the last ones repeat its edge.
fn tiles(picture: &Picture, folder: &Path) -> Vec<Tile> {
    let [source, made] = ["tile.png", "tile.heic"].map(|name| folder.join(name));
    let samples = picture.samples();
    let Size { width, height } = picture.size;
    let mut tiles = Vec::new();
    for (row, column) in (0..height.div_ceil(TILE)).flat_map(|row| (0..width.div_ceil(TILE)).map(move |c| (row, c))) {
        let tile = Picture::paint(Size::new(TILE, TILE), PixelFormat::RGB8, |x, y| {
            let [x, y] = [(column * TILE + x).min(width - 1), (row * TILE + y).min(height - 1)];
            let at = (y * width + x) as usize * 3;
            [0, 1, 2, 2].map(|channel| f64::from(samples[at + channel]) / 255.0)
        });
        png(&tile, &source);
        heif_enc(&source, &made, &EXACT);
        let bytes = std::fs::read(&made).unwrap();
        let budget = Budget::new(&Limits::default());
        let container = Container::read(&bytes, Format::Heic, &budget).unwrap();
        let item = container.primary().unwrap();
        let data = container.bytes(&bytes, item, &budget).unwrap();
        tiles.push((container.configuration(item).unwrap().to_vec(), data));
    }
    tiles
}

/// Returns the picture as `heif-convert` decodes it.
pub(crate) fn by_libheif(bytes: &[u8], folder: &Path) -> Picture {
    let [file, out] = ["grid.heic", "out.png"].map(|name| folder.join(name));
    std::fs::write(&file, bytes).unwrap();
    assert!(Command::new("heif-convert").arg(&file).arg(&out).output().unwrap().status.success());
    let png = std::fs::read(&out).unwrap();
    let mut reader = codec_png::open(&png, &Budget::new(&Limits::default()), &Notes::default()).unwrap();
    read_all(&mut *reader).unwrap()
}

fn upright(stored: &Picture, orientation: Orientation) -> Picture {
    let mut turned = Picture::blank(orientation.turn(stored.size), stored.pixels);
    for (x, y) in (0..stored.size.height).flat_map(|y| (0..stored.size.width).map(move |x| (x, y))) {
        let (to_x, to_y) = orientation.upright_position((x, y), stored.size);
        for channel in 0..3 {
            turned.set_sample(to_x, to_y, channel, stored.sample(x, y, channel));
        }
    }
    turned
}

/// Returns a picture that no turn leaves as it is.
fn noise(width: u32, height: u32) -> Picture {
    generate::noise(Size::new(width, height), PixelFormat::RGB8, 16)
}

#[test]
fn tiles_turns_and_crops_are_those_of_libheif() {
    if !tools() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // A part of 100 × 70 pixels, ten to the left of the centre and five below it.
    let crop = [100, 1, 70, 1, -10, 1, 5, 1].map(i32::to_be_bytes).concat();
    for (width, height) in [(128, 128), (180, 120), (181, 121), (65, 190)] {
        let tiles = tiles(&noise(width, height), folder.path());
        let mut ways = vec![vec![]];
        for turn in [&[0], &[1], &[2], &[3]] {
            ways.push(vec![(b"irot", &turn[..])]);
            ways.extend([&[0], &[1]].map(|axis| vec![(b"irot", &turn[..]), (b"imir", &axis[..])]));
        }
        if width == 180 {
            ways.push(vec![(b"clap", &crop[..])]);
            ways.push(vec![(b"clap", &crop[..]), (b"irot", &[1])]);
        }
        for way in ways {
            let bytes = file(Size::new(width, height), &tiles, &way);
            let (info, ours) = decode(&bytes).unwrap();
            let ours = upright(&ours[0], info.orientation);
            let theirs = by_libheif(&bytes, folder.path());
            assert_eq!(ours.size, theirs.size, "{width} × {height} {way:?}");
            assert!(ours.samples() == theirs.samples(), "{width} × {height} {way:?}");
        }
    }
}

#[test]
fn a_damaged_tile_leaves_the_rows_of_tiles_above_it() {
    if !tools() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let picture = noise(181, 121);
    let tiles = tiles(&picture, folder.path());
    let whole = file(picture.size, &tiles, &[]);
    let (_, wanted) = decode(&whole).unwrap();
    let mut damaged = tiles;
    damaged[4].1.truncate(20);
    let (_, found) = decode(&file(picture.size, &damaged, &[])).unwrap();
    let first = (TILE * picture.size.width * 3) as usize;
    assert_eq!(found[0].samples()[..first], wanted[0].samples()[..first]);
    assert!(found[0].samples()[first..].iter().all(|&sample| sample == 0));
    damaged[0].1.truncate(20);
    assert!(decode(&file(picture.size, &damaged, &[])).is_err());
}
