//! The defects of a file's directories.

use core::fmt;

use raster::{Error, Format};

/// Why a file's directories cannot be read. Callers see the sentence inside `Error::Malformed`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// The byte order or the version is not valid.
    NoMagic,
    /// The header is incomplete.
    HeaderCut,
    /// A directory begins or ends outside of the file, or has no entries, or there are too many entries.
    Directory,
}

impl Defect {
    /// Returns the error for this defect, found near byte `offset`.
    #[must_use]
    pub fn at(self, offset: u64) -> Error {
        Error::malformed(Format::Tiff, offset, self)
    }
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoMagic => "does not start as a TIFF does",
            Self::HeaderCut => "ends inside its header",
            Self::Directory => "a directory lies outside of the file",
        })
    }
}

impl std::error::Error for Defect {}
