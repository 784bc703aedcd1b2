//! One picture of the output: its plan, its metadata, and its stages.

use core::cell::Cell;

use color::ToSrgb;
use metadata::Applied;
use raster::{Budget, Depth, Frame, FrameHeader, Metadata, Orientation, Result, RowReader, Warning};

use crate::job::{Job, Part};
use crate::labels;
use crate::plan::{Colors, Plan, carried_profile};
use crate::rows::Rows;
use crate::stages::{Resources, Stages};

pub(crate) struct Picture {
    pub(crate) plan: Plan,
    /// The header for its writer.
    pub(crate) header: FrameHeader,
    /// Its metadata.
    pub(crate) labels: Applied,
    /// Whether the frame is HDR, or has other colours that a profile cannot describe, and the written picture loses
    /// that.
    loses_signal: bool,
    /// Whether a transparent pixel was composited over the background.
    seen_transparent: Cell<bool>,
}

impl Picture {
    /// Plans the picture that `part` of `job` makes of a frame; also returns the conversion that the plan requires.
    ///
    /// # Errors
    /// Errors of [`Plan::new`]; `Limit` when the budget is too small for the conversion or the metadata.
    pub(crate) fn new(frame: &Frame<'_>, job: &Job, part: &Part, budget: &Budget) -> Result<(Self, Option<ToSrgb>)> {
        let (metadata, icc) = (&*frame.metadata, frame.metadata.icc.as_deref());
        let mut plan = Plan::new(&frame.info, icc, job, part)?;
        let to_srgb = conversion(&plan, icc, budget)?;
        if plan.colors == Colors::Converted && to_srgb.is_none() {
            plan.colors = Colors::Dropped;
        }
        let header = plan.header(job.parts.len() == 1);
        let labels = labels(metadata, &plan, job, budget)?;
        let needs_signal = metadata.signal.is_some_and(|signal| !signal.has_profile) && icc.is_none();
        let loses_signal = needs_signal && labels.metadata.signal.is_none();
        let picture = Self { plan, header, labels, loses_signal, seen_transparent: Cell::new(false) };
        Ok((picture, to_srgb))
    }

    /// Opens the stages over the rows of the frame; returns the rows of the picture.
    ///
    /// # Errors
    /// `Limit` when the budget is too small for their buffers.
    pub(crate) fn open<'a>(
        &'a self,
        rows: &'a mut dyn RowReader,
        resources: Resources<'a, '_>,
    ) -> Result<Box<dyn Rows + 'a>> {
        Stages::new(&self.plan).open(&self.plan, rows, &self.seen_transparent, resources)
    }

    /// Returns the warnings about properties of the frame that the picture loses.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = Warning> {
        let Plan { colors, background, canvas, output, .. } = &self.plan;
        let is_dropped = *colors == Colors::Dropped || self.loses_signal;
        let is_reduced = self.plan.stored().depth == Depth::Sixteen && output.depth == Depth::Eight;
        let shows_ground = canvas.is_some_and(|canvas| canvas.color[3] < 255);
        let is_flattened = background.is_some() && (self.seen_transparent.get() || shows_ground);
        let all = [
            (is_dropped, Warning::ProfileDropped),
            (is_reduced, Warning::DepthReduced),
            (is_flattened, Warning::Flattened),
        ];
        let applying = all.into_iter().filter_map(|(applies, warning)| applies.then_some(warning));
        applying.chain(self.labels.warnings.iter().cloned())
    }
}

/// Returns the conversion to sRGB that a plan requires, or `None` when it requires none or the profile cannot be used.
fn conversion(plan: &Plan, icc: Option<&[u8]>, budget: &Budget) -> Result<Option<ToSrgb>> {
    match icc {
        Some(icc) if plan.colors == Colors::Converted && plan.has_inks() => ToSrgb::of_inks(icc, budget),
        Some(icc) if plan.colors == Colors::Converted => {
            ToSrgb::new(icc, plan.working().channels, plan.target.width, budget)
        }
        _ => Ok(None),
    }
}

/// Returns the metadata of the written picture.
fn labels(source: &Metadata, plan: &Plan, job: &Job, budget: &Budget) -> Result<Applied> {
    let traits = job.encoding.traits();
    let picture = metadata::Picture {
        size: plan.output_size(),
        orientation: Orientation::Upright,
        is_converted: plan.colors == Colors::Converted,
    };
    let mut labels = labels::for_picture(source, &traits.metadata, (job.metadata, job.density), picture, budget)?;
    let icc = source.icc.as_deref().filter(|_| plan.colors == Colors::Carried);
    labels.metadata.icc = icc.and_then(|icc| carried_profile(icc, traits, plan.output.channels)).map(<[u8]>::to_vec);
    labels.metadata.signal = labels.metadata.signal.filter(|_| plan.colors != Colors::Converted);
    Ok(labels)
}
