//! The marker layer (T.81 B.1.1): marker codes, reading of markers, their segments and the entropy-coded data between
//! them, and writing of segments. [`MarkerReader`] reads the file's header, copies with other metadata, and the streams
//! inside of TIFF. All of them therefore treat a damaged file alike.

use raster::{ByteSink, ByteSource, Cursor, Limit, Result};

use crate::error::Cause;

/// The codes of markers (T.81 table B.1): the byte after 0xFF.
pub(crate) mod code {
    pub(crate) const TEM: u8 = 0x01;
    pub(crate) const SOF0: u8 = 0xC0;
    pub(crate) const SOF2: u8 = 0xC2;
    pub(crate) const DHT: u8 = 0xC4;
    pub(crate) const JPG: u8 = 0xC8;
    pub(crate) const DAC: u8 = 0xCC;
    pub(crate) const SOF15: u8 = 0xCF;
    pub(crate) const RST0: u8 = 0xD0;
    pub(crate) const RST7: u8 = 0xD7;
    pub(crate) const SOI: u8 = 0xD8;
    pub(crate) const EOI: u8 = 0xD9;
    pub(crate) const SOS: u8 = 0xDA;
    pub(crate) const DQT: u8 = 0xDB;
    pub(crate) const DNL: u8 = 0xDC;
    pub(crate) const DRI: u8 = 0xDD;
    pub(crate) const APP0: u8 = 0xE0;
    pub(crate) const APP1: u8 = 0xE1;
    pub(crate) const APP2: u8 = 0xE2;
    pub(crate) const APP3: u8 = 0xE3;
    pub(crate) const APP13: u8 = 0xED;
    pub(crate) const APP14: u8 = 0xEE;
    pub(crate) const APP15: u8 = 0xEF;
    pub(crate) const COM: u8 = 0xFE;
}

/// The most bytes of payload in a segment (B.1.1.4): the length has 16 bits and counts itself.
pub(crate) const MAX_PAYLOAD: usize = 65_533;

/// The total number of stray bytes between segments that is tolerated. libjpeg has no such limit and reads gigabytes of
/// noise to the end.
pub(crate) const MAX_STRAY: u64 = 1 << 20;

/// A marker of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Marker {
    pub(crate) code: u8,
    /// The offset of its 0xFF.
    pub(crate) offset: u64,
}

impl Marker {
    /// Whether no segment follows.
    pub(crate) const fn is_alone(self) -> bool {
        matches!(self.code, code::TEM | code::RST0..=code::EOI)
    }
}

/// The segment behind a marker, without its length.
#[derive(Debug, Default)]
pub(crate) struct Payload {
    pub(crate) bytes: Vec<u8>,
    /// The offset of its first byte.
    pub(crate) offset: u64,
    /// False when the length is not valid or the file ends before.
    pub(crate) is_complete: bool,
}

impl Payload {
    /// Returns the bytes of a required segment; `which` names it in the error.
    pub(crate) fn needed(self, which: &'static str) -> Result<Vec<u8>> {
        if self.is_complete { Ok(self.bytes) } else { Err(Cause::Segment(which).at(self.offset)) }
    }

    /// Returns the number of MCUs in a restart interval, from a DRI segment (B.2.4.4).
    pub(crate) fn restart_interval(self) -> Result<u16> {
        let offset = self.offset;
        let bytes = self.needed("restart interval")?.try_into();
        let bytes = bytes.map_err(|_| Cause::Segment("restart interval").at(offset))?;
        Ok(u16::from_be_bytes(bytes))
    }
}

/// A reader of a stream, marker by marker. After a marker, call [`payload`](Self::payload) or [`skip`](Self::skip)
/// unless it is alone; after the segment of SOS, call [`entropy_coded`](Self::entropy_coded).
pub(crate) struct MarkerReader<'a> {
    cursor: Cursor<&'a dyn ByteSource>,
    /// The number of bytes between segments, repetitions of 0xFF included.
    stray: u64,
    /// Whether other bytes than 0xFF were among them.
    has_stray: bool,
}

impl<'a> MarkerReader<'a> {
    /// Creates a reader that starts behind SOI.
    ///
    /// # Errors
    /// `Malformed` when the stream does not begin with SOI, `Io`.
    pub(crate) fn new(source: &'a dyn ByteSource) -> Result<Self> {
        let mut cursor = Cursor::new(source, 0);
        if (cursor.read_byte()?, cursor.read_byte()?) != (Some(0xFF), Some(code::SOI)) {
            return Err(Cause::NoStart.at(0));
        }
        Ok(Self { cursor, stray: 0, has_stray: false })
    }

    /// Creates a reader that starts at `offset`.
    pub(crate) fn at(source: &'a dyn ByteSource, offset: u64) -> Self {
        Self { cursor: Cursor::new(source, offset), stray: 0, has_stray: false }
    }

    /// Whether bytes that belong to no segment were skipped.
    pub(crate) const fn has_stray(&self) -> bool {
        self.has_stray
    }

    /// Returns the offset of the next byte.
    pub(crate) const fn position(&self) -> u64 {
        self.cursor.position()
    }

    /// Returns the next marker, or `None` at the end of the file. Other bytes before it, including 0xFF 0x00, are
    /// stray; 0xFF may be repeated (B.1.1.2).
    ///
    /// # Errors
    /// `Malformed` beyond [`MAX_STRAY`], `Io`.
    pub(crate) fn next(&mut self) -> Result<Option<Marker>> {
        loop {
            let window = self.cursor.peek()?;
            if window.is_empty() {
                return Ok(None);
            }
            let stray = window.iter().position(|&byte| byte == 0xFF).unwrap_or(window.len());
            self.cursor.advance(stray);
            self.stray += stray as u64;
            self.has_stray |= stray > 0;
            if self.stray > MAX_STRAY {
                return Err(Cause::TooManyStrayBytes.at(self.cursor.position()));
            }
            match self.code()? {
                Some(0) => (self.stray, self.has_stray) = (self.stray + 2, true),
                Some(code) => return Ok(Some(Marker { code, offset: self.cursor.position() - 2 })),
                None => {}
            }
        }
    }

    /// Returns the byte after 0xFF, which may be repeated, or `None` when there is no 0xFF here, or the file ends.
    fn code(&mut self) -> Result<Option<u8>> {
        let Some(&0xFF) = self.cursor.peek()?.first() else { return Ok(None) };
        self.cursor.advance(1);
        let mut code = self.cursor.read_byte()?;
        while code == Some(0xFF) {
            self.stray += 1;
            code = self.cursor.read_byte()?;
        }
        Ok(code)
    }

    /// Reads the segment of the last marker.
    ///
    /// # Errors
    /// `Io`.
    pub(crate) fn payload(&mut self) -> Result<Payload> {
        let offset = self.cursor.position() + 2;
        let mut length = [0; 2];
        let has_length = self.cursor.read_full(&mut length)? == length.len();
        let length = usize::from(u16::from_be_bytes(length));
        let mut bytes = vec![0; length.saturating_sub(2)];
        let there = self.cursor.read_full(&mut bytes)?;
        let is_complete = has_length && length >= 2 && there == bytes.len();
        bytes.truncate(there);
        Ok(Payload { bytes, offset, is_complete })
    }

    /// Skips the segment of the last marker. A wrong length only makes the next marker harder to find.
    ///
    /// # Errors
    /// `Io`.
    pub(crate) fn skip(&mut self) -> Result<()> {
        let mut length = [0; 2];
        self.cursor.read_full(&mut length)?;
        let rest = u64::from(u16::from_be_bytes(length)).saturating_sub(2);
        self.cursor.seek_to(self.cursor.position() + rest);
        Ok(())
    }

    /// Passes entropy-coded data and restart markers to `take`, up to the next other marker (B.1.1.5).
    ///
    /// # Errors
    /// `Io`, and errors of `take`.
    pub(crate) fn entropy_coded(&mut self, take: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        loop {
            let window = self.cursor.peek()?;
            if window.is_empty() {
                return Ok(());
            }
            let coded = window.iter().position(|&byte| byte == 0xFF).unwrap_or(window.len());
            take(&window[..coded])?;
            let is_marker_ahead = coded < window.len();
            self.cursor.advance(coded);
            if is_marker_ahead && !self.stuffing_or_restart(take)? {
                return Ok(());
            }
        }
    }

    /// Takes 0xFF and the next byte if both belong to the entropy-coded data. In 0xFF 0xFF the first is a fill byte,
    /// which is dropped.
    fn stuffing_or_restart(&mut self, take: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<bool> {
        let start = self.cursor.position();
        self.cursor.advance(1);
        match self.cursor.read_byte()? {
            Some(next @ (0 | code::RST0..=code::RST7)) => take(&[0xFF, next]).map(|()| true),
            Some(0xFF) => {
                self.cursor.seek_to(start + 1);
                Ok(true)
            }
            _ => {
                self.cursor.seek_to(start);
                Ok(false)
            }
        }
    }
}

/// Writes a segment: marker, length, and the parts of its payload.
///
/// # Errors
/// `Limit` when the payload is too long, `Io` when the sink fails.
pub fn write_segment(sink: &mut dyn ByteSink, code: u8, parts: &[&[u8]]) -> Result<()> {
    let len = parts.iter().map(|part| part.len()).sum::<usize>();
    if len > MAX_PAYLOAD {
        return Err(Limit::Parts("bytes in a segment").into());
    }
    sink.write(&[0xFF, code])?;
    sink.write(&(len as u16 + 2).to_be_bytes())?;
    parts.iter().try_for_each(|part| sink.write(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(stream: &[u8]) -> Result<Vec<(u8, Vec<u8>)>> {
        let stream = stream.to_vec();
        let mut reader = MarkerReader::new(&stream)?;
        let mut found = Vec::new();
        while let Some(marker) = reader.next()? {
            let mut bytes = if marker.is_alone() { Vec::new() } else { reader.payload()?.bytes };
            if marker.code == code::SOS {
                reader.entropy_coded(&mut |data| {
                    bytes.extend_from_slice(data);
                    Ok(())
                })?;
            }
            found.push((marker.code, bytes));
        }
        Ok(found)
    }

    #[test]
    fn markers_are_found_behind_stray_and_fill_bytes() {
        type Segments<'a> = &'a [(u8, &'a [u8])];
        let table: [(&[u8], Segments<'_>); 7] = [
            (b"\xFF\xD9", &[(code::EOI, b"")]),
            (b"noise\xFF\xD9", &[(code::EOI, b"")]),
            (b"\xFF\xFF\xFF\xD9", &[(code::EOI, b"")]),
            (b"\xFF\x00\xFF\xD9", &[(code::EOI, b"")]),
            (b"\xFF\x01\xFF\xFE\x00\x04ab\xFF\xD9", &[(code::TEM, b""), (code::COM, b"ab"), (code::EOI, b"")]),
            (
                b"\xFF\xDA\x00\x02a\xFF\x00b\xFF\xD3c\xFF\xFF\xD9",
                &[(code::SOS, b"a\xFF\0b\xFF\xD3c"), (code::EOI, b"")],
            ),
            (b"\xFF\xDA\x00\x02abc\xFF", &[(code::SOS, b"abc")]),
        ];
        for (stream, want) in table {
            let want: Vec<(u8, Vec<u8>)> = want.iter().map(|&(code, bytes)| (code, bytes.to_vec())).collect();
            assert_eq!(walk(&[b"\xFF\xD8", stream].concat()).unwrap(), want, "{stream:02x?}");
        }
    }

    #[test]
    fn a_stream_begins_with_soi_and_has_few_stray_bytes() {
        assert!(walk(b"").is_err() && walk(b"\x89PNG").is_err() && walk(b"\xFF\xD8").unwrap().is_empty());
        let noise = |len: u64| [&b"\xFF\xD8"[..], &vec![0; len as usize], b"\xFF\xD9"].concat();
        assert!(walk(&noise(MAX_STRAY)).is_ok());
        assert!(walk(&noise(MAX_STRAY + 1)).is_err());
    }

    #[test]
    fn a_payload_states_whether_it_is_complete() {
        for (stream, complete) in [
            (&b"\xFF\xD8\xFF\xFE\x00\x04ab"[..], true),
            (b"\xFF\xD8\xFF\xFE\x00\x05ab", false),
            (b"\xFF\xD8\xFF\xFE\x00\x01ab", false),
            (b"\xFF\xD8\xFF\xFE\x00", false),
        ] {
            let stream = stream.to_vec();
            let mut reader = MarkerReader::new(&stream).unwrap();
            reader.next().unwrap();
            assert_eq!(reader.payload().unwrap().is_complete, complete, "{stream:02x?}");
        }
    }

    #[test]
    fn a_segment_holds_65533_bytes() {
        let mut file = Vec::new();
        write_segment(&mut file, code::COM, &[&[7; 65_000], &[7; 533]]).unwrap();
        assert_eq!((file.len(), &file[..4]), (65_537, &b"\xFF\xFE\xFF\xFF"[..]));
        assert_eq!(write_segment(&mut Vec::new(), code::COM, &[&[7; 65_534]]).unwrap_err().code(), "parts");
    }
}
