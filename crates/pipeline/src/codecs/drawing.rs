//! Drawings: files without pixels of their own. Each part of a job is drawn anew at its target size. With the feature
//! `svg`, SVG files are read in this process; otherwise another module draws them and sends raw rows.

use std::borrow::Cow;

use raster::limits::MAX_SIDE;
use raster::{
    Budget, ByteSink, ByteSource, Channels, Depth, Error, Format, FormatTraits, ImageInfo, ImageReader, MetadataRoom,
    Notes, Orientation, Profiles, Rect, Result, Sequences,
};

use super::Codec;
use crate::job::{Job, Part};

/// The features of SVG.
pub(super) const SVG: FormatTraits = FormatTraits {
    format: Format::Svg,
    max_side: MAX_SIDE,
    sequences: Sequences::NONE,
    channels: &[Channels::Rgba],
    depth: Depth::Eight,
    profiles: Profiles::None,
    metadata: MetadataRoom::NONE,
};

/// Returns the codec of SVG, or `None` where another module reads it.
pub(super) fn codec() -> Option<Codec> {
    #[cfg(feature = "svg")]
    let codec = Some(Codec::new(&SVG, codec_svg::open, Some(super::Encoding::Svg)));
    #[cfg(not(feature = "svg"))]
    let codec = None;
    codec
}

/// Returns the job with a frame for each part if the file is a drawing; see [`open`].
pub(crate) fn drawn(format: Format, job: &Job) -> Cow<'_, Job> {
    if !(cfg!(feature = "svg") && format == Format::Svg) {
        return Cow::Borrowed(job);
    }
    let whole = |(frame, part): (usize, &Part)| Part { frame: frame as u32, crop: Rect::whole(part.target), ..*part };
    Cow::Owned(Job { parts: job.parts.iter().enumerate().map(whole).collect(), ..job.clone() })
}

/// Opens a file for a job. The frames of a drawing are the job's parts, each drawn at its target size.
///
/// # Errors
/// Errors of the codec; `Unsupported` for formats without one.
pub(crate) fn open<'a>(
    format: Format,
    source: &'a dyn ByteSource,
    budget: &Budget,
    notes: &Notes,
    parts: &[Part],
) -> Result<Box<dyn ImageReader + 'a>> {
    #[cfg(feature = "svg")]
    if format == Format::Svg {
        let reader = codec_svg::Reader::open(source, budget, notes)?;
        let size = reader.info().size;
        parts.iter().try_for_each(|part| part.check(size))?;
        return Ok(Box::new(reader.with_views(parts.iter().map(|part| view(part, size)).collect())));
    }
    let _ = parts;
    super::open(format, source, budget, notes)
}

#[cfg(feature = "svg")]
const fn view(part: &Part, size: raster::Size) -> codec_svg::View {
    let (crop, target) = part.before_turn(size);
    codec_svg::View { crop, target }
}

/// Copies a drawing with the size of the job's only part.
///
/// # Errors
/// Errors of the codec; `Unsupported` for files that are no drawings, for jobs with several parts or a canvas, and
/// without the feature `svg`.
pub(crate) fn resize(source: &dyn ByteSource, sink: &mut dyn ByteSink, job: &Job, budget: &Budget) -> Result<()> {
    let [part @ Part { canvas: None, turn: Orientation::Upright, .. }] = job.parts.as_slice() else {
        return Err(unsupported("a canvas around a drawing, or a turn"));
    };
    if super::sniff(source)? != Format::Svg {
        return Err(unsupported("making a drawing of pixels"));
    }
    #[cfg(feature = "svg")]
    return codec_svg::resize(source, sink, codec_svg::View { crop: part.crop, target: part.target }, budget);
    #[cfg(not(feature = "svg"))]
    {
        let _ = (sink, part, budget);
        Err(unsupported("writing"))
    }
}

/// Reads the header of a drawing.
///
/// # Errors
/// Errors of the codec; `Unsupported` without the feature `svg`.
pub(crate) fn probe(source: &dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<ImageInfo> {
    #[cfg(feature = "svg")]
    return Ok(codec_svg::open(source, budget, notes)?.info().clone());
    #[cfg(not(feature = "svg"))]
    {
        let _ = (source, budget, notes);
        Err(unsupported("reading"))
    }
}

const fn unsupported(feature: &'static str) -> Error {
    Error::Unsupported { format: Format::Svg, feature }
}
