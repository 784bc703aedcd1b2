//! The values that cross the border, and their conversion. The TypeScript types are generated from them.

use pipeline::{Canvas, Decoding, Job, LightChoice, Part, Policy, ProfileChoice, Report, Sharpening};
use raster::{
    Compression, Effort, EncoderSettings, Format, ImageInfo, Limits, Metadata, Notes, Orientation, Picture, Rect,
    Result, Sequence, Size, Warning,
};
use resample::{Kernel, Ringing};
use serde::{Deserialize, Serialize};
use tsify::Tsify;

use crate::encoding::{EncodingValue, WHITE};
use crate::failure::Failure;
use crate::names;

/// The function that tells whether metadata contain no more than a policy allows: [`pipeline::respects`], or
/// [`pipeline::surely_respects`] in modules that only read.
pub type Respects = fn(&Metadata, Policy) -> bool;

/// The result of reading a header.
#[derive(Tsify, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ProbeAnswer {
    Ok(ImageInfoValue),
    Failure(Failure),
}

/// The result of a job that writes a file.
#[derive(Tsify, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum RunAnswer {
    Ok(ReportValue),
    Failure(Failure),
}

/// The result of the last step of a decoder or of a stage of a job; `ok` carries no further data.
#[derive(Tsify, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum StepsAnswer {
    Ok(()),
    Failure(Failure),
}

/// The description of a file: [`raster::ImageInfo`] without the metadata's bytes.
#[derive(Tsify, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImageInfoValue {
    #[serde(with = "names")]
    format: Format,
    /// The width as stored, before orientation.
    width: u32,
    /// The height as stored, before orientation.
    height: u32,
    frames: u32,
    sequence: SequenceName,
    /// The upright size of every frame; empty when all equal the first.
    frame_sizes: Vec<SizeValue>,
    /// The bits in a sample of the rows, 8 or 16.
    depth: u8,
    /// The bits in a sample as stored in the file.
    stored_depth: u8,
    channels: u8,
    /// EXIF's number, 1 to 8.
    orientation: u8,
    /// The most sensitive metadata in the file.
    metadata: MetadataName,
    /// Whether a colour profile is embedded.
    icc: bool,
    /// Whether pixels may be transparent.
    alpha: bool,
    /// The estimated quality of a lossy file, 1 to 100.
    quality: Option<u8>,
    /// The bytes of memory that decoding takes.
    working_set: u64,
    /// Whether colours are stored in a palette.
    has_palette: bool,
    /// Whether the file states that it has a gain map.
    has_gain_map: bool,
    warnings: Vec<WarningValue>,
}

/// The most sensitive metadata in a file, apart from its colour profile.
#[derive(Tsify, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MetadataName {
    None,
    /// Details such as the camera and the date, but no location.
    Details,
    /// A location, with or without details.
    Location,
}

/// A warning: [`raster::Warning`].
#[derive(Tsify, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum WarningValue {
    Truncated { rows: u32, of: u32 },
    BrokenProfile,
    ProfileDropped,
    FirstFrameOnly { frames: u32 },
    FramesSkipped { skipped: u32, of: u32 },
    DepthReduced,
    Flattened,
    GainMapDropped,
    Skipped { part: &'static str },
    SizeAssumed { width: u32, height: u32 },
    ColorsReduced,
    PartsLeftOut,
    FontMissing { font: String },
}

/// The report of a job: [`pipeline::Report`].
#[derive(Tsify, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReportValue {
    #[serde(with = "names")]
    format: Format,
    width: u32,
    height: u32,
    frames: u32,
    byte_length: u64,
    crc32: u32,
    warnings: Vec<WarningValue>,
    /// The bytes that the job's budget counted.
    memory: u64,
}

/// The names of [`raster::Sequence`].
#[derive(Tsify, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SequenceName {
    Single,
    Pages,
    Animation,
    Sizes,
}

/// Exact numbers for one file: [`pipeline::Job`].
#[derive(Tsify, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResizeJob {
    /// The pictures of the output, in order.
    parts: Vec<PartValue>,
    #[serde(with = "names")]
    kernel: Kernel,
    #[serde(with = "names")]
    light: LightChoice,
    /// The handling of the kernel's ringing; it is kept when not given.
    #[serde(with = "names", default)]
    #[tsify(optional)]
    ringing: Ringing,
    /// How much of the picture is decoded; everything when not given.
    #[serde(with = "names", default)]
    #[tsify(optional)]
    decoding: Decoding,
    /// How much pictures are sharpened that get smaller; not at all when not given.
    #[serde(with = "names", default)]
    #[tsify(optional)]
    sharpen: Sharpening,
    /// The handling of colour profiles; they are kept when not given.
    #[serde(with = "names", default)]
    #[tsify(optional)]
    profile: ProfileChoice,
    output: EncodingValue,
    /// The metadata that the result may contain; without location when not given.
    #[serde(with = "names", default)]
    #[tsify(optional)]
    metadata: Policy,
    /// The density to state, in pixels per inch; that of the source when not given.
    #[serde(default)]
    #[tsify(optional)]
    density: Option<f64>,
    /// The red, green and blue that transparent areas get; they stay when not given. JPEG has its own background.
    #[serde(default)]
    #[tsify(optional)]
    flatten: Option<[u8; 3]>,
    /// The bytes that the job may hold.
    memory: f64,
}

/// One picture of a job: [`pipeline::Part`]. All geometry is that of the upright picture, turned by `turn`.
#[derive(Tsify, Deserialize)]
pub struct PartValue {
    /// The frame of the source, counted from 0.
    frame: u32,
    crop: RectValue,
    target: SizeValue,
    /// The canvas, when the output is larger than the target.
    canvas: Option<CanvasValue>,
    /// The turn of the upright picture, by EXIF's number, 1 to 8; none when not given.
    #[serde(default)]
    #[tsify(optional)]
    turn: u16,
}

/// A width and a height in pixels.
#[derive(Tsify, Serialize, Deserialize)]
pub struct SizeValue {
    width: u32,
    height: u32,
}

/// A rectangle of whole pixels.
#[derive(Tsify, Deserialize)]
pub struct RectValue {
    x: u32,
    y: u32,
    width: u32,
    height: u32,
}

/// A canvas: [`pipeline::Canvas`].
#[derive(Tsify, Deserialize)]
pub struct CanvasValue {
    size: SizeValue,
    x: u32,
    y: u32,
    /// Red, green, blue, straight alpha; 0 to 255.
    color: [u8; 4],
}

impl ImageInfoValue {
    /// What a header says, with the warnings that it brought. `respects` tells whether metadata contain no more than a
    /// policy allows.
    pub fn new(info: &ImageInfo, notes: &Notes, respects: Respects) -> Self {
        Self {
            format: info.format,
            width: info.size.width,
            height: info.size.height,
            frames: info.frames,
            sequence: info.sequence.into(),
            frame_sizes: info.frame_sizes.iter().map(|&Size { width, height }| SizeValue { width, height }).collect(),
            depth: info.row_format.depth().bits(),
            stored_depth: info.stored.depth,
            channels: info.stored.channels,
            orientation: info.orientation.exif(),
            metadata: match info {
                _ if respects(&info.metadata, Policy::Nothing) => MetadataName::None,
                _ if respects(&info.metadata, Policy::WithoutLocation) => MetadataName::Details,
                _ => MetadataName::Location,
            },
            icc: info.metadata.icc.is_some(),
            alpha: info.row_format.has_alpha(),
            quality: info.quality,
            working_set: info.working_set,
            has_palette: info.has_palette,
            has_gain_map: info.gain_map,
            warnings: notes.warnings().iter().map(WarningValue::from).collect(),
        }
    }
}

impl From<&Warning> for WarningValue {
    fn from(warning: &Warning) -> Self {
        match *warning {
            Warning::Truncated { rows, of } => Self::Truncated { rows, of },
            Warning::BrokenProfile => Self::BrokenProfile,
            Warning::ProfileDropped => Self::ProfileDropped,
            Warning::FirstFrameOnly { frames } => Self::FirstFrameOnly { frames },
            Warning::FramesSkipped { skipped, of } => Self::FramesSkipped { skipped, of },
            Warning::DepthReduced => Self::DepthReduced,
            Warning::Flattened => Self::Flattened,
            Warning::GainMapDropped => Self::GainMapDropped,
            Warning::Skipped(part) => Self::Skipped { part },
            Warning::SizeAssumed { size: Size { width, height } } => Self::SizeAssumed { width, height },
            Warning::ColorsReduced => Self::ColorsReduced,
            Warning::PartsLeftOut => Self::PartsLeftOut,
            Warning::FontMissing { ref font } => Self::FontMissing { font: font.clone() },
        }
    }
}

impl From<&Report> for ReportValue {
    fn from(report: &Report) -> Self {
        Self {
            format: report.format,
            width: report.size.width,
            height: report.size.height,
            frames: report.frames,
            byte_length: report.byte_len,
            crc32: report.crc32,
            warnings: report.warnings.iter().map(WarningValue::from).collect(),
            memory: report.memory,
        }
    }
}

impl ProbeAnswer {
    /// Returns the answer to a header that was read, or to its error, with the warnings of the notes.
    #[must_use]
    pub fn new(result: Result<ImageInfo>, notes: &Notes, respects: Respects) -> Self {
        match result {
            Ok(info) => Self::Ok(ImageInfoValue::new(&info, notes, respects)),
            Err(error) => Self::Failure((&error).into()),
        }
    }
}

impl From<Result<Report>> for RunAnswer {
    fn from(result: Result<Report>) -> Self {
        match result {
            Ok(report) => Self::Ok((&report).into()),
            Err(error) => Self::Failure((&error).into()),
        }
    }
}

impl From<Result<()>> for StepsAnswer {
    fn from(result: Result<()>) -> Self {
        match result {
            Ok(()) => Self::Ok(()),
            Err(error) => Self::Failure((&error).into()),
        }
    }
}

impl From<SizeValue> for Size {
    fn from(size: SizeValue) -> Self {
        Self::new(size.width, size.height)
    }
}

impl From<Sequence> for SequenceName {
    fn from(sequence: Sequence) -> Self {
        match sequence {
            Sequence::Single => Self::Single,
            Sequence::Pages => Self::Pages,
            Sequence::Animation { .. } => Self::Animation,
            Sequence::Sizes => Self::Sizes,
        }
    }
}

impl From<PartValue> for Part {
    fn from(part: PartValue) -> Self {
        let RectValue { x, y, width, height } = part.crop;
        let canvas = |c: CanvasValue| Canvas { size: c.size.into(), x: c.x, y: c.y, color: c.color };
        Self {
            frame: part.frame,
            crop: Rect { x, y, width, height },
            target: part.target.into(),
            canvas: part.canvas.map(canvas),
            turn: Orientation::from_exif(part.turn).unwrap_or_default(),
        }
    }
}

impl From<ResizeJob> for Job {
    fn from(job: ResizeJob) -> Self {
        let background = match job.output {
            EncodingValue::Jpeg { background, .. } => background,
            _ => job.flatten.unwrap_or(WHITE),
        };
        Self {
            parts: job.parts.into_iter().map(Part::from).collect(),
            kernel: job.kernel,
            ringing: job.ringing,
            light: job.light,
            decoding: job.decoding,
            sharpening: job.sharpen,
            profile: job.profile,
            density: job.density,
            encoding: (&job.output).into(),
            background,
            flatten: job.flatten.is_some(),
            metadata: job.metadata,
            limits: Limits { memory: job.memory as u64 },
        }
    }
}

/// The settings of an encoder for one picture.
#[derive(Tsify, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PictureSettings {
    width: u32,
    height: u32,
    /// 1 or 3, and 1 more for alpha.
    channels: u8,
    /// The bits of a sample, 8 or 16.
    bits: u8,
    /// 1 to 100, also between whole numbers; null for no loss.
    quality: Option<f64>,
    #[serde(with = "names")]
    effort: Effort,
}

impl PictureSettings {
    /// Returns the settings for a picture.
    #[must_use]
    pub fn new(picture: &Picture<'_>, EncoderSettings { compression, effort }: EncoderSettings) -> Self {
        let Picture { size, format, .. } = *picture;
        let quality = match compression {
            Compression::Lossless => None,
            Compression::Lossy { quality } => Some(f64::from(quality.hundredths()) / 100.0),
        };
        let (channels, bits) = (format.channels.count() as u8, format.depth.bits());
        Self { width: size.width, height: size.height, channels, bits, quality, effort }
    }
}
