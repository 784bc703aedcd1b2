//! The copy of a file with other metadata.

use raster::{ByteSink, ByteSource, Cursor, Error, Format, Metadata, Result};

use crate::chunk::{Chunk, Chunks, HEADER_LEN};
use crate::container::{self, SIGNATURE_LEN};
use crate::error::Cause;

/// Copies the WebP `source` to `sink` with `metadata` instead of its own; pictures and profile stay the same.
///
/// # Errors
/// `Malformed` when a chunk is not complete, `Unsupported` for files of more than 4 GiB, `Io`.
pub fn rewrite_metadata(source: &dyn ByteSource, sink: &mut dyn ByteSink, metadata: &Metadata) -> Result<()> {
    sink.write(b"RIFF\0\0\0\0WEBP")?;
    let mut written = SIGNATURE_LEN;
    let mut chunks = Chunks::new(source, SIGNATURE_LEN, container::riff_end(source)?);
    while let Some(chunk) = chunks.next()? {
        let data = match &chunk.kind {
            b"VP8X" => flags_for(metadata, chunk, &mut chunks)?.to_vec(),
            b"ICCP" | b"ANIM" | b"ANMF" | b"ALPH" | b"VP8 " | b"VP8L" => Vec::new(),
            // The old metadata. Nothing is known about the content of other chunks.
            _ => continue,
        };
        written += copy(source, sink, chunk, &data)?;
    }
    for (kind, data) in [(*b"EXIF", &metadata.exif), (*b"XMP ", &metadata.xmp)] {
        if let Some(data) = data {
            let chunk = Chunk { kind, at: 0, len: u32::try_from(data.len()).map_err(|_| TOO_LONG)? };
            written += copy(data, sink, chunk, &[])?;
        }
    }
    let len = u32::try_from(written - HEADER_LEN).map_err(|_| TOO_LONG)?;
    sink.patch(4, &len.to_le_bytes())
}

const TOO_LONG: Error = Error::Unsupported { format: Format::WebP, feature: "files of more than 4 GiB" };

/// Returns the first byte of VP8X: the flags, with those of the metadata as they will be.
fn flags_for(metadata: &Metadata, vp8x: Chunk, chunks: &mut Chunks<'_>) -> Result<[u8; 1]> {
    let [flags] = chunks.head(vp8x)?.ok_or_else(|| Cause::Short(vp8x.kind).at(vp8x.at))?;
    let exif = if metadata.exif.is_some() { container::EXIF } else { 0 };
    let xmp = if metadata.xmp.is_some() { container::XMP } else { 0 };
    Ok([flags & !(container::EXIF | container::XMP) | exif | xmp])
}

/// Copies a chunk whose data begin with `start`. Returns the number of bytes written.
fn copy(source: &dyn ByteSource, sink: &mut dyn ByteSink, chunk: Chunk, start: &[u8]) -> Result<u64> {
    sink.write(&chunk.kind)?;
    sink.write(&chunk.len.to_le_bytes())?;
    sink.write(start)?;
    let mut cursor = Cursor::new(source, chunk.at + start.len() as u64);
    let mut left = chunk.len as usize - start.len();
    while left > 0 {
        let window = cursor.peek()?;
        let n = window.len().min(left);
        if n == 0 {
            return Err(Cause::Short(chunk.kind).at(chunk.at));
        }
        sink.write(&window[..n])?;
        cursor.advance(n);
        left -= n;
    }
    if chunk.len % 2 == 1 {
        sink.write(&[0])?;
    }
    Ok(chunk.next() - chunk.at + HEADER_LEN)
}
