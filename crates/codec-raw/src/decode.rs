//! Reading: rows lie in the file as they are wanted in memory.

use std::rc::Rc;

use raster::{
    ByteSource, Error, Format, Frame, FrameHeader, ImageInfo, ImageReader, IoError, Orientation, Result, RowReader,
    Sequence, Stored,
};

use crate::error::Cause;
use crate::header::{HEADER_LEN, from_bytes};

pub(crate) struct Reader<'a> {
    source: &'a dyn ByteSource,
    info: ImageInfo,
    frame: FrameHeader,
    given: bool,
    /// Rows read so far.
    next: u32,
}

impl<'a> Reader<'a> {
    pub(crate) fn open(source: &'a dyn ByteSource) -> Result<Self> {
        let mut head = [0; HEADER_LEN];
        if source.read_full_at(0, &mut head)? < HEADER_LEN {
            return Err(Cause::NoMagic.at(0));
        }
        let frame = from_bytes(&head, source.byte_len())?;
        let info = ImageInfo {
            format: Format::Raw,
            size: frame.size,
            frames: 1,
            sequence: Sequence::Single,
            frame_sizes: Vec::new(),
            stored: Stored { depth: frame.pixels.depth.bits(), channels: frame.pixels.channels.count() as u8 },
            row_format: frame.pixels.into(),
            orientation: Orientation::default(),
            metadata: Rc::default(),
            quality: None,
            working_set: 0,
            warnings: Vec::new(),
        };
        Ok(Self { source, info, frame, given: false, next: 0 })
    }
}

impl ImageReader for Reader<'_> {
    fn info(&self) -> &ImageInfo {
        &self.info
    }

    fn next_frame(&mut self) -> Result<Option<Frame<'_>>> {
        if self.given {
            return Ok(None);
        }
        self.given = true;
        Ok(Some(Frame { info: self.frame.into(), metadata: Rc::default(), rows: self }))
    }
}

impl RowReader for Reader<'_> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        if self.next == self.frame.size.height || row.len() as u64 != self.frame.row_bytes() {
            return Err(Error::Contradiction("a row that this picture does not have"));
        }
        let offset = HEADER_LEN as u64 + u64::from(self.next) * self.frame.row_bytes();
        self.next += 1;
        if self.source.read_full_at(offset, row)? < row.len() {
            return Err(IoError::Read("the file ended before its own length".into()).into());
        }
        Ok(())
    }
}
