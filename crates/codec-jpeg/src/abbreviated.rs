//! The narrow door for TIFF, whose strips and tiles are JPEG streams that leave out what the TIFF says elsewhere
//! (T.81 B.4: tables; TIFF 6.0 §22 and its technical note 2: the meaning of the components). Whole streams in, samples
//! out; no metadata, no guess at colours.

use raster::{Budget, ByteSource, Result, Size};

use crate::decode;
use crate::frame::Model;
use crate::markers::{self, Head};

/// A stream whose header was read.
pub struct Abbreviated<'a> {
    source: &'a dyn ByteSource,
    head: Head,
}

/// A decoded stream.
pub struct Segment {
    /// Samples interleaved, rows without padding: grey, red-green-blue, or four components as they are stored.
    pub samples: Vec<u8>,
    /// Rows that hold picture, from the top.
    pub rows: u32,
}

impl<'a> Abbreviated<'a> {
    /// Reads a stream's header. Tables may stand before it, with a start-of-image marker of their own, but no end.
    /// `is_ycbcr` says whether three components are YCbCr, to be turned to red, green and blue, or are those already;
    /// what the stream itself says is not looked at.
    ///
    /// # Errors
    /// `Malformed`, `Limit`, `Io`.
    pub fn open(source: &'a dyn ByteSource, is_ycbcr: bool) -> Result<Self> {
        let mut head = markers::scan(source)?;
        head.model = match head.frame.components.len() {
            1 => Model::Gray,
            3 if is_ycbcr => Model::YCbCr,
            3 => Model::Rgb,
            4 => Model::Cmyk { inverted: false },
            _ => Model::Other,
        };
        Ok(Self { source, head })
    }

    /// Pixels in the stream.
    #[must_use]
    pub fn size(&self) -> Size {
        self.head.frame.size
    }

    /// Samples in a pixel.
    #[must_use]
    pub fn components(&self) -> usize {
        self.head.frame.components.len()
    }

    /// Bytes that decoding will hold, samples included.
    #[must_use]
    pub fn memory(&self) -> u64 {
        decode::memory(&self.head).total()
    }

    /// Decodes the stream.
    ///
    /// # Errors
    /// `Unsupported`, `Malformed` when not a single row comes out, `Limit`, `Io`.
    pub fn decode(&self, budget: &Budget) -> Result<Segment> {
        let decoded = decode::decode(self.source, &self.head, budget)?;
        let mut samples = decoded.samples;
        if decoded.is_ycbcr {
            convert_to_rgb(&mut samples);
        }
        Ok(Segment { samples, rows: decoded.rows })
    }
}

/// Converts YCbCr in its place, by a thousand pixels.
fn convert_to_rgb(samples: &mut [u8]) {
    let mut copy = [0; 3 * 1024];
    for samples in samples.chunks_mut(copy.len()) {
        let ycbcr = &mut copy[..samples.len()];
        ycbcr.copy_from_slice(samples);
        simd::ycbcr_to_rgb(ycbcr, samples);
    }
}
