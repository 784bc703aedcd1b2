//! The header: words of ASCII, between which comments may stand.

use raster::{ByteSource, Channels, Cursor, Error, Format, Result, Size, limits};

/// Bytes that a header may have, comments included.
const LONGEST: u64 = 1 << 16;

/// The most characters of a number or a keyword.
const LONGEST_WORD: usize = 64;

/// How samples are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    /// P1: the digits 0 and 1, 1 for black.
    TextBits,
    /// P2, P3: decimal numbers.
    Text,
    /// P4: eight pixels a byte, 1 for black; each row starts with a byte.
    Bits,
    /// P5, P6, P7: one byte a sample, or two where the largest value does not fit one, the higher byte first.
    Binary,
}

/// What a header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) code: Code,
    pub(crate) size: Size,
    pub(crate) channels: Channels,
    /// The largest value of a sample.
    pub(crate) max: u16,
}

type Bytes<'a> = Cursor<&'a dyn ByteSource>;

impl Header {
    /// Reads the header; the cursor then stands at the first sample.
    pub(crate) fn read(cursor: &mut Bytes<'_>) -> Result<Self> {
        let mut magic = [0; 2];
        cursor.read_full(&mut magic)?;
        let (code, channels) = match &magic {
            b"P1" => (Code::TextBits, Channels::Gray),
            b"P2" => (Code::Text, Channels::Gray),
            b"P3" => (Code::Text, Channels::Rgb),
            b"P4" => (Code::Bits, Channels::Gray),
            b"P5" => (Code::Binary, Channels::Gray),
            b"P6" => (Code::Binary, Channels::Rgb),
            b"P7" => return pam(cursor),
            _ => return Err(malformed(0, "does not start with P1 to P7")),
        };
        let size = Size::new(number(cursor)?, number(cursor)?);
        let has_bits = matches!(code, Code::TextBits | Code::Bits);
        let max = if has_bits { 1 } else { number(cursor)? };
        Self { code, size, channels, max: 0 }.checked(max, cursor)
    }

    fn checked(self, max: u32, cursor: &Bytes<'_>) -> Result<Self> {
        limits::check_size(self.size, limits::MAX_SIDE)?;
        match u16::try_from(max) {
            Ok(max) if max > 0 => Ok(Self { max, ..self }),
            _ => Err(malformed(cursor.position(), "the largest value is not from 1 to 65535")),
        }
    }

    /// Bytes in a sample of a binary file.
    pub(crate) const fn sample_bytes(&self) -> usize {
        if self.max > 255 { 2 } else { 1 }
    }
}

/// The header of a PAM: lines of a keyword and its value, up to ENDHDR.
fn pam(cursor: &mut Bytes<'_>) -> Result<Header> {
    let (mut width, mut height, mut depth, mut max) = (0, 0, 0, 0);
    loop {
        let mut text = [0; LONGEST_WORD];
        match word(cursor, &mut text)? {
            b"WIDTH" => width = number(cursor)?,
            b"HEIGHT" => height = number(cursor)?,
            b"DEPTH" => depth = number(cursor)?,
            b"MAXVAL" => max = number(cursor)?,
            b"TUPLTYPE" => match word(cursor, &mut [0; LONGEST_WORD])? {
                b"BLACKANDWHITE" | b"GRAYSCALE" | b"RGB" => {}
                b"BLACKANDWHITE_ALPHA" | b"GRAYSCALE_ALPHA" | b"RGB_ALPHA" => {}
                _ => return Err(Error::Unsupported { format: Format::Pnm, feature: "this tuple type" }),
            },
            b"ENDHDR" => break,
            _ => return Err(malformed(cursor.position(), "a line of the header has an unknown keyword")),
        }
    }
    let channels = match depth {
        1 => Channels::Gray,
        2 => Channels::GrayAlpha,
        3 => Channels::Rgb,
        4 => Channels::Rgba,
        _ => return Err(Error::Unsupported { format: Format::Pnm, feature: "this number of samples in a pixel" }),
    };
    Header { code: Code::Binary, size: Size::new(width, height), channels, max: 0 }.checked(max, cursor)
}

fn number(cursor: &mut Bytes<'_>) -> Result<u32> {
    let mut text = [0; LONGEST_WORD];
    let digits = word(cursor, &mut text)?;
    let number = str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
    number.ok_or_else(|| malformed(cursor.position(), "a number of the header is none"))
}

/// The next word, without the white space and the comments before it; the one character behind it is read, too.
fn word<'t>(cursor: &mut Bytes<'_>, text: &'t mut [u8; LONGEST_WORD]) -> Result<&'t [u8]> {
    let mut len = 0;
    while let Some(byte) = byte_outside_comments(cursor)? {
        match text.get_mut(len) {
            _ if byte.is_ascii_whitespace() && len == 0 => {}
            _ if byte.is_ascii_whitespace() => return Ok(&text[..len]),
            Some(into) => {
                *into = byte;
                len += 1;
            }
            None => return Err(malformed(cursor.position(), "a word of the header is too long")),
        }
        if cursor.position() > LONGEST {
            return Err(malformed(cursor.position(), "the header is too long"));
        }
    }
    Err(malformed(cursor.position(), "ends inside its header"))
}

/// The next byte; of a comment, which lasts from `#` to the end of the line, only that end.
pub(crate) fn byte_outside_comments(cursor: &mut Bytes<'_>) -> Result<Option<u8>> {
    let mut byte = cursor.read_byte()?;
    if byte == Some(b'#') {
        while !matches!(byte, None | Some(b'\n' | b'\r')) {
            byte = cursor.read_byte()?;
        }
    }
    Ok(byte)
}

pub(crate) fn malformed(offset: u64, cause: &'static str) -> Error {
    Error::malformed(Format::Pnm, offset, cause)
}
