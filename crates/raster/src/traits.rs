//! The features of a file format. Each codec states them once, as `FORMAT`; all other code reads them there.

use crate::{Channels, Depth, Format, Metadata, PixelFormat, Sequence};

/// The features of one format.
#[derive(Clone, Copy, Debug)]
pub struct FormatTraits {
    /// The format.
    pub format: Format,
    /// The longest side of a picture, in pixels.
    pub max_side: u32,
    /// The kinds of several pictures that one file supports.
    pub sequences: Sequences,
    /// The supported channels, fewest first.
    pub channels: &'static [Channels],
    /// The size of the largest supported samples.
    pub depth: Depth,
    /// The ICC profiles that can be embedded.
    pub profiles: Profiles,
    /// The capacity for other metadata.
    pub metadata: MetadataRoom,
}

/// The kinds of several pictures in one file; see [`Sequence`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sequences {
    /// [`Sequence::Pages`].
    pub pages: bool,
    /// [`Sequence::Animation`].
    pub animation: bool,
    /// [`Sequence::Sizes`].
    pub sizes: bool,
}

/// The ICC profiles that a format can embed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profiles {
    /// None.
    None,
    /// Profiles for RGB, even when all colours are grey.
    Color,
    /// Profiles for grey in grey pictures, else for RGB.
    GrayOrColor,
}

/// The capacity of a format for metadata beside the profile.
#[derive(Clone, Copy, Debug)]
pub struct MetadataRoom {
    /// The largest EXIF in bytes; 0 when EXIF is not supported.
    pub exif: usize,
    /// The largest XMP packet in bytes; 0 when XMP is not supported.
    pub xmp: usize,
    /// Whether a file can store these two packets of XMP; `None` when the format supports one packet only.
    pub xmp_extension: Option<fn(&Metadata) -> bool>,
    /// Whether IPTC-IIM is supported.
    pub iptc: bool,
    /// The texts that are supported.
    pub texts: Texts,
    /// Whether the resolution is supported.
    pub resolution: bool,
    /// Whether video's description of colours is supported.
    pub signal: bool,
    /// Whether a gain map is supported.
    pub gain_map: bool,
}

/// The texts that a format supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Texts {
    /// None.
    None,
    /// Comments without a keyword.
    Comments,
    /// Texts under any keyword.
    Any,
}

impl Sequences {
    /// Support of one picture only.
    pub const NONE: Self = Self { pages: false, animation: false, sizes: false };
}

impl MetadataRoom {
    /// No capacity.
    pub const NONE: Self = Self {
        exif: 0,
        xmp: 0,
        xmp_extension: None,
        iptc: false,
        texts: Texts::None,
        resolution: false,
        signal: false,
        gain_map: false,
    };
}

impl FormatTraits {
    /// Whether a file supports a sequence of that kind, and not only one picture of it.
    #[must_use]
    pub const fn holds(&self, sequence: Sequence) -> bool {
        match sequence {
            Sequence::Single => true,
            Sequence::Pages => self.sequences.pages,
            Sequence::Animation { .. } => self.sequences.animation,
            Sequence::Sizes => self.sequences.sizes,
        }
    }

    /// Returns the kind of sequence to which several pictures of a source of kind `source` are written, or `None` when
    /// a file supports only one picture.
    #[must_use]
    pub fn sequence_for(&self, source: Sequence) -> Option<Sequence> {
        [source, Sequence::Pages, Sequence::Sizes]
            .into_iter()
            .find(|&sequence| sequence != Sequence::Single && self.holds(sequence))
    }

    /// Returns the pixel format of this format that stores `wanted` with the least loss: alpha and depth are kept when
    /// supported, and grey stays grey when supported.
    #[must_use]
    pub fn storable(&self, wanted: PixelFormat) -> PixelFormat {
        let PixelFormat { channels: wanted, depth } = wanted;
        let colors = |channels: &&Channels| channels.has_color() || !wanted.has_color();
        let alpha = |channels: &&Channels| channels.has_alpha() || !wanted.has_alpha();
        let all = || self.channels.iter();
        let channels = all().filter(colors).find(alpha).or_else(|| all().find(colors));
        let depth = if depth.bits() > self.depth.bits() { self.depth } else { depth };
        PixelFormat::new(channels.copied().unwrap_or(Channels::Rgb), depth)
    }

    /// Returns the data colour space of profiles for pixels of these channels (ICC.1:2022 table 19).
    #[must_use]
    pub const fn profile_space(&self, channels: Channels) -> Option<[u8; 4]> {
        match self.profiles {
            Profiles::None => None,
            Profiles::GrayOrColor if !channels.has_color() => Some(*b"GRAY"),
            Profiles::Color | Profiles::GrayOrColor => Some(*b"RGB "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Channels::{Gray, GrayAlpha, Rgb, Rgba};

    const PLAIN: FormatTraits = FormatTraits {
        format: Format::Raw,
        max_side: 10,
        sequences: Sequences { animation: true, ..Sequences::NONE },
        channels: &[Gray, Rgb],
        depth: Depth::Eight,
        profiles: Profiles::Color,
        metadata: MetadataRoom::NONE,
    };

    fn storable(channels: &'static [Channels], wanted: Channels) -> Channels {
        FormatTraits { channels, ..PLAIN }.storable(PixelFormat::new(wanted, Depth::Sixteen)).channels
    }

    #[test]
    fn colour_is_kept_first_then_alpha_then_few_channels() {
        let table: [(&[Channels], [Channels; 4]); 4] = [
            (&[Gray, GrayAlpha, Rgb, Rgba], [Gray, GrayAlpha, Rgb, Rgba]),
            (&[Gray, Rgb, Rgba], [Gray, Rgba, Rgb, Rgba]),
            (&[Gray, Rgb], [Gray, Gray, Rgb, Rgb]),
            (&[Rgba], [Rgba; 4]),
        ];
        for (channels, want) in table {
            assert_eq!([Gray, GrayAlpha, Rgb, Rgba].map(|wanted| storable(channels, wanted)), want, "{channels:?}");
        }
        assert_eq!(PLAIN.storable(PixelFormat::new(Rgb, Depth::Sixteen)), PixelFormat::RGB8);
    }

    #[test]
    fn several_pictures_keep_their_kind_or_become_pages_or_sizes() {
        let animation = Sequence::Animation { plays: 2 };
        let icons = FormatTraits { sequences: Sequences { sizes: true, ..Sequences::NONE }, ..PLAIN };
        assert_eq!(PLAIN.sequence_for(animation), Some(animation));
        assert_eq!(PLAIN.sequence_for(Sequence::Pages), None);
        assert_eq!(PLAIN.sequence_for(Sequence::Single), None);
        assert_eq!(icons.sequence_for(animation), Some(Sequence::Sizes));
        assert_eq!(icons.sequence_for(Sequence::Single), Some(Sequence::Sizes));
    }
}
