//! Recognition of formats by the first bytes of a file only, never by its name.

use deflate::WindowInflater;
use raster::{Budget, ByteSource, Error, Format, Limits, NotAnImage, Result};

/// The number of bytes that are read: enough for an SVG behind a long licence comment.
const HEAD: usize = 4096;

/// Recognises the format.
///
/// # Errors
/// `NotAnImage` for an empty file, a known file of another kind, or unknown bytes; `Io` from the source.
pub fn sniff(source: &dyn ByteSource) -> Result<Format> {
    let mut head = [0; HEAD];
    let filled = source.read_full_at(0, &mut head)?;
    sniff_head(&head[..filled]).map_err(Error::NotAnImage)
}

fn sniff_head(head: &[u8]) -> core::result::Result<Format, NotAnImage> {
    if head.is_empty() {
        return Err(NotAnImage::Empty);
    }
    let found = image(head);
    match found {
        Some(format) => Ok(format),
        None => Err(other_kind(head).map_or(NotAnImage::Unknown, NotAnImage::Other)),
    }
}

/// A rule: these bytes at this offset.
type Magic<T> = (usize, &'static [u8], T);

const IMAGES: &[Magic<Format>] = &[
    (0, b"\xff\xd8", Format::Jpeg),
    (0, b"\x89PNG\r\n\x1a\n", Format::Png),
    (0, b"GIF87a", Format::Gif),
    (0, b"GIF89a", Format::Gif),
    (0, b"II\x2a\0", Format::Tiff),
    (0, b"MM\0\x2a", Format::Tiff),
    (0, b"II\x2b\0", Format::Tiff),
    (0, b"MM\0\x2b", Format::Tiff),
    (0, b"\xff\x0a", Format::Jxl),
    (0, b"\0\0\0\x0cJXL \r\n\x87\n", Format::Jxl),
    (0, b"qoif", Format::Qoi),
    (0, codec_raw::MAGIC, Format::Raw),
];

const OTHERS: &[Magic<&str>] = &[
    (0, b"%PDF-", "pdf"),
    (0, b"PK\x03\x04", "zip"),
    (0, b"PK\x05\x06", "zip"),
    (0, b"Rar!\x1a\x07", "zip"),
    (0, b"7z\xbc\xaf\x27\x1c", "zip"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "office"),
    (0, b"8BPS\0", "psd"),
    (0, b"\0\0\0\x0cjP  ", "jpeg2000"),
    (0, b"\xff\x4f\xff\x51", "jpeg2000"),
    (0, b"\x1a\x45\xdf\xa3", "video"),
    (0, b"FUJIFILMCCD-RAW", "raw"),
    (0, b"IIU\0", "raw"),
    (0, b"IIRO", "raw"),
    (0, b"ID3", "audio"),
    (0, b"OggS", "audio"),
    (0, b"fLaC", "audio"),
    (8, b"WAVE", "audio"),
    (8, b"AVI ", "video"),
];

fn lookup<T: Copy>(table: &[Magic<T>], head: &[u8]) -> Option<T> {
    let rule = table.iter().find(|(at, magic, _)| head.get(*at..).is_some_and(|rest| rest.starts_with(magic)));
    rule.map(|&(_, _, found)| found)
}

fn image(head: &[u8]) -> Option<Format> {
    lookup(IMAGES, head)
        .or_else(|| (head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP")).then_some(Format::WebP))
        .or_else(|| is_bmp(head).then_some(Format::Bmp))
        .or_else(|| is_ico(head).then_some(Format::Ico))
        .or_else(|| match brand(head)? {
            Brand::Image(format) => Some(format),
            Brand::Video | Brand::CameraRaw => None,
        })
        .or_else(|| (is_svg(head) || is_svgz(head)).then_some(Format::Svg))
        .or_else(|| codec_pnm::is_pnm(head).then_some(Format::Pnm))
        // The last, because a TGA has no magic number.
        .or_else(|| (other_kind(head).is_none() && codec_tga::is_tga(head)).then_some(Format::Tga))
}

fn other_kind(head: &[u8]) -> Option<&'static str> {
    match lookup(OTHERS, head) {
        Some("zip") if contains(head, b"[Content_Types].xml") || contains(head, b"mimetypeapplication/") => {
            Some("office")
        }
        Some(kind) => Some(kind),
        None => match brand(head)? {
            Brand::Video => Some("video"),
            Brand::CameraRaw => Some("raw"),
            Brand::Image(_) => None,
        },
    }
}

/// Whether bytes are a BMP: `BM`, then a header length of some version of the format. Text that starts with "BM" has
/// letters there.
fn is_bmp(head: &[u8]) -> bool {
    let header_len = head.get(14..18).and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
    head.starts_with(b"BM") && header_len.is_some_and(|len| (12..=1024).contains(&len))
}

/// Whether bytes are an ICONDIR: reserved 0, type 1 or 2, at least one entry, whose own reserved byte is 0, or 255 by
/// old tools.
fn is_ico(head: &[u8]) -> bool {
    matches!(head.get(..6), Some([0, 0, 1 | 2, 0, low, high]) if (*low, *high) != (0, 0))
        && matches!(head.get(9), Some(0 | 255))
}

enum Brand {
    Image(Format),
    Video,
    CameraRaw,
}

/// Returns the kind by the brands of an ISO base media file (ISO/IEC 14496-12 §4.3): the major brand decides, except
/// for `mif1` and `msf1`, for which the other brands decide.
fn brand(head: &[u8]) -> Option<Brand> {
    if head.get(4..8)? != b"ftyp" {
        return None;
    }
    let len = u32::from_be_bytes(head.get(..4)?.try_into().ok()?) as usize;
    let brands = head.get(8..len.min(head.len()))?;
    let (words, _) = brands.as_chunks::<4>();
    let named = |brand: &[u8; 4]| match brand {
        b"avif" | b"avis" => Some(Brand::Image(Format::Avif)),
        b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"hevx" | b"hevm" | b"hevs" => {
            Some(Brand::Image(Format::Heic))
        }
        b"crx " => Some(Brand::CameraRaw),
        _ => None,
    };
    match words.first()? {
        b"mif1" | b"msf1" => words.get(2..)?.iter().find_map(named).or(Some(Brand::Image(Format::Heic))),
        major => named(major).or(Some(Brand::Video)),
    }
}

/// Whether bytes are an `<svg` element, after nothing but white space, a byte order mark, declarations and comments.
fn is_svg(head: &[u8]) -> bool {
    if matches!(head, [0xfe, 0xff, ..] | [0xff, 0xfe, ..] | [0, b'<', ..] | [b'<', 0, ..]) {
        // UTF-16: what is looked for is ASCII, whose other bytes are 0.
        let ascii: Vec<u8> = head.iter().copied().filter(|byte| byte.is_ascii() && *byte != 0).collect();
        return is_svg(&ascii);
    }
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    if !text.starts_with(b"<") {
        return false;
    }
    let mut rest = text;
    while rest.starts_with(b"<?") || rest.starts_with(b"<!") {
        let Some(end) = end_of_declaration(rest) else { return false };
        rest = rest[end..].trim_ascii_start();
    }
    let name = rest.strip_prefix(b"<").unwrap_or_default();
    let end = name.iter().position(|b| b" \t\r\n/>".contains(b)).unwrap_or(name.len());
    name[..end] == *b"svg" || name[..end].ends_with(b":svg")
}

/// Whether bytes are the start of a gzip file (RFC 1952) with an SVG in it.
fn is_svgz(head: &[u8]) -> bool {
    let Some(&[0x1f, 0x8b, 8, flags, ..]) = head.get(..10) else { return false };
    let mut data = &head[10..];
    if flags & 4 != 0 {
        let len = data.first_chunk().map_or(0, |&len| usize::from(u16::from_le_bytes(len)));
        data = data.get(2 + len..).unwrap_or_default();
    }
    for flag in [8, 16] {
        if flags & flag != 0 {
            data = find(data, b"\0").map_or(&[][..], |end| &data[end + 1..]);
        }
    }
    if flags & 2 != 0 {
        data = data.get(2..).unwrap_or_default();
    }
    // A zlib stream has the same data behind another header.
    let stream = [b"\x78\x01", data].concat();
    let Ok(mut inflater) = WindowInflater::new(&Budget::new(&Limits::default())) else { return false };
    inflater.feed(&stream).is_ok() && is_svg(inflater.ready())
}

/// Returns the end of the comment or declaration at the start of `text`. A DOCTYPE may contain entities between
/// brackets, as Illustrator's does.
fn end_of_declaration(text: &[u8]) -> Option<usize> {
    let (from, close): (usize, &[u8]) = match (find(text, b">")?, find(text, b"[")) {
        _ if text.starts_with(b"<!--") => (0, b"-->"),
        (close, Some(open)) if open < close => (find(text, b"]")?, b">"),
        _ => (0, b">"),
    };
    Some(from + find(&text[from..], close)? + close.len())
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    find(haystack, needle).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bmp_with_header(len: u32) -> Vec<u8> {
        let mut bytes = b"BM".to_vec();
        bytes.resize(14, 0);
        bytes.extend(len.to_le_bytes());
        bytes
    }

    fn ftyp(brands: &[&[u8; 4]]) -> Vec<u8> {
        let mut bytes = ((12 + 4 * brands.len()) as u32).to_be_bytes().to_vec();
        bytes.extend(b"ftyp");
        bytes.extend(brands[0]);
        bytes.extend([0; 4]);
        brands[1..].iter().for_each(|brand| bytes.extend(*brand));
        bytes
    }

    fn utf16(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    /// A gzip file with these fields behind its header and one stored block.
    fn gzip(flags: u8, fields: &[u8], content: &[u8]) -> Vec<u8> {
        let len = content.len() as u16;
        let block = [&[1][..], &len.to_le_bytes(), &(!len).to_le_bytes(), content].concat();
        [&[0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3][..], fields, &block, &[0; 8]].concat()
    }

    #[test]
    fn first_bytes_name_the_format_and_decoys_do_not() {
        let table: Vec<(Vec<u8>, core::result::Result<Format, NotAnImage>)> = vec![
            (b"".to_vec(), Err(NotAnImage::Empty)),
            (b"\xff\xd8\xff\xe0".to_vec(), Ok(Format::Jpeg)),
            (b"\x89PNG\r\n\x1a\n".to_vec(), Ok(Format::Png)),
            (b"\x89PNG\n\x1a\n".to_vec(), Err(NotAnImage::Unknown)),
            (bmp_with_header(12), Ok(Format::Bmp)),
            (bmp_with_header(124), Ok(Format::Bmp)),
            (b"BMW made many cars, most of them loud".to_vec(), Err(NotAnImage::Unknown)),
            (b"GIF89a".to_vec(), Ok(Format::Gif)),
            (b"GIF is pronounced".to_vec(), Err(NotAnImage::Unknown)),
            (b"II\x2a\0".to_vec(), Ok(Format::Tiff)),
            (b"II. Of the second part".to_vec(), Err(NotAnImage::Unknown)),
            (b"MM, good".to_vec(), Err(NotAnImage::Unknown)),
            (b"RIFF\0\0\0\0WEBPVP8 ".to_vec(), Ok(Format::WebP)),
            (b"RIFF\0\0\0\0WAVEfmt ".to_vec(), Err(NotAnImage::Other("audio"))),
            (b"\0\0\x01\0\x01\0\x10\x10\0\0".to_vec(), Ok(Format::Ico)),
            (b"\0\0\x01\0\0\0\x10\x10\0\0".to_vec(), Err(NotAnImage::Unknown)),
            (ftyp(&[b"avif"]), Ok(Format::Avif)),
            (ftyp(&[b"mif1", b"miaf", b"avif"]), Ok(Format::Avif)),
            (ftyp(&[b"mif1", b"heic"]), Ok(Format::Heic)),
            (ftyp(&[b"isom", b"mp42"]), Err(NotAnImage::Other("video"))),
            (ftyp(&[b"crx "]), Err(NotAnImage::Other("raw"))),
            (b"qoif\0\0\0\x01".to_vec(), Ok(Format::Qoi)),
            (b"P5\n# a comment\n640 480".to_vec(), Ok(Format::Pnm)),
            (b"P7\nWIDTH 4".to_vec(), Ok(Format::Pnm)),
            (b"P6 is the oldest of these".to_vec(), Err(NotAnImage::Unknown)),
            (b"\0\0\x02\0\0\0\0\0\0\0\0\0\x40\0\x40\0\x18\0".to_vec(), Ok(Format::Tga)),
            (b"\0\0\x02\0\0\0\0\0\0\0\0\0\x40\0\x40\0\x19\0".to_vec(), Err(NotAnImage::Unknown)),
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(), Ok(Format::Svg)),
            (b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- a > b -->\n<!DOCTYPE svg>\n<svg>".to_vec(), Ok(Format::Svg)),
            (b"<!DOCTYPE svg PUBLIC 'a' 'b' [\n<!ENTITY ns 'c'>\n] >\n<svg>".to_vec(), Ok(Format::Svg)),
            (b"<!DOCTYPE svg [ <!ENTITY ns 'c'>".to_vec(), Err(NotAnImage::Unknown)),
            (b"<s:svg xmlns:s='http://www.w3.org/2000/svg'>".to_vec(), Ok(Format::Svg)),
            (utf16("<svg>"), Ok(Format::Svg)),
            (utf16("<html>"), Err(NotAnImage::Unknown)),
            (gzip(0, b"", b"<?xml version='1.0'?><svg>"), Ok(Format::Svg)),
            (gzip(8, b"drawing.svg\0", b"<svg/>"), Ok(Format::Svg)),
            (gzip(30, b"\x02\0ababc\0de\0ff", b"<svg/>"), Ok(Format::Svg)),
            (gzip(0, b"", b"notes.txt"), Err(NotAnImage::Unknown)),
            (b"<html><svg></svg></html>".to_vec(), Err(NotAnImage::Unknown)),
            (b"%PDF-1.7".to_vec(), Err(NotAnImage::Other("pdf"))),
            (b"PK\x03\x04....[Content_Types].xml".to_vec(), Err(NotAnImage::Other("office"))),
            (b"PK\x03\x04....a.txt".to_vec(), Err(NotAnImage::Other("zip"))),
            (b"hello, world".to_vec(), Err(NotAnImage::Unknown)),
        ];
        for (bytes, want) in table {
            assert_eq!(sniff_head(&bytes), want, "{:?}", bytes.escape_ascii().to_string());
        }
    }

    #[test]
    fn no_prefix_of_anything_panics() {
        for sound in [ftyp(&[b"mif1", b"miaf", b"avif"]), bmp_with_header(40), b"<!-- <?xml > --><svg".to_vec()] {
            for cut in 0..=sound.len() {
                let _ = sniff_head(&sound[..cut]);
            }
        }
    }
}
