//! The meaning and the packing of a page's samples, as its tags state them.

use super::palette::Palette;

/// The compression of the data (TIFF 6.0 §9 to §11, §22, additions by Adobe and libtiff).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    /// T.4 rows without end-of-line codes; each starts at a byte or at a 16-bit word.
    FaxRuns {
        words: bool,
    },
    /// T.4 rows with end-of-line codes; when two-dimensional, some refer to the row above.
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
    /// LogLuv's bytes, in planes of runs, or three plain bytes a pixel.
    SgiLog,
    SgiLog24,
    Lzma,
    Zstd,
    WebP,
}

/// The type of a stored sample (SampleFormat, TIFF 6.0 §19). Signed integers are read as unsigned, as libtiff, FFmpeg
/// and UTIF do: on pictures the tag is more often wrong than right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Samples {
    /// An integer of 1 to 64 bits.
    Whole(u16),
    /// An IEEE 754 number of 16, 24, 32 or 64 bits; black is 0, white is 1.
    Real(u16),
}

impl Samples {
    pub(super) const fn bits(self) -> u16 {
        match self {
            Self::Whole(bits) | Self::Real(bits) => bits,
        }
    }
}

/// The meaning of a pixel's samples (PhotometricInterpretation).
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Meaning {
    Gray {
        white_is_zero: bool,
    },
    Rgb,
    Cmyk,
    Palette(Palette),
    YCbCr(YCbCr),
    /// CIE L*a*b*, with the coding of a* and b*.
    Lab(LabCode),
    /// A 16-bit logarithm of luminance. The codes of 24 and 32 bits below add chromaticity.
    LogL,
    LogLuv24,
    LogLuv32,
}

impl Meaning {
    /// Whether a pixel is a logarithmic code instead of samples.
    pub(super) const fn is_logarithmic(&self) -> bool {
        matches!(self, Self::LogL | Self::LogLuv24 | Self::LogLuv32)
    }

    /// Returns the number of samples in a pixel without alpha and other extra samples.
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

/// The coding of luma and chroma (TIFF 6.0 §21).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct YCbCr {
    /// The numbers of pixels across and down that share one chroma sample: 1, 2 or 4 each.
    pub(super) across: u32,
    pub(super) down: u32,
    /// The weights of red, green and blue in luma.
    pub(super) luma: [f64; 3],
    /// The codes of black and white for luma, Cb and Cr.
    pub(super) reference: [f64; 6],
}

/// The extra sample that is alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Alpha {
    /// Its position among the samples of a pixel.
    pub(super) index: u16,
    /// Whether colours are premultiplied by it.
    pub(super) is_associated: bool,
}

/// The predictor, which is undone after decompression (TIFF 6.0 §14, supplement 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Predictor {
    None,
    Horizontal,
    Float,
}
