//! The samples of a frame, decoded one row of MCUs at a time: all scans are read side by side, so that memory depends
//! on the width of the picture only. The steps are those of libjpeg: coefficients, inverse transform, upsampling,
//! colour.

use std::rc::Rc;

use raster::{Budget, ByteSource, Result, Size};

use super::coefficients::Coefficients;
use super::components::{self, Components};
use super::frame::{Coding, Model};
use super::head::Head;
use super::scale::Scale;
use super::scan::Scan;
use super::scans::{SCAN_MEMORY, read_scans};
use super::smooth::{self, Knowledge};
use crate::error::{Cause, unsupported};

/// The samples of a frame, row by row: grey, RGB (YCbCr is converted), or four components as they are stored. Samples
/// of more than 8 bits are scaled to 16; of these, YCCK is converted to inks.
pub(crate) struct Samples<'a> {
    model: Model,
    size: Size,
    /// The number of rows of MCUs, and of rows of the picture in each.
    mcu_rows: u32,
    mcu_height: u32,
    scans: Vec<Scan<'a>>,
    components: Components,
    /// The coefficients of each component; empty if blocks are transformed at once.
    coefficients: Vec<Coefficients>,
    /// What is known of each component, if its blocks are smoothed.
    smoothing: Option<Vec<Knowledge>>,
    /// The number of rows of MCUs that were entropy-decoded, that were transformed, and up to the last one with data.
    entered: u32,
    decoded: u32,
    readable: u32,
    /// The next row to return.
    next: u32,
    is_damaged: bool,
    has_stray: bool,
    scan_offset: u64,
}

/// Returns the bytes that decoding holds at once.
pub(crate) fn memory(head: &Head) -> u64 {
    let frame = &head.frame;
    let scans = match frame.coding {
        Coding::Progressive => 10, // as cjpeg writes; each further scan is charged when it is found
        _ if usize::from(head.scan_components) == frame.components.len() => 1,
        _ => frame.components.len() as u64,
    };
    let components = frame.components.iter().map(|component| {
        let blocks = if frame.has_coefficients() { Coefficients::count(frame, component) } else { 0 };
        // Smoothing charges more when it is found to be needed.
        components::memory(frame, component) + blocks * Coefficients::BLOCK_MEMORY
    });
    scans * SCAN_MEMORY + components.sum::<u64>()
}

impl<'a> Samples<'a> {
    /// Prepares the decoding of a picture at a scale.
    ///
    /// # Errors
    /// `Unsupported`, `Malformed` when the first scan's header is not valid, `Limit`, `Io`.
    pub(crate) fn new(source: Rc<dyn ByteSource + 'a>, head: &Head, scale: Scale, budget: &Budget) -> Result<Self> {
        check_supported(head)?;
        let frame = &head.frame;
        let mut found = read_scans(&source, head, budget)?;
        let components = Components::new(frame, &found.steps, scale, budget)?;
        let smoothing = smooth::knowledge(&found.scans, &components.steps());
        let mut coefficients = Vec::new();
        for component in frame.components.iter().filter(|_| frame.has_coefficients()) {
            let mcu_rows = if smoothing.is_some() { smooth::ROWS_HELD } else { 1 };
            coefficients.push(Coefficients::new(frame, component, mcu_rows, budget)?);
        }
        if smoothing.is_none() {
            found.scans.retain(|scan| components.need(scan));
        }
        Ok(Self {
            model: head.model,
            size: scale.size(frame.size),
            mcu_rows: frame.mcus().height,
            mcu_height: scale.mcu_height(frame),
            scans: found.scans,
            components,
            coefficients,
            smoothing,
            entered: 0,
            decoded: 0,
            readable: 0,
            next: 0,
            is_damaged: found.is_damaged,
            has_stray: found.has_stray,
            scan_offset: head.scan_offset,
        })
    }

    /// Writes the next row, or its left part that fits into `row`. Returns false and writes nothing when the data ended
    /// before.
    ///
    /// # Errors
    /// `Malformed` when there are no data for the first row, `Io`.
    pub(crate) fn read_row(&mut self, row: &mut [u8]) -> Result<bool> {
        let needs_next = self.components.need_next_row();
        let last = ((self.next + u32::from(needs_next)) / self.mcu_height).min(self.mcu_rows - 1);
        while self.decoded <= last && (self.decoded <= self.readable || !self.is_at_end()) {
            self.decode_mcu_row()?;
        }
        if self.readable == 0 {
            return Err(Cause::Scan("the file ends".into()).at(self.scan_offset));
        }
        if self.next >= self.readable_rows() && self.is_at_end() {
            return Ok(false);
        }
        self.components.write_row(self.model, self.next, row);
        self.next += 1;
        Ok(true)
    }

    /// Returns the number of rows from the top down to the last one with data, if the data are known to be damaged or
    /// incomplete.
    pub(crate) fn damaged_to(&self) -> Option<u32> {
        let readable = if self.is_at_end() { self.readable_rows() } else { self.size.height };
        (self.is_damaged || self.scans.iter().any(Scan::is_damaged)).then_some(readable)
    }

    /// Whether bytes were found so far that belong neither to a segment nor to the picture, which is not damaged.
    pub(crate) fn has_stray(&self) -> bool {
        self.damaged_to().is_none() && (self.has_stray || self.scans.iter().any(Scan::has_stray))
    }

    fn readable_rows(&self) -> u32 {
        (self.readable * self.mcu_height).min(self.size.height)
    }

    /// Whether no data can follow.
    fn is_at_end(&self) -> bool {
        self.entered > self.readable && self.scans.iter().all(Scan::is_at_end)
    }

    fn decode_mcu_row(&mut self) -> Result<()> {
        let mcu_row = self.decoded;
        let ahead = if self.smoothing.is_some() { smooth::ROWS_AHEAD } else { 0 };
        while self.entered <= (mcu_row + ahead).min(self.mcu_rows - 1) {
            self.enter_mcu_row()?;
        }
        let has_last = self.scans.last().is_some_and(|scan| scan.has_data_from(mcu_row));
        for (place, coefficients) in self.coefficients.iter().enumerate() {
            let known = self.smoothing.as_ref().map(|known| {
                let Knowledge { with_last, without_last } = &known[place];
                if has_last { with_last } else { without_last }
            });
            self.components.transform(place, coefficients, mcu_row, known);
        }
        self.decoded += 1;
        Ok(())
    }

    /// Reads the data of the next row of MCUs in all scans.
    fn enter_mcu_row(&mut self) -> Result<()> {
        let mcu_row = self.entered;
        self.coefficients.iter_mut().for_each(|coefficients| coefficients.clear(mcu_row));
        let mut has_data = false;
        for scan in &mut self.scans {
            has_data |= self.components.read(scan, mcu_row, &mut self.coefficients)?;
        }
        self.entered += 1;
        if has_data {
            self.readable = self.entered;
        }
        Ok(())
    }
}

/// Refuses codings that are not supported.
fn check_supported(head: &Head) -> Result<()> {
    match head.frame.coding {
        Coding::Lossless if head.frame.is_arithmetic => {
            return Err(unsupported("lossless coding with arithmetic codes"));
        }
        Coding::Sequential | Coding::Progressive | Coding::Lossless => {}
        Coding::Hierarchical => return Err(unsupported("hierarchical coding")),
    }
    if head.model == Model::Other {
        return Err(unsupported("this number of components"));
    }
    Ok(())
}
