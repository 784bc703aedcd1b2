//! Access to the frames of a file in any order. Readers only go forwards, so an earlier frame is reached by opening the
//! file again.

use raster::{Budget, ByteSource, Error, Format, Frame, ImageInfo, ImageReader, Result, Warning};

use crate::codecs::open;
use crate::job::Job;

pub(crate) struct Frames<'a> {
    source: &'a dyn ByteSource,
    /// The format of the source, which differs from that of `info` when another part of the engine decodes.
    format: Format,
    budget: &'a Budget,
    /// The description by the first reader before a row was read.
    info: ImageInfo,
    /// The reader. It is `None` only while the file is opened again, so that two readers never share the budget.
    reader: Option<Box<dyn ImageReader + 'a>>,
    /// The number of the frame that the reader returns next.
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

    /// Returns the frame of that number, counted from 0, with none of its rows read. The call can be repeated after
    /// [`raster::IoError::NotYet`].
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

    /// Refuses a picture of which fewer than one row in a hundred was readable; called after the last row. Jobs of
    /// several frames are not checked, because a warning does not state its frame.
    ///
    /// # Errors
    /// `Malformed`.
    pub(crate) fn check_rows(&self, job: &Job) -> Result<()> {
        if job.parts.len() > 1 && self.info.frames > 1 {
            return Ok(());
        }
        let warnings = self.reader.iter().flat_map(|reader| &reader.info().warnings).chain(&self.warnings);
        let is_lost = |warning: &Warning| match *warning {
            Warning::Truncated { rows, of } => rows == 0 || u64::from(rows) * 100 < of.into(),
            _ => false,
        };
        if warnings.into_iter().any(is_lost) {
            let cause = "fewer than one row in a hundred can be read";
            return Err(Error::malformed(self.format, self.source.byte_len(), cause));
        }
        Ok(())
    }

    /// Returns the warnings of all readers.
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

/// Whether the reader has advanced.
fn has_come<T>(frame: &Result<T>) -> bool {
    !frame.as_ref().is_err_and(Error::is_not_yet)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::ImageSpec;
    use raster::{FrameHeader, Limits, Metadata, PixelFormat, Size};

    /// Returns a TIFF of two pages.
    fn two_pages() -> Vec<u8> {
        let (size, pixels) = (Size::new(3000, 50), PixelFormat::RGB8);
        let (mut file, budget) = (Vec::new(), Budget::new(&Limits::default()));
        let spec =
            ImageSpec { frames: 2, sequence: raster::Sequence::Pages, ..ImageSpec::single(size, pixels, &budget) };
        let mut writer = codec_tiff::create(&mut file, &spec, &codec_tiff::Options::default()).unwrap();
        let header = FrameHeader::new(size, pixels);
        for page in 0..2 {
            writer.begin_frame(&header, &Metadata::default()).unwrap();
            (0..size.height).for_each(|_| writer.write_row(&[page; 9000]).unwrap());
        }
        writer.finish().unwrap();
        file
    }

    fn first_byte(frame: Frame<'_>) -> u8 {
        let mut row = vec![0xEE; frame.info.row_bytes() as usize];
        frame.rows.read_row(&mut row).unwrap();
        row[0]
    }

    #[test]
    fn a_file_is_opened_again_within_the_memory_of_one_reader() {
        let file = two_pages();
        let source: &dyn ByteSource = &&file[..];
        let in_order = Budget::new(&Limits::default());
        let mut frames = Frames::open(source, Format::Tiff, &in_order).unwrap();
        assert_eq!([0, 1].map(|page| first_byte(frames.seek(page).unwrap())), [0, 1]);
        // The limit equals the memory of reading forwards.
        let tight = Budget::new(&Limits { memory: in_order.peak() });
        let mut frames = Frames::open(source, Format::Tiff, &tight).unwrap();
        assert_eq!([1, 0, 1, 1].map(|page| first_byte(frames.seek(page).unwrap())), [1, 0, 1, 1]);
    }

    #[test]
    fn a_missing_picture_is_damage_of_the_file() {
        let file = two_pages();
        let source: &dyn ByteSource = &&file[..];
        let budget = Budget::new(&Limits::default());
        let mut frames = Frames::open(source, Format::Tiff, &budget).unwrap();
        assert_eq!(frames.seek(2).err().map(|error| error.code()), Some("malformed"));
    }
}
