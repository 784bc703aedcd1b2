//! Text chunks (§11.3.3): title, author, comment …, XMP in its iTXt (XMP specification part 3, §1.1.5), and the
//! hexadecimal "raw profiles" that ImageMagick used before eXIf existed.
//!
//! No text is inflated beyond the limits below, therefore a bomb takes no memory.

use deflate::SliceInflater;
use raster::{Budget, Metadata, Text, photoshop};

use crate::chunk::ChunkType;

/// The keyword of XMP.
pub(crate) const XMP: &[u8] = b"XML:com.adobe.xmp";
/// The prefix of the keywords of raw profiles.
pub(crate) const RAW_PROFILE: &[u8] = b"Raw profile type ";

/// The bytes of the longest keyword (§11.3.3.1).
const KEYWORD: usize = 79;

/// The bytes of the longest packet or profile that is kept.
const MAX_TEXT: usize = 16 << 20;

/// The largest total size of all other texts that is kept, in bytes. The corpus has 6 KB at most; programs that
/// generate pictures from texts store their whole settings, some 100 KB.
const MAX_TEXTS: u64 = 4 << 20;

/// The largest number of other texts that are kept; the corpus has at most 8 in a file.
const MAX_COUNT: usize = 1000;

/// The prefixes of EXIF and XMP in profiles that were copied from JPEG segments.
const EXIF_SEGMENT: &[u8] = b"Exif\0\0";
const XMP_SEGMENT: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";

/// Adds the content of a chunk's data to `metadata`, unless it has such an entry. Returns `None` when the data are
/// damaged or too long, or the budget is too small for them.
pub(crate) fn take(kind: ChunkType, data: &[u8], metadata: &mut Metadata, budget: &Budget) -> Option<()> {
    let end = data.iter().take(KEYWORD + 1).position(|&byte| byte == 0)?;
    let (keyword, rest) = (&data[..end], &data[end + 1..]);
    if keyword == XMP {
        let packet = Content::read(kind, rest, MAX_TEXT, &budget.scope())?.text;
        keep(&mut metadata.xmp, packet, budget)
    } else if let Some(name) = keyword.strip_prefix(RAW_PROFILE) {
        let scope = budget.scope();
        let text = Content::read(kind, rest, MAX_TEXT, &scope)?.text;
        // The profile has one byte for two digits; it is unpacked and then copied without its prefix.
        scope.charge(text.len() as u64).ok()?;
        take_profile(name, &text, metadata, budget)
    } else {
        let there: u64 = metadata.texts.iter().map(Text::byte_len).sum();
        let room = MAX_TEXTS.checked_sub(there).filter(|_| metadata.texts.len() < MAX_COUNT)?;
        let scope = budget.scope();
        let content = Content::read(kind, rest, room as usize, &scope)?;
        // A byte of Latin-1 becomes at most two bytes of UTF-8.
        scope.charge(2 * content.text.len() as u64).ok()?;
        let text = content.under(keyword, kind == *b"iTXt")?;
        budget.charge(text.byte_len()).ok()?;
        metadata.texts.push(text);
        Some(())
    }
}

/// Adds the content of a raw profile.
fn take_profile(name: &[u8], text: &[u8], metadata: &mut Metadata, budget: &Budget) -> Option<()> {
    let profile = unpack_hexadecimal(text)?;
    match name {
        b"xmp" => keep(&mut metadata.xmp, profile, budget),
        b"iptc" | b"8bim" => {
            let datasets = if profile.starts_with(&[0x1C]) { &profile } else { photoshop::iptc(&profile)? };
            keep(&mut metadata.iptc, datasets.to_vec(), budget)
        }
        b"exif" | b"APP1" => {
            if let Some(xmp) = profile.strip_prefix(XMP_SEGMENT) {
                keep(&mut metadata.xmp, xmp.to_vec(), budget)
            } else {
                let exif = profile.strip_prefix(EXIF_SEGMENT).unwrap_or(&profile).to_vec();
                keep(&mut metadata.exif, exif, budget)
            }
        }
        _ => Some(()),
    }
}

/// Stores `bytes` in `slot` unless it is occupied. The budget is charged for stored bytes.
fn keep(slot: &mut Option<Vec<u8>>, bytes: Vec<u8>, budget: &Budget) -> Option<()> {
    if slot.is_none() {
        budget.charge(bytes.len() as u64).ok()?;
        *slot = Some(bytes);
    }
    Some(())
}

/// The content behind a keyword.
struct Content<'a> {
    language: &'a [u8],
    translated: &'a [u8],
    text: Vec<u8>,
}

impl<'a> Content<'a> {
    /// Reads the content of a chunk of this kind, up to `most` bytes of text.
    fn read(kind: ChunkType, rest: &'a [u8], most: usize, budget: &Budget) -> Option<Self> {
        let plain = |text| Self { language: &[], translated: &[], text };
        match &kind {
            b"tEXt" => copied(rest, most, budget).map(plain),
            b"zTXt" => inflate(rest.strip_prefix(&[0])?, most, budget).map(plain),
            _ => Self::international(rest, most, budget),
        }
    }

    /// Reads iTXt (§11.3.3.4): whether it is deflated, method 0, language, translated keyword, text.
    fn international(rest: &'a [u8], most: usize, budget: &Budget) -> Option<Self> {
        let (&[deflated, method], rest) = rest.split_first_chunk()?;
        let mut fields = rest.splitn(3, |&byte| byte == 0);
        let (language, translated, text) = (fields.next()?, fields.next()?, fields.next()?);
        let text = match (deflated, method) {
            (0, _) => copied(text, most, budget)?,
            (1, 0) => inflate(text, most, budget)?,
            _ => return None,
        };
        Some(Self { language, translated, text })
    }

    /// Returns the text. Zeros at its end are padding; a zero within it is not allowed in any chunk (§11.3.3.2).
    fn under(self, keyword: &[u8], is_unicode: bool) -> Option<Text> {
        let end = self.text.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        let text = &self.text[..end];
        let text = if is_unicode { str::from_utf8(text).ok()?.to_owned() } else { latin(text) };
        let is_tag = self.language.iter().all(|&byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let sound = is_tag && !text.contains('\0');
        let (language, translated) = (latin(self.language), str::from_utf8(self.translated).ok()?.to_owned());
        Some(Text { keyword: sound_keyword(keyword)?, language, translated, text }).filter(|_| sound)
    }
}

/// Decodes ISO 8859-1, whose codes are the first of Unicode.
fn latin(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + bytes.iter().filter(|byte| !byte.is_ascii()).count());
    text.extend(bytes.iter().map(|&byte| char::from(byte)));
    text
}

/// Returns a keyword of printable Latin-1 (§11.3.3.1). Invalid spaces (at the ends and repeated) are removed, as in
/// libpng.
fn sound_keyword(bytes: &[u8]) -> Option<String> {
    let is_printable = bytes.iter().all(|&byte| matches!(byte, 32..=126 | 161..));
    let words = latin(bytes);
    let words: Vec<&str> = words.split(' ').filter(|word| !word.is_empty()).collect();
    (is_printable && !words.is_empty()).then(|| words.join(" "))
}

fn copied(text: &[u8], most: usize, budget: &Budget) -> Option<Vec<u8>> {
    (text.len() <= most).then(|| budget.charge(text.len() as u64).ok())??;
    Some(text.to_vec())
}

fn inflate(deflated: &[u8], most: usize, budget: &Budget) -> Option<Vec<u8>> {
    // The memory of a damaged or too long text is released.
    let scope = budget.scope();
    let mut inflater = SliceInflater::new(deflated);
    let mut text = Vec::new();
    let mut filled = 0;
    // One byte more than the limit is inflated, to detect longer texts.
    let most = most + 1;
    let mut room = deflated.len().saturating_mul(4).max(1 << 10).min(most);
    while filled == text.len() {
        if filled == most {
            return None;
        }
        // While a vector grows, its old and its new bytes are held, so those of earlier rounds stay charged.
        scope.charge(room as u64).ok()?;
        text.resize(room, 0);
        filled = inflater.fill(&mut text, filled).ok()?;
        room = room.saturating_mul(4).min(most);
    }
    budget.charge(filled as u64).ok()?;
    text.truncate(filled);
    text.shrink_to_fit();
    Some(text)
}

/// Unpacks `\n`, a name, `\n`, the length in spaces and digits, `\n`, then two digits a byte in lines.
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

/// Returns the text of a raw profile.
pub(crate) fn pack_hexadecimal(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut text = format!("\n{name}\n{:8}\n", bytes.len()).into_bytes();
    for line in bytes.chunks(36) {
        text.extend(line.iter().flat_map(|byte| format!("{byte:02x}").into_bytes()));
        text.push(b'\n');
    }
    text
}
