//! Common parts of the tests of all crates: generated pictures, failing sources, measures of difference, the corpus,
//! and readings of other programs.
//!
//! This is a development crate, which is not shipped. It depends on `raster` only, so that every codec can use it.

#![allow(clippy::expect_used, clippy::panic, reason = "a broken test fixture has to stop the test at once")]

pub mod corpus;
pub mod cpu;
pub mod generate;
pub mod heif;
pub mod lossless_jpeg;
pub mod memory;
pub mod metrics;
pub mod picture;
pub mod rows;
pub mod source;
pub mod threads;
pub mod wide;
pub mod witness;

pub use metrics::{Difference, sha256};
pub use picture::Picture;
pub use rows::{read_all, write_all, write_with};
pub use source::{ArrivingSource, FailingSource, SplitSource};
pub use wide::Wide;
pub use witness::Seen;
