//! Why a file cannot be read, exactly. Callers see the sentence inside `Error::Malformed`.

use core::fmt;

use raster::{Error, Format};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// Neither `II` nor `MM`, or not 42 or 43 behind it.
    NoMagic,
    HeaderCut,
    /// A directory lies, or reaches, outside of the file.
    Directory,
    /// A tag that the picture needs is not there.
    Missing(&'static str),
    /// A tag has a value that no picture can have.
    Value(&'static str, u64),
    /// Two tags contradict each other.
    Clash(&'static str),
    /// Not even the first row can be had.
    NoRow,
    /// The compressed data break.
    Data(String),
    /// The compressed data end before the picture.
    DataEnds,
}

impl Cause {
    /// This cause, found near byte `offset`.
    pub(crate) fn at(self, offset: u64) -> Error {
        Error::malformed(Format::Tiff, offset, self)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMagic => f.write_str("does not start as a TIFF does"),
            Self::HeaderCut => f.write_str("ends inside its header"),
            Self::Directory => f.write_str("a directory lies outside of the file"),
            Self::Missing(tag) => write!(f, "{tag} is missing"),
            Self::Value(tag, value) => write!(f, "{tag} is {value}"),
            Self::Clash(what) => write!(f, "{what} contradict each other"),
            Self::NoRow => f.write_str("the data of the first row are missing"),
            Self::Data(why) => write!(f, "the data break: {why}"),
            Self::DataEnds => f.write_str("the data end early"),
        }
    }
}

impl std::error::Error for Cause {}

/// A sound file that needs what we lack.
pub(crate) const fn unsupported(feature: &'static str) -> Error {
    Error::Unsupported { format: Format::Tiff, feature }
}
