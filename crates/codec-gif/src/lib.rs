//! GIF (GIF87a and GIF89a) in and out: pictures of up to 256 colours, and animations of them.
//!
//! Blocks and LZW are ours; the canvas is that of the crate `animation`, palettes are chosen by `quantize`. The `gif`
//! crate is an oracle in the tests. Read first: [`decode`] for how frames come out, [`encode`] for how they go in.

mod blocks;
mod decode;
mod encode;
mod error;
mod options;
mod rewrite;

pub use decode::open;
pub use encode::create;
pub use options::Options;
pub use rewrite::rewrite_metadata;

use raster::{Channels, Depth, Format, FormatTraits, MetadataRoom, Profiles, Sequences, Texts};

/// What a GIF can hold. Its transparency has one bit, and its colours are sRGB.
pub const FORMAT: FormatTraits = FormatTraits {
    format: Format::Gif,
    max_side: 65_535,
    sequences: Sequences { animation: true, ..Sequences::NONE },
    channels: &[Channels::Rgb, Channels::Rgba],
    depth: Depth::Eight,
    profiles: Profiles::None,
    metadata: MetadataRoom { xmp: usize::MAX, texts: Texts::Comments, ..MetadataRoom::NONE },
};
