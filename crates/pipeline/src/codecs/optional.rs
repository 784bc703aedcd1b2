//! Formats that are read in this process only with a feature of this crate. The page has a module of its own for each.

use raster::Format;

use super::Codec;

/// Returns the codec of such a format, or `None` without its feature.
pub(super) const fn codec(format: Format) -> Option<Codec> {
    match format {
        #[cfg(feature = "avif")]
        Format::Avif => Some(Codec::new(&codec_avif::FORMAT, codec_avif::open, None)),
        #[cfg(feature = "heic")]
        Format::Heic => Some(Codec::new(&codec_heic::FORMAT, codec_heic::open, None)),
        #[cfg(feature = "jxl")]
        Format::Jxl => Some(Codec::new(&codec_jxl::FORMAT, codec_jxl::open, None)),
        _ => None,
    }
}
