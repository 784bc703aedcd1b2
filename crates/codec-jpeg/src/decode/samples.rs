//! The samples of a frame, decoded one row of MCUs at a time: all scans are read side by side, so that memory depends
//! on the width of the picture only. The steps are those of libjpeg: coefficients, inverse transform, upsampling,
//! colour.

use std::rc::Rc;

use raster::{Budget, ByteSource, Result, Size};

use super::coefficients::{Coefficients, ToCoefficients};
use super::frame::{Coding, FrameHead, Model};
use super::head::Head;
use super::interleave::interleave;
use super::part::Part;
use super::plane::Plane;
use super::progressive::State;
use super::scale::Scale;
use super::scan::{Blocks, Place, Scan};
use super::scan_head::Pass;
use super::scans::{SCAN_MEMORY, read_scans};
use super::sequential::{self, Block};
use super::smooth::{self, Knowledge};
use super::upsample::Upsampling;
use crate::error::{Cause, unsupported};
use crate::zigzag::ZIGZAG;

/// The samples of a frame, row by row: grey, RGB (YCbCr is converted), or four components as they are stored.
pub(crate) struct Samples<'a> {
    model: Model,
    size: Size,
    /// The number of rows of MCUs, and of rows of the picture in each.
    mcu_rows: u32,
    mcu_height: u32,
    scans: Vec<Scan<'a>>,
    components: Vec<ComponentRows>,
    /// The coefficients of each component; empty when no coefficient comes in several scans.
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
    scan_offset: u64,
}

/// The rows of one component.
struct ComponentRows {
    plane: Plane,
    upsampling: Upsampling,
    /// An upsampled row.
    buffer: Vec<u8>,
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
        let blocks = if is_progressive(frame) { Coefficients::count(frame, component) } else { 0 };
        let coefficients = blocks * size_of::<Block>() as u64; // smoothing charges more when it is found to be needed
        Plane::memory(frame, component, Scale::FULL) + coefficients + buffer_len(frame)
    });
    scans * SCAN_MEMORY + components.sum::<u64>()
}

/// Whether coefficients come in several scans.
fn is_progressive(frame: &FrameHead) -> bool {
    frame.coding == Coding::Progressive
}

/// Returns the space for an upsampled row: a row can be longer than the picture by a sample.
const fn buffer_len(frame: &FrameHead) -> u64 {
    frame.size.width as u64 + 1
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
        let mut components = Vec::new();
        for (component, steps) in frame.components.iter().zip(&found.steps) {
            let mut plane = Plane::new(frame, component, scale, budget)?;
            for (number, step) in steps.iter().flatten().enumerate() {
                plane.steps[usize::from(ZIGZAG[number])] = *step as i16;
            }
            let buffer = budget.filled(buffer_len(frame), 0)?;
            components.push(ComponentRows { plane, upsampling: Upsampling::of(frame, component, scale), buffer });
        }
        let steps: Vec<&Block> = components.iter().map(|component| &component.plane.steps).collect();
        let smoothing = smooth::knowledge(&found.scans, &steps);
        let mut coefficients = Vec::new();
        for component in frame.components.iter().filter(|_| is_progressive(frame)) {
            let mcu_rows = if smoothing.is_some() { smooth::ROWS_HELD } else { 1 };
            coefficients.push(Coefficients::new(frame, component, mcu_rows, budget)?);
        }
        if smoothing.is_none() {
            found.scans.retain(|scan| is_needed(scan, &components));
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
            scan_offset: head.scan_offset,
        })
    }

    /// Writes the next row, or its left part that fits into `row`. Returns false and writes nothing when the data ended
    /// before.
    ///
    /// # Errors
    /// `Malformed` when there are no data for the first row, `Io`.
    pub(crate) fn read_row(&mut self, row: &mut [u8]) -> Result<bool> {
        let needs_next = self.components.iter().any(|component| component.upsampling.needs_next_row());
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
        self.write_row(row);
        self.next += 1;
        Ok(true)
    }

    /// Returns the number of rows from the top down to the last one with data, if the data are known to be damaged or
    /// incomplete.
    pub(crate) fn damaged_to(&self) -> Option<u32> {
        let readable = if self.is_at_end() { self.readable_rows() } else { self.size.height };
        (self.is_damaged || self.scans.iter().any(Scan::is_damaged)).then_some(readable)
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
            let plane = &mut self.components[place].plane;
            match &self.smoothing {
                None => coefficients.transform(mcu_row, plane),
                Some(known) => {
                    let Knowledge { with_last, without_last } = &known[place];
                    let known = if has_last { with_last } else { without_last };
                    coefficients.transform_smoothly(mcu_row, known, plane);
                }
            }
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
            has_data |= match scan.pass {
                Pass::Sequential => {
                    scan.read_row(mcu_row, &mut ToSamples { components: &mut self.components, mcu_row })
                }
                pass => {
                    let coefficients = &mut self.coefficients;
                    scan.read_row(mcu_row, &mut ToCoefficients { coefficients, pass, mcu_row })
                }
            }?;
        }
        self.entered += 1;
        if has_data {
            self.readable = self.entered;
        }
        Ok(())
    }

    fn write_row(&mut self, row: &mut [u8]) {
        let y = self.next;
        let rows: Vec<&[u8]> =
            self.components.iter_mut().map(|part| part.upsampling.row(&part.plane, y, &mut part.buffer)).collect();
        match (self.model, &rows[..]) {
            (Model::YCbCr, &[y, cb, cr]) => simd::ycbcr_to_rgb([y, cb, cr], row),
            (_, &[gray]) => interleave([gray], row),
            (_, &[red, green, blue]) => interleave([red, green, blue], row),
            (_, &[c, m, y, k]) => interleave([c, m, y, k], row),
            _ => {}
        }
    }
}

/// Whether the samples depend on the coefficients of a scan.
fn is_needed(scan: &Scan<'_>, components: &[ComponentRows]) -> bool {
    !scan.pass.has_no_first() || scan.components().any(|place| !components[place].plane.needs_first_only())
}

/// Refuses codings that are not supported.
fn check_supported(head: &Head) -> Result<()> {
    match head.frame.coding {
        Coding::Sequential | Coding::Progressive => {}
        Coding::Lossless => return Err(unsupported("lossless coding")),
        Coding::Hierarchical => return Err(unsupported("hierarchical coding")),
    }
    if head.frame.precision != 8 {
        return Err(unsupported("more than 8 bits per sample"));
    }
    if head.model == Model::Other {
        return Err(unsupported("this number of components"));
    }
    Ok(())
}

/// Blocks of sequential scans, which are transformed at once.
struct ToSamples<'a> {
    components: &'a mut [ComponentRows],
    mcu_row: u32,
}

impl Blocks for ToSamples<'_> {
    #[inline(always)]
    fn read(&mut self, part: &mut Part, state: &mut State<'_>, place: Place) {
        let plane = &mut self.components[place.component].plane;
        if let Some(arithmetic) = &mut state.arithmetic {
            let mut block = [0; 64];
            arithmetic.read(&mut state.bits, part, Pass::Sequential, &mut block);
            plane.write(self.mcu_row, place.at, &block, true);
            return;
        }
        let (Some(dc), Some(ac)) = (&part.dc, &part.ac) else { return };
        if plane.needs_first_only() {
            let first = sequential::read_first(&mut state.bits, dc, ac, &mut part.predictor);
            plane.write_first(self.mcu_row, place.at, first);
            return;
        }
        let mut block = [0; 64];
        let has_ac = sequential::read_block(&mut state.bits, dc, ac, &mut part.predictor, &mut block);
        plane.write(self.mcu_row, place.at, &block, has_ac);
    }

    fn skip(&mut self, place: Place) {
        self.components[place.component].plane.write_blank(self.mcu_row, place.at);
    }
}
