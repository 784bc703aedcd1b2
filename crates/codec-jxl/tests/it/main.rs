//! The integration tests. They are one binary because linking takes longer than compiling.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a failed call fails the test; skipped parts are printed"
)]

mod corpus;
mod made;
mod rewrite;
mod written;
