//! The frames of a file in any order, though readers only go forwards: a frame that has passed is reached by opening the
//! file again.

use raster::{Budget, ByteSource, Error, Format, Frame, ImageInfo, ImageReader, Result, Warning};

use crate::codecs::open;

pub(crate) struct Frames<'a> {
    source: &'a dyn ByteSource,
    /// The format of the source, which differs from that of `info` where another part of the engine decodes.
    format: Format,
    budget: &'a Budget,
    /// What the first reader said of the file before a row was read.
    info: ImageInfo,
    /// `None` only while the file is opened again: two readers never share the budget.
    reader: Option<Box<dyn ImageReader + 'a>>,
    /// The number of the frame that the reader hands out next.
    next: u32,
    /// The warnings of earlier readers.
    warnings: Vec<Warning>,
}

impl<'a> Frames<'a> {
    pub(crate) fn open(source: &'a dyn ByteSource, format: Format, budget: &'a Budget) -> Result<Self> {
        let reader = open(format, source, &budget.scope())?;
        let info = reader.info().clone();
        Ok(Self { source, format, budget, info, reader: Some(reader), next: 0, warnings: Vec::new() })
    }

    pub(crate) const fn info(&self) -> &ImageInfo {
        &self.info
    }

    /// The frame of that number, counted from 0, with none of its rows read. A call that met
    /// [`raster::IoError::NotYet`] can be made again.
    pub(crate) fn seek(&mut self, index: u32) -> Result<Frame<'_>> {
        if index < self.next {
            self.keep_warnings();
            self.reader = None;
            self.next = 0;
        }
        let reader = match &mut self.reader {
            Some(reader) => reader,
            none => none.insert(open(self.format, self.source, &self.budget.scope())?),
        };
        while self.next < index {
            let passed = reader.next_frame().map(drop);
            self.next += u32::from(has_come(&passed));
            passed?;
        }
        let frame = reader.next_frame();
        self.next += u32::from(has_come(&frame));
        let missing = || Error::malformed(self.info.format, 0, "the file has fewer pictures than it claims");
        frame?.ok_or_else(missing)
    }

    /// The warnings of all readers.
    pub(crate) fn into_warnings(mut self) -> Vec<Warning> {
        self.keep_warnings();
        self.warnings
    }

    fn keep_warnings(&mut self) {
        for warning in self.reader.iter().flat_map(|reader| &reader.info().warnings) {
            if !self.warnings.contains(warning) {
                self.warnings.push(warning.clone());
            }
        }
    }
}

/// Whether the reader has left its place.
fn has_come<T>(frame: &Result<T>) -> bool {
    !frame.as_ref().is_err_and(Error::is_not_yet)
}
