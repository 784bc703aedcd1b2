//! The rows of one picture in the file: the only one, or a frame of an animation.

use raster::{Budget, ByteSource, Result};

use super::data::DataStart;
use super::expand::Expand;
use super::lines::Lines;
use super::passes::Passes;
use super::prelude::Prelude;
use crate::header::Header;

/// The rows of a picture as stored, expanded to pixels.
pub(crate) enum StoredRows<'a> {
    Plain(Lines<'a>, Expand),
    Interlaced(Passes<'a>),
}

impl<'a> StoredRows<'a> {
    /// Bytes of memory that reading takes.
    pub(crate) fn memory(header: Header, prelude: &Prelude) -> u64 {
        if header.interlaced {
            Passes::memory(header, header.pixels(prelude.transparency.is_some()))
        } else {
            Lines::memory(header, header.size.width)
        }
    }

    /// The rows at `start`, shaped as `header` says; palette and transparency are the file's.
    pub(crate) fn new(
        source: &'a dyn ByteSource,
        start: DataStart,
        header: Header,
        prelude: &Prelude,
        budget: &Budget,
    ) -> Result<Self> {
        let expand = Expand::new(header, prelude.palette.as_deref(), prelude.transparency.as_deref());
        if header.interlaced {
            let pixels = header.pixels(prelude.transparency.is_some());
            return Ok(Self::Interlaced(Passes::new(source, start, (header, pixels), expand, budget)?));
        }
        Ok(Self::Plain(Lines::new(source, start, header, header.size.width, budget)?, expand))
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
