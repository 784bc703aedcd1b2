//! Placement of a frame on the canvas, and its removal afterwards.

use raster::{Rect, Size};

/// What happens to a frame's region at the end of the frame's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disposal {
    /// The frame stays.
    Keep,
    /// The region becomes transparent black.
    Clear,
    /// The region shows its earlier content again.
    Restore,
}

/// How a frame is combined with the content of its region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blending {
    /// The frame's pixels replace the canvas's.
    Replace,
    /// The frame is composited over the canvas by its alpha.
    Over,
}

/// The region of a frame, and how it is drawn and removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The part of the canvas that the frame covers. It is not empty and lies within the canvas.
    pub region: Rect,
    /// What happens to the region afterwards.
    pub disposal: Disposal,
    /// How the frame is combined with the canvas.
    pub blending: Blending,
}

/// Whether a frame shows canvas that no frame has covered, which is transparent black: the first frame does not cover
/// the canvas, or a region is cleared before a later frame.
pub fn shows_background<'a>(placements: impl IntoIterator<Item = &'a Placement>, canvas: Size) -> bool {
    let mut placements = placements.into_iter().peekable();
    if placements.peek().is_some_and(|first| first.region != Rect::whole(canvas)) {
        return true;
    }
    let mut is_first = true;
    while let Some(placement) = placements.next() {
        let has_later_frame = placements.peek().is_some();
        // The canvas was empty before the first frame, therefore restoring it means clearing.
        let clears = match placement.disposal {
            Disposal::Keep => false,
            Disposal::Clear => true,
            Disposal::Restore => is_first,
        };
        if clears && has_later_frame {
            return true;
        }
        is_first = false;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn background_is_visible_outside_the_first_frame_and_after_a_frame_is_cleared() {
        let canvas = Size::new(4, 4);
        let place = |region, disposal| Placement { region, disposal, blending: Blending::Replace };
        let whole = |disposal| place(Rect::whole(canvas), disposal);
        let part = place(Rect { x: 0, y: 0, width: 4, height: 3 }, Disposal::Keep);
        let table: [(&[Placement], bool); 7] = [
            (&[], false),
            (&[part], true),
            (&[whole(Disposal::Keep), part], false),
            (&[whole(Disposal::Clear)], false),
            (&[whole(Disposal::Clear), part], true),
            (&[whole(Disposal::Restore), part], true),
            (&[whole(Disposal::Keep), whole(Disposal::Restore), part], false),
        ];
        for (placements, want) in table {
            assert_eq!(shows_background(placements, canvas), want, "{placements:?}");
        }
    }
}
