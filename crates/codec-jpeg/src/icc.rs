//! An ICC profile in pieces in APP2 segments (ICC.1:2022 B.4), joined if each piece exists exactly once.

use raster::{Budget, ByteSource, Result, icc};

use crate::segments::{Span, joined};

/// The name at the start of each segment; the piece's number, from 1, and the number of pieces follow.
pub(crate) const NAME: &[u8; 12] = b"ICC_PROFILE\0";

/// The largest number of pieces of a profile: one byte numbers them.
pub(crate) const MAX_PIECES: usize = u8::MAX as usize;

/// A piece and its position in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) number: u8,
    pub(crate) count: u8,
    pub(crate) data: Span,
}

impl Piece {
    /// Parses the piece in a segment with this payload at `offset`.
    pub(crate) fn parse(payload: &[u8], offset: u64) -> Option<Self> {
        let (&[number, count], data) = payload.strip_prefix(NAME)?.split_first_chunk()?;
        let offset = offset + (payload.len() - data.len()) as u64;
        Some(Self { number, count, data: Span { offset, len: data.len() } })
    }
}

/// Returns the profile, or `None` when pieces are missing, duplicated or misnumbered (as in libjpeg's
/// `jpeg_read_icc_profile`), or when it is not a profile for `space` (`RGB `, `GRAY` or `CMYK`).
///
/// # Errors
/// `Limit` when the budget is too small, `Io`.
pub(crate) fn assemble(
    pieces: &[Piece],
    space: [u8; 4],
    source: &dyn ByteSource,
    budget: &Budget,
) -> Result<Option<Vec<u8>>> {
    let Some(ordered) = in_order(pieces) else { return Ok(None) };
    let spans = ordered.iter().map(|piece| piece.data);
    let Some(mut profile) = joined(spans, source, budget)? else { return Ok(None) };
    let len = icc::sound(&profile, space).map(<[u8]>::len);
    profile.truncate(len.unwrap_or(0));
    Ok(len.map(|_| profile))
}

fn in_order(pieces: &[Piece]) -> Option<Vec<Piece>> {
    let mut ordered = vec![None; pieces.len()];
    for piece in pieces.iter().filter(|piece| usize::from(piece.count) == pieces.len()) {
        *ordered.get_mut(usize::from(piece.number).checked_sub(1)?)? = Some(*piece);
    }
    // A piece that is missing, doubled or of another count leaves a gap.
    ordered.into_iter().collect::<Option<Vec<_>>>().filter(|ordered| !ordered.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(number: u8, count: u8) -> Piece {
        Piece { number, count, data: Span { offset: u64::from(number), len: 1 } }
    }

    #[test]
    fn a_profile_needs_each_piece_exactly_once() {
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
