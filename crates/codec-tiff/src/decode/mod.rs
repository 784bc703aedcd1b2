//! Reading. `open` walks the directories and settles all that decides how the first page's rows come; each page is
//! settled when its turn comes. A row's way: `input` takes bytes from the file, `codec` decompresses them to lines,
//! `predictor` undoes differences and byte order, `unpack` makes numbers of samples, `color` makes stored pixels of
//! numbers. `rows` leads through all of it.

mod allowance;
mod codec;
mod color;
mod exif;
mod grid;
mod ifd;
mod input;
mod jpeg;
mod lab;
mod logluv;
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

use raster::{
    Budget, ByteSource, Format, Frame, FrameInfo, ImageInfo, ImageReader, Metadata, Result, RowReader, Sequence, Size,
    Stored, Warning,
};

use self::allowance::Allowance;
use self::ifd::Ifds;
use self::page::Page;
use self::pages::Place;
use self::rows::Rows;

pub(crate) struct Reader<'a> {
    source: &'a dyn ByteSource,
    ifds: Ifds<'a>,
    allowance: Allowance,
    places: Vec<Place>,
    /// Pages handed out.
    next: usize,
    info: ImageInfo,
    current: Rows<'a>,
    metadata: Rc<Metadata>,
    /// Damaged rows of all pages, and rows of all pages begun.
    damaged: u32,
}

impl<'a> Reader<'a> {
    pub(crate) fn open(source: &'a dyn ByteSource, budget: &Budget) -> Result<Self> {
        let (mut ifds, first) = Ifds::open(source)?;
        let (places, is_damaged) = pages::walk(&mut ifds, first)?;
        let mut allowance = Allowance::new(budget);
        let (rows, metadata, mut warnings) = begin(source, &mut ifds, places[0], &mut allowance)?;
        if is_damaged {
            warnings.push(Warning::Skipped("page"));
        }
        let page = rows.page();
        let upright: Vec<Size> = places.iter().map(|place| place.orientation.turn(place.size)).collect();
        let info = ImageInfo {
            format: Format::Tiff,
            size: page.size,
            frames: places.len() as u32,
            sequence: if places.len() > 1 { Sequence::Pages } else { Sequence::Single },
            frame_sizes: if upright.iter().all(|size| *size == upright[0]) { Vec::new() } else { upright },
            stored: stored(page),
            row_format: page.row_format(),
            orientation: page.orientation,
            metadata: Rc::clone(&metadata),
            quality: None,
            working_set: allowance.peak(),
            warnings,
        };
        Ok(Self { source, ifds, allowance, places, next: 0, info, current: rows, metadata, damaged: 0 })
    }
}

/// Settles a page and allocates what its rows take.
fn begin<'a>(
    source: &'a dyn ByteSource,
    ifds: &mut Ifds<'a>,
    place: Place,
    allowance: &mut Allowance,
) -> Result<(Rows<'a>, Rc<Metadata>, Vec<Warning>)> {
    let budget = allowance.begin();
    let page = Page::read(ifds, place, source.byte_len(), &budget)?;
    let mut warnings = Vec::new();
    let metadata = metadata::read(ifds, &page, &budget, &mut warnings)?;
    let rows = Rows::new(source, page, &budget)?;
    allowance.settle()?;
    Ok((rows, Rc::new(metadata), warnings))
}

fn stored(page: &Page) -> Stored {
    let channels = match page.meaning {
        page::Meaning::Palette(_) | page::Meaning::LogLuv24 | page::Meaning::LogLuv32 => page.row_format().count(),
        _ => usize::from(page.samples_per_pixel).min(4),
    };
    // LogLuv's tags say 16 whatever a code has.
    let is_code = matches!(page.meaning, page::Meaning::LogLuv24 | page::Meaning::LogLuv32);
    let depth = if is_code { 16 } else { page.samples.bits() as u8 };
    Stored { depth, channels: channels as u8 }
}

impl ImageReader for Reader<'_> {
    fn info(&self) -> &ImageInfo {
        &self.info
    }

    fn next_frame(&mut self) -> Result<Option<Frame<'_>>> {
        let Some(&place) = self.places.get(self.next) else { return Ok(None) };
        if self.next > 0 {
            self.next += 1;
            let (rows, metadata, warnings) = begin(self.source, &mut self.ifds, place, &mut self.allowance)?;
            warnings.into_iter().for_each(|warning| self.info.warn(warning));
            (self.current, self.metadata) = (rows, metadata);
        } else {
            self.next = 1;
        }
        let page = self.current.page();
        let info = FrameInfo { orientation: page.orientation, ..FrameInfo::new(page.size, page.row_format()) };
        Ok(Some(Frame { info, metadata: Rc::clone(&self.metadata), rows: self }))
    }
}

impl RowReader for Reader<'_> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        let before = self.current.damaged();
        self.current.read(row)?;
        self.allowance.settle()?;
        if self.current.was_flattened {
            self.info.warn(Warning::Flattened);
        }
        if self.current.damaged() > before {
            self.warn_of_damage();
        }
        Ok(())
    }
}

impl Reader<'_> {
    /// One warning counts the damaged rows of the page that has most.
    fn warn_of_damage(&mut self) {
        let damaged = self.current.damaged();
        if damaged <= self.damaged {
            return;
        }
        self.damaged = damaged;
        let of = self.current.page().size.height;
        self.info.warnings.retain(|warning| !matches!(warning, Warning::Truncated { .. }));
        self.info.warn(Warning::Truncated { rows: of - damaged, of });
    }
}
