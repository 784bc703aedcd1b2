//! The checks of the call order of readers and writers, in one place for all codecs. A wrong call is a defect of the
//! caller and becomes `Contradiction`. Codecs are called in the right order only and do not check it themselves.

use crate::{Error, FrameHeader, ImageSpec, ImageWriter, Metadata, PixelFormat, Result, RowReader, Size};

/// The rows of a frame, which refuse rows of another length and rows behind the last.
pub struct CheckedRows<'a> {
    rows: &'a mut dyn RowReader,
    row_bytes: u64,
    rows_left: u32,
}

impl<'a> CheckedRows<'a> {
    /// Checks the calls of a reader of `height` rows of `row_bytes` bytes.
    pub(crate) fn new(rows: &'a mut dyn RowReader, height: u32, row_bytes: u64) -> Self {
        Self { rows, row_bytes, rows_left: height }
    }
}

impl RowReader for CheckedRows<'_> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        check(self.rows_left > 0, "a row is read that the frame does not have")?;
        check(row.len() as u64 == self.row_bytes, "a row of another length is read")?;
        let outcome = self.rows.read_row(row);
        match &outcome {
            Ok(()) => self.rows_left -= 1,
            Err(error) if error.is_not_yet() => {}
            Err(_) => self.rows_left = 0,
        }
        outcome
    }
}

/// A writer that refuses calls in a wrong order, frames and rows that were not announced, and every call after an
/// error.
pub struct CheckedWriter<'a> {
    writer: Box<dyn ImageWriter + 'a>,
    /// The announced shape of the first frame.
    first: (Size, PixelFormat),
    has_begun: bool,
    frames_left: u32,
    row_bytes: u64,
    rows_left: u32,
    /// Whether a call returned an error.
    is_broken: bool,
}

impl<'a> CheckedWriter<'a> {
    /// Checks the calls of a writer that was created for `spec`.
    #[must_use]
    pub fn new(writer: Box<dyn ImageWriter + 'a>, spec: &ImageSpec<'_>) -> Self {
        let first = (spec.size, spec.pixels);
        Self { writer, first, has_begun: false, frames_left: spec.frames, row_bytes: 0, rows_left: 0, is_broken: false }
    }

    /// Passes the outcome of a call on and remembers an error.
    fn outcome(&mut self, outcome: Result<()>) -> Result<()> {
        self.is_broken = outcome.is_err();
        outcome
    }
}

impl ImageWriter for CheckedWriter<'_> {
    fn begin_frame(&mut self, header: &FrameHeader, metadata: &Metadata) -> Result<()> {
        check(!self.is_broken, "a frame is written after an error")?;
        check(self.rows_left == 0, "a frame is written before the last row of the previous one")?;
        check(self.frames_left > 0, "a frame is written that was not announced")?;
        let is_announced = self.has_begun || (header.size, header.pixels) == self.first;
        check(is_announced, "the first frame is not as announced")?;
        let outcome = self.writer.begin_frame(header, metadata);
        self.outcome(outcome)?;
        self.has_begun = true;
        self.frames_left -= 1;
        (self.row_bytes, self.rows_left) = (header.row_bytes(), header.size.height);
        Ok(())
    }

    fn write_row(&mut self, row: &[u8]) -> Result<()> {
        check(!self.is_broken, "a row is written after an error")?;
        check(self.rows_left > 0, "a row is written that the frame does not have")?;
        check(row.len() as u64 == self.row_bytes, "a row of another length is written")?;
        self.rows_left -= 1;
        let outcome = self.writer.write_row(row);
        self.outcome(outcome)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        check(!self.is_broken, "a file is finished after an error")?;
        check(self.has_begun && self.rows_left == 0, "rows are missing")?;
        self.writer.finish()
    }
}

/// Returns `Contradiction` unless the call is allowed.
const fn check(is_allowed: bool, refusal: &'static str) -> Result<()> {
    if is_allowed { Ok(()) } else { Err(Error::Contradiction(refusal)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, Format, IoError, Limits};

    const SIZE: Size = Size::new(2, 2);

    /// A reader and writer whose calls of these numbers, counted from 0, return an error.
    struct Codec {
        calls: u32,
        damaged: Option<u32>,
        not_yet: Option<u32>,
    }

    impl Codec {
        fn call(&mut self) -> Result<()> {
            let call = Some(self.calls);
            self.calls += 1;
            match call {
                call if call == self.damaged => Err(Error::malformed(Format::Png, 0, "damaged")),
                call if call == self.not_yet => Err(IoError::NotYet.into()),
                _ => Ok(()),
            }
        }
    }

    impl RowReader for Codec {
        fn read_row(&mut self, _: &mut [u8]) -> Result<()> {
            self.call()
        }
    }

    impl ImageWriter for Codec {
        fn begin_frame(&mut self, _: &FrameHeader, _: &Metadata) -> Result<()> {
            self.call()
        }

        fn write_row(&mut self, _: &[u8]) -> Result<()> {
            self.call()
        }

        fn finish(self: Box<Self>) -> Result<()> {
            Ok(())
        }
    }

    #[derive(Clone, Copy)]
    enum Call {
        Begin(u32),
        Row(usize),
        Finish,
    }

    /// The codes of the outcomes of such calls.
    fn written(calls: &[Call], damaged: Option<u32>) -> Vec<&'static str> {
        let budget = Budget::new(&Limits::default());
        let spec = ImageSpec { frames: 2, ..ImageSpec::single(SIZE, PixelFormat::RGB8, &budget) };
        let codec = Box::new(Codec { calls: 0, damaged, not_yet: None });
        let mut writer = Some(Box::new(CheckedWriter::new(codec, &spec)));
        let mut call = |call: &Call| match (call, &mut writer) {
            (Call::Begin(width), Some(writer)) => {
                let header = FrameHeader::new(Size::new(*width, 2), PixelFormat::RGB8);
                writer.begin_frame(&header, &Metadata::default())
            }
            (Call::Row(len), Some(writer)) => writer.write_row(&vec![0; *len]),
            (Call::Finish, writer) => writer.take().unwrap().finish(),
            (_, None) => panic!("a call behind the last"),
        };
        calls.iter().map(|each| call(each).map_or_else(|error| error.code(), |()| "ok")).collect()
    }

    #[test]
    fn a_writer_refuses_every_call_out_of_order() {
        use Call::{Begin, Finish, Row};
        let (ok, refused) = ("ok", "contradiction");
        let whole = [Begin(2), Row(6), Row(6)];
        let with = |calls: &[Call]| [&whole[..], calls].concat();
        let table: [(&str, Vec<Call>, Vec<&str>); 10] = [
            ("a frame", with(&[Finish]), vec![ok; 4]),
            ("two frames of different widths", with(&[Begin(1), Row(3), Row(3), Finish]), vec![ok; 7]),
            ("a row before its frame", vec![Row(6)], vec![refused]),
            ("a first frame of another shape", vec![Begin(3), Begin(2)], vec![refused, ok]),
            ("a short row, which can be repeated", vec![Begin(2), Row(5), Row(6)], vec![ok, refused, ok]),
            ("a row too many", with(&[Row(6)]), vec![ok, ok, ok, refused]),
            ("a frame too early", vec![Begin(2), Row(6), Begin(2)], vec![ok, ok, refused]),
            ("a frame too many", with(&[Begin(1), Row(3), Row(3), Begin(2)]), [vec![ok; 6], vec![refused]].concat()),
            ("no frame", vec![Finish], vec![refused]),
            ("a missing row", vec![Begin(2), Row(6), Finish], vec![ok, ok, refused]),
        ];
        for (case, calls, outcomes) in table {
            assert_eq!(written(&calls, None), outcomes, "{case}");
        }
    }

    #[test]
    fn nothing_can_be_written_after_an_error() {
        use Call::{Begin, Finish, Row};
        let outcomes = written(&[Begin(2), Row(6), Row(6), Begin(2), Finish], Some(1));
        assert_eq!(outcomes, ["ok", "malformed", "contradiction", "contradiction", "contradiction"]);
    }

    /// The codes of the outcomes of reads of rows of such lengths.
    fn read(lens: &[usize], damaged: Option<u32>, not_yet: Option<u32>) -> Vec<&'static str> {
        let mut codec = Codec { calls: 0, damaged, not_yet };
        let mut rows = CheckedRows::new(&mut codec, 2, 6);
        let mut read = |len: &usize| rows.read_row(&mut vec![0; *len]);
        lens.iter().map(|len| read(len).map_or_else(|error| error.code(), |()| "ok")).collect()
    }

    #[test]
    fn rows_refuse_other_lengths_and_end_after_the_last_or_an_error() {
        assert_eq!(read(&[6, 6, 6], None, None), ["ok", "ok", "contradiction"]);
        assert_eq!(read(&[5, 7, 6], None, None), ["contradiction", "contradiction", "ok"]);
        assert_eq!(read(&[6, 6], Some(0), None), ["malformed", "contradiction"]);
        assert_eq!(read(&[6, 6, 6, 6], None, Some(1)), ["ok", "not-yet", "ok", "contradiction"]);
    }
}
