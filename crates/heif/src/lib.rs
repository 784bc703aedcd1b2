//! Pictures in HEIF files, whichever codec they have: AVIF and HEIC (ISO/IEC 23008-12, AVIF 1.1).
//!
//! [`open`] reads the container, and its reader asks a [`Codec`] for decoded planes: of a picture, of a row of tiles,
//! of a frame. It joins tiles, converts to RGB (`yuv`), adds alpha, crops, and describes colours, turn and metadata.
//! One row of tiles is in memory at a time. Read first: `reader.rs`.

#![forbid(unsafe_code)]

mod colors;
mod device;
mod gain_map;
mod layer;
mod overlay;
mod reader;
mod tiles;

pub use device::{Coded, Device, DevicePicture, State};
pub use gain_map::find_gain_map;

use core::fmt;
use std::rc::Rc;

use isobmff::{CodePoints, Container, FourCc};
use raster::{Budget, ByteSource, Format, ImageInfo, ImageReader, Notes, Result, Size};
use yuv::{Sampling, Siting};

/// The function that creates a decoder with a configuration, which may be missing.
pub type CreateDecoder = fn(configuration: &[u8], options: &Options) -> Result<Box<dyn Decoder>>;

/// The functions of a codec of pictures.
#[derive(Clone, Copy)]
pub struct Codec {
    /// The format of files.
    pub format: Format,
    /// The type of items and of samples, such as `av01`.
    pub kind: FourCc,
    /// The brand of files that show a sequence, such as `avis`.
    pub sequence_brand: FourCc,
    /// Reads the description of a picture from its configuration, which may be missing, and from the first
    /// [`HEAD`] bytes of its data.
    pub describe: fn(configuration: &[u8], head: &[u8]) -> Option<Description>,
    /// Creates a decoder.
    pub decoder: CreateDecoder,
    /// Returns the name of the codec with the parameters of a configuration (RFC 6381), for a [`Device`].
    pub name: fn(configuration: &[u8]) -> Option<String>,
    /// Returns the bytes of memory that decoding a picture of that size takes, the planes included.
    pub working_set: fn(&Description, size: Size, is_sequence: bool) -> u64,
}

/// The bytes at the start of a picture's data that a codec describes.
pub const HEAD: u64 = 512;

/// The settings of a decoder.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The operating point of AV1.
    pub operating_point: u8,
    /// The largest number of pixels in a picture.
    pub most_pixels: u64,
}

/// A decoder of the pictures of an item, or of a track.
pub trait Decoder {
    /// Decodes the data of a picture.
    ///
    /// # Errors
    /// A sentence about the defect.
    fn decode(&mut self, data: Vec<u8>) -> Result<Box<dyn Planes>, raster::Cause>;
}

/// A decoded picture.
pub trait Planes {
    /// Returns the size in pixels.
    fn size(&self) -> Size;

    /// Returns the bits of a sample and how many chroma samples there are.
    fn layout(&self) -> (u8, Sampling);

    /// Copies a row of plane 0 (luma), 1 or 2 (chroma). `row` is not longer than the rows of the plane.
    fn copy_row(&self, plane: usize, y: u32, row: &mut [u16]);
}

/// The description of a picture by its codec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Description {
    /// The size of the picture; of a picture in a file that states one, not used.
    pub size: Size,
    /// The bits of a sample.
    pub depth: u8,
    /// How many chroma samples there are.
    pub sampling: Sampling,
    /// Where they are.
    pub siting: Siting,
    /// The colours, which the container may override.
    pub code_points: CodePoints,
}

/// The defect of a picture in a sound container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    /// The codec cannot describe it.
    Header,
    /// It has another size or format than the file says.
    Layout,
    /// An earlier frame is damaged.
    EarlierFrame,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Header => "the header of a picture is damaged",
            Self::Layout => "a picture has another size or format than the file says",
            Self::EarlierFrame => "an earlier frame is damaged",
        })
    }
}

impl std::error::Error for Cause {}

/// Opens a file: reads its boxes, its metadata and the header of its first picture. The device decodes still pictures,
/// if there is one; the codec decodes those that the device refuses, and tracks.
///
/// # Errors
/// `Malformed`, `Limit` or `Io`; `Unsupported` for pictures that are derived in other ways than by a grid or by an
/// overlay, and for matrices that `yuv` does not have.
pub fn open<'a>(
    codec: &Codec,
    source: &'a dyn ByteSource,
    device: Option<&'a dyn Device>,
    budget: &Budget,
    notes: &Notes,
) -> Result<Box<dyn ImageReader + 'a>> {
    let container = Rc::new(Container::read(source, codec.format, budget)?);
    let opened = reader::Opened { source, device, codec: *codec, container };
    if overlay::is_overlay(&opened) {
        return Ok(Box::new(overlay::Canvas::open(&opened, budget, notes)?));
    }
    Ok(Box::new(reader::Reader::open(&opened, budget, notes)?))
}

/// Reads the description of a file, of an animation that of its still picture, as [`open`] does, without the means to
/// decode it.
///
/// # Errors
/// As [`open`]; matrices are not checked.
pub fn header(codec: &Codec, source: &dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<ImageInfo> {
    reader::header(*codec, source, budget, notes)
}
