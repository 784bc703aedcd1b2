//! Reading, forwards only. A call that returns [`raster::IoError::NotYet`] has changed nothing and can be repeated.

use std::rc::Rc;

use raster::{
    Budget, ByteSource, Error, Frame, FrameInfo, ImageInfo, ImageReader, Metadata, Notes, Result, RowReader, Size,
    Wanted,
};

use crate::block::{END, FRAME, Fields, HEAD, Kind, LOST, NOTE, PREFIX, ROW, parse_prefix};
use crate::encode::{START, VERSION};
use crate::error::Cause;
use crate::{MAGIC, head, note};

pub(crate) struct Reader<'a> {
    source: &'a dyn ByteSource,
    budget: Budget,
    notes: Notes,
    /// The offset of the next block, or of the row whose prefix was read.
    at: u64,
    /// The last block that was not a row.
    block: Vec<u8>,
    info: ImageInfo,
    frames: u32,
    frame: FrameInfo,
    metadata: Rc<Metadata>,
    /// The number of rows of the frame that have not been read.
    rows_left: u32,
    /// Whether `at` is behind the prefix of a row.
    in_row: bool,
}

impl<'a> Reader<'a> {
    pub(crate) fn open(source: &'a dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Self> {
        let mut start = [0; START + PREFIX];
        if source.read_full_at(0, &mut start)? < start.len() {
            return Err(Cause::Short.in_head());
        }
        let mut fields = Fields(&start);
        let mut parse = || Ok((fields.bytes(MAGIC.len())?, fields.number()?, fields.array()?));
        let (magic, version, prefix) = parse().map_err(Cause::in_head)?;
        if magic != MAGIC {
            return Err(Cause::NoMagic.in_head());
        }
        if version != VERSION {
            return Err(Cause::Version(version).in_head());
        }
        let (HEAD, len) = parse_prefix(prefix) else { return Err(Cause::Kind(parse_prefix(prefix).0).in_head()) };
        let end = (start.len() as u64) + u64::from(len);
        if end > source.byte_len() {
            return Err(Cause::Short.in_head());
        }
        // The body is read from its beginning, because the source may not have returned these bytes yet.
        let scope = budget.scope();
        let mut block = scope.filled(end, 0)?;
        if source.read_full_at(0, &mut block)? < block.len() {
            return Err(Cause::Short.in_head());
        }
        budget.charge(u64::from(len))?;
        let (info, warnings) = head::parse_head(Fields(&block[start.len()..]))?;
        drop((block, scope));
        warnings.into_iter().for_each(|warning| notes.warn(warning));
        let frame = FrameInfo::new(Size::new(0, 0), info.row_format);
        let (budget, notes, metadata) = (budget.clone(), notes.clone(), Rc::clone(&info.metadata));
        Ok(Self {
            source,
            budget,
            notes,
            at: end,
            block: Vec::new(),
            info,
            frames: 0,
            frame,
            metadata,
            rows_left: 0,
            in_row: false,
        })
    }

    /// Returns the kind and body length of the next block.
    fn peek(&self) -> Result<(Kind, u32)> {
        let mut prefix = [0; PREFIX];
        if self.source.read_full_at(self.at, &mut prefix)? < PREFIX {
            return Err(Cause::Short.at(self.at));
        }
        let (kind, len) = parse_prefix(prefix);
        if self.after(len) > self.source.byte_len() {
            return Err(Cause::Short.at(self.at));
        }
        Ok((kind, len))
    }

    /// Returns the offset behind the block at `at` with a body of `len` bytes.
    const fn after(&self, len: u32) -> u64 {
        self.at.saturating_add(PREFIX as u64 + len as u64)
    }

    /// Reads the body of the next block and advances behind it.
    fn body(&mut self, len: u32) -> Result<Fields<'_>> {
        let need = PREFIX + len as usize;
        if self.block.len() < need {
            self.block = Vec::new();
            self.block = self.budget.filled(need as u64, 0)?;
        }
        let block = &mut self.block[..need];
        if self.source.read_full_at(self.at, block)? < need {
            return Err(Cause::Short.at(self.at));
        }
        self.at += need as u64;
        Ok(Fields(&block[PREFIX..]))
    }

    fn read_note(&mut self, len: u32) -> Result<()> {
        let at = self.at;
        let warning = note::parse_warning(self.body(len)?).map_err(|cause| cause.at(at))?;
        self.notes.warn(warning);
        Ok(())
    }

    /// Returns the error of a `LOST` block.
    fn read_damage(&mut self, len: u32) -> Error {
        let at = self.at;
        match self.body(len) {
            Ok(fields) => note::parse_damage(fields).unwrap_or_else(|cause| cause.at(at)),
            Err(error) => error,
        }
    }

    /// Advances behind the rows that were not read.
    fn skip_rows(&mut self) -> Result<()> {
        while self.rows_left > 0 {
            if self.in_row {
                self.at += self.frame.row_bytes();
                self.in_row = false;
                self.rows_left -= 1;
                continue;
            }
            let (kind, len) = self.peek()?;
            match kind {
                ROW => self.rows_left -= 1,
                NOTE => {}
                LOST => self.rows_left = 0,
                _ => return Err(Cause::Kind(kind).at(self.at)),
            }
            self.at = self.after(len);
        }
        Ok(())
    }

    fn read_frame(&mut self, len: u32) -> Result<()> {
        let at = self.at;
        let (frame, metadata) = head::parse_frame(self.body(len)?, at)?;
        if self.frames == self.info.frames {
            return Err(Cause::Frames.at(at));
        }
        if let Some(metadata) = metadata {
            self.budget.charge(metadata.byte_len())?;
            self.metadata = Rc::new(metadata);
        }
        self.frame = frame;
        self.frames += 1;
        self.rows_left = frame.size.height;
        Ok(())
    }
}

impl ImageReader for Reader<'_> {
    fn info(&self) -> &ImageInfo {
        &self.info
    }

    fn next_frame(&mut self, _: &Wanted) -> Result<Option<Frame<'_>>> {
        self.skip_rows()?;
        loop {
            let (kind, len) = self.peek()?;
            match kind {
                NOTE => self.read_note(len)?,
                LOST => return Err(self.read_damage(len)),
                END => return Ok(None),
                FRAME => break self.read_frame(len)?,
                _ => return Err(Cause::Kind(kind).at(self.at)),
            }
        }
        Ok(Some(Frame::new(self.frame, Rc::clone(&self.metadata), self)))
    }
}

impl RowReader for Reader<'_> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        let row_bytes = self.frame.row_bytes();
        while !self.in_row {
            let (kind, len) = self.peek()?;
            match kind {
                ROW if u64::from(len) == row_bytes => {
                    self.at += PREFIX as u64;
                    self.in_row = true;
                }
                NOTE => self.read_note(len)?,
                LOST => {
                    let damage = self.read_damage(len);
                    if !damage.is_not_yet() {
                        self.rows_left = 0;
                    }
                    return Err(damage);
                }
                _ => return Err(Cause::Kind(kind).at(self.at)),
            }
        }
        if self.source.read_full_at(self.at, row)? < row.len() {
            return Err(Cause::Short.at(self.at));
        }
        self.at += row_bytes;
        self.in_row = false;
        self.rows_left -= 1;
        Ok(())
    }
}
