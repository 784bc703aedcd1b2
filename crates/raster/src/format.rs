//! The file formats that the product knows by name, including formats without a codec.

use core::fmt;

crate::choices! {
    /// A file format of images. Each has a lower-case name, as `probe` prints it. The name is also the usual file
    /// extension, except for JPEG, whose extension is `jpg`.
    pub enum Format {
        /// JPEG: ITU-T T.81 in a JFIF, EXIF or Adobe file.
        Jpeg = "jpeg",
        /// Portable Network Graphics, animated (APNG) too.
        Png = "png",
        /// Windows and OS/2 bitmaps.
        Bmp = "bmp",
        /// Graphics Interchange Format.
        Gif = "gif",
        /// WebP.
        WebP = "webp",
        /// Tagged Image File Format, BigTIFF too.
        Tiff = "tiff",
        /// Windows icons and cursors.
        Ico = "ico",
        /// Scalable Vector Graphics.
        Svg = "svg",
        /// AV1 in HEIF.
        Avif = "avif",
        /// HEVC in HEIF.
        Heic = "heic",
        /// JPEG XL.
        Jxl = "jxl",
        /// The "Quite OK Image" format.
        Qoi = "qoi",
        /// The formats of Netpbm: PBM, PGM, PPM, PAM.
        Pnm = "pnm",
        /// Truevision's format, also called Targa.
        Tga = "tga",
        /// Raw rows behind a small header, with which parts outside the core exchange pictures; see `codec-raw`.
        Raw = "raw",
    }
}

impl Format {
    /// Returns the format of a file extension (no dot, any case).
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Self> {
        let lower = extension.to_ascii_lowercase();
        match lower.as_str() {
            "jpg" | "jpe" | "jfif" => Some(Self::Jpeg),
            "dib" => Some(Self::Bmp),
            "tif" => Some(Self::Tiff),
            "cur" => Some(Self::Ico),
            "svgz" => Some(Self::Svg),
            "avifs" => Some(Self::Avif),
            "heif" => Some(Self::Heic),
            "apng" => Some(Self::Png),
            "pbm" | "pgm" | "ppm" | "pam" => Some(Self::Pnm),
            name => Self::from_name(name),
        }
    }

    /// Whether results of this format may have a file extension (no dot, any case). Cursors are read as icons and
    /// written as icons. No result is named `cur`, because programs would expect the hot spot of a cursor in it, and
    /// none `svgz`, because drawings are written without compression.
    #[must_use]
    pub fn is_written_as(self, extension: &str) -> bool {
        let is_read_only = ["cur", "svgz"].iter().any(|name| extension.eq_ignore_ascii_case(name));
        Self::from_extension(extension) == Some(self) && !is_read_only
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
