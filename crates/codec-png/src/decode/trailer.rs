//! Metadata behind the pixels, where eXIf and texts may stand as well (§5.6).
//!
//! A picture of 300 MB may have 40 000 chunks of image data, and in a browser each look at a place far from the last
//! costs up to 2 ms. But encoders cut image data into chunks of one length: the walk leaps over a run of them, twice as
//! far each time, as long as it lands on the head of another. The same 64 bits at such a place by chance are no danger.

use raster::{Budget, ByteSource, Error, Result};

use super::prelude::Prelude;
use crate::chunk::{ChunkHeader, Chunks};

/// Looks at heads. That picture needs 33; of the corpus, half of all files need 3 and the busiest animation 387. Of
/// chunks that all have different lengths, 250 are passed: what is behind more is not found.
const MAX_LOOKS: u32 = 500;

/// Adds to `prelude` what stands behind the pixels and not before them.
///
/// # Errors
/// `Io`; where chunks cannot be followed, it ends.
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
    /// The head at `at`; nothing where there is none, or where enough was looked at.
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

    /// The last of the run of chunks that look like `first`, which begins it.
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
