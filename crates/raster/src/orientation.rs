//! The eight orientations of a stored picture (CIPA DC-008 §4.6.4, tag 0x0112).

use crate::{Rect, Size};

/// The operation that turns a stored picture upright. The numbers are those of EXIF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Orientation {
    /// As stored.
    #[default]
    Upright = 1,
    /// Mirror left and right.
    FlipHorizontal = 2,
    /// Turn by 180°.
    Rotate180 = 3,
    /// Mirror top and bottom.
    FlipVertical = 4,
    /// Mirror along the falling diagonal.
    Transpose = 5,
    /// Turn by 90° clockwise.
    Rotate90 = 6,
    /// Mirror along the rising diagonal.
    Transverse = 7,
    /// Turn by 270° clockwise.
    Rotate270 = 8,
}

impl Orientation {
    /// All eight, in EXIF's order.
    pub const ALL: [Self; 8] = [
        Self::Upright,
        Self::FlipHorizontal,
        Self::Rotate180,
        Self::FlipVertical,
        Self::Transpose,
        Self::Rotate90,
        Self::Transverse,
        Self::Rotate270,
    ];

    /// Returns the orientation with EXIF's number, or `None` for anything but 1 to 8.
    #[must_use]
    pub fn from_exif(value: u16) -> Option<Self> {
        let index = usize::from(value).checked_sub(1)?;
        Self::ALL.get(index).copied()
    }

    /// Returns EXIF's number, 1 to 8.
    #[must_use]
    pub const fn exif(self) -> u8 {
        self as u8
    }

    /// Whether width and height are exchanged.
    #[must_use]
    pub const fn swaps_sides(self) -> bool {
        self.exif() >= 5
    }

    /// Returns the upright size of a picture whose stored size is `size`; also its stored size from the upright one.
    #[must_use]
    pub const fn turn(self, size: Size) -> Size {
        if self.swaps_sides() { size.swapped() } else { size }
    }

    /// Returns the operation that has the effect of this one and then of `next`.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        let swaps = self.swaps_sides() != next.swaps_sides();
        let (x, y) = self.mirrors();
        let (x, y) = if next.swaps_sides() { (y, x) } else { (x, y) };
        let (next_x, next_y) = next.mirrors();
        let mirrors = (x != next_x, y != next_y);
        let is_same = |one: &Self| one.swaps_sides() == swaps && one.mirrors() == mirrors;
        Self::ALL.into_iter().find(is_same).unwrap_or_default()
    }

    /// Whether upright x runs against its axis in the stored picture, and whether upright y does.
    #[must_use]
    pub const fn mirrors(self) -> (bool, bool) {
        match self {
            Self::Upright | Self::Transpose => (false, false),
            Self::FlipHorizontal | Self::Rotate90 => (true, false),
            Self::FlipVertical | Self::Rotate270 => (false, true),
            Self::Rotate180 | Self::Transverse => (true, true),
        }
    }

    /// Returns the upright position of the stored pixel `(x, y)` of a picture of stored size `size`.
    #[must_use]
    pub const fn upright_position(self, (x, y): (u32, u32), size: Size) -> (u32, u32) {
        let turned = self.turn(size);
        let (x, y) = if self.swaps_sides() { (y, x) } else { (x, y) };
        let (mirror_x, mirror_y) = self.mirrors();
        (if mirror_x { turned.width - 1 - x } else { x }, if mirror_y { turned.height - 1 - y } else { y })
    }

    /// Returns the rectangle of the stored picture, of stored size `size`, that corresponds to `rect` of the upright
    /// picture.
    #[must_use]
    pub const fn stored_rect(self, rect: Rect, size: Size) -> Rect {
        let turned = self.turn(size);
        let (mirror_x, mirror_y) = self.mirrors();
        let x = if mirror_x { turned.width - rect.x - rect.width } else { rect.x };
        let y = if mirror_y { turned.height - rect.y - rect.height } else { rect.y };
        if self.swaps_sides() {
            Rect { x: y, y: x, width: rect.height, height: rect.width }
        } else {
            Rect { x, y, width: rect.width, height: rect.height }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each orientation of the stored picture `ab/cd/ef` (2 × 3), by EXIF's table of row and column 0.
    #[test]
    fn all_eight_turn_a_small_picture_by_the_table_of_exif() {
        let stored = Size::new(2, 3);
        let table = [
            (1, "ab cd ef"),
            (2, "ba dc fe"),
            (3, "fe dc ba"),
            (4, "ef cd ab"),
            (5, "ace bdf"),
            (6, "eca fdb"),
            (7, "fdb eca"),
            (8, "bdf ace"),
        ];
        for (number, want) in table {
            let orientation = Orientation::from_exif(number).unwrap();
            let turned = orientation.turn(stored);
            let mut grid = vec![vec!['?'; turned.width as usize]; turned.height as usize];
            for (i, letter) in "abcdef".chars().enumerate() {
                let (x, y) = orientation.upright_position((i as u32 % 2, i as u32 / 2), stored);
                grid[y as usize][x as usize] = letter;
            }
            let got: Vec<String> = grid.iter().map(|row| row.iter().collect()).collect();
            assert_eq!(got.join(" "), want, "orientation {number}");
        }
    }

    #[test]
    fn two_turns_after_each_other_are_one() {
        let stored = Size::new(2, 3);
        for first in Orientation::ALL {
            for next in Orientation::ALL {
                let both = first.then(next);
                assert_eq!(both.turn(stored), next.turn(first.turn(stored)), "{first:?} {next:?}");
                for position in [(0, 0), (1, 0), (0, 2)] {
                    let halfway = first.upright_position(position, stored);
                    let want = next.upright_position(halfway, first.turn(stored));
                    assert_eq!(both.upright_position(position, stored), want, "{first:?} {next:?}");
                }
            }
        }
    }

    #[test]
    fn a_stored_rectangle_contains_exactly_the_pixels_of_the_upright_one() {
        let stored = Size::new(7, 5);
        for orientation in Orientation::ALL {
            let turned = orientation.turn(stored);
            let rect = Rect { x: 1, y: 2, width: turned.width - 3, height: turned.height - 4 };
            let inside = orientation.stored_rect(rect, stored);
            for y in 0..stored.height {
                for x in 0..stored.width {
                    let (ux, uy) = orientation.upright_position((x, y), stored);
                    let in_upright =
                        (rect.x..rect.x + rect.width).contains(&ux) && (rect.y..rect.y + rect.height).contains(&uy);
                    let in_stored = (inside.x..inside.x + inside.width).contains(&x)
                        && (inside.y..inside.y + inside.height).contains(&y);
                    assert_eq!(in_upright, in_stored, "{orientation:?} at {x},{y}");
                }
            }
        }
    }
}
