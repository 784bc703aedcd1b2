//! The rows of one page: segments are decompressed line by line, planes in step, and lines become stored pixels. One
//! line of strips is held, or one row of tiles. When a line of data already is a row, it is decompressed directly into
//! the caller's buffer.

use raster::{Budget, ByteSource, Error, Result};

use super::codec::{self, Decompress, Segment, decompressor};
use super::color::{Color, straighten_bytes};
use super::grid::Location;
use super::meaning::{Alpha, Meaning, Samples};
use super::page::Page;
use super::predictor::Undo;
use super::unpack::{self, Unpack};
use crate::error::{Cause, is_damage};

pub(super) struct Rows<'a> {
    page: Page,
    planes: Vec<Plane<'a>>,
    conversion: Conversion,
    /// The number of rows returned.
    next: u32,
    /// The number of damaged or missing rows.
    damaged: u32,
}

/// The conversion of lines to stored pixels.
enum Conversion {
    /// Lines are rows, which are finished in place.
    InPlace(Finish),
    /// Lines contain greys of less than eight bits: their width in bits, and the levels of each byte's greys.
    Greys(u32, Vec<u8>),
    /// Lines contain units of luma and chroma.
    Units(Color),
    /// Lines contain LogLuv codes.
    Codes(Color),
    /// Samples are unpacked to `stride` numbers a pixel, which are then converted to colours.
    Numbers { unpack: Unpack, color: Color, numbers: Vec<u16>, stride: usize },
}

/// The remaining steps of a line that is a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Finish {
    Nothing,
    Invert,
    /// Divide colours by alpha, the last byte of a pixel of this many bytes.
    Straighten(usize),
}

impl<'a> Rows<'a> {
    /// Allocates the buffers of the page.
    ///
    /// # Errors
    /// `Unsupported`, `Limit`.
    pub(super) fn new(source: &'a dyn ByteSource, page: Page, budget: &Budget) -> Result<Self> {
        let indices = used_planes(&page);
        let stride = if page.is_planar { indices.len() } else { page.samples_per_pixel.into() };
        let conversion = Conversion::new(&page, stride, budget)?;
        let is_direct = matches!(conversion, Conversion::InPlace(_));
        let planes = indices.into_iter().map(|index| Plane::new(source, &page, index, is_direct, budget));
        let planes = planes.collect::<Result<_>>()?;
        Ok(Self { page, planes, conversion, next: 0, damaged: 0 })
    }

    /// Returns the bytes that [`Rows::new`] charges for such a page.
    pub(super) fn memory(source: &dyn ByteSource, page: &Page) -> u64 {
        let planes = used_planes(page).len() as u64;
        let stride = if page.is_planar { planes } else { page.samples_per_pixel.into() };
        let is_direct = Finish::for_lines_of(page).is_some();
        let numbers = if is_direct || !Conversion::has_numbers(page) { 0 } else { 2 * stride };
        let plane = held_bytes(page, is_direct) + Undo::memory(page, page.line_bytes(page.grid.width));
        planes * (plane + codec::memory(source, page)) + numbers * u64::from(page.size.width)
    }

    pub(super) const fn page(&self) -> &Page {
        &self.page
    }

    pub(super) const fn damaged(&self) -> u32 {
        self.damaged
    }

    /// Writes the next row.
    ///
    /// # Errors
    /// `Malformed` when not even the first row can be read, `Io`, `Limit`.
    pub(super) fn read(&mut self, row: &mut [u8]) -> Result<()> {
        let (page, y) = (&self.page, self.next);
        let is_good = if matches!(self.conversion, Conversion::InPlace(_)) && !page.grid.is_tiled {
            self.planes[0].strip_line(page, y, row)?
        } else {
            self.hold(y)?
        };
        if y == 0 && !is_good {
            self.check_first_row()?;
        }
        self.finish(y, row);
        self.damaged += u32::from(!is_good);
        self.next += 1;
        Ok(())
    }

    /// Loads the planes' lines of row `y`; returns whether all of them are whole.
    fn hold(&mut self, y: u32) -> Result<bool> {
        let mut is_good = true;
        for plane in &mut self.planes {
            is_good &= plane.hold(&self.page, y)?;
        }
        Ok(is_good)
    }

    /// Refuses a picture without any data for the first row.
    fn check_first_row(&mut self) -> Result<()> {
        if self.planes.iter().any(|plane| plane.has_data) {
            return Ok(());
        }
        let failure = self.planes.iter_mut().find_map(|plane| plane.failure.take());
        Err(failure.unwrap_or_else(|| Cause::NoRow.at(self.page.directory.at)))
    }

    /// Converts the loaded lines to row `y`.
    fn finish(&mut self, y: u32, row: &mut [u8]) {
        let page = &self.page;
        let within = y % page.grid.height;
        match &mut self.conversion {
            Conversion::InPlace(finish) => {
                if page.grid.is_tiled {
                    row.copy_from_slice(&self.planes[0].line(page, within)[..row.len()]);
                }
                finish.apply(row);
            }
            Conversion::Greys(bits, levels) => unpack::greys(self.planes[0].line(page, within), *bits, levels, row),
            Conversion::Units(color) => {
                color.units(self.planes[0].line(page, within), within % page.rows_per_line(), row);
            }
            Conversion::Codes(color) => color.codes(self.planes[0].line(page, within), row),
            Conversion::Numbers { unpack, color, numbers, stride } => {
                let step = if page.is_planar { *stride } else { 1 };
                for (i, plane) in self.planes.iter().enumerate() {
                    unpack.line(plane.line(page, within), &mut numbers[i..], step);
                }
                color.row(numbers, *stride, row);
            }
        }
    }
}

/// Returns the planes whose samples the rows contain: all existing planes when samples are interleaved.
fn used_planes(page: &Page) -> Vec<u16> {
    if !page.is_planar {
        return vec![0];
    }
    let colors = page.meaning.colors();
    (0..colors).chain(page.alpha.map(|alpha| alpha.index)).collect()
}

impl Conversion {
    fn new(page: &Page, stride: usize, budget: &Budget) -> Result<Self> {
        if let Some(finish) = Finish::for_lines_of(page) {
            return Ok(Self::InPlace(finish));
        }
        if let Some((bits, white_is_zero)) = few_bits(page) {
            return Ok(Self::Greys(bits, unpack::levels(bits, white_is_zero)));
        }
        let mut color = Color::new(page);
        match &page.meaning {
            Meaning::YCbCr(code) if code.across * code.down > 1 => return Ok(Self::Units(color)),
            Meaning::LogL | Meaning::LogLuv24 | Meaning::LogLuv32 => return Ok(Self::Codes(color)),
            _ => {}
        }
        if page.is_planar {
            // Alpha's plane was put behind the colours' planes.
            color.move_alpha(page.meaning.colors());
        }
        let numbers = budget.filled(u64::from(page.size.width).saturating_mul(stride as u64), 0)?;
        Ok(Self::Numbers { unpack: Unpack::new(page), color, numbers, stride })
    }

    /// Whether lines of such a page are unpacked to numbers before they become rows.
    fn has_numbers(page: &Page) -> bool {
        let is_coded = match &page.meaning {
            Meaning::YCbCr(code) => code.across * code.down > 1,
            meaning => meaning.is_logarithmic(),
        };
        !is_coded && few_bits(page).is_none()
    }
}

/// Returns the bits of a grey, and whether 0 is white, for pages of greys of less than eight bits only.
fn few_bits(page: &Page) -> Option<(u32, bool)> {
    match (&page.meaning, page.samples, page.alpha, page.samples_per_pixel) {
        (Meaning::Gray { white_is_zero }, Samples::Whole(bits @ (1 | 2 | 4)), None, 1) => {
            Some((bits.into(), *white_is_zero))
        }
        _ => None,
    }
}

/// Returns the bytes of lines that a plane holds: a row of tiles, or a line of a strip unless it goes into the caller's
/// row.
fn held_bytes(page: &Page, is_direct: bool) -> u64 {
    let (grid, line_bytes) = (&page.grid, page.line_bytes(page.grid.width));
    if grid.is_tiled {
        let lines = grid.height.min(page.size.height).div_ceil(page.rows_per_line());
        line_bytes.saturating_mul(grid.across.into()).saturating_mul(lines.into())
    } else if is_direct {
        0
    } else {
        line_bytes
    }
}

impl Finish {
    /// Returns the remaining steps of lines that are rows, or `None` when they are not.
    fn for_lines_of(page: &Page) -> Option<Self> {
        let is_sized = matches!(page.samples, Samples::Whole(8 | 16));
        let samples = page.row_format().count();
        if page.is_planar || !is_sized || usize::from(page.samples_per_pixel) != samples {
            return None;
        }
        match (&page.meaning, page.alpha) {
            (Meaning::Gray { white_is_zero: true }, None) => Some(Self::Invert),
            (Meaning::Gray { white_is_zero: true }, _) => None,
            (Meaning::Gray { .. } | Meaning::Rgb, Some(Alpha { is_associated: true, .. })) => {
                (page.samples == Samples::Whole(8)).then_some(Self::Straighten(samples))
            }
            (Meaning::Cmyk, Some(Alpha { is_associated: true, .. })) => None,
            (Meaning::Gray { .. } | Meaning::Rgb | Meaning::Cmyk, _) => Some(Self::Nothing),
            _ => None,
        }
    }

    fn apply(self, row: &mut [u8]) {
        match self {
            Self::Nothing => {}
            Self::Invert => row.iter_mut().for_each(|byte| *byte = !*byte),
            Self::Straighten(2) => straighten_bytes::<2>(row),
            Self::Straighten(_) => straighten_bytes::<4>(row),
        }
    }
}

/// The state of the current segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Its lines are being read.
    Reading,
    /// It was left out on purpose, and its lines are zeros.
    Blank,
    /// Its data are damaged or missing.
    Lost,
}

/// One plane of samples, or all samples when they are interleaved.
struct Plane<'a> {
    index: u16,
    codec: Box<dyn Decompress + 'a>,
    undo: Undo,
    /// One line of a strip, or the lines of a row of tiles.
    lines: Vec<u8>,
    /// The bytes in a line of a segment.
    line_bytes: usize,
    /// The number of whole lines in the row of tiles; for a strip 1 if the last line is whole, else 0.
    good: u32,
    state: State,
    /// Whether any line was decoded.
    has_data: bool,
    /// The first error.
    failure: Option<Error>,
}

impl<'a> Plane<'a> {
    fn new(source: &'a dyn ByteSource, page: &Page, index: u16, is_direct: bool, budget: &Budget) -> Result<Self> {
        let line_bytes = page.line_bytes(page.grid.width);
        budget.charge(Undo::memory(page, line_bytes))?;
        let lines = budget.filled(held_bytes(page, is_direct), 0)?;
        Ok(Self {
            index,
            codec: decompressor(source, page, budget)?,
            undo: Undo::new(page),
            lines,
            line_bytes: line_bytes as usize,
            good: 0,
            state: State::Lost,
            has_data: false,
            failure: None,
        })
    }

    /// Loads the data of row `y`, unless they are loaded; returns whether they are whole.
    fn hold(&mut self, page: &Page, y: u32) -> Result<bool> {
        let within = y % page.grid.height;
        if page.grid.is_tiled {
            if within == 0 {
                self.row_of_tiles(page, y)?;
            }
            return Ok(within / page.rows_per_line() < self.good);
        }
        if within.is_multiple_of(page.rows_per_line()) {
            let mut line = core::mem::take(&mut self.lines);
            let is_good = self.strip_line(page, y, &mut line);
            self.lines = line;
            self.good = u32::from(is_good?);
        }
        Ok(self.good == 1)
    }

    /// Returns the loaded line of the row that is `within` rows below the top of its segments.
    fn line(&self, page: &Page, within: u32) -> &[u8] {
        if !page.grid.is_tiled {
            return &self.lines;
        }
        let bytes = self.line_bytes * page.grid.across as usize;
        &self.lines[(within / page.rows_per_line()) as usize * bytes..][..bytes]
    }

    /// Reads the line of strips at row `y`; returns whether it is whole.
    fn strip_line(&mut self, page: &Page, y: u32, line: &mut [u8]) -> Result<bool> {
        if y.is_multiple_of(page.grid.height) {
            self.begin(page, 0, y / page.grid.height)?;
        }
        self.fill(line)
    }

    /// Reads all lines of the row of tiles that starts at row `y`.
    fn row_of_tiles(&mut self, page: &Page, y: u32) -> Result<()> {
        let grid = &page.grid;
        let count = grid.rows(y / grid.height, page.size.height).div_ceil(page.rows_per_line());
        let mut lines = core::mem::take(&mut self.lines);
        self.good = count;
        for x in 0..grid.across {
            self.begin(page, x, y / grid.height)?;
            let places = lines.chunks_exact_mut(self.line_bytes).skip(x as usize).step_by(grid.across as usize);
            for (i, line) in places.take(count as usize).enumerate() {
                if !self.fill(line)? {
                    self.good = self.good.min(i as u32);
                }
            }
        }
        self.lines = lines;
        Ok(())
    }

    /// Goes to a segment. A damaged or missing segment is lost; one that was left out on purpose is blank.
    fn begin(&mut self, page: &Page, x: u32, y: u32) -> Result<()> {
        let grid = &page.grid;
        let rows = if grid.is_tiled { grid.height } else { grid.rows(y, page.size.height) };
        let span = match grid.location(self.index, x, y) {
            Location::At(span) => span,
            Location::Blank => {
                (self.state, self.has_data) = (State::Blank, true);
                return Ok(());
            }
            Location::Unknown => return self.lose(Cause::NoRow.at(page.directory.at)),
        };
        let bytes = self.line_bytes as u64 * u64::from(rows.div_ceil(page.rows_per_line()));
        self.state = State::Reading;
        match self.codec.begin(&Segment { span, width: grid.width, rows, bytes }) {
            Err(error) if is_damage(&error) => self.lose(error),
            done => done,
        }
    }

    fn lose(&mut self, error: Error) -> Result<()> {
        self.state = State::Lost;
        self.failure.get_or_insert(error);
        Ok(())
    }

    /// Reads the next line of the segment, blank where it is lost; returns whether it is whole.
    fn fill(&mut self, line: &mut [u8]) -> Result<bool> {
        if self.state == State::Reading {
            match self.codec.fill(line) {
                Ok(()) => {
                    self.undo.line(line);
                    self.has_data = true;
                    return Ok(true);
                }
                Err(error) if is_damage(&error) => self.lose(error)?,
                Err(error) => return Err(error),
            }
        }
        line.fill(0);
        Ok(self.state == State::Blank)
    }
}
