//! The decoded samples of one component, as many rows as upsampling needs.

use raster::{Budget, Result, Size};

use super::frame::{Component, FrameHead};
use super::scale::Scale;
use super::sequential::Block;

/// The number of coefficients that begin the zigzag order and stand in the first four rows and columns.
const IN_FOUR: usize = 10;

/// The samples of two rows of MCUs: the last one and the one before it, in turn.
pub(super) struct Plane<S = u8> {
    samples: Vec<S>,
    /// The number of samples in a row, filled up to whole MCUs.
    stride: usize,
    /// The number of rows in an MCU.
    mcu_height: usize,
    /// The number of samples on each side of a block: 8, 4, 2 or 1; in lossless pictures 1.
    side: usize,
    /// The size of the component without the filling.
    pub(super) size: Size,
    /// The quantisation steps, row by row.
    pub(super) steps: Block,
}

impl<S: Copy> Plane<S> {
    /// Creates the plane of a component at a scale, filled with one sample.
    ///
    /// # Errors
    /// `Limit` when the budget is too small.
    pub(super) fn new(
        frame: &FrameHead,
        component: &Component,
        (scale, fill): (Scale, S),
        budget: &Budget,
    ) -> Result<Self> {
        let side = scale.block_side(frame, component) as usize;
        Ok(Self {
            samples: budget.filled(Self::samples(frame, component, scale), fill)?,
            stride: frame.blocks_across(component) as usize * side,
            mcu_height: usize::from(component.down) * side,
            side,
            size: scale.component_size(frame, component),
            steps: [0; 64],
        })
    }

    /// Returns the number of samples of a plane.
    pub(super) fn samples(frame: &FrameHead, component: &Component, scale: Scale) -> u64 {
        let side = u64::from(scale.block_side(frame, component));
        2 * side * side * u64::from(frame.blocks_across(component)) * u64::from(component.down)
    }

    /// Returns the first row of samples of row `y` of blocks in row `mcu_row` of MCUs.
    fn start(&self, mcu_row: u32, y: u32) -> usize {
        ((mcu_row % 2) as usize * self.mcu_height + y as usize * self.side) * self.stride
    }

    /// Writes the samples of the block at (`x`, `y`) in a row of MCUs.
    #[inline(always)]
    pub(super) fn write_rows<const SIDE: usize>(&mut self, mcu_row: u32, (x, y): (u32, u32), rows: &[[S; SIDE]]) {
        let start = self.start(mcu_row, y) + x as usize * SIDE;
        for (line, row) in self.samples[start..].chunks_mut(self.stride).zip(rows) {
            line[..SIDE].copy_from_slice(row);
        }
    }

    /// Returns row `y` of the component, or the nearest one that exists, without the filling.
    pub(super) fn row(&self, y: i64) -> &[S] {
        let y = y.clamp(0, i64::from(self.size.height) - 1) as usize;
        let start = y % (2 * self.mcu_height) * self.stride;
        &self.samples[start..start + self.size.width as usize]
    }
}

impl Plane<u8> {
    /// Writes the samples of the block at (`x`, `y`) in a row of MCUs. Coefficients behind number `last` in zigzag
    /// order are 0.
    #[inline(always)]
    pub(super) fn write(&mut self, mcu_row: u32, at: (u32, u32), block: &Block, last: usize) {
        match self.side {
            8 if last > 0 => {
                let start = self.start(mcu_row, at.1) + at.0 as usize * 8;
                let into = &mut self.samples[start..];
                if last < IN_FOUR {
                    simd::inverse_dct_of_few(block, &self.steps, into, self.stride);
                } else {
                    simd::inverse_dct(block, &self.steps, into, self.stride);
                }
            }
            4 if last > 0 => {
                let samples = simd::inverse_dct_4(block, &self.steps);
                self.write_rows::<4>(mcu_row, at, samples.as_chunks().0);
            }
            2 if last > 0 => {
                let samples = simd::inverse_dct_2(block, &self.steps);
                self.write_rows::<2>(mcu_row, at, samples.as_chunks().0);
            }
            _ => self.write_first(mcu_row, at, block[0]),
        }
    }

    /// Writes what each transform makes of a block that has only this first coefficient.
    #[inline(always)]
    pub(super) fn write_first(&mut self, mcu_row: u32, at: (u32, u32), first: i16) {
        let level = i32::from(first.wrapping_mul(self.steps[0]) << 2);
        self.write_flat(mcu_row, at, (((level + 16) >> 5).clamp(-128, 127) + 128) as u8);
    }

    /// Writes a grey block for one whose data are missing.
    pub(super) fn write_blank(&mut self, mcu_row: u32, at: (u32, u32)) {
        self.write_flat(mcu_row, at, 128);
    }

    #[inline(always)]
    fn write_flat(&mut self, mcu_row: u32, at: (u32, u32), sample: u8) {
        match self.side {
            8 => self.write_rows(mcu_row, at, &[[sample; 8]; 8]),
            4 => self.write_rows(mcu_row, at, &[[sample; 4]; 4]),
            2 => self.write_rows(mcu_row, at, &[[sample; 2]; 2]),
            _ => self.write_rows(mcu_row, at, &[[sample]]),
        }
    }

    /// Whether the first coefficient is the only one of a block that the samples depend on.
    pub(super) const fn needs_first_only(&self) -> bool {
        self.side == 1
    }
}

impl Plane<u16> {
    /// Returns the number in the component of row `y` of a row of MCUs of single samples.
    pub(super) const fn row_number(&self, mcu_row: u32, y: u32) -> u32 {
        mcu_row * self.mcu_height as u32 + y
    }

    /// Returns the sample that lies `left` columns and `above` rows before the one at (`x`, `y`) in a row of MCUs of
    /// single samples. It must exist.
    pub(super) fn sample(&self, mcu_row: u32, (x, y): (u32, u32), (left, above): (u32, u32)) -> u16 {
        let row = (self.row_number(mcu_row, y) - above) as usize % (2 * self.mcu_height);
        self.samples[row * self.stride + (x - left) as usize]
    }
}
