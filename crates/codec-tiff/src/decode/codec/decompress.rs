//! What every compression is for the rows above it.

use raster::Result;

use crate::decode::grid::Span;

/// A strip or tile that is to be read (TIFF technical note 2 calls either a segment).
#[derive(Clone, Copy, Debug)]
pub(in crate::decode) struct Segment {
    /// Where its data lie.
    pub(in crate::decode) span: Span,
    /// Pixels across.
    pub(in crate::decode) width: u32,
    /// Rows of pixels.
    pub(in crate::decode) rows: u32,
    /// Bytes in all its lines.
    pub(in crate::decode) bytes: u64,
}

/// Undoes one compression. A line is what the compressor was given at once: a row of pixels, or of units of subsampled
/// colour.
pub(in crate::decode) trait Decompress {
    /// Goes to the start of a segment; what is left of the one before is forgotten.
    ///
    /// # Errors
    /// `Malformed`, `Unsupported` or `Limit` when its head says so, `Io`.
    fn begin(&mut self, segment: &Segment) -> Result<()>;

    /// Fills `line` with the segment's next line.
    ///
    /// # Errors
    /// `Malformed` when the data break or end before; then the rest of the segment is lost. `Io`.
    fn fill(&mut self, line: &mut [u8]) -> Result<()>;
}
