//! Tag numbers (TIFF 6.0 §8 to §23, its supplements, EXIF 2.32 §4.6) and field types (TIFF 6.0 §2, BigTIFF).

pub(crate) const PROCESSING_SOFTWARE: u16 = 11;
pub(crate) const NEW_SUBFILE_TYPE: u16 = 254;
pub(crate) const SUBFILE_TYPE: u16 = 255;
pub(crate) const IMAGE_WIDTH: u16 = 256;
pub(crate) const IMAGE_LENGTH: u16 = 257;
pub(crate) const BITS_PER_SAMPLE: u16 = 258;
pub(crate) const COMPRESSION: u16 = 259;
pub(crate) const PHOTOMETRIC: u16 = 262;
pub(crate) const FILL_ORDER: u16 = 266;
pub(crate) const IMAGE_DESCRIPTION: u16 = 270;
pub(crate) const MAKE: u16 = 271;
pub(crate) const MODEL: u16 = 272;
pub(crate) const STRIP_OFFSETS: u16 = 273;
pub(crate) const ORIENTATION: u16 = 274;
pub(crate) const SAMPLES_PER_PIXEL: u16 = 277;
pub(crate) const ROWS_PER_STRIP: u16 = 278;
pub(crate) const STRIP_BYTE_COUNTS: u16 = 279;
pub(crate) const X_RESOLUTION: u16 = 282;
pub(crate) const Y_RESOLUTION: u16 = 283;
pub(crate) const PLANAR_CONFIGURATION: u16 = 284;
pub(crate) const T4_OPTIONS: u16 = 292;
pub(crate) const RESOLUTION_UNIT: u16 = 296;
pub(crate) const PAGE_NUMBER: u16 = 297;
pub(crate) const SOFTWARE: u16 = 305;
pub(crate) const DATE_TIME: u16 = 306;
pub(crate) const ARTIST: u16 = 315;
pub(crate) const HOST_COMPUTER: u16 = 316;
pub(crate) const PREDICTOR: u16 = 317;
pub(crate) const COLOR_MAP: u16 = 320;
pub(crate) const TILE_WIDTH: u16 = 322;
pub(crate) const TILE_LENGTH: u16 = 323;
pub(crate) const TILE_OFFSETS: u16 = 324;
pub(crate) const TILE_BYTE_COUNTS: u16 = 325;
pub(crate) const INK_SET: u16 = 332;
pub(crate) const EXTRA_SAMPLES: u16 = 338;
pub(crate) const SAMPLE_FORMAT: u16 = 339;
pub(crate) const JPEG_TABLES: u16 = 347;
pub(crate) const JPEG_INTERCHANGE: u16 = 513;
pub(crate) const JPEG_INTERCHANGE_LENGTH: u16 = 514;
pub(crate) const JPEG_RESTART_INTERVAL: u16 = 515;
pub(crate) const JPEG_Q_TABLES: u16 = 519;
pub(crate) const JPEG_DC_TABLES: u16 = 520;
pub(crate) const JPEG_AC_TABLES: u16 = 521;
pub(crate) const YCBCR_COEFFICIENTS: u16 = 529;
pub(crate) const YCBCR_SUBSAMPLING: u16 = 530;
pub(crate) const REFERENCE_BLACK_WHITE: u16 = 532;
pub(crate) const XMP: u16 = 700;
pub(crate) const RATING: u16 = 18_246;
pub(crate) const RATING_PERCENT: u16 = 18_249;
pub(crate) const COPYRIGHT: u16 = 33_432;
pub(crate) const IPTC: u16 = 33_723;
/// Photoshop's image resources (Adobe, "TIFF Technical Notes", 2002).
pub(crate) const PHOTOSHOP: u16 = 34_377;
pub(crate) const EXIF_IFD: u16 = 34_665;
pub(crate) const ICC_PROFILE: u16 = 34_675;
pub(crate) const GPS_IFD: u16 = 34_853;
pub(crate) const MAKER_NOTE: u16 = 37_500;
pub(crate) const INTEROPERABILITY_IFD: u16 = 40_965;

/// How a value is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Type(pub(crate) u16);

impl Type {
    pub(crate) const BYTE: Self = Self(1);
    pub(crate) const ASCII: Self = Self(2);
    pub(crate) const SHORT: Self = Self(3);
    pub(crate) const LONG: Self = Self(4);
    pub(crate) const RATIONAL: Self = Self(5);
    pub(crate) const UNDEFINED: Self = Self(7);
    pub(crate) const SRATIONAL: Self = Self(10);
    pub(crate) const FLOAT: Self = Self(11);
    pub(crate) const DOUBLE: Self = Self(12);
    pub(crate) const IFD: Self = Self(13);
    pub(crate) const LONG8: Self = Self(16);
    pub(crate) const IFD8: Self = Self(18);

    /// Bytes in a value; nothing for a type that does not exist.
    pub(crate) const fn bytes(self) -> Option<u64> {
        match self.0 {
            1 | 2 | 6 | 7 => Some(1),
            3 | 8 => Some(2),
            4 | 9 | 11 | 13 => Some(4),
            5 | 10 | 12 | 16..=18 => Some(8),
            _ => None,
        }
    }
}
