//! The causes why a file cannot be read. Callers see the sentence inside `Error::Malformed`.

use core::fmt;

use raster::{Error, Format};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    NoMagic,
    HeaderCut,
    HeaderLength(u32),
    Width(i32),
    Bits { bits: u16, compression: u32 },
    Compression(u32),
    Colors(u32),
    MaskGap(u32),
    MaskOverlap(u32),
    NoRow,
}

impl Cause {
    /// Returns the error for this cause, found near byte `offset`.
    pub(crate) fn at(self, offset: u64) -> Error {
        Error::malformed(Format::Bmp, offset, self)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMagic => f.write_str("does not start with BM"),
            Self::HeaderCut => f.write_str("ends inside its header"),
            Self::HeaderLength(len) => write!(f, "no header has {len} bytes"),
            Self::Width(width) => write!(f, "the width is {width}"),
            Self::Bits { bits, compression } => {
                write!(f, "{bits} bits a pixel do not go with compression {compression}")
            }
            Self::Compression(compression) => write!(f, "there is no compression {compression}"),
            Self::Colors(count) => write!(f, "claims {count} colours"),
            Self::MaskGap(mask) => write!(f, "the bits of mask {mask:#x} are not neighbours"),
            Self::MaskOverlap(mask) => write!(f, "mask {mask:#x} overlaps another"),
            Self::NoRow => f.write_str("ends before its first row"),
        }
    }
}

impl std::error::Error for Cause {}
