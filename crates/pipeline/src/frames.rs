//! Access to the frames of a file in any order. Readers only go forwards, so an earlier frame is reached by opening the
//! file again.

use raster::{Budget, ByteSource, Error, Format, Frame, ImageInfo, ImageReader, Note, Notes, Result, Wanted, Warning};

use crate::codecs::drawing::open;
use crate::job::{Job, Part};

pub(crate) struct Frames<'a> {
    source: &'a dyn ByteSource,
    /// The format of the source, which differs from that of `info` when another part of the engine decodes.
    format: Format,
    budget: &'a Budget,
    /// The notes of the job.
    notes: &'a Notes,
    /// The parts of the job.
    parts: &'a [Part],
    info: ImageInfo,
    /// The reader. It is `None` only while the file is opened again, so that two readers never share the budget.
    reader: Option<Box<dyn ImageReader + 'a>>,
    /// The number of the frame that the reader returns next.
    next: u32,
}

impl<'a> Frames<'a> {
    pub(crate) fn open(
        source: &'a dyn ByteSource,
        format: Format,
        budget: &'a Budget,
        notes: &'a Notes,
        parts: &'a [Part],
    ) -> Result<Self> {
        let reader = open(format, source, &budget.scope(), notes, parts)?;
        let info = reader.info().clone();
        Ok(Self { source, format, budget, notes, parts, info, reader: Some(reader), next: 0 })
    }

    /// Returns the file.
    pub(crate) const fn source(&self) -> &'a dyn ByteSource {
        self.source
    }

    /// Returns the format of the file.
    pub(crate) const fn format(&self) -> Format {
        self.format
    }

    pub(crate) const fn info(&self) -> &ImageInfo {
        &self.info
    }

    /// Returns the notes of the job.
    pub(crate) fn notes(&self) -> Notes {
        self.notes.clone()
    }

    /// Adds warnings about the frame that `seek` returned last.
    pub(crate) fn warn(&self, warnings: impl IntoIterator<Item = Warning>) {
        warnings.into_iter().for_each(|warning| self.notes.warn(warning));
    }

    /// Returns the frame of that number, counted from 0, with none of its rows read. The call can be repeated after
    /// [`raster::IoError::NotYet`].
    pub(crate) fn seek(&mut self, index: u32, wanted: &Wanted) -> Result<Frame<'_>> {
        if index < self.next {
            self.reader = None;
            self.next = 0;
        }
        let reader = match &mut self.reader {
            Some(reader) => reader,
            none => {
                self.notes.begin_file();
                none.insert(open(self.format, self.source, &self.budget.scope(), self.notes, self.parts)?)
            }
        };
        while self.next < index {
            self.notes.begin_frame(self.next);
            let passed = reader.next_frame(wanted).map(drop);
            self.next += u32::from(has_come(&passed));
            passed?;
        }
        self.notes.begin_frame(index);
        let frame = reader.next_frame(wanted);
        self.next += u32::from(has_come(&frame));
        let missing = || Error::malformed(self.info.format, 0, "the file has fewer pictures than it claims");
        frame?.ok_or_else(missing)
    }

    /// Refuses a job if fewer than one row in a hundred was readable in each of its frames; called after the last row.
    ///
    /// # Errors
    /// `Malformed`.
    pub(crate) fn check_rows(&self, job: &Job) -> Result<()> {
        let notes = self.notes.notes();
        let is_lost = |frame: u32| {
            let applies = |note: &&Note| note.frame.map_or(self.info.frames == 1, |number| number == frame);
            notes.iter().filter(applies).any(|note| match note.warning {
                Warning::Truncated { rows, of } => rows == 0 || u64::from(rows) * 100 < of.into(),
                _ => false,
            })
        };
        if job.parts.iter().all(|part| is_lost(part.frame)) {
            let cause = "fewer than one row in a hundred can be read";
            return Err(Error::malformed(self.info.format, 0, cause));
        }
        Ok(())
    }
}

/// Whether the reader has advanced.
fn has_come<T>(frame: &Result<T>) -> bool {
    !frame.as_ref().is_err_and(Error::is_not_yet)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::{FrameHeader, Limits, Metadata, PixelFormat, Size};
    use raster::{ImageSpec, RowReader};

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

    fn first_byte(mut frame: Frame<'_>) -> u8 {
        let mut row = vec![0xEE; frame.info.row_bytes() as usize];
        frame.rows.read_row(&mut row).unwrap();
        row[0]
    }

    #[test]
    fn a_file_is_opened_again_within_the_memory_of_one_reader() {
        let file = two_pages();
        let source: &dyn ByteSource = &&file[..];
        let in_order = Budget::new(&Limits::default());
        let notes = Notes::default();
        let mut frames = Frames::open(source, Format::Tiff, &in_order, &notes, &[]).unwrap();
        assert_eq!([0, 1].map(|page| first_byte(frames.seek(page, &Wanted::FULL_SIZE).unwrap())), [0, 1]);
        // The limit equals the memory of reading forwards.
        let tight = Budget::new(&Limits { memory: in_order.peak() });
        let mut frames = Frames::open(source, Format::Tiff, &tight, &notes, &[]).unwrap();
        assert_eq!([1, 0, 1, 1].map(|page| first_byte(frames.seek(page, &Wanted::FULL_SIZE).unwrap())), [1, 0, 1, 1]);
    }

    #[test]
    fn a_missing_picture_is_damage_of_the_file() {
        let file = two_pages();
        let source: &dyn ByteSource = &&file[..];
        let (budget, notes) = (Budget::new(&Limits::default()), Notes::default());
        let mut frames = Frames::open(source, Format::Tiff, &budget, &notes, &[]).unwrap();
        assert_eq!(frames.seek(2, &Wanted::FULL_SIZE).err().map(|error| error.code()), Some("malformed"));
    }
}
