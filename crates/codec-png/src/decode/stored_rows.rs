//! The rows of one picture in the file: of the only one, or of a frame of an animation.

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
    /// Returns the bytes of memory for reading.
    pub(crate) fn memory(header: Header, prelude: &Prelude) -> u64 {
        if header.interlaced {
            Passes::memory(header, header.pixels(prelude.transparency.is_some()))
        } else {
            Lines::memory(header, header.size.width)
        }
    }

    /// Creates a reader of the rows at `start` in the format of `header`, with the palette and transparency of the
    /// file.
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

    /// Reads the next row; returns false when parts of it were not in the file and were copied from their neighbours.
    ///
    /// # Errors
    /// `Malformed` when the data are damaged or end early; `Io`.
    pub(crate) fn read(&mut self, row: &mut [u8]) -> Result<bool> {
        match self {
            Self::Plain(lines, expand) => {
                expand.line(lines.next()?, row);
                Ok(true)
            }
            Self::Interlaced(passes) => passes.read(row),
        }
    }

    /// See [`Lines::last_crc_is_sound`].
    pub(crate) fn last_crc_is_sound(&mut self) -> Result<bool> {
        match self {
            Self::Plain(lines, _) => lines.last_crc_is_sound(),
            Self::Interlaced(passes) => passes.last_crc_is_sound(),
        }
    }
}
