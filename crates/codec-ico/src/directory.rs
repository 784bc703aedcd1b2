//! The directory. It has six bytes (0, 1 for icons or 2 for cursors, number of entries, each in 16 bits), then sixteen
//! for each entry: width, height, colours, 0, planes, bits a pixel (of cursors: the hot spot), length, offset.

use raster::{ByteSource, Result, Size};

use crate::error::Cause;

pub(crate) const HEADER: usize = 6;
pub(crate) const ENTRY: usize = 16;

/// The largest number of entries that are read. Windows' largest icons have some 30; each takes a read or two in a
/// probe.
const MAX_ENTRIES: usize = 256;

/// The positions of a file's entries. All other data of a directory are in the entries too, and are more reliable
/// there.
pub(crate) struct Directory {
    /// The offsets in the file, in the order of the directory.
    pub(crate) entries: Vec<u64>,
    /// Whether the directory has more entries.
    pub(crate) cut: bool,
}

impl Directory {
    pub(crate) fn read(source: &dyn ByteSource) -> Result<Self> {
        let mut bytes = [0; HEADER + MAX_ENTRIES * ENTRY];
        let filled = source.read_full_at(0, &mut bytes)?;
        if filled < HEADER || !matches!(bytes[..4], [0, 0, 1 | 2, 0]) {
            return Err(Cause::NoMagic.at(0));
        }
        let count = usize::from(u16::from_le_bytes([bytes[4], bytes[5]]));
        let (slots, _) = bytes[HEADER..filled].as_chunks::<ENTRY>();
        let offset = |&[.., a, b, c, d]: &[u8; ENTRY]| u64::from(u32::from_le_bytes([a, b, c, d]));
        let entries: Vec<u64> = slots.iter().take(count).map(offset).collect();
        if entries.is_empty() {
            return Err(Cause::NoEntry.at(4));
        }
        Ok(Self { cut: entries.len() < count, entries })
    }
}

/// Returns one directory entry of an icon with alpha; a side of 256 is written as 0.
pub(crate) fn entry(size: Size, len: u32, offset: u32) -> [u8; ENTRY] {
    let mut entry = [size.width as u8, size.height as u8, 0, 0, 1, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    entry[8..12].copy_from_slice(&len.to_le_bytes());
    entry[12..].copy_from_slice(&offset.to_le_bytes());
    entry
}
