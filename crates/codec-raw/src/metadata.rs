//! Conversion of metadata to fields and back.

use raster::{Metadata, Resolution, Result, Signal, StoredGainMap, Text};

use crate::block::{Body, Fields, Kind};
use crate::error::Cause;

const ICC: Kind = *b"ICCP";
const EXIF: Kind = *b"EXIF";
const XMP: Kind = *b"XMP ";
const XMP_EXTENSION: Kind = *b"XMPX";
const IPTC: Kind = *b"IPTC";
const TEXT: Kind = *b"TEXT";
const DENSITY: Kind = *b"DENS";
const SIGNAL: Kind = *b"SGNL";
const ISO: Kind = *b"ISO ";
const FILE: Kind = *b"FILE";

/// Appends metadata to a body. A new field in [`Metadata`] does not compile until it is handled here.
pub(crate) fn append(body: &mut Body, metadata: &Metadata) -> Result<()> {
    // A reader's gain map is a block of the head.
    let Metadata { icc, exif, xmp, xmp_extension, iptc, texts, resolution, signal, gain_map: _, unread: _ } = metadata;
    let blobs = [(ICC, icc), (EXIF, exif), (XMP, xmp), (XMP_EXTENSION, xmp_extension), (IPTC, iptc)];
    let blobs = blobs.into_iter().filter_map(|(kind, blob)| Some((kind, blob.as_deref()?)));
    let mut parts = Body::default();
    let mut count = 0;
    for (kind, blob) in blobs {
        parts.block(kind, blob)?;
        count += 1;
    }
    for text in texts {
        parts.block(TEXT, &text_body(text)?)?;
        count += 1;
    }
    if let Some(Resolution { x, y }) = resolution {
        parts.block(DENSITY, &[x.to_le_bytes(), y.to_le_bytes()].concat())?;
        count += 1;
    }
    if let Some(signal) = signal {
        parts.block(SIGNAL, &signal_body(signal))?;
        count += 1;
    }
    body.number(count);
    body.bytes(&parts.0);
    Ok(())
}

/// Reads the fields that [`append`] wrote.
pub(crate) fn parse(fields: &mut Fields<'_>) -> Result<Metadata, Cause> {
    let mut metadata = Metadata::default();
    for _ in 0..fields.number()? {
        let (kind, mut part) = fields.block()?;
        match kind {
            ICC => metadata.icc = Some(part.0.to_vec()),
            EXIF => metadata.exif = Some(part.0.to_vec()),
            XMP => metadata.xmp = Some(part.0.to_vec()),
            XMP_EXTENSION => metadata.xmp_extension = Some(part.0.to_vec()),
            IPTC => metadata.iptc = Some(part.0.to_vec()),
            TEXT => metadata.texts.push(parse_text(part)?),
            DENSITY => {
                let (x, y) = (f64::from_le_bytes(part.array()?), f64::from_le_bytes(part.array()?));
                part.end()?;
                if !(x.is_finite() && y.is_finite()) {
                    return Err(Cause::Field("resolution"));
                }
                metadata.resolution = Some(Resolution { x, y });
            }
            SIGNAL => metadata.signal = Some(parse_signal(part)?),
            _ => return Err(Cause::Kind(kind)),
        }
    }
    Ok(metadata)
}

fn text_body(text: &Text) -> Result<Vec<u8>> {
    let Text { keyword, language, translated, text } = text;
    let mut body = Body::default();
    for part in [keyword, language, translated, text] {
        body.text(part)?;
    }
    Ok(body.0)
}

fn parse_text(mut fields: Fields<'_>) -> Result<Text, Cause> {
    let mut next = || fields.text().map(str::to_owned);
    let text = Text { keyword: next()?, language: next()?, translated: next()?, text: next()? };
    fields.end()?;
    Ok(text)
}

fn signal_body(signal: &Signal) -> Vec<u8> {
    let Signal { code_points, mastering_display, light_level, has_profile } = signal;
    let mut body = Body::default();
    body.bytes(code_points);
    body.byte(u8::from(*has_profile));
    let optional = [mastering_display.as_ref().map(|bytes| &bytes[..]), light_level.as_ref().map(|bytes| &bytes[..])];
    for part in optional {
        body.byte(u8::from(part.is_some()));
        body.bytes(part.unwrap_or_default());
    }
    body.0
}

fn parse_signal(mut fields: Fields<'_>) -> Result<Signal, Cause> {
    let code_points = fields.array()?;
    let has_profile = fields.flag()?;
    let mastering_display = if fields.flag()? { Some(fields.array()?) } else { None };
    let light_level = if fields.flag()? { Some(fields.array()?) } else { None };
    fields.end()?;
    Ok(Signal { code_points, mastering_display, light_level, has_profile })
}

/// Returns the body of a `GAIN`: empty where the map is not carried.
pub(crate) fn gain_map_body(map: Option<&StoredGainMap>) -> Result<Vec<u8>> {
    let mut body = Body::default();
    let Some(StoredGainMap { start, at: _, len: _, xmp, iso, needs_notes }) = map else { return Ok(body.0) };
    body.byte(u8::from(*needs_notes));
    for (kind, part) in [(XMP, xmp.as_ref()), (ISO, iso.as_ref()), (FILE, Some(start))] {
        if let Some(part) = part {
            body.block(kind, part)?;
        }
    }
    Ok(body.0)
}

/// Reads the body of a `GAIN`.
pub(crate) fn parse_gain_map(mut fields: Fields<'_>) -> Result<Option<StoredGainMap>, Cause> {
    if fields.is_empty() {
        return Ok(None);
    }
    let mut map = StoredGainMap { needs_notes: fields.flag()?, ..StoredGainMap::default() };
    while !fields.is_empty() {
        match fields.block()? {
            (XMP, part) => map.xmp = Some(part.0.to_vec()),
            (ISO, part) => map.iso = Some(part.0.to_vec()),
            (FILE, part) => map.start = part.0.to_vec(),
            (kind, _) => return Err(Cause::Kind(kind)),
        }
    }
    Ok(Some(map))
}
