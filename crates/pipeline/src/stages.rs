//! The two joints of the pipeline: stored rows become working values, working pixels become stored rows.

use raster::rows::{Column, STRIP, StripSource};
use raster::{Budget, Channels, Pixel, PixelFormat, Result, RowReader, RowSource, Size};

use crate::crop::Crop;
use crate::emit::Emit;
use crate::ingest::Ingest;
use crate::light::Light;

/// Cropped rows as working values.
pub(crate) struct Ingested<'a> {
    rows: Crop<'a>,
    channels: Channels,
    ingest: Ingest,
    /// A strip of stored rows.
    stored: Vec<u8>,
    /// Rows not yet read.
    left: usize,
}

impl<'a> Ingested<'a> {
    pub(crate) fn new(rows: Crop<'a>, pixels: PixelFormat, light: Light, budget: &Budget) -> Result<Self> {
        let Size { width, height } = rows.size();
        let stored = budget.filled(pixels.row_bytes(width) * STRIP as u64, 0)?;
        let ingest = Ingest::new(pixels, light, budget)?;
        Ok(Self { rows, channels: pixels.channels, ingest, stored, left: height as usize })
    }
}

impl StripSource for Ingested<'_> {
    fn size(&self) -> Size {
        self.rows.size()
    }

    fn channels(&self) -> Channels {
        self.channels
    }

    fn read_strip(&mut self, strip: &mut [Column]) -> Result<()> {
        let row_bytes = self.stored.len() / STRIP;
        let count = self.left.min(STRIP);
        self.stored.chunks_exact_mut(row_bytes).take(count).try_for_each(|row| self.rows.read_row(row))?;
        self.left -= count;
        self.ingest.strip(&self.stored, strip);
        Ok(())
    }
}

/// Working pixels as stored rows.
pub(crate) struct Emitted<S> {
    source: S,
    emit: Emit,
    working: Vec<Pixel>,
}

impl<S: RowSource> Emitted<S> {
    pub(crate) fn new(source: S, pixels: PixelFormat, light: Light, budget: &Budget) -> Result<Self> {
        let working = budget.filled(u64::from(source.size().width), Pixel::default())?;
        Ok(Self { source, emit: Emit::new(pixels, light, budget)?, working })
    }
}

impl<S: RowSource> RowReader for Emitted<S> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        self.source.read_row(&mut self.working)?;
        self.emit.row(&self.working, row);
        Ok(())
    }
}
