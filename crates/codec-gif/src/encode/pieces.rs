//! The pixels of a frame and of its neighbours, compared: which of them have to be written, and which have to vanish.

use core::ops::Range;

/// Red, green, blue, and alpha, which is 0 or 255. Transparent pixels are all zero.
pub(crate) type Pixel = [u8; 4];

/// Pixels that are compared at once.
const PIECE: usize = 16;

/// The frame to write, and its neighbours.
#[derive(Clone, Copy)]
pub(crate) struct Moment<'a> {
    pub(crate) frame: &'a [Pixel],
    /// The frame before; nothing for the first.
    pub(crate) before: Option<&'a [Pixel]>,
    /// The frame after; nothing for the last.
    pub(crate) after: Option<&'a [Pixel]>,
    /// Hundredths of a second; nothing for a still picture.
    pub(crate) delay: Option<u16>,
}

/// What the file shows before the next frame is drawn.
pub(crate) struct Shown {
    /// Empty for a still picture.
    pub(crate) pixels: Vec<Pixel>,
    /// Whether pixels can be transparent where the last frame was opaque: a part of it was cleared.
    pub(crate) was_cleared: bool,
}

/// Up to [`PIECE`] pixels of a row: those of the frame, of its neighbours, and what is shown.
pub(crate) struct Piece<'a> {
    pub(crate) frame: &'a [Pixel],
    before: &'a [Pixel],
    after: &'a [Pixel],
    shown: &'a [Pixel],
}

/// A piece of the frame before the first, and of the one after the last.
const NOTHING_BEFORE: &[Pixel] = &[UNLIKE; PIECE];
const NOTHING_AFTER: &[Pixel] = &[[0, 0, 0, 255]; PIECE];

/// No pixel of a frame is equal to this: transparent ones are all zero.
const UNLIKE: Pixel = [1, 0, 0, 0];

impl Shown {
    /// Returns a piece of the picture.
    #[inline(always)]
    fn piece<'a>(&'a self, moment: &Moment<'a>, range: Range<usize>) -> Piece<'a> {
        let frame = &moment.frame[range.clone()];
        Piece {
            frame,
            before: moment.before.map_or(&NOTHING_BEFORE[..frame.len()], |before| &before[range.clone()]),
            after: moment.after.map_or(&NOTHING_AFTER[..frame.len()], |after| &after[range.clone()]),
            shown: self.pixels.get(range).unwrap_or(frame),
        }
    }

    /// Returns the pieces of a row, which is that range of pixels, each with its first column.
    pub(crate) fn pieces<'a>(
        &'a self,
        moment: &'a Moment<'a>,
        row: Range<usize>,
    ) -> impl Iterator<Item = (usize, Piece<'a>)> {
        let piece = move |start: usize| {
            let range = start..row.end.min(start + PIECE);
            (start - row.start, self.piece(moment, range))
        };
        row.clone().step_by(PIECE).map(piece)
    }
}

impl Piece<'_> {
    /// Whether no pixel has to be written or has to vanish: no pixel is seen, or all are as before and after, and
    /// nothing was cleared.
    #[inline(always)]
    pub(crate) fn is_still(&self, was_cleared: bool) -> bool {
        let is_same = !was_cleared && are_equal(self.frame, self.before) && are_equal(self.frame, self.after);
        is_same || are_equal(self.frame, &[[0; 4]; PIECE][..self.frame.len()])
    }

    /// The pixels that have to be written, and those that have to vanish before the next frame, as bits.
    #[inline(always)]
    pub(crate) fn marks(&self) -> (u32, u32) {
        let (mut new, mut vanishing) = (0, 0);
        for (i, &pixel) in self.frame.iter().enumerate() {
            new |= u32::from(is_new(pixel, self.before[i], self.shown[i])) << i;
            vanishing |= u32::from((pixel[3] != 0) & (self.after[i][3] == 0)) << i;
        }
        (new, vanishing)
    }
}

/// Whether a pixel has to be written: it is seen, and it differs from the frame before or nothing is shown there.
#[inline(always)]
fn is_new(pixel: Pixel, before: Pixel, shown: Pixel) -> bool {
    let is_other = u32::from_ne_bytes(pixel) != u32::from_ne_bytes(before);
    (pixel[3] != 0) & (is_other | (shown[3] == 0))
}

/// Writes the pixels of a row that have to be written; the others are transparent. The row is that range of pixels.
pub(crate) fn fill_new(wanted: &mut [Pixel], moment: &Moment<'_>, shown: &Shown, range: Range<usize>) {
    let frame = &moment.frame[range.clone()];
    let Some(before) = moment.before else {
        wanted.copy_from_slice(frame);
        return;
    };
    let seen = shown.pixels.get(range.clone()).unwrap_or(frame);
    let others = before[range].iter().zip(seen);
    for ((wanted, &pixel), (&before, &shown)) in wanted.iter_mut().zip(frame).zip(others) {
        *wanted = if is_new(pixel, before, shown) { pixel } else { [0; 4] };
    }
}

/// Whether two pieces are equal. All pixels are compared, in vectors: a comparison that ends early takes one at a time.
fn are_equal(a: &[Pixel], b: &[Pixel]) -> bool {
    let differ = |(a, b): (&Pixel, &Pixel)| u32::from_ne_bytes(*a) ^ u32::from_ne_bytes(*b);
    a.iter().zip(b).map(differ).fold(0, |all, one| all | one) == 0
}
