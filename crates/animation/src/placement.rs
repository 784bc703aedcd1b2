//! Where and how a frame is drawn on the canvas, and what happens to it afterwards.

use raster::{Rect, Size};

/// What happens to a frame's region when its time is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disposal {
    /// The frame stays.
    Keep,
    /// The region becomes transparent black.
    Clear,
    /// The region shows again what it showed before the frame.
    Restore,
}

/// How a frame is combined with what its region shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blending {
    /// The frame's pixels replace the canvas's.
    Replace,
    /// The frame is laid over the canvas by its alpha.
    Over,
}

/// Where and how a frame is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The part of the canvas that the frame covers. Neither empty nor beyond the canvas.
    pub region: Rect,
    /// What happens to it afterwards.
    pub disposal: Disposal,
    /// How it is combined with the canvas.
    pub blending: Blending,
}

/// Whether one of the frames shows canvas that no frame has covered, which is transparent black: the first frame does
/// not cover the canvas, or a region is cleared before a later frame.
pub fn shows_background<'a>(placements: impl IntoIterator<Item = &'a Placement>, canvas: Size) -> bool {
    let mut placements = placements.into_iter().peekable();
    if placements.peek().is_some_and(|first| first.region != Rect::whole(canvas)) {
        return true;
    }
    let mut is_first = true;
    while let Some(placement) = placements.next() {
        let has_later_frame = placements.peek().is_some();
        // Before the first frame the canvas was empty, so to restore is to clear.
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
    fn background_shows_beside_the_first_frame_and_where_a_frame_is_cleared_before_another() {
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
