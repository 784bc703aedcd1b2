//! The causes why a file cannot be read. Callers see the sentence inside `Error::Malformed`. Causes inside of an entry
//! are those of its format.

use core::fmt;

use raster::{Error, Format};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    NoMagic,
    NoEntry,
}

impl Cause {
    /// Returns the error for this cause, found near byte `offset`.
    pub(crate) fn at(self, offset: u64) -> Error {
        Error::malformed(Format::Ico, offset, self)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoMagic => "does not start as an icon or a cursor",
            Self::NoEntry => "the directory has no entry",
        })
    }
}

impl std::error::Error for Cause {}
