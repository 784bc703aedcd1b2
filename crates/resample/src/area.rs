//! The part of a source that is resampled.

use core::ops::Range;

use raster::{Rect, Size};

/// The part of a source that becomes the target. Its edges can lie between pixels: a JPEG that is decoded at an eighth
/// of its size ends within its last pixel, and a crop can begin within a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// The part, measured in fractions of a pixel.
    pub rect: Rect,
    /// The number of fractions in a pixel.
    pub per_pixel: u32,
}

impl Area {
    /// Returns the area of a whole source of this size.
    #[must_use]
    pub const fn whole(size: Size) -> Self {
        Self { rect: Rect::whole(size), per_pixel: 1 }
    }

    /// Returns the area along the rows of a source with this number of columns.
    pub(crate) fn across(self, pixels: u32) -> Extent {
        Extent::new(pixels, self.rect.x, self.rect.width, self.per_pixel)
    }

    /// Returns the area along the columns of a source with this number of rows.
    pub(crate) fn down(self, pixels: u32) -> Extent {
        Extent::new(pixels, self.rect.y, self.rect.height, self.per_pixel)
    }
}

/// A window along one axis: a part of the target pixels, and the source pixels that they depend on.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) from: Range<u32>,
    pub(crate) to: Range<u32>,
}

/// An area along one axis, in fractions of a source pixel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// The number of source pixels.
    pub(crate) pixels: i64,
    pub(crate) start: i64,
    pub(crate) length: i64,
    pub(crate) per_pixel: i64,
}

impl Extent {
    fn new(pixels: u32, start: u32, length: u32, per_pixel: u32) -> Self {
        let per_pixel = per_pixel.into();
        Self { pixels: pixels.into(), start: start.into(), length: length.into(), per_pixel }
    }

    /// Returns the fraction of pixel `i` that lies in the area.
    pub(crate) fn coverage(&self, i: i64) -> f64 {
        let (start, end) = (i * self.per_pixel, (i + 1) * self.per_pixel);
        let inside = end.min(self.start + self.length) - start.max(self.start);
        inside as f64 / self.per_pixel as f64
    }

    /// Whether `to` target pixels are the source pixels.
    pub(crate) fn is_unchanged(&self, to: u32) -> bool {
        self.start == 0 && self.pixels == i64::from(to) && self.length == i64::from(to) * self.per_pixel
    }

    /// Whether `to` target pixels are fewer than the source pixels of the area.
    pub(crate) fn is_more_than(&self, to: u32) -> bool {
        self.length > i64::from(to) * self.per_pixel
    }
}
