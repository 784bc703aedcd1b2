//! What a part of a job means for its frame, in the terms of the stored (lying) pixels.

use core::cell::Cell;

use color::ToSrgb;
use metadata::{Applied, Picture};
use raster::{
    Budget, Channels, Depth, Format, Frame, FrameHeader, ImageWriter, Orientation, PixelFormat, Rect, Result,
    RowFormat, RowReader, Size, Warning, icc,
};
use resample::Resampler;

use crate::codecs::{profile_space, storable};
use crate::convert::{Converted, Fitted};
use crate::crop::Crop;
use crate::flatten::Flatten;
use crate::inks::{InkFormat, Inks};
use crate::job::{Canvas, Job, LightChoice, Part};
use crate::labels;
use crate::light::Light;
use crate::progress::Progress;
use crate::stages::{Emitted, Ingested};
use crate::turn::{Lying, write_upright};

/// One part of a job, resolved for the frame it is made from.
pub(crate) struct Plan<'a> {
    job: &'a Job,
    part: &'a Part,
    orientation: Orientation,
    crop: Rect,
    target: Size,
    light: Light,
    /// Pixels of the frame, once inks are colours.
    stored: PixelFormat,
    /// Pixels of the written picture.
    pub(crate) output: PixelFormat,
    /// Whether transparency has to be laid on the background.
    flatten: bool,
    seen_transparent: Cell<bool>,
    colors: Colors,
    /// Whether the picture is HDR, or of other colours that no profile says, and the written one is not.
    loses_signal: bool,
    /// What the written picture says about itself.
    pub(crate) labels: Applied,
    /// Until the rows take it.
    to_srgb: Cell<Option<ToSrgb>>,
}

/// What becomes of the picture's colour profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Colors {
    /// There is none, or it says no more than its absence.
    Plain,
    /// It goes into the output.
    Carried,
    /// The pixels become sRGB.
    Converted,
    /// It cannot be carried and not be reckoned with.
    Unknown,
}

impl<'a> Plan<'a> {
    pub(crate) fn new(frame: &Frame<'_>, job: &'a Job, part: &'a Part, budget: &Budget) -> Result<Self> {
        let (frame, metadata) = (&frame.info, &frame.metadata);
        part.check(frame.orientation.turn(frame.size))?;
        let format = job.output.format;
        let crop = frame.orientation.stored_rect(part.crop, frame.size);
        let target = frame.orientation.turn(part.target);
        let stored = frame.row_format.in_colors();
        let wanted = wanted_pixels(stored, part.canvas);
        let storable_as = storable(format, wanted);
        let flatten = wanted.channels.has_alpha() && !storable_as.channels.has_alpha();
        // A coloured background needs colour, whatever the picture is.
        let color = storable_as.channels.has_color() || (flatten && !is_gray(job.output.background));
        let output = PixelFormat::new(Channels::new(color, storable_as.channels.has_alpha()), storable_as.depth);
        let (colors, to_srgb) = match metadata.icc.as_deref() {
            None => (Colors::Plain, None),
            Some(icc) if matches!(frame.row_format, RowFormat::Inks { .. }) => converted(ToSrgb::of_inks(icc, budget)?),
            Some(icc) if carried(icc, format, output.channels).is_some() => (Colors::Carried, None),
            Some(icc) if stored.channels.has_color() && color::is_srgb(icc) => (Colors::Plain, None),
            Some(icc) => {
                let from = Channels::new(stored.channels.has_color(), working_alpha(stored, output));
                converted(ToSrgb::new(icc, from, target.width, budget)?)
            }
        };
        let picture = Picture { size: part.output_size(), orientation: Orientation::Upright };
        let mut labels = labels::for_picture(metadata, (format, job.metadata), picture, budget)?;
        let icc = metadata.icc.as_deref().filter(|_| colors == Colors::Carried);
        labels.metadata.icc = icc.and_then(|icc| carried(icc, format, output.channels)).map(<[u8]>::to_vec);
        labels.metadata.signal = labels.metadata.signal.filter(|_| colors != Colors::Converted);
        let needs_signal = metadata.signal.is_some_and(|signal| !signal.has_profile) && metadata.icc.is_none();
        Ok(Self {
            job,
            part,
            orientation: frame.orientation,
            crop,
            target,
            light: choose_light(job.light, crop.size(), target),
            stored,
            output,
            flatten,
            seen_transparent: Cell::new(false),
            colors,
            loses_signal: needs_signal && labels.metadata.signal.is_none(),
            labels,
            to_srgb: Cell::new(to_srgb),
        })
    }

    /// Reads the frame, writes the picture.
    pub(crate) async fn write(
        &self,
        frame: Frame<'_>,
        writer: &mut dyn ImageWriter,
        budget: &Budget,
        progress: &Progress<'_>,
    ) -> Result<()> {
        let rows_in = u64::from(self.crop.y) + u64::from(self.crop.height);
        progress.expect(rows_in + u64::from(self.part.output_size().height));
        // A still has no time, whatever it was made from.
        let delay = frame.info.delay.filter(|_| self.job.parts.len() > 1);
        let size = frame.info.size;
        let mut inks = match frame.info.row_format {
            RowFormat::Inks { depth, alpha } => {
                Some(Inks::new(&mut *frame.rows, InkFormat { depth, alpha }, size.width, self.to_srgb.take(), budget)?)
            }
            RowFormat::Colors(_) => None,
        };
        let colors = match &mut inks {
            Some(inks) => inks as &mut dyn RowReader,
            None => frame.rows,
        };
        let on_row = || progress.step();
        let crop = Crop::new((colors, FrameHeader::new(size, self.stored)), self.crop, budget, &on_row)?;
        let mut rows = self.rows(crop, budget)?;
        let picture = Lying { rows: &mut *rows, size: self.target, pixels: self.output, orientation: self.orientation };
        let color = self.part.canvas.map(|canvas| (canvas, self.stored_color(canvas)));
        let canvas = color.as_ref().map(|(canvas, color)| (*canvas, color.as_slice()));
        let begin = |writer: &mut dyn ImageWriter, header: FrameHeader| {
            writer.begin_frame(&FrameHeader { delay, ..header }, &self.labels.metadata)
        };
        write_upright(picture, canvas, (writer, &begin), budget, progress).await
    }

    /// The stages between the frame's rows and the writer's, as few as the job needs.
    fn rows<'r>(&'r self, crop: Crop<'r>, budget: &Budget) -> Result<Box<dyn RowReader + 'r>> {
        let keeps_size = crop.size() == self.target;
        let to_srgb = self.to_srgb.take();
        if keeps_size && self.stored == self.output && to_srgb.is_none() {
            return Ok(Box::new(crop)); // Untouched pixels stay untouched, whatever hides under alpha 0.
        }
        let ingested = Ingested::new(crop, self.stored, self.light, budget)?;
        let resampled = Resampler::new(ingested, self.target, self.job.kernel, budget)?;
        if !self.flatten && to_srgb.is_none() {
            return Ok(Box::new(Emitted::new(resampled, self.output, self.light, budget)?));
        }
        let width = self.target.width;
        let channels = Channels::new(self.stored.channels.has_color(), working_alpha(self.stored, self.output));
        let from = PixelFormat::new(channels, Depth::Sixteen);
        let emitted = Emitted::new(resampled, from, self.light, budget)?;
        let rows: Box<dyn RowReader + 'r> = match to_srgb {
            Some(to_srgb) => Box::new(Converted::new(emitted, to_srgb, channels, width, budget)?),
            None => Box::new(emitted),
        };
        if !self.flatten {
            return Ok(Box::new(Fitted::new(rows, channels, (self.output, width), budget)?));
        }
        let row = budget.filled(from.row_bytes(width), 0)?;
        let channels = (channels, self.output.channels);
        Ok(Box::new(Flatten::new(rows, channels, self.job.output.background, row, &self.seen_transparent)))
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
        let samples: &[u8] = match (self.output.channels.has_color(), self.output.channels.has_alpha()) {
            (false, false) => &rgba[..1],
            (false, true) => &[rgba[0], rgba[3]],
            (true, false) => &rgba[..3],
            (true, true) => &rgba,
        };
        match self.output.depth {
            Depth::Eight => samples.to_vec(),
            Depth::Sixteen => samples.iter().flat_map(|&s| (u16::from(s) * 257).to_le_bytes()).collect(),
        }
    }

    /// What the written picture lacks of the frame.
    pub(crate) fn warnings(&self) -> Vec<Warning> {
        let is_unknown = self.colors == Colors::Unknown || self.loses_signal;
        let reduced = self.stored.depth == Depth::Sixteen && self.output.depth == Depth::Eight;
        let shows_ground = self.part.canvas.is_some_and(|c| c.color[3] < 255);
        let flattened = self.flatten && (self.seen_transparent.get() || shows_ground);
        let all =
            [(is_unknown, Warning::ProfileDropped), (reduced, Warning::DepthReduced), (flattened, Warning::Flattened)];
        let applying = all.into_iter().filter(|(applies, _)| *applies).map(|(_, warning)| warning);
        applying.chain(self.labels.warnings.iter().cloned()).collect()
    }
}

fn converted(to_srgb: Option<ToSrgb>) -> (Colors, Option<ToSrgb>) {
    (if to_srgb.is_some() { Colors::Converted } else { Colors::Unknown }, to_srgb)
}

/// The profile, where the output can hold it and has the channels that it is for.
fn carried(icc: &[u8], format: Format, channels: Channels) -> Option<&[u8]> {
    icc::sound(icc, profile_space(format, channels)?)
}

/// Whether rows on their way to the output need alpha.
const fn working_alpha(stored: PixelFormat, output: PixelFormat) -> bool {
    stored.channels.has_alpha() || output.channels.has_alpha()
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
