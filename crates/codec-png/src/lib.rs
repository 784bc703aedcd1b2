//! PNG (W3C PNG third edition, ISO/IEC 15948) in and out, row by row: memory follows the width, never the height.
//!
//! Chunks, filters and Adam7 are ours; `fdeflate` inflates, `zlib-rs` deflates. The `png` crate is an oracle in the
//! tests and not the engine, because its reader refuses pictures of more than 2 GiB in wasm and its writer counts raw
//! bytes in 32 bits there. Read first: [`decode`] for how rows come out, [`encode`] for how they go in.

mod adam7;
mod chunk;
mod decode;
mod encode;
mod error;
mod filter;
mod header;
mod relabel;
mod text;

pub use decode::{open, open_at};
pub use encode::{Effort, Options, create, create_plain};
pub use relabel::relabel;
