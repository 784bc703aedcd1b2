//! Reading and writing of zlib streams (RFC 1950, RFC 1951), for PNG and TIFF.
//!
//! Reading uses `fdeflate`: [`WindowInflater`] gives a stream of any length from a buffer of 96 KiB, [`SliceInflater`]
//! fills a buffer of the caller. Writing uses [`Encoder`], which is either our own encoder, tuned for pictures, or
//! `zlib-rs`.
//!
//! The bytes are the same on every machine. `zlib-rs` selects its code by the features of the processor, but each
//! variant finds the same matches: unlike zlib-ng, it uses the same multiplication as its hash everywhere, and all its
//! comparison loops return the first difference. All levels were compared, natively with AVX2 and in wasm with SIMD128.
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
