//! A JPEG as an image of one frame, decoded as its rows are read.

mod abbreviated;
mod arithmetic;
mod arithmetic_blocks;
mod bits;
mod cmyk;
mod coefficients;
mod components;
mod frame;
mod gain_map;
mod head;
mod huffman;
mod interleave;
mod lossless;
mod metadata;
mod part;
mod plane;
mod progressive;
mod quantized;
mod sample;
mod samples;
mod scale;
mod scan;
mod scan_head;
mod scans;
mod sequential;
mod smooth;
mod tables;
mod upsample;
mod wide;

use std::rc::Rc;

use raster::{
    Budget, ByteSource, Channels, Depth, Error, Format, Frame, FrameInfo, ImageInfo, ImageReader, Limit, Notes,
    PixelFormat, Result, RowFormat, RowReader, Stored, Wanted, Warning,
};

pub use self::abbreviated::{Abbreviated, StreamRows};
use self::cmyk::Ink;
use self::frame::Coding;
pub(crate) use self::frame::{Component, Model};
use self::gain_map::find_behind;
pub use self::gain_map::find_gain_map;
pub(crate) use self::head::{Head, read_head};
pub(crate) use self::quantized::read_coefficients;
use self::samples::Samples;
use self::scale::Scale;
use crate::{icc, quality};

/// The warning for bytes that belong neither to a segment nor to the picture.
const STRAY: Warning = Warning::Skipped("bytes");

/// Opens a JPEG: reads its segments up to the first scan. Pictures of an unsupported coding (hierarchical …) can be
/// opened too; `next_frame` then returns the error.
///
/// # Errors
/// `Malformed` when there is no valid header, `Limit` when it claims more than the file can contain, `Io`.
pub fn open<'a>(source: &'a dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Box<dyn ImageReader + 'a>> {
    let head = read_head(source)?;
    check_plausible(&head, source.byte_len())?;
    let depth = if head.frame.precision > 8 { Depth::Sixteen } else { Depth::Eight };
    let row_format = match head.model {
        Model::Gray => PixelFormat::new(Channels::Gray, depth).into(),
        Model::YCbCr | Model::Rgb => PixelFormat::new(Channels::Rgb, depth).into(),
        Model::Cmyk { .. } | Model::Ycck | Model::Other => RowFormat::Inks { depth, alpha: false },
    };
    let info = ImageInfo {
        stored: Stored { depth: head.frame.precision, channels: head.frame.components.len() as u8 },
        orientation: head.orientation,
        metadata: Rc::new(head.metadata.read(profile(&head, source, budget)?, source, budget)?),
        quality: quality_of(&head),
        working_set: samples::memory(&head),
        gain_map: has_gain_map(&head, source, budget)?,
        ..ImageInfo::still(Format::Jpeg, head.frame.size, row_format)
    };
    if info.metadata.icc.is_none() && !head.profile.is_empty() {
        notes.warn(Warning::BrokenProfile);
    }
    if head.has_stray {
        notes.warn(STRAY);
    }
    if info.metadata.xmp_extension.is_none() && head.metadata.has_extension() {
        notes.warn(Warning::Skipped("xmp"));
    }
    Ok(Box::new(Reader { source, budget: budget.clone(), notes: notes.clone(), head, info, rows: None }))
}

/// Whether the file has a gain map or states one. A map that is not announced is searched in the list of pictures.
fn has_gain_map(head: &Head, source: &dyn ByteSource, budget: &Budget) -> Result<bool> {
    if head.metadata.has_gain_map() {
        return Ok(true);
    }
    match find_behind(head, source, &budget.scope()) {
        Err(error @ Error::Io(_)) => Err(error),
        found => Ok(found.is_ok_and(|found| found.is_some())),
    }
}

/// Refuses a header that claims more blocks than the file's bytes can contain. A sequential block takes at least two
/// bits (a DC and an end-of-block code), a progressive block one (its DC code; ends of blocks come in runs). The limit
/// of a quarter of a bit admits even the emptiest picture with three quarters of its data missing; photographs have 20
/// bits and more. A lossless sample takes a bit, too. Arithmetic codes of flat areas are shorter by far.
fn check_plausible(head: &Head, bytes: u64) -> Result<()> {
    let blocks_per_bit = if head.frame.is_arithmetic { 4096 } else { 4 };
    if head.frame.coding != Coding::Hierarchical && bytes.saturating_mul(8 * blocks_per_bit) < head.frame.blocks() {
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

/// Returns the quality of the first component's table.
fn quality_of(head: &Head) -> Option<u8> {
    let first = head.frame.components.first()?;
    let table = head.tables.quantization.get(usize::from(first.table))?.as_ref()?;
    (head.frame.precision == 8 && head.frame.coding != Coding::Lossless).then(|| quality::estimate(table))
}

struct Reader<'a> {
    source: &'a dyn ByteSource,
    budget: Budget,
    notes: Notes,
    head: Head,
    info: ImageInfo,
    rows: Option<Rows<'a>>,
}

impl ImageReader for Reader<'_> {
    fn info(&self) -> &ImageInfo {
        &self.info
    }

    fn next_frame(&mut self, wanted: &Wanted) -> Result<Option<Frame<'_>>> {
        if self.rows.is_some() {
            return Ok(None);
        }
        let full_size = self.info.size;
        let scale = Scale::for_wanted(wanted, &self.head.frame);
        let samples = Samples::new(Rc::new(self.source), &self.head, scale, &self.budget)?;
        let ink = match self.head.model {
            Model::Cmyk { inverted: true } => Some(Ink::Inverted),
            Model::Cmyk { inverted: false } => Some(Ink::Plain),
            Model::Ycck if !self.head.frame.is_wide() => Some(Ink::Ycck),
            _ => None,
        };
        let info = FrameInfo {
            full_size,
            reduction: scale.reduction(),
            orientation: self.info.orientation,
            ..FrameInfo::new(scale.size(full_size), self.info.row_format)
        };
        let notes = self.notes.clone();
        let told_stray = self.head.has_stray;
        let rows = self.rows.insert(Rows { samples, ink, info, notes, told: None, told_stray });
        Ok(Some(Frame::new(info, Rc::clone(&self.info.metadata), rows)))
    }
}

/// The rows of the frame.
struct Rows<'a> {
    samples: Samples<'a>,
    /// The meaning of a pixel's samples, if there are four.
    ink: Option<Ink>,
    info: FrameInfo,
    notes: Notes,
    /// The number of readable rows that was told.
    told: Option<u32>,
    /// Whether it was told that bytes were skipped.
    told_stray: bool,
}

impl RowReader for Rows<'_> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        if !self.samples.read_row(row)? {
            row.fill(0);
        } else if let Some(ink) = self.ink {
            cmyk::unify(row, ink);
        }
        let damaged_to = self.samples.damaged_to();
        if let Some(rows) = damaged_to.filter(|_| damaged_to != self.told) {
            let of = self.info.full_size.height;
            self.notes.warn(Warning::Truncated { rows: (rows * self.info.reduction).min(of), of });
            self.told = damaged_to;
        }
        if self.samples.has_stray() && !self.told_stray {
            self.notes.warn(STRAY);
            self.told_stray = true;
        }
        Ok(())
    }
}
