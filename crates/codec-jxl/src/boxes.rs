//! The boxes of metadata around a codestream (ISO/IEC 18181-2 §9): `Exif`, `xml ` and `brob`, which is one of these,
//! compressed by Brotli. A file without boxes is a codestream.

use core::ops::Range;
#[cfg(feature = "decode")]
use std::io::Read;

#[cfg(feature = "decode")]
use brotli_decompressor::Decompressor;
use raster::{Budget, ByteSink, ByteSource, Error, Format, Metadata, Notes, Result, Warning};

/// The signature box, with which a file with boxes begins.
pub(crate) const SIGNATURE: [u8; 12] = *b"\0\0\0\x0cJXL \r\n\x87\n";

/// Boxes that are looked at. Real files have about ten, or one for each part of a codestream.
const MOST_BOXES: u32 = 10_000;

/// The longest metadata that are kept, in bytes of each kind.
const LONGEST: u64 = 64 << 20;

/// A box.
pub(crate) struct Entry {
    /// Its type, or that of the box in it, if it is a `brob`.
    pub(crate) kind: [u8; 4],
    /// Whether the contents are compressed.
    pub(crate) is_compressed: bool,
    /// The header and the contents, as far as the file has them.
    pub(crate) all: Range<u64>,
    /// The offset of the contents.
    pub(crate) start: u64,
}

impl Entry {
    /// Whether the box belongs to the picture: the brand and the level of the file, the codestream, the index of its
    /// frames, and the gain map.
    pub(crate) fn is_of_picture(&self) -> bool {
        !self.is_compressed && matches!(&self.kind, b"ftyp" | b"jxll" | b"jxli" | b"jxlc" | b"jxlp" | b"jhgm")
    }
}

/// The boxes of a file, behind its signature.
pub(crate) struct Boxes<'a> {
    source: &'a dyn ByteSource,
    /// The offset behind the last box.
    pub(crate) at: u64,
    left: u32,
}

impl<'a> Boxes<'a> {
    /// Returns the boxes; `None` for a codestream without boxes.
    ///
    /// # Errors
    /// `Io` from the source.
    pub(crate) fn open(source: &'a dyn ByteSource) -> Result<Option<Self>> {
        let mut signature = [0; SIGNATURE.len()];
        source.read_full_at(0, &mut signature)?;
        let boxes = Self { source, at: SIGNATURE.len() as u64, left: MOST_BOXES };
        Ok((signature == SIGNATURE).then_some(boxes))
    }

    /// Reads the header of the next box (ISO/IEC 14496-12 §4.2). `None` at the end of the file, where there is no box,
    /// and behind [`MOST_BOXES`].
    ///
    /// # Errors
    /// `Io` from the source.
    #[inline(never)]
    pub(crate) fn next(&mut self) -> Result<Option<Entry>> {
        let mut bytes = [0; 20];
        let Self { source, at, .. } = *self;
        let filled = source.read_full_at(at, &mut bytes)? as u64;
        let [l0, l1, l2, l3, k0, k1, k2, k3, long @ .., _, _, _, _] = bytes;
        let (header, len) = match u32::from_be_bytes([l0, l1, l2, l3]) {
            0 => (8, source.byte_len().saturating_sub(at)),
            1 => (16, u64::from_be_bytes(long)),
            len => (8, u64::from(len)),
        };
        let end = at.saturating_add(len).min(source.byte_len());
        if filled < header || len < header || end < at + header || self.left == 0 {
            return Ok(None);
        }
        (self.at, self.left) = (end, self.left - 1);
        let kind = [k0, k1, k2, k3];
        let plain = Entry { kind, is_compressed: false, all: at..end, start: at + header };
        let inner = bytes[header as usize..].first_chunk().filter(|_| kind == *b"brob" && end >= at + header + 4);
        Ok(Some(match inner {
            Some(&kind) => Entry { kind, is_compressed: true, start: at + header + 4, ..plain },
            None => plain,
        }))
    }
}

/// Returns the offset of the codestream, or of its first part.
///
/// # Errors
/// `Io` from the source.
pub(crate) fn codestream(source: &dyn ByteSource) -> Result<u64> {
    let Some(mut boxes) = Boxes::open(source)? else { return Ok(0) };
    while let Some(next) = boxes.next()? {
        match &next.kind {
            _ if next.is_compressed => {}
            b"jxlc" => return Ok(next.start),
            // The number of the part comes first.
            b"jxlp" => return Ok(next.start + 4),
            _ => {}
        }
    }
    Ok(boxes.at)
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
        if let Some(parts) = parts {
            write_box(sink, *kind, parts)?;
        }
    }
    Ok(())
}

/// Writes a box.
///
/// # Errors
/// `Unsupported` for more than 4 GiB, `Io` from the sink.
pub(crate) fn write_box(sink: &mut dyn ByteSink, kind: [u8; 4], parts: [&[u8]; 2]) -> Result<()> {
    let len = u32::try_from(8 + parts[0].len() + parts[1].len());
    let len = len.map_err(|_| Error::Unsupported { format: Format::Jxl, feature: "files of more than 4 GiB" })?;
    sink.write(&[len.to_be_bytes(), kind].concat())?;
    parts.iter().try_for_each(|part| sink.write(part))
}

/// Reads EXIF and XMP. Of several boxes of a kind the first one counts. A box that cannot be read is left out with a
/// warning. All else that does not belong to the picture is not read.
///
/// # Errors
/// `Io` from the source, `Limit` when the metadata exceed the budget; without the feature `decode`, `Unsupported` for
/// compressed metadata.
pub(crate) fn metadata(source: &dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Metadata> {
    let mut metadata = Metadata::default();
    let Some(mut boxes) = Boxes::open(source)? else { return Ok(metadata) };
    while let Some(next) = boxes.next()? {
        let (part, name) = match &next.kind {
            b"Exif" => (&mut metadata.exif, "exif"),
            b"xml " => (&mut metadata.xmp, "xmp"),
            _ => {
                metadata.unread |= !next.is_of_picture();
                continue;
            }
        };
        if part.is_some() {
            metadata.unread = true;
            continue;
        }
        let contents = contents(source, &next, budget)?;
        *part = if next.kind == *b"Exif" { contents.and_then(exif) } else { contents };
        if part.is_none() {
            metadata.unread = true;
            notes.warn(Warning::Skipped(name));
        }
    }
    metadata.unread |= boxes.at < source.byte_len();
    Ok(metadata)
}

/// Returns the contents of a box, decompressed; `None` if they are damaged or longer than [`LONGEST`].
///
/// # Errors
/// As [`metadata`].
#[inline(never)]
pub(crate) fn contents(source: &dyn ByteSource, entry: &Entry, budget: &Budget) -> Result<Option<Vec<u8>>> {
    let len = entry.all.end - entry.start;
    if len > LONGEST {
        return Ok(None);
    }
    let mut raw = budget.filled(len, 0)?;
    let filled = source.read_full_at(entry.start, &mut raw)?;
    raw.truncate(filled);
    if entry.is_compressed { decompressed(&raw, budget) } else { Ok(Some(raw)) }
}

/// Refuses: the decoder of Brotli belongs to the feature `decode`.
#[cfg(not(feature = "decode"))]
fn decompressed(_: &[u8], _: &Budget) -> Result<Option<Vec<u8>>> {
    Err(Error::Unsupported { format: Format::Jxl, feature: "compressed metadata without the decoder" })
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
        let none = Metadata { unread: true, ..Metadata::default() };
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
        assert_eq!(metadata(&codestream, &budget, &Notes::default()).unwrap(), Metadata::default());
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
