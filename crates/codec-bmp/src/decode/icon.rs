//! An entry of an icon: a bitmap without file header. Its height includes a second bitmap behind it, the AND mask. The
//! rows of the mask have the same order and one bit a pixel, 1 for transparent.
//!
//! The mask is older than alpha in icons. It is used when the pixels have no alpha, and when their alpha is 0
//! everywhere, because old writers leave the fourth byte empty. Chromium and Windows do the same.

use std::rc::Rc;

use raster::{
    Budget, ByteSource, Channels, Depth, Error, Format, Frame, FrameHeader, ImageInfo, ImageReader, Notes, PixelFormat,
    Result, RowReader, Stored, Wanted, Warning, Window, limits,
};

use super::header::{Header, PaletteSpan};
use super::order::RowOrder;
use super::palette::Palette;
use super::plain::{PIXELS_PER_BYTE, PlainRows};
use crate::error::Cause;

pub(crate) struct IconReader<'a> {
    info: ImageInfo,
    rows: IconRows<'a>,
    given: bool,
}

struct IconRows<'a> {
    order: RowOrder,
    color: PlainRows<'a>,
    mask: PlainRows<'a>,
    alpha: Alpha,
    /// A row of colour without alpha; empty when the pixels have alpha.
    color_row: Vec<u8>,
    mask_row: Vec<u8>,
}

/// The source of a row's alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alpha {
    /// The pixels.
    Own,
    /// The mask.
    Mask,
    /// The mask if the pixels' own alpha is 0 everywhere, which is not known yet.
    Unknown,
}

impl<'a> IconReader<'a> {
    pub(crate) fn open(source: &'a dyn ByteSource, at: u64, budget: &Budget, notes: &Notes) -> Result<Self> {
        let before = budget.used();
        let header = Header::read_icon(source, at)?;
        if header.rle.is_some() {
            return Err(Error::Unsupported { format: Format::Bmp, feature: "run-length code in an icon" });
        }
        limits::check_plausible(header.size, source.byte_len(), PIXELS_PER_BYTE)?;
        let palette = Palette::read(source, header.palette)?;
        let window = |header: &Header| Window::new(source, budget, header.row_len());
        let (color, channels) = PlainRows::new(window(&header)?, header, palette);
        if color.present == 0 {
            return Err(Cause::NoRow.at(header.pixels_at));
        }
        let mask_header = mask_header(&header);
        let (mask, _) = PlainRows::new(window(&mask_header)?, mask_header, mask_palette());
        let width = u64::from(header.size.width);
        let own = if channels.has_alpha() { 0 } else { channels.count() as u64 };
        let (color_row, mask_row) = (budget.filled(width * own, 0)?, budget.filled(width, 0)?);
        let frame = FrameHeader::new(header.size, pixels(channels));
        let alpha = if channels.has_alpha() { Alpha::Unknown } else { Alpha::Mask };
        let (rows, of) = (color.present, header.size.height);
        if rows < of {
            notes.warn(Warning::Truncated { rows, of });
        }
        let info = describe(&header, frame, budget.used() - before);
        let rows = IconRows { order: RowOrder::new(frame, header.top_down), color, mask, alpha, color_row, mask_row };
        Ok(Self { info, rows, given: false })
    }
}

impl IconRows<'_> {
    /// Whether any pixel has alpha of its own. Reads rows into `row` up to the first with alpha.
    fn has_own_alpha(&mut self, row: &mut [u8]) -> Result<bool> {
        for y in 0..self.color.present {
            self.color.read(y, row, Channels::Rgba)?;
            if row.as_chunks::<4>().0.iter().any(|&[.., alpha]| alpha != 0) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reads row `y` of the mask as alpha. Rows beyond the end of the file are opaque.
    fn read_mask(&mut self, y: u32) -> Result<()> {
        if y < self.mask.present {
            return self.mask.read(y, &mut self.mask_row, Channels::Gray);
        }
        self.mask_row.fill(255);
        Ok(())
    }

    /// Reads row `y` in the order of the file.
    fn read(&mut self, y: u32, row: &mut [u8]) -> Result<()> {
        if self.alpha == Alpha::Unknown {
            self.alpha = if self.has_own_alpha(row)? { Alpha::Own } else { Alpha::Mask };
        }
        if y >= self.color.present {
            row.fill(0);
            return Ok(());
        }
        let channels = self.order.frame.pixels.channels;
        match self.alpha {
            Alpha::Own => return self.color.read(y, row, channels),
            _ => self.read_mask(y)?,
        }
        let opaque = Channels::new(channels.has_color(), false);
        match (self.color_row.is_empty(), opaque) {
            (true, _) => {
                self.color.read(y, row, channels)?;
                row.as_chunks_mut::<4>().0.iter_mut().zip(&self.mask_row).for_each(|(pixel, &mask)| pixel[3] = mask);
            }
            (_, Channels::Gray) => {
                self.color.read(y, &mut self.color_row, opaque)?;
                join::<1, 2>(&self.color_row, &self.mask_row, row);
            }
            _ => {
                self.color.read(y, &mut self.color_row, opaque)?;
                join::<3, 4>(&self.color_row, &self.mask_row, row);
            }
        }
        Ok(())
    }
}

/// Returns the pixel format of an icon, which always has alpha.
const fn pixels(channels: Channels) -> PixelFormat {
    PixelFormat::new(Channels::new(channels.has_color(), true), Depth::Eight)
}

fn describe(header: &Header, frame: FrameHeader, working_set: u64) -> ImageInfo {
    ImageInfo {
        stored: Stored { depth: header.bits as u8, channels: 4 },
        working_set,
        has_palette: header.bits <= 8,
        ..ImageInfo::still(Format::Bmp, header.size, frame.pixels.into())
    }
}

/// Returns the header of the mask as a bitmap behind the last row of colour.
fn mask_header(color: &Header) -> Header {
    let pixels_at = color.pixels_at + color.stride() * u64::from(color.size.height);
    let palette = PaletteSpan { at: pixels_at, entries: 0, entry_len: 4 };
    Header { bits: 1, rle: None, masks: None, palette, pixels_at, profile: None, ..*color }
}

/// Returns a palette that converts the mask's bits to alpha: 0 is opaque.
fn mask_palette() -> Palette {
    let mut palette = Palette(Box::new([[0; 4]; 256]));
    palette.0[0] = [255; 4];
    palette
}

fn join<const COLOR: usize, const BOTH: usize>(color: &[u8], alpha: &[u8], into: &mut [u8]) {
    for ((pixel, color), &alpha) in
        into.as_chunks_mut::<BOTH>().0.iter_mut().zip(color.as_chunks::<COLOR>().0).zip(alpha)
    {
        pixel[..COLOR].copy_from_slice(color);
        pixel[COLOR] = alpha;
    }
}

impl ImageReader for IconReader<'_> {
    fn info(&self) -> &ImageInfo {
        &self.info
    }

    fn next_frame(&mut self, _: &Wanted) -> Result<Option<Frame<'_>>> {
        if self.given {
            return Ok(None);
        }
        self.given = true;
        Ok(Some(Frame::new(self.rows.order.frame.into(), Rc::clone(&self.info.metadata), &mut self.rows)))
    }
}

impl RowReader for IconRows<'_> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        let y = self.order.next();
        self.read(y, row)
    }
}
