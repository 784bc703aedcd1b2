//! Tests of rewritten metadata, from block to block.

#![allow(clippy::unwrap_used, reason = "a failed call fails the test")]

mod exif;
mod tiff;
mod xmp;
