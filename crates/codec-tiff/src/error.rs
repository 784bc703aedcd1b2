//! The causes why a file cannot be read. Callers see the sentence inside `Error::Malformed`.

use core::fmt;

use raster::{Error, Format};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// A required tag is missing.
    Missing(&'static str),
    /// A tag has a value that is not valid.
    Value(&'static str, u64),
    /// Two tags contradict each other.
    Clash(&'static str),
    /// There are no data for the first row.
    NoRow,
    /// The compressed data are damaged.
    Data(String),
    /// The compressed data end before the picture.
    DataEnds,
}

impl Cause {
    /// Returns the error for this cause, found near byte `offset`.
    pub(crate) fn at(self, offset: u64) -> Error {
        Error::malformed(Format::Tiff, offset, self)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
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

/// Returns the error for a valid file that needs an unsupported feature.
pub(crate) const fn unsupported(feature: &'static str) -> Error {
    Error::Unsupported { format: Format::Tiff, feature }
}

/// Whether an error concerns the file's data, so that later data can still be read.
pub(crate) const fn is_damage(error: &Error) -> bool {
    matches!(error, Error::Malformed { format: Format::Tiff | Format::Jpeg | Format::WebP, .. })
}
