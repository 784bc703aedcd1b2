//! Tests of the JPEG codec from file to file, compared with libjpeg-turbo's programs.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a failed step is a failed test")]

mod corpus;
mod djpeg;
mod encoder;
mod files;
mod kinds;
mod metadata;
mod notes;
mod precise;
mod sampling;
mod scaled;
mod slow;
mod sweeps;
mod turned;
