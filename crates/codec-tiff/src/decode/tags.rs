//! One page's tags, as what they mean for its pixels, with the defaults of TIFF 6.0 and the guesses of others where
//! they lack.

use ifd::{Directory, File, tag};
use raster::{Budget, Result};

use super::grid::Grid;
use super::jpeg::Streams;
use super::meaning::{Alpha, Compression, LabCode, Meaning, Predictor, Samples, YCbCr};
use super::palette::Palette;
use crate::error::{Cause, unsupported};

/// PhotometricInterpretation of red, green and blue.
const RGB: u64 = 2;
/// PhotometricInterpretation of luma and chroma.
const YCBCR: u64 = 6;

/// One directory's tags, with their defaults.
pub(super) struct Tags<'t, 'a> {
    pub(super) file: &'t mut File<'a>,
    pub(super) directory: &'t Directory,
    pub(super) budget: &'t Budget,
}

/// What lies in the segments, before it is known where they lie.
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
    /// What lies in the segments.
    ///
    /// # Errors
    /// `Malformed`, `Unsupported`, `Limit`, `Io`.
    pub(super) fn stored(&mut self) -> Result<Stored> {
        let compression = self.compression()?;
        let code = self.photometric(compression)?;
        // JPEGs of the old style in colour sometimes forget to count their samples, and the bits in each.
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

    /// A tag's number, or its default where the tag is missing. One that is there and holds no number is damage.
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

    /// PhotometricInterpretation. JPEGs of the old style hold YCbCr whether their tag is missing or says RGB, as
    /// libtiff has it; only a page that counts fewer than three samples does not.
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

    /// Sizes and kind of the samples. Writers that forget an entry for each sample mean the first.
    fn samples(&mut self, samples_per_pixel: u16) -> Result<Samples> {
        let (sizes, formats) = (
            self.per_sample(tag::BITS_PER_SAMPLE, samples_per_pixel)?,
            self.per_sample(tag::SAMPLE_FORMAT, samples_per_pixel)?,
        );
        let bits = sizes.first().copied().unwrap_or(1);
        let format = formats.first().copied().unwrap_or(1);
        // Colours decide; extra samples of another size would lie between them.
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

    /// At most `most` numbers of a tag.
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
            // The JPEG decoder turns it into red, green and blue by JFIF's rule; of the old style, by the page's tags.
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

    /// Refuses meanings that do not go with the samples or the compression.
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

    /// Where the page's JPEG streams are.
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

    /// The alpha sample. Among inks an extra sample of no stated kind is a spot plate or a saved selection. Beside
    /// other colours a single one is taken for alpha, as libtiff, libvips and ImageMagick do; of several, none.
    fn alpha(&mut self, samples_per_pixel: u16, meaning: &Meaning) -> Result<Option<Alpha>> {
        let colors = meaning.colors();
        let extras = samples_per_pixel.saturating_sub(colors);
        if extras == 0 {
            return Ok(None);
        }
        let kinds = self.per_sample(tag::EXTRA_SAMPLES, extras)?;
        // 999 is Corel's way of saying unassociated.
        let said = kinds.iter().position(|kind| matches!(kind, 1 | 2 | 999));
        let alpha = |index: usize, is_associated| Alpha { index: colors + index as u16, is_associated };
        Ok(match said {
            Some(index) => Some(alpha(index, kinds[index] == 1)),
            None if extras == 1 && *meaning != Meaning::Cmyk => Some(alpha(0, false)),
            None => None,
        })
    }

    /// Only these compressions have a predictor; elsewhere the tag is noise.
    fn predictor(&mut self, compression: Compression) -> Result<Predictor> {
        let has_predictor =
            matches!(compression, Compression::Lzw | Compression::Deflate | Compression::Zstd | Compression::Lzma);
        Ok(match self.number(tag::PREDICTOR, 1)? {
            2 if has_predictor => Predictor::Horizontal,
            3 if has_predictor => Predictor::Float,
            // libtiff refuses other numbers; nothing is read as something else by taking them for none.
            _ => Predictor::None,
        })
    }
}

impl Stored {
    /// With the samples of LogLuv: whatever the tags say of them, a pixel is one code.
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

/// What is meant where PhotometricInterpretation is missing: ImageMagick's guess.
const fn guess(compression: Compression, samples_per_pixel: u16) -> u64 {
    match compression {
        Compression::FaxRuns { .. } | Compression::Fax3 { .. } | Compression::Fax4 => 0,
        _ if samples_per_pixel >= 3 => RGB,
        _ => 1,
    }
}
