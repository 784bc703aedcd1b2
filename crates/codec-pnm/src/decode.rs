//! Reading: one row of samples at a time, which are then scaled to 8 or 16 bits.

use std::rc::Rc;

use raster::bytes::WINDOW;
use raster::{
    Budget, ByteSource, Cursor, Depth, Format, Frame, FrameInfo, ImageInfo, ImageReader, Notes, PixelFormat, Result,
    RowReader, Stored, Wanted, Warning, limits, palette,
};

use crate::header::{Code, Header, byte_outside_comments, malformed};

/// Pixels that a header may claim for each byte of the file: eight in a byte of a PBM, and a hundredth of the rows must
/// be there.
const PIXELS_PER_BYTE: u64 = 8 * 100;

/// The colours of a bit.
const WHITE_AND_BLACK: [[u8; 4]; palette::MAX_COLORS] = {
    let mut colors = [[0; 4]; palette::MAX_COLORS];
    colors[0] = [255; 4];
    colors
};

pub(crate) struct Reader<'a> {
    info: ImageInfo,
    header: Header,
    cursor: Cursor<&'a dyn ByteSource>,
    /// A row of a binary file as it is stored.
    stored: Vec<u8>,
    has_begun: bool,
    /// Rows that were read.
    rows: u32,
    /// Whether a row was not whole.
    is_cut: bool,
    notes: Notes,
}

impl<'a> Reader<'a> {
    pub(crate) fn open(source: &'a dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Self> {
        let before = budget.used();
        budget.charge(WINDOW as u64)?;
        let mut cursor = Cursor::new(source, 0);
        let header = Header::read(&mut cursor)?;
        limits::check_plausible(header.size, source.byte_len(), PIXELS_PER_BYTE)?;
        let depth = if header.sample_bytes() == 1 { Depth::Eight } else { Depth::Sixteen };
        let pixels = PixelFormat::new(header.channels, depth);
        let stored = match header.code {
            Code::Binary => budget.filled(pixels.row_bytes(header.size.width), 0)?,
            Code::Bits => budget.filled(u64::from(header.size.width).div_ceil(8), 0)?,
            Code::Text | Code::TextBits => Vec::new(),
        };
        let info = ImageInfo {
            stored: Stored { depth: header.max.ilog2() as u8 + 1, channels: header.channels.count() as u8 },
            working_set: budget.used() - before,
            ..ImageInfo::still(Format::Pnm, header.size, pixels.into())
        };
        Ok(Self { info, header, cursor, stored, has_begun: false, rows: 0, is_cut: false, notes: notes.clone() })
    }

    /// Reads a row. Returns whether the file had all of it.
    fn read(&mut self, row: &mut [u8]) -> Result<bool> {
        match self.header.code {
            Code::Bits => {
                let is_whole = self.cursor.read_full(&mut self.stored)? == self.stored.len();
                palette::look_up(&WHITE_AND_BLACK, &self.stored, 1, row, 1);
                Ok(is_whole)
            }
            Code::Binary => {
                let is_whole = self.cursor.read_full(&mut self.stored)? == self.stored.len();
                if self.header.sample_bytes() == 1 {
                    let samples = row.iter_mut().zip(&self.stored);
                    samples.for_each(|(sample, &stored)| *sample = scaled(stored.into(), self.header.max, 255) as u8);
                } else {
                    let samples = row.as_chunks_mut::<2>().0.iter_mut().zip(self.stored.as_chunks::<2>().0);
                    samples.for_each(|(sample, &stored)| {
                        *sample = scaled(u16::from_be_bytes(stored), self.header.max, u16::MAX).to_le_bytes();
                    });
                }
                Ok(is_whole)
            }
            Code::TextBits => self.read_text(row, |cursor| Ok(bit(cursor)?.map(|bit| [if bit { 0 } else { 255 }]))),
            Code::Text if self.header.sample_bytes() == 1 => {
                let max = self.header.max;
                self.read_text(row, |cursor| Ok(number(cursor)?.map(|value| [scaled(value, max, 255) as u8])))
            }
            Code::Text => {
                let max = self.header.max;
                self.read_text(
                    row,
                    |cursor| Ok(number(cursor)?.map(|value| scaled(value, max, u16::MAX).to_le_bytes())),
                )
            }
        }
    }

    /// Reads a row of a text, sample by sample.
    fn read_text<const N: usize>(
        &mut self,
        row: &mut [u8],
        mut sample: impl FnMut(&mut Cursor<&'a dyn ByteSource>) -> Result<Option<[u8; N]>>,
    ) -> Result<bool> {
        for into in row.as_chunks_mut::<N>().0 {
            let Some(sample) = sample(&mut self.cursor)? else { return Ok(false) };
            *into = sample;
        }
        Ok(true)
    }
}

impl ImageReader for Reader<'_> {
    fn info(&self) -> &ImageInfo {
        &self.info
    }

    fn next_frame(&mut self, _: &Wanted) -> Result<Option<Frame<'_>>> {
        if core::mem::replace(&mut self.has_begun, true) {
            return Ok(None);
        }
        let info = FrameInfo::new(self.info.size, self.info.row_format);
        Ok(Some(Frame::new(info, Rc::clone(&self.info.metadata), self)))
    }
}

impl RowReader for Reader<'_> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        let size = self.header.size;
        if !self.read(row)? {
            if self.rows == 0 {
                return Err(malformed(self.cursor.position(), "ends before its first row"));
            }
            row.fill(0);
            if !self.is_cut {
                self.is_cut = true;
                self.notes.warn(Warning::Truncated { rows: self.rows, of: size.height });
            }
        }
        self.rows += 1;
        Ok(())
    }
}

/// A value from 0 to `max` as one from 0 to `full`, rounded; larger values become `full`.
const fn scaled(value: u16, max: u16, full: u16) -> u16 {
    if max == full {
        return value;
    }
    let value = if value > max { max } else { value } as u32;
    ((value * full as u32 + max as u32 / 2) / max as u32) as u16
}

/// The next digit of a PBM that is a text, or nothing at the end and where something else stands.
fn bit(cursor: &mut Cursor<&dyn ByteSource>) -> Result<Option<bool>> {
    loop {
        match byte_outside_comments(cursor)? {
            Some(b'0') => return Ok(Some(false)),
            Some(b'1') => return Ok(Some(true)),
            Some(byte) if byte.is_ascii_whitespace() => {}
            _ => return Ok(None),
        }
    }
}

/// The next number of a text, at most 65,535; nothing at the end and where something else stands.
fn number(cursor: &mut Cursor<&dyn ByteSource>) -> Result<Option<u16>> {
    let mut number = None;
    loop {
        match (byte_outside_comments(cursor)?, number) {
            (Some(digit @ b'0'..=b'9'), _) => {
                let more = u16::from(digit - b'0');
                number = Some(number.unwrap_or(0_u16).saturating_mul(10).saturating_add(more));
            }
            (Some(byte), None) if byte.is_ascii_whitespace() => {}
            (Some(byte), Some(_)) if !byte.is_ascii_whitespace() => return Ok(None),
            (_, number) => return Ok(number),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]
mod tests {
    use super::*;
    use raster::Channels::{Gray, GrayAlpha};
    use raster::Limits;
    use testkit::{Picture, SplitSource, read_all};

    fn read(file: &[u8]) -> Result<(Picture, Vec<Warning>)> {
        let source = SplitSource::new(file, 7);
        let notes = Notes::default();
        let mut reader = Reader::open(&source, &Budget::new(&Limits::default()), &notes)?;
        Ok((read_all(&mut reader)?, notes.warnings()))
    }

    #[test]
    fn all_seven_kinds_give_the_same_pixels() {
        let gray = PixelFormat::GRAY8;
        let table: [(&[u8], PixelFormat, &[u8]); 12] = [
            (b"P1 3 2 10 1#x\n0 0 1", gray, &[0, 255, 0, 255, 255, 0]),
            (b"P1\n3 2\n101001", gray, &[0, 255, 0, 255, 255, 0]),
            (b"P4\n3 2\n\xA0\x20", gray, &[0, 255, 0, 255, 255, 0]),
            (b"P2\n3 1\n15\n0 7 15", gray, &[0, 119, 255]),
            (b"P5 3 1 255\n\x00\x07\xFF", gray, &[0, 7, 255]),
            (b"P5 3 1 15\n\x00\x07\xFF", gray, &[0, 119, 255]),
            (b"P3 1 1 255 1 2 3", PixelFormat::RGB8, &[1, 2, 3]),
            (b"P6 # one\n1 1 # pixel\n255\n#ab", PixelFormat::RGB8, b"#ab"),
            (b"P5 1 2 65535\n\x01\x02\xFF\xFE", sixteen(Gray), &[2, 1, 0xFE, 0xFF]),
            (b"P2 1 2 1023 1023 512\n", sixteen(Gray), &[0xFF, 0xFF, 0x20, 0x80]),
            (
                b"P7\n# x\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\nabcd",
                PixelFormat::RGBA8,
                b"abcd",
            ),
            (
                b"P7\nWIDTH 2\nHEIGHT 1\nDEPTH 2\nMAXVAL 1\nTUPLTYPE BLACKANDWHITE_ALPHA\nENDHDR\n\x01\x00\x00\x01",
                PixelFormat::new(GrayAlpha, Depth::Eight),
                &[255, 0, 0, 255],
            ),
        ];
        for (file, pixels, rows) in table {
            let (picture, warnings) = read(file).unwrap();
            assert_eq!((picture.pixels, &picture.rows[..]), (pixels, rows), "{}", file.escape_ascii());
            assert_eq!(warnings, []);
        }
    }

    const fn sixteen(channels: raster::Channels) -> PixelFormat {
        PixelFormat::new(channels, Depth::Sixteen)
    }

    #[test]
    fn rows_behind_the_end_are_blank_with_a_warning() {
        for file in [&b"P2 2 3 9 9 9 9 x 9"[..], b"P5 2 3 9\n\x09\x09\x09"] {
            let (picture, warnings) = read(file).unwrap();
            assert_eq!(picture.rows, [255, 255, 0, 0, 0, 0]);
            assert_eq!(warnings, [Warning::Truncated { rows: 1, of: 3 }]);
        }
        assert_eq!(read(b"P5 2 3 9\n\x09").unwrap_err().code(), "malformed");
    }

    #[test]
    fn headers_that_cannot_be_are_refused() {
        for (file, code) in [
            (&b"P5 0 1 255\n"[..], "no-size"),
            (b"P5 1 1 0\n", "malformed"),
            (b"P5 1 1 65536\n", "malformed"),
            (b"P5 1 -1 255\n", "malformed"),
            (b"P5 1 1 25", "malformed"),
            (b"P6 999999 999999 255\n", "implausible"),
            (b"P6 9999999 1 255\n", "side"),
            (b"P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE CMYK\nENDHDR\nabcd", "unsupported"),
            (b"P7\nWIDTH 1\nHEIGHT 1\nDEPTH 5\nMAXVAL 255\nENDHDR\nabcde", "unsupported"),
            (b"P7\nWIDTH 1\nSPEED 2\nENDHDR\n", "malformed"),
        ] {
            assert_eq!(read(file).unwrap_err().code(), code, "{}", file.escape_ascii());
        }
    }
}
