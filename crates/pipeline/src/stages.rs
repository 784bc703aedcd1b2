//! The two joints of the pipeline: stored rows become working pixels, working pixels become stored rows.

use raster::{Budget, Pixel, PixelFormat, Result, RowReader, RowSource, Size};

use crate::crop::Crop;
use crate::emit::Emit;
use crate::ingest::Ingest;
use crate::light::Light;

/// Cropped rows as working pixels.
pub(crate) struct Ingested<'a> {
    rows: Crop<'a>,
    ingest: Ingest,
    stored: Vec<u8>,
}

impl<'a> Ingested<'a> {
    pub(crate) fn new(rows: Crop<'a>, pixels: PixelFormat, light: Light, budget: &Budget) -> Result<Self> {
        let stored = budget.filled(pixels.row_bytes(rows.size().width), 0)?;
        Ok(Self { rows, ingest: Ingest::new(pixels, light, budget)?, stored })
    }
}

impl RowSource for Ingested<'_> {
    fn size(&self) -> Size {
        self.rows.size()
    }

    fn read_row(&mut self, row: &mut [Pixel]) -> Result<()> {
        self.rows.read_row(&mut self.stored)?;
        self.ingest.row(&self.stored, row);
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
