//! The container of AVIF and HEIC: the ISO base media file format (ISO/IEC 14496-12) with pictures as items
//! (ISO/IEC 23008-12) and sequences as tracks. No codec is known here.
//!
//! [`Container::read`] reads the boxes that describe the file. Then [`Container::primary`] is the picture,
//! [`Container::bytes`] its coded data, [`Container::tile_grid`] its tiles, and [`Container::sequence`] the animation.
//! Nothing is allocated before a limit is checked. [`Still::write`] writes a file with one picture, and
//! [`rewrite_metadata`] copies one with other metadata. Read first: `container.rs`.

#![forbid(unsafe_code)]

mod container;
mod fields;
mod meta_box;
mod metadata;
mod overlay;
mod property;
mod rewrite;
mod track;
mod write;

use core::fmt;

pub use container::{Container, Geometry, Grid};
pub use fields::FourCc;
pub use meta_box::{Extent, Item};
pub use overlay::{MOST_LAYERS, Overlay, Placed};
pub use property::{CleanAperture, CodePoints, Property};
pub use rewrite::rewrite_metadata;
pub use track::{Plays, Sample, Track};
pub use write::{Coded, Still};

/// The defect of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The bytes end early.
    Ends,
    /// The length of a box contradicts its contents or its parent.
    BoxLength,
    /// There are neither items nor tracks.
    NoPicture,
    /// An item that the file names does not exist.
    NoItem,
    /// An item has two places or none, or its place is not understood.
    Place,
    /// A version of a box that does not exist.
    Version,
    /// A grid's tiles do not cover the picture.
    Grid,
    /// The description of pictures on a canvas is damaged, or there are too many.
    Overlay,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ends => "the bytes end early",
            Self::BoxLength => "a box has an impossible length",
            Self::NoPicture => "the file has no picture",
            Self::NoItem => "a part of the picture is missing",
            Self::Place => "a part of the picture has no place in the file",
            Self::Version => "a box has an unknown version",
            Self::Grid => "the tiles do not cover the picture",
            Self::Overlay => "the canvas of the picture is damaged",
        })
    }
}

impl std::error::Error for Cause {}

/// The largest number of items, and of properties. Pictures of 100 megapixels have about 400 tiles.
const MOST_ITEMS: usize = 1 << 14;

/// The largest number of boxes at the top of a file. Real files have about five; those of films have one for each
/// second.
const MOST_BOXES: u32 = 10_000;

/// The largest number of samples in a track.
const MOST_SAMPLES: usize = 100_000;

/// The largest distance of the primary item's number from the beginning of a file, in bytes.
const LONGEST_START: u64 = 1 << 20;

/// The longest description of a file, in bytes.
const LONGEST_BOX: u64 = 64 << 20;
