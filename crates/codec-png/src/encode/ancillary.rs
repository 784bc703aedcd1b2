//! The ancillary chunks before the pixels: density, EXIF, XMP, IPTC, texts, colours.

use deflate::{Content, Encoder, Method};
use raster::{Budget, ByteSink, Limit, Metadata, Result, Signal, Text, photoshop};

use crate::text::{self, RAW_PROFILE, XMP};
use crate::{chunk, density};

/// The bytes of the longest profile or packet that is written; a chunk could contain 2 GiB.
const MAX: usize = 16 << 20;

/// The length from which texts are deflated (as §12.9 recommends).
const LONG: usize = 1024;

/// Writes all of these chunks, in the order that the standard requires (§5.6).
///
/// # Errors
/// `Limit` for profiles and packets above 16 MiB and when the budget is too small for deflating them; `Io`.
pub(crate) fn write(sink: &mut dyn ByteSink, metadata: &Metadata, budget: &Budget) -> Result<()> {
    if let Some(Signal { code_points, mastering_display, light_level, .. }) = &metadata.signal {
        chunk::write(sink, *b"cICP", code_points)?;
        if let Some(display) = mastering_display {
            chunk::write(sink, *b"mDCV", display)?;
        }
        if let Some(level) = light_level {
            chunk::write(sink, *b"cLLI", level)?;
        }
    }
    if let Some(profile) = &metadata.icc {
        // §11.3.2.3: a name, method 0.
        let data = deflated(b"ICC profile\0\0", profile, budget)?;
        chunk::write(sink, *b"iCCP", &data)?;
    }
    write_texts(sink, metadata, budget)
}

/// Writes the chunks that do not describe colours.
///
/// # Errors
/// As [`write`].
pub(crate) fn write_texts(sink: &mut dyn ByteSink, metadata: &Metadata, budget: &Budget) -> Result<()> {
    if let Some(resolution) = metadata.resolution {
        chunk::write(sink, *b"pHYs", &density::to_bytes(resolution))?;
    }
    if let Some(exif) = &metadata.exif {
        check(exif)?;
        chunk::write(sink, *b"eXIf", exif)?;
    }
    if let Some(xmp) = &metadata.xmp {
        check(xmp)?;
        // Five zeros: not deflated, method 0, no language, no translated keyword.
        chunk::write(sink, *b"iTXt", &[XMP, &[0; 5], xmp].concat())?;
    }
    if let Some(iptc) = &metadata.iptc {
        check(iptc)?;
        // PNG has no chunk for IPTC; ImageMagick and exiftool use this one.
        let text = text::pack_hexadecimal("iptc", &photoshop::wrap_iptc(iptc));
        let data = deflated(&[RAW_PROFILE, b"iptc\0\0"].concat(), &text, budget)?;
        chunk::write(sink, *b"zTXt", &data)?;
    }
    metadata.texts.iter().try_for_each(|text| write_text(sink, text, budget))
}

/// Writes a text in the oldest kind of chunk that supports it: tEXt and zTXt are Latin-1 without a language (§11.3.3).
fn write_text(sink: &mut dyn ByteSink, text: &Text, budget: &Budget) -> Result<()> {
    let Text { keyword, language, translated, text } = text;
    let latin = |text: &str| text.chars().map(|char| u8::try_from(char).ok()).collect::<Option<Vec<u8>>>();
    // Our readers accept only Latin-1 keywords.
    let Some(keyword) = latin(keyword) else { return Ok(()) };
    let is_long = text.len() >= LONG;
    let (kind, before, text) = match latin(text).filter(|_| language.is_empty() && translated.is_empty()) {
        Some(text) if is_long => (*b"zTXt", [&keyword[..], &[0, 0]].concat(), text),
        Some(text) => (*b"tEXt", [&keyword[..], &[0]].concat(), text),
        None => {
            let fields = [language.as_bytes(), &[0], translated.as_bytes(), &[0]].concat();
            (*b"iTXt", [&keyword[..], &[0, is_long.into(), 0], &fields].concat(), text.clone().into_bytes())
        }
    };
    check(&text)?;
    let data = if is_long { deflated(&before, &text, budget)? } else { [before, text].concat() };
    chunk::write(sink, kind, &data)
}

fn check(content: &[u8]) -> Result<()> {
    if content.len() > MAX { Err(Limit::Parts("bytes of metadata").into()) } else { Ok(()) }
}

fn deflated(before: &[u8], content: &[u8], budget: &Budget) -> Result<Vec<u8>> {
    if content.len() > 5 * MAX {
        return Err(Limit::Parts("bytes of metadata").into());
    }
    budget.charge(2 * content.len() as u64)?;
    let mut data = before.to_vec();
    let mut append = |bytes: &[u8]| {
        data.extend_from_slice(bytes);
        Ok(())
    };
    let mut encoder = Encoder::new(Method::Zlib(9), &budget.scope())?;
    encoder.write(content, Content::Repeating, &mut append)?;
    encoder.finish(&mut append)?;
    Ok(data)
}
