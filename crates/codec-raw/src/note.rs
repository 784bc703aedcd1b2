//! Conversion of warnings and damage to fields and back.

use raster::{Error, Format, Result, Size, Warning};

use crate::block::{Body, Fields};
use crate::error::Cause;

/// The words of [`Warning::Skipped`] that codecs use.
const SKIPPED: [&str; 13] =
    ["acTL", "bytes", "checksum", "color", "eXIf", "entry", "exif", "iptc", "pHYs", "page", "tRNS", "text", "xmp"];

/// The word for a part that is not in the table.
const SOME_PART: &str = "part";

/// Returns the body of a `NOTE`.
pub(crate) fn warning_body(warning: &Warning) -> Result<Vec<u8>> {
    let (number, figures, word) = match *warning {
        Warning::Truncated { rows, of } => (1, [rows, of], ""),
        Warning::BrokenProfile => (2, [0, 0], ""),
        Warning::ProfileDropped => (3, [0, 0], ""),
        Warning::FirstFrameOnly { frames } => (4, [frames, 0], ""),
        Warning::FramesSkipped { skipped, of } => (5, [skipped, of], ""),
        Warning::DepthReduced => (6, [0, 0], ""),
        Warning::Flattened => (7, [0, 0], ""),
        Warning::Skipped(word) => (8, [0, 0], word),
        Warning::GainMapDropped => (9, [0, 0], ""),
        Warning::SizeAssumed { size } => (10, [size.width, size.height], ""),
        Warning::PartsLeftOut => (11, [0, 0], ""),
        Warning::FontMissing { ref font } => (12, [0, 0], font.as_str()),
        Warning::ColorsReduced => (13, [0, 0], ""),
    };
    let mut body = Body::default();
    body.byte(number);
    figures.into_iter().for_each(|figure| body.number(figure));
    body.text(word)?;
    Ok(body.0)
}

/// Reads the warning of a `NOTE`.
pub(crate) fn parse_warning(mut fields: Fields<'_>) -> Result<Warning, Cause> {
    let (number, a, b, word) = (fields.byte()?, fields.number()?, fields.number()?, fields.text()?);
    fields.end()?;
    Ok(match number {
        1 => Warning::Truncated { rows: a, of: b },
        2 => Warning::BrokenProfile,
        3 => Warning::ProfileDropped,
        4 => Warning::FirstFrameOnly { frames: a },
        5 => Warning::FramesSkipped { skipped: a, of: b },
        6 => Warning::DepthReduced,
        7 => Warning::Flattened,
        8 => Warning::Skipped(SKIPPED.into_iter().find(|&known| known == word).unwrap_or(SOME_PART)),
        9 => Warning::GainMapDropped,
        10 => Warning::SizeAssumed { size: Size::new(a, b) },
        11 => Warning::PartsLeftOut,
        12 => Warning::FontMissing { font: word.to_owned() },
        13 => Warning::ColorsReduced,
        _ => return Err(Cause::Field("number of a warning")),
    })
}

/// Returns the body of a `LOST`.
pub(crate) fn damage_body(format: Format, offset: u64, cause: &str) -> Result<Vec<u8>> {
    let mut body = Body::default();
    body.text(format.name())?;
    body.bytes(&offset.to_le_bytes());
    body.text(cause)?;
    Ok(body.0)
}

/// Reads the error of a `LOST`.
pub(crate) fn parse_damage(mut fields: Fields<'_>) -> Result<Error, Cause> {
    let format = parse_format(&mut fields)?;
    let offset = u64::from_le_bytes(fields.array()?);
    let cause = fields.text()?.to_owned();
    fields.end()?;
    Ok(Error::malformed(format, offset, cause))
}

/// Reads a format by its name.
pub(crate) fn parse_format(fields: &mut Fields<'_>) -> Result<Format, Cause> {
    let name = fields.text()?;
    Format::ALL.into_iter().find(|format| format.name() == name).ok_or(Cause::Field("format"))
}
