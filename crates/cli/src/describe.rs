//! The output of the program: a header as a sentence or as JSON, and the warnings of a result.

use raster::{ImageInfo, Notes, Warning};
use serde_json::json;

/// Returns `format`, `width` and `height` as stored, `frames`, `depth`, `channels`, `orientation`, `icc` (whether a
/// profile is embedded), `warnings`.
pub(crate) fn json(info: &ImageInfo, notes: &Notes) -> String {
    let warnings: Vec<_> = notes.warnings().iter().map(Warning::code).collect();
    json!({
        "format": info.format.name(),
        "width": info.size.width,
        "height": info.size.height,
        "frames": info.frames,
        "depth": info.stored.depth,
        "channels": info.stored.channels,
        "orientation": info.orientation.exif(),
        "icc": info.metadata.icc.is_some(),
        "warnings": warnings,
    })
    .to_string()
}

pub(crate) fn sentence(info: &ImageInfo, notes: &Notes) -> String {
    let mut text =
        format!("{}, {}, {} bits × {} channels", info.format, info.size, info.stored.depth, info.stored.channels);
    if info.frames > 1 {
        text.push_str(&format!(", {} frames", info.frames));
    }
    if info.orientation.exif() != 1 {
        text.push_str(&format!(", orientation {}", info.orientation.exif()));
    }
    if info.metadata.icc.is_some() {
        text.push_str(", with a colour profile");
    }
    for note in notes.warnings() {
        text.push_str("; ");
        text.push_str(&warning(&note));
    }
    text
}

pub(crate) fn warning(warning: &Warning) -> String {
    match warning {
        Warning::Truncated { rows, of } if rows == of => "the end of the file is missing".into(),
        Warning::Truncated { rows, of } => format!("part of the picture is missing: {rows} of {of} rows are there"),
        Warning::BrokenProfile => "the colour profile is damaged; sRGB is assumed".into(),
        Warning::ProfileDropped => "the target format cannot hold the colour profile".into(),
        Warning::FirstFrameOnly { frames } => format!("only the first of {frames} frames is used"),
        Warning::FramesSkipped { skipped, of } => format!("{skipped} of {of} frames are damaged and were left out"),
        Warning::DepthReduced => "the target format stores 8 bits per sample".into(),
        Warning::Flattened => "transparent areas became white".into(),
        Warning::ColorsReduced => "the colours were reduced to a palette, because the original has one".into(),
        Warning::GainMapDropped => "the gain map for HDR screens was left out".into(),
        Warning::Skipped(part) => format!("a damaged part was left out: {part}"),
        Warning::SizeAssumed { size } => format!("the drawing has no size of its own; {size} was assumed"),
        Warning::PartsLeftOut => {
            "parts of the drawing were left out; scripts and links to other files are never loaded".into()
        }
        Warning::FontMissing { font } => format!("the font {font} is not available; a similar one was used"),
    }
}
