//! Pictures on a canvas (`iovl`). `heif-enc` codes the pictures, this file makes the boxes around them.

use std::path::Path;

use isobmff::Container;
use raster::{Budget, Channels, Depth, Error, Format, Limits, Notes, PixelFormat, Size, Warning};
use testkit::heif::{Item, boxed, extent, versioned};
use testkit::{Picture, generate, memory};

use crate::corpus::{LIMITS, decode};
use crate::grids::{COLORS, EXACT, by_libheif};
use crate::made::{heif_enc, png, tools};

/// The width and the height of the canvas.
const CANVAS: Size = Size { width: 180, height: 150 };

/// A coded picture. It has at least 64 pixels a side, because `heif-enc` puts smaller ones into grids.
struct Coded {
    /// The picture alone, as it is decoded.
    picture: Picture,
    /// Its item, and that of its alpha.
    items: Vec<Item>,
}

/// A picture and the place of its corner on the canvas.
type Placed<'a> = (&'a Coded, [i32; 2]);

fn coded(picture: &Picture, folder: &Path) -> Coded {
    let [source, made] = ["layer.png", "layer.heic"].map(|name| folder.join(name));
    png(picture, &source);
    let depth = if picture.pixels.depth == Depth::Sixteen { "10" } else { "8" };
    heif_enc(&source, &made, &[&["-b", depth], &EXACT[..]].concat());
    let bytes = std::fs::read(&made).unwrap();
    let budget = Budget::new(&Limits::default());
    let container = Container::read(&bytes, Format::Heic, &budget).unwrap();
    let shown = container.primary().unwrap();
    let size = extent(picture.size.width, picture.size.height);
    let item = |item: &isobmff::Item| Item {
        kind: *b"hvc1",
        data: container.bytes(&bytes, item, &budget).unwrap(),
        properties: vec![size.clone(), boxed(b"hvcC", container.configuration(item).unwrap())],
        ..Item::default()
    };
    let mut items = vec![item(shown)];
    if let Some(alpha) = container.alpha(shown.id) {
        let mut alpha = item(alpha);
        alpha.properties.push(versioned(b"auxC", 0, b"urn:mpeg:hevc:2015:auxid:1\0"));
        items.push(alpha);
    }
    let picture = decode(&bytes).unwrap().1.remove(0);
    Coded { picture, items }
}

/// Returns the data of a canvas, whose sides and offsets have two or four bytes.
fn canvas(size: Size, fill: [u16; 4], places: &[[i32; 2]], is_long: bool) -> Vec<u8> {
    let mut data = vec![0, u8::from(is_long)];
    data.extend(fill.map(u16::to_be_bytes).concat());
    let sides = [size.width, size.height].map(u32::cast_signed);
    for number in sides.into_iter().chain(places.concat()) {
        data.extend(&number.to_be_bytes()[if is_long { 0 } else { 2 }..]);
    }
    data
}

/// Returns the items of a file that shows a canvas, which is the last one.
fn items(fill: [u16; 4], layers: &[Placed<'_>]) -> Vec<Item> {
    let (mut items, mut ids) = (Vec::new(), Vec::new());
    for (coded, _) in layers {
        let id = items.len() as u16 + 1;
        ids.push(id);
        items.extend(coded.items.iter().cloned());
        items[usize::from(id)..].iter_mut().for_each(|alpha| alpha.references = vec![(*b"auxl", vec![id])]);
    }
    let places: Vec<_> = layers.iter().map(|&(_, place)| place).collect();
    items.push(Item {
        kind: *b"iovl",
        data: canvas(CANVAS, fill, &places, layers.len() % 2 == 1),
        properties: vec![extent(CANVAS.width, CANVAS.height), boxed(b"colr", COLORS)],
        references: vec![(*b"dimg", ids)],
        ..Item::default()
    });
    items
}

fn file(items: &[Item]) -> Vec<u8> {
    testkit::heif::file(b"heic", items.len() as u16, items)
}

/// Returns the samples of the canvas in fractions: red, green, blue, straight alpha.
fn exactly(fill: [u16; 4], layers: &[Placed<'_>]) -> Vec<[f64; 4]> {
    let pixel = |x: i32, y: i32| {
        let mut below = fill.map(|sample| f64::from(sample) / 65_535.0);
        for &(Coded { picture, .. }, [left, top]) in layers {
            let [column, row] = [x - left, y - top].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
            if column >= picture.size.width || row >= picture.size.height {
                continue;
            }
            let most = f64::from(picture.pixels.depth.max());
            let sample = |channel| f64::from(picture.sample(column, row, channel)) / most;
            let above = if picture.pixels.channels.has_alpha() { sample(3) } else { 1.0 };
            let rest = below[3] * (1.0 - above);
            let alpha = above + rest;
            let mix =
                |channel| if alpha == 0.0 { 0.0 } else { (sample(channel) * above + below[channel] * rest) / alpha };
            below = [mix(0), mix(1), mix(2), alpha];
        }
        below
    };
    (0..CANVAS.height as i32)
        .flat_map(|y| (0..CANVAS.width as i32).map(move |x| (x, y)))
        .map(|(x, y)| pixel(x, y))
        .collect()
}

/// Returns the largest difference from the exact canvas, in levels.
fn difference(picture: &Picture, exact: &[[f64; 4]]) -> f64 {
    let most = f64::from(picture.pixels.depth.max());
    let count = picture.pixels.channels.count();
    let samples = picture.samples();
    let pixels = samples.chunks_exact(count).zip(exact);
    pixels
        .flat_map(|(ours, exact)| ours.iter().zip(exact).map(|(&a, b)| (f64::from(a) - b * most).abs()))
        .fold(0.0, f64::max)
}

fn noise(width: u32, height: u32, folder: &Path) -> Coded {
    coded(&generate::noise(Size::new(width, height), PixelFormat::RGB8, 4), folder)
}

/// Returns a picture that becomes transparent to the right.
fn fading(width: u32, height: u32, folder: &Path) -> Coded {
    let picture = Picture::paint(Size::new(width, height), PixelFormat::RGBA8, |x, y| {
        let [across, down] = [f64::from(x) / f64::from(width), f64::from(y) / f64::from(height)];
        [across, down, 1.0 - across, (1.1 - 1.3 * across).clamp(0.0, 1.0)]
    });
    coded(&picture, folder)
}

#[test]
fn pictures_on_a_canvas_are_those_of_libheif() {
    if !tools() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (large, small, glass) =
        (noise(150, 100, folder.path()), noise(70, 66, folder.path()), fading(94, 72, folder.path()));
    let (orange, mut compared) = ([65_535, 0x8080, 0, 65_535], 0);
    let ways: [&[Placed<'_>]; 8] = [
        &[(&large, [0, 0])],
        &[(&large, [5, 10]), (&small, [17, 100])],
        &[(&small, [140, 110]), (&large, [80, 70]), (&small, [50, 120])],
        &[(&large, [5, 10]), (&small, [-7, -9])],
        &[(&small, [140, 110]), (&large, [-80, 70]), (&small, [50, 120])],
        &[(&small, [10, 10]), (&small, [300, 0]), (&small, [0, -66]), (&large, [-150, 0])],
        &[(&large, [10, 10]), (&glass, [20, 20])],
        &[(&glass, [-10, 90]), (&glass, [3, 5]), (&small, [120, 70])],
    ];
    for (number, layers) in ways.into_iter().enumerate() {
        let bytes = file(&items(orange, layers));
        let (info, ours) = decode(&bytes).unwrap();
        assert_eq!((info.size, info.row_format, ours[0].size), (CANVAS, PixelFormat::RGB8.into(), CANVAS), "{number}");
        assert!(difference(&ours[0], &exactly(orange, layers)) <= 1.0, "{number}");
        // libheif 1.15 draws pictures wrong that begin left of the canvas or above it, and end on it.
        if layers.iter().any(|(_, [x, y])| (-69..0).contains(x) || (-65..0).contains(y) || *x == -80) {
            continue;
        }
        compared += 1;
        let theirs = by_libheif(&bytes, folder.path());
        let most = ours[0].samples().iter().zip(theirs.samples()).map(|(a, b)| a.abs_diff(b)).max();
        // It cuts off fractions, once for each picture with alpha.
        let blended = layers.iter().filter(|(coded, _)| coded.items.len() > 1).count() as u16;
        assert!(most <= Some(blended), "{number}: {most:?}");
    }
    assert_eq!(compared, 5);
}

#[test]
fn a_transparent_canvas_a_turn_and_a_crop() {
    if !tools() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (small, glass) = (noise(70, 66, folder.path()), fading(94, 72, folder.path()));
    let deep = PixelFormat::new(Channels::Rgb, Depth::Sixteen);
    let deep = coded(&generate::noise(Size::new(66, 64), deep, 5), folder.path());
    let layers: [Placed<'_>; 3] = [(&glass, [-4, 8]), (&small, [120, -3]), (&glass, [50, 33])];
    for fill in [[0; 4], [65_535, 0, 0x4000, 0x8000]] {
        let (info, ours) = decode(&file(&items(fill, &layers))).unwrap();
        assert_eq!(info.row_format, PixelFormat::RGBA8.into());
        let exact = exactly(fill, &layers);
        let count = ours[0].samples().chunks_exact(4).zip(&exact).filter(|(ours, _)| ours[3] > 100).count();
        assert!(count > 2000, "{count}");
        // Colours of pixels that are nearly transparent have few levels.
        let clear = |pixel: &[f64; 4]| pixel[3] > 0.5;
        for (ours, exact) in ours[0].samples().chunks_exact(4).zip(&exact).filter(|(_, exact)| clear(exact)) {
            for (a, b) in ours.iter().zip(exact) {
                assert!((f64::from(*a) - b * 255.0).abs() <= 2.0, "{ours:?} {exact:?}");
            }
        }
    }
    // A picture of ten bits makes rows of sixteen.
    let mut turned = items([9, 9, 9, 65_535], &[(&small, [2, 3]), (&deep, [10, 10])]);
    let upright = decode(&file(&turned)).unwrap().1;
    assert_eq!(upright[0].pixels, PixelFormat::new(Channels::Rgb, Depth::Sixteen));
    assert_eq!(upright[0].sample(2, 3, 0), small.picture.sample(0, 0, 0) * 257);
    assert_eq!(upright[0].sample(14, 15, 1), deep.picture.sample(4, 5, 1));
    let crop = [60, 1, 40, 1, -10, 1, 5, 1].map(i32::to_be_bytes).concat();
    let last = turned.last_mut().unwrap();
    last.properties.extend([boxed(b"clap", &crop), boxed(b"irot", &[1])]);
    let (info, ours) = decode(&file(&turned)).unwrap();
    assert_eq!((info.size, info.orientation), (Size::new(60, 40), raster::Orientation::Rotate270));
    for (x, y) in [(0, 0), (59, 39), (20, 7)] {
        assert_eq!(ours[0].sample(x, y, 2), upright[0].sample(x + 50, y + 60, 2));
    }
}

#[test]
fn what_cannot_be_put_together_is_refused_and_damage_leaves_the_rows_above_it() {
    if !tools() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let small = noise(70, 66, folder.path());
    let good = items([0, 0, 0, 65_535], &[(&small, [0, 0]), (&small, [20, 70])]);
    let whole = decode(&file(&good)).unwrap().1;
    let changed = |change: &dyn Fn(&mut Vec<Item>)| {
        let mut items = good.clone();
        change(&mut items);
        file(&items)
    };
    let unsupported = |bytes: &[u8]| matches!(decode(&bytes), Err(Error::Unsupported { .. }));
    assert!(unsupported(&changed(&|items| items[0].properties.push(boxed(b"irot", &[1])))), "a turned picture");
    assert!(unsupported(&changed(&|items| items[2].references[0].1 = vec![1, 3])), "a canvas on itself");
    let refused = |bytes: &[u8]| matches!(decode(&bytes), Err(Error::Malformed { .. }));
    assert!(refused(&changed(&|items| items[2].references[0].1 = vec![1, 9])), "a missing picture");
    assert!(refused(&changed(&|items| items[2].references[0].1 = vec![1; 33])), "too many pictures");
    assert!(refused(&changed(&|items| items[2].data.truncate(20))), "a short canvas");
    let large = changed(&|items| items[2].data = canvas(Size::new(1_000_001, 5), [0; 4], &[[0, 0]; 2], true));
    assert!(matches!(decode(&large), Err(Error::Limit(_))), "a long side");
    assert!(refused(&changed(&|items| items[0].data.truncate(20))), "a damaged first picture");

    let damaged = changed(&|items| items[1].data.truncate(20));
    let notes = Notes::default();
    let mut reader = codec_heic::open(&damaged, &Budget::new(&LIMITS), &notes).unwrap();
    let found = testkit::read_all(&mut *reader).unwrap();
    let above = 70 * 180 * 3;
    assert_eq!(found.samples()[..above], whole[0].samples()[..above]);
    assert!(found.samples()[above..].iter().all(|&sample| sample == 0));
    assert_eq!(notes.warnings(), [Warning::Truncated { rows: 70, of: 150 }]);
}

#[test]
fn memory_is_that_of_the_pictures_that_a_row_crosses() {
    if !tools() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let wide = noise(500, 64, folder.path());
    let peak = |places: &[[i32; 2]]| {
        let layers: Vec<Placed<'_>> = places.iter().map(|&place| (&wide, place)).collect();
        let bytes = file(&items([0, 0, 0, 65_535], &layers));
        memory::counted("the canvas", &LIMITS, |budget| {
            memory::read(codec_heic::open, &bytes, budget, u64::MAX).unwrap();
            budget.peak()
        })
    };
    let (one, stacked, beside) =
        (peak(&[[0, 0]]), peak(&[[0, -40], [0, 24], [0, 88]]), peak(&[[0, 0], [1, 0], [2, 0]]));
    assert!(stacked < one + one / 2, "{one} {stacked}");
    assert!(beside > 2 * one, "{one} {beside}");
}
