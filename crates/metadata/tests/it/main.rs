//! What becomes of metadata, from block to block.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod exif;
mod tiff;
mod xmp;
