//! Conversion of pixels to the samples of each component, a row of MCUs at a time: colour conversion, subsampling, and
//! padding of blocks beyond the picture's edges. All of it rounds as libjpeg does.

use raster::{Budget, Result, Size};

/// The number of samples on a block's side.
const SIDE: usize = 8;

/// The blocks of a component.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// The number of blocks of an MCU, across and down.
    pub(super) factors: (usize, usize),
    /// The number of blocks that contain a part of the picture, across and down.
    pub(super) blocks: (usize, usize),
}

/// One component: its samples in the current row of MCUs, and the number of its blocks.
pub(super) struct Component {
    /// The number of blocks of an MCU across, which equals the number down.
    pub(super) factor: usize,
    /// The number of blocks across and down that contain a part of the picture.
    pub(super) blocks: (usize, usize),
    /// The lines of samples, `stride` samples each.
    pub(super) lines: Vec<u8>,
    pub(super) stride: usize,
}

impl Component {
    fn new(size: Size, factor: usize, most: usize, budget: &Budget) -> Result<Self> {
        let blocks = |side: u32| (side as usize * factor).div_ceil(most * SIDE);
        let stride = (size.width as usize).div_ceil(most * SIDE) * factor * SIDE;
        let lines = budget.filled((stride * factor * SIDE) as u64, 0)?;
        Ok(Self { factor, blocks: (blocks(size.width), blocks(size.height)), lines, stride })
    }

    /// Returns the layout of its blocks.
    pub(super) const fn layout(&self) -> Layout {
        Layout { factors: (self.factor, self.factor), blocks: self.blocks }
    }

    fn line(&mut self, y: usize) -> &mut [u8] {
        &mut self.lines[y * self.stride..][..self.stride]
    }

    /// Repeats line `y - 1` from `y` to the end.
    fn repeat_from(&mut self, y: usize) {
        let (above, below) = self.lines.split_at_mut(y * self.stride);
        let last = &above[above.len() - self.stride..];
        below.chunks_exact_mut(self.stride).for_each(|line| line.copy_from_slice(last));
    }
}

/// The rows of one row of MCUs.
pub(super) struct Planes {
    pub(super) components: Vec<Component>,
    width: usize,
    /// For colour at half the resolution: two lines of each component at full resolution.
    full: [Vec<u8>; 2],
    /// The number of rows received.
    rows: usize,
}

impl Planes {
    /// Creates one component for grey pictures, else three; `halved` halves the resolution of colour.
    ///
    /// # Errors
    /// `Limit`.
    pub(super) fn new(size: Size, is_gray: bool, halved: bool, budget: &Budget) -> Result<Self> {
        let most = if halved { 2 } else { 1 };
        let factors: &[usize] = if is_gray { &[1] } else { &[most, 1, 1] };
        let components = factors.iter().map(|&factor| Component::new(size, factor, most, budget));
        let components: Vec<Component> = components.collect::<Result<_>>()?;
        let full = if halved { 2 * components[0].stride as u64 } else { 0 };
        let full = [budget.filled(full, 0)?, budget.filled(full, 0)?];
        Ok(Self { components, width: size.width as usize, full, rows: 0 })
    }

    /// Returns the number of pixel rows in a row of MCUs.
    pub(super) fn height(&self) -> usize {
        self.components[0].factor * SIDE
    }

    /// Returns the number of MCUs in a row.
    pub(super) fn across(&self) -> usize {
        self.components[0].stride / (8 * self.components[0].factor)
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Adds the next row of pixels; returns whether the row of MCUs is full.
    pub(super) fn take(&mut self, pixels: &[u8]) -> bool {
        let (y, width) = (self.rows, self.width);
        self.rows += 1;
        match &mut self.components[..] {
            [luma, blue, red] if luma.factor == 1 => {
                let lines = [luma, blue, red].map(|component| component.line(y));
                convert(pixels, lines, width);
            }
            [luma, blue, red] => {
                let from = y % 2 * luma.stride;
                let [full_blue, full_red] = &mut self.full;
                let stride = luma.stride;
                let lines = [luma.line(y), &mut full_blue[from..][..stride], &mut full_red[from..][..stride]];
                convert(pixels, lines, width);
                if y % 2 == 1 {
                    halve(full_blue, blue.line(y / 2));
                    halve(full_red, red.line(y / 2));
                }
            }
            components => {
                let line = components[0].line(y);
                line[..width].copy_from_slice(pixels);
                extend(line, width);
            }
        }
        self.rows == self.height()
    }

    /// Repeats the lines of the last row to the end of an incomplete row of MCUs.
    pub(super) fn complete(&mut self) {
        let rows = self.rows;
        let Some((luma, chroma)) = self.components.split_first_mut() else { return };
        if luma.factor == 2 && rows % 2 == 1 {
            for (component, full) in chroma.iter_mut().zip(&mut self.full) {
                let (even, odd) = full.split_at_mut(luma.stride);
                odd.copy_from_slice(even);
                halve(full, component.line(rows / 2));
            }
        }
        luma.repeat_from(rows);
        let factor = luma.factor;
        chroma.iter_mut().for_each(|component| component.repeat_from(rows.div_ceil(factor)));
    }

    /// Removes the rows.
    pub(super) const fn clear(&mut self) {
        self.rows = 0;
    }
}

/// Converts RGB pixels. The last sample is repeated to the end of each line.
fn convert(pixels: &[u8], [luma, blue, red]: [&mut [u8]; 3], width: usize) {
    simd::rgb_to_ycbcr(pixels, [&mut luma[..width], &mut blue[..width], &mut red[..width]]);
    [luma, blue, red].into_iter().for_each(|line| extend(line, width));
}

/// Repeats the last of `width` samples to the end.
fn extend(line: &mut [u8], width: usize) {
    let last = line[width - 1];
    line[width..].fill(last);
}

/// Averages two by two samples of two lines.
fn halve(two_lines: &[u8], into: &mut [u8]) {
    let (upper, lower) = two_lines.split_at(two_lines.len() / 2);
    simd::halve_both(upper, lower, into);
}
