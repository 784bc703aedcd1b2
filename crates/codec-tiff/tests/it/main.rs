//! The TIFF codec from file to file, compared with libtiff, ImageMagick and exiftool.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise and says what it left out"
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
mod robust;
mod written;
