//! What the samples of a page are and how they are packed, once its tags are read.

use super::palette::Palette;

/// How the data are compressed (TIFF 6.0 §9 to §11, §22, Adobe's and libtiff's additions).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    /// T.4 rows without end-of-line codes, each from a byte, or a 16-bit word, on.
    FaxRuns {
        words: bool,
    },
    /// T.4 rows behind end-of-line codes; some by reference to the row above when two-dimensional.
    Fax3 {
        two_dimensional: bool,
    },
    /// T.6.
    Fax4,
    Lzw,
    OldJpeg,
    Jpeg,
    Deflate,
    PackBits,
    Thunder,
    /// LogLuv's bytes, plane by plane in runs, or three plain bytes a pixel.
    SgiLog,
    SgiLog24,
    Lzma,
    Zstd,
    WebP,
}

/// What a stored sample is (SampleFormat, TIFF 6.0 §19). Signed ones are taken for unsigned, as libtiff, FFmpeg and
/// UTIF do: the tag is more often wrong than right on pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Samples {
    /// Bits in an integer, 1 to 64.
    Whole(u16),
    /// Bits in an IEEE 754 number, 16, 24, 32 or 64; black is 0, white is 1.
    Real(u16),
}

impl Samples {
    pub(super) const fn bits(self) -> u16 {
        match self {
            Self::Whole(bits) | Self::Real(bits) => bits,
        }
    }
}

/// What the samples of a pixel mean (PhotometricInterpretation).
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Meaning {
    Gray {
        white_is_zero: bool,
    },
    Rgb,
    Cmyk,
    Palette(Palette),
    YCbCr(YCbCr),
    /// CIE L*a*b*: how a* and b* are stored.
    Lab(LabCode),
    /// One 16-bit logarithm of luminance; chromaticity behind it in 24 or 32 bits.
    LogL,
    LogLuv24,
    LogLuv32,
}

impl Meaning {
    /// Whether a pixel is a logarithmic code instead of samples.
    pub(super) const fn is_logarithmic(&self) -> bool {
        matches!(self, Self::LogL | Self::LogLuv24 | Self::LogLuv32)
    }

    /// Samples in a pixel but for alpha and other extras.
    pub(super) const fn colors(&self) -> u16 {
        match self {
            Self::Gray { .. } | Self::Palette(_) | Self::LogL | Self::LogLuv24 | Self::LogLuv32 => 1,
            Self::Rgb | Self::YCbCr(_) | Self::Lab(_) => 3,
            Self::Cmyk => 4,
        }
    }
}

/// The three codings of a* and b* (TIFF 6.0 §23, supplement 1, TIFF-FX).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LabCode {
    /// Two's complement.
    Cie,
    /// ICC.1 annex A: from −128 on.
    Icc,
    /// T.42: L* 0 to 100, a* −85 to 85, b* −75 to 125.
    Itu,
}

/// How luma and chroma are stored (TIFF 6.0 §21).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct YCbCr {
    /// Pixels across and down that share one chroma sample: 1, 2 or 4 each.
    pub(super) across: u32,
    pub(super) down: u32,
    /// Shares of red, green and blue in luma.
    pub(super) luma: [f64; 3],
    /// Codes of black and white for luma, Cb, Cr, in turn.
    pub(super) reference: [f64; 6],
}

/// The extra sample that is alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Alpha {
    /// Its place among the samples of a pixel.
    pub(super) index: u16,
    /// Whether colours are multiplied by it.
    pub(super) is_associated: bool,
}

/// Undone after decompression (TIFF 6.0 §14, supplement 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Predictor {
    None,
    Horizontal,
    Float,
}
