//! The partitions with coefficients (RFC 6386 §9.5): their lengths, of 24 bits each, come first. The last one takes the
//! rest.

use core::ops::Range;

use raster::bytes::WINDOW;
use raster::{Budget, ByteSource, Result};

use super::arithmetic::Arithmetic;
use crate::chunk::uint24;
use crate::error::Cause;

/// Creates the readers of the partitions in this range of the file; their number is a power of two.
pub(super) fn read<'a>(
    source: &'a dyn ByteSource,
    Range { start, end }: Range<u64>,
    power: u32,
    budget: &Budget,
) -> Result<Vec<Arithmetic<'a>>> {
    let count = 1 << power;
    budget.charge((count * WINDOW) as u64)?;
    let mut lengths = [0; 3 * 7];
    let lengths = &mut lengths[..3 * (count - 1)];
    source.read_full_at(start, lengths)?;
    let mut at = start + lengths.len() as u64;
    let mut partitions = Vec::with_capacity(count);
    for &length in lengths.as_chunks().0 {
        let len = u64::from(uint24(length));
        partitions.push(Arithmetic::new(source, at, len.min(end.saturating_sub(at))));
        at += len;
    }
    let Some(rest) = end.checked_sub(at).filter(|&rest| rest > 0) else {
        return Err(Cause::Data("a partition is beyond the end").at(start));
    };
    partitions.push(Arithmetic::new(source, at, rest));
    Ok(partitions)
}
