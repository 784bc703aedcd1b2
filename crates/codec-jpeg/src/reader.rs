//! A JPEG as an image of one frame. The whole picture is decoded when the frame is asked for; rows are then handed out.

use std::rc::Rc;

use raster::error::Limit;
use raster::{
    Budget, ByteSource, Depth, Error, Format, Frame, FrameInfo, ImageInfo, ImageReader, PixelFormat, Result, RowFormat,
    RowReader, Sequence, Stored, Warning,
};

use crate::cmyk::{self, Ink};
use crate::decode::{self, Decoded};
use crate::frame::{Coding, Model};
use crate::icc;
use crate::markers::{self, Head};
use crate::quality;

/// Opens a JPEG: reads its segments up to the first scan. Pictures that cannot be decoded yet (12-bit, arithmetic …)
/// open too, and say so when their frame is asked for.
///
/// # Errors
/// `Malformed` when there is no sound header, `Limit` when it claims what the file cannot hold, `Io`.
pub fn open<'a>(source: &'a dyn ByteSource, budget: &Budget) -> Result<Box<dyn ImageReader + 'a>> {
    let head = markers::scan(source)?;
    check_plausible(&head, source.byte_len())?;
    let row_format = match head.model {
        Model::Gray => PixelFormat::GRAY8.into(),
        Model::YCbCr | Model::Rgb => PixelFormat::RGB8.into(),
        Model::Cmyk { .. } | Model::Ycck | Model::Other => RowFormat::Inks { depth: Depth::Eight, alpha: false },
    };
    let mut info = ImageInfo {
        format: Format::Jpeg,
        size: head.frame.size,
        frames: 1,
        sequence: Sequence::Single,
        frame_sizes: Vec::new(),
        stored: Stored { depth: head.frame.precision, channels: head.frame.components.len() as u8 },
        row_format,
        orientation: head.orientation,
        metadata: Rc::new(head.parts.read(profile(&head, source, budget)?, source, budget)?),
        quality: quality_of(&head),
        working_set: decode::memory(&head).total(),
        warnings: Vec::new(),
    };
    if info.metadata.icc.is_none() && !head.profile.is_empty() {
        info.warn(Warning::BrokenProfile);
    }
    if info.metadata.xmp_extension.is_none() && head.parts.has_extension() {
        info.warn(Warning::Skipped("xmp"));
    }
    Ok(Box::new(Reader { source, budget: budget.clone(), head, info, rows: None }))
}

/// Refuses a header that claims more blocks than so few bytes can hold. A sequential block takes two bits at least (a
/// DC and an end-of-block code), a progressive one takes one (its DC code; ends of blocks come in runs). A quarter of a
/// bit leaves three quarters of even the emptiest picture to be cut off; photographs have 20 bits and more.
fn check_plausible(head: &Head, bytes: u64) -> Result<()> {
    let in_blocks = matches!(head.frame.coding, Coding::Sequential | Coding::Progressive);
    if in_blocks && bytes.saturating_mul(8 * 4) < head.frame.blocks() {
        return Err(Limit::Implausible { claimed: head.frame.size, bytes }.into());
    }
    Ok(())
}

fn profile(head: &Head, source: &dyn ByteSource, budget: &Budget) -> Result<Option<Vec<u8>>> {
    match head.model {
        Model::Gray => icc::assemble(&head.profile, *b"GRAY", source, budget),
        Model::YCbCr | Model::Rgb => icc::assemble(&head.profile, *b"RGB ", source, budget),
        Model::Cmyk { .. } | Model::Ycck => icc::assemble(&head.profile, *b"CMYK", source, budget),
        Model::Other => Ok(None),
    }
}

/// The quality that the first component's table stands for.
fn quality_of(head: &Head) -> Option<u8> {
    let first = head.frame.components.first()?;
    let table = head.tables.quantization.get(usize::from(first.table))?.as_ref()?;
    (head.frame.precision == 8 && head.frame.coding != Coding::Lossless).then(|| quality::estimate(table))
}

struct Reader<'a> {
    source: &'a dyn ByteSource,
    budget: Budget,
    head: Head,
    info: ImageInfo,
    rows: Option<Rows>,
}

impl ImageReader for Reader<'_> {
    fn info(&self) -> &ImageInfo {
        &self.info
    }

    fn next_frame(&mut self) -> Result<Option<Frame<'_>>> {
        if self.rows.is_some() {
            return Ok(None);
        }
        let decoded = decode::decode(self.source, &self.head, &self.budget)?;
        let size = self.info.size;
        if !decoded.complete {
            self.info.warn(Warning::Truncated { rows: decoded.rows, of: size.height });
        }
        let ink = match self.head.model {
            Model::Cmyk { inverted: true } => Some(Ink::Inverted),
            Model::Cmyk { inverted: false } => Some(Ink::Plain),
            Model::Ycck => Some(Ink::Ycck),
            _ => None,
        };
        let info = FrameInfo { orientation: self.info.orientation, ..FrameInfo::new(size, self.info.row_format) };
        let rows = self.rows.insert(Rows { decoded, width: size.width as usize, ink, next: 0 });
        Ok(Some(Frame { info, metadata: Rc::clone(&self.info.metadata), rows }))
    }
}

/// The decoded picture and how far it was handed out.
struct Rows {
    decoded: Decoded,
    width: usize,
    /// What the four samples mean, where there are four.
    ink: Option<Ink>,
    next: u32,
}

impl RowReader for Rows {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        let len = self.width * self.decoded.samples_per_pixel;
        let start = self.next as usize * len;
        let stored = self.decoded.samples.get(start..start + len);
        let stored = stored.ok_or(Error::Contradiction("more rows were read than the picture has"))?;
        match self.ink {
            _ if self.next >= self.decoded.rows => row.fill(0),
            Some(ink) => cmyk::unify(stored, ink, row),
            None if self.decoded.is_ycbcr => simd::ycbcr_to_rgb(stored, row),
            None => row.copy_from_slice(stored),
        }
        self.next += 1;
        Ok(())
    }
}
