//! A copy of a file with other metadata: every table and every scan byte for byte, none of the other segments, nothing
//! behind the end of the image (where phones put gain maps and whole films).

use raster::{ByteSink, ByteSource, Cursor, Metadata, Result};

use crate::error::Cause;
use crate::{icc, segments};

/// Copies the JPEG `source` to `sink` with `metadata` instead of its own. Colours stay what they were: the profile is the
/// file's, piece for piece, and so is Adobe's segment; JFIF's is written only where there was one.
///
/// # Errors
/// `Malformed` when no scan follows the header, `Limit` when a part fits no segment, `Io`.
pub fn relabel(source: &dyn ByteSource, sink: &mut dyn ByteSink, metadata: &Metadata) -> Result<()> {
    let head = crate::markers::scan(source)?;
    segments::write(sink, &Metadata { icc: None, ..metadata.clone() }, head.jfif)?;
    let mut copy = Copy { cursor: Cursor::new(source, 2), sink };
    while let Some(code) = copy.next_marker()? {
        match code {
            0xD9 => break,
            0x01 | 0xD0..=0xD8 => {} // TEM, RST, SOI: nothing follows
            0xE0 | 0xE1 | 0xE3..=0xED | 0xEF | 0xFE => drop(copy.segment()?),
            0xE2 => copy.write_profile_piece()?,
            0xDA => {
                copy.write_segment(code)?;
                copy.scan()?;
            }
            _ => copy.write_segment(code)?,
        }
    }
    copy.sink.write(&[0xFF, 0xD9])
}

struct Copy<'a> {
    cursor: Cursor<'a>,
    sink: &'a mut dyn ByteSink,
}

impl Copy<'_> {
    /// The next marker's code; nothing at the end of the file. Anything before it is stray.
    fn next_marker(&mut self) -> Result<Option<u8>> {
        let mut before = 0;
        while let Some(byte) = self.cursor.read_byte()? {
            if before == 0xFF && byte != 0xFF && byte != 0 {
                return Ok(Some(byte));
            }
            before = byte;
        }
        Ok(None)
    }

    /// A segment's length and payload.
    fn segment(&mut self) -> Result<Vec<u8>> {
        let offset = self.cursor.position();
        let mut segment = vec![0; 2];
        self.cursor.read_full(&mut segment)?;
        let len = usize::from(u16::from_be_bytes([segment[0], segment[1]])).max(2);
        segment.resize(len, 0);
        if self.cursor.read_full(&mut segment[2..])? < len - 2 {
            return Err(Cause::Segment("a segment").at(offset));
        }
        Ok(segment)
    }

    fn write_segment(&mut self, code: u8) -> Result<()> {
        let segment = self.segment()?;
        self.sink.write(&[0xFF, code])?;
        self.sink.write(&segment)
    }

    /// APP2 holds previews too; only the profile's stay.
    fn write_profile_piece(&mut self) -> Result<()> {
        let segment = self.segment()?;
        if !segment[2..].starts_with(icc::NAME) {
            return Ok(());
        }
        self.sink.write(&[0xFF, 0xE2])?;
        self.sink.write(&segment)
    }

    /// Coded data up to the next marker that is no restart (T.81 B.1.1.5), which is not taken.
    fn scan(&mut self) -> Result<()> {
        loop {
            let window = self.cursor.peek()?;
            if window.is_empty() {
                return Ok(());
            }
            let coded = window.iter().position(|&byte| byte == 0xFF).unwrap_or(window.len());
            self.sink.write(&window[..coded])?;
            let found = coded < window.len();
            self.cursor.advance(coded);
            if found && !self.stuffing()? {
                return Ok(());
            }
        }
    }

    /// Copies 0xFF with what follows it if both belong to the scan.
    fn stuffing(&mut self) -> Result<bool> {
        let marker = self.cursor.position();
        self.cursor.read_byte()?;
        let belongs = match self.cursor.read_byte()? {
            Some(code @ (0 | 0xD0..=0xD7)) => {
                self.sink.write(&[0xFF, code])?;
                return Ok(true);
            }
            Some(0xFF) => true, // a fill byte: the next one may begin a marker
            _ => false,
        };
        self.cursor.seek_to(if belongs { marker + 1 } else { marker });
        Ok(belongs)
    }
}
