//! The vocabulary of the engine: sizes, pixels, bytes, rows, errors. Every crate uses it; it depends on none of them.
//!
//! Read first: [`rows`] for readers and writers of pictures, [`bytes`] for files, [`Error`] for errors.

pub mod bytes;
mod checked;
pub mod choice;
mod error;
pub mod format;
mod hash;
pub mod icc;
pub mod limits;
mod list;
pub mod metadata;
pub mod orientation;
pub mod outside;
pub mod palette;
pub mod photoshop;
pub mod pixel;
mod quality;
pub mod rows;
pub mod size;
mod sort;
pub mod steps;
pub mod traits;
pub mod transfer;
pub mod warning;
mod window;
pub mod xmp;

pub use bytes::{ByteSink, ByteSource, Cursor, Spliced};
pub use checked::{CheckedRows, CheckedWriter};
pub use choice::Choice;
pub use error::{Cause, Error, IoError, Limit, Mistake, NotAnImage, Result, SyntaxError, unless_damaged};
pub use format::Format;
pub use hash::fibonacci_slot;
pub use limits::{Budget, Limits};
pub use list::GrowingList;
pub use metadata::{FindGainMap, GainMap, Metadata, Resolution, Signal, StoredGainMap, Text};
pub use orientation::Orientation;
pub use outside::{Compression, Effort, EncoderSettings, Picture, PictureEncoder};
pub use pixel::{Channels, Depth, Pixel, PixelFormat, RowFormat};
pub use quality::Quality;
pub use rows::{
    Delay, Frame, FrameHeader, FrameInfo, ImageInfo, ImageReader, ImageSpec, ImageWriter, RowReader, Sequence, Stored,
    Wanted,
};
pub use size::{Rect, Size};
pub use sort::sort_by_key;
pub use traits::{FormatTraits, MetadataRoom, Profiles, Sequences, Texts};
pub use transfer::Transfer;
pub use warning::{Note, Notes, Warning};
pub use window::Window;
