//! The components of a picture: how their samples are held and become rows of pixels.

use raster::{Budget, Result};

use super::coefficients::{self, Coefficients};
use super::frame::{Component, FrameHead, Model};
use super::interleave::interleave;
use super::lossless::ToPredictions;
use super::part::Part;
use super::plane::Plane;
use super::progressive::State;
use super::sample::Sample;
use super::scale::Scale;
use super::scan::{Blocks, Place, Scan};
use super::scan_head::Pass;
use super::sequential::{self, Block};
use super::smooth::Known;
use super::upsample::{ComponentRows, Upsampling};
use super::wide::Levels;
use crate::zigzag::ZIGZAG;

/// The components of a picture with 8-bit samples, and of any other.
pub(super) enum Components {
    Narrow(Vec<ComponentRows<u8>>),
    Wide { rows: Vec<ComponentRows<u16>>, precision: u8 },
}

/// Returns the bytes of the rows of one component.
pub(super) fn memory(frame: &FrameHead, component: &Component) -> u64 {
    let samples = Plane::<u8>::samples(frame, component, Scale::full(frame)) + buffer_len(frame);
    if frame.is_wide() { 2 * samples } else { samples }
}

/// Returns the space for an upsampled row: a row can be longer than the picture by a sample.
const fn buffer_len(frame: &FrameHead) -> u64 {
    frame.size.width as u64 + 1
}

impl Components {
    /// Creates the components of a frame. `steps` are their quantisation steps in zigzag order.
    ///
    /// # Errors
    /// `Limit` when the budget is too small.
    pub(super) fn new(frame: &FrameHead, steps: &[Option<[u16; 64]>], scale: Scale, budget: &Budget) -> Result<Self> {
        let precision = frame.precision;
        Ok(if frame.is_wide() {
            let middle = 1 << (precision - 1);
            Self::Wide { rows: component_rows((middle, 0), frame, steps, scale, budget)?, precision }
        } else {
            Self::Narrow(component_rows((128, 0), frame, steps, scale, budget)?)
        })
    }

    /// Returns the quantisation steps of each component, row by row.
    pub(super) fn steps(&self) -> Vec<&Block> {
        match self {
            Self::Narrow(rows) => rows.iter().map(|component| &component.plane.steps).collect(),
            Self::Wide { rows, .. } => rows.iter().map(|component| &component.plane.steps).collect(),
        }
    }

    /// Whether the rows of the picture need the next row of a component.
    pub(super) fn need_next_row(&self) -> bool {
        match self {
            Self::Narrow(rows) => rows.iter().any(|component| component.upsampling.needs_next_row()),
            Self::Wide { rows, .. } => rows.iter().any(|component| component.upsampling.needs_next_row()),
        }
    }

    /// Whether the samples depend on the coefficients of a scan.
    pub(super) fn need(&self, scan: &Scan<'_>) -> bool {
        match self {
            Self::Narrow(rows) if scan.pass.has_no_first() => {
                scan.components().any(|place| !rows[place].plane.needs_first_only())
            }
            _ => true,
        }
    }

    /// Transforms the coefficients of a component in a row of MCUs; with `known`, smoothly.
    pub(super) fn transform(&mut self, place: usize, from: &Coefficients, mcu_row: u32, known: Option<&Known>) {
        match (self, known) {
            (Self::Narrow(rows), None) => from.transform(mcu_row, &mut rows[place].plane),
            (Self::Narrow(rows), Some(known)) => from.transform_smoothly(mcu_row, known, &mut rows[place].plane),
            (Self::Wide { rows, .. }, None) => from.transform(mcu_row, &mut rows[place].plane),
            (Self::Wide { rows, .. }, Some(known)) => from.transform_smoothly(mcu_row, known, &mut rows[place].plane),
        }
    }

    /// Reads a row of MCUs of a scan, into `coefficients` if these are held. Returns whether there are data for it.
    ///
    /// # Errors
    /// `Io`.
    pub(super) fn read(
        &mut self,
        scan: &mut Scan<'_>,
        mcu_row: u32,
        coefficients: &mut [Coefficients],
    ) -> Result<bool> {
        match (self, scan.pass) {
            (Self::Narrow(components), Pass::Sequential) => {
                scan.read_row(mcu_row, &mut ToSamples { components, mcu_row })
            }
            (Self::Wide { rows: components, precision }, Pass::Lossless { predictor, low }) => {
                let precision = u32::from(*precision);
                scan.read_row(mcu_row, &mut ToPredictions { components, mcu_row, predictor, precision, low })
            }
            _ => coefficients::read_row(scan, mcu_row, coefficients),
        }
    }

    /// Writes row `y` of the picture, or its left part that fits into `row`.
    pub(super) fn write_row(&mut self, model: Model, y: u32, row: &mut [u8]) {
        match self {
            Self::Narrow(components) => match (model, &upsampled(components, y)[..]) {
                (Model::YCbCr, &[y, cb, cr]) => simd::ycbcr_to_rgb([y, cb, cr], row),
                (_, &[gray]) => interleave([gray], row),
                (_, &[red, green, blue]) => interleave([red, green, blue], row),
                (_, &[c, m, y, k]) => interleave([c, m, y, k], row),
                _ => {}
            },
            Self::Wide { rows, precision } => Levels::new(*precision).interleave(model, &upsampled(rows, y), row),
        }
    }
}

/// Creates the rows of each component, whose planes are filled with `middle`.
fn component_rows<S: Sample>(
    (middle, zero): (S, S),
    frame: &FrameHead,
    steps: &[Option<[u16; 64]>],
    scale: Scale,
    budget: &Budget,
) -> Result<Vec<ComponentRows<S>>> {
    let mut rows = Vec::new();
    for (component, steps) in frame.components.iter().zip(steps) {
        let mut plane = Plane::new(frame, component, (scale, middle), budget)?;
        for (number, step) in steps.iter().flatten().enumerate() {
            plane.steps[usize::from(ZIGZAG[number])] = *step as i16;
        }
        let buffer = budget.filled(buffer_len(frame), zero)?;
        rows.push(ComponentRows { plane, upsampling: Upsampling::of(frame, component, scale), buffer });
    }
    Ok(rows)
}

/// Returns row `y` of the picture of each component.
fn upsampled<S: Sample>(components: &mut [ComponentRows<S>], y: u32) -> Vec<&[S]> {
    components.iter_mut().map(|part| part.upsampling.row(&part.plane, y, &mut part.buffer)).collect()
}

/// Blocks of sequential scans, which are transformed at once.
struct ToSamples<'a> {
    components: &'a mut [ComponentRows<u8>],
    mcu_row: u32,
}

impl Blocks for ToSamples<'_> {
    #[inline(always)]
    fn read(&mut self, part: &mut Part, state: &mut State<'_>, place: Place) {
        let plane = &mut self.components[place.component].plane;
        if let Some(arithmetic) = &mut state.arithmetic {
            let mut block = [0; 64];
            arithmetic.read(&mut state.bits, part, Pass::Sequential, &mut block);
            plane.write(self.mcu_row, place.at, &block, 63);
            return;
        }
        let (Some(dc), Some(ac)) = (&part.dc, &part.ac) else { return };
        if plane.needs_first_only() {
            let first = sequential::read_first(&mut state.bits, dc, ac, &mut part.predictor);
            plane.write_first(self.mcu_row, place.at, first);
            return;
        }
        let mut block = [0; 64];
        let last = sequential::read_block(&mut state.bits, dc, ac, &mut part.predictor, &mut block);
        plane.write(self.mcu_row, place.at, &block, last);
    }

    fn skip(&mut self, place: Place) {
        self.components[place.component].plane.write_blank(self.mcu_row, place.at);
    }
}
