//! AVIF: pictures of 8, 10 and 12 bits in AV1, grey or colour, with alpha, in tiles, and animations.
//!
//! `rusty_av1d` decodes AV1, `heif` reads the file around it. This crate reads the header of AV1 and joins both. A
//! [`raster::PictureEncoder`] from outside encodes single pictures, and [`create`] writes the file around them. Without
//! the feature `decode`, files are written and only their headers are read. Read first: `decode.rs`, `encode.rs`.

#![forbid(unsafe_code)]

#[cfg(feature = "decode")]
mod decode;
mod encode;
mod sequence_header;

pub use encode::{Options, create};

#[cfg(feature = "decode")]
use heif::Device;
use heif::{Codec, Description};
use raster::limits::MAX_SIDE;
use raster::{
    Budget, ByteSink, ByteSource, Channels, Depth, Format, FormatTraits, ImageInfo, Metadata, MetadataRoom, Notes,
    Profiles, Result, Sequences, Size, Texts,
};
#[cfg(feature = "decode")]
use raster::{ImageReader, StoredGainMap};
use yuv::Sampling;

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

/// The features of an AVIF file that is written.
pub const WRITTEN: FormatTraits = FormatTraits { sequences: Sequences::NONE, ..FORMAT };

const CODEC: Codec = Codec {
    format: Format::Avif,
    kind: *b"av01",
    sequence_brand: *b"avis",
    describe: sequence_header::describe,
    #[cfg(feature = "decode")]
    decoder: decode::decoder,
    #[cfg(not(feature = "decode"))]
    decoder: |_, _| Err(raster::Error::Unsupported { format: Format::Avif, feature: "decoding" }),
    name: sequence_header::codec_name,
    working_set,
};

/// Opens a file: reads its boxes, its metadata and the header of its first picture. Rows are grey or RGB, with alpha if
/// the file has it, of 8 bits or, if the file has more, of 16.
///
/// # Errors
/// `Malformed`, `Limit` or `Io`; `Unsupported` for pictures that are derived in other ways than by a grid.
#[cfg(feature = "decode")]
pub fn open<'a>(source: &'a dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Box<dyn ImageReader + 'a>> {
    heif::open(&CODEC, source, None, budget, notes)
}

/// Finds the gain map of a still picture: the map is a file in which it is the picture.
///
/// # Errors
/// As [`open`].
#[cfg(feature = "decode")]
pub fn find_gain_map(source: &dyn ByteSource, budget: &Budget) -> Result<Option<StoredGainMap>> {
    heif::find_gain_map(&CODEC, source, budget)
}

/// Opens a file as [`open`] does, and lets the device decode still pictures.
///
/// # Errors
/// As [`open`].
#[cfg(feature = "decode")]
pub fn open_with<'a>(
    source: &'a dyn ByteSource,
    device: Option<&'a dyn Device>,
    budget: &Budget,
    notes: &Notes,
) -> Result<Box<dyn ImageReader + 'a>> {
    heif::open(&CODEC, source, device, budget, notes)
}

/// Reads the header of a file, of an animation that of its still picture: its boxes, its metadata and the header of the
/// picture.
///
/// # Errors
/// `Malformed`, `Limit` or `Io`; `Unsupported` for pictures that are derived in other ways than by a grid.
pub fn header(source: &dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<ImageInfo> {
    heif::header(&CODEC, source, budget, notes)
}

/// Copies a file with `metadata` instead of its own; pictures and profile stay the same.
///
/// # Errors
/// `Unsupported` for metadata that are longer than those in the file; `Malformed`, `Limit` or `Io`.
pub fn rewrite_metadata(
    source: &dyn ByteSource,
    sink: &mut dyn ByteSink,
    metadata: &Metadata,
    budget: &Budget,
) -> Result<()> {
    isobmff::rewrite_metadata(Format::Avif, source, sink, metadata, budget)
}

/// Returns the bytes that decoding takes: the planes, those without film grain or those of eight earlier frames, and
/// what the decoder notes about blocks. Photographs without grain take 2.1 bytes a pixel at 8 bits and 4:2:0, and 6.9
/// at 12 bits and 4:4:4 (tests/it/made.rs).
fn working_set(description: &Description, size: Size, is_sequence: bool) -> u64 {
    let bytes = if description.depth > 8 { 2 } else { 1 };
    // Samples in two pixels.
    let samples = match description.sampling {
        Sampling::Gray => 2,
        Sampling::Half => 3,
        Sampling::Columns => 4,
        Sampling::Full => 6,
    };
    let planes = size.area().saturating_mul(samples * bytes).div_ceil(2);
    let pictures = planes.saturating_mul(if is_sequence { 10 } else { 2 });
    pictures.saturating_add(size.area()).saturating_add(8 << 20)
}
