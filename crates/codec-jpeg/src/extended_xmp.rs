//! Extended XMP (XMP specification part 3, §1.1.3.1). Data that do not fit into the one segment of the main packet are
//! a second packet, in pieces in further segments. The main packet names the second by its MD5.

use md5::{Digest, Md5};
use raster::{Budget, ByteSink, ByteSource, Metadata, Result};

use crate::marker::{MAX_PAYLOAD, code, write_segment};
use crate::segments::{Span, XMP, joined, with_description};

/// The name at the start of each segment; the MD5 in 32 digits, the length of the packet and the offset of the piece
/// follow.
pub(crate) const NAME: &[u8] = b"http://ns.adobe.com/xmp/extension/\0";
const HEAD: usize = 32 + 4 + 4;

/// The largest number of pieces that are read: 16 MiB.
pub(crate) const MAX_PIECES: usize = 256;

/// A piece and its position in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    digest: [u8; 32],
    total: u32,
    start: u32,
    data: Span,
}

impl Piece {
    /// Parses the piece in a segment with this payload at `offset`.
    pub(crate) fn parse(payload: &[u8], offset: u64) -> Option<Self> {
        let (digest, rest) = payload.strip_prefix(NAME)?.split_first_chunk()?;
        let (total, rest) = rest.split_first_chunk()?;
        let (start, data) = rest.split_first_chunk()?;
        Some(Self {
            digest: *digest,
            total: u32::from_be_bytes(*total),
            start: u32::from_be_bytes(*start),
            data: Span { offset: offset + (NAME.len() + HEAD) as u64, len: data.len() },
        })
    }
}

/// Returns the packet that `xmp` names, if each of its pieces exists exactly once, in any order.
///
/// # Errors
/// `Limit` when the budget is too small, `Io`.
pub(crate) fn assemble(
    pieces: &[Piece],
    xmp: &[u8],
    source: &dyn ByteSource,
    budget: &Budget,
) -> Result<Option<Vec<u8>>> {
    let is_named = |piece: &&Piece| xmp.windows(piece.digest.len()).any(|name| name == piece.digest);
    let Some(first) = pieces.iter().find(is_named) else { return Ok(None) };
    let mut ordered: Vec<Piece> = pieces.iter().filter(|piece| piece.digest == first.digest).copied().collect();
    // An empty piece stands before the one that starts where it does.
    raster::sort_by_key(&mut ordered, |piece| u64::from(piece.start) << 32 | piece.data.len as u64);
    let mut end = 0;
    for piece in &ordered {
        if u64::from(piece.start) != end || piece.total != first.total {
            return Ok(None);
        }
        end += piece.data.len as u64;
    }
    if end != u64::from(first.total) {
        return Ok(None);
    }
    joined(ordered.iter().map(|piece| piece.data), source, budget)
}

/// Returns the packet `xmp` with the name of its extension, or `None` when that does not fit into the segment.
fn named(xmp: &[u8], extension: &[u8]) -> Option<Vec<u8>> {
    let note = format!(
        "<rdf:Description rdf:about=\"\" xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" \
         xmlns:xmpNote=\"http://ns.adobe.com/xmp/note/\" xmpNote:HasExtendedXMP=\"{}\"/>",
        name(extension)
    );
    with_description(xmp, &note)
}

/// Whether a file can contain both packets of XMP, which requires space for the name of the second in the main packet.
pub(crate) fn can_extend(metadata: &Metadata) -> bool {
    let packets = metadata.xmp.as_ref().zip(metadata.xmp_extension.as_ref());
    packets.is_some_and(|(xmp, extension)| named(xmp, extension).is_some())
}

/// Writes the packet `xmp`, and its extension in pieces if `xmp` has space for its name.
///
/// # Errors
/// `Io` when the sink fails, `Limit` when the packet is too long.
pub(crate) fn write(sink: &mut dyn ByteSink, xmp: &[u8], extension: &[u8]) -> Result<()> {
    let Some(named) = named(xmp, extension) else { return write_segment(sink, code::APP1, &[XMP, xmp]) };
    write_segment(sink, code::APP1, &[XMP, &named])?;
    let (name, total) = (name(extension), (extension.len() as u32).to_be_bytes());
    let most = MAX_PAYLOAD - NAME.len() - HEAD;
    for (i, piece) in extension.chunks(most).enumerate() {
        let start = ((i * most) as u32).to_be_bytes();
        write_segment(sink, code::APP1, &[NAME, name.as_bytes(), &total, &start, piece])?;
    }
    Ok(())
}

fn name(extension: &[u8]) -> String {
    Md5::digest(extension).iter().map(|byte| format!("{byte:02X}")).collect()
}
