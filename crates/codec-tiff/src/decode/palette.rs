//! Colour maps (TIFF 6.0 §5): all reds, then all greens, then all blues, of 16 bits each.
//!
//! `raster::palette` is not used: indices have up to 16 bits here, colours may keep theirs, and alpha may stand beside
//! an index.

use ifd::{Directory, File, tag};
use raster::{Budget, Depth, Result};

use crate::error::Cause;

/// The colours of a page, in the depth of the palette.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Palette {
    colors: Vec<[u16; 3]>,
    depth: Depth,
}

impl Palette {
    /// Reads the palette of a page whose indices have `bits` bits, at most 16.
    ///
    /// # Errors
    /// `Malformed` when there is no palette, `Limit`, `Io`.
    pub(super) fn read(file: &mut File<'_>, directory: &Directory, bits: u16, budget: &Budget) -> Result<Self> {
        let entry = directory.get(tag::COLOR_MAP).ok_or_else(|| Cause::Missing("ColorMap").at(directory.at))?;
        let scope = budget.scope();
        let map = file.numbers(entry, 3 << bits, &scope)?;
        let count = map.len() / 3;
        if count == 0 {
            return Err(Cause::Missing("ColorMap").at(directory.at));
        }
        // Indices beyond a short map are black.
        let mut colors = budget.filled(1 << bits, [0_u16; 3])?;
        for (i, color) in colors.iter_mut().take(count).enumerate() {
            *color = [map[i], map[i + count], map[i + 2 * count]].map(|v| v as u16);
        }
        let depth = narrow(&mut colors);
        Ok(Self { colors, depth })
    }

    pub(super) const fn depth(&self) -> Depth {
        self.depth
    }

    /// Returns the colour of an index, in the palette's depth; black when the index is beyond the palette.
    pub(super) fn color(&self, index: u16) -> [u16; 3] {
        self.colors.get(usize::from(index)).copied().unwrap_or_default()
    }
}

/// Reduces the colours to eight bits if that is lossless, and returns their depth. Some writers fill only the low
/// bytes, some only the high bytes; most write v × 257.
fn narrow(colors: &mut [[u16; 3]]) -> Depth {
    let all = |fits: fn(u16) -> bool| colors.iter().flatten().all(|&v| fits(v));
    let is_low = all(|v| v < 256);
    let is_wide = !all(|v| v & 0xFF == 0) && !all(|v| v >> 8 == v & 0xFF);
    if !is_low && is_wide {
        return Depth::Sixteen;
    }
    if !is_low {
        colors.iter_mut().flatten().for_each(|v| *v >>= 8);
    }
    Depth::Eight
}
