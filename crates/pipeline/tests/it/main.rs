//! The pipeline from file to file: what users are promised, one promise a test. One binary for all of it, so that the
//! crates are linked once; `golden` is another, because `npm run golden` calls it by name.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may panic and print")]

mod accuracy;
mod animation;
mod bounds;
mod colors;
mod corpus;
mod door;
mod extended;
mod gain_map;
mod geometry;
mod metadata;
mod pixels;
mod several;
mod shared;
mod signal;
mod texts;
mod twin;
