//! One job from the first byte to the last: it opens the file, plans each part, pulls rows through the stages into the
//! writer, and verifies the written file. Read this file first.

use raster::steps::{self, pause};
use raster::{
    Budget, ByteSink, ByteSource, Error, Format, ImageInfo, ImageSpec, ImageWriter, Notes, Result, Sequence, Size,
    Warning,
};

use crate::codecs::{Encoding, drawing};
use crate::frames::Frames;
use crate::gain_map;
use crate::job::Job;
use crate::last::LastPicture;
use crate::picture::Picture;
use crate::progress::Progress;
use crate::row_loop::write_picture;
use crate::seal::Seal;
use crate::sniff;
use crate::stages::Resources;
use crate::target::Target;
use crate::verify::read_back;
use crate::written::Written;

/// The result of a job.
#[derive(Clone, Debug)]
pub struct Report {
    /// The format of the written file.
    pub format: Format,
    /// The size of its first frame, as read from its own header.
    pub size: Size,
    /// The number of its frames.
    pub frames: u32,
    /// The number of its bytes.
    pub byte_len: u64,
    /// Its CRC-32.
    pub crc32: u32,
    /// Warnings for the user, in the order in which they occurred.
    pub warnings: Vec<Warning>,
    /// The most bytes that the job's budget counted at once.
    pub memory: u64,
}

/// Runs a job: reads `source`, writes `sink`, and calls `on_rows` (rows done, all rows) about a hundred times, and at
/// the end of each part.
///
/// # Errors
/// Any. After an error the output is incomplete.
pub fn run(
    source: &dyn ByteSource,
    sink: &mut dyn ByteSink,
    job: &Job,
    on_rows: &mut dyn FnMut(u64, u64),
) -> Result<Report> {
    steps::finished(run_in_steps(source, sink, job, on_rows))
}

/// Runs a job like [`run`], in steps: the caller polls the future and can do other work between two polls.
///
/// The engine has no threads and never blocks. `async` serves one purpose: the compiler turns the row loop into an
/// object that can stop at an `await` and be resumed. A step ends when a row was written, when a strip of source rows
/// was read without writing one, and when the source has no bytes yet. The future does not use wakers.
///
/// # Errors
/// Errors of [`run`].
pub async fn run_in_steps(
    source: &dyn ByteSource,
    sink: &mut dyn ByteSink,
    job: &Job,
    on_rows: &mut dyn FnMut(u64, u64),
) -> Result<Report> {
    if job.encoding == Encoding::Svg {
        return resize_drawing(source, sink, job);
    }
    let budget = Budget::new(&job.limits);
    let notes = Notes::default();
    let format = steps::retried(|| sniff(source)).await?;
    let mut frames = steps::retried(|| Frames::open(source, format, &budget, &notes, &job.parts)).await?;
    let job = &*drawing::drawn(format, job);
    let mut seal = Seal::new(sink);
    let progress = Progress::new(job.parts.len(), on_rows);
    let written = write_parts(&mut frames, Target::File(&mut seal), job, &budget, &progress).await?;

    drop(frames);
    let byte_len = seal.len();
    let crc32 = seal.crc32()?;
    let (info, memory) = read_back(&*seal.reread()?, &job.limits, written.byte_len())?;
    let (memory, warnings) = (budget.peak().max(memory), notes.warnings());
    written.verify(&info)?;
    Ok(Report { format: info.format, size: info.size, frames: info.frames, byte_len, crc32, warnings, memory })
}

/// Runs a job whose drawing stays a drawing. It links the codec of drawings and no other.
///
/// # Errors
/// Errors of the codec; `Unsupported` for files that are no drawings, for jobs with several parts, a crop or a canvas,
/// and without the feature `svg`.
pub fn resize_drawing(source: &dyn ByteSource, sink: &mut dyn ByteSink, job: &Job) -> Result<Report> {
    let budget = Budget::new(&job.limits);
    let mut seal = Seal::new(sink);
    drawing::resize(source, &mut seal, job, &budget)?;
    let (byte_len, crc32) = (seal.len(), seal.crc32()?);
    let notes = Notes::default();
    let ImageInfo { format, size, frames, .. } = drawing::probe(&*seal.reread()?, &budget, &notes)?;
    if job.parts.iter().any(|part| part.target != size) {
        return Err(Error::Contradiction("the written drawing has another size"));
    }
    Ok(Report { format, size, frames, byte_len, crc32, warnings: notes.warnings(), memory: budget.peak() })
}

/// Writes every part of a job. A part whose frame is damaged is left out, unless no part can be written.
pub(crate) async fn write_parts(
    frames: &mut Frames<'_>,
    target: Target<'_>,
    job: &Job,
    budget: &Budget,
    progress: &Progress<'_>,
) -> Result<Written> {
    let mut target = Some(target);
    let mut writer: Option<Box<dyn ImageWriter + '_>> = None;
    let mut written = Written::default();
    let mut last = LastPicture::new(budget);
    let info = frames.info().clone();
    let (sequence, notes) = (sequence(&info, job)?, frames.notes());
    let gain_map = gain_map::resized(frames, job, budget).await?;
    for part in &job.parts {
        let scope = budget.scope();
        let wanted = part.wanted(job.decoding, &info);
        let sought = loop {
            match frames.seek(part.frame, &wanted) {
                Err(error) if error.is_not_yet() => {}
                result => break result,
            }
            pause().await;
        };
        let frame = match sought {
            Ok(frame) => frame,
            Err(error) => {
                written.skip(error)?;
                continue;
            }
        };
        let (mut picture, to_srgb) = Picture::new(&frame, job, part, &scope)?;
        picture.labels.metadata.gain_map.clone_from(&gain_map);
        last.prepare(part.frame, &mut picture.plan, job.parts.len() == 1)?;
        if let Some(target) = target.take() {
            let notes = notes.clone();
            let spec = ImageSpec { sequence, notes, ..specification(&picture, &info, job, budget) };
            writer = Some(target.create(&job.encoding, &info, &spec)?);
        }
        let writer = writer.as_deref_mut().ok_or(Error::Contradiction("no writer"))?;
        let resources = Resources { to_srgb, progress, budget: &scope };
        match write_picture(frame, &picture, &mut last, writer, resources).await? {
            Ok(is_transparent) => written.add(&picture, is_transparent, job, budget)?,
            Err(error) => written.skip(error)?,
        }
        frames.warn(picture.warnings());
        progress.part_done();
    }
    frames.warn(left_out(&info, job, gain_map.is_some()));
    frames.warn(written.check(job)?);
    frames.check_rows(job)?;
    if let Some(writer) = writer {
        writer.finish()?;
    }
    Ok(written)
}

/// Returns the specification of the file to write, without sequence and notes, for a source and the first picture.
fn specification<'b>(first: &Picture, source: &ImageInfo, job: &Job, budget: &'b Budget) -> ImageSpec<'b> {
    ImageSpec {
        frames: job.parts.len() as u32,
        source_quality: source.quality,
        source_palette: source.has_palette,
        keeps_palette: source.has_palette && first.plan.keeps_pixels(),
        ..ImageSpec::single(first.header.size, first.header.pixels, budget)
    }
}

/// Returns warnings about data that no written picture contains: the other frames of an animation, and the gain map.
fn left_out(info: &ImageInfo, job: &Job, has_gain_map: bool) -> impl Iterator<Item = Warning> {
    let is_still = job.parts.len() == 1 && matches!(info.sequence, Sequence::Animation { .. });
    let first_only = is_still.then_some(Warning::FirstFrameOnly { frames: info.frames });
    first_only.into_iter().chain((info.gain_map && !has_gain_map).then_some(Warning::GainMapDropped))
}

/// Returns the relation of the parts in the written file.
fn sequence(info: &ImageInfo, job: &Job) -> Result<Sequence> {
    if job.parts.len() == 1 {
        return Ok(Sequence::Single);
    }
    let traits = job.encoding.traits();
    let several = Error::Unsupported { format: traits.format, feature: "several pictures in one file" };
    traits.sequence_for(info.sequence).ok_or(several)
}
