//! The metadata of a picture, stored as bytes. This crate does not interpret them.

use std::rc::Rc;

use crate::{Budget, ByteSource, Result, Spliced};

/// The metadata of one picture. Each part has the form of its own standard, in every file format.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata {
    /// The ICC profile, byte for byte, if it is [sound](crate::icc::sound).
    pub icc: Option<Vec<u8>>,
    /// EXIF as a TIFF structure, from its byte-order mark on.
    pub exif: Option<Vec<u8>>,
    /// The XMP packet, UTF-8.
    pub xmp: Option<Vec<u8>>,
    /// The extension of the XMP packet: a second packet, in which JPEG stores data that do not fit into the first.
    pub xmp_extension: Option<Vec<u8>>,
    /// IPTC-IIM datasets, without the Photoshop resource around them.
    pub iptc: Option<Vec<u8>>,
    /// Texts under keywords (title, author, comment …), in the file's order.
    pub texts: Vec<Text>,
    /// The density at which the picture is to be printed.
    pub resolution: Option<Resolution>,
    /// A description of the samples in terms of video, mostly for HDR. It is valid only while the samples are not
    /// converted.
    pub signal: Option<Signal>,
    /// The gain map.
    pub gain_map: Option<Rc<GainMap>>,
    /// Whether the file has parts that are not read and may be metadata. Only a copy of the file can keep them.
    pub unread: bool,
}

/// A gain map (ISO 21496-1): a second picture, which tells HDR screens how much brighter each area of the picture is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GainMap {
    /// The map, a JPEG without metadata.
    pub jpeg: Vec<u8>,
    /// How it is applied, as an XMP packet of Adobe's properties.
    pub xmp: Option<Vec<u8>>,
    /// How it is applied, in the binary form of ISO 21496-1, annex C.
    pub iso: Option<Vec<u8>>,
}

impl GainMap {
    /// Returns the number of its bytes.
    #[must_use]
    pub fn byte_len(&self) -> u64 {
        let parts = [Some(&self.jpeg), self.xmp.as_ref(), self.iso.as_ref()];
        parts.into_iter().flatten().map(|part| part.len() as u64).sum()
    }
}

/// A gain map in a file: an image file of its own, or bytes that become one with another beginning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredGainMap {
    /// The beginning of its file. `len` bytes of the picture's file follow.
    pub start: Vec<u8>,
    /// The offset of these bytes.
    pub at: u64,
    /// The number of these bytes.
    pub len: u64,
    /// See [`GainMap::xmp`]; the packet may have other properties, too.
    pub xmp: Option<Vec<u8>>,
    /// See [`GainMap::iso`].
    pub iso: Option<Vec<u8>>,
    /// Whether only the maker's notes in the picture's EXIF say how strong the map is, as in Apple's older files.
    pub needs_notes: bool,
}

/// The function of a codec that finds the gain map of a file.
pub type FindGainMap = fn(&dyn ByteSource, &Budget) -> Result<Option<StoredGainMap>>;

impl StoredGainMap {
    /// Returns its file. `source` is the file of the picture.
    #[must_use]
    pub fn file<'a>(&'a self, source: &'a dyn ByteSource) -> Spliced<'a> {
        Spliced::new(&self.start, source, self.at, self.len)
    }

    /// Returns the number of bytes that it holds.
    #[must_use]
    pub fn byte_len(&self) -> u64 {
        let parts = [Some(&self.start), self.xmp.as_ref(), self.iso.as_ref()];
        parts.into_iter().flatten().map(|part| part.len() as u64).sum()
    }

    /// Returns the same map with another file, which needs no bytes of the picture's.
    #[must_use]
    pub fn with_file(self, file: Vec<u8>) -> Self {
        Self { start: file, at: 0, len: 0, ..self }
    }
}

/// A description of colours in terms of video, as in PNG's chunks cICP, mDCV and cLLI (third edition, §11.3.2.6 to .8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal {
    /// Code points of H.273 for primaries, transfer function and matrix, then 1 for the full range.
    pub code_points: [u8; 4],
    /// The display on which the picture was made.
    pub mastering_display: Option<[u8; 24]>,
    /// The brightness of the brightest pixel and of the brightest frame.
    pub light_level: Option<[u8; 8]>,
    /// Whether the picture's profile describes the same colours, or is left out because the colours are sRGB.
    pub has_profile: bool,
}

/// A text under a keyword, as in PNG (third edition, §11.3.3); a comment in a JPEG is one, too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// The keyword: `Title`, `Author`, [`Text::COMMENT`] …; 1 to 79 characters of Latin-1.
    pub keyword: String,
    /// The tag of its language; empty when unknown.
    pub language: String,
    /// The keyword in that language; empty when unknown.
    pub translated: String,
    /// The text itself.
    pub text: String,
}

impl Text {
    /// PNG's keyword for "miscellaneous comment".
    pub const COMMENT: &str = "Comment";

    /// Creates a comment.
    #[must_use]
    pub fn comment(text: String) -> Self {
        Self { keyword: Self::COMMENT.to_owned(), text, ..Self::default() }
    }

    /// The comment in these bytes of a file that does not store the character set (JPEG, GIF): UTF-8 if it is valid,
    /// else Latin-1. Zeros at the end are dropped. Bytes with control characters are no text.
    #[must_use]
    pub fn comment_from(bytes: &[u8]) -> Option<Self> {
        let bytes = &bytes[..=bytes.iter().rposition(|&byte| byte != 0)?];
        let text = core::str::from_utf8(bytes).map_or_else(|_| from_latin(bytes), str::to_owned);
        let is_text = text.chars().all(|char| !char.is_ascii_control() || char.is_ascii_whitespace());
        is_text.then(|| Self::comment(text))
    }

    /// Returns the bytes of all its parts together.
    #[must_use]
    pub fn byte_len(&self) -> u64 {
        [&self.keyword, &self.language, &self.translated, &self.text].iter().map(|part| part.len() as u64).sum()
    }
}

/// Returns the text of bytes in Latin-1. The room is counted first, so that the text never holds more than it needs.
fn from_latin(bytes: &[u8]) -> String {
    let chars = || bytes.iter().map(|&byte| char::from(byte));
    let mut text = String::with_capacity(chars().map(char::len_utf8).sum());
    text.extend(chars());
    text
}

impl Metadata {
    /// Creates metadata with a colour profile only.
    #[must_use]
    pub fn profile(icc: Option<&[u8]>) -> Self {
        Self { icc: icc.map(<[u8]>::to_vec), ..Self::default() }
    }

    /// Returns the bytes of all parts together.
    #[must_use]
    pub fn byte_len(&self) -> u64 {
        let parts = [&self.icc, &self.exif, &self.xmp, &self.xmp_extension, &self.iptc];
        let texts = self.texts.iter().map(Text::byte_len);
        let gain_map = self.gain_map.iter().map(|map| map.byte_len());
        parts.into_iter().flatten().map(|part| part.len() as u64).chain(texts).chain(gain_map).sum()
    }
}

/// The density in pixels per inch; a format with another unit rounds to its nearest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolution {
    /// Across.
    pub x: f64,
    /// Down.
    pub y: f64,
}
