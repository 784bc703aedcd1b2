//! Why a file cannot be read, exactly. Callers see the sentence inside `Error::Malformed`.

use core::fmt;

use raster::{Error, Format};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    NoMagic,
    Version(u8),
    Pixels { samples: u8, bits: u8 },
    Reserved,
    Length { expected: u64, found: u64 },
}

impl Cause {
    /// This cause, found near byte `offset`.
    pub(crate) fn at(self, offset: u64) -> Error {
        Error::malformed(Format::Raw, offset, self)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMagic => f.write_str("does not start with the magic and a whole header"),
            Self::Version(version) => write!(f, "is of version {version}"),
            Self::Pixels { samples, bits } => write!(f, "has pixels of {samples} samples of {bits} bits"),
            Self::Reserved => f.write_str("has a reserved byte that is not 0"),
            Self::Length { expected, found } => write!(f, "should have {expected} bytes and has {found}"),
        }
    }
}

impl std::error::Error for Cause {}
