//! HEIC, read: pictures of 8 to 12 bits in HEVC, grey or colour, with alpha, in tiles. It is never written.
//!
//! `heifer-hevc-dec` decodes HEVC, `heif` reads the file around it. This crate reads the parameter sets and joins both.
//! Without the feature `decode` it contains no decoder, and only the device decodes. Read first: `decode.rs`.

#![forbid(unsafe_code)]

#[cfg(feature = "decode")]
mod decode;
mod description;
mod parameter_sets;

use heif::{Codec, Device};
use raster::limits::MAX_SIDE;
use raster::{
    Budget, ByteSource, Channels, Depth, Format, FormatTraits, ImageReader, MetadataRoom, Notes, Profiles, Result,
    Sequences, StoredGainMap, Texts,
};

/// The features of a HEIC file.
pub const FORMAT: FormatTraits = FormatTraits {
    format: Format::Heic,
    max_side: MAX_SIDE,
    sequences: Sequences::NONE,
    channels: &[Channels::Gray, Channels::GrayAlpha, Channels::Rgb, Channels::Rgba],
    depth: Depth::Sixteen,
    profiles: Profiles::GrayOrColor,
    metadata: MetadataRoom {
        exif: u32::MAX as usize,
        xmp: u32::MAX as usize,
        xmp_extension: None,
        iptc: false,
        texts: Texts::None,
        resolution: false,
        signal: true,
        gain_map: false,
    },
};

const CODEC: Codec = Codec {
    format: Format::Heic,
    kind: *b"hvc1",
    sequence_brand: *b"hevc",
    describe: description::describe,
    #[cfg(feature = "decode")]
    decoder: decode::decoder,
    #[cfg(not(feature = "decode"))]
    decoder: |_, _| Err(raster::Error::Unsupported { format: Format::Heic, feature: "" }),
    name: parameter_sets::codec_name,
    working_set: description::working_set,
};

/// Opens a file: reads its boxes, its metadata and the header of its first picture. Rows are grey or RGB, with alpha if
/// the file has it, of 8 bits or, if the file has more, of 16. Of a sequence only frames are read that need no others.
///
/// # Errors
/// `Malformed`, `Limit` or `Io`; `Unsupported` for pictures that are derived in other ways than by a grid.
pub fn open<'a>(source: &'a dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Box<dyn ImageReader + 'a>> {
    heif::open(&CODEC, source, None, budget, notes)
}

/// Finds the gain map of a still picture: the map is a file in which it is the picture.
///
/// # Errors
/// As [`open`].
pub fn find_gain_map(source: &dyn ByteSource, budget: &Budget) -> Result<Option<StoredGainMap>> {
    heif::find_gain_map(&CODEC, source, budget)
}

/// Opens a file as [`open`] does, and lets the device decode still pictures.
///
/// # Errors
/// As [`open`].
pub fn open_with<'a>(
    source: &'a dyn ByteSource,
    device: Option<&'a dyn Device>,
    budget: &Budget,
    notes: &Notes,
) -> Result<Box<dyn ImageReader + 'a>> {
    heif::open(&CODEC, source, device, budget, notes)
}
