//! Reading. `open` walks the directories and decides the row format of the first page; each page's buffers are
//! allocated when the page is read. A row passes these modules: `input` reads bytes from the file, `codec` decompresses
//! them to lines, `predictor` undoes differences and byte order, `unpack` converts samples to numbers, and `color`
//! converts numbers to stored pixels. `rows` calls all of them.

mod codec;
mod color;
mod exif;
mod grid;
mod input;
mod jpeg;
mod lab;
mod logluv;
mod meaning;
mod metadata;
mod page;
mod pages;
mod palette;
mod predictor;
mod rows;
mod tags;
mod unpack;
mod uv_rows;
mod ycbcr;

use std::rc::Rc;

use ifd::File;
use raster::{
    Budget, ByteSource, Error, Format, Frame, FrameInfo, ImageInfo, ImageReader, Metadata, Notes, Result, RowReader,
    Sequence, Size, Stored, Wanted, Warning,
};

use self::meaning::Meaning;
use self::page::Page;
use self::pages::{PageRef, Pages};
use self::rows::Rows;

pub(crate) struct Reader<'a> {
    source: &'a dyn ByteSource,
    file: File<'a>,
    budget: Budget,
    notes: Notes,
    pages: Vec<PageRef>,
    /// The number of pages returned.
    next: usize,
    info: ImageInfo,
    /// The first page, until it is returned.
    first: Option<Settled>,
    current: Option<Current<'a>>,
}

/// A page whose tags are read and whose buffers are not allocated yet.
struct Settled {
    page: Page,
    metadata: Rc<Metadata>,
    /// The budget of this page, which is released when the page is dropped.
    budget: Budget,
}

/// The page whose rows are being read.
struct Current<'a> {
    rows: Rows<'a>,
    _budget: Budget,
}

impl<'a> Reader<'a> {
    pub(crate) fn open(source: &'a dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Self> {
        let before = budget.used();
        let (mut file, first) = File::open(source)?;
        let Pages { pages, is_damaged } = Pages::walk(&mut file, first, budget)?;
        let first = settle(&mut file, source, pages[0], budget.scope(), notes)?;
        if is_damaged {
            notes.warn(Warning::Skipped("page"));
        }
        let page = &first.page;
        let upright: Vec<Size> = pages.iter().map(|page| page.orientation.turn(page.size)).collect();
        let info = ImageInfo {
            frames: pages.len() as u32,
            sequence: if pages.len() > 1 { Sequence::Pages } else { Sequence::Single },
            frame_sizes: if upright.iter().all(|size| *size == upright[0]) { Vec::new() } else { upright },
            stored: stored(page),
            orientation: page.orientation,
            metadata: Rc::clone(&first.metadata),
            has_palette: matches!(page.meaning, Meaning::Palette(_)),
            working_set: budget.used() - before + Rows::memory(source, page),
            ..ImageInfo::still(Format::Tiff, page.size, page.row_format())
        };
        let (budget, notes, first) = (budget.clone(), notes.clone(), Some(first));
        Ok(Self { source, file, budget, notes, pages, next: 0, info, first, current: None })
    }
}

/// Sets the warning of damaged rows, which counts those of the page that has most.
/// Reads a page's tags with a budget of its own.
fn settle(
    file: &mut File<'_>,
    source: &dyn ByteSource,
    page: PageRef,
    budget: Budget,
    notes: &Notes,
) -> Result<Settled> {
    let page = Page::read(file, page, source.byte_len(), &budget)?;
    let metadata = Rc::new(metadata::read(file, &page, &budget, notes)?);
    Ok(Settled { page, metadata, budget })
}

fn stored(page: &Page) -> Stored {
    let channels = match page.meaning {
        Meaning::Palette(_) | Meaning::LogLuv24 | Meaning::LogLuv32 => page.row_format().count(),
        _ => usize::from(page.samples_per_pixel).min(4),
    };
    // LogLuv's tags state 16 bits, independent of the code's width.
    let is_code = matches!(page.meaning, Meaning::LogLuv24 | Meaning::LogLuv32);
    let depth = if is_code { 16 } else { page.stored_bits as u8 };
    Stored { depth, channels: channels as u8 }
}

impl ImageReader for Reader<'_> {
    fn info(&self) -> &ImageInfo {
        &self.info
    }

    fn next_frame(&mut self, _: &Wanted) -> Result<Option<Frame<'_>>> {
        let Some(&page) = self.pages.get(self.next) else { return Ok(None) };
        // The previous page is dropped first, so that two are never held.
        self.current = None;
        self.next += 1;
        let settled = match self.first.take() {
            Some(first) => first,
            None => settle(&mut self.file, self.source, page, self.budget.scope(), &self.notes)?,
        };
        let Settled { page, metadata, budget } = settled;
        let info = FrameInfo { orientation: page.orientation, ..FrameInfo::new(page.size, page.row_format()) };
        self.current = Some(Current { rows: Rows::new(self.source, page, &budget)?, _budget: budget });
        Ok(Some(Frame::new(info, metadata, self)))
    }
}

impl RowReader for Reader<'_> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        let Some(Current { rows, .. }) = &mut self.current else {
            return Err(Error::Contradiction("a row before its page"));
        };
        let before = rows.damaged();
        rows.read(row)?;
        let (damaged, of) = (rows.damaged(), rows.page().size.height);
        if damaged > before {
            self.notes.warn(Warning::Truncated { rows: of - damaged, of });
        }
        Ok(())
    }
}
