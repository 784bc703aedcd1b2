//! The format of the file to write, with its own options, and its conversion.

use pipeline::{
    AvifOptions, Compression, Encoding, GifOptions, JpegCoding, JpegOptions, JxlOptions, PaletteUse, PngOptions,
    RawOptions, Subsampling, TiffOptions, WebpOptions,
};
use raster::{Effort, Quality};
use serde::Deserialize;
use tsify::Tsify;

use crate::names;

/// [`pipeline::Encoding`]: the format of the file to write, with its own options.
#[derive(Tsify, Deserialize)]
#[serde(tag = "format", rename_all = "lowercase")]
pub enum EncodingValue {
    Jpeg {
        /// 1 to 100, in steps of a hundredth; null means the quality of the source.
        quality: Option<f64>,
        /// Red, green, blue behind transparent areas; white when not given.
        #[serde(default = "white")]
        #[tsify(optional)]
        background: [u8; 3],
        /// Baseline when not given.
        #[serde(with = "names", default)]
        #[tsify(optional)]
        coding: JpegCoding,
        /// The resolution of colour: full or reduced; by quality and content when not given.
        #[serde(with = "names", default)]
        #[tsify(optional)]
        subsampling: Subsampling,
    },
    Png {
        /// The default effort when not given.
        #[serde(with = "names", default)]
        #[tsify(optional)]
        effort: Effort,
        /// Like the source when not given.
        #[serde(with = "names", default)]
        #[tsify(optional)]
        palette: PaletteUse,
    },
    Tiff {
        /// LZW when not given.
        #[serde(with = "names", default)]
        #[tsify(optional)]
        compression: Compression,
    },
    Bmp,
    Ico,
    Gif {
        /// The largest number of colours in a palette, 2 to 256; 256 when not given.
        #[serde(default = "all_colors")]
        #[tsify(optional)]
        colors: u16,
    },
    Webp {
        /// 0 to 100, in steps of a hundredth; null means the quality of the source.
        quality: Option<f64>,
        /// Whether every pixel keeps its value; the quality then means nothing.
        lossless: bool,
        /// The default effort when not given.
        #[serde(with = "names", default)]
        #[tsify(optional)]
        effort: Effort,
    },
    Avif {
        /// 1 to 100, in steps of a hundredth; null means the quality of the source.
        quality: Option<f64>,
        /// The default effort when not given.
        #[serde(with = "names", default)]
        #[tsify(optional)]
        effort: Effort,
    },
    Jxl {
        /// 1 to 100, in steps of a hundredth; null means the quality of the source.
        quality: Option<f64>,
        /// Whether every pixel keeps its value; the quality then means nothing.
        lossless: bool,
        /// The default effort when not given.
        #[serde(with = "names", default)]
        #[tsify(optional)]
        effort: Effort,
    },
    /// Drawings only.
    Svg,
    Raw,
}

fn all_colors() -> u16 {
    GifOptions::default().colors
}

pub(crate) const WHITE: [u8; 3] = [255; 3];

fn white() -> [u8; 3] {
    WHITE
}

/// Returns the quality of a number, rounded to hundredths.
fn quality_of(number: f64) -> Quality {
    Quality::from_hundredths((number * 100.0 + 0.5) as u16)
}

impl From<&EncodingValue> for Encoding {
    fn from(encoding: &EncodingValue) -> Self {
        match *encoding {
            EncodingValue::Jpeg { quality, coding, subsampling, .. } => {
                let quality = quality.map(quality_of);
                Self::Jpeg(JpegOptions { quality, coding, subsampling, ..JpegOptions::default() })
            }
            EncodingValue::Png { effort, palette } => Self::Png(PngOptions { effort, palette }),
            EncodingValue::Tiff { compression } => Self::Tiff(TiffOptions { compression }),
            EncodingValue::Bmp => Self::Bmp,
            EncodingValue::Ico => Self::Ico,
            EncodingValue::Gif { colors } => Self::Gif(GifOptions { colors }),
            EncodingValue::Webp { quality, lossless: is_lossless, effort } => {
                Self::WebP(WebpOptions { is_lossless, quality: quality.map(quality_of), effort })
            }
            EncodingValue::Avif { quality, effort } => {
                Self::Avif(AvifOptions { quality: quality.map(quality_of), effort })
            }
            EncodingValue::Jxl { quality, lossless: is_lossless, effort } => {
                Self::Jxl(JxlOptions { is_lossless, quality: quality.map(quality_of), effort })
            }
            EncodingValue::Svg => Self::Svg,
            EncodingValue::Raw => Self::Raw(RawOptions::default()),
        }
    }
}
