//! What a file says about its picture beside the pixels. Carried as bytes; nobody here looks inside.

/// The descriptions of one picture, each as its own standard writes it, whatever file they came in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata {
    /// The ICC profile, byte for byte, if it is sound enough to be carried.
    pub icc: Option<Vec<u8>>,
    /// EXIF as a TIFF structure, from its byte-order mark on.
    pub exif: Option<Vec<u8>>,
    /// The XMP packet, UTF-8.
    pub xmp: Option<Vec<u8>>,
    /// IPTC-IIM datasets, without the Photoshop resource around them.
    pub iptc: Option<Vec<u8>>,
    /// How densely the picture is to be printed.
    pub resolution: Option<Resolution>,
}

impl Metadata {
    /// Nothing but a colour profile.
    #[must_use]
    pub fn profile(icc: Option<&[u8]>) -> Self {
        Self { icc: icc.map(<[u8]>::to_vec), ..Self::default() }
    }

    /// Bytes in all parts together.
    #[must_use]
    pub fn byte_len(&self) -> u64 {
        let parts = [&self.icc, &self.exif, &self.xmp, &self.iptc];
        parts.into_iter().flatten().map(|part| part.len() as u64).sum()
    }
}

/// Pixels per inch; a format with another unit rounds to its nearest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolution {
    /// Across.
    pub x: f64,
    /// Down.
    pub y: f64,
}
