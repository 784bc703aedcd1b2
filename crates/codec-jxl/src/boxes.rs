//! The boxes of metadata around a codestream (ISO/IEC 18181-2 §9): `Exif`, `xml ` and `brob`, which is one of these,
//! compressed by Brotli. A file without boxes is a codestream.

#[cfg(feature = "decode")]
use std::io::Read;

#[cfg(feature = "decode")]
use brotli_decompressor::Decompressor;
use raster::{Budget, ByteSink, ByteSource, Error, Format, Metadata, Notes, Result, Warning};

/// The signature box, with which a file with boxes begins.
const SIGNATURE: [u8; 12] = *b"\0\0\0\x0cJXL \r\n\x87\n";

/// Boxes that are looked at. Real files have about ten, or one for each part of a codestream.
const MOST_BOXES: u32 = 10_000;

/// The longest metadata that are kept, in bytes of each kind.
const LONGEST: u64 = 64 << 20;

/// A box: its type, and where its contents are in the file.
struct Box {
    kind: [u8; 4],
    start: u64,
    end: u64,
}

/// Returns the offset of the codestream, of which a file that is written has one part.
///
/// # Errors
/// `Io` from the source.
pub(crate) fn codestream(source: &dyn ByteSource) -> Result<u64> {
    let mut signature = [0; SIGNATURE.len()];
    source.read_full_at(0, &mut signature)?;
    if signature != SIGNATURE {
        return Ok(0);
    }
    let mut at = SIGNATURE.len() as u64;
    while let Some(next) = header(source, at)? {
        if next.kind == *b"jxlc" {
            return Ok(next.start);
        }
        at = next.end;
    }
    Ok(at)
}

/// Writes a codestream with its metadata. Without metadata it needs no boxes.
///
/// # Errors
/// `Unsupported` for parts of more than 4 GiB, `Io` from the sink.
pub(crate) fn write(sink: &mut dyn ByteSink, metadata: &Metadata, codestream: &[u8]) -> Result<()> {
    let Metadata { exif, xmp, .. } = metadata;
    if exif.is_none() && xmp.is_none() {
        return sink.write(codestream);
    }
    sink.write(&SIGNATURE)?;
    sink.write(b"\0\0\0\x14ftypjxl \0\0\0\0jxl ")?;
    // EXIF begins with the distance to its TIFF structure.
    for (kind, parts) in [
        (b"Exif", exif.as_ref().map(|exif| [&[0; 4], exif.as_slice()])),
        (b"xml ", xmp.as_ref().map(|xmp| [xmp.as_slice(), &[]])),
        (b"jxlc", Some([codestream, &[]])),
    ] {
        let Some(parts) = parts else { continue };
        let len = u32::try_from(8 + parts[0].len() + parts[1].len());
        let len = len.map_err(|_| Error::Unsupported { format: Format::Jxl, feature: "files of more than 4 GiB" })?;
        sink.write(&[&len.to_be_bytes()[..], kind].concat())?;
        parts.iter().try_for_each(|part| sink.write(part))?;
    }
    Ok(())
}

/// Reads EXIF and XMP. Of several boxes of a kind the first one counts. A box that cannot be read is left out with a
/// warning.
///
/// # Errors
/// `Io` from the source, `Limit` when the metadata exceed the budget.
pub(crate) fn metadata(source: &dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Metadata> {
    let mut metadata = Metadata::default();
    let mut signature = [0; SIGNATURE.len()];
    source.read_full_at(0, &mut signature)?;
    if signature != SIGNATURE {
        return Ok(metadata);
    }
    let mut at = SIGNATURE.len() as u64;
    for _ in 0..MOST_BOXES {
        let Some(next) = header(source, at)? else { break };
        at = next.end;
        let is_compressed = next.kind == *b"brob";
        let Some((kind, start)) = (if is_compressed { inner(source, &next)? } else { Some((next.kind, next.start)) })
        else {
            continue;
        };
        let (part, name) = match &kind {
            b"Exif" => (&mut metadata.exif, "exif"),
            b"xml " => (&mut metadata.xmp, "xmp"),
            _ => continue,
        };
        if part.is_some() {
            continue;
        }
        let contents = if next.end - start > LONGEST {
            None
        } else {
            let raw = read(source, start, next.end, budget)?;
            if is_compressed { decompressed(&raw, budget)? } else { Some(raw) }
        };
        *part = if kind == *b"Exif" { contents.and_then(exif) } else { contents };
        if part.is_none() {
            notes.warn(Warning::Skipped(name));
        }
    }
    Ok(metadata)
}

/// Reads the header of the box at `at` (ISO/IEC 14496-12 §4.2). `None` at the end of the file, and where there is no
/// box.
fn header(source: &dyn ByteSource, at: u64) -> Result<Option<Box>> {
    let mut bytes = [0; 16];
    let filled = source.read_full_at(at, &mut bytes)? as u64;
    let [l0, l1, l2, l3, k0, k1, k2, k3, long @ ..] = bytes;
    let (header, len) = match u32::from_be_bytes([l0, l1, l2, l3]) {
        0 => (8, source.byte_len().saturating_sub(at)),
        1 => (16, u64::from_be_bytes(long)),
        len => (8, u64::from(len)),
    };
    let end = at.saturating_add(len).min(source.byte_len());
    let is_box = filled >= header && len >= header && end >= at + header;
    Ok(is_box.then_some(Box { kind: [k0, k1, k2, k3], start: at + header, end }))
}

/// Returns the type of the box in a `brob`, and where its compressed contents begin.
fn inner(source: &dyn ByteSource, outer: &Box) -> Result<Option<([u8; 4], u64)>> {
    let mut kind = [0; 4];
    let is_whole = outer.end - outer.start >= 4 && source.read_full_at(outer.start, &mut kind)? == 4;
    Ok(is_whole.then_some((kind, outer.start + 4)))
}

fn read(source: &dyn ByteSource, start: u64, end: u64, budget: &Budget) -> Result<Vec<u8>> {
    let mut bytes = budget.filled(end - start, 0)?;
    let filled = source.read_full_at(start, &mut bytes)?;
    bytes.truncate(filled);
    Ok(bytes)
}

/// Returns nothing: the decoder of Brotli belongs to the feature `decode`.
#[cfg(not(feature = "decode"))]
#[expect(clippy::unnecessary_wraps, reason = "as with the feature")]
fn decompressed(_: &[u8], _: &Budget) -> Result<Option<Vec<u8>>> {
    Ok(None)
}

/// Returns the bytes of a Brotli stream (RFC 7932), `None` if it is damaged or longer than [`LONGEST`].
#[cfg(feature = "decode")]
fn decompressed(raw: &[u8], budget: &Budget) -> Result<Option<Vec<u8>>> {
    // The window of a stream has at most 16 MiB.
    const WORKING_SET: u64 = 17 << 20;
    let scope = budget.scope();
    scope.charge(WORKING_SET)?;
    let mut stream = Decompressor::new(raw, 4096);
    let (mut bytes, mut part) = (Vec::new(), [0; 4096]);
    loop {
        match stream.read(&mut part) {
            Ok(0) => return Ok(Some(bytes)),
            Ok(len) if (bytes.len() + len) as u64 <= LONGEST => {
                if bytes.capacity() - bytes.len() < len {
                    // The old and the new bytes are held while they move.
                    let more = bytes.len().max(len);
                    budget.charge(2 * more as u64)?;
                    bytes.reserve_exact(more);
                }
                bytes.extend_from_slice(&part[..len]);
            }
            Ok(_) | Err(_) => return Ok(None),
        }
    }
}

/// Returns the TIFF structure of EXIF: the box begins with the distance to it.
fn exif(mut contents: Vec<u8>) -> Option<Vec<u8>> {
    let distance = u32::from_be_bytes(*contents.first_chunk()?) as usize;
    let start = distance.checked_add(4).filter(|&start| start < contents.len())?;
    contents.drain(..start);
    Some(contents)
}

#[cfg(all(test, feature = "decode"))]
#[allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
mod tests {
    use super::*;
    use raster::Limits;
    use testkit::memory;

    fn boxed(kind: &[u8; 4], contents: &[u8]) -> Vec<u8> {
        [&(contents.len() as u32 + 8).to_be_bytes()[..], kind, contents].concat()
    }

    /// A Brotli stream of one meta-block without compression (RFC 7932 §9.2): a window of 16 bits, a length of four
    /// nibbles, the bytes, and an empty last meta-block.
    fn stored(bytes: &[u8]) -> Vec<u8> {
        let len = bytes.len() as u32 - 1;
        // From the lowest bit: WBITS 0, ISLAST 0, MNIBBLES 00, MLEN - 1 in 16 bits, ISUNCOMPRESSED 1.
        let head = len << 4 | 1 << 20;
        [&head.to_le_bytes()[..3], bytes, &[3]].concat()
    }

    fn found(boxes: &[Vec<u8>]) -> (Metadata, Vec<Warning>) {
        let file = [&SIGNATURE[..], &boxes.concat()].concat();
        let notes = Notes::default();
        let limits = Limits { memory: 32 << 20 };
        let metadata = memory::counted("boxes", &limits, |budget| metadata(&file, budget, &notes));
        (metadata.unwrap(), notes.warnings())
    }

    #[test]
    fn exif_and_xmp_are_found_plain_or_compressed_before_or_behind_the_picture() {
        let [exif, xmp] = [b"\0\0\0\x02??II*\0", b"<x:xmpmeta"];
        let wanted = (Some(b"II*\0".to_vec()), Some(xmp.to_vec()));
        let picture = boxed(b"jxlc", b"\xff\x0a");
        let to_the_end = [&[0, 0, 0, 0][..], b"xml ", xmp].concat();
        let long = [&[0, 0, 0, 1][..], b"Exif", &(16 + exif.len() as u64).to_be_bytes(), exif].concat();
        for boxes in [
            [boxed(b"Exif", exif), boxed(b"xml ", xmp), picture.clone()],
            [picture.clone(), boxed(b"Exif", exif), to_the_end],
            [
                boxed(b"brob", &[&b"Exif"[..], &stored(exif)].concat()),
                picture.clone(),
                boxed(b"brob", &[&b"xml "[..], &stored(xmp)].concat()),
            ],
            [boxed(b"xml ", xmp), long, boxed(b"Exif", b"\0\0\0\0second")],
        ] {
            let (metadata, warnings) = found(&boxes);
            assert_eq!((metadata.exif, metadata.xmp), wanted);
            assert_eq!(warnings, []);
        }
    }

    #[test]
    fn damaged_metadata_are_left_out_with_a_warning() {
        let none = Metadata::default();
        for (boxes, warnings) in [
            (vec![boxed(b"Exif", b"\0\0\0\x09II*\0")], vec![Warning::Skipped("exif")]),
            (vec![boxed(b"Exif", b"\0\0")], vec![Warning::Skipped("exif")]),
            (vec![boxed(b"brob", b"xml \xff\xff\xff")], vec![Warning::Skipped("xmp")]),
            (vec![boxed(b"brob", b"xm")], vec![]),
            (vec![b"\0\0\0\x02xml <x".to_vec()], vec![]),
            (vec![b"\0\0\0".to_vec()], vec![]),
        ] {
            assert_eq!(found(&boxes), (none.clone(), warnings));
        }
        let codestream = b"\xff\x0a....".to_vec();
        let budget = Budget::new(&Limits::default());
        assert_eq!(metadata(&codestream, &budget, &Notes::default()).unwrap(), none);
    }

    #[test]
    fn compressed_metadata_that_grow_without_end_are_refused() {
        // Meta-blocks of one literal, repeated by copies: 64 KiB from few bytes each would be needed; stored blocks are
        // enough to reach the limit of a small budget.
        let block = stored(&[7; 0xFFFF]);
        let stream: Vec<u8> = [&b"xml "[..], &block].concat();
        let file = [&SIGNATURE[..], &boxed(b"brob", &stream)].concat();
        let small = Budget::new(&Limits { memory: (17 << 20) + 100_000 });
        assert_eq!(metadata(&file, &small, &Notes::default()).unwrap_err().code(), "memory");
    }
}
