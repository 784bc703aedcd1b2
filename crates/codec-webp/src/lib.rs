//! WebP (RFC 9649): lossy, lossless, with alpha, animated.
//!
//! The container (chunks, frames, metadata) and both bitstreams are decoded here, row by row: VP8L, which is lossless,
//! in [`lossless`], and VP8 in [`lossy`]. The crate `image-webp` encodes VP8L, and a [`raster::PictureEncoder`] from
//! outside may encode both, a whole picture at a time. Read [`decode`] first, then [`create`].
//!
//! ```
//! use image_webp::{ColorType, WebPEncoder};
//! use raster::{Budget, Limits, Notes, Wanted, RowReader};
//!
//! let mut file = Vec::new();
//! WebPEncoder::new(&mut file).encode(&[255, 0, 0, 0, 0, 255], 2, 1, ColorType::Rgb8)?;
//!
//! let mut reader = codec_webp::open(&file, &Budget::new(&Limits::default()), &Notes::default())?;
//! let mut row = [0; 6];
//! if let Some(mut frame) = reader.next_frame(&Wanted::FULL_SIZE)? {
//!     frame.rows.read_row(&mut row)?;
//! }
//! assert_eq!(row, [255, 0, 0, 0, 0, 255]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alpha;
mod bitstream;
mod chunk;
mod container;
mod decode;
mod encode;
mod error;
mod lossless;
mod lossy;
mod rewrite;

pub use decode::open;
pub use encode::{LOSSY, Lossless, Options, create};
pub use rewrite::rewrite_metadata;

use raster::{Channels, Depth, Format, FormatTraits, MetadataRoom, Profiles, Sequences, Texts};

/// The features of a WebP file.
pub const FORMAT: FormatTraits = FormatTraits {
    format: Format::WebP,
    max_side: bitstream::MAX_SIDE,
    sequences: Sequences { animation: true, ..Sequences::NONE },
    channels: &[Channels::Rgb, Channels::Rgba],
    depth: Depth::Eight,
    profiles: Profiles::Color,
    metadata: MetadataRoom {
        exif: u32::MAX as usize,
        xmp: u32::MAX as usize,
        xmp_extension: None,
        iptc: false,
        texts: Texts::None,
        resolution: false,
        signal: false,
        gain_map: false,
    },
};
