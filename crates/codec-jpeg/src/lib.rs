//! JPEG (ITU-T T.81, JFIF, Adobe's and EXIF's segments): reading of sequential, progressive and lossless files, writing
//! of the first two.
//!
//! Read first: `marker` for the marker layer, `decode/samples.rs` for reading of pixels, `encode` for writing.
//!
//! ```
//! use codec_jpeg::{Options, create, open};
//! use raster::{Budget, FrameHeader, ImageSpec, Limits, Metadata, Notes, PixelFormat, RowReader, Size, Wanted};
//!
//! let budget = Budget::new(&Limits::default());
//! let (size, pixels) = (Size::new(8, 1), PixelFormat::GRAY8);
//! let mut file = Vec::new();
//! let mut writer = create(&mut file, &ImageSpec::single(size, pixels, &budget), &Options::default())?;
//! writer.begin_frame(&FrameHeader::new(size, pixels), &Metadata::default())?;
//! writer.write_row(&[200; 8])?;
//! writer.finish()?;
//!
//! let mut reader = open(&file, &budget, &Notes::default())?;
//! let mut row = [0; 8];
//! if let Some(mut frame) = reader.next_frame(&Wanted::FULL_SIZE)? {
//!     frame.rows.read_row(&mut row)?;
//! }
//! assert_eq!(row, [200; 8]);
//! # Ok::<(), raster::Error>(())
//! ```

mod decode;
mod encode;
mod error;
mod extended_xmp;
mod gain_map;
mod icc;
mod marker;
mod quality;
mod rewrite;
mod segments;
mod zigzag;

pub use decode::{Abbreviated, StreamRows, find_gain_map, open};
pub use encode::{Coding, Options, Subsampling, create, turn};
pub use marker::write_segment;
pub use rewrite::rewrite_metadata;
pub use segments::describes_gain_map;

use raster::{Channels, Depth, Format, FormatTraits, MetadataRoom, Profiles, Sequences, Texts};

/// The features of a baseline JPEG.
pub const FORMAT: FormatTraits = FormatTraits {
    format: Format::Jpeg,
    max_side: 65_535, // T.81 B.2.2: 16 bits for each side
    sequences: Sequences::NONE,
    channels: &[Channels::Gray, Channels::Rgb],
    depth: Depth::Eight,
    profiles: Profiles::GrayOrColor,
    metadata: MetadataRoom {
        exif: segments::MAX_EXIF,
        xmp: segments::MAX_XMP,
        xmp_extension: Some(extended_xmp::can_extend),
        iptc: true,
        texts: Texts::Comments,
        resolution: true,
        signal: false,
        gain_map: true,
    },
};
