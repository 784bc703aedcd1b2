//! Metadata in text chunks: XMP in its iTXt (XMP specification part 3, §1.1.5), and the hexadecimal "raw profiles" that
//! ImageMagick invented before eXIf was there. Other text is never read, so it cannot be a bomb.

use raster::{Budget, Metadata, photoshop};

use crate::chunk::ChunkType;
use crate::decode::Inflate;

/// XMP's keyword.
pub(crate) const XMP: &[u8] = b"XML:com.adobe.xmp";
/// What the keywords of raw profiles begin with.
pub(crate) const RAW_PROFILE: &[u8] = b"Raw profile type ";

/// Bytes by which a keyword is recognised: it has 79 at most, and a zero (§11.3.3.1).
pub(crate) const KEYWORD: usize = 80;

/// Inflated text beyond this is not carried.
const MAX_TEXT: usize = 16 << 20;

/// What precedes EXIF and XMP in profiles that were JPEG segments once.
const EXIF_SEGMENT: &[u8] = b"Exif\0\0";
const XMP_SEGMENT: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";

/// Whether a chunk that begins like this holds metadata.
pub(crate) fn is_metadata(start: &[u8]) -> bool {
    keyword(start).is_some_and(|(keyword, _)| keyword == XMP || keyword.starts_with(RAW_PROFILE))
}

/// Adds what a chunk's data hold to `metadata`, where that is still free; nothing when they are broken.
pub(crate) fn take(kind: ChunkType, data: &[u8], metadata: &mut Metadata, budget: &Budget) -> Option<()> {
    let (keyword, rest) = keyword(data)?;
    let text = match &kind {
        b"tEXt" => rest.to_vec(),
        b"zTXt" => inflate(rest.strip_prefix(&[0])?, budget)?,
        _ => international(rest, budget)?,
    };
    if keyword == XMP {
        metadata.xmp.get_or_insert(text);
        return Some(());
    }
    let profile = unpack_hexadecimal(&text)?;
    match keyword.strip_prefix(RAW_PROFILE)? {
        b"xmp" => _ = metadata.xmp.get_or_insert(profile),
        b"iptc" | b"8bim" => {
            let datasets = if profile.starts_with(&[0x1C]) { &profile } else { photoshop::iptc(&profile)? };
            metadata.iptc.get_or_insert(datasets.to_vec());
        }
        b"exif" | b"APP1" => {
            if let Some(xmp) = profile.strip_prefix(XMP_SEGMENT) {
                metadata.xmp.get_or_insert(xmp.to_vec());
            } else {
                metadata.exif.get_or_insert(profile.strip_prefix(EXIF_SEGMENT).unwrap_or(&profile).to_vec());
            }
        }
        _ => {}
    }
    Some(())
}

fn keyword(data: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = data.iter().take(KEYWORD).position(|&byte| byte == 0)?;
    Some((&data[..end], &data[end + 1..]))
}

/// iTXt behind its keyword (§11.3.3.4): whether it is deflated, method 0, language, translated keyword, text.
fn international(rest: &[u8], budget: &Budget) -> Option<Vec<u8>> {
    let (&[deflated, method], rest) = rest.split_first_chunk()?;
    let mut fields = rest.splitn(3, |&byte| byte == 0);
    let text = fields.nth(2)?;
    match (deflated, method) {
        (0, _) => Some(text.to_vec()),
        (1, 0) => inflate(text, budget),
        _ => None,
    }
}

fn inflate(deflated: &[u8], budget: &Budget) -> Option<Vec<u8>> {
    let mut inflate = Inflate::new(deflated);
    let mut text = Vec::new();
    let mut filled = 0;
    let mut room = deflated.len().saturating_mul(4).clamp(1 << 10, MAX_TEXT);
    while filled == text.len() {
        if filled == MAX_TEXT {
            return None;
        }
        budget.charge((room - filled) as u64).ok()?;
        text.resize(room, 0);
        filled = inflate.fill(&mut text, filled)?;
        room = room.saturating_mul(4).min(MAX_TEXT);
    }
    text.truncate(filled);
    Some(text)
}

/// `\n`, a name, `\n`, the length in spaces and digits, `\n`, then two digits a byte in lines.
fn unpack_hexadecimal(text: &[u8]) -> Option<Vec<u8>> {
    let mut lines = text.strip_prefix(b"\n")?.splitn(3, |&byte| byte == b'\n');
    lines.next()?;
    let len: usize = str::from_utf8(lines.next()?).ok()?.trim().parse().ok()?;
    let mut digits = lines.next()?.iter().filter_map(|&byte| char::from(byte).to_digit(16));
    let mut bytes = Vec::with_capacity(len.min(text.len() / 2));
    while bytes.len() < len {
        bytes.push((digits.next()? << 4 | digits.next()?) as u8);
    }
    Some(bytes)
}

/// The text of a raw profile.
pub(crate) fn pack_hexadecimal(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut text = format!("\n{name}\n{:8}\n", bytes.len()).into_bytes();
    for line in bytes.chunks(36) {
        text.extend(line.iter().flat_map(|byte| format!("{byte:02x}").into_bytes()));
        text.push(b'\n');
    }
    text
}
