//! Reading. `open` settles everything that decides how rows come; then rows are read in the order of the picture, from
//! the end of the file backwards where that stands on its head.

mod header;
mod icon;
mod mask;
mod order;
mod palette;
mod rle;
mod unpack;
mod window;

use std::rc::Rc;

use raster::{
    Budget, ByteSource, Channels, Depth, Format, Frame, FrameHeader, ImageInfo, ImageReader, Limit, Metadata,
    Orientation, PixelFormat, Result, RowReader, Sequence, Size, Stored, Warning, icc,
};

use self::header::Header;
pub(crate) use self::icon::IconReader;
use self::order::RowOrder;
use self::palette::Palette;
use self::rle::{RleRows, Shape};
use self::unpack::{Layout, LinearTable};
use self::window::Window;
use crate::density;
use crate::error::Cause;

/// A header may claim this many pixels for each byte of the file: eight times what the longest runs reach (255 pixels
/// in 2 bytes), because deltas and an early end rightly leave rows blank. Of uncompressed rows it lets anything pass of
/// which a hundredth is there.
const PIXELS_PER_BYTE: u64 = 1024;
/// Up to here a claim costs nothing, since memory goes by the width: no need to be suspicious of an empty sheet.
const ALWAYS_PLAUSIBLE: u64 = 1 << 24;

pub(crate) struct Reader<'a> {
    info: ImageInfo,
    order: RowOrder,
    body: Body<'a>,
    given: bool,
}

/// Rows in the order of the file.
enum Body<'a> {
    Plain(PlainRows<'a>),
    Rle(RleRows<'a>),
}

struct PlainRows<'a> {
    window: Window<'a>,
    layout: Layout,
    header: Header,
    /// Rows that are in the file, counted from its first.
    present: u32,
}

impl<'a> Reader<'a> {
    pub(crate) fn open(source: &'a dyn ByteSource, budget: &Budget) -> Result<Self> {
        let before = budget.used();
        let header = Header::read(source)?;
        check_plausible(header.size, source.byte_len())?;
        let mut warnings = Vec::new();
        let icc = profile(source, &header, budget, &mut warnings)?;
        let palette = Palette::read(source, header.palette)?;
        let window = Window::new(source, budget, if header.rle.is_some() { 0 } else { header.row_len() })?;
        let (body, channels, rows) = match header.rle {
            Some(code) => {
                let Size { width, height } = header.size;
                let shape = Shape { code, width, height, at: header.pixels_at };
                let rows = RleRows::index(window, shape, palette, budget)?;
                let channels = Channels::new(!rows.palette_is_gray(), false);
                let cut = rows.cut();
                (Body::Rle(rows), channels, cut.unwrap_or(height))
            }
            None => {
                let (rows, channels) = PlainRows::new(window, header, palette);
                let present = rows.present;
                (Body::Plain(rows), channels, present)
            }
        };
        if rows == 0 {
            return Err(Cause::NoRow.at(header.pixels_at));
        }
        if rows < header.size.height {
            warnings.push(Warning::Truncated { rows, of: header.size.height });
        }
        let frame = FrameHeader::new(header.size, pixels(channels, icc.is_some()));
        let info = ImageInfo {
            format: Format::Bmp,
            size: header.size,
            frames: 1,
            sequence: Sequence::Single,
            frame_sizes: Vec::new(),
            // A palette's entries have three samples, grey or not.
            stored: Stored { depth: header.bits as u8, channels: if channels.has_alpha() { 4 } else { 3 } },
            row_format: frame.pixels.into(),
            orientation: Orientation::default(),
            metadata: Rc::new(Metadata { icc, resolution: density::read(source)?, ..Metadata::default() }),
            quality: None,
            working_set: budget.used() - before,
            warnings,
        };
        Ok(Self { info, order: RowOrder::new(frame, header.top_down), body, given: false })
    }
}

/// How rows come. Greys under a profile come as colour: BMP's profiles are for colour.
const fn pixels(channels: Channels, has_profile: bool) -> PixelFormat {
    let channels = if has_profile && !channels.has_color() { Channels::Rgb } else { channels };
    PixelFormat::new(channels, Depth::Eight)
}

fn check_plausible(claimed: Size, bytes: u64) -> Result<()> {
    if claimed.area() > ALWAYS_PLAUSIBLE.max(bytes.saturating_mul(PIXELS_PER_BYTE)) {
        return Err(Limit::Implausible { claimed, bytes }.into());
    }
    Ok(())
}

/// The embedded profile, if it lies in the file and is [sound](icc::sound) for colours.
fn profile(
    source: &dyn ByteSource,
    header: &Header,
    budget: &Budget,
    warnings: &mut Vec<Warning>,
) -> Result<Option<Vec<u8>>> {
    let Some((at, len)) = header.profile else { return Ok(None) };
    if len as usize <= icc::LONGEST && at + u64::from(len) <= source.byte_len() {
        let mut profile = budget.filled(len.into(), 0)?;
        source.read_full_at(at, &mut profile)?;
        if let Some(len) = icc::sound(&profile, icc::RGB).map(<[u8]>::len) {
            profile.truncate(len);
            return Ok(Some(profile));
        }
    }
    warnings.push(Warning::BrokenProfile);
    Ok(None)
}

impl<'a> PlainRows<'a> {
    /// Also says which channels the rows have.
    fn new(window: Window<'a>, header: Header, palette: Palette) -> (Self, Channels) {
        let data = window.file_len().saturating_sub(header.pixels_at);
        // The padding of the last row may be missing.
        let present = data.checked_sub(header.row_len()).map_or(0, |rest| rest / header.stride() + 1);
        let present = present.min(header.size.height.into()) as u32;
        let gray = header.bits <= 8 && palette.is_gray();
        let (layout, alpha) = match (header.bits, header.masks) {
            (bits @ 1..=8, _) => (Layout::Indexed { bits, palette }, false),
            (64, _) => (Layout::Linear(LinearTable::new()), true),
            (32, Some(masks)) if masks.is_bgra() => (Layout::Bgra, masks.has_alpha()),
            (bits, Some(masks)) => {
                (Layout::Masked { pixel_bytes: (bits / 8) as u8, channels: masks.0 }, masks.has_alpha())
            }
            (_, None) => (Layout::Bgr, false),
        };
        let rows = Self { window, layout, header, present };
        (rows, Channels::new(!gray, alpha))
    }

    fn read(&mut self, y: u32, row: &mut [u8], channels: Channels) -> Result<()> {
        if y >= self.present {
            row.fill(0);
            return Ok(());
        }
        let (at, len) = self.span(y);
        self.layout.unpack(self.window.bytes(at, len)?, row, channels);
        Ok(())
    }

    /// Offset and length of row `y` of the file.
    const fn span(&self, y: u32) -> (u64, usize) {
        (self.header.pixels_at + y as u64 * self.header.stride(), self.header.row_len() as usize)
    }
}

impl ImageReader for Reader<'_> {
    fn info(&self) -> &ImageInfo {
        &self.info
    }

    fn next_frame(&mut self) -> Result<Option<Frame<'_>>> {
        if self.given {
            return Ok(None);
        }
        self.given = true;
        Ok(Some(Frame { info: self.order.frame.into(), metadata: Rc::clone(&self.info.metadata), rows: self }))
    }
}

impl RowReader for Reader<'_> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        let y = self.order.next(row)?;
        let pixels = self.order.frame.pixels;
        match &mut self.body {
            Body::Plain(rows) => rows.read(y, row, pixels.channels),
            Body::Rle(rows) => rows.read(y, row, pixels.bytes()),
        }
    }
}
