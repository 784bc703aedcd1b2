//! Why a file cannot be read, exactly. Callers see the sentence inside `Error::Malformed`.

use core::fmt;

use raster::{Error, Format};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    NoMagic,
    HeaderCut,
    NoFrame,
    NoRow,
}

impl Cause {
    /// This cause, found near byte `offset`.
    pub(crate) fn at(self, offset: u64) -> Error {
        Error::malformed(Format::Gif, offset, self)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoMagic => "does not start with GIF",
            Self::HeaderCut => "ends inside its header",
            Self::NoFrame => "has no frame",
            Self::NoRow => "ends before its first row",
        })
    }
}

impl std::error::Error for Cause {}
