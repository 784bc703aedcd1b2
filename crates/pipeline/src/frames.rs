//! The frames of a file in any order, though readers only go forwards: one that has passed is reached by opening the
//! file again.

use raster::{Budget, ByteSource, Error, Format, Frame, ImageInfo, ImageReader, Result, Warning};

use crate::codecs::open;

pub(crate) struct Frames<'a> {
    source: &'a dyn ByteSource,
    format: Format,
    budget: &'a Budget,
    reader: Box<dyn ImageReader + 'a>,
    /// The frame that the reader hands out next.
    next: u32,
    /// Of readers that are gone.
    warnings: Vec<Warning>,
}

impl<'a> Frames<'a> {
    pub(crate) fn open(source: &'a dyn ByteSource, format: Format, budget: &'a Budget) -> Result<Self> {
        let reader = open(format, source, &budget.scope())?;
        Ok(Self { source, format, budget, reader, next: 0, warnings: Vec::new() })
    }

    pub(crate) fn info(&self) -> &ImageInfo {
        self.reader.info()
    }

    /// The frame of that number, counted from 0; its rows have not been read.
    pub(crate) fn seek(&mut self, index: u32) -> Result<Frame<'_>> {
        if index < self.next {
            self.keep_warnings();
            self.reader = open(self.format, self.source, &self.budget.scope())?;
            self.next = 0;
        }
        while self.next < index {
            self.next += 1;
            self.reader.next_frame()?;
        }
        self.next += 1;
        self.reader.next_frame()?.ok_or(Error::Contradiction("a picture has fewer frames than it claims"))
    }

    /// What all readers had to say.
    pub(crate) fn into_warnings(mut self) -> Vec<Warning> {
        self.keep_warnings();
        self.warnings
    }

    fn keep_warnings(&mut self) {
        for warning in &self.reader.info().warnings {
            if !self.warnings.contains(warning) {
                self.warnings.push(warning.clone());
            }
        }
    }
}
