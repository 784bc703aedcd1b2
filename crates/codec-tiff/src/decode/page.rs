//! What a directory says about its picture, settled before a row is read: shape, samples, meaning, compression. Reads
//! tags only; allocates no more than the tables of strips or tiles, which lie in the file.

use raster::error::Limit;
use raster::{Budget, Channels, Depth, Orientation, PixelFormat, Result, RowFormat, Size};

use super::grid::Grid;
use super::ifd::{Directory, Ifds};
use super::jpeg::Jpeg;
use super::pages::Place;
use super::palette::Palette;
use super::tags::Tags;
use crate::error::{Cause, unsupported};
use crate::tag;

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

/// The number of YCbCr among PhotometricInterpretations.
pub(super) const YCBCR: u64 = 6;

/// All that decides how rows come.
#[derive(Clone, Debug)]
pub(super) struct Page {
    pub(super) directory: Directory,
    pub(super) size: Size,
    pub(super) orientation: Orientation,
    pub(super) samples: Samples,
    pub(super) samples_per_pixel: u16,
    pub(super) is_planar: bool,
    pub(super) is_big_endian: bool,
    pub(super) is_bit_reversed: bool,
    pub(super) meaning: Meaning,
    pub(super) alpha: Option<Alpha>,
    pub(super) compression: Compression,
    pub(super) predictor: Predictor,
    pub(super) grid: Grid,
    /// For the two JPEG compressions.
    pub(super) jpeg: Jpeg,
}

impl Page {
    /// Reads the tags of the page at `place`.
    ///
    /// # Errors
    /// `Malformed`, `Unsupported`, `Limit` when the file cannot hold the picture or the budget not its tables, `Io`.
    pub(super) fn read(ifds: &mut Ifds<'_>, place: Place, file_len: u64, budget: &Budget) -> Result<Self> {
        let directory = ifds.read(place.at)?;
        let mut tags = Tags { ifds, directory: &directory };
        let mut compression = tags.compression()?;
        // Old JPEGs in colour sometimes forget to count their samples.
        let is_colored_old = compression == Compression::OldJpeg && tags.number(tag::PHOTOMETRIC, 0)? == YCBCR;
        let samples_per_pixel = tags.short(tag::SAMPLES_PER_PIXEL, if is_colored_old { 3 } else { 1 })?;
        let mut samples = if is_colored_old { Samples::Whole(8) } else { tags.samples(samples_per_pixel)? };
        let mut meaning = tags.meaning(samples_per_pixel, samples, compression, budget)?;
        let mut alpha = tags.alpha(samples_per_pixel, &meaning)?;
        let mut is_planar = tags.number(tag::PLANAR_CONFIGURATION, 1)? == 2 && samples_per_pixel > 1;
        let mut predictor = tags.predictor(compression)?;
        let mut samples_per_pixel = samples_per_pixel;
        if matches!(meaning, Meaning::LogL | Meaning::LogLuv24 | Meaning::LogLuv32) {
            // Whatever the tags say of the samples, a pixel is one code.
            let bits = if meaning == Meaning::LogL { 16 } else { 32 };
            (samples, samples_per_pixel, is_planar, alpha) = (Samples::Whole(bits), 1, false, None);
            predictor = Predictor::None;
            if compression == Compression::SgiLog24 {
                (meaning, samples) = (Meaning::LogLuv24, Samples::Whole(24));
                compression = Compression::None;
            }
        }
        let grid =
            Grid::read(tags.ifds, &directory, place.size, if is_planar { samples_per_pixel } else { 1 }, budget)?;
        let jpeg = tags.jpeg(compression, if is_planar { 1 } else { samples_per_pixel }, budget)?;
        let page = Self {
            size: place.size,
            orientation: place.orientation,
            samples,
            samples_per_pixel,
            is_planar,
            is_big_endian: tags.ifds.order() == super::ifd::Order::Big,
            is_bit_reversed: tags.number(tag::FILL_ORDER, 1)? == 2,
            meaning,
            alpha,
            compression,
            predictor,
            grid,
            jpeg,
            directory,
        };
        page.check()?;
        page.check_plausible(file_len)?;
        Ok(page)
    }

    /// Refuses what fits together nowhere.
    fn check(&self) -> Result<()> {
        let at = self.directory.at;
        let bits = self.samples.bits();
        if matches!(self.compression, Compression::FaxRuns { .. } | Compression::Fax3 { .. } | Compression::Fax4)
            && (bits, self.samples_per_pixel) != (1, 1)
        {
            return Err(Cause::Clash("fax compression and samples").at(at));
        }
        if self.compression == Compression::Thunder && (bits, self.samples_per_pixel) != (4, 1) {
            return Err(Cause::Clash("ThunderScan compression and samples").at(at));
        }
        if matches!(self.compression, Compression::Jpeg | Compression::OldJpeg | Compression::WebP)
            && self.samples != Samples::Whole(8)
        {
            return Err(unsupported("more than 8 bits under this compression"));
        }
        let is_odd = matches!(self.samples, Samples::Whole(bits) if bits % 8 != 0) || matches!(bits, 24 | 40 | 48 | 56);
        match self.predictor {
            Predictor::Horizontal if is_odd => Err(unsupported("a predictor at this depth")),
            Predictor::Float if matches!(self.samples, Samples::Whole(_)) => {
                Err(Cause::Clash("Predictor and SampleFormat").at(at))
            }
            _ if self.grid.is_tiled && !(u64::from(self.grid.width) * self.pixel_bits()).is_multiple_of(8) => {
                Err(unsupported("tiles that end inside a byte"))
            }
            _ if self.is_planar && self.jpeg.is_ycbcr => Err(unsupported("YCbCr in planes under JPEG compression")),
            _ if self.is_planar && self.rows_per_line() * self.pixels_per_unit() > 1 => {
                Err(unsupported("subsampled colour in planes"))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a header that claims what so few bytes cannot hold, sixteen times over, because truncated files and
    /// blank parts are pictures too. Up to a size that costs nothing there is no suspicion.
    fn check_plausible(&self, bytes: u64) -> Result<()> {
        const ALWAYS: u64 = 1 << 24;
        const SLACK: u64 = 16;
        // Bits of picture in a bit of data, at most.
        let ratio = match self.compression {
            Compression::None | Compression::SgiLog24 => 1,
            Compression::Thunder | Compression::PackBits | Compression::SgiLog => 64,
            // 4 096 bytes in 12 bits; 258 in 2.
            Compression::Lzw => 2731,
            Compression::Deflate => 1032,
            // A block of 64 samples takes two bits at least.
            Compression::Jpeg | Compression::OldJpeg => 256,
            // A row takes a bit at least.
            Compression::Fax4 | Compression::Fax3 { .. } | Compression::FaxRuns { .. } => self.size.width.into(),
            Compression::Lzma | Compression::Zstd | Compression::WebP => 1 << 16,
        };
        let claimed =
            self.size.area().saturating_mul(u64::from(self.samples_per_pixel) * u64::from(self.samples.bits()));
        let most = bytes.saturating_mul(8 * SLACK).saturating_mul(ratio);
        if self.size.area().saturating_mul(self.samples_per_pixel.into()) > ALWAYS && claimed > most {
            return Err(Limit::Implausible { claimed: self.size, bytes }.into());
        }
        Ok(())
    }

    /// How rows come.
    pub(super) fn row_format(&self) -> RowFormat {
        let has_color = match self.meaning {
            Meaning::Cmyk => return RowFormat::Inks { depth: self.depth(), alpha: false },
            Meaning::Gray { .. } | Meaning::LogL => false,
            _ => true,
        };
        PixelFormat::new(Channels::new(has_color, self.alpha.is_some()), self.depth()).into()
    }

    fn depth(&self) -> Depth {
        match (&self.meaning, self.samples) {
            (Meaning::Palette(palette), _) => palette.depth(),
            (Meaning::YCbCr(_) | Meaning::LogL | Meaning::LogLuv24 | Meaning::LogLuv32, _) => Depth::Eight,
            (_, Samples::Whole(..=8)) => Depth::Eight,
            _ => Depth::Sixteen,
        }
    }

    /// Bits of one pixel in one plane.
    fn pixel_bits(&self) -> u64 {
        let samples = if self.is_planar { 1 } else { self.samples_per_pixel };
        u64::from(samples) * u64::from(self.samples.bits())
    }

    /// Rows of pixels in a line of data: more than one only where chroma is shared downwards.
    pub(super) const fn rows_per_line(&self) -> u32 {
        match &self.meaning {
            Meaning::YCbCr(code) => code.down,
            _ => 1,
        }
    }

    const fn pixels_per_unit(&self) -> u32 {
        match &self.meaning {
            Meaning::YCbCr(code) => code.across,
            _ => 1,
        }
    }

    /// Bytes in a line of data of a strip or tile, which is `width` pixels wide.
    pub(super) fn line_bytes(&self, width: u32) -> u64 {
        match &self.meaning {
            // §21: units of across × down luma samples, one Cb, one Cr.
            Meaning::YCbCr(code) if code.across * code.down > 1 => {
                u64::from(width.div_ceil(code.across)) * u64::from(code.across * code.down + 2)
            }
            _ => (u64::from(width) * self.pixel_bits()).div_ceil(8),
        }
    }
}
