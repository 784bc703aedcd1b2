// Added to tiny-skia; see vendor/README.md.

use tiny_skia_path::Rect;

use crate::geom::ScreenIntRect;

/// The rows of a canvas that are stored.
///
/// Everything is computed in the coordinates of the whole canvas, so that the stored rows get the same bytes,
/// whichever other rows are stored. Drawing on other rows has no effect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rows {
    top: u32,
    bottom: u32,
}

impl Rows {
    /// Creates the rows from `top` to `bottom`, which is not among them.
    pub fn new(top: u32, bottom: u32) -> Self {
        Rows {
            top,
            bottom: bottom.max(top),
        }
    }

    /// Creates all rows of a canvas.
    pub fn all(height: u32) -> Self {
        Rows::new(0, height)
    }

    /// Returns the first row.
    pub fn top(&self) -> u32 {
        self.top
    }

    /// Returns the row after the last one.
    pub fn bottom(&self) -> u32 {
        self.bottom
    }

    /// Returns the number of rows.
    pub fn len(&self) -> u32 {
        self.bottom - self.top
    }

    /// Checks that there are no rows.
    pub fn is_empty(&self) -> bool {
        self.bottom == self.top
    }

    /// Checks that a row is stored.
    pub fn contains(&self, y: u32) -> bool {
        self.top <= y && y < self.bottom
    }

    /// Returns the rows from the first of both to the last of both.
    pub fn union(&self, other: &Rows) -> Self {
        Rows::new(self.top.min(other.top), self.bottom.max(other.bottom))
    }

    /// Returns these rows and `margin` more on each side, as rows of a canvas of `height` rows which begins at the
    /// row `y` of this canvas.
    pub fn of_part(&self, y: i32, height: u32, margin: u32) -> Self {
        let within = |row: i64| (row - i64::from(y)).clamp(0, i64::from(height)) as u32;
        Rows::new(
            within(i64::from(self.top) - i64::from(margin)),
            within(i64::from(self.bottom) + i64::from(margin)),
        )
    }

    /// Checks that nothing of a shape with these bounds, or of a thin line along it, is on these rows.
    pub fn miss(&self, bounds: Rect) -> bool {
        const LINE: f32 = 4.0;
        bounds.bottom() + LINE < self.top as f32 || bounds.top() - LINE > self.bottom as f32
    }

    /// Returns the part of a rectangle that is stored.
    pub(crate) fn clip(&self, rect: &ScreenIntRect) -> Option<ScreenIntRect> {
        let top = rect.top().max(self.top);
        let bottom = rect.bottom().min(self.bottom);
        ScreenIntRect::from_xywh(rect.x(), top, rect.width(), bottom.checked_sub(top)?)
    }
}
