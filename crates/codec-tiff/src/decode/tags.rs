//! One page's tags, as what they mean for its pixels, with the defaults of TIFF 6.0 and the guesses of others where they
//! lack.

use raster::{Budget, Result};

use super::ifd::{Directory, Ifds};
use super::jpeg::Jpeg;
use super::page::{Alpha, Compression, LabCode, Meaning, Predictor, Samples, YCBCR, YCbCr};
use super::palette::Palette;
use crate::error::{Cause, unsupported};
use crate::tag;

/// One directory's tags, with their defaults.
pub(super) struct Tags<'t, 'a> {
    pub(super) ifds: &'t mut Ifds<'a>,
    pub(super) directory: &'t Directory,
}

impl Tags<'_, '_> {
    /// A tag's number, or its default where the tag is missing. One that is there and holds no number is damage.
    pub(super) fn number(&mut self, tag: u16, default: u64) -> Result<u64> {
        match self.ifds.number_of(self.directory, tag)? {
            Some(number) => Ok(number),
            None if self.directory.get(tag).is_none() => Ok(default),
            None => Err(self.bad("a tag without a number", tag.into())),
        }
    }

    pub(super) fn short(&mut self, tag: u16, default: u16) -> Result<u16> {
        let value = self.number(tag, default.into())?;
        match u16::try_from(value) {
            Ok(value) if value > 0 => Ok(value),
            _ => Err(self.bad("SamplesPerPixel", value)),
        }
    }

    fn bad(&self, tag: &'static str, value: u64) -> raster::Error {
        Cause::Value(tag, value).at(self.directory.at)
    }

    pub(super) fn compression(&mut self) -> Result<Compression> {
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
    pub(super) fn samples(&mut self, samples_per_pixel: u16) -> Result<Samples> {
        let mut shorts = |tag| match self.directory.get(tag) {
            Some(entry) => self.ifds.numbers(entry, samples_per_pixel.into()),
            None => Ok(Vec::new()),
        };
        let (sizes, formats) = (shorts(tag::BITS_PER_SAMPLE)?, shorts(tag::SAMPLE_FORMAT)?);
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

    pub(super) fn meaning(
        &mut self,
        samples_per_pixel: u16,
        samples: Samples,
        compression: Compression,
        budget: &Budget,
    ) -> Result<Meaning> {
        // A guess where the tag is missing: ImageMagick's.
        let guess = match compression {
            Compression::FaxRuns { .. } | Compression::Fax3 { .. } | Compression::Fax4 => 0,
            _ if samples_per_pixel >= 3 => 2,
            _ => 1,
        };
        let in_jpeg = matches!(compression, Compression::Jpeg | Compression::OldJpeg | Compression::WebP);
        let code = self.number(tag::PHOTOMETRIC, guess)?;
        let meaning = match code {
            0 | 1 | 4 => Meaning::Gray { white_is_zero: code == 0 },
            2 => Meaning::Rgb,
            3 => Meaning::Palette(Palette::read(self.ifds, self.directory, samples, budget)?),
            5 => self.inks()?,
            // The JPEG decoder turns it to red, green and blue by JFIF's rule; of the old style, by the page's own tags.
            6 if compression == Compression::OldJpeg && samples_per_pixel >= 3 => {
                Meaning::YCbCr(YCbCr { across: 1, down: 1, ..self.ycbcr()? })
            }
            6 if in_jpeg && samples_per_pixel >= 3 => Meaning::Rgb,
            6 if in_jpeg => Meaning::Gray { white_is_zero: false },
            6 if samples != Samples::Whole(8) => return Err(unsupported("YCbCr of other than 8 bits")),
            6 => Meaning::YCbCr(self.ycbcr()?),
            8..=10 if samples_per_pixel < 3 => Meaning::Gray { white_is_zero: false },
            8 => Meaning::Lab(LabCode::Cie),
            9 => Meaning::Lab(LabCode::Icc),
            10 => Meaning::Lab(LabCode::Itu),
            32_803 | 34_892 => return Err(unsupported("raw sensor data")),
            32_844 if compression == Compression::SgiLog => Meaning::LogL,
            32_845 if matches!(compression, Compression::SgiLog | Compression::SgiLog24) => Meaning::LogLuv32,
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

    pub(super) fn jpeg(&mut self, compression: Compression, components: u16, budget: &Budget) -> Result<Jpeg> {
        let is_ycbcr = self.number(tag::PHOTOMETRIC, YCBCR)? == YCBCR;
        match compression {
            Compression::Jpeg => Jpeg::read(self.ifds, self.directory, is_ycbcr, budget),
            Compression::OldJpeg => Jpeg::read_old(self.ifds, self.directory, components, is_ycbcr),
            _ => Ok(Jpeg::default()),
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
            Some(entry) => self.ifds.numbers(entry, 2)?,
            None => Vec::new(),
        };
        let factor = |i: usize| factors.get(i).copied().unwrap_or(2);
        let (across, down) = (factor(0), factor(1));
        for value in [across, down] {
            if !matches!(value, 1 | 2 | 4) {
                return Err(self.bad("YCbCrSubSampling", value));
            }
        }
        let luma = self.ifds.reals(self.directory, tag::YCBCR_COEFFICIENTS)?;
        let luma = luma.filter(|luma: &[f64; 3]| luma.iter().all(|&share| share > 0.0 && share < 1.0));
        let reference = self.ifds.reals(self.directory, tag::REFERENCE_BLACK_WHITE)?;
        Ok(YCbCr {
            across: across as u32,
            down: down as u32,
            luma: luma.unwrap_or([0.299, 0.587, 0.114]),
            reference: reference.unwrap_or([0.0, 255.0, 128.0, 255.0, 128.0, 255.0]),
        })
    }

    /// The alpha sample. A single extra sample of no stated kind is taken for one too, as libtiff, libvips and
    /// ImageMagick do; of several, none.
    pub(super) fn alpha(&mut self, samples_per_pixel: u16, meaning: &Meaning) -> Result<Option<Alpha>> {
        let colors = meaning.colors();
        let extras = samples_per_pixel.saturating_sub(colors);
        if extras == 0 {
            return Ok(None);
        }
        let kinds = match self.directory.get(tag::EXTRA_SAMPLES) {
            Some(entry) => self.ifds.numbers(entry, extras.into())?,
            None => Vec::new(),
        };
        // 999 is Corel's way of saying unassociated.
        let said = kinds.iter().position(|kind| matches!(kind, 1 | 2 | 999));
        let alpha = |index: usize, is_associated| Alpha { index: colors + index as u16, is_associated };
        Ok(match said {
            Some(index) => Some(alpha(index, kinds[index] == 1)),
            None if extras == 1 => Some(alpha(0, false)),
            None => None,
        })
    }

    /// Only these compressions have a predictor; elsewhere the tag is noise.
    pub(super) fn predictor(&mut self, compression: Compression) -> Result<Predictor> {
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
