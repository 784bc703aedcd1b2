//! The coefficients of progressive pictures, which come in several scans, and of 12-bit ones: as many rows of MCUs as
//! are needed at once.

use raster::{Budget, Result};

use super::frame::{Component, FrameHead};
use super::part::Part;
use super::plane::Plane;
use super::progressive::{self, State};
use super::sample::Sample;
use super::scan::{Blocks, Place};
use super::scan_head::Pass;
use super::sequential::{self, Block};
use super::smooth::{self, Known, Window};

/// The coefficients of one component.
pub(super) struct Coefficients {
    /// The blocks of the rows of MCUs that are held, in turn.
    blocks: Vec<Block>,
    /// The number of blocks in a row.
    across: u32,
    /// The number of rows of blocks in an MCU, and in all rows of MCUs that are held.
    down: u32,
    held: u32,
    /// The number of blocks of the component, across and down, without those that only fill MCUs.
    size: (u32, u32),
}

impl Coefficients {
    /// Creates the coefficients of `mcu_rows` rows of MCUs of a component.
    ///
    /// # Errors
    /// `Limit` when the budget is too small.
    pub(super) fn new(frame: &FrameHead, component: &Component, mcu_rows: u32, budget: &Budget) -> Result<Self> {
        let size = frame.component_size(component);
        Ok(Self {
            blocks: budget.filled(Self::count(frame, component) * u64::from(mcu_rows), [0; 64])?,
            across: frame.blocks_across(component),
            down: component.down.into(),
            held: u32::from(component.down) * mcu_rows,
            size: (size.width.div_ceil(8), size.height.div_ceil(8)),
        })
    }

    /// Returns the number of blocks in a row of MCUs.
    pub(super) fn count(frame: &FrameHead, component: &Component) -> u64 {
        u64::from(frame.blocks_across(component)) * u64::from(component.down)
    }

    /// Returns row `y` of the component's blocks, which must be held.
    fn row(&self, y: u32) -> &[Block] {
        let start = (y % self.held * self.across) as usize;
        &self.blocks[start..start + self.across as usize]
    }

    /// Returns the block at `at` in a row of MCUs.
    #[inline(always)]
    fn block(&mut self, mcu_row: u32, at: (u32, u32)) -> &mut Block {
        let y = (mcu_row * self.down + at.1) % self.held;
        &mut self.blocks[(y * self.across + at.0) as usize]
    }

    /// Sets the coefficients of a row of MCUs to 0.
    pub(super) fn clear(&mut self, mcu_row: u32) {
        let len = (self.down * self.across) as usize;
        let start = (mcu_row * self.down % self.held * self.across) as usize;
        self.blocks[start..start + len].fill([0; 64]);
    }

    /// Returns the blocks of a row of MCUs, row by row, without those that only fill MCUs.
    pub(super) fn blocks(&self, mcu_row: u32) -> impl Iterator<Item = &Block> {
        let (across, down) = self.size;
        let first = mcu_row * self.down;
        (first..(first + self.down).min(down)).flat_map(move |y| &self.row(y)[..across as usize])
    }

    /// Transforms a row of MCUs to samples.
    pub(super) fn transform<S: Sample>(&self, mcu_row: u32, plane: &mut Plane<S>) {
        for y in 0..self.down {
            for (x, block) in (0..).zip(self.row(mcu_row * self.down + y)) {
                S::write_block(plane, mcu_row, (x, y), block);
            }
        }
    }

    /// Transforms a row of MCUs to samples and estimates coefficients that are not known yet.
    pub(super) fn transform_smoothly<S: Sample>(&self, mcu_row: u32, known: &Known, plane: &mut Plane<S>) {
        let (width, height) = self.size;
        let first = mcu_row * self.down;
        for y in 0..self.down.min(height.saturating_sub(first)) {
            let rows = smooth::rows(first + y, self.down, height).map(|row| self.row(row));
            let mut window = Window::default();
            for x in 0..width {
                window.advance(&rows, x, width);
                let mut block = rows[2][x as usize];
                smooth::estimate(&mut block, &window, &plane.steps, known);
                S::write_block(plane, mcu_row, (x, y), &block);
            }
        }
    }
}

/// Blocks of scans that change the coefficients.
pub(super) struct ToCoefficients<'a> {
    pub(super) coefficients: &'a mut [Coefficients],
    pub(super) pass: Pass,
    pub(super) mcu_row: u32,
}

impl Blocks for ToCoefficients<'_> {
    #[inline(always)]
    fn read(&mut self, part: &mut Part, state: &mut State<'_>, place: Place) {
        let block = self.coefficients[place.component].block(self.mcu_row, place.at);
        if let Some(arithmetic) = &mut state.arithmetic {
            arithmetic.read(&mut state.bits, part, self.pass, block);
            return;
        }
        match (self.pass, &part.dc, &part.ac) {
            (Pass::Sequential, Some(dc), Some(ac)) => {
                sequential::read_block(&mut state.bits, dc, ac, &mut part.predictor, block);
            }
            (Pass::DcFirst { low }, Some(dc), _) => {
                progressive::read_dc(&mut state.bits, dc, &mut part.predictor, low, block);
            }
            (Pass::DcRefinement { low }, ..) => progressive::refine_dc(&mut state.bits, low, block),
            (Pass::AcFirst { band, low }, _, Some(ac)) => progressive::read_band(state, ac, band, low, block),
            (Pass::AcRefinement { band, low }, _, Some(ac)) => progressive::refine_band(state, ac, band, low, block),
            _ => {}
        }
    }

    fn skip(&mut self, _: Place) {}
}
