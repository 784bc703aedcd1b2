//! The integration tests, as one binary: linking costs more than compiling.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise and says what it left out"
)]

mod corpus;
mod memory;
mod written;
