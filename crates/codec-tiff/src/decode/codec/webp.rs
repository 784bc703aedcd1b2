//! WebP (compression 50001 of libtiff): each segment is a WebP file, decoded whole through `image-webp`.

use std::io::Cursor;

use image_webp::WebPDecoder;
use raster::{Budget, Result};

use super::decompress::{Decompress, Segment};
use crate::decode::input::Input;
use crate::error::{Cause, unsupported};

pub(super) struct WebP<'a> {
    input: Input<'a>,
    samples_per_pixel: usize,
    budget: Budget,
    /// The budget that is charged for the pixels, and for the decoder while it runs.
    memory: Budget,
    pixels: Vec<u8>,
    next: usize,
}

impl<'a> WebP<'a> {
    pub(super) fn new(input: Input<'a>, samples_per_pixel: u16, budget: &Budget) -> Result<Self> {
        let samples_per_pixel = match samples_per_pixel {
            3 | 4 => samples_per_pixel.into(),
            _ => return Err(unsupported("WebP compression of other than 3 or 4 samples")),
        };
        Ok(Self {
            input,
            samples_per_pixel,
            budget: budget.clone(),
            memory: budget.scope(),
            pixels: Vec::new(),
            next: 0,
        })
    }
}

impl Decompress for WebP<'_> {
    fn begin(&mut self, segment: &Segment) -> Result<()> {
        (self.pixels, self.next) = (Vec::new(), 0);
        self.memory = self.budget.scope();
        self.input.enter(segment.span.at, segment.span.len);
        let position = self.input.position();
        // The file, the decoder's planes or ARGB words, its rows, and our rows.
        let need = self.input.left() + u64::from(segment.width) * u64::from(segment.rows) * 12 + (64 << 10);
        self.memory.charge(need)?;
        let mut file = vec![0; self.input.left() as usize];
        let there = self.input.read_full(&mut file)?;
        file.truncate(there);
        let data = |error: image_webp::DecodingError| Cause::Data(error.to_string()).at(position);
        let mut decoder = WebPDecoder::new(Cursor::new(file)).map_err(data)?;
        if decoder.dimensions() != (segment.width, segment.rows) {
            return Err(Cause::Clash("the sizes of WebP and TIFF").at(position));
        }
        let from = if decoder.has_alpha() { 4 } else { 3 };
        let mut pixels = vec![0; segment.width as usize * segment.rows as usize * from];
        decoder.read_image(&mut pixels).map_err(data)?;
        if from == self.samples_per_pixel {
            self.pixels = pixels;
        } else {
            let opaque = |p: &[u8]| [p[0], p[1], p[2], 255];
            let to = self.samples_per_pixel;
            self.pixels = pixels.chunks_exact(from).flat_map(|p| opaque(p).into_iter().take(to)).collect();
        }
        Ok(())
    }

    fn fill(&mut self, line: &mut [u8]) -> Result<()> {
        let pixels = self.pixels.get(self.next..self.next + line.len());
        line.copy_from_slice(pixels.ok_or_else(|| Cause::DataEnds.at(self.input.position()))?);
        self.next += line.len();
        Ok(())
    }
}
