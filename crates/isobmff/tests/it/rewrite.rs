//! Copies of the corpus' files with other metadata.

use isobmff::{Container, rewrite_metadata};
use raster::{Budget, Error, Format, Metadata, Notes};
use testkit::memory;

use crate::{LIMITS, all_rows};

/// The coded data of all items of a file that are not metadata, and of the frames; and its metadata.
fn contents(file: &[u8]) -> (Vec<Vec<u8>>, Metadata) {
    let budget = Budget::new(&LIMITS);
    let container = Container::read(&file, Format::Avif, &budget).unwrap();
    let of_kind = |kind| container.items_of(kind).filter_map(|item| container.bytes(&file, item, &budget).ok());
    let items = [*b"av01", *b"hvc1", *b"grid", *b"tmap", *b"iovl"].into_iter().flat_map(of_kind);
    let tracks = container.sequence(*b"avis", *b"av01").into_iter().flat_map(|(colors, alpha)| [Some(colors), alpha]);
    let samples = tracks.flatten().flat_map(|track| &track.samples);
    let frames = samples.filter_map(|sample| container.join(&file, &[sample.data], &budget).ok());
    let coded = items.chain(frames).collect();
    let id = container.primary().unwrap().id;
    (coded, container.metadata(&file, id, &budget, &Notes::default()).unwrap())
}

fn copied(file: &[u8], metadata: &Metadata) -> Result<Vec<u8>, Error> {
    let mut copy = Vec::with_capacity(file.len());
    memory::counted("copy", &LIMITS, |budget| rewrite_metadata(Format::Avif, &file, &mut copy, metadata, budget))?;
    Ok(copy)
}

#[test]
fn copies_without_metadata_or_with_their_own_keep_all_pictures() {
    let Some(rows) = all_rows() else { return };
    let (mut copies, mut with_metadata, mut refused) = (0, 0, Vec::new());
    for row in rows.iter().filter(|row| row.must && !row.reject) {
        let file = row.bytes();
        for keeps in [true, false] {
            let (coded, own) = match Container::read(&file, Format::Avif, &Budget::new(&LIMITS)) {
                Ok(container) if container.primary().is_ok() => contents(&file),
                _ => continue,
            };
            let metadata = if keeps { own.clone() } else { Metadata::default() };
            match copied(&file, &metadata) {
                Ok(copy) => {
                    assert_eq!(copy.len(), file.len(), "{}", row.name);
                    assert!(contents(&copy) == (coded, metadata), "{}, {keeps}", row.name);
                    for part in [&own.exif, &own.xmp].into_iter().flatten().filter(|_| !keeps) {
                        assert!(!copy.windows(part.len()).any(|bytes| bytes == part), "{}", row.name);
                    }
                    copies += 1;
                    with_metadata += u32::from(own != Metadata::default());
                }
                Err(Error::Unsupported { feature, .. }) => refused.push(format!("{}: {feature}", row.name)),
                Err(error) => panic!("{}: {error}", row.name),
            }
        }
    }
    println!("{copies} copies, {with_metadata} of files with metadata; refused:\n{}", refused.join("\n"));
    assert!(copies > 70 && with_metadata > 10, "{copies}, {with_metadata}");
}

#[test]
fn damaged_files_are_copied_or_refused_within_their_memory() {
    let Some(rows) = all_rows() else { return };
    let animations = rows.iter().filter(|row| row.name.contains("animated"));
    for row in rows.iter().step_by(8).chain(animations) {
        let bytes = row.bytes();
        for at in (0..bytes.len().min(1500)).step_by(7) {
            let mut damaged = bytes.clone();
            damaged[at] = [0, 1, 0x7F, 0x80, 0xFF][at % 5];
            if let Ok(copy) = copied(&damaged, &Metadata::default()) {
                assert_eq!(copy.len(), damaged.len(), "{}", row.name);
            }
        }
    }
}
