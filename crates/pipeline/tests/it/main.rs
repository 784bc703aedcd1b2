//! Tests of the pipeline from file to file, one promise to the user each. They are one binary, so that the crates are
//! linked once; `golden` is another, because `npm run golden` calls it by name.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may panic and print")]

mod accuracy;
mod animation;
mod bounds;
mod colors;
mod corpus;
mod density;
mod door;
mod extended;
mod fast;
mod gain_map;
mod gain_map_heif;
mod gain_map_photos;
mod geometry;
mod metadata;
mod palette;
mod pixels;
mod relabel;
mod relabel_avif;
mod relabel_jxl;
mod several;
mod shared;
mod signal;
mod srgb;
mod texts;
mod whole_jobs;
