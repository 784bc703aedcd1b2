//! Kinds of values (TIFF 6.0 §2, supplement 1, BigTIFF, EXIF 3.0).

/// The kind of an entry's values, as its number in the file. A file can contain any number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind(pub u16);

impl Kind {
    /// Unsigned, 1 byte.
    pub const BYTE: Self = Self(1);
    /// Text. Each byte counts, including a zero at the end.
    pub const ASCII: Self = Self(2);
    /// Unsigned, 2 bytes.
    pub const SHORT: Self = Self(3);
    /// Unsigned, 4 bytes.
    pub const LONG: Self = Self(4);
    /// Numerator and denominator, both unsigned.
    pub const RATIONAL: Self = Self(5);
    /// Signed, 1 byte.
    pub const SBYTE: Self = Self(6);
    /// Bytes of any meaning.
    pub const UNDEFINED: Self = Self(7);
    /// Signed, 2 bytes.
    pub const SSHORT: Self = Self(8);
    /// Signed, 4 bytes.
    pub const SLONG: Self = Self(9);
    /// Numerator and denominator, both signed.
    pub const SRATIONAL: Self = Self(10);
    /// IEEE 754 of 32 bits.
    pub const FLOAT: Self = Self(11);
    /// IEEE 754 of 64 bits.
    pub const DOUBLE: Self = Self(12);
    /// The offset of a directory.
    pub const IFD: Self = Self(13);
    /// Unsigned, 8 bytes. This kind and the next two exist in BigTIFF only.
    pub const LONG8: Self = Self(16);
    /// Signed, 8 bytes.
    pub const SLONG8: Self = Self(17);
    /// The offset of a directory, of 8 bytes.
    pub const IFD8: Self = Self(18);
    /// Text of EXIF 3.0.
    pub const UTF_8: Self = Self(129);

    /// Returns the bytes of one value, or `None` for an unknown kind.
    #[must_use]
    pub const fn size(self) -> Option<u64> {
        match self {
            Self::BYTE | Self::ASCII | Self::SBYTE | Self::UNDEFINED | Self::UTF_8 => Some(1),
            Self::SHORT | Self::SSHORT => Some(2),
            Self::LONG | Self::SLONG | Self::FLOAT | Self::IFD => Some(4),
            Self::RATIONAL | Self::SRATIONAL | Self::DOUBLE | Self::LONG8 | Self::SLONG8 | Self::IFD8 => Some(8),
            _ => None,
        }
    }

    /// Returns the bytes of one number, which is the unit of the byte order: a fraction consists of two numbers.
    #[must_use]
    pub const fn number_size(self) -> Option<u64> {
        match self {
            Self::RATIONAL | Self::SRATIONAL => Some(4),
            _ => self.size(),
        }
    }

    /// Whether the values are whole numbers, including offsets.
    #[must_use]
    pub const fn is_whole(self) -> bool {
        matches!(
            self,
            Self::BYTE
                | Self::SHORT
                | Self::LONG
                | Self::SBYTE
                | Self::SSHORT
                | Self::SLONG
                | Self::IFD
                | Self::LONG8
                | Self::SLONG8
                | Self::IFD8
        )
    }

    /// Whether EXIF uses the kind for values; its offsets of directories are LONGs (CIPA DC-008 §4.6.2).
    #[must_use]
    pub const fn is_exif(self) -> bool {
        matches!(self.0, 1..=12) || matches!(self, Self::UTF_8)
    }
}
