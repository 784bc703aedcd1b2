//! The positions of the pixels of Adam7's seven passes (PNG §8.2).

use raster::Size;

/// One pass, which contains the pixels `(x0 + i·dx, y0 + j·dy)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pass {
    /// The first column. Unless it is 0, the pixel `x0` columns to the left belongs to an earlier pass.
    pub(crate) x0: u32,
    /// The first row.
    pub(crate) y0: u32,
    /// The distance of two pixels in columns.
    pub(crate) dx: u32,
    /// The distance of two lines in rows.
    pub(crate) dy: u32,
}

const fn pass(x0: u32, y0: u32, dx: u32, dy: u32) -> Pass {
    Pass { x0, y0, dx, dy }
}

impl Pass {
    /// All passes, in the order of the file.
    pub(crate) const ALL: [Self; 7] = [
        pass(0, 0, 8, 8),
        pass(4, 0, 8, 8),
        pass(0, 4, 4, 8),
        pass(2, 0, 4, 4),
        pass(0, 2, 2, 4),
        pass(1, 0, 2, 2),
        pass(0, 1, 1, 2),
    ];

    /// Returns the number of this pass's columns and rows in a picture of that size; either may be 0, and then the file
    /// contains nothing of the pass.
    pub(crate) const fn size(self, picture: Size) -> Size {
        Size::new(
            picture.width.saturating_sub(self.x0).div_ceil(self.dx),
            picture.height.saturating_sub(self.y0).div_ceil(self.dy),
        )
    }

    /// Whether the pass has pixels in row `y`.
    pub(crate) const fn meets(self, y: u32) -> bool {
        y % self.dy == self.y0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pixel_of_every_small_picture_is_in_exactly_one_pass() {
        for (width, height) in (1..20).flat_map(|w| (1..20).map(move |h| (w, h))) {
            let size = Size::new(width, height);
            let mut hits = vec![0; (width * height) as usize];
            for pass in Pass::ALL {
                let part = pass.size(size);
                for (i, j) in (0..part.width).flat_map(|i| (0..part.height).map(move |j| (i, j))) {
                    let (x, y) = (pass.x0 + i * pass.dx, pass.y0 + j * pass.dy);
                    assert!(pass.meets(y));
                    hits[(y * width + x) as usize] += 1;
                }
            }
            assert!(hits.iter().all(|&n| n == 1), "{size}");
        }
    }
}
