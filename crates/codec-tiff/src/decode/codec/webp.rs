//! WebP (compression 50001 of libtiff): each segment is a WebP file, which `codec-webp` decodes.

use raster::{Budget, Error, Notes, PixelFormat, Result, RowReader, Size, Wanted};

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

impl WebP<'_> {
    /// Returns the samples of a file whose picture has this size.
    fn decode(&self, file: &[u8], size: Size) -> Result<Vec<u8>> {
        let mut reader = codec_webp::open(&file, &self.memory, &Notes::default())?;
        if reader.info().size != size {
            return Err(Cause::Clash("the sizes of WebP and TIFF").at(self.input.position()));
        }
        let stored = reader.info().row_format;
        let wanted = if self.samples_per_pixel == 4 { PixelFormat::RGBA8 } else { PixelFormat::RGB8 };
        let row_bytes = wanted.row_bytes(size.width) as usize;
        let mut samples = self.memory.filled(row_bytes as u64 * u64::from(size.height), 255)?;
        let mut row = self.memory.filled(stored.row_bytes(size.width), 0)?;
        let Some(mut frame) = reader.next_frame(&Wanted::FULL_SIZE)? else { return Ok(samples) };
        for into in samples.chunks_exact_mut(row_bytes) {
            frame.rows.read_row(&mut row)?;
            let pixels = row.chunks_exact(stored.count());
            for (into, pixel) in into.chunks_exact_mut(self.samples_per_pixel).zip(pixels) {
                let shared = into.len().min(pixel.len());
                into[..shared].copy_from_slice(&pixel[..shared]);
            }
        }
        Ok(samples)
    }
}

impl Decompress for WebP<'_> {
    fn begin(&mut self, segment: &Segment) -> Result<()> {
        (self.pixels, self.next) = (Vec::new(), 0);
        self.memory = self.budget.scope();
        self.input.enter(segment.span.at, segment.span.len);
        let position = self.input.position();
        let mut file = self.memory.filled(self.input.left(), 0)?;
        let there = self.input.read_full(&mut file)?;
        file.truncate(there);
        self.pixels = self.decode(&file, Size::new(segment.width, segment.rows)).map_err(|error| match error {
            Error::Malformed { .. } => Cause::Data(error.to_string()).at(position),
            error => error,
        })?;
        Ok(())
    }

    fn fill(&mut self, line: &mut [u8]) -> Result<()> {
        let pixels = self.pixels.get(self.next..self.next + line.len());
        line.copy_from_slice(pixels.ok_or_else(|| Cause::DataEnds.at(self.input.position()))?);
        self.next += line.len();
        Ok(())
    }
}
