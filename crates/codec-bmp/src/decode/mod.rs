//! Reading. `open` reads the headers and decides the row format. Rows are read in the order of the picture, which for
//! bottom-up files means from the end of the file backwards.

mod header;
mod icon;
mod mask;
mod order;
mod palette;
mod plain;
mod rle;
mod unpack;

use std::rc::Rc;

use raster::{
    Budget, ByteSource, Channels, Depth, Format, Frame, FrameHeader, ImageInfo, ImageReader, Metadata, Notes,
    PixelFormat, Result, RowReader, Size, Stored, Wanted, Warning, Window, icc, limits,
};

use self::header::Header;
pub(crate) use self::icon::IconReader;
use self::order::RowOrder;
use self::palette::Palette;
use self::plain::{PIXELS_PER_BYTE, PlainRows};
use self::rle::{RleRows, Shape};
use crate::error::Cause;

pub(crate) struct Reader<'a> {
    info: ImageInfo,
    order: RowOrder,
    body: Body<'a>,
    given: bool,
}

/// The rows in the order of the file.
enum Body<'a> {
    Plain(PlainRows<'a>),
    Rle(RleRows<'a>),
}

impl<'a> Reader<'a> {
    pub(crate) fn open(source: &'a dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Self> {
        let before = budget.used();
        let header = Header::read(source)?;
        limits::check_plausible(header.size, source.byte_len(), PIXELS_PER_BYTE)?;
        let icc = profile(source, &header, budget, notes)?;
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
            notes.warn(Warning::Truncated { rows, of: header.size.height });
        }
        let frame = FrameHeader::new(header.size, pixels(channels, icc.is_some()));
        let info = ImageInfo {
            // A palette's entries have three samples, even when all are grey.
            stored: Stored { depth: header.bits as u8, channels: if channels.has_alpha() { 4 } else { 3 } },
            metadata: Rc::new(Metadata { icc, resolution: header.resolution, ..Metadata::default() }),
            working_set: budget.used() - before,
            has_palette: header.bits <= 8,
            ..ImageInfo::still(Format::Bmp, header.size, frame.pixels.into())
        };
        Ok(Self { info, order: RowOrder::new(frame, header.top_down), body, given: false })
    }
}

/// Returns the pixel format of rows. Greys under a profile become RGB, because BMP's profiles are for RGB.
const fn pixels(channels: Channels, has_profile: bool) -> PixelFormat {
    let channels = if has_profile && !channels.has_color() { Channels::Rgb } else { channels };
    PixelFormat::new(channels, Depth::Eight)
}

/// Returns the embedded profile, if it lies in the file and is [sound](icc::sound) for RGB.
fn profile(source: &dyn ByteSource, header: &Header, budget: &Budget, notes: &Notes) -> Result<Option<Vec<u8>>> {
    let Some((at, len)) = header.profile else { return Ok(None) };
    if len as usize <= icc::LONGEST && at + u64::from(len) <= source.byte_len() {
        let mut profile = budget.filled(len.into(), 0)?;
        source.read_full_at(at, &mut profile)?;
        if let Some(len) = icc::sound(&profile, icc::RGB).map(<[u8]>::len) {
            profile.truncate(len);
            return Ok(Some(profile));
        }
    }
    notes.warn(Warning::BrokenProfile);
    Ok(None)
}

impl ImageReader for Reader<'_> {
    fn info(&self) -> &ImageInfo {
        &self.info
    }

    fn next_frame(&mut self, _: &Wanted) -> Result<Option<Frame<'_>>> {
        if self.given {
            return Ok(None);
        }
        self.given = true;
        Ok(Some(Frame::new(self.order.frame.into(), Rc::clone(&self.info.metadata), self)))
    }
}

impl RowReader for Reader<'_> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        let y = self.order.next();
        let pixels = self.order.frame.pixels;
        match &mut self.body {
            Body::Plain(rows) => rows.read(y, row, pixels.channels),
            Body::Rle(rows) => rows.read(y, row, pixels.bytes()),
        }
    }
}
