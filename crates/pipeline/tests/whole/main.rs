//! The pipeline from file to file: what users are promised, one promise a test.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may panic and speak")]

mod accuracy;
mod animation;
mod bounds;
mod colors;
mod corpus;
mod geometry;
mod pixels;
mod several;
mod shared;
