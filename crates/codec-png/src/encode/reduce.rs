//! Pictures of more colours than a palette holds, whose source had a palette: rows are held as they are received, and
//! reduced to a palette at the end.

use quantize::{AlphaHistogram, AlphaPalette};
use raster::palette::MAX_COLORS;
use raster::{Budget, PixelFormat, Result, Size};

use super::palette::Indexed;

/// The largest number of held bytes: 8 million pixels with alpha.
const HELD: u64 = 32 << 20;

/// The rows of a picture of many colours.
pub(crate) struct TrueColor {
    size: Size,
    pixels: PixelFormat,
    rows: Vec<u8>,
    /// The number of bytes held.
    filled: usize,
    /// The budget scope, which releases the memory when dropped.
    scope: Budget,
}

impl TrueColor {
    /// Creates a picture with the rows that `indexed` holds. Returns `None` for grey pixels, which a palette does not
    /// make smaller, for too many bytes, and when the budget is too small.
    pub(crate) fn new(indexed: &Indexed, budget: &Budget) -> Option<Self> {
        let (size, pixels) = (indexed.size, indexed.pixels);
        let bytes = size.area() * pixels.bytes() as u64;
        if !pixels.channels.has_color() || bytes > HELD {
            return None;
        }
        let scope = budget.scope();
        let rows = scope.filled(bytes, 0).ok()?;
        let mut held = Self { size, pixels, rows, filled: 0, scope };
        indexed
            .rows(|row| {
                held.push(row);
                Ok(())
            })
            .ok()?;
        Some(held)
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, row: &[u8]) {
        self.rows[self.filled..][..row.len()].copy_from_slice(row);
        self.filled += row.len();
    }

    /// Passes the rows to `each` while it returns true.
    pub(crate) fn rows(&self, mut each: impl FnMut(&[u8]) -> Result<bool>) -> Result<()> {
        for row in self.rows[..self.filled].chunks_exact(self.row_bytes()) {
            if !each(row)? {
                break;
            }
        }
        Ok(())
    }

    /// Returns the picture in as many colours as a palette holds, or `None` if it is too small for a palette.
    ///
    /// # Errors
    /// `Limit` when the budget is too small.
    pub(crate) fn reduced(&self) -> Result<Option<Indexed>> {
        let scope = self.scope.scope();
        let mut row = scope.filled(self.size.width.into(), [0; 4])?;
        let mut histogram = AlphaHistogram::new(&scope)?;
        self.rows(|pixels| {
            self.colors(pixels).for_each(|color| histogram.add(color));
            Ok(true)
        })?;
        let mut palette = AlphaPalette::new(&histogram.palette(MAX_COLORS), self.size.width, &scope)?;
        let Some(mut indexed) = Indexed::new(self.size, self.pixels, &self.scope) else { return Ok(None) };
        let mut mapped = scope.filled(self.row_bytes() as u64, 0)?;
        self.rows(|pixels| {
            row.iter_mut().zip(self.colors(pixels)).for_each(|(pixel, color)| *pixel = color);
            palette.map(&mut row);
            let bytes = self.pixels.bytes();
            mapped.chunks_exact_mut(bytes).zip(&row).for_each(|(pixel, color)| pixel.copy_from_slice(&color[..bytes]));
            Ok(indexed.push(&mapped))
        })?;
        Ok(Some(indexed))
    }

    /// Returns the colours of a row.
    fn colors<'a>(&self, row: &'a [u8]) -> impl Iterator<Item = [u8; 4]> + use<'a> {
        row.chunks_exact(self.pixels.bytes()).map(|pixel| [pixel[0], pixel[1], pixel[2], *pixel.get(3).unwrap_or(&255)])
    }

    fn row_bytes(&self) -> usize {
        self.size.width as usize * self.pixels.bytes()
    }
}
