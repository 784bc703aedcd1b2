//! Writing. Strips are written as their rows come, and all directories at the end of the file, last page first, because
//! each contains the offset of the next. Only then is it known whether the file needs BigTIFF's long offsets. 16 bytes
//! at the start are reserved for the header, the only part that is patched.
//!
//! The same pixels give the same bytes on every machine: `weezl` has one way to code, and the crate `deflate` explains
//! why `zlib-rs` gives the same bytes too.

mod exif;
mod metadata;
mod options;
mod strip;
#[cfg(test)]
mod tests;

use ifd::{Builder, Form, Kind, Layout, Order, Output, Value, tag};
use raster::{Budget, ByteSink, Error, FrameHeader, ImageSpec, ImageWriter, Metadata, Result, limits};

pub use self::options::{Compression, Options};
use self::strip::{Coder, difference};

/// The bytes of a strip before compression: few enough to hold, enough to decide by the first strip whether differences
/// help (half as many misjudged some photographs, which cost 3 % of all bytes). A longer row is a strip of its own.
const STRIP: u64 = 256 * 1024;

/// The memory of the entries that every page has, while its directory waits for the end of the file.
const WAITING: u64 = 2 * 1024;
/// The memory of other entries for each byte in the file: up to 100 bytes for the 20 of an entry.
const WAITING_PER_BYTE: u64 = 5;

pub(crate) struct Writer<'a> {
    output: Output<'a>,
    budget: Budget,
    compression: Compression,
    coder: Coder,
    /// The directories of whole pages.
    directories: Vec<Builder>,
    page: Option<Page>,
    /// The rows of the current strip.
    strip: Vec<u8>,
}

/// The page that is being written.
struct Page {
    header: FrameHeader,
    directory: Builder,
    rows_per_strip: u32,
    /// The offset of each strip; 0 for strips that are not written yet.
    offsets: Vec<u64>,
    /// The number of bytes of each strip.
    lengths: Vec<u64>,
    /// The number of strips written.
    strips: usize,
    /// Whether strips contain differences of neighbours; the first strip decides.
    differences: Option<bool>,
    /// The number of rows received.
    taken: u32,
    /// The number of bytes of `strip` that are filled.
    filled: usize,
}

impl<'a> Writer<'a> {
    pub(crate) fn create(sink: &'a mut dyn ByteSink, spec: &ImageSpec<'_>, options: &Options) -> Result<Self> {
        check(&FrameHeader::new(spec.size, spec.pixels))?;
        let coder = Coder::new(options.compression, spec.budget)?;
        Ok(Self {
            output: Output::new(sink, &[0; Layout::LONGEST_HEADER])?,
            budget: spec.budget.clone(),
            compression: options.compression,
            coder,
            directories: Vec::new(),
            page: None,
            strip: Vec::new(),
        })
    }

    /// Writes the full strip, or the last one.
    fn write_strip(&mut self, page: &mut Page) -> Result<()> {
        let strip = &mut self.strip[..page.filled];
        let (row_len, pixels) = (page.header.row_bytes() as usize, page.header.pixels);
        let differences = match page.differences {
            Some(settled) => settled,
            None => *page.differences.insert(self.coder.is_helped_by_differences(strip, row_len, pixels)?),
        };
        if differences {
            difference(strip, row_len, pixels);
        }
        let start = self.output.position();
        self.coder.code(strip, |piece| self.output.write(piece))?;
        page.offsets[page.strips] = start;
        page.lengths[page.strips] = self.output.position() - start;
        page.strips += 1;
        page.filled = 0;
        Ok(())
    }

    /// Adds page numbers to files of several pages.
    fn number_pages(&mut self) {
        const PAGE: u32 = 2;
        let pages = self.directories.len();
        if pages == 1 {
            return;
        }
        let of = u16::try_from(pages);
        for (number, directory) in (0..).zip(&mut self.directories) {
            directory.long(tag::NEW_SUBFILE_TYPE, PAGE);
            if let Ok(of) = of {
                directory.shorts(tag::PAGE_NUMBER, &[number, of]);
            }
        }
    }

    /// Ends the file in the form that its length requires, or in a longer one.
    fn finish_as(mut self, at_least: Form) -> Result<()> {
        self.number_pages();
        let len = self.output.position() + self.directories.iter().map(Builder::max_len).sum::<u64>();
        let form = if len > u64::from(u32::MAX) { Form::Big } else { at_least };
        let mut next = 0;
        for directory in self.directories.iter_mut().rev() {
            next = directory.write(&mut self.output, form, next)?;
        }
        self.output.patch(0, &Layout { order: Order::Little, form }.header(next))
    }
}

/// Refuses a page that the format does not support.
fn check(header: &FrameHeader) -> Result<()> {
    limits::check_size(header.size, limits::MAX_SIDE)
}

impl Page {
    fn new(header: &FrameHeader, directory: Builder, budget: &Budget) -> Result<Self> {
        let height = header.size.height;
        let rows_per_strip = (STRIP / header.row_bytes()).clamp(1, height.into()) as u32;
        let strips = u64::from(height.div_ceil(rows_per_strip));
        // Both lists, and the bytes of one list when they are written.
        budget.charge(WAITING + WAITING_PER_BYTE * directory.max_len() + 8 * strips)?;
        let (offsets, lengths) = (budget.filled(strips, 0)?, budget.filled(strips, 0)?);
        let (strips, differences, taken, filled) = (0, None, 0, 0);
        Ok(Self { header: *header, directory, rows_per_strip, offsets, lengths, strips, differences, taken, filled })
    }

    /// Returns the directory, complete except for entries that depend on the whole file.
    fn into_directory(mut self, compression: Compression) -> Builder {
        let FrameHeader { size, pixels, .. } = self.header;
        let channels = pixels.channels;
        let directory = &mut self.directory;
        directory.long(tag::IMAGE_WIDTH, size.width);
        directory.long(tag::IMAGE_LENGTH, size.height);
        directory.shorts(tag::BITS_PER_SAMPLE, &[pixels.depth.bits().into(); 4][..channels.count()]);
        directory.shorts(tag::COMPRESSION, &[compression.number()]);
        directory.shorts(tag::PHOTOMETRIC, &[if channels.has_color() { 2 } else { 1 }]);
        directory.shorts(tag::ORIENTATION, &[1]);
        directory.shorts(tag::SAMPLES_PER_PIXEL, &[channels.count() as u16]);
        directory.long(tag::ROWS_PER_STRIP, self.rows_per_strip);
        directory.push(tag::STRIP_OFFSETS, Kind::LONG, Value::Offsets(self.offsets));
        directory.push(tag::STRIP_BYTE_COUNTS, Kind::LONG, Value::Offsets(self.lengths));
        directory.shorts(tag::PLANAR_CONFIGURATION, &[1]);
        if self.differences == Some(true) {
            directory.shorts(tag::PREDICTOR, &[2]);
        }
        if channels.has_alpha() {
            const UNASSOCIATED: u16 = 2;
            directory.shorts(tag::EXTRA_SAMPLES, &[UNASSOCIATED]);
        }
        self.directory
    }
}

impl ImageWriter for Writer<'_> {
    fn begin_frame(&mut self, header: &FrameHeader, metadata: &Metadata) -> Result<()> {
        check(header)?;
        let directory = metadata::directory(metadata, &mut self.output)?;
        let page = Page::new(header, directory, &self.budget)?;
        let strip = u64::from(page.rows_per_strip) * header.row_bytes();
        if (self.strip.len() as u64) < strip {
            self.strip = self.budget.filled(strip, 0)?;
        }
        self.page = Some(page);
        Ok(())
    }

    fn write_row(&mut self, row: &[u8]) -> Result<()> {
        let Some(mut page) = self.page.take() else { return Err(Error::Contradiction("a row without a page")) };
        self.strip[page.filled..][..row.len()].copy_from_slice(row);
        page.filled += row.len();
        page.taken += 1;
        let last = page.taken == page.header.size.height;
        if last || page.taken.is_multiple_of(page.rows_per_strip) {
            self.write_strip(&mut page)?;
        }
        if last {
            self.directories.push(page.into_directory(self.compression));
        } else {
            self.page = Some(page);
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.finish_as(Form::Classic)
    }
}
