//! Decoding at a half, a quarter or an eighth of the size, as libjpeg does it: the inverse transform of a block gives
//! fewer samples. Components with fewer samples than others get larger blocks, so that they need less upsampling.

use raster::{Size, Wanted};

use super::frame::{Component, FrameHead};

/// A fraction of the full size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scale {
    /// The number of samples on each side of a block, in the components with the most samples: 8, 4, 2 or 1.
    side: u32,
    /// That number at the full size: 8, and 1 for lossless pictures.
    full: u32,
}

impl Scale {
    /// Returns the full size.
    pub(crate) fn full(frame: &FrameHead) -> Self {
        Self { side: frame.unit(), full: frame.unit() }
    }

    /// Returns the smallest scale of a picture that is large enough. Only pictures of 8 bits are scaled.
    pub(super) fn for_wanted(wanted: &Wanted, frame: &FrameHead) -> Self {
        let Some(wanted) = wanted.size.filter(|_| !frame.is_wide()) else { return Self::full(frame) };
        let is_enough = |size: Size| size.width >= wanted.width && size.height >= wanted.height;
        let mut scales = [1, 2, 4].into_iter().map(|side| Self { side, full: 8 });
        scales.find(|scale| is_enough(scale.size(frame.size))).unwrap_or(Self::full(frame))
    }

    /// Returns the number of columns, and of rows, of the full size that one of this size covers.
    pub(super) const fn reduction(self) -> u32 {
        self.full / self.side
    }

    /// Returns the size of a picture of size `full` at this scale.
    pub(super) const fn size(self, full: Size) -> Size {
        Size::new(full.width.div_ceil(self.reduction()), full.height.div_ceil(self.reduction()))
    }

    /// Returns the number of rows of the picture in a row of MCUs.
    pub(super) fn mcu_height(self, frame: &FrameHead) -> u32 {
        self.side * u32::from(frame.most().1)
    }

    /// Returns the number of samples on each side of a component's blocks (`jpeg_calc_output_dimensions` in libjpeg).
    pub(super) fn block_side(self, frame: &FrameHead, component: &Component) -> u32 {
        let (across, down) = frame.most();
        let is_shared =
            |most: u8, factor: u8, side: u32| (u32::from(most) * self.side).is_multiple_of(u32::from(factor) * side);
        let mut side = self.side;
        while side < self.full
            && is_shared(across, component.across, 2 * side)
            && is_shared(down, component.down, 2 * side)
        {
            side *= 2;
        }
        side
    }

    /// Returns the factors of a component, across and down, after its blocks were chosen. They are to be compared with
    /// those of [`FrameHead::most`].
    pub(super) fn factors(self, frame: &FrameHead, component: &Component) -> (u8, u8) {
        let gain = (self.block_side(frame, component) / self.side) as u8;
        (component.across * gain, component.down * gain)
    }

    /// Returns the size of a component in samples.
    pub(super) fn component_size(self, frame: &FrameHead, component: &Component) -> Size {
        let (across, down) = frame.most();
        let side = self.block_side(frame, component);
        let part =
            |full: u32, factor: u8, most: u8| (full * u32::from(factor) * side).div_ceil(self.full * u32::from(most));
        let Size { width, height } = frame.size;
        Size::new(part(width, component.across, across), part(height, component.down, down))
    }

    /// Whether interpolation is used for components with fewer samples. At an eighth, and in lossless pictures, libjpeg
    /// repeats them.
    pub(super) const fn is_smooth(self) -> bool {
        self.side > 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_scale_that_is_large_enough_is_chosen() {
        // SOF0, 8 bits, 80 rows of 1001 columns, one component.
        let frame = FrameHead::parse(0xC0, &[8, 0, 80, 3, 233, 1, 1, 0x11, 0]).unwrap();
        let reduction = |width, height| {
            let wanted = Wanted { size: Some(Size::new(width, height)) };
            Scale::for_wanted(&wanted, &frame).reduction()
        };
        assert_eq!([reduction(126, 10), reduction(127, 10), reduction(126, 11), reduction(251, 20)], [8, 4, 4, 4]);
        assert_eq!([reduction(252, 1), reduction(501, 40), reduction(502, 40), reduction(9000, 9000)], [2, 2, 1, 1]);
        assert_eq!(Scale::for_wanted(&Wanted::FULL_SIZE, &frame), Scale::full(&frame));
        assert_eq!(Scale { side: 1, full: 8 }.size(frame.size), Size::new(126, 10));
    }
}
