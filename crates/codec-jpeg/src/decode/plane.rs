//! The decoded samples of one component, as many rows as upsampling needs.

use raster::{Budget, Result, Size};

use super::frame::{Component, FrameHead};
use super::sequential::Block;

/// The samples of two rows of MCUs: the last one and the one before it, in turn.
pub(super) struct Plane {
    samples: Vec<u8>,
    /// The number of samples in a row, filled up to whole MCUs.
    stride: usize,
    /// The number of rows in an MCU.
    mcu_height: usize,
    /// The size of the component without the filling.
    pub(super) size: Size,
    /// The quantisation steps, row by row.
    pub(super) steps: Block,
}

impl Plane {
    /// Creates the plane of a component.
    ///
    /// # Errors
    /// `Limit` when the budget is too small.
    pub(super) fn new(frame: &FrameHead, component: &Component, budget: &Budget) -> Result<Self> {
        Ok(Self {
            samples: budget.filled(Self::memory(frame, component), 128)?,
            stride: frame.blocks_across(component) as usize * 8,
            mcu_height: usize::from(component.down) * 8,
            size: frame.component_size(component),
            steps: [0; 64],
        })
    }

    /// Returns the number of bytes of a plane.
    pub(super) fn memory(frame: &FrameHead, component: &Component) -> u64 {
        2 * 64 * u64::from(frame.blocks_across(component)) * u64::from(component.down)
    }

    /// Returns the first row of samples of row `y` of blocks in row `mcu_row` of MCUs.
    fn start(&self, mcu_row: u32, y: u32) -> usize {
        ((mcu_row % 2) as usize * self.mcu_height + y as usize * 8) * self.stride
    }

    /// Writes the samples of the block at (`x`, `y`) in a row of MCUs. `has_ac` states whether any coefficient beside
    /// the first can differ from 0.
    #[inline(always)]
    pub(super) fn write(&mut self, mcu_row: u32, at: (u32, u32), block: &Block, has_ac: bool) {
        if has_ac {
            let samples = simd::inverse_dct(block, &self.steps);
            self.write_rows(mcu_row, at, samples.as_chunks().0);
        } else {
            // What the transform makes of such a block.
            let level = i32::from(block[0].wrapping_mul(self.steps[0]) << 2);
            let sample = ((level + 16) >> 5).clamp(-128, 127) + 128;
            self.write_rows(mcu_row, at, &[[sample as u8; 8]; 8]);
        }
    }

    /// Writes a grey block for one whose data are missing.
    pub(super) fn write_blank(&mut self, mcu_row: u32, at: (u32, u32)) {
        self.write_rows(mcu_row, at, &[[128; 8]; 8]);
    }

    #[inline(always)]
    fn write_rows(&mut self, mcu_row: u32, (x, y): (u32, u32), rows: &[[u8; 8]]) {
        let start = self.start(mcu_row, y) + x as usize * 8;
        for (line, row) in self.samples[start..].chunks_mut(self.stride).zip(rows) {
            line[..8].copy_from_slice(row);
        }
    }

    /// Returns row `y` of the component, or the nearest one that exists, without the filling.
    pub(super) fn row(&self, y: i64) -> &[u8] {
        let y = y.clamp(0, i64::from(self.size.height) - 1) as usize;
        let start = y % (2 * self.mcu_height) * self.stride;
        &self.samples[start..start + self.size.width as usize]
    }
}
