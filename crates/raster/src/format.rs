//! The file formats the product knows by name, whether or not a codec stands behind each yet.

use core::fmt;

/// A file format of images.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // each variant is its own name
pub enum Format {
    Jpeg,
    Png,
    Bmp,
    Gif,
    WebP,
    Tiff,
    Ico,
    Svg,
    Avif,
    Heic,
    Jxl,
    /// Bare rows behind a small header, by which parts outside the core hand pictures over; see `codec-raw`.
    Raw,
}

impl Format {
    /// Every format, in the order in which people meet them.
    pub const ALL: [Self; 12] = [
        Self::Jpeg,
        Self::Png,
        Self::Bmp,
        Self::Gif,
        Self::WebP,
        Self::Tiff,
        Self::Ico,
        Self::Svg,
        Self::Avif,
        Self::Heic,
        Self::Jxl,
        Self::Raw,
    ];

    /// Lower-case name, as `probe` prints it; also the usual file extension but for JPEG, whose extension is `jpg`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Jpeg => "jpeg",
            Self::Png => "png",
            Self::Bmp => "bmp",
            Self::Gif => "gif",
            Self::WebP => "webp",
            Self::Tiff => "tiff",
            Self::Ico => "ico",
            Self::Svg => "svg",
            Self::Avif => "avif",
            Self::Heic => "heic",
            Self::Jxl => "jxl",
            Self::Raw => "raw",
        }
    }

    /// The format that a file extension (no dot, any case) stands for.
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Self> {
        let lower = extension.to_ascii_lowercase();
        match lower.as_str() {
            "jpg" | "jpe" | "jfif" => Some(Self::Jpeg),
            "dib" => Some(Self::Bmp),
            "tif" => Some(Self::Tiff),
            "cur" => Some(Self::Ico),
            "heif" => Some(Self::Heic),
            "apng" => Some(Self::Png),
            name => Self::ALL.into_iter().find(|format| format.name() == name),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
