//! The copy of a file with other metadata: its boxes in order, each as it is. Boxes that are metadata are replaced or
//! left out; so is all that does not belong to the picture, unless the metadata state that it stays (`unread`).

use core::ops::Range;

use raster::{Budget, ByteSink, ByteSource, Error, Format, Metadata, Notes, Result};

use crate::boxes::{self, Boxes, Entry, SIGNATURE, write_box};

/// The number of a codestream's last part has this bit.
const LAST: u8 = 0x80;

/// Bytes that are copied at once.
const PIECE: u64 = 1 << 16;

/// Copies a file with `metadata` instead of its own EXIF and XMP. The data from which the JPEG of a picture can be made
/// again (`jbrd`) contain other metadata and fit the old ones only, so no changed copy has them.
///
/// # Errors
/// `Unsupported` for metadata of a kind that the file does not have, for a codestream whose end is missing, and,
/// without the feature `decode`, for compressed metadata; `Io`, `Limit`.
pub fn rewrite_metadata(
    source: &dyn ByteSource,
    sink: &mut dyn ByteSink,
    metadata: &Metadata,
    budget: &Budget,
) -> Result<()> {
    let whole = 0..source.byte_len();
    let Metadata { exif, xmp, unread, .. } = metadata;
    let own = boxes::metadata(source, &budget.scope(), &Notes::default())?;
    if (&own.exif, &own.xmp, &own.unread) == (exif, xmp, unread) {
        return copy(source, sink, whole);
    }
    let refused = |feature| Error::Unsupported { format: Format::Jxl, feature };
    // Of a file without boxes, all metadata are equal to its own, which are none, or of a kind that it does not have.
    let mut boxes = Boxes::open(source)?.ok_or(refused(NO_ROOM))?;
    // EXIF begins with the distance to its TIFF structure.
    let mut exif = exif.as_ref().map(|exif| [&[0; 4], exif.as_slice()]);
    let mut xmp = xmp.as_ref().map(|xmp| [xmp.as_slice(), &[]]);
    let mut is_whole = false;
    sink.write(&SIGNATURE)?;
    while let Some(next) = boxes.next()? {
        match &next.kind {
            b"Exif" | b"xml " => {
                let part = if next.kind == *b"Exif" { &mut exif } else { &mut xmp };
                part.take().map_or(Ok(()), |parts| write_box(sink, next.kind, parts))?;
            }
            kind if next.is_of_picture() || (*unread && kind != b"jbrd") => {
                is_whole |= ends_codestream(source, &next)?;
                copy(source, sink, next.all)?;
            }
            _ => {}
        }
    }
    if exif.is_some() || xmp.is_some() {
        return Err(refused(NO_ROOM));
    }
    if !is_whole {
        return Err(refused("replacing the metadata of a file without the end of its codestream"));
    }
    if *unread { copy(source, sink, boxes.at..whole.end) } else { Ok(()) }
}

const NO_ROOM: &str = "metadata of a kind that the file does not have";

/// Copies a file with plain EXIF and XMP instead of compressed ones. Those that cannot be read are left out.
///
/// # Errors
/// `Unsupported` for metadata of more than 4 GiB; `Io`, `Limit`.
#[cfg(feature = "decode")]
pub fn unpack(source: &dyn ByteSource, sink: &mut dyn ByteSink, budget: &Budget) -> Result<()> {
    let whole = 0..source.byte_len();
    let Some(mut boxes) = Boxes::open(source)? else { return copy(source, sink, whole) };
    sink.write(&SIGNATURE)?;
    while let Some(next) = boxes.next()? {
        if !(next.is_compressed && matches!(&next.kind, b"Exif" | b"xml ")) {
            copy(source, sink, next.all)?;
        } else if let Some(contents) = boxes::contents(source, &next, budget)? {
            write_box(sink, next.kind, [&contents, &[]])?;
        }
    }
    copy(source, sink, boxes.at..whole.end)
}

/// Whether no part of the codestream follows the box.
fn ends_codestream(source: &dyn ByteSource, entry: &Entry) -> Result<bool> {
    let mut number = [0; 4];
    match &entry.kind {
        _ if entry.is_compressed => Ok(false),
        b"jxlp" => {
            source.read_full_at(entry.start, &mut number)?;
            Ok(number[0] & LAST != 0)
        }
        kind => Ok(kind == b"jxlc"),
    }
}

/// Copies bytes of the file.
fn copy(source: &dyn ByteSource, sink: &mut dyn ByteSink, range: Range<u64>) -> Result<()> {
    let mut piece = vec![0; PIECE.min(range.end.saturating_sub(range.start)) as usize];
    let mut at = range.start;
    while at < range.end {
        let len = (range.end - at).min(PIECE) as usize;
        let filled = source.read_full_at(at, &mut piece[..len])?;
        sink.write(&piece[..filled])?;
        at += len as u64;
    }
    Ok(())
}
