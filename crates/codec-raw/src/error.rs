//! The causes why a file cannot be read. Callers see the sentence inside `Error::Malformed` or `IoError::Read`.

use core::fmt;

use raster::{Error, Format, IoError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    NoMagic,
    Version(u32),
    Kind([u8; 4]),
    Short,
    Long,
    Field(&'static str),
    Text,
    Frames,
}

impl Cause {
    /// Returns the error for this cause in the head.
    pub(crate) fn in_head(self) -> Error {
        Error::malformed(Format::Raw, 0, self)
    }

    /// Returns the error for this cause behind the head, near byte `offset`.
    pub(crate) fn at(self, offset: u64) -> Error {
        IoError::Read(format!("raw rows near byte {offset}: {self}")).into()
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMagic => f.write_str("no magic number"),
            Self::Version(version) => write!(f, "version {version}"),
            Self::Kind(kind) => write!(f, "a block {} in the wrong place", kind.escape_ascii()),
            Self::Short => f.write_str("bytes are missing"),
            Self::Long => f.write_str("a block is longer than its fields"),
            Self::Field(name) => write!(f, "the {name} is out of range"),
            Self::Text => f.write_str("a text is not UTF-8"),
            Self::Frames => f.write_str("there are more frames than the head says"),
        }
    }
}

impl std::error::Error for Cause {}
