//! Formats that are read in this process only with a feature of this crate. The page has a module of its own for each.

use raster::{FindGainMap, Format};

use super::{Codec, Encoding, Open};

#[cfg(feature = "avif")]
const OPEN_AVIF: Open = codec_avif::open;
#[cfg(not(feature = "avif"))]
const OPEN_AVIF: Open = |_, _, _| Err(raster::Error::Unsupported { format: Format::Avif, feature: "" });
#[cfg(feature = "avif")]
const FIND_AVIF: Option<FindGainMap> = Some(codec_avif::find_gain_map);
#[cfg(not(feature = "avif"))]
const FIND_AVIF: Option<FindGainMap> = None;
#[cfg(feature = "jxl")]
const OPEN_JXL: Open = codec_jxl::open;
#[cfg(not(feature = "jxl"))]
const OPEN_JXL: Open = |_, _, _| Err(raster::Error::Unsupported { format: Format::Jxl, feature: "" });

/// Returns the codec of such a format, or `None` without its feature. A format that can be written has one in any case.
pub(super) fn codec(format: Format) -> Option<Codec> {
    match format {
        Format::Avif => Some(Codec {
            header: Some(codec_avif::header),
            rewrite_metadata: Some(codec_avif::rewrite_metadata),
            ignores_exif_orientation: true,
            find_gain_map: FIND_AVIF,
            ..Codec::new(&codec_avif::FORMAT, OPEN_AVIF, Some(Encoding::Avif(codec_avif::Options::default())))
        }),
        #[cfg(feature = "heic")]
        Format::Heic => Some(Codec {
            find_gain_map: Some(codec_heic::find_gain_map),
            ..Codec::new(&codec_heic::FORMAT, codec_heic::open, None)
        }),
        Format::Jxl => Some(Codec {
            header: Some(codec_jxl::header),
            rewrite_metadata: Some(codec_jxl::rewrite_metadata),
            ..Codec::new(&codec_jxl::FORMAT, OPEN_JXL, Some(Encoding::Jxl(codec_jxl::Options::default())))
        }),
        _ => None,
    }
}
