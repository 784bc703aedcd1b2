//! One job from the first byte to the last: open, then for each part seek its frame, crop, ingest, resample, emit, turn
//! and write it; read back.

use core::pin::pin;
use core::task::{Context, Poll, Waker};

use metadata::Policy;
use raster::rows::Create;
use raster::{
    Budget, ByteSink, ByteSource, Error, Format, ImageInfo, ImageWriter, Metadata, PixelFormat, Result, RowFormat,
    Sequence, Size, Warning,
};

use crate::codecs::{create_as, holds};
use crate::frames::Frames;
use crate::job::Job;
use crate::plan::Plan;
use crate::progress::Progress;
use crate::seal::Seal;
use crate::{probe, sniff};

/// What came out of a job.
#[derive(Clone, Debug)]
pub struct Report {
    /// The written file's format.
    pub format: Format,
    /// Pixels of its first frame, as read back from its own header.
    pub size: Size,
    /// Its frames.
    pub frames: u32,
    /// Its bytes.
    pub byte_len: u64,
    /// Its CRC-32.
    pub crc32: u32,
    /// Notes for the user, the reader's first.
    pub warnings: Vec<Warning>,
    /// The most bytes that the job's budget counted at once.
    pub memory: u64,
}

/// Does a job: reads `source`, writes `sink`, tells `on_rows` (rows done, rows in all) about a hundred times.
///
/// # Errors
/// Any. What was written until then is not a file.
pub fn run(
    source: &dyn ByteSource,
    sink: &mut dyn ByteSink,
    job: &Job,
    on_rows: &mut dyn FnMut(u64, u64),
) -> Result<Report> {
    let mut steps = pin!(run_in_steps(source, sink, job, on_rows));
    loop {
        if let Poll::Ready(report) = steps.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return report;
        }
    }
}

/// Does a job as [`run`] does, a written row with each poll, so that whoever polls can see to other things in between.
/// It waits for nothing and wakes nobody.
///
/// # Errors
/// Those of [`run`].
pub async fn run_in_steps(
    source: &dyn ByteSource,
    sink: &mut dyn ByteSink,
    job: &Job,
    on_rows: &mut dyn FnMut(u64, u64),
) -> Result<Report> {
    let budget = Budget::new(&job.limits);
    let mut frames = Frames::open(source, sniff(source)?, &budget)?;
    let mut seal = Seal::new(sink);
    let promise = write(&mut frames, &mut seal, job, &budget, on_rows).await?;

    let mut warnings = frames.into_warnings();
    warnings.extend(promise.warnings.iter().cloned());
    let byte_len = seal.len();
    let crc32 = seal.crc32()?;
    let info = probe(&*seal.reread()?, &job.limits)?;
    let memory = budget.peak();
    if !promise.is_kept_by(&info) {
        return Err(Error::Contradiction("the written header does not keep the promise"));
    }
    Ok(Report { format: info.format, size: info.size, frames: info.frames, byte_len, crc32, warnings, memory })
}

/// Writes every part. One whose frame is damaged beyond its first row is left out, as long as another can be had.
async fn write(
    frames: &mut Frames<'_>,
    sink: &mut dyn ByteSink,
    job: &Job,
    budget: &Budget,
    on_rows: &mut dyn FnMut(u64, u64),
) -> Result<Promise> {
    let progress = Progress::new(job.parts.len(), on_rows);
    let sequence = sequence(frames.info(), job)?;
    let quality = job.output.quality_for(frames.info().quality);
    let mut sink = Some(sink);
    let mut writer: Option<Box<dyn ImageWriter + '_>> = None;
    let mut promise = Promise::new(job.output.format, job.metadata);
    let mut failure = None;
    for part in &job.parts {
        let scope = budget.scope();
        let frame = match frames.seek(part.frame) {
            Ok(frame) => frame,
            Err(error) => {
                promise.skip(&mut failure, error)?;
                continue;
            }
        };
        let plan = Plan::new(&frame, job, part, &scope)?;
        if let Some(sink) = sink.take() {
            let size = part.output_size();
            let order = Create { size, pixels: plan.output, frames: job.parts.len() as u32, sequence, budget };
            writer = Some(create_as(&job.output, quality, sink, &order)?);
        }
        let writer = writer.as_deref_mut().ok_or(Error::Contradiction("no writer"))?;
        match plan.write(frame, writer, &scope, &progress).await {
            Ok(()) => promise.add(part.output_size(), plan.output, &plan.labels.metadata),
            Err(error) => promise.skip(&mut failure, error)?,
        }
        promise.warn(plan.warnings());
        progress.part_done();
    }
    promise.warn(first_only(frames.info(), job));
    match (writer, failure) {
        (Some(writer), None) => writer.finish()?,
        (Some(writer), Some(_)) if !promise.sizes.is_empty() => {
            promise.warn(vec![Warning::FramesSkipped { skipped: promise.skipped, of: job.parts.len() as u32 }]);
            writer.finish()?;
        }
        (_, Some(error)) => return Err(error),
        (None, None) => return Err(Error::Contradiction("a job without parts")),
    }
    Ok(promise)
}

/// A still made from an animation shows one of its frames.
fn first_only(info: &ImageInfo, job: &Job) -> Vec<Warning> {
    let still = job.parts.len() == 1 && matches!(info.sequence, Sequence::Animation { .. });
    still.then_some(Warning::FirstFrameOnly { frames: info.frames }).into_iter().collect()
}

/// What the parts become to each other in the written file.
fn sequence(info: &ImageInfo, job: &Job) -> Result<Sequence> {
    if job.parts.len() == 1 {
        return Ok(Sequence::Single);
    }
    match job.output.format {
        Format::Ico => Ok(Sequence::Sizes),
        Format::Tiff => Ok(Sequence::Pages),
        format if holds(format, info.sequence) => Ok(info.sequence),
        format => Err(Error::Unsupported { format, feature: "several pictures in one file" }),
    }
}

/// What the header of the written file must say.
struct Promise {
    format: Format,
    sizes: Vec<Size>,
    /// Of the first picture.
    pixels: Option<PixelFormat>,
    icc: Option<Vec<u8>>,
    policy: Policy,
    skipped: u32,
    warnings: Vec<Warning>,
}

impl Promise {
    const fn new(format: Format, policy: Policy) -> Self {
        Self { format, sizes: Vec::new(), pixels: None, icc: None, policy, skipped: 0, warnings: Vec::new() }
    }

    fn add(&mut self, size: Size, pixels: PixelFormat, metadata: &Metadata) {
        if self.sizes.is_empty() {
            self.icc.clone_from(&metadata.icc);
            self.pixels = Some(pixels);
        }
        self.sizes.push(size);
    }

    /// Remembers the first damage; what is no damage ends the job.
    fn skip(&mut self, first: &mut Option<Error>, error: Error) -> Result<()> {
        if !matches!(error, Error::Malformed { .. } | Error::Contradiction(_)) {
            return Err(error);
        }
        self.skipped += 1;
        first.get_or_insert(error);
        Ok(())
    }

    fn warn(&mut self, warnings: Vec<Warning>) {
        for warning in warnings {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
    }

    fn is_kept_by(&self, info: &ImageInfo) -> bool {
        let mut promised = self.sizes.clone();
        let mut sizes = info.frame_sizes.clone();
        if sizes.is_empty() {
            sizes = vec![info.orientation.turn(info.size); info.frames as usize];
        }
        if self.format == Format::Ico {
            // Its reader puts the largest first.
            promised.sort_by_key(|size| size.area());
            sizes.sort_by_key(|size| size.area());
        }
        info.format == self.format
            && sizes == promised
            && info.orientation == raster::Orientation::Upright
            && Some(info.row_format) == self.pixels.map(RowFormat::Colors)
            && info.metadata.icc == self.icc
            && metadata::respects(&info.metadata, self.policy)
    }
}
