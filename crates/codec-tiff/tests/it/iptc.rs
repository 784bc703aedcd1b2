//! IPTC in all forms that writers use: in its own tag or among Photoshop's resources, as bytes or as words.

use std::fs;
use std::process::Command;

use raster::{Budget, Limits, Notes};

const BYTE: u16 = 1;
const LONG: u16 = 4;
const UNDEFINED: u16 = 7;

const IPTC: u16 = 33_723;
const PHOTOSHOP: u16 = 34_377;

const CITY: &[u8] = b"\x1C\x02\x5A\0\x06Bergen";

/// Returns two resources; the second contains the datasets.
fn resources(datasets: &[u8]) -> Vec<u8> {
    let resolution = b"8BIM\x03\xED\0\0\0\0\0\x10\0\x48\0\0\0\x01\0\x01\0\x48\0\0\0\x01\0\x01";
    let length = (datasets.len() as u32).to_be_bytes();
    let mut all = [&resolution[..], b"8BIM\x04\x04\0\0", &length, datasets].concat();
    all.resize(all.len().next_multiple_of(4), 0);
    all
}

/// Reverses each four bytes, as some writers of words do.
fn turned(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes.as_chunks_mut::<4>().0.iter_mut().for_each(|word| word.reverse());
    bytes
}

/// Returns a little-endian TIFF of one grey pixel with these tags of these types.
fn file(tags: &[(u16, u16, Vec<u8>)]) -> Vec<u8> {
    let shorts = [(256, 1), (257, 1), (258, 8), (259, 1), (262, 1), (273, 8), (277, 1), (278, 1), (279, 1)];
    let mut entries = Vec::new();
    let mut values = Vec::new();
    let behind = 10 + 2 + 12 * (shorts.len() + tags.len()) + 4;
    for (tag, number) in shorts {
        entries.extend([tag, 3, 1, 0, number, 0].map(u16::to_le_bytes));
    }
    for (tag, kind, bytes) in tags {
        let count = if *kind == LONG { bytes.len() / 4 } else { bytes.len() };
        let at = behind + values.len();
        entries.extend([*tag, *kind, count as u16, 0, at as u16, 0].map(u16::to_le_bytes));
        values.extend(bytes);
    }
    let count = (shorts.len() + tags.len()) as u16;
    [b"II\x2A\0\x0A\0\0\0\x80\0", &count.to_le_bytes()[..], entries.as_flattened(), &[0; 4], &values].concat()
}

fn read(bytes: &[u8]) -> Option<Vec<u8>> {
    codec_tiff::open(&bytes, &Budget::new(&Limits::default()), &Notes::default()).unwrap().info().metadata.iptc.clone()
}

#[test]
fn datasets_are_found_in_either_tag_of_any_type() {
    let other = b"\x1C\x02\x5A\0\x05Paris".to_vec();
    let found = Some(CITY);
    let padded = [CITY, &[0]].concat();
    let table = [
        (vec![(IPTC, UNDEFINED, CITY.to_vec())], found),
        (vec![(IPTC, LONG, padded.clone())], found),
        (vec![(IPTC, LONG, turned(&padded))], found),
        (vec![(PHOTOSHOP, BYTE, resources(CITY))], found),
        (vec![(PHOTOSHOP, UNDEFINED, resources(CITY))], found),
        (vec![(PHOTOSHOP, LONG, resources(CITY))], found),
        (vec![(PHOTOSHOP, LONG, turned(&resources(CITY)))], found),
        (vec![(IPTC, UNDEFINED, CITY.to_vec()), (PHOTOSHOP, BYTE, resources(&other))], found),
        (vec![(IPTC, UNDEFINED, b"no datasets".to_vec()), (PHOTOSHOP, BYTE, resources(CITY))], found),
        (vec![(PHOTOSHOP, BYTE, resources(b"no datasets!"))], None),
        (vec![(PHOTOSHOP, BYTE, resources(CITY)[..40].to_vec())], None),
        (vec![(PHOTOSHOP, BYTE, b"8BPS what is this?".to_vec())], None),
    ];
    let path = std::env::temp_dir().join(format!("iptc-{}.tif", std::process::id()));
    for (i, (tags, expected)) in table.into_iter().enumerate() {
        let file = file(&tags);
        assert_eq!(read(&file).as_deref(), expected, "row {i}");
        // exiftool does not reverse Photoshop's words.
        let is_turned = tags.iter().any(|(tag, _, bytes)| *tag == PHOTOSHOP && bytes.starts_with(b"MIB8"));
        if expected.is_none() || is_turned {
            continue;
        }
        fs::write(&path, &file).unwrap();
        let Ok(output) = Command::new("exiftool").args(["-s3", "-IPTC:City"]).arg(&path).output() else {
            eprintln!("SKIPPED: no exiftool on PATH");
            return;
        };
        assert_eq!(String::from_utf8_lossy(&output.stdout), "Bergen\n", "row {i}");
    }
    let _ = fs::remove_file(path);
}
