//! Strips and tiles: the division of the picture, and the positions of the segments (TIFF 6.0 §3, §15). A strip is
//! handled as a tile with the width of the picture.

use ifd::{Directory, File, tag};
use raster::{Budget, Result, Size};

use crate::error::Cause;

/// The segments of a page.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) is_tiled: bool,
    /// The width of a segment in pixels. Tiles are whole even where the picture ends inside.
    pub(super) width: u32,
    /// The number of rows in a segment; the last strip may have fewer.
    pub(super) height: u32,
    /// The number of segments in a row of segments.
    pub(super) across: u32,
    /// The number of rows of segments in a plane.
    pub(super) down: u32,
    offsets: Vec<u64>,
    /// The length of every segment that has an offset.
    lengths: Vec<u64>,
}

/// The location of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Location {
    At(Span),
    /// The segment was left out on purpose, as in GDAL's sparse files: its entries in the tables are 0, and others are
    /// not.
    Blank,
    /// The tables do not contain the segment.
    Unknown,
}

/// A range of bytes of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) at: u64,
    pub(super) len: u64,
}

impl Grid {
    /// Reads the tables of a page of `size` pixels in `planes` planes.
    ///
    /// # Errors
    /// `Malformed` when a segment has no size, `Limit` when the budget cannot hold the tables, `Io`.
    pub(super) fn read(
        file: &mut File<'_>,
        directory: &Directory,
        size: Size,
        planes: u16,
        budget: &Budget,
    ) -> Result<Self> {
        let is_tiled = directory.get(tag::TILE_WIDTH).is_some();
        let mut number = |tag| file.number(directory, tag);
        let side = |name, value: Option<u64>| match u32::try_from(value.unwrap_or(0)) {
            Ok(side) if side > 0 => Ok(side),
            _ => Err(Cause::Value(name, value.unwrap_or(0)).at(directory.at)),
        };
        let (width, height) = if is_tiled {
            (side("TileWidth", number(tag::TILE_WIDTH)?)?, side("TileLength", number(tag::TILE_LENGTH)?)?)
        } else {
            // Some writers store 0 and mean all rows.
            let rows = number(tag::ROWS_PER_STRIP)?.and_then(|rows| u32::try_from(rows).ok()).filter(|&rows| rows > 0);
            (size.width, rows.unwrap_or(u32::MAX).min(size.height))
        };
        let (across, down) = (size.width.div_ceil(width), size.height.div_ceil(height));
        let count = u64::from(across).saturating_mul(down.into()).saturating_mul(planes.into());
        // Each table may have either tag: some writers exchange the tags, and libtiff accepts them.
        let mut table = |one, other| match directory.get(one).or_else(|| directory.get(other)) {
            Some(entry) => file.numbers(entry, count, budget),
            None => Ok(Vec::new()),
        };
        let offsets = table(tag::STRIP_OFFSETS, tag::TILE_OFFSETS)?;
        let mut lengths = table(tag::STRIP_BYTE_COUNTS, tag::TILE_BYTE_COUNTS)?;
        complete(&offsets, &mut lengths, budget)?;
        Ok(Self { is_tiled, width, height, across, down, offsets, lengths })
    }

    /// Returns the location of the segment at column `x` and row `y` of the segments of plane `plane`.
    pub(super) fn location(&self, plane: u16, x: u32, y: u32) -> Location {
        let index = (u64::from(plane) * u64::from(self.down) + u64::from(y)) * u64::from(self.across) + u64::from(x);
        let Ok(index) = usize::try_from(index) else { return Location::Unknown };
        match (self.offsets.get(index), self.lengths.get(index)) {
            (Some(&at), Some(&len)) if at > 0 && len > 0 => Location::At(Span { at, len }),
            (Some(0), Some(0)) if self.offsets.iter().any(|&at| at > 0) => Location::Blank,
            _ => Location::Unknown,
        }
    }

    /// Returns the number of pixel rows in row `y` of segments; the picture is `height` rows high.
    pub(super) const fn rows(&self, y: u32, height: u32) -> u32 {
        let left = height.saturating_sub(y * self.height);
        if left < self.height { left } else { self.height }
    }

    /// Returns the position of the first segment in the file.
    pub(super) fn first(&self) -> Option<u64> {
        self.offsets.iter().copied().find(|&at| at > 0)
    }

    /// Whether a segment starts within these bytes.
    pub(super) fn starts_within(&self, span: Span) -> bool {
        self.offsets.iter().any(|&at| at > 0 && at >= span.at && at - span.at < span.len)
    }
}

/// Sets a length for every segment that has an offset and no length, or a length of 0: it extends to the start of the
/// next segment in the file, and the last one to the end of the file.
fn complete(offsets: &[u64], lengths: &mut Vec<u64>, budget: &Budget) -> Result<()> {
    let missing = offsets.len().saturating_sub(lengths.len());
    budget.charge(8 * missing as u64)?;
    // Segments without a length table are not blank, even at offset 0.
    lengths.extend((0..missing).map(|_| u64::MAX));
    let lacks = |at: u64, len: u64| at > 0 && matches!(len, 0 | u64::MAX);
    if !offsets.iter().zip(&*lengths).any(|(&at, &len)| lacks(at, len)) {
        return Ok(());
    }
    let scope = budget.scope();
    let mut sorted = scope.reserved(offsets.len() as u64)?;
    sorted.extend_from_slice(offsets);
    sorted.sort_unstable();
    for (&at, len) in offsets.iter().zip(lengths).filter(|(at, len)| lacks(**at, **len)) {
        let next = sorted.get(sorted.partition_point(|&other| other <= at));
        *len = next.map_or(u64::MAX, |next| next - at);
    }
    Ok(())
}
