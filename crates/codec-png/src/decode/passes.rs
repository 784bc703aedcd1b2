//! Reading of interlaced pictures row by row, without a buffer for a whole picture.
//!
//! Adam7 stores seven small pictures one after the other. A file can be read at any position by any number of cursors.
//! Therefore each pass has its own inflate stream, which skips to its pass once and then returns a line whenever a row
//! needs one. Pass k inflates everything up to its own end: 1/64 + 2/64 + 4/64 + 8/64 + 16/64 + 32/64 + 64/64, about
//! twice the work of one stream, in memory that depends on the width only.

use raster::{Budget, ByteSource, Error, PixelFormat, Result};

use super::data::DataStart;
use super::expand::Expand;
use super::lines::Lines;
use crate::adam7::Pass;
use crate::error::Cause;
use crate::header::Header;

/// The stream of one pass.
struct PassReader<'a> {
    pass: Pass,
    lines: Lines<'a>,
    /// The number of pixels in a line.
    width: u32,
    /// The raw bytes to skip before the first line.
    before: u64,
    /// Whether the stream is damaged: this pass and the later ones return no more lines.
    broken: bool,
}

/// All passes that have pixels.
pub(crate) struct Passes<'a> {
    passes: Vec<PassReader<'a>>,
    expand: Expand,
    /// The bytes of an expanded pixel.
    pixel: usize,
    /// An expanded line of a pass.
    sparse: Vec<u8>,
    /// The previous row.
    above: Vec<u8>,
    next: u32,
}

impl<'a> Passes<'a> {
    /// Returns the bytes of memory for reading.
    pub(crate) fn memory(header: Header, pixels: PixelFormat) -> u64 {
        let planes = Pass::ALL.iter().map(|pass| pass.size(header.size)).filter(|size| !size.is_empty());
        let lines: u64 = planes.map(|size| Lines::memory(header, size.width)).sum();
        lines + 2 * pixels.row_bytes(header.size.width)
    }

    /// Creates the passes of an interlaced picture.
    pub(crate) fn new(
        source: &'a dyn ByteSource,
        start: DataStart,
        (header, pixels): (Header, PixelFormat),
        expand: Expand,
        budget: &Budget,
    ) -> Result<Self> {
        let row_bytes = pixels.row_bytes(header.size.width);
        let mut passes = Vec::with_capacity(Pass::ALL.len());
        let mut before = 0;
        for pass in Pass::ALL {
            let size = pass.size(header.size);
            if !size.is_empty() {
                let lines = Lines::new(source, start, header, size.width, budget)?;
                passes.push(PassReader { pass, lines, width: size.width, before, broken: false });
            }
            before += header.pass_bytes(pass);
        }
        Ok(Self {
            passes,
            expand,
            pixel: pixels.bytes(),
            sparse: budget.filled(row_bytes, 0)?,
            above: budget.filled(row_bytes, 0)?,
            next: 0,
        })
    }

    /// Reads the next row; returns false when some of its pixels were not in the file. Missing pixels are copied from
    /// their neighbours of earlier passes: the pixel to the left, or the row above when the whole row is missing.
    /// Browsers show the same coarse picture while a file loads.
    ///
    /// # Errors
    /// `Malformed` when the first line of the first pass cannot be read; `Io`.
    pub(crate) fn read(&mut self, row: &mut [u8]) -> Result<bool> {
        let y = self.next;
        let mut whole = true;
        for plane in self.passes.iter_mut().filter(|plane| plane.pass.meets(y)) {
            let sparse = &mut self.sparse[..plane.width as usize * self.pixel];
            match plane.line(&self.expand, sparse) {
                Ok(()) => scatter(plane.pass, self.pixel, sparse, row),
                Err(Error::Malformed { .. }) if y > 0 || plane.pass.x0 > 0 => {
                    plane.broken = true;
                    whole = false;
                    if plane.pass.x0 == 0 {
                        row.copy_from_slice(&self.above);
                        break;
                    }
                    fill_from_left(plane.pass, self.pixel, row);
                }
                Err(error) => return Err(error),
            }
        }
        self.above.copy_from_slice(row);
        self.next += 1;
        Ok(whole)
    }

    /// See [`Lines::last_crc_is_sound`]; the last pass ends at the end of the data.
    pub(crate) fn last_crc_is_sound(&mut self) -> Result<bool> {
        self.passes.last_mut().map_or(Ok(true), |plane| plane.lines.last_crc_is_sound())
    }
}

impl PassReader<'_> {
    fn line(&mut self, expand: &Expand, sparse: &mut [u8]) -> Result<()> {
        if self.broken {
            return Err(Cause::DataEnds.at(0));
        }
        self.lines.skip(core::mem::take(&mut self.before))?;
        expand.line(self.lines.next()?, sparse);
        Ok(())
    }
}

/// Copies a pass's pixels to their positions in the row.
fn scatter(pass: Pass, pixel: usize, sparse: &[u8], row: &mut [u8]) {
    match pixel {
        1 => scatter_by::<1>(pass, sparse, row),
        2 => scatter_by::<2>(pass, sparse, row),
        3 => scatter_by::<3>(pass, sparse, row),
        4 => scatter_by::<4>(pass, sparse, row),
        6 => scatter_by::<6>(pass, sparse, row),
        _ => scatter_by::<8>(pass, sparse, row),
    }
}

fn scatter_by<const N: usize>(pass: Pass, sparse: &[u8], row: &mut [u8]) {
    let places = row.as_chunks_mut::<N>().0.iter_mut().skip(pass.x0 as usize).step_by(pass.dx as usize);
    for (place, pixel) in places.zip(sparse.as_chunks::<N>().0) {
        *place = *pixel;
    }
}

/// Fills a pass's positions with the pixels `x0` columns to their left, which earlier passes have set.
fn fill_from_left(pass: Pass, pixel: usize, row: &mut [u8]) {
    let (step, from) = (pass.dx as usize * pixel, pass.x0 as usize * pixel);
    for place in (from..row.len()).step_by(step) {
        row.copy_within(place - from..place - from + pixel, place);
    }
}
