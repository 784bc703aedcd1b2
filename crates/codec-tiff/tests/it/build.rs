//! Little-endian TIFF files with whole numbers as tags, built byte by byte: the data behind the header, then the
//! directory, then the values that do not fit into it. The builder is independent of the code under test.

use codec_tiff::open;
use raster::{Budget, Limits, Notes, Result, Warning};
use testkit::{Picture, read_all};

/// The offset of the data.
pub(crate) const DATA: u32 = 8;

/// Returns the directory of these tags, in any order, for a file with `data_len` bytes of data.
pub(crate) fn directory(data_len: u64, tags: &[(u16, Vec<u32>)]) -> Vec<u8> {
    let mut tags = tags.to_vec();
    tags.sort_by_key(|(tag, _)| *tag);
    let mut behind = Vec::new();
    let mut bytes = (tags.len() as u16).to_le_bytes().to_vec();
    let start = u64::from(DATA) + data_len + 2 + 12 * tags.len() as u64 + 4;
    for (tag, values) in tags {
        const LONG: u16 = 4;
        let numbers: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        bytes.extend(tag.to_le_bytes());
        bytes.extend(LONG.to_le_bytes());
        bytes.extend((values.len() as u32).to_le_bytes());
        if values.len() == 1 {
            bytes.extend(numbers);
        } else {
            bytes.extend(((start + behind.len() as u64) as u32).to_le_bytes());
            behind.extend(numbers);
        }
    }
    bytes.extend([0; 4]);
    bytes.extend(behind);
    bytes
}

/// Returns the file of these data and tags.
pub(crate) fn file(data: &[u8], tags: &[(u16, Vec<u32>)]) -> Vec<u8> {
    let header = [b"II\x2A\0", &(DATA + data.len() as u32).to_le_bytes()[..]].concat();
    [&header, data, &directory(data.len() as u64, tags)].concat()
}

/// Returns the first page and its warnings.
pub(crate) fn read(file: &[u8]) -> Result<(Picture, Vec<Warning>)> {
    let notes = Notes::default();
    let mut reader = open(&file, &Budget::new(&Limits { memory: 32 << 20 }), &notes)?;
    let picture = read_all(&mut *reader)?;
    Ok((picture, notes.warnings()))
}
