//! One interface for both writers of zlib streams.

use raster::{Budget, Result};

use crate::content::Content;
use crate::matcher::Search;
use crate::tuned::Tuned;
use crate::zlib::Zlib;

/// The method of compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Our encoder; it compares with the last position of the same four bytes only.
    Fast,
    /// Our encoder; it compares with eight positions. Sixteen save another percent of graphics for 6 % more time.
    Default,
    /// `zlib-rs` at a level from 1 to 9. It ignores [`Content`].
    Zlib(u32),
}

/// A writer of a zlib stream (RFC 1950).
pub struct Encoder(Kind);

enum Kind {
    Tuned(Box<Tuned>),
    Zlib(Box<Zlib>),
}

impl Encoder {
    /// Creates an encoder at the start of a stream.
    ///
    /// # Errors
    /// `Limit` when the budget is too small for its tables.
    pub fn new(method: Method, budget: &Budget) -> Result<Self> {
        let tuned = |search| Tuned::new(search, budget).map(|tuned| Kind::Tuned(Box::new(tuned)));
        Ok(Self(match method {
            Method::Fast => tuned(Search { depth: 1, nice: 32, lazy: false })?,
            Method::Default => tuned(Search { depth: 8, nice: 128, lazy: true })?,
            Method::Zlib(level) => Kind::Zlib(Box::new(Zlib::new(level, budget)?)),
        }))
    }

    /// Compresses `bytes`. `output` receives finished data in portions of slightly more than 64 KiB at most.
    ///
    /// # Errors
    /// Errors of `output`.
    pub fn write(&mut self, bytes: &[u8], content: Content, output: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        match &mut self.0 {
            Kind::Tuned(tuned) => tuned.write(bytes, content, output),
            Kind::Zlib(zlib) => zlib.write(bytes, output),
        }
    }

    /// Ends the stream. The next write starts another one.
    ///
    /// # Errors
    /// Errors of `output`.
    pub fn finish(&mut self, output: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        match &mut self.0 {
            Kind::Tuned(tuned) => tuned.finish(output),
            Kind::Zlib(zlib) => zlib.finish(&[], output),
        }
    }

    /// Compresses a whole stream, like [`write`](Self::write) and [`finish`](Self::finish). Levels 3 to 6 of `zlib-rs`
    /// give other bytes than several calls of `write`, because their bytes depend on the division of the input.
    ///
    /// # Errors
    /// Errors of `output`.
    pub fn write_all(
        &mut self,
        bytes: &[u8],
        content: Content,
        output: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        match &mut self.0 {
            Kind::Tuned(tuned) => {
                tuned.write(bytes, content, output)?;
                tuned.finish(output)
            }
            Kind::Zlib(zlib) => zlib.finish(bytes, output),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::Limits;
    use testkit::generate::Lcg;

    const METHODS: [Method; 4] = [Method::Fast, Method::Default, Method::Zlib(8), Method::Zlib(9)];

    fn compress(encoder: &mut Encoder, pieces: &[&[u8]]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut append = |bytes: &[u8]| {
            out.extend_from_slice(bytes);
            Ok(())
        };
        for piece in pieces {
            encoder.write(piece, Content::Repeating, &mut append).unwrap();
        }
        encoder.finish(&mut append).unwrap();
        out
    }

    #[test]
    fn a_second_stream_is_that_of_a_fresh_encoder_however_it_is_cut() {
        let mut random = Lcg::new(9);
        let noise: Vec<u8> = (0..90_000).map(|_| random.next_byte() % 16).collect();
        let text = include_bytes!("encoder.rs").repeat(9);
        let budget = Budget::new(&Limits::default());
        for method in METHODS {
            let mut used = Encoder::new(method, &budget).unwrap();
            compress(&mut used, &[&noise]);
            for content in [&text, &noise] {
                let fresh = compress(&mut Encoder::new(method, &budget).unwrap(), &[content]);
                assert!(compress(&mut used, &content.chunks(1013).collect::<Vec<_>>()) == fresh, "{method:?}");
                assert!(fdeflate::decompress_to_vec(&fresh).unwrap() == *content, "{method:?}");
            }
        }
    }

    #[test]
    fn a_whole_stream_comes_back_and_a_second_is_the_same() {
        let text = include_bytes!("encoder.rs").repeat(30);
        for method in [Method::Default, Method::Zlib(6)] {
            let mut encoder = Encoder::new(method, &Budget::new(&Limits::default())).unwrap();
            let mut streams = [Vec::new(), Vec::new()];
            for stream in &mut streams {
                let mut append = |bytes: &[u8]| {
                    stream.extend_from_slice(bytes);
                    Ok(())
                };
                encoder.write_all(&text, Content::Repeating, &mut append).unwrap();
            }
            assert!(streams[0] == streams[1], "{method:?}");
            assert!(fdeflate::decompress_to_vec(&streams[0]).unwrap() == text, "{method:?}");
        }
    }

    #[test]
    fn an_empty_stream_is_a_stream() {
        for method in METHODS {
            let mut encoder = Encoder::new(method, &Budget::new(&Limits::default())).unwrap();
            assert_eq!(fdeflate::decompress_to_vec(&compress(&mut encoder, &[])).unwrap(), b"");
        }
    }
}
