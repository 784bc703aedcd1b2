//! Tests of the resampler from rows to rows.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failed call fails the test; figures are shown with --nocapture"
)]

mod accuracy;
mod pixel_rows;
mod streaming;
