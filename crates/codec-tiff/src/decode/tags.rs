//! The tags of one page and their meaning for its pixels. Missing tags have the defaults of TIFF 6.0 or the assumptions
//! of common readers.

use ifd::{Directory, File, tag};
use raster::{Budget, Result};

use super::grid::Grid;
use super::jpeg::Streams;
use super::meaning::{Alpha, Compression, LabCode, Meaning, Predictor, Samples, YCbCr};
use super::palette::Palette;
use crate::error::{Cause, unsupported};

/// The PhotometricInterpretation of RGB.
const RGB: u64 = 2;
/// The PhotometricInterpretation of YCbCr.
const YCBCR: u64 = 6;

/// The tags of one directory, with their defaults.
pub(super) struct Tags<'t, 'a> {
    pub(super) file: &'t mut File<'a>,
    pub(super) directory: &'t Directory,
    pub(super) budget: &'t Budget,
}

/// The content of the segments, without their positions.
pub(super) struct Stored {
    pub(super) samples: Samples,
    pub(super) samples_per_pixel: u16,
    pub(super) is_planar: bool,
    pub(super) meaning: Meaning,
    pub(super) alpha: Option<Alpha>,
    pub(super) compression: Compression,
    pub(super) predictor: Predictor,
}

impl Tags<'_, '_> {
    /// Reads the content of the segments.
    ///
    /// # Errors
    /// `Malformed`, `Unsupported`, `Limit`, `Io`.
    pub(super) fn stored(&mut self) -> Result<Stored> {
        let compression = self.compression()?;
        let code = self.photometric(compression)?;
        // Colour JPEGs of the old style sometimes lack the number of samples and the bits in each.
        let is_old_color = compression == Compression::OldJpeg && code == Some(YCBCR);
        let samples_per_pixel = self.samples_per_pixel(if is_old_color { 3 } else { 1 })?;
        let samples = if is_old_color { Samples::Whole(8) } else { self.samples(samples_per_pixel)? };
        let code = code.unwrap_or_else(|| guess(compression, samples_per_pixel));
        let meaning = self.meaning(code, samples_per_pixel, samples, compression)?;
        let stored = Stored {
            alpha: self.alpha(samples_per_pixel, &meaning)?,
            is_planar: self.number(tag::PLANAR_CONFIGURATION, 1)? == 2 && samples_per_pixel > 1,
            predictor: self.predictor(compression)?,
            samples,
            samples_per_pixel,
            meaning,
            compression,
        };
        Ok(stored.with_codes())
    }

    /// Returns a tag's number, or its default when the tag is missing. A tag without a number is damage.
    pub(super) fn number(&mut self, tag: u16, default: u64) -> Result<u64> {
        match self.file.number(self.directory, tag)? {
            Some(number) => Ok(number),
            None if self.directory.get(tag).is_none() => Ok(default),
            None => Err(self.bad("a tag without a number", tag.into())),
        }
    }

    fn samples_per_pixel(&mut self, default: u16) -> Result<u16> {
        let value = self.number(tag::SAMPLES_PER_PIXEL, default.into())?;
        match u16::try_from(value) {
            Ok(value) if value > 0 => Ok(value),
            _ => Err(self.bad("SamplesPerPixel", value)),
        }
    }

    fn bad(&self, tag: &'static str, value: u64) -> raster::Error {
        Cause::Value(tag, value).at(self.directory.at)
    }

    /// Returns PhotometricInterpretation. JPEGs of the old style contain YCbCr even when their tag is missing or states
    /// RGB, as in libtiff, unless the page has fewer than three samples.
    fn photometric(&mut self, compression: Compression) -> Result<Option<u64>> {
        let code = match self.directory.get(tag::PHOTOMETRIC) {
            Some(_) => Some(self.number(tag::PHOTOMETRIC, 0)?),
            None => None,
        };
        let is_old = compression == Compression::OldJpeg && matches!(code, None | Some(RGB));
        Ok(if is_old && self.number(tag::SAMPLES_PER_PIXEL, 3)? >= 3 { Some(YCBCR) } else { code })
    }

    fn compression(&mut self) -> Result<Compression> {
        Ok(match self.number(tag::COMPRESSION, 1)? {
            1 => Compression::None,
            2 => Compression::FaxRuns { words: false },
            3 => Compression::Fax3 { two_dimensional: self.number(tag::T4_OPTIONS, 0)? & 1 == 1 },
            4 => Compression::Fax4,
            5 => Compression::Lzw,
            6 => Compression::OldJpeg,
            7 => Compression::Jpeg,
            8 | 32_946 => Compression::Deflate,
            32_771 => Compression::FaxRuns { words: true },
            32_773 => Compression::PackBits,
            32_809 => Compression::Thunder,
            34_676 => Compression::SgiLog,
            34_677 => Compression::SgiLog24,
            34_925 => Compression::Lzma,
            50_000 => Compression::Zstd,
            50_001 => Compression::WebP,
            0 => return Err(self.bad("Compression", 0)),
            32_766 | 34_661 | 34_663 | 34_712 | 34_887 | 34_892 | 34_933..=34_935 | 50_002 => {
                return Err(unsupported("this compression"));
            }
            other => return Err(self.bad("Compression", other)),
        })
    }

    /// Returns the size and type of the samples. A single entry applies to all samples.
    fn samples(&mut self, samples_per_pixel: u16) -> Result<Samples> {
        let (sizes, formats) = (
            self.per_sample(tag::BITS_PER_SAMPLE, samples_per_pixel)?,
            self.per_sample(tag::SAMPLE_FORMAT, samples_per_pixel)?,
        );
        let bits = sizes.first().copied().unwrap_or(1);
        let format = formats.first().copied().unwrap_or(1);
        // The colours decide. Extra samples of another size would lie between them.
        if sizes.iter().any(|&size| size != bits) || formats.iter().any(|&other| other != format) {
            return Err(unsupported("samples of different sizes"));
        }
        match (format, bits) {
            (3, 16 | 24 | 32 | 64) => Ok(Samples::Real(bits as u16)),
            (5 | 6, _) => Err(unsupported("complex samples")),
            (1 | 2 | 4, 1..=64) => Ok(Samples::Whole(bits as u16)),
            (1..=4, _) => Err(self.bad("BitsPerSample", bits)),
            _ => Err(self.bad("SampleFormat", format)),
        }
    }

    /// Returns at most `most` numbers of a tag.
    fn per_sample(&mut self, tag: u16, most: u16) -> Result<Vec<u64>> {
        match self.directory.get(tag) {
            Some(entry) => self.file.numbers(entry, most.into(), &self.budget.scope()),
            None => Ok(Vec::new()),
        }
    }

    fn meaning(
        &mut self,
        code: u64,
        samples_per_pixel: u16,
        samples: Samples,
        compression: Compression,
    ) -> Result<Meaning> {
        let in_jpeg = matches!(compression, Compression::Jpeg | Compression::OldJpeg | Compression::WebP);
        let meaning = match code {
            0 | 1 | 4 => Meaning::Gray { white_is_zero: code == 0 },
            RGB => Meaning::Rgb,
            3 => {
                let Samples::Whole(bits @ 1..=16) = samples else {
                    return Err(unsupported("palette indices of this kind"));
                };
                Meaning::Palette(Palette::read(self.file, self.directory, bits, self.budget)?)
            }
            5 => self.inks()?,
            // The JPEG decoder converts it to RGB by JFIF's rule, or by the page's tags under the old style.
            YCBCR if compression == Compression::OldJpeg && samples_per_pixel >= 3 => {
                Meaning::YCbCr(YCbCr { across: 1, down: 1, ..self.ycbcr()? })
            }
            YCBCR if in_jpeg && samples_per_pixel >= 3 => Meaning::Rgb,
            YCBCR if in_jpeg => Meaning::Gray { white_is_zero: false },
            YCBCR if samples != Samples::Whole(8) => return Err(unsupported("YCbCr of other than 8 bits")),
            YCBCR => Meaning::YCbCr(self.ycbcr()?),
            8..=10 if samples_per_pixel < 3 => Meaning::Gray { white_is_zero: false },
            8 => Meaning::Lab(LabCode::Cie),
            9 => Meaning::Lab(LabCode::Icc),
            10 => Meaning::Lab(LabCode::Itu),
            32_803 | 34_892 => return Err(unsupported("raw sensor data")),
            32_844 if compression == Compression::SgiLog => Meaning::LogL,
            32_845 if compression == Compression::SgiLog => Meaning::LogLuv32,
            32_845 if compression == Compression::SgiLog24 => Meaning::LogLuv24,
            32_844 | 32_845 => return Err(unsupported("LogLuv under this compression")),
            other => return Err(self.bad("PhotometricInterpretation", other)),
        };
        self.check_meaning(&meaning, samples_per_pixel, samples, compression)?;
        Ok(meaning)
    }

    /// Refuses meanings that do not match the samples or the compression.
    fn check_meaning(
        &self,
        meaning: &Meaning,
        samples_per_pixel: u16,
        samples: Samples,
        compression: Compression,
    ) -> Result<()> {
        let is_log = matches!(meaning, Meaning::LogL | Meaning::LogLuv24 | Meaning::LogLuv32);
        if matches!(compression, Compression::SgiLog | Compression::SgiLog24) && !is_log {
            return Err(Cause::Clash("Compression and PhotometricInterpretation").at(self.directory.at));
        }
        if matches!(meaning, Meaning::Lab(_)) && !matches!(samples, Samples::Whole(8 | 16)) {
            return Err(unsupported("Lab of other than 8 or 16 bits"));
        }
        if samples_per_pixel < meaning.colors() {
            return Err(Cause::Clash("SamplesPerPixel and PhotometricInterpretation").at(self.directory.at));
        }
        Ok(())
    }

    /// Returns the location of the page's JPEG streams.
    ///
    /// # Errors
    /// `Malformed`, `Limit`, `Io`.
    pub(super) fn streams(&mut self, stored: &Stored, grid: &Grid) -> Result<Streams> {
        let components = if stored.is_planar { 1 } else { stored.samples_per_pixel };
        match stored.compression {
            Compression::OldJpeg => Streams::read_old(self.file, self.directory, grid, components, self.budget),
            Compression::Jpeg => {
                let is_ycbcr = self.number(tag::PHOTOMETRIC, YCBCR)? == YCBCR;
                Streams::read(self.file, self.directory, is_ycbcr, self.budget)
            }
            _ => Ok(Streams::default()),
        }
    }

    fn inks(&mut self) -> Result<Meaning> {
        match self.number(tag::INK_SET, 1)? {
            1 => Ok(Meaning::Cmyk),
            _ => Err(unsupported("inks other than CMYK")),
        }
    }

    fn ycbcr(&mut self) -> Result<YCbCr> {
        let factors = match self.directory.get(tag::YCBCR_SUBSAMPLING) {
            Some(entry) => self.file.numbers(entry, 2, &self.budget.scope())?,
            None => Vec::new(),
        };
        let factor = |i: usize| factors.get(i).copied().unwrap_or(2);
        let (across, down) = (factor(0), factor(1));
        for value in [across, down] {
            if !matches!(value, 1 | 2 | 4) {
                return Err(self.bad("YCbCrSubSampling", value));
            }
        }
        let luma = self.file.reals(self.directory, tag::YCBCR_COEFFICIENTS)?;
        let luma = luma.filter(|luma: &[f64; 3]| luma.iter().all(|&share| share > 0.0 && share < 1.0));
        let reference = self.file.reals(self.directory, tag::REFERENCE_BLACK_WHITE)?;
        Ok(YCbCr {
            across: across as u32,
            down: down as u32,
            luma: luma.unwrap_or([0.299, 0.587, 0.114]),
            reference: reference.unwrap_or([0.0, 255.0, 128.0, 255.0, 128.0, 255.0]),
        })
    }

    /// Returns the alpha sample. Beside inks, an extra sample of unspecified type is a spot plate or a saved selection.
    /// Beside other colours, a single one is treated as alpha, as libtiff, libvips and ImageMagick do; of several, none
    /// is.
    fn alpha(&mut self, samples_per_pixel: u16, meaning: &Meaning) -> Result<Option<Alpha>> {
        let colors = meaning.colors();
        let extras = samples_per_pixel.saturating_sub(colors);
        if extras == 0 {
            return Ok(None);
        }
        let kinds = self.per_sample(tag::EXTRA_SAMPLES, extras)?;
        // 999 is Corel's value for unassociated alpha.
        let stated = kinds.iter().position(|kind| matches!(kind, 1 | 2 | 999));
        let alpha = |index: usize, is_associated| Alpha { index: colors + index as u16, is_associated };
        Ok(match stated {
            Some(index) => Some(alpha(index, kinds[index] == 1)),
            None if extras == 1 && *meaning != Meaning::Cmyk => Some(alpha(0, false)),
            None => None,
        })
    }

    /// Returns the predictor. Only these compressions have one; elsewhere the tag is ignored.
    fn predictor(&mut self, compression: Compression) -> Result<Predictor> {
        let has_predictor =
            matches!(compression, Compression::Lzw | Compression::Deflate | Compression::Zstd | Compression::Lzma);
        Ok(match self.number(tag::PREDICTOR, 1)? {
            2 if has_predictor => Predictor::Horizontal,
            3 if has_predictor => Predictor::Float,
            // libtiff refuses other numbers. Treating them as no predictor misreads no valid file.
            _ => Predictor::None,
        })
    }
}

impl Stored {
    /// Sets the samples of LogLuv: a pixel is one code, even when the tags state otherwise.
    fn with_codes(self) -> Self {
        let bits = match self.meaning {
            Meaning::LogL => 16,
            Meaning::LogLuv24 => 24,
            Meaning::LogLuv32 => 32,
            _ => return self,
        };
        let (is_planar, alpha, predictor) = (false, None, Predictor::None);
        Self { samples: Samples::Whole(bits), samples_per_pixel: 1, is_planar, alpha, predictor, ..self }
    }
}

/// Returns the meaning when PhotometricInterpretation is missing: ImageMagick's assumption.
const fn guess(compression: Compression, samples_per_pixel: u16) -> u64 {
    match compression {
        Compression::FaxRuns { .. } | Compression::Fax3 { .. } | Compression::Fax4 => 0,
        _ if samples_per_pixel >= 3 => RGB,
        _ => 1,
    }
}
