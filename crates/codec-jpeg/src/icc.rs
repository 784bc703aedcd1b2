//! An ICC profile cut into APP2 segments (ICC.1:2022 B.4): put together if every piece is there exactly once.

use raster::{Budget, ByteSource, Result, icc};

use crate::segments;

/// What precedes every piece: this name, the piece's number from 1, and how many there are.
pub(crate) const NAME: &[u8; 12] = b"ICC_PROFILE\0";

/// Most pieces there can be, by the byte that numbers them.
pub(crate) const MAX_PIECES: usize = u8::MAX as usize;

/// Where a piece lies in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) number: u8,
    pub(crate) count: u8,
    pub(crate) offset: u64,
    pub(crate) len: usize,
}

/// The profile, or nothing when pieces are missing, doubled or misnumbered (as libjpeg's `jpeg_read_icc_profile` has
/// it), or when it is not a profile for `space` (`RGB `, `GRAY` or `CMYK`).
///
/// # Errors
/// `Limit` when the budget has no room, `Io`.
pub(crate) fn assemble(
    pieces: &[Piece],
    space: [u8; 4],
    source: &dyn ByteSource,
    budget: &Budget,
) -> Result<Option<Vec<u8>>> {
    let Some(ordered) = in_order(pieces) else { return Ok(None) };
    let places: Vec<_> = ordered.iter().map(|piece| (piece.offset, piece.len)).collect();
    let Some(mut profile) = segments::joined(&places, source, budget)? else { return Ok(None) };
    let len = icc::sound(&profile, space).map(<[u8]>::len);
    profile.truncate(len.unwrap_or(0));
    Ok(len.map(|_| profile))
}

fn in_order(pieces: &[Piece]) -> Option<Vec<Piece>> {
    let mut ordered = pieces.to_vec();
    ordered.sort_by_key(|piece| piece.number);
    let sound = ordered
        .iter()
        .enumerate()
        .all(|(i, piece)| usize::from(piece.number) == i + 1 && usize::from(piece.count) == pieces.len());
    (sound && !ordered.is_empty()).then_some(ordered)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(number: u8, count: u8) -> Piece {
        Piece { number, count, offset: u64::from(number), len: 1 }
    }

    #[test]
    fn pieces_count_only_when_each_is_there_once() {
        let table: [(&[(u8, u8)], bool); 8] = [
            (&[(1, 1)], true),
            (&[(2, 3), (1, 3), (3, 3)], true),
            (&[], false),
            (&[(0, 1)], false),
            (&[(1, 2)], false),
            (&[(1, 2), (1, 2)], false),
            (&[(1, 2), (2, 3)], false),
            (&[(1, 3), (2, 3), (3, 3), (3, 3)], false),
        ];
        for (numbers, sound) in table {
            let pieces: Vec<Piece> = numbers.iter().map(|&(number, count)| piece(number, count)).collect();
            assert_eq!(in_order(&pieces).is_some(), sound, "{numbers:?}");
        }
    }
}
