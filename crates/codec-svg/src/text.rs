//! The text of a file: its bytes are decompressed and decoded.

use std::io::Read;

use flate2::read::MultiGzDecoder;
use raster::{Budget, ByteSource, Error, Format, Limit, Result};

/// The first bytes of a gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Bytes that are decompressed at once.
const CHUNK: usize = 64 * 1024;

/// A document as text, with what is needed to write it again.
pub(crate) struct Text {
    pub(crate) text: String,
    encoding: Encoding,
}

/// How the characters are coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Utf8 { mark: bool },
    Utf16 { big: bool, mark: bool },
    Latin1,
}

impl Text {
    /// Reads a file, plain or compressed.
    ///
    /// # Errors
    /// `Malformed` for bytes that are no text, `Limit` when the budget does not pay for them, `Io`.
    pub(crate) fn read(source: &dyn ByteSource, budget: &Budget) -> Result<Self> {
        let mut bytes = budget.filled(source.byte_len(), 0_u8)?;
        let filled = source.read_full_at(0, &mut bytes)?;
        bytes.truncate(filled);
        Self::parse(&bytes, budget)
    }

    /// Decompresses and decodes the bytes of a file.
    ///
    /// # Errors
    /// As [`Text::read`].
    pub(crate) fn parse(bytes: &[u8], budget: &Budget) -> Result<Self> {
        if !bytes.starts_with(&GZIP) {
            return Self::decode(bytes, budget);
        }
        Self::decode(&decompress(bytes, budget)?, budget)
    }

    fn decode(bytes: &[u8], budget: &Budget) -> Result<Self> {
        let encoding = Encoding::of(bytes);
        budget.charge(bytes.len() as u64 * 2)?; // Latin-1 may double
        let text = encoding.decode(bytes).ok_or_else(|| malformed(0, "the text has broken characters"))?;
        Ok(Self { text, encoding })
    }

    /// The bytes of another text in the encoding of this one; not compressed.
    pub(crate) fn encode(&self, text: &str) -> Vec<u8> {
        self.encoding.encode(text)
    }
}

/// A damaged document.
pub(crate) fn malformed(offset: u64, cause: &str) -> Error {
    Error::malformed(Format::Svg, offset, cause)
}

fn decompress(bytes: &[u8], budget: &Budget) -> Result<Vec<u8>> {
    let mut decoder = MultiGzDecoder::new(bytes);
    let (mut text, mut chunk) = (Vec::new(), vec![0; CHUNK]);
    loop {
        let n = decoder.read(&mut chunk).map_err(|_| malformed(0, "the compressed data are damaged"))?;
        if n == 0 {
            return Ok(text);
        }
        budget.charge(n as u64)?;
        text.try_reserve(n).map_err(|_| Limit::Memory { need: budget.used() + n as u64, have: budget.used() })?;
        text.extend_from_slice(&chunk[..n]);
    }
}

impl Encoding {
    /// By byte-order mark, by the zeros in the first character, or by the XML declaration (XML 1.0, appendix F).
    fn of(bytes: &[u8]) -> Self {
        match bytes {
            [0xef, 0xbb, 0xbf, ..] => Self::Utf8 { mark: true },
            [0xfe, 0xff, ..] => Self::Utf16 { big: true, mark: true },
            [0xff, 0xfe, ..] => Self::Utf16 { big: false, mark: true },
            [0, b'<', ..] => Self::Utf16 { big: true, mark: false },
            [b'<', 0, ..] => Self::Utf16 { big: false, mark: false },
            _ if declares_latin1(bytes) => Self::Latin1,
            _ => Self::Utf8 { mark: false },
        }
    }

    fn decode(self, bytes: &[u8]) -> Option<String> {
        match self {
            Self::Utf8 { mark } => str::from_utf8(&bytes[if mark { 3 } else { 0 }..]).ok().map(str::to_owned),
            Self::Utf16 { big, mark } => {
                let (pairs, _) = bytes[if mark { 2 } else { 0 }..].as_chunks::<2>();
                let unit = |pair: &[u8; 2]| if big { u16::from_be_bytes(*pair) } else { u16::from_le_bytes(*pair) };
                char::decode_utf16(pairs.iter().map(unit)).collect::<Result<String, _>>().ok()
            }
            Self::Latin1 => Some(bytes.iter().map(|&byte| char::from(byte)).collect()),
        }
    }

    fn encode(self, text: &str) -> Vec<u8> {
        let marked = |mark: bool, bytes: &[u8]| if mark { bytes.to_vec() } else { Vec::new() };
        match self {
            Self::Utf8 { mark } => [marked(mark, b"\xef\xbb\xbf"), text.as_bytes().to_vec()].concat(),
            Self::Utf16 { big, mark } => {
                let bytes = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
                let start = marked(mark, &bytes(0xfeff));
                start.into_iter().chain(text.encode_utf16().flat_map(bytes)).collect()
            }
            Self::Latin1 => text.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect(),
        }
    }
}

/// Whether the XML declaration names an encoding of one byte per character for Western languages.
fn declares_latin1(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(200)];
    let Some(end) = head.windows(2).position(|pair| pair == b"?>") else { return false };
    let declaration = head[..end].to_ascii_lowercase();
    let names: [&[u8]; 4] = [b"iso-8859-1\"", b"iso-8859-1'", b"windows-1252", b"us-ascii"];
    names.iter().any(|name| declaration.windows(name.len()).any(|window| window == *name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::Limits;

    #[test]
    fn every_encoding_is_read_and_written_again() {
        let text = "<?xml version='1.0'?><svg>é</svg>";
        let latin = "<?xml version='1.0' encoding='ISO-8859-1'?><svg>é</svg>";
        for (encoding, text) in [
            (Encoding::Utf8 { mark: false }, text),
            (Encoding::Utf8 { mark: true }, text),
            (Encoding::Utf16 { big: true, mark: true }, text),
            (Encoding::Utf16 { big: false, mark: true }, text),
            (Encoding::Utf16 { big: true, mark: false }, text),
            (Encoding::Utf16 { big: false, mark: false }, text),
            (Encoding::Latin1, latin),
        ] {
            let bytes = encoding.encode(text);
            let read = Text::parse(&bytes, &Budget::new(&Limits::default())).unwrap();
            assert_eq!((read.text.as_str(), read.encoding), (text, encoding));
            assert_eq!(read.encode(&read.text), bytes);
        }
    }

    #[test]
    fn broken_characters_and_compressed_bombs_are_refused() {
        let budget = Budget::new(&Limits { memory: 1 << 20 });
        assert_eq!(Text::parse(b"<svg>\xff</svg>", &budget).err().unwrap().code(), "malformed");
        let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        std::io::Write::write_all(&mut bomb, &vec![b' '; 4 << 20]).unwrap();
        assert_eq!(Text::parse(&bomb.finish().unwrap(), &budget).err().unwrap().code(), "memory");
        assert_eq!(Text::parse(b"\x1f\x8b\x08", &budget).err().unwrap().code(), "malformed");
    }
}
