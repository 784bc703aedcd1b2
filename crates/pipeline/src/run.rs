//! One job from the first byte to the last: open, crop, ingest, resample, emit, turn, write, read back.

use core::cell::Cell;

use raster::rows::Create;
use raster::{
    Budget, ByteSink, ByteSource, Channels, Depth, Error, Format, Frame, ImageInfo, ImageWriter, PixelFormat, Result,
    RowReader, Size, Warning,
};
use resample::Resampler;

use crate::codecs::{create, open, profile_space, storable};
use crate::crop::Crop;
use crate::flatten::Flatten;
use crate::job::{Canvas, Job, LightChoice};
use crate::light::Light;
use crate::profile;
use crate::progress::Progress;
use crate::seal::Seal;
use crate::stages::{Emitted, Ingested};
use crate::turn::{Lying, write_upright};
use crate::{probe, sniff};

/// What came out of a job.
#[derive(Clone, Debug)]
pub struct Report {
    /// The written file's format.
    pub format: Format,
    /// Its pixels, as read back from its own header.
    pub size: Size,
    /// Its bytes.
    pub byte_len: u64,
    /// Its CRC-32.
    pub crc32: u32,
    /// Notes for the user, the reader's first.
    pub warnings: Vec<Warning>,
    /// Bytes that the job's budget counted.
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
    let budget = Budget::new(&job.limits);
    let mut reader = open(sniff(source)?, source, &budget)?;
    let info = reader.info().clone();
    let plan = Plan::new(&info, job)?;
    let mut seal = Seal::new(sink);
    let seen_transparent = Cell::new(false);

    let icc = plan.profile(&info);
    let description = Create { size: job.output_size(), pixels: plan.output, icc, budget: &budget };
    let mut writer = create(plan.format, job.output.quality_for(info.quality), &mut seal, &description)?;
    let frame = reader.next_frame()?.ok_or(Error::Contradiction("a picture without frames"))?;
    plan.write(frame, &mut *writer, &budget, &seen_transparent, on_rows)?;
    writer.finish()?;

    let mut warnings = reader.info().warnings.clone();
    warnings.extend(plan.warnings(&info, seen_transparent.get()));
    let byte_len = seal.len();
    let crc32 = seal.crc32()?;
    let size = read_back(&mut seal, &plan, icc)?;
    Ok(Report { format: plan.format, size, byte_len, crc32, warnings, memory: budget.used() })
}

/// What the job means for this file, in the terms of its stored (lying) pixels.
struct Plan<'a> {
    job: &'a Job,
    format: Format,
    orientation: raster::Orientation,
    crop: raster::Rect,
    target: Size,
    light: Light,
    /// Pixels of the written file.
    output: PixelFormat,
    /// Whether transparency has to be laid on the background.
    flatten: bool,
}

impl<'a> Plan<'a> {
    fn new(info: &ImageInfo, job: &'a Job) -> Result<Self> {
        job.check(info.orientation.turn(info.size))?;
        let format = job.output.format;
        let crop = info.orientation.stored_rect(job.crop, info.size);
        let target = info.orientation.turn(job.target);
        let wanted = wanted_pixels(info.pixels, job.canvas);
        let storable_as = storable(format, wanted);
        let flatten = wanted.channels.has_alpha() && !storable_as.channels.has_alpha();
        // A coloured background needs colour, whatever the picture is.
        let color = storable_as.channels.has_color() || (flatten && !is_gray(job.output.background));
        let output = PixelFormat::new(Channels::new(color, storable_as.channels.has_alpha()), storable_as.depth);
        Ok(Self {
            job,
            format,
            orientation: info.orientation,
            crop,
            target,
            light: choose_light(job.light, crop.size(), target),
            output,
            flatten,
        })
    }

    /// The source's colour profile, where the output can hold it and has the channels that it is for.
    fn profile<'i>(&self, info: &'i ImageInfo) -> Option<&'i [u8]> {
        profile::fitting(info.icc.as_deref()?, profile_space(self.format, self.output.channels)?)
    }

    /// Reads the frame, writes the picture.
    fn write(
        &self,
        frame: Frame<'_>,
        writer: &mut dyn ImageWriter,
        budget: &Budget,
        seen: &Cell<bool>,
        on_rows: &mut dyn FnMut(u64, u64),
    ) -> Result<()> {
        let rows_in = u64::from(self.crop.y) + u64::from(self.crop.height);
        let progress = Progress::new(rows_in + u64::from(self.job.output_size().height), on_rows);
        let stored = frame.header.pixels;
        let crop = Crop::new((frame.rows, frame.header), self.crop, budget, &progress)?;
        let mut rows = self.rows(crop, stored, budget, seen)?;
        let picture = Lying { rows: &mut *rows, size: self.target, pixels: self.output, orientation: self.orientation };
        let color = self.job.canvas.map(|canvas| (canvas, self.stored_color(canvas)));
        let canvas = color.as_ref().map(|(canvas, color)| (*canvas, color.as_slice()));
        write_upright(picture, canvas, writer, budget, &progress)
    }

    /// The stages between the frame's rows and the writer's, as few as the job needs.
    fn rows<'r>(
        &self,
        crop: Crop<'r>,
        stored: PixelFormat,
        budget: &Budget,
        seen: &'r Cell<bool>,
    ) -> Result<Box<dyn RowReader + 'r>> {
        let keeps_size = crop.size() == self.target;
        if keeps_size && stored == self.output {
            return Ok(Box::new(crop)); // Untouched pixels stay untouched, whatever hides under alpha 0.
        }
        let ingested = Ingested::new(crop, stored, self.light, budget)?;
        let resampled = Resampler::new(ingested, self.target, self.job.kernel, budget)?;
        if !self.flatten {
            return Ok(Box::new(Emitted::new(resampled, self.output, self.light, budget)?));
        }
        let color = stored.channels.has_color() || self.output.channels.has_color();
        let from = PixelFormat::new(Channels::new(color, true), Depth::Sixteen);
        let row = budget.filled(from.row_bytes(self.target.width), 0)?;
        let emitted = Emitted::new(resampled, from, self.light, budget)?;
        let channels = (from.channels, self.output.channels);
        Ok(Box::new(Flatten::new(emitted, channels, self.job.output.background, row, seen)))
    }

    /// The canvas' colour as one stored pixel of the output.
    fn stored_color(&self, canvas: Canvas) -> Vec<u8> {
        let [r, g, b, a] = canvas.color;
        let over = |c: u8, background: u8| {
            let sum = u32::from(c) * u32::from(a) + u32::from(background) * (255 - u32::from(a));
            ((sum * 2 + 255) / 510) as u8
        };
        let [br, bg, bb] = self.job.output.background;
        let rgba = if self.flatten { [over(r, br), over(g, bg), over(b, bb), 255] } else { [r, g, b, a] };
        let samples: &[u8] = match self.output.channels {
            Channels::Gray => &rgba[..1],
            Channels::GrayAlpha => &[rgba[0], rgba[3]],
            Channels::Rgb => &rgba[..3],
            Channels::Rgba => &rgba,
        };
        match self.output.depth {
            Depth::Eight => samples.to_vec(),
            Depth::Sixteen => samples.iter().flat_map(|&s| (u16::from(s) * 257).to_le_bytes()).collect(),
        }
    }

    fn warnings(&self, info: &ImageInfo, seen_transparent: bool) -> Vec<Warning> {
        let dropped = info.icc.is_some() && self.profile(info).is_none();
        let reduced = info.pixels.depth == Depth::Sixteen && self.output.depth == Depth::Eight;
        let flattened = self.flatten && (seen_transparent || self.job.canvas.is_some_and(|c| c.color[3] < 255));
        let all =
            [(dropped, Warning::ProfileDropped), (reduced, Warning::DepthReduced), (flattened, Warning::Flattened)];
        all.into_iter().filter(|(applies, _)| *applies).map(|(_, warning)| warning).collect()
    }
}

/// The pixels that would hold the picture and its canvas without loss.
fn wanted_pixels(picture: PixelFormat, canvas: Option<Canvas>) -> PixelFormat {
    let Some(Canvas { color: [r, g, b, a], .. }) = canvas else { return picture };
    let color = picture.channels.has_color() || !is_gray([r, g, b]);
    PixelFormat::new(Channels::new(color, picture.channels.has_alpha() || a < 255), picture.depth)
}

fn is_gray([r, g, b]: [u8; 3]) -> bool {
    r == g && g == b
}

/// Resolves the user's say. A picture that keeps its size is averaged nowhere: encoded values cost nothing.
fn choose_light(choice: LightChoice, from: Size, to: Size) -> Light {
    match choice {
        _ if from == to => Light::Encoded,
        LightChoice::Linear => Light::Linear,
        LightChoice::Encoded => Light::Encoded,
        LightChoice::Auto if to.area() < from.area() => Light::Linear,
        LightChoice::Auto => Light::Encoded,
    }
}

/// Reads the header of what was written and holds it against the promise.
fn read_back(seal: &mut Seal<'_>, plan: &Plan<'_>, icc: Option<&[u8]>) -> Result<Size> {
    let written = seal.reread()?;
    let info = probe(&*written, &plan.job.limits)?;
    let kept = info.format == plan.format
        && info.size == plan.job.output_size()
        && info.orientation == raster::Orientation::Upright
        && info.pixels == plan.output
        && info.icc.as_deref() == icc;
    if kept { Ok(info.size) } else { Err(Error::Contradiction("the written header does not keep the promise")) }
}
