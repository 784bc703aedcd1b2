//! HEIC, read: pictures of 8 to 12 bits in HEVC, grey or colour, with alpha, in tiles. It is never written.
//!
//! `heifer-hevc-dec` decodes HEVC, `heif` reads the file around it. This crate reads the parameter sets and joins both.
//! Read first: `decode.rs`.

#![forbid(unsafe_code)]

mod decode;
mod parameter_sets;

use heif::Codec;
use raster::limits::MAX_SIDE;
use raster::{
    Budget, ByteSource, Channels, Depth, Format, FormatTraits, ImageReader, MetadataRoom, Notes, Profiles, Result,
    Sequences, Texts,
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
    describe: decode::describe,
    decoder: decode::decoder,
    working_set: decode::working_set,
};

/// Opens a file: reads its boxes, its metadata and the header of its first picture. Rows are grey or RGB, with alpha if
/// the file has it, of 8 bits or, if the file has more, of 16. Of a sequence only frames are read that need no others.
///
/// # Errors
/// `Malformed`, `Limit` or `Io`; `Unsupported` for pictures that are derived in other ways than by a grid.
pub fn open<'a>(source: &'a dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Box<dyn ImageReader + 'a>> {
    heif::open(&CODEC, source, budget, notes)
}
