//! Strips and tiles: how the picture is cut and where the pieces lie (TIFF 6.0 §3, §15). A strip is a tile as wide as
//! the picture.

use raster::{Budget, Result, Size};

use super::ifd::{Directory, Ifds};
use crate::error::Cause;
use crate::tag;

/// The pieces of a page.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) is_tiled: bool,
    /// Pixels across a piece. Tiles are whole even where the picture ends inside.
    pub(super) width: u32,
    /// Rows in a piece; in the last strip there may be fewer.
    pub(super) height: u32,
    /// Pieces in a row of pieces.
    pub(super) across: u32,
    /// Rows of pieces in a plane.
    pub(super) down: u32,
    offsets: Vec<u64>,
    /// May be missing: then a piece goes on to where another begins.
    counts: Vec<u64>,
}

/// Where a piece is to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    At(Span),
    /// Left out on purpose, as GDAL's sparse files do: the tables say nothing of this one, but of others.
    Blank,
    /// The tables do not say.
    Nowhere,
}

/// A range of bytes of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) at: u64,
    pub(super) len: u64,
}

impl Grid {
    /// Reads the tables of a page of `size` pixels.
    ///
    /// # Errors
    /// `Malformed` when there are none, `Limit` when the budget cannot hold them, `Io`.
    pub(super) fn read(
        ifds: &mut Ifds<'_>,
        directory: &Directory,
        size: Size,
        planes: u16,
        budget: &Budget,
    ) -> Result<Self> {
        let is_tiled = directory.get(tag::TILE_WIDTH).is_some();
        let (width, height) = if is_tiled {
            let width = ifds.number_of(directory, tag::TILE_WIDTH)?.unwrap_or(0);
            (width, ifds.number_of(directory, tag::TILE_LENGTH)?.unwrap_or(0))
        } else {
            // Some writers say 0 and mean all.
            let rows = ifds.number_of(directory, tag::ROWS_PER_STRIP)?.filter(|&rows| rows > 0);
            (size.width.into(), rows.unwrap_or(u64::MAX).min(size.height.into()))
        };
        let side = |name, value: u64| match u32::try_from(value) {
            Ok(side) if side > 0 => Ok(side),
            _ => Err(Cause::Value(name, value).at(directory.at)),
        };
        let (width, height) = (side("TileWidth", width)?, side("TileLength", height)?);
        let (across, down) = (size.width.div_ceil(width), size.height.div_ceil(height));
        let pieces = u64::from(across).saturating_mul(down.into()).saturating_mul(planes.into());
        // Either kind of table serves either kind of piece: some writers mix them up, and libtiff lets them.
        let entry = |one, other| directory.get(one).or_else(|| directory.get(other));
        let mut table = |entry: &super::ifd::Entry| {
            budget.charge(ifds.present(entry).min(pieces) * 8)?;
            ifds.numbers(entry, pieces)
        };
        let offsets = entry(tag::STRIP_OFFSETS, tag::TILE_OFFSETS).map(&mut table).transpose()?.unwrap_or_default();
        let counts = entry(tag::STRIP_BYTE_COUNTS, tag::TILE_BYTE_COUNTS).map(&mut table).transpose()?;
        Ok(Self { is_tiled, width, height, across, down, offsets, counts: counts.unwrap_or_default() })
    }

    /// Where the piece at column `x` and row `y` of the pieces of plane `plane` lies.
    pub(super) fn place(&self, plane: u16, x: u32, y: u32) -> Place {
        let index = (u64::from(plane) * u64::from(self.down) + u64::from(y)) * u64::from(self.across) + u64::from(x);
        let Ok(index) = usize::try_from(index) else { return Place::Nowhere };
        // Without a length, decompression finds its own end, and plain data are as long as they must be.
        let len = self.counts.get(index).copied().unwrap_or(u64::MAX);
        match self.offsets.get(index) {
            Some(&at) if at > 0 && len > 0 => Place::At(Span { at, len }),
            Some(0) if len == 0 && self.offsets.iter().any(|&at| at > 0) => Place::Blank,
            _ => Place::Nowhere,
        }
    }

    /// Rows in the pieces of row `y` of pieces of a picture `height` rows high.
    pub(super) const fn rows(&self, y: u32, height: u32) -> u32 {
        let left = height.saturating_sub(y * self.height);
        if left < self.height { left } else { self.height }
    }
}
