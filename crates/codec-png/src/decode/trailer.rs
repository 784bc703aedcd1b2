//! Metadata behind the pixels, where eXIf and texts are allowed too (§5.6).
//!
//! A picture of 300 MB may have 40 000 chunks of image data, and in a browser each read far from the last takes up to 2
//! ms. But encoders write image data in chunks of one length. The search therefore skips over such a run of chunks,
//! twice as far each time, as long as it finds the header of an equal chunk there. The same 64 bits by chance are too
//! unlikely to matter.

use raster::{Budget, ByteSource, Error, Result};

use super::prelude::Prelude;
use crate::chunk::{ChunkHeader, Chunks};

/// The largest number of headers that are read. That picture needs 33; half of the corpus' files need 3, and the
/// longest animation 387. Of chunks with different lengths, 250 are searched; chunks behind them are not found.
const MAX_LOOKS: u32 = 500;

/// Adds metadata behind the pixels to `prelude`, unless the same kind exists before them.
///
/// # Errors
/// `Io`. The search ends where chunks cannot be followed.
pub(super) fn read(source: &dyn ByteSource, prelude: &mut Prelude, budget: &Budget) -> Result<()> {
    let mut walk = Walk { source, looks: 0 };
    let mut at = prelude.data;
    while let Some(header) = walk.look(at)? {
        at = match &header.kind {
            b"IEND" => break,
            b"IDAT" | b"fdAT" => walk.last_like(header)?.end(),
            b"eXIf" | b"iTXt" | b"zTXt" | b"tEXt" => {
                prelude.take_behind(&mut Chunks::new(source, header.offset), budget)?;
                header.end()
            }
            _ => header.end(),
        };
    }
    Ok(())
}

struct Walk<'a> {
    source: &'a dyn ByteSource,
    looks: u32,
}

impl Walk<'_> {
    /// Returns the header at `at`, or `None` when there is none or the limit of headers is reached.
    fn look(&mut self, at: u64) -> Result<Option<ChunkHeader>> {
        let mut bytes = [0; ChunkHeader::BYTES];
        self.looks += 1;
        if self.looks > MAX_LOOKS || self.source.read_full_at(at, &mut bytes)? < bytes.len() {
            return Ok(None);
        }
        match ChunkHeader::parse(bytes, at) {
            Ok(header) => Ok(Some(header)),
            Err(Error::Malformed { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns the last chunk of the run of equal chunks that begins with `first`.
    fn last_like(&mut self, first: ChunkHeader) -> Result<ChunkHeader> {
        let step = first.end() - first.offset;
        let mut last = first;
        let mut leap = 1;
        let mut grows = true;
        while leap > 0 {
            let next = ChunkHeader { offset: last.offset + leap * step, ..first };
            if self.look(next.offset)? == Some(next) {
                last = next;
            } else {
                grows = false;
            }
            leap = if grows { leap * 2 } else { leap / 2 };
        }
        Ok(last)
    }
}
