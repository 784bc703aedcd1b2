//! Reading: rows in the order of the picture, which for most files means from the end of the file backwards.

use std::rc::Rc;

use raster::{
    Budget, ByteSource, Depth, Error, Format, Frame, FrameInfo, ImageInfo, ImageReader, Notes, PixelFormat, Result,
    RowReader, Size, Stored, Wanted, Warning, Window, limits,
};

use crate::header::{HEADER, Header, Kind};
use crate::runs::{self, Start};
use crate::unpack::Unpacking;

/// Pixels that a header may claim for each byte of the file: 128 in two bytes, and a hundredth of the rows must be
/// there.
const PIXELS_PER_BYTE: u64 = 64 * 100;

pub(crate) struct Reader<'a> {
    info: ImageInfo,
    header: Header,
    window: Window<'a>,
    unpacking: Unpacking,
    /// Where the rows of run-length code start.
    starts: Vec<Start>,
    /// The rows that are in the file.
    present: u32,
    /// A row as it is stored.
    stored: Vec<u8>,
    has_begun: bool,
    /// Rows that were read.
    rows: u32,
}

impl<'a> Reader<'a> {
    pub(crate) fn open(source: &'a dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Self> {
        let before = budget.used();
        let mut header = [0; HEADER];
        source.read_full_at(0, &mut header)?;
        let header = Header::parse(&header).ok_or_else(|| malformed(0, "has no sound header"))?;
        let Size { width, height } = header.size;
        limits::check_plausible(header.size, source.byte_len(), PIXELS_PER_BYTE)?;
        let unpacking = Unpacking::new(&header, source, budget)?;
        let row_len = u64::from(width) * header.pixel_bytes() as u64;
        let (starts, present, longest) = if header.is_run_length_coded {
            let starts = runs::starts(source, header.pixels_at(), header.size, header.pixel_bytes(), budget)?;
            let present = starts.len() as u64;
            (starts, present, runs::longest(width, header.pixel_bytes()))
        } else {
            (Vec::new(), source.byte_len().saturating_sub(header.pixels_at()) / row_len, row_len)
        };
        let present = present.min(height.into()) as u32;
        let pixels = PixelFormat::new(unpacking.channels(), Depth::Eight);
        let mut info = ImageInfo {
            stored: Stored { depth: stored_depth(&header), channels: pixels.channels.count() as u8 },
            has_palette: matches!(header.kind, Kind::Indexed),
            ..ImageInfo::still(Format::Tga, header.size, pixels.into())
        };
        match present {
            0 => return Err(malformed(header.pixels_at(), "ends before its first row")),
            _ if present < height => notes.warn(Warning::Truncated { rows: present, of: height }),
            _ => {}
        }
        let window = Window::new(source, budget, longest)?;
        let stored = budget.filled(row_len, 0)?;
        info.working_set = budget.used() - before;
        Ok(Self { info, header, window, unpacking, starts, present, stored, has_begun: false, rows: 0 })
    }

    /// Reads row `y` of the file, as it is stored.
    fn read_stored(&mut self, y: u32) -> Result<()> {
        let len = self.stored.len();
        if !self.header.is_run_length_coded {
            let at = self.header.pixels_at() + u64::from(y) * len as u64;
            self.stored.copy_from_slice(self.window.bytes(at, len)?);
            return Ok(());
        }
        let (start, pixel_bytes) = (self.starts[y as usize], self.header.pixel_bytes());
        let longest = runs::longest(self.header.size.width, pixel_bytes);
        let len = longest.min(self.window.file_len() - start.at());
        start.unpack(self.window.bytes(start.at(), len as usize)?, pixel_bytes, &mut self.stored);
        Ok(())
    }
}

/// Bits in a sample; in an index for palettes.
const fn stored_depth(header: &Header) -> u8 {
    if matches!(header.bits, 15 | 16) && matches!(header.kind, Kind::Color) { 5 } else { 8 }
}

impl ImageReader for Reader<'_> {
    fn info(&self) -> &ImageInfo {
        &self.info
    }

    fn next_frame(&mut self, _: &Wanted) -> Result<Option<Frame<'_>>> {
        if core::mem::replace(&mut self.has_begun, true) {
            return Ok(None);
        }
        let info = FrameInfo::new(self.info.size, self.info.row_format);
        Ok(Some(Frame::new(info, Rc::clone(&self.info.metadata), self)))
    }
}

impl RowReader for Reader<'_> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        let height = self.header.size.height;
        let y = if self.header.is_top_down { self.rows } else { height - 1 - self.rows };
        self.rows += 1;
        if y >= self.present {
            row.fill(0);
            return Ok(());
        }
        self.read_stored(y)?;
        if self.header.is_right_to_left {
            // Turned as a whole and then pixel by pixel, the pixels are in reverse and their bytes are not.
            self.stored.reverse();
            self.stored.chunks_exact_mut(self.header.pixel_bytes()).for_each(<[u8]>::reverse);
        }
        self.unpacking.unpack(&self.stored, row);
        Ok(())
    }
}

fn malformed(offset: u64, cause: &'static str) -> Error {
    Error::malformed(Format::Tga, offset, cause)
}

#[cfg(test)]
mod tests;
