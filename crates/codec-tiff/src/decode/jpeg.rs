//! The JPEG streams of a page, and the headers that complete each of them.
//!
//! Under compression 7 (technical note 2) every segment is a stream without its tables. Under compression 6 (TIFF 6.0
//! §22, of which three interpretations exist) there is one stream for the page, or segments of bare entropy-coded data.
//! The tables and headers of such segments are in an incomplete stream (Wang Imaging, later Kodak's) or in tags.

use codec_jpeg::write_segment;
use ifd::{Directory, File, tag};
use raster::{Budget, Result};

use super::grid::{Grid, Span};
use crate::error::Cause;

/// The number of tables of one kind: JPEG numbers them with two bits.
const MAX_TABLES: u64 = 4;
/// The limit of tables and headers that are read, in bytes: four tables of every kind take 3 KB.
const MAX_HEAD: u64 = 1 << 17;
/// A start-of-image marker.
const START: [u8; 2] = [0xFF, 0xD8];

/// The location of a page's streams.
#[derive(Clone, Debug)]
pub(super) enum Streams {
    /// Every segment is a stream.
    Abbreviated {
        /// A start-of-image marker and the tables of all streams.
        tables: Vec<u8>,
        /// Whether three components are YCbCr that the decoder converts to RGB. Under compression 6 they are not
        /// converted.
        is_ycbcr: bool,
    },
    /// One stream contains all segments.
    Whole {
        /// The position of the stream.
        at: u64,
    },
    /// Every segment contains entropy-coded data.
    Scans(Headers),
}

impl Default for Streams {
    /// Returns streams without tables.
    fn default() -> Self {
        Self::Abbreviated { tables: Vec::new(), is_ycbcr: false }
    }
}

impl Streams {
    /// Reads the streams of compression 7.
    ///
    /// # Errors
    /// `Io`, `Limit`.
    pub(super) fn read(file: &mut File<'_>, directory: &Directory, is_ycbcr: bool, budget: &Budget) -> Result<Self> {
        let mut tables = match directory.get(tag::JPEG_TABLES) {
            Some(entry) => file.bytes(entry, MAX_HEAD, budget)?,
            None => Vec::new(),
        };
        if tables.ends_with(&[0xFF, 0xD9]) {
            tables.truncate(tables.len() - 2);
        }
        Ok(Self::Abbreviated { tables, is_ycbcr })
    }

    /// Reads the streams of compression 6. A stream that contains none of the segments is a header without data.
    ///
    /// # Errors
    /// `Malformed`, `Io`, `Limit`.
    pub(super) fn read_old(
        file: &mut File<'_>,
        directory: &Directory,
        grid: &Grid,
        components: u16,
        budget: &Budget,
    ) -> Result<Self> {
        let Some(at) = file.number(directory, tag::JPEG_INTERCHANGE)?.filter(|&at| at > 0) else {
            let mut tags = TagHeaders { file, directory, budget, headers: Headers::default() };
            tags.read(components)?;
            return Ok(Self::Scans(tags.headers));
        };
        let len = file.number(directory, tag::JPEG_INTERCHANGE_LENGTH)?.unwrap_or(0);
        if len == 0 || grid.starts_within(Span { at, len }) {
            return Ok(Self::Whole { at });
        }
        let mut headers = Headers::default();
        headers.take(&file.bytes_at(at, len.min(MAX_HEAD), budget)?);
        if let Some(first) = grid.first().filter(|_| headers.scan.is_empty()) {
            headers.take(&file.bytes_at(first, MAX_HEAD, &budget.scope())?);
        }
        Ok(if headers.frame.is_empty() { Self::Whole { at } } else { Self::Scans(headers) })
    }
}

/// The headers that precede entropy-coded data, as whole marker segments.
#[derive(Clone, Debug, Default)]
pub(super) struct Headers {
    tables: Vec<u8>,
    /// The frame header; its size is replaced by that of each segment.
    frame: Vec<u8>,
    /// The scan header, if the file has one.
    scan: Vec<u8>,
    /// The highest number of a DC code table.
    last_table: u8,
}

/// The bytes of a frame header before its components: marker, length, precision, height, width, count.
const FRAME: usize = 10;

impl Headers {
    /// Takes marker segments up to a scan header, or up to bytes that are not a marker.
    fn take(&mut self, mut bytes: &[u8]) {
        while let &[0xFF, code, ref rest @ ..] = bytes {
            // Fill bytes, and markers without a length.
            if matches!(code, 0xFF | 0x01 | 0xD0..=0xD8) {
                bytes = if code == 0xFF { &bytes[1..] } else { rest };
                continue;
            }
            let len = rest.first_chunk().map_or(0, |len| usize::from(u16::from_be_bytes(*len)));
            let Some((segment, after)) = bytes.split_at_checked(2 + len).filter(|_| len >= 2) else { return };
            match code {
                0xC4 => self.push_codes(segment),
                0xDB | 0xDD => self.tables.extend(segment),
                0xC0..=0xC2 => self.frame = segment.to_vec(),
                0xDA => {
                    self.scan = segment.to_vec();
                    return;
                }
                0xD9 => return,
                _ => {}
            }
            bytes = after;
        }
    }

    /// Takes code tables: each has a number, sixteen counts, and the sum of the counts as values (T.81 B.2.4.2).
    fn push_codes(&mut self, segment: &[u8]) {
        let mut rest = &segment[4..];
        while let Some((&[number, ref counts @ ..], values)) = rest.split_first_chunk::<17>() {
            if number < 0x10 {
                self.last_table = self.last_table.max(number);
            }
            rest = values.get(counts.iter().map(|&count| usize::from(count)).sum()..).unwrap_or_default();
        }
        self.tables.extend(segment);
    }

    /// Returns the headers for a segment of this size with this start of data. Also returns the number of bytes to skip
    /// in the data, because they are a header or a restart marker.
    ///
    /// # Errors
    /// `Malformed` when the segment is larger than any JPEG.
    pub(super) fn before(&self, data: &[u8], size: [u32; 2], at: u64) -> Result<(Vec<u8>, u64)> {
        let mut head = [&START[..], &self.tables].concat();
        let skipped = match data {
            // The data are a complete stream.
            [0xFF, 0xD8, ..] => return Ok((head, 0)),
            [0xFF, 0xDA, high, low, ..] => 2 + u64::from(u16::from_be_bytes([*high, *low])),
            [0xFF, 0xD0..=0xD7, ..] => 2,
            _ => 0,
        };
        let mut frame = self.frame.clone();
        for (side, place) in size.into_iter().rev().zip([5, 7]) {
            let side = u16::try_from(side).map_err(|_| Cause::Clash("the sizes of JPEG and TIFF").at(at))?;
            frame.get_mut(place..place + 2).into_iter().for_each(|bytes| bytes.copy_from_slice(&side.to_be_bytes()));
        }
        head.extend(frame);
        if self.scan.is_empty() {
            self.push_scan(&mut head)?;
        } else {
            head.extend(&self.scan);
        }
        Ok((head, skipped))
    }

    /// Appends a scan header for all components. Each component has the tables of its position; components beyond the
    /// last table share it.
    fn push_scan(&self, head: &mut Vec<u8>) -> Result<()> {
        let components = self.frame.get(FRAME..).unwrap_or_default().as_chunks::<3>().0;
        let mut scan = vec![components.len() as u8];
        for (component, table) in components.iter().zip(0..) {
            let table = self.last_table.min(table);
            scan.extend([component[0], table << 4 | table]);
        }
        scan.extend([0, 63, 0]);
        write_segment(head, 0xDA, &[&scan])
    }
}

/// A reader of the headers in tags.
struct TagHeaders<'t, 'a> {
    file: &'t mut File<'a>,
    directory: &'t Directory,
    budget: &'t Budget,
    headers: Headers,
}

impl TagHeaders<'_, '_> {
    fn read(&mut self, components: u16) -> Result<()> {
        let quantizations = self.read_quantization(components)?;
        self.headers.last_table = self.read_codes(tag::JPEG_DC_TABLES, 0x00, components)?.saturating_sub(1);
        self.read_codes(tag::JPEG_AC_TABLES, 0x10, components)?;
        if let Some(interval) = self.file.number(self.directory, tag::JPEG_RESTART_INTERVAL)?.filter(|&i| i > 0) {
            write_segment(&mut self.headers.tables, 0xDD, &[&(interval as u16).to_be_bytes()])?;
        }
        let [across, down] = self.read_factors(components)?;
        let mut frame = vec![8, 0, 0, 0, 0, components as u8];
        for i in 0..components as u8 {
            let sampling = if i == 0 { across << 4 | down } else { 0x11 };
            frame.extend([i + 1, sampling, i.min(quantizations.saturating_sub(1))]);
        }
        write_segment(&mut self.headers.frame, 0xC0, &[&frame])
    }

    /// Reads the numbers of pixels across and down that share one chroma sample.
    fn read_factors(&mut self, components: u16) -> Result<[u8; 2]> {
        let factors = match self.directory.get(tag::YCBCR_SUBSAMPLING) {
            Some(entry) if components == 3 => self.file.numbers(entry, 2, self.budget)?,
            _ if components == 3 => vec![2, 2],
            _ => Vec::new(),
        };
        let factor = |i: usize| factors.get(i).copied().filter(|f| matches!(f, 1 | 2 | 4)).unwrap_or(1) as u8;
        Ok([factor(0), factor(1)])
    }

    /// Returns the positions of the tables of a kind.
    fn places(&mut self, tag: u16, components: u16) -> Result<Vec<u64>> {
        match self.directory.get(tag) {
            Some(entry) => self.file.numbers(entry, MAX_TABLES.min(components.into()), self.budget),
            None => Ok(Vec::new()),
        }
    }

    /// Reads tables of 64 steps each, and returns their number.
    fn read_quantization(&mut self, components: u16) -> Result<u8> {
        let places = self.places(tag::JPEG_Q_TABLES, components)?;
        for (i, &at) in places.iter().enumerate() {
            let steps = self.file.bytes_at(at, 64, self.budget)?;
            if steps.len() < 64 {
                return Err(cut(at));
            }
            write_segment(&mut self.headers.tables, 0xDB, &[&[i as u8], &steps])?;
        }
        Ok(places.len() as u8)
    }

    /// Reads tables of sixteen counts and their values, and returns their number.
    fn read_codes(&mut self, tag: u16, class: u8, components: u16) -> Result<u8> {
        let places = self.places(tag, components)?;
        for (i, &at) in places.iter().enumerate() {
            let counts = self.file.bytes_at(at, 16, self.budget)?;
            let values: u64 = counts.iter().map(|&count| u64::from(count)).sum();
            let table = self.file.bytes_at(at, 16 + values, self.budget)?;
            if counts.len() < 16 || (table.len() as u64) < 16 + values {
                return Err(cut(at));
            }
            write_segment(&mut self.headers.tables, 0xC4, &[&[class | i as u8], &table])?;
        }
        Ok(places.len() as u8)
    }
}

fn cut(at: u64) -> raster::Error {
    Cause::Data("a JPEG table is cut".into()).at(at)
}
