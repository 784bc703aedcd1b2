//! The exact reasons why a JPEG is called damaged. Callers see the sentence, not the enum.

use core::fmt;

use raster::{Error, Format};

/// What is wrong with a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The file does not start with SOI.
    NoStart,
    /// The file ends, or says that it ends, before the first scan.
    NoScan,
    /// More than [`MAX_STRAY`](crate::marker::MAX_STRAY) stray bytes between segments.
    TooManyStrayBytes,
    /// A segment that the picture needs ends early or is too short.
    Segment(&'static str),
    /// A number in a segment that the picture needs is out of its range.
    Range(&'static str),
    /// A scan names a component, or a component a table, that the file does not define.
    Missing(&'static str),
    /// The scan data could not be decoded at all.
    Scan(String),
}

impl Cause {
    /// The file is malformed for this reason, near byte `offset`.
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

/// A sound file that needs what we lack.
pub(crate) const fn unsupported(feature: &'static str) -> Error {
    Error::Unsupported { format: Format::Jpeg, feature }
}
