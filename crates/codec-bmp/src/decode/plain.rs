//! Uncompressed rows: their positions in the file, and their unpacking.

use raster::{Channels, Result, Window};

use super::header::Header;
use super::palette::Palette;
use super::unpack::{LinearTable, Packing};

/// The number of pixels that a header may claim for each byte of the file. It is eight times the limit of the longest
/// runs (255 pixels in 2 bytes), because deltas and an early end may leave rows blank. Uncompressed files are accepted
/// when they contain a hundredth of their rows.
pub(super) const PIXELS_PER_BYTE: u64 = 1024;

/// The uncompressed rows of a bitmap, in the order of the file.
pub(super) struct PlainRows<'a> {
    window: Window<'a>,
    packing: Packing,
    header: Header,
    /// The number of rows that are in the file, counted from its first.
    pub(super) present: u32,
}

impl<'a> PlainRows<'a> {
    /// Returns the rows that `header` describes, and their channels.
    pub(super) fn new(window: Window<'a>, header: Header, palette: Palette) -> (Self, Channels) {
        let data = window.file_len().saturating_sub(header.pixels_at);
        // The padding of the last row may be missing.
        let present = data.checked_sub(header.row_len()).map_or(0, |rest| rest / header.stride() + 1);
        let present = present.min(header.size.height.into()) as u32;
        let gray = header.bits <= 8 && palette.is_gray();
        let (packing, alpha) = match (header.bits, header.masks) {
            (bits @ 1..=8, _) => (Packing::Indexed { bits: bits as u8, palette }, false),
            (64, _) => (Packing::Linear(LinearTable::new()), true),
            (32, Some(masks)) if masks.is_bgra() => (Packing::Bgra, masks.has_alpha()),
            (bits, Some(masks)) => {
                (Packing::Masked { pixel_bytes: (bits / 8) as u8, channels: masks.0 }, masks.has_alpha())
            }
            (_, None) => (Packing::Bgr, false),
        };
        let rows = Self { window, packing, header, present };
        (rows, Channels::new(!gray, alpha))
    }

    /// Reads row `y` of the file; a row beyond the end of the file is 0.
    pub(super) fn read(&mut self, y: u32, row: &mut [u8], channels: Channels) -> Result<()> {
        if y >= self.present {
            row.fill(0);
            return Ok(());
        }
        let (at, len) = self.span(y);
        self.packing.unpack(self.window.bytes(at, len)?, row, channels);
        Ok(())
    }

    /// Returns the offset and length of row `y` of the file.
    const fn span(&self, y: u32) -> (u64, usize) {
        (self.header.pixels_at + y as u64 * self.header.stride(), self.header.row_len() as usize)
    }
}
