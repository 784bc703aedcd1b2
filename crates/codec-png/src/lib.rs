//! PNG (W3C PNG third edition, ISO/IEC 15948), read and written row by row in memory that depends on the width only.
//!
//! Chunks, filters and Adam7 are implemented here; the crate `deflate` inflates and deflates. The `png` crate is used
//! in tests only, because its reader refuses pictures of more than 2 GiB in wasm and its writer counts raw bytes in 32
//! bits there. Read first: [`decode`] for reading, [`encode`] for writing.
//!
//! ```
//! use codec_png::{Options, create, open};
//! use raster::{Budget, FrameHeader, ImageSpec, Limits, Metadata, Notes, PixelFormat, Size, Wanted, RowReader};
//!
//! let budget = Budget::new(&Limits::default());
//! let (size, pixels) = (Size::new(2, 1), PixelFormat::RGB8);
//! let mut file = Vec::new();
//! let mut writer = create(&mut file, &ImageSpec::single(size, pixels, &budget), &Options::default())?;
//! writer.begin_frame(&FrameHeader::new(size, pixels), &Metadata::default())?;
//! writer.write_row(&[255, 0, 0, 0, 0, 255])?;
//! writer.finish()?;
//!
//! let mut reader = open(&file, &budget, &Notes::default())?;
//! let mut row = [0; 6];
//! if let Some(mut frame) = reader.next_frame(&Wanted::FULL_SIZE)? {
//!     frame.rows.read_row(&mut row)?;
//! }
//! assert_eq!(row, [255, 0, 0, 0, 0, 255]);
//! # Ok::<(), raster::Error>(())
//! ```

mod adam7;
mod animation_chunks;
mod chunk;
mod decode;
mod density;
mod encode;
mod error;
mod filter;
mod header;
mod options;
mod rewrite;
mod text;

pub use decode::{open, open_at};
pub use encode::{create, create_plain};
pub use options::{Options, PaletteUse};
pub use rewrite::rewrite_metadata;

use raster::limits::MAX_SIDE;
use raster::{Channels, Depth, Format, FormatTraits, MetadataRoom, Profiles, Sequences, Texts};

/// The features of a PNG.
pub const FORMAT: FormatTraits = FormatTraits {
    format: Format::Png,
    max_side: MAX_SIDE,
    sequences: Sequences { animation: true, ..Sequences::NONE },
    channels: &[Channels::Gray, Channels::GrayAlpha, Channels::Rgb, Channels::Rgba],
    depth: Depth::Sixteen,
    profiles: Profiles::GrayOrColor,
    metadata: MetadataRoom {
        exif: usize::MAX,
        xmp: usize::MAX,
        xmp_extension: None,
        iptc: true,
        texts: Texts::Any,
        resolution: true,
        signal: true,
        gain_map: false,
    },
};
