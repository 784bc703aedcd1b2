#![no_main]

use fuzz::LIMITS;
use isobmff::{CodePoints, Coded, Container, FourCc, Item, MOST_LAYERS, Still};
use raster::{Budget, ByteSource, Format, Notes, Result, Size};
use testkit::memory;

const FORMAT: Format = Format::Avif;

/// The types of items that readers know.
const KINDS: [FourCc; 7] = [*b"av01", *b"hvc1", *b"grid", *b"iovl", *b"tmap", *b"Exif", *b"mime"];

// The boxes without a decoder of pictures. Everything is read that readers ask for; a file that is made to show another
// item shows that item, and a file that is written gives back its parts.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = memory::counted("the boxes", &LIMITS, |budget| read(&bytes, budget));
    let Ok(container) = Container::read(&bytes, FORMAT, &Budget::new(&LIMITS)) else { return };
    for item in items(&container) {
        let _ = shows(&container, item, bytes);
        let _ = rewritten(&container, item, &bytes);
    }
});

fn read(source: &dyn ByteSource, budget: &Budget) -> Result<()> {
    let container = Container::read(source, FORMAT, budget)?;
    sequences(&container, source, budget);
    items(&container).for_each(|item| drop(picture(&container, item, source, budget)));
    Ok(())
}

/// Returns the first items, not all, so that each file takes little time.
fn items(container: &Container) -> impl Iterator<Item = &Item> {
    KINDS.into_iter().flat_map(|kind| container.items_of(kind)).take(20)
}

/// Reads the tracks.
fn sequences(container: &Container, source: &dyn ByteSource, budget: &Budget) {
    for (brand, codec) in [(*b"avis", *b"av01"), (*b"hevc", *b"hvc1")] {
        let Some((track, alpha)) = container.sequence(brand, codec) else { continue };
        for track in [Some(track), alpha].into_iter().flatten() {
            let _ = (track.code_points(), track.configuration(), track.profile());
            for sample in track.samples.iter().take(100) {
                let _ = container.join(source, &[sample.data], &budget.scope());
            }
        }
    }
}

/// Reads everything that belongs to an item.
fn picture(container: &Container, item: &Item, source: &dyn ByteSource, budget: &Budget) -> Result<()> {
    let budget = &budget.scope();
    let _ = (container.code_points(item), container.operating_point(item), container.alpha(item.id));
    let coded = container.size(item).unwrap_or(Size::new(64, 48));
    let shown = container.geometry(item, coded).shown;
    let is_inside = |start: u32, len: u32, side: u32| len > 0 && start.checked_add(len).is_some_and(|end| end <= side);
    assert!(is_inside(shown.x, shown.width, coded.width) && is_inside(shown.y, shown.height, coded.height));
    container.metadata(source, item.id, budget, &Notes::default())?;
    if item.kind == *b"grid" {
        let grid = container.tile_grid(source, item, budget)?;
        assert_eq!(grid.tiles.len() as u64, u64::from(grid.columns) * u64::from(grid.rows));
    }
    if item.kind == *b"iovl" {
        let overlay = container.overlay(source, item, budget)?;
        assert!(!overlay.size.is_empty() && overlay.layers.len() <= MOST_LAYERS);
    }
    container.bytes(source, item, budget).map(drop)
}

/// A file with the start that shows an item shows it.
fn shows(container: &Container, item: &Item, bytes: &[u8]) -> Result<()> {
    let budget = Budget::new(&LIMITS);
    let Some(mut other) = container.start_showing(&bytes, item.id, &budget)? else { return Ok(()) };
    other.extend(&bytes[other.len()..]);
    let shown = Container::read(&other, FORMAT, &budget).expect("the file is as sound as the other");
    assert!(shown.primary().map_or(true, |shown| shown.id == item.id), "another item is shown");
    Ok(())
}

/// A file that is written with the parts of a picture gives them back.
fn rewritten(container: &Container, item: &Item, source: &dyn ByteSource) -> Result<()> {
    let budget = &Budget::new(&LIMITS);
    let data = container.bytes(source, item, budget)?;
    let metadata = container.metadata(source, item.id, budget, &Notes::default())?;
    let points = CodePoints { primaries: 1, transfer: 13, matrix: 6, is_full_range: true };
    let still = Still {
        format: FORMAT,
        brands: &[*b"avif"],
        kind: *b"av01",
        configuration_kind: *b"av1C",
        size: container.size(item).unwrap_or(Size::new(64, 48)),
        depth: 8,
        channels: 3,
        colors: Coded { configuration: container.configuration(item).unwrap_or_default(), data: &data },
        alpha: None,
        code_points: container.code_points(item).unwrap_or(points),
        icc: container.profile(item),
        exif: metadata.exif.as_deref(),
        xmp: metadata.xmp.as_deref(),
    };
    let mut written = Vec::new();
    still.write(&mut written)?;
    let read = Container::read(&written, FORMAT, budget)?;
    let found = read.primary().expect("the picture was written");
    assert_eq!(read.bytes(&written, found, budget)?, data);
    assert_eq!((read.profile(found), read.configuration(found)), (still.icc, Some(still.colors.configuration)));
    assert_eq!((read.size(found), read.code_points(found)), (Some(still.size), Some(still.code_points)));
    let metadata = read.metadata(&written, found.id, budget, &Notes::default())?;
    assert_eq!((metadata.exif.as_deref(), metadata.xmp.as_deref()), (still.exif, still.xmp));
    Ok(())
}
