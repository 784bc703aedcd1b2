//! `resize`: plans each file from its header, then does all jobs.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use pipeline::{Encoding, Job, JpegOptions, PngOptions, Report, Subsampling};
use raster::{Error, Format, Limits, NotAnImage, Notes, Quality, Size};

use crate::args::Resize;
use crate::batch::{self, Done, Summary, Task, UNITS};
use crate::describe;
use crate::failure::{Failure, NO_IMAGE, about};
use crate::files::{FileSink, FileSource};
use crate::inputs::{Input, collect};
use crate::naming::{Facts, Taken, file_name};
use crate::quality_search::{Attempt, MOST_ATTEMPTS, Search};
use crate::{complain, limits, parts};

/// One file with the numbers of its job.
struct Planned {
    input: PathBuf,
    output: PathBuf,
    job: Job,
    /// The most bytes of the result.
    limit: Option<u64>,
}

impl Planned {
    /// Writes the result and returns its report and the notes about it.
    fn write(&self, progress: &mut dyn FnMut(u64)) -> Result<(Report, Vec<String>), Failure> {
        let (sink, report) = match (self.limit, &self.job.encoding) {
            (Some(limit), Encoding::Jpeg(options)) => self.attempt_within(limit, options, progress)?,
            _ => self.attempt(&self.job, progress)?,
        };
        sink.keep()?;
        let mut notes: Vec<String> = report.warnings.iter().map(describe::warning).collect();
        if let Some(limit) = self.limit.filter(|&limit| report.byte_len > limit) {
            let bytes = report.byte_len;
            notes.push(format!("the file has {bytes} bytes, the limit is {limit}; a smaller size takes fewer"));
        }
        Ok((report, notes))
    }

    fn attempt(&self, job: &Job, progress: &mut dyn FnMut(u64)) -> Result<(FileSink, Report), Failure> {
        let source = FileSource::open(&self.input)?;
        let mut sink = FileSink::create(&self.output)?;
        let mut on_rows = |done: u64, all: u64| progress(done * UNITS / all.max(1));
        let report = pipeline::run(&source, &mut sink, job, &mut on_rows)?;
        Ok((sink, report))
    }

    /// Returns the largest file within the limit, or else the smallest one.
    fn attempt_within(
        &self,
        limit: u64,
        options: &JpegOptions,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(FileSink, Report), Failure> {
        let highest = options.quality.unwrap_or(Quality::from(100));
        let search = Search { limit, highest, splits_color: options.subsampling == Subsampling::Auto };
        let mut best: Option<(FileSink, Report)> = None;
        let mut attempts = 0;
        search.run(|Attempt { quality, is_reduced }| {
            let subsampling = if is_reduced { Subsampling::Reduced } else { options.subsampling };
            let options = JpegOptions { quality: Some(quality), subsampling, ..*options };
            let job = Job { encoding: Encoding::Jpeg(options), ..self.job.clone() };
            let next = self.attempt(&job, &mut |units| progress((attempts * UNITS + units) / MOST_ATTEMPTS))?;
            attempts += 1;
            let bytes = next.1.byte_len;
            let is_better = best.as_ref().is_none_or(|(_, Report { byte_len, .. })| match bytes <= limit {
                true => *byte_len > limit || bytes > *byte_len,
                false => *byte_len > limit && bytes < *byte_len,
            });
            if is_better {
                best = Some(next);
            }
            Ok::<u64, Failure>(bytes)
        })?;
        best.ok_or_else(|| Failure::from(Error::Contradiction("a search made no attempt")))
    }
}

impl Task for Planned {
    fn file(&self) -> &Path {
        &self.input
    }

    fn run(&self, progress: &mut dyn FnMut(u64)) -> Result<Done, Failure> {
        let before = fs::metadata(&self.input).map_or(0, |metadata| metadata.len());
        let (report, notes) = self.write(progress)?;
        Ok(Done { before, after: report.byte_len, notes })
    }
}

/// Resizes the files of a call. One file without an output folder gives one result under exactly the given name.
/// # Errors
/// The failure of the one file, or the worst failure of many.
pub(crate) fn resize(resize: &Resize) -> Result<(), Failure> {
    let limits = limits(resize.memory)?;
    match resize.inputs.as_slice() {
        [input] if !writes_to_folder(resize) => {
            let planned = plan(input, &resize.output, resize, limits)?;
            let (_, notes) = planned.write(&mut |_| {})?;
            notes.iter().for_each(|note| complain(&format!("note: {note}")));
            Ok(())
        }
        inputs => resize_many(inputs, resize, limits),
    }
}

/// Whether the output is a folder: it is an existing one, its name ends like one, or there are several files.
fn writes_to_folder(resize: &Resize) -> bool {
    let ends_as_folder = resize.output.to_string_lossy().ends_with(std::path::is_separator);
    let several = resize.inputs.len() > 1 || resize.inputs.iter().any(|input| input.is_dir());
    several || ends_as_folder || resize.output.is_dir()
}

fn resize_many(named: &[PathBuf], resize: &Resize, limits: Limits) -> Result<(), Failure> {
    let folder = &resize.output;
    if folder.exists() && !folder.is_dir() {
        return Err(Failure::wrong_call(format!("{}: several results need a folder", folder.display())));
    }
    let inputs = collect(named, Some(folder));
    let mut summary = Summary::default();
    let planned = plan_all(inputs, resize, limits, &mut summary);
    let jobs = resize.jobs.unwrap_or_else(|| available_parallelism().map_or(1, usize::from));
    batch::run(&planned, jobs, &mut summary);
    if summary.done + summary.failed == 0 {
        summary.fail(&Failure { code: NO_IMAGE, reason: "no image was found".to_owned() });
    }
    complain(&summary.line());
    if summary.worst == 0 { Ok(()) } else { Err(Failure { code: summary.worst, reason: String::new() }) }
}

fn plan_all(
    inputs: Vec<Result<Input, Failure>>,
    resize: &Resize,
    limits: Limits,
    summary: &mut Summary,
) -> Vec<Planned> {
    let count = inputs.len();
    let originals: Vec<PathBuf> = inputs.iter().flatten().filter_map(|input| input.path.canonicalize().ok()).collect();
    let mut taken = Taken::default();
    let mut planned = Vec::new();
    for (index, input) in inputs.into_iter().enumerate() {
        let next = input.and_then(|input| plan_into_folder(&input, (index + 1, count), resize, limits));
        match next {
            Ok(None) => summary.skipped += 1,
            Ok(Some(job)) => {
                let output = taken.claim(job.output.clone());
                // A result must not replace another original.
                if output.canonicalize().is_ok_and(|path| originals.contains(&path)) {
                    summary.fail(&Failure::wrong_call("the result would replace an original").of(&job.input));
                } else {
                    planned.push(Planned { output, ..job });
                }
            }
            Err(failure) => summary.fail(&failure),
        }
    }
    planned
}

/// Plans the job of a file whose result goes into the output folder. Returns `None` for a file in a folder that is not
/// an image.
fn plan_into_folder(
    input: &Input,
    (number, count): (usize, usize),
    resize: &Resize,
    limits: Limits,
) -> Result<Option<Planned>, Failure> {
    let probed = FileSource::open(&input.path).and_then(|source| pipeline::probe(&source, &limits, &Notes::default()));
    let info = match probed {
        Err(Error::NotAnImage(NotAnImage::Empty | NotAnImage::Unknown | NotAnImage::Other(_))) if input.found => {
            return Ok(None);
        }
        probed => probed.map_err(|error| Failure::from(error).of(&input.path))?,
    };
    let format = resize.format.unwrap_or_else(|| Encoding::format_like(&info));
    let job = job(&info, format, resize, limits).map_err(|failure| failure.of(&input.path))?;
    let size = job.parts.iter().map(pipeline::Part::output_size).max_by_key(|size| size.area());
    let size = size.unwrap_or(Size::new(0, 0));
    let name = file_name(&resize.names, &Facts { original: &input.path, format, size, number, count });
    let folder = resize.output.join(&input.folder);
    fs::create_dir_all(&folder).map_err(|e| Failure { code: 6, reason: about(&folder, &e) })?;
    Ok(Some(Planned { input: input.path.clone(), output: folder.join(name), job, limit: resize.max_bytes }))
}

/// Plans the job of a file whose result has the given name, which determines the format.
fn plan(input: &Path, output: &Path, resize: &Resize, limits: Limits) -> Result<Planned, Failure> {
    let source = FileSource::open(input)?;
    let info = pipeline::probe(&source, &limits, &Notes::default())?;
    let extension = output.extension().and_then(|extension| extension.to_str());
    let format = match (resize.format, extension) {
        (Some(format), _) => format,
        (None, Some(extension)) => Format::from_extension(extension)
            .ok_or_else(|| Failure::wrong_call(format!("no format is called .{extension}")))?,
        (None, None) => Encoding::format_like(&info),
    };
    if let Some(extension) = extension.filter(|own| Format::from_extension(own) == Some(format))
        && !format.is_written_as(extension)
    {
        return Err(Failure::wrong_call(format!(
            "results are not written as .{extension}, only as .{}",
            format.name()
        )));
    }
    let job = job(&info, format, resize, limits)?;
    Ok(Planned { input: input.into(), output: output.into(), job, limit: resize.max_bytes })
}

fn job(info: &raster::ImageInfo, format: Format, resize: &Resize, limits: Limits) -> Result<Job, Failure> {
    let encoding = encoding(format, resize)?;
    Ok(Job {
        parts: parts::parts(info, encoding.traits(), resize).map_err(Failure::wrong_call)?,
        kernel: resize.kernel,
        ringing: resize.ringing,
        light: resize.light,
        decoding: resize.decoding,
        sharpening: resize.sharpen,
        profile: resize.profile,
        density: resize.dpi,
        encoding,
        background: [255; 3],
        flatten: false,
        metadata: resize.metadata,
        limits,
    })
}

/// Returns the encoding of a format with the options of the call.
fn encoding(format: Format, resize: &Resize) -> Result<Encoding, Failure> {
    let mut encoding = Encoding::new(format)?;
    match &mut encoding {
        Encoding::Jpeg(options) => {
            let Resize { quality, coding, subsampling, restart_rows, .. } = *resize;
            *options = JpegOptions { quality: quality.map(Into::into), subsampling, coding, restart_rows };
        }
        Encoding::Png(options) => *options = PngOptions { effort: resize.effort, palette: resize.palette },
        Encoding::Tiff(options) => options.compression = resize.compression,
        Encoding::Gif(options) => options.colors = resize.colors,
        // A quality means a lossy file.
        Encoding::WebP(_) if resize.quality.is_some() => return Err(pipeline::NO_LOSSY_WEBP.into()),
        Encoding::Bmp
        | Encoding::Ico
        | Encoding::WebP(_)
        | Encoding::Avif(_)
        | Encoding::Jxl(_)
        | Encoding::Svg
        | Encoding::Raw(_) => {}
    }
    Ok(encoding)
}
