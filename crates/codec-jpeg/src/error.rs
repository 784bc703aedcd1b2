//! The causes why a JPEG is damaged. Callers see the sentence, not the enum.

use core::fmt;

use raster::{Error, Format};

/// The defect of a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The file does not start with SOI.
    NoStart,
    /// The file ends, or its EOI marker stands, before the first scan.
    NoScan,
    /// More than [`MAX_STRAY`](crate::marker::MAX_STRAY) stray bytes between segments.
    TooManyStrayBytes,
    /// A required segment ends early or is too short.
    Segment(&'static str),
    /// A number in a required segment is out of its range.
    Range(&'static str),
    /// A scan refers to a component, or a component to a table, that the file does not define.
    Missing(&'static str),
    /// The scan data could not be decoded at all.
    Scan(String),
}

impl Cause {
    /// Returns the error for this cause, near byte `offset`.
    pub(crate) fn at(self, offset: u64) -> Error {
        Error::malformed(Format::Jpeg, offset, self)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoStart => f.write_str("no start of image"),
            Self::NoScan => f.write_str("no scan"),
            Self::TooManyStrayBytes => f.write_str("too many stray bytes between segments"),
            Self::Segment(which) => write!(f, "the {which} segment has a wrong length"),
            Self::Range(what) => write!(f, "{what} out of range"),
            Self::Missing(what) => write!(f, "{what} is missing"),
            Self::Scan(why) => write!(f, "the scan cannot be decoded: {why}"),
        }
    }
}

impl std::error::Error for Cause {}

/// Returns the error for a valid file that needs an unsupported feature.
pub(crate) const fn unsupported(feature: &'static str) -> Error {
    Error::Unsupported { format: Format::Jpeg, feature }
}
