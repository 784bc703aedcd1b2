//! One frame as the file describes it, and its way to the canvas.

use animation::{Canvas, Placement};
use raster::palette::MAX_COLORS;
use raster::{Budget, ByteSource, Rect, Result, Size};

use super::lzw::Indices;
use crate::blocks::INTERLACED;

/// The first row and the distance of the rows of each pass of an interlaced frame (GIF89a, appendix E).
const PASSES: [(u32, u32); 4] = [(0, 8), (4, 8), (2, 4), (1, 2)];

/// The colours of all indices. Those that a palette lacks are black, as in Chromium.
pub(crate) type Palette = [[u8; 4]; MAX_COLORS];

/// Where a palette stands, and its colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PaletteStart {
    pub(crate) offset: u64,
    pub(crate) colors: u16,
}

impl PaletteStart {
    /// Bytes of the palette.
    pub(crate) const fn bytes(self) -> u64 {
        self.colors as u64 * 3
    }

    /// Reads the palette, as far as it is there.
    pub(crate) fn read(start: Option<Self>, source: &dyn ByteSource) -> Result<Palette> {
        let mut palette = [[0, 0, 0, 255]; MAX_COLORS];
        let Some(Self { offset, colors }) = start else { return Ok(palette) };
        let mut bytes = [0; 3 * MAX_COLORS];
        let bytes = &mut bytes[..3 * usize::from(colors)];
        source.read_full_at(offset, bytes)?;
        for (color, bytes) in palette.iter_mut().zip(bytes.as_chunks::<3>().0) {
            color[..3].copy_from_slice(bytes);
        }
        Ok(palette)
    }
}

/// A frame of the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoredFrame {
    /// Size as stored; the frame may reach beyond the right and the lower edge of the canvas.
    pub(crate) size: Size,
    /// The part that is on the canvas, and what becomes of it.
    pub(crate) placement: Placement,
    /// Whether any part is on the canvas. Otherwise the region is a pixel on which nothing is drawn.
    pub(crate) is_visible: bool,
    /// Hundredths of a second.
    pub(crate) delay: u16,
    pub(crate) transparent: Option<u8>,
    pub(crate) interlaced: bool,
    pub(crate) palette: Option<PaletteStart>,
    /// Where its data begin.
    pub(crate) data: u64,
}

impl StoredFrame {
    /// Whether its rows come in four passes.
    pub(crate) const fn is_interlaced(flags: u8) -> bool {
        flags & INTERLACED != 0
    }

    /// Draws the frame. Returns how many rows of its region are whole: fewer than all where its data end early or are
    /// damaged.
    pub(crate) fn draw(
        &self,
        source: &dyn ByteSource,
        palette: &Palette,
        canvas: &mut Canvas,
        budget: &Budget,
    ) -> Result<u32> {
        canvas.begin(self.placement);
        if !self.is_visible {
            return Ok(self.placement.region.height);
        }
        budget.charge(Indices::MEMORY)?;
        let mut indices = Indices::new(source, self.data)?;
        if self.interlaced {
            return self.draw_interlaced(&mut indices, palette, canvas, budget);
        }
        let Rect { width, height, .. } = self.placement.region;
        let mut stored = budget.filled(self.size.width.into(), 0)?;
        for whole in 0..height {
            let n = indices.read(&mut stored)?;
            canvas.draw_indices(&stored[..n.min(width as usize)], palette, self.transparent);
            if n < stored.len() {
                return Ok(whole);
            }
        }
        Ok(height)
    }

    /// The same for rows that come in four passes: they are held until all are there.
    fn draw_interlaced(
        &self,
        indices: &mut Indices<'_>,
        palette: &Palette,
        canvas: &mut Canvas,
        budget: &Budget,
    ) -> Result<u32> {
        let Rect { width, height, .. } = self.placement.region;
        let mut stored = budget.filled(self.size.width.into(), 0)?;
        let mut rows = budget.filled(u64::from(width) * u64::from(height), 0)?;
        let mut filled = budget.filled(height.into(), 0_u32)?;
        let order = PASSES.iter().flat_map(|&(first, step)| (first..self.size.height).step_by(step as usize));
        for y in order {
            let n = indices.read(&mut stored)?;
            if y < height {
                let n = n.min(width as usize);
                filled[y as usize] = n as u32;
                rows[y as usize * width as usize..][..n].copy_from_slice(&stored[..n]);
            }
            if n < stored.len() {
                break;
            }
        }
        for (indices, filled) in rows.chunks_exact(width as usize).zip(&filled) {
            canvas.draw_indices(&indices[..*filled as usize], palette, self.transparent);
        }
        Ok(filled.iter().position(|&filled| filled < width).map_or(height, |y| y as u32))
    }
}
