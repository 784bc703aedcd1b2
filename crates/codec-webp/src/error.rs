//! The causes why a file is malformed. They are private: callers see the sentence and the offset.

use core::fmt;

use raster::{Error, Format};

/// The defect of a file.
#[derive(Debug)]
pub(crate) enum Cause {
    /// The first twelve bytes are not `RIFF`, a length, `WEBP`.
    Signature,
    /// The file has no chunk with an image.
    NoImage,
    /// A chunk is shorter than its fields.
    Short([u8; 4]),
    /// The header of a VP8 or VP8L bitstream is not valid.
    Bitstream(&'static str),
    /// The canvas or the rectangle of a frame is not valid.
    Geometry(&'static str),
    /// A frame cannot be drawn, because an earlier frame is damaged.
    EarlierFrame,
    /// The bitstream cannot be decoded.
    Data(&'static str),
    /// The alpha of a lossy picture cannot be read.
    Alpha(&'static str),
}

impl Cause {
    /// Returns the error for this cause near byte `offset`.
    pub(crate) fn at(self, offset: u64) -> Error {
        Error::malformed(Format::WebP, offset, self)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signature => f.write_str("the signature is not WebP's"),
            Self::NoImage => f.write_str("there is no image data"),
            Self::Short(kind) => write!(f, "the chunk {} is too short", kind.escape_ascii()),
            Self::Bitstream(what) => write!(f, "the header of the image data has {what}"),
            Self::Geometry(what) => write!(f, "{what}"),
            Self::EarlierFrame => f.write_str("an earlier frame is damaged"),
            Self::Data(what) => write!(f, "the image data are broken ({what})"),
            Self::Alpha(what) => write!(f, "the transparency is broken ({what})"),
        }
    }
}

impl std::error::Error for Cause {}
