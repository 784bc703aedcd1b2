//! Directories of TIFF (TIFF 6.0 §2, BigTIFF), which EXIF uses too (CIPA DC-008 §4.5). This crate is the only reader
//! and the only writer of them: the TIFF codec uses both for files, the other codecs and `metadata` for EXIF blocks.
//!
//! A directory is a list of entries. An entry has a tag, the kind and the count of its values, and then the values, or
//! their offset when they do not fit. Read first [`Layout`] for the layout in bytes, then [`File`] for directories of a
//! file that is read by position, [`Block`] for directories of an EXIF block in memory, and [`Builder`] for writing.
//!
//! ```
//! use ifd::{Block, Builder, Order, tag};
//!
//! let mut builder = Builder::new(Order::Little);
//! builder.text(tag::ARTIST, "Ann");
//! builder.shorts(tag::ORIENTATION, &[6]);
//! let exif = builder.into_block()?;
//!
//! assert_eq!(ifd::orientation(&exif), raster::Orientation::from_exif(6));
//! let (block, first) = Block::open(&exif, 0).unwrap();
//! let entries = block.entries(first).unwrap();
//! assert_eq!(entries[1].tag, tag::ARTIST);
//! assert_eq!(&exif[block.value(&entries[1]).unwrap()], b"Ann\0");
//! # Ok::<(), raster::Error>(())
//! ```

mod block;
mod builder;
mod defect;
mod directory;
mod file;
mod kind;
mod layout;
mod output;
pub mod tag;

use raster::Orientation;

pub use block::Block;
pub use builder::{Builder, Field, Value};
pub use defect::Defect;
pub use directory::{Directory, Entry};
pub use file::File;
pub use kind::Kind;
pub use layout::{Form, Layout, Order};
pub use output::Output;

/// Returns the orientation that an EXIF block states, with or without the `Exif\0\0` that JPEG puts before it, or
/// `None` when the block is invalid or states none.
#[must_use]
pub fn orientation(exif: &[u8]) -> Option<Orientation> {
    let (block, first) = Block::open(exif.strip_prefix(b"Exif\0\0").unwrap_or(exif), 0)?;
    let entries = block.entries(first)?;
    let entry = entries.iter().find(|entry| (entry.tag, entry.kind) == (tag::ORIENTATION, Kind::SHORT))?;
    Orientation::from_exif(block.u16_at(Block::field(entry))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(order: Order, tag: u16, value: u16) -> Vec<u8> {
        let mut builder = Builder::new(order);
        builder.shorts(tag, &[value]);
        builder.into_block().unwrap()
    }

    #[test]
    fn both_byte_orders_give_every_orientation() {
        for number in 1..=8 {
            for order in [Order::Little, Order::Big] {
                let bare = block(order, tag::ORIENTATION, number);
                assert_eq!(orientation(&bare), Orientation::from_exif(number));
                assert_eq!(orientation(&[b"Exif\0\0", &bare[..]].concat()), Orientation::from_exif(number));
            }
        }
    }

    #[test]
    fn nonsense_gives_no_orientation_and_no_prefix_panics() {
        assert_eq!(orientation(&block(Order::Little, tag::ORIENTATION, 9)), None);
        assert_eq!(orientation(&block(Order::Little, 0x0113, 3)), None);
        let sound = block(Order::Big, tag::ORIENTATION, 6);
        (0..sound.len()).for_each(|cut| _ = orientation(&sound[..cut]));
        assert_eq!(orientation(b"MM\0\x2a\xff\xff\xff\xff"), None);
    }
}
