//! The causes why a file is malformed. They are private: callers see the sentence and the offset.

use core::fmt;

use raster::{Error, Format};

/// The defect of a file.
#[derive(Debug)]
pub(crate) enum Cause {
    /// The signature is wrong (§5.2).
    Signature,
    /// The file ends before the picture begins, or inside it.
    Ends,
    /// A chunk's length has its highest bit set (§5.3).
    Length(u32),
    /// A chunk's name is not four letters (§5.3): the position is not that of a chunk.
    Name([u8; 4]),
    /// An unknown critical chunk (§5.4).
    Unknown([u8; 4]),
    /// The CRC of a critical chunk is wrong.
    Checksum([u8; 4]),
    /// A value of IHDR is not allowed by §11.2.1.
    Header(&'static str),
    /// PLTE is missing, empty, duplicated, too long, or not a multiple of three bytes (§11.2.2).
    Palette,
    /// IEND precedes any IDAT.
    NoImageData,
    /// The zlib stream, or the sequence of IDAT chunks, ends before the last row.
    DataEnds,
    /// The zlib stream is broken.
    Inflate(deflate::Corrupt),
    /// An animation violates a rule of §11.3.6.
    Animation(&'static str),
    /// A filter type above 4 (§9.2).
    Filter(u8),
}

impl Cause {
    /// Returns the error for this cause near byte `offset`.
    pub(crate) fn at(self, offset: u64) -> Error {
        Error::malformed(Format::Png, offset, self)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |kind: &[u8; 4]| String::from_utf8_lossy(kind).escape_debug().to_string();
        match self {
            Self::Signature => f.write_str("the signature is not PNG's"),
            Self::Ends => f.write_str("the file ends early"),
            Self::Length(length) => write!(f, "a chunk claims {length} bytes"),
            Self::Name(kind) => write!(f, "'{}' is not the name of a chunk", name(kind)),
            Self::Unknown(kind) => write!(f, "unknown critical chunk {}", name(kind)),
            Self::Checksum(kind) => write!(f, "the checksum of {} is wrong", name(kind)),
            Self::Header(what) => write!(f, "the header has {what}"),
            Self::Palette => f.write_str("the palette is missing or broken"),
            Self::NoImageData => f.write_str("there is no image data"),
            Self::DataEnds => f.write_str("the image data end early"),
            Self::Inflate(what) => write!(f, "the compressed data are broken ({what})"),
            Self::Animation(what) => write!(f, "the animation is broken: {what}"),
            Self::Filter(kind) => write!(f, "a row has filter {kind}"),
        }
    }
}

impl std::error::Error for Cause {}
