//! The coefficients of progressive pictures, which come in several scans, and of 12-bit ones: as many rows of MCUs as
//! are needed at once.

use raster::{Budget, Result};

use super::frame::{Component, FrameHead};
use super::part::Part;
use super::plane::Plane;
use super::progressive::{self, Marked, State};
use super::sample::Sample;
use super::scan::{Blocks, Place, Scan};
use super::scan_head::Pass;
use super::sequential::{self, Block};
use super::smooth::{self, Known, Window};

/// The coefficients of one component.
pub(super) struct Coefficients {
    /// The blocks of the rows of MCUs that are held, in turn.
    blocks: Vec<Block>,
    /// Which coefficients of each block can differ from 0, in zigzag order from the lowest bit on. Those behind the
    /// first one that Huffman codes of progressive scans set are known exactly.
    nonzero: Vec<u64>,
    /// The number of blocks in a row.
    across: u32,
    /// The number of rows of blocks in an MCU, and in all rows of MCUs that are held.
    down: u32,
    held: u32,
    /// The number of blocks of the component, across and down, without those that only fill MCUs.
    size: (u32, u32),
}

impl Coefficients {
    /// The bytes that are held for each block.
    pub(super) const BLOCK_MEMORY: u64 = (size_of::<Block>() + size_of::<u64>()) as u64;

    /// Creates the coefficients of `mcu_rows` rows of MCUs of a component.
    ///
    /// # Errors
    /// `Limit` when the budget is too small.
    pub(super) fn new(frame: &FrameHead, component: &Component, mcu_rows: u32, budget: &Budget) -> Result<Self> {
        let size = frame.component_size(component);
        let blocks = Self::count(frame, component) * u64::from(mcu_rows);
        Ok(Self {
            blocks: budget.filled(blocks, [0; 64])?,
            nonzero: budget.filled(blocks, 0)?,
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

    /// Returns the number of the first block of a row of MCUs among those that are held.
    const fn first(&self, mcu_row: u32) -> usize {
        (mcu_row * self.down % self.held * self.across) as usize
    }

    /// Returns the block at `at` in the row of MCUs that begins with block number `first`.
    #[inline(always)]
    fn block(&mut self, first: usize, at: (u32, u32)) -> Marked<'_> {
        let number = first + (at.1 * self.across + at.0) as usize;
        Marked { block: &mut self.blocks[number], nonzero: &mut self.nonzero[number] }
    }

    /// Sets the coefficients of a row of MCUs to 0.
    pub(super) fn clear(&mut self, mcu_row: u32) {
        let len = (self.down * self.across) as usize;
        let start = self.first(mcu_row);
        self.blocks[start..start + len].fill([0; 64]);
        self.nonzero[start..start + len].fill(0);
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
            let row = mcu_row * self.down + y;
            let first = self.first(mcu_row) + (y * self.across) as usize;
            for ((x, block), nonzero) in (0..).zip(self.row(row)).zip(&self.nonzero[first..]) {
                S::write_block(plane, mcu_row, (x, y), block, (nonzero | 1).ilog2() as usize);
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
                S::write_block(plane, mcu_row, (x, y), &block, 63);
            }
        }
    }
}

/// Reads the blocks of a scan in row `mcu_row` of MCUs of the frame. Returns whether there are data for any.
///
/// Each kind of scan has a loop of its own, because the variables of all of them would not fit into registers.
///
/// # Errors
/// `Io`.
pub(super) fn read_row(scan: &mut Scan<'_>, mcu_row: u32, coefficients: &mut [Coefficients]) -> Result<bool> {
    let pass = scan.pass;
    if scan.is_arithmetic() {
        return read_blocks(scan, mcu_row, coefficients, |part, state, into| {
            if let Some(arithmetic) = &mut state.arithmetic {
                arithmetic.read(&mut state.bits, part, pass, into.block);
                *into.nonzero = u64::MAX;
            }
        });
    }
    match pass {
        Pass::Sequential => read_blocks(scan, mcu_row, coefficients, |part, state, into| {
            if let (Some(dc), Some(ac)) = (&part.dc, &part.ac) {
                let last = sequential::read_block(&mut state.bits, dc, ac, &mut part.predictor, into.block);
                *into.nonzero = u64::MAX >> (63 - last);
            }
        }),
        Pass::DcFirst { low } => read_blocks(scan, mcu_row, coefficients, |part, state, into| {
            if let Some(dc) = &part.dc {
                progressive::read_dc(&mut state.bits, dc, &mut part.predictor, low, into.block);
            }
        }),
        Pass::DcRefinement { low } => read_blocks(scan, mcu_row, coefficients, |_, state, into| {
            progressive::refine_dc(&mut state.bits, low, into.block);
        }),
        Pass::AcFirst { band, low } => read_blocks(scan, mcu_row, coefficients, |part, state, into| {
            if let Some(ac) = &part.ac {
                progressive::read_band(state, ac, band, low, into);
            }
        }),
        Pass::AcRefinement { band, low } => read_blocks(scan, mcu_row, coefficients, |part, state, into| {
            if let Some(ac) = &part.ac {
                progressive::refine_band(state, ac, band, low, into);
            }
        }),
        Pass::Lossless { .. } => Ok(false),
    }
}

#[inline(never)]
fn read_blocks(
    scan: &mut Scan<'_>,
    mcu_row: u32,
    coefficients: &mut [Coefficients],
    read: impl FnMut(&mut Part, &mut State<'_>, Marked<'_>),
) -> Result<bool> {
    let mut first = [0; 4];
    first.iter_mut().zip(&*coefficients).for_each(|(first, component)| *first = component.first(mcu_row));
    scan.read_row(mcu_row, &mut ToCoefficients { coefficients, first, read })
}

/// The blocks of a row of MCUs, which `read` changes.
struct ToCoefficients<'a, Read> {
    coefficients: &'a mut [Coefficients],
    /// The number of each component's first block in the row.
    first: [usize; 4],
    read: Read,
}

impl<Read: FnMut(&mut Part, &mut State<'_>, Marked<'_>)> Blocks for ToCoefficients<'_, Read> {
    #[inline(always)]
    fn read(&mut self, part: &mut Part, state: &mut State<'_>, place: Place) {
        let into = self.coefficients[place.component].block(self.first[place.component & 3], place.at);
        (self.read)(part, state, into);
    }

    fn skip(&mut self, _: Place) {}
}
