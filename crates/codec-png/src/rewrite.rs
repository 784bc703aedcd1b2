//! A copy of a file with other metadata: the chunks that pixels and colours need byte for byte, no other chunks, and
//! nothing behind the end.

use raster::{Budget, ByteSink, ByteSource, Cursor, Metadata, Result};

use crate::chunk::{self, ChunkHeader, ChunkType, Chunks, SIGNATURE};
use crate::encode::ancillary::write_texts;
use crate::error::Cause;

/// The ancillary chunks that affect the visible picture.
#[rustfmt::skip]
const SEEN: [ChunkType; 16] = [
    *b"tRNS", *b"gAMA", *b"cHRM", *b"sRGB", *b"iCCP", *b"cICP", *b"mDCV", *b"mDCv", *b"cLLI", *b"cLLi", *b"sBIT",
    *b"bKGD", *b"sPLT", *b"acTL", *b"fcTL", *b"fdAT",
];

/// Copies the PNG `source` to `sink` with `metadata` instead of its own; colours, including the profile, stay the same.
/// The copy of an incomplete file is incomplete too.
///
/// # Errors
/// `Malformed` when the file does not begin as a PNG or its chunks cannot be followed, `Limit` for metadata above 16
/// MiB, `Io`.
pub fn rewrite_metadata(
    source: &dyn ByteSource,
    sink: &mut dyn ByteSink,
    metadata: &Metadata,
    budget: &Budget,
) -> Result<()> {
    let mut signature = [0; SIGNATURE.len()];
    source.read_full_at(0, &mut signature)?;
    if signature != SIGNATURE {
        return Err(Cause::Signature.at(0));
    }
    sink.write(&SIGNATURE)?;
    let mut chunks = Chunks::new(source, SIGNATURE.len() as u64);
    while let Some(header) = chunks.next()? {
        if chunk::is_critical(header.kind) || SEEN.contains(&header.kind) {
            copy(source, sink, header)?;
        }
        match &header.kind {
            b"IHDR" => write_texts(sink, metadata, budget)?,
            b"IEND" => break,
            _ => {}
        }
    }
    Ok(())
}

/// Copies a chunk, including its length and CRC, up to the end of the file.
fn copy(source: &dyn ByteSource, sink: &mut dyn ByteSink, header: ChunkHeader) -> Result<()> {
    let mut cursor = Cursor::new(source, header.offset);
    let mut left = chunk::AROUND as u64 + u64::from(header.length);
    while left > 0 {
        let window = cursor.peek()?;
        let n = window.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        if n == 0 {
            break;
        }
        sink.write(&window[..n])?;
        cursor.advance(n);
        left -= n as u64;
    }
    Ok(())
}
