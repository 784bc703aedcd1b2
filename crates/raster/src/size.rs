//! Sizes and rectangles in whole pixels.

use core::fmt;

/// A width and a height in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// The number of pixels in a row.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
}

impl Size {
    /// Creates a size of `width` × `height` pixels; either may be 0.
    #[must_use]
    pub const fn new(width: u32, height: u32) -> Self {
        Self { width, height }
    }

    /// Returns the number of pixels; it cannot overflow.
    #[must_use]
    pub const fn area(self) -> u64 {
        self.width as u64 * self.height as u64
    }

    /// Whether there is no pixel.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.width == 0 || self.height == 0
    }

    /// Returns the size with width and height exchanged.
    #[must_use]
    pub const fn swapped(self) -> Self {
        Self::new(self.height, self.width)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} × {}", self.width, self.height)
    }
}

/// A rectangle of whole pixels; `x` counts to the right and `y` downwards from the top left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rect {
    /// The first column.
    pub x: u32,
    /// The first row.
    pub y: u32,
    /// The number of columns.
    pub width: u32,
    /// The number of rows.
    pub height: u32,
}

impl Rect {
    /// Returns the rectangle of a whole picture of that size.
    #[must_use]
    pub const fn whole(size: Size) -> Self {
        Self { x: 0, y: 0, width: size.width, height: size.height }
    }

    /// Returns the rectangle's own size.
    #[must_use]
    pub const fn size(self) -> Size {
        Size::new(self.width, self.height)
    }

    /// Returns the smallest rectangle that contains both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let (right, bottom) = (|r: Self| r.x + r.width, |r: Self| r.y + r.height);
        let (width, height) = (right(self).max(right(other)) - x, bottom(self).max(bottom(other)) - y);
        Self { x, y, width, height }
    }

    /// Whether it is not empty and lies inside a picture of that size.
    #[must_use]
    pub const fn lies_in(self, size: Size) -> bool {
        !self.size().is_empty()
            && self.x as u64 + self.width as u64 <= size.width as u64
            && self.y as u64 + self.height as u64 <= size.height as u64
    }
}
