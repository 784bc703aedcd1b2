//! Writing: the header, then every row as it comes.

use raster::limits::{MAX_SIDE, check_size};
use raster::rows::Create;
use raster::{ByteSink, Error, Format, FrameHeader, ImageWriter, Metadata, Result};

use crate::header::to_bytes;

pub(crate) struct Writer<'a> {
    sink: &'a mut dyn ByteSink,
    frame: FrameHeader,
    begun: bool,
    /// Rows taken so far.
    taken: u32,
}

impl<'a> Writer<'a> {
    pub(crate) fn create(sink: &'a mut dyn ByteSink, create: &Create<'_>) -> Result<Self> {
        check_size(create.size, MAX_SIDE)?;
        let frame = FrameHeader::new(create.size, create.pixels);
        sink.write(&to_bytes(&frame))?;
        Ok(Self { sink, frame, begun: false, taken: 0 })
    }
}

impl ImageWriter for Writer<'_> {
    fn begin_frame(&mut self, header: &FrameHeader, _: &Metadata) -> Result<()> {
        if self.begun {
            return Err(Error::Unsupported { format: Format::Raw, feature: "several frames" });
        }
        if *header != self.frame {
            return Err(Error::Contradiction("a frame of another shape than the file"));
        }
        self.begun = true;
        Ok(())
    }

    fn write_row(&mut self, row: &[u8]) -> Result<()> {
        if !self.begun || self.taken == self.frame.size.height || row.len() as u64 != self.frame.row_bytes() {
            return Err(Error::Contradiction("a row that this file does not have"));
        }
        self.taken += 1;
        self.sink.write(row)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        if self.taken == self.frame.size.height { Ok(()) } else { Err(Error::Contradiction("rows are missing")) }
    }
}
