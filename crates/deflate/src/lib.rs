//! Zlib streams (RFC 1950, RFC 1951) in and out, for PNG and TIFF.
//!
//! Reading goes through `fdeflate`: [`WindowInflater`] gives a stream of any length from a buffer of 96 KiB,
//! [`SliceInflater`] fills a buffer of the caller. Writing goes through [`Encoder`], which is either our own encoder,
//! tuned for pictures, or `zlib-rs`.
//!
//! The bytes are the same on every machine. `zlib-rs` picks its code by what the processor has, but each variant finds
//! the same matches (its hash is one multiplication everywhere, unlike zlib-ng's, and its comparison loops all return
//! the first difference). Compared at all levels, natively with AVX2 and in wasm with SIMD128.
//!
//! ```
//! use deflate::{Content, Encoder, Method, WindowInflater};
//! use raster::{Budget, Limits};
//!
//! let budget = Budget::new(&Limits::default());
//! let mut compressed = Vec::new();
//! let mut append = |bytes: &[u8]| Ok(compressed.extend_from_slice(bytes));
//! let mut encoder = Encoder::new(Method::Default, &budget)?;
//! encoder.write(b"row after row after row", Content::Repeating, &mut append)?;
//! encoder.finish(&mut append)?;
//!
//! let mut inflater = WindowInflater::new(&budget)?;
//! inflater.feed(&compressed).expect("a sound stream");
//! assert_eq!(inflater.take(usize::MAX), b"row after row after row");
//! # Ok::<(), raster::Error>(())
//! ```

mod bit_writer;
mod block;
mod content;
mod encoder;
mod history;
mod huffman;
mod inflate;
mod matcher;
mod tuned;
mod zlib;

pub use content::Content;
pub use encoder::{Encoder, Method};
pub use inflate::{Corrupt, SliceInflater, WindowInflater};
