//! The part of a frame that differs from the previous frame.

use raster::{Budget, PixelFormat, Rect, Result, Size};

/// The frame that was written last, and the current frame, which is set row by row.
pub struct FramePair {
    size: Size,
    pixels: PixelFormat,
    previous: Vec<u8>,
    current: Vec<u8>,
}

impl FramePair {
    /// Creates two blank frames.
    ///
    /// # Errors
    /// `Limit` when the budget is too small for both.
    pub fn new(size: Size, pixels: PixelFormat, budget: &Budget) -> Result<Self> {
        let bytes = pixels.row_bytes(size.width).saturating_mul(size.height.into());
        Ok(Self { size, pixels, previous: budget.filled(bytes, 0)?, current: budget.filled(bytes, 0)? })
    }

    /// Sets row `y` of the current frame.
    pub fn set_row(&mut self, y: u32, row: &[u8]) {
        let start = y as usize * self.row_bytes();
        self.current[start..start + row.len()].copy_from_slice(row);
    }

    /// Returns the smallest rectangle that contains all differences from the previous frame, or one pixel when there
    /// are none.
    #[must_use]
    pub fn difference(&self) -> Rect {
        let rows = || self.previous.chunks_exact(self.row_bytes()).zip(self.current.chunks_exact(self.row_bytes()));
        let differ = |(previous, current): (&[u8], &[u8])| previous != current;
        let Some(top) = rows().position(differ) else { return Rect { x: 0, y: 0, width: 1, height: 1 } };
        let bottom = rows().rposition(differ).unwrap_or(top);
        // The first and the last byte that differ in any row.
        let (mut left, mut right) = (self.row_bytes(), 0);
        for (previous, current) in rows().skip(top).take(bottom + 1 - top) {
            let pairs = || previous.iter().zip(current);
            left = pairs().take(left).position(|(a, b)| a != b).unwrap_or(left);
            right = pairs().rposition(|(a, b)| a != b).unwrap_or(right).max(right);
        }
        let pixel = self.pixels.bytes();
        let (left, right) = (left / pixel, right / pixel);
        Rect { x: left as u32, y: top as u32, width: (right + 1 - left) as u32, height: (bottom + 1 - top) as u32 }
    }

    /// Returns row `y` of a region of the current frame.
    #[must_use]
    pub fn row(&self, region: &Rect, y: u32) -> &[u8] {
        let pixel = self.pixels.bytes();
        let start = (region.y + y) as usize * self.row_bytes() + region.x as usize * pixel;
        &self.current[start..start + region.width as usize * pixel]
    }

    /// Makes the current frame the previous one. Afterwards all rows of the next frame must be set.
    pub const fn advance(&mut self) {
        core::mem::swap(&mut self.previous, &mut self.current);
    }

    const fn row_bytes(&self) -> usize {
        self.pixels.row_bytes(self.size.width) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::Limits;
    use testkit::generate::Lcg;

    /// The slow reference implementation, which compares every pixel.
    fn slow_difference(size: Size, pixel: usize, a: &[u8], b: &[u8]) -> Rect {
        let places = (0..size.height).flat_map(|y| (0..size.width).map(move |x| (x, y)));
        let pixels = a.chunks(pixel).zip(b.chunks(pixel));
        let changed: Vec<(u32, u32)> = places.zip(pixels).filter(|(_, (a, b))| a != b).map(|(at, _)| at).collect();
        if changed.is_empty() {
            return Rect { x: 0, y: 0, width: 1, height: 1 };
        }
        let x = changed.iter().map(|at| at.0).min().unwrap();
        let y = changed.iter().map(|at| at.1).min().unwrap();
        let right = changed.iter().map(|at| at.0).max().unwrap();
        let bottom = changed.iter().map(|at| at.1).max().unwrap();
        Rect { x, y, width: right + 1 - x, height: bottom + 1 - y }
    }

    #[test]
    fn the_difference_equals_the_slow_reference() {
        let (size, pixels) = (Size::new(9, 6), PixelFormat::RGB8);
        let row_bytes = pixels.row_bytes(size.width) as usize;
        let mut random = Lcg::new(3);
        let mut pair = FramePair::new(size, pixels, &Budget::new(&Limits::default())).unwrap();
        let mut previous = vec![0; row_bytes * size.height as usize];
        for changes in (0..4).cycle().take(200) {
            let mut frame = previous.clone();
            for _ in 0..changes {
                let at = usize::from(random.next_byte()) % frame.len();
                frame[at] ^= random.next_byte();
            }
            frame.chunks(row_bytes).zip(0..).for_each(|(row, y)| pair.set_row(y, row));
            let region = pair.difference();
            assert_eq!(region, slow_difference(size, 3, &previous, &frame));
            for y in 0..region.height {
                let start = (region.y + y) as usize * row_bytes + region.x as usize * 3;
                assert_eq!(pair.row(&region, y), &frame[start..start + region.width as usize * 3]);
            }
            pair.advance();
            previous = frame;
        }
    }
}
