//! Extended XMP (XMP specification part 3, §1.1.3.1): what does not fit the one segment of a packet stands in further ones,
//! as a packet of its own that is cut into pieces. The first names it by its MD5.

use md5::{Digest, Md5};
use raster::{Budget, ByteSink, ByteSource, Metadata, Result};

use crate::segments::{MAX_PAYLOAD, MAX_XMP, XMP, joined, segment};

/// What precedes each piece, with the digest in 32 digits, the whole length and the piece's offset.
pub(crate) const NAME: &[u8] = b"http://ns.adobe.com/xmp/extension/\0";
const HEAD: usize = 32 + 4 + 4;

/// Pieces that are kept in mind, 16 MiB of them.
pub(crate) const MAX_PIECES: usize = 256;

/// A piece and where it lies in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    digest: [u8; 32],
    total: u32,
    start: u32,
    offset: u64,
    len: usize,
}

impl Piece {
    /// The piece in a segment whose payload stands at `offset`.
    pub(crate) fn parse(payload: &[u8], offset: u64) -> Option<Self> {
        let (digest, rest) = payload.strip_prefix(NAME)?.split_first_chunk()?;
        let (total, rest) = rest.split_first_chunk()?;
        let (start, data) = rest.split_first_chunk()?;
        Some(Self {
            digest: *digest,
            total: u32::from_be_bytes(*total),
            start: u32::from_be_bytes(*start),
            offset: offset + (NAME.len() + HEAD) as u64,
            len: data.len(),
        })
    }
}

/// The packet that `xmp` names, if every piece of it is there, once, in whatever order.
///
/// # Errors
/// `Limit` when the budget has no room, `Io`.
pub(crate) fn assemble(
    pieces: &[Piece],
    xmp: &[u8],
    source: &dyn ByteSource,
    budget: &Budget,
) -> Result<Option<Vec<u8>>> {
    let is_named = |piece: &&Piece| xmp.windows(piece.digest.len()).any(|name| name == piece.digest);
    let Some(first) = pieces.iter().find(is_named) else { return Ok(None) };
    let mut ordered: Vec<Piece> = pieces.iter().filter(|piece| piece.digest == first.digest).copied().collect();
    ordered.sort_by_key(|piece| piece.start);
    let mut end = 0;
    for piece in &ordered {
        if u64::from(piece.start) != end || piece.total != first.total {
            return Ok(None);
        }
        end += piece.len as u64;
    }
    if end != u64::from(first.total) {
        return Ok(None);
    }
    let places: Vec<_> = ordered.iter().map(|piece| (piece.offset, piece.len)).collect();
    joined(&places, source, budget)
}

/// The packet `xmp` with the name of its extension, as long as it fits its segment then.
fn named(xmp: &[u8], extension: &[u8]) -> Option<Vec<u8>> {
    let text = str::from_utf8(xmp).ok()?;
    let end = text.rfind(":RDF>").and_then(|end| text[..end].rfind("</"))?;
    let note = format!(
        "<rdf:Description rdf:about=\"\" xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" \
         xmlns:xmpNote=\"http://ns.adobe.com/xmp/note/\" xmpNote:HasExtendedXMP=\"{}\"/>",
        name(extension)
    );
    let packet = [&text[..end], &note, &text[end..]].concat().into_bytes();
    (packet.len() <= MAX_XMP).then_some(packet)
}

/// Whether a file holds both packets of XMP: whether the first has room for the name of the second.
#[must_use]
pub fn can_extend(metadata: &Metadata) -> bool {
    let packets = metadata.xmp.as_ref().zip(metadata.xmp_extension.as_ref());
    packets.is_some_and(|(xmp, extension)| named(xmp, extension).is_some())
}

/// Writes the packet `xmp`, and its extension in pieces where it can name it.
///
/// # Errors
/// `Io` when the sink fails, `Limit` when the packet is too long.
pub(crate) fn write(sink: &mut dyn ByteSink, xmp: &[u8], extension: &[u8]) -> Result<()> {
    let Some(named) = named(xmp, extension) else { return segment(sink, 0xE1, &[XMP, xmp]) };
    segment(sink, 0xE1, &[XMP, &named])?;
    let (name, total) = (name(extension), (extension.len() as u32).to_be_bytes());
    let most = MAX_PAYLOAD - NAME.len() - HEAD;
    for (i, piece) in extension.chunks(most).enumerate() {
        let start = ((i * most) as u32).to_be_bytes();
        segment(sink, 0xE1, &[NAME, name.as_bytes(), &total, &start, piece])?;
    }
    Ok(())
}

fn name(extension: &[u8]) -> String {
    Md5::digest(extension).iter().map(|byte| format!("{byte:02X}")).collect()
}
