//! AVIF, read: pictures of 8, 10 and 12 bits in AV1, grey or colour, with alpha, in tiles, and animations.
//!
//! `rusty_av1d` decodes AV1, `heif` reads the file around it. This crate reads the header of AV1 and joins both. Read
//! first: `decode.rs`.

#![forbid(unsafe_code)]

mod decode;
mod sequence_header;

use heif::Codec;
use raster::limits::MAX_SIDE;
use raster::{
    Budget, ByteSource, Channels, Depth, Format, FormatTraits, ImageReader, MetadataRoom, Notes, Profiles, Result,
    Sequences, Texts,
};

/// The features of an AVIF file.
pub const FORMAT: FormatTraits = FormatTraits {
    format: Format::Avif,
    max_side: if MAX_SIDE < 65_536 { MAX_SIDE } else { 65_536 },
    sequences: Sequences { animation: true, ..Sequences::NONE },
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
    format: Format::Avif,
    kind: *b"av01",
    sequence_brand: *b"avis",
    describe: decode::describe,
    decoder: decode::decoder,
    working_set: decode::working_set,
};

/// Opens a file: reads its boxes, its metadata and the header of its first picture. Rows are grey or RGB, with alpha if
/// the file has it, of 8 bits or, if the file has more, of 16.
///
/// # Errors
/// `Malformed`, `Limit` or `Io`; `Unsupported` for pictures that are derived in other ways than by a grid.
pub fn open<'a>(source: &'a dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Box<dyn ImageReader + 'a>> {
    heif::open(&CODEC, source, budget, notes)
}
