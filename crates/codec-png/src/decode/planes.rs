//! The rows of one picture in the file: the only one, or a frame of an animation.

use raster::{Budget, ByteSource, Result};

use super::expand::Expand;
use super::lines::Lines;
use super::passes::Passes;
use super::prelude::Prelude;
use crate::header::Header;

/// Where a picture's data begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Offset of the first chunk.
    pub(crate) offset: u64,
    /// Its sequence number, if it is fdAT (§11.3.6.3); nothing for IDAT.
    pub(crate) sequence: Option<u32>,
}

/// The rows of either kind of picture.
pub(crate) enum Planes<'a> {
    Plain(Lines<'a>, Expand),
    Interlaced(Passes<'a>),
}

impl<'a> Planes<'a> {
    /// Bytes of memory that reading takes.
    pub(crate) fn memory(header: Header, prelude: &Prelude) -> u64 {
        if header.interlaced {
            Passes::memory(header, header.pixels(prelude.transparency.is_some()))
        } else {
            Lines::memory(header, header.size.width)
        }
    }

    /// The rows at `place`, shaped as `header` says; palette and transparency are the file's.
    pub(crate) fn new(
        source: &'a dyn ByteSource,
        place: Place,
        header: Header,
        prelude: &Prelude,
        budget: &Budget,
    ) -> Result<Self> {
        let expand = Expand::new(header, prelude.palette.as_deref(), prelude.transparency.as_deref());
        if header.interlaced {
            let pixels = header.pixels(prelude.transparency.is_some());
            return Ok(Self::Interlaced(Passes::new(source, place, (header, pixels), expand, budget)?));
        }
        Ok(Self::Plain(Lines::new(source, place, header, header.size.width, budget)?, expand))
    }

    /// The next row; false when parts of it were not in the file and were filled from their neighbours.
    ///
    /// # Errors
    /// `Malformed` when the data break or end before; `Io`.
    pub(crate) fn read(&mut self, row: &mut [u8]) -> Result<bool> {
        match self {
            Self::Plain(lines, expand) => {
                expand.line(lines.next()?, row);
                Ok(true)
            }
            Self::Interlaced(passes) => passes.read(row),
        }
    }

    /// As [`Lines::last_crc_is_sound`].
    pub(crate) fn last_crc_is_sound(&mut self) -> Result<bool> {
        match self {
            Self::Plain(lines, _) => lines.last_crc_is_sound(),
            Self::Interlaced(passes) => passes.last_crc_is_sound(),
        }
    }
}
