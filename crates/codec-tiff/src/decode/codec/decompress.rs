//! The interface of all decompressors.

use raster::Result;

use crate::decode::grid::Span;

/// A strip or tile to be read (TIFF technical note 2 calls either a segment).
#[derive(Clone, Copy, Debug)]
pub(in crate::decode) struct Segment {
    /// The position of its data.
    pub(in crate::decode) span: Span,
    /// The width in pixels.
    pub(in crate::decode) width: u32,
    /// The height in rows of pixels.
    pub(in crate::decode) rows: u32,
    /// The number of bytes in all its lines.
    pub(in crate::decode) bytes: u64,
}

/// A decompressor. A line is the unit of compression: a row of pixels, or a row of units of subsampled colour.
pub(in crate::decode) trait Decompress {
    /// Goes to the start of a segment and discards the rest of the previous one.
    ///
    /// # Errors
    /// `Malformed`, `Unsupported` or `Limit` when the header of the segment requires it, `Io`.
    fn begin(&mut self, segment: &Segment) -> Result<()>;

    /// Fills `line` with the segment's next line.
    ///
    /// # Errors
    /// `Malformed` when the data are damaged or end early; the rest of the segment is then lost. `Io`.
    fn fill(&mut self, line: &mut [u8]) -> Result<()>;
}
