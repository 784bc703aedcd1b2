//! The TIFF codec from file to file, compared with libtiff, ImageMagick and exiftool.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a failed call fails the test; skipped parts are printed"
)]

mod build;
mod corpus;
mod exif;
mod hostile;
mod inks;
mod iptc;
mod layouts;
mod lengths;
mod memory;
mod old_jpeg;
mod oracle;
mod precise_jpeg;
mod robust;
mod written;
