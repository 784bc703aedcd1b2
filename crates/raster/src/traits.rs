//! What files of one format can hold. Each codec states it once, as `FORMAT`; everybody else asks.

use crate::{Channels, Depth, Format, Metadata, PixelFormat, Sequence};

/// The description of one format.
#[derive(Clone, Copy, Debug)]
pub struct FormatTraits {
    /// The format.
    pub format: Format,
    /// The longest side of a picture, in pixels.
    pub max_side: u32,
    /// Which kinds of several pictures one file can hold.
    pub sequences: Sequences,
    /// The channels that can be stored, fewest first.
    pub channels: &'static [Channels],
    /// The largest samples that can be stored.
    pub depth: Depth,
    /// Which ICC profiles can be embedded.
    pub profiles: Profiles,
    /// The room for other metadata.
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
    /// Profiles for red, green and blue, even where all colours are grey.
    Color,
    /// Profiles for grey in grey pictures, else for red, green and blue.
    GrayOrColor,
}

/// The room that a format has for metadata beside the profile.
#[derive(Clone, Copy, Debug)]
pub struct MetadataRoom {
    /// Bytes of EXIF; 0 where it cannot be stored.
    pub exif: usize,
    /// Bytes of the XMP packet; 0 where it cannot be stored.
    pub xmp: usize,
    /// Whether a file can hold these two packets of XMP; nothing where the format knows one packet only.
    pub xmp_extension: Option<fn(&Metadata) -> bool>,
    /// Whether IPTC-IIM can be stored.
    pub iptc: bool,
    /// Which texts can be stored.
    pub texts: Texts,
    /// Whether the resolution can be stored.
    pub resolution: bool,
    /// Whether video's description of colours can be stored.
    pub signal: bool,
}

/// The texts that a format can store.
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
    /// One picture only.
    pub const NONE: Self = Self { pages: false, animation: false, sizes: false };
}

impl MetadataRoom {
    /// No room at all.
    pub const NONE: Self = Self {
        exif: 0,
        xmp: 0,
        xmp_extension: None,
        iptc: false,
        texts: Texts::None,
        resolution: false,
        signal: false,
    };
}

impl FormatTraits {
    /// Whether a file can hold a sequence of that kind, and not only one picture of it.
    #[must_use]
    pub const fn holds(&self, sequence: Sequence) -> bool {
        match sequence {
            Sequence::Single => true,
            Sequence::Pages => self.sequences.pages,
            Sequence::Animation { .. } => self.sequences.animation,
            Sequence::Sizes => self.sequences.sizes,
        }
    }

    /// What several pictures from a source of that sequence become to each other in a file of this format; nothing
    /// where a file holds only one.
    #[must_use]
    pub fn sequence_for(&self, source: Sequence) -> Option<Sequence> {
        [source, Sequence::Pages, Sequence::Sizes]
            .into_iter()
            .find(|&sequence| sequence != Sequence::Single && self.holds(sequence))
    }

    /// The pixels of this format that hold `wanted` with the least loss: alpha and depth stay where they can, grey
    /// stays grey where it can.
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

    /// The data colour space of the profiles that may stand beside pixels of these channels (ICC.1:2022 table 19).
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
    fn color_is_kept_before_alpha_and_alpha_before_brevity() {
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
    fn several_pictures_stay_what_they_are_or_become_pages_or_sizes() {
        let animation = Sequence::Animation { plays: 2 };
        let icons = FormatTraits { sequences: Sequences { sizes: true, ..Sequences::NONE }, ..PLAIN };
        assert_eq!(PLAIN.sequence_for(animation), Some(animation));
        assert_eq!(PLAIN.sequence_for(Sequence::Pages), None);
        assert_eq!(PLAIN.sequence_for(Sequence::Single), None);
        assert_eq!(icons.sequence_for(animation), Some(Sequence::Sizes));
        assert_eq!(icons.sequence_for(Sequence::Single), Some(Sequence::Sizes));
    }
}
