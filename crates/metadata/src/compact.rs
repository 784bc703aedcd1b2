//! Closes the gaps that removed values leave in a block, without moving a maker note. A thumbnail has about 10 KB, a
//! preview in a maker note 30.

use core::ops::Range;

use ifd::Block;

/// Joins these parts of `out`, which may overlap, into a block. Parts that begin at `pinned` or before keep their
/// position; the others move up, in order, to the next even offset (TIFF 6.0 §2). `pointers` are the positions in `out`
/// of the offsets to update; each offset points into a part.
pub(crate) fn compact(
    block: &Block<'_>,
    out: &[u8],
    parts: Vec<Range<usize>>,
    pinned: usize,
    pointers: &[usize],
) -> Vec<u8> {
    let runs = merge(parts);
    let mut compacted = Vec::with_capacity(out.len());
    let mut moves: Vec<(Range<usize>, usize)> = Vec::with_capacity(runs.len());
    for run in runs {
        let to = if run.start <= pinned { run.start } else { compacted.len().next_multiple_of(2) };
        compacted.resize(to, 0);
        compacted.extend_from_slice(&out[run.clone()]);
        moves.push((run, to));
    }
    let moved = |at: usize| {
        let run = moves.partition_point(|(run, _)| run.start <= at).checked_sub(1)?;
        moves.get(run).filter(|(run, _)| at < run.end).map(|(run, to)| at - run.start + to)
    };
    for &pointer in pointers {
        let target = out.get(pointer..pointer + 4).and_then(|target| moved(block.order.number(target) as usize));
        if let Some((at, target)) = moved(pointer).zip(target) {
            // No part moves down, so the offset still fits into 32 bits.
            compacted[at..at + 4].copy_from_slice(&block.order.bytes::<4>(target as u64));
        }
    }
    compacted
}

/// Sorts ranges and merges ranges that overlap.
fn merge(mut parts: Vec<Range<usize>>) -> Vec<Range<usize>> {
    raster::sort_by_key(&mut parts, |part| (part.start as u64) << 32 | part.end as u64);
    let mut runs: Vec<Range<usize>> = Vec::with_capacity(parts.len());
    for part in parts {
        match runs.last_mut() {
            Some(last) if part.start < last.end => last.end = last.end.max(part.end),
            _ => runs.push(part),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_parts_move_up_with_their_pointers_and_pinned_parts_stay() {
        let mut out = vec![0; 100];
        out[0..4].copy_from_slice(&[60, 0, 0, 0]); // a pointer in the first part to the last
        out[20..25].copy_from_slice(b"stays");
        out[60..65].copy_from_slice(b"moves");
        let block = Block { bytes: &[], order: ifd::Order::Little, base: 0 };
        let parts = vec![60..65, 20..25, 0..4, 62..64];
        assert_eq!(compact(&block, &out, parts.clone(), 20, &[0]), {
            let mut expected = vec![0; 31];
            expected[0] = 26;
            expected[20..25].copy_from_slice(b"stays");
            expected[26..].copy_from_slice(b"moves");
            expected
        });
        assert_eq!(compact(&block, &out, parts, 0, &[0]), [&[10, 0, 0, 0][..], b"stays\0moves"].concat());
    }

    #[test]
    fn overlapping_parts_stay_together() {
        assert_eq!(merge(vec![5..9, 0..2, 8..12, 2..3, 6..7]), [0..2, 2..3, 5..12]);
    }
}
