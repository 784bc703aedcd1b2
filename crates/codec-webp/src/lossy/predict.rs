//! Prediction of a macroblock from the pixels around it (RFC 6386 §12).

use super::modes::{Block, Whole};

/// The pixels of a macroblock in one plane, and those around it: row 0 is above, and pixel `x` is at [`LEFT`] + `x`.
pub(super) type Area = [[u8; 32]; 17];

/// The column of the macroblock's first pixel; the one before is to the left.
pub(super) const LEFT: usize = 8;

/// The pixels that stand for the row above the picture.
pub(super) const ABOVE_PICTURE: u8 = 127;
/// The pixels that stand for the column to the left of the picture.
pub(super) const LEFT_OF_PICTURE: u8 = 129;

/// Where a macroblock is in the picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) has_above: bool,
    pub(super) has_left: bool,
}

/// Predicts `SIDE` × `SIDE` pixels.
pub(super) fn predict_whole<const SIDE: usize>(area: &mut Area, mode: Whole, place: Place) {
    let above: [u8; SIDE] = core::array::from_fn(|x| area[0][LEFT + x]);
    let left: [u8; SIDE] = core::array::from_fn(|y| area[1 + y][LEFT - 1]);
    let corner = area[0][LEFT - 1];
    let mean = mean(place.has_above.then_some(&above), place.has_left.then_some(&left));
    for (row, left) in area[1..].iter_mut().zip(left) {
        let row = &mut row[LEFT..][..SIDE];
        match mode {
            Whole::Mean => row.fill(mean),
            Whole::Above => row.copy_from_slice(&above),
            Whole::Left => row.fill(left),
            Whole::Gradient => {
                row.iter_mut().zip(above).for_each(|(pixel, above)| *pixel = gradient(left, above, corner))
            }
        }
    }
}

/// Returns the mean of the neighbours that exist, rounded.
fn mean<const SIDE: usize>(above: Option<&[u8; SIDE]>, left: Option<&[u8; SIDE]>) -> u8 {
    let neighbours = || [above, left].into_iter().flatten().flatten();
    match neighbours().count() as u32 {
        0 => 128,
        count => ((neighbours().map(|&pixel| u32::from(pixel)).sum::<u32>() + count / 2) / count) as u8,
    }
}

fn gradient(left: u8, above: u8, corner: u8) -> u8 {
    (i16::from(left) + i16::from(above) - i16::from(corner)).clamp(0, 255) as u8
}

/// Predicts the block of 4 × 4 pixels at (`x`, `y`).
pub(super) fn predict_block(area: &mut Area, x: usize, y: usize, mode: Block) {
    // The neighbours, from the lowest on the left over the corner, at index 4, to the last above right.
    let edge: [u8; 13] = core::array::from_fn(|n| match n {
        0..4 => area[y + 4 - n][LEFT - 1 + x],
        _ => area[y][LEFT - 1 + x + n - 4],
    });
    let at = |n: usize| u16::from(edge[n]);
    let two = |n: usize| ((at(n) + at(n + 1) + 1) >> 1) as u8;
    // Around neighbour `n`; the ends count twice.
    let three = |n: usize| ((at(n.saturating_sub(1)) + 2 * at(n) + at((n + 1).min(12)) + 2) >> 2) as u8;
    let pixels: [[u8; 4]; 4] = match mode {
        Block::Mean => {
            let sum: u16 = (0..4).chain(5..9).map(at).sum();
            [[((sum + 4) >> 3) as u8; 4]; 4]
        }
        Block::Gradient => each(|x, y| gradient(edge[3 - y], edge[5 + x], edge[4])),
        Block::Above => each(|x, _| three(5 + x)),
        Block::Left => each(|_, y| three(3 - y)),
        Block::LeftDown => each(|x, y| three(6 + x + y)),
        Block::RightDown => each(|x, y| three(4 + x - y)),
        Block::VerticalRight => each(|x, y| match (x, y) {
            (_, 0) => two(4 + x),
            (_, 1) => three(4 + x),
            (0, _) => three(5 - y),
            (_, 2) => two(3 + x),
            _ => three(3 + x),
        }),
        Block::VerticalLeft => each(|x, y| match (x, y) {
            (3, 2) => three(10),
            (3, 3) => three(11),
            (_, 0 | 2) => two(5 + x + y / 2),
            _ => three(6 + x + y / 2),
        }),
        Block::HorizontalDown => each(|x, y| match (x, y) {
            (0, _) => two(3 - y),
            (1, _) => three(4 - y),
            (_, 0) => three(3 + x),
            (2, _) => two(4 - y),
            _ => three(5 - y),
        }),
        Block::HorizontalUp => each(|x, y| match 2 * y + x {
            n @ (0 | 2 | 4) => two(2 - n / 2),
            n @ (1 | 3 | 5) => three(2 - n / 2),
            _ => edge[0],
        }),
    };
    for (row, pixels) in area[1 + y..].iter_mut().zip(pixels) {
        row[LEFT + x..][..4].copy_from_slice(&pixels);
    }
}

/// Returns rows of the values for all columns and rows.
fn each(value: impl Fn(usize, usize) -> u8) -> [[u8; 4]; 4] {
    core::array::from_fn(|y| core::array::from_fn(|x| value(x, y)))
}
