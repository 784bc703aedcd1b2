//! What a page says about its JPEG streams, and what must stand before each to make it whole.
//!
//! Under compression 7 (technical note 2) every segment is a stream without its tables. Under compression 6 (TIFF 6.0
//! §22, read in three ways by those who wrote it) there is one stream for the page, or segments of bare entropy-coded
//! data, whose tables and headers stand in a stream cut short (Wang Imaging, later Kodak's) or in tags.

use codec_jpeg::write_segment;
use ifd::{Directory, File, tag};
use raster::{Budget, Result};

use super::grid::{Grid, Span};
use crate::error::Cause;

/// Tables of one kind, by JPEG's two bits of number.
const MAX_TABLES: u64 = 4;
/// Bytes of tables and headers that are read: four of every kind take 3 KB.
const MAX_HEAD: u64 = 1 << 17;
/// A start-of-image marker.
const START: [u8; 2] = [0xFF, 0xD8];

/// Where a page's streams are.
#[derive(Clone, Debug)]
pub(super) enum Streams {
    /// Every segment is a stream.
    Abbreviated {
        /// A start-of-image marker and tables for all of them.
        tables: Vec<u8>,
        /// Whether three components are YCbCr that the decoder turns into red, green and blue. Under compression 6 they
        /// come out as they are.
        is_ycbcr: bool,
    },
    /// One stream has all segments.
    Whole {
        /// Where it starts.
        at: u64,
    },
    /// Every segment has entropy-coded data.
    Scans(Headers),
}

impl Default for Streams {
    /// Streams without tables.
    fn default() -> Self {
        Self::Abbreviated { tables: Vec::new(), is_ycbcr: false }
    }
}

impl Streams {
    /// Those of compression 7.
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

    /// Those of compression 6. A stream in one place that has none of the segments is a head without data.
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

/// What stands before entropy-coded data, as whole marker segments.
#[derive(Clone, Debug, Default)]
pub(super) struct Headers {
    tables: Vec<u8>,
    /// The frame header; its size is that of each segment.
    frame: Vec<u8>,
    /// The scan header, where the file has one.
    scan: Vec<u8>,
    /// The highest number of a table of DC codes.
    last_table: u8,
}

/// Bytes of a frame header before its components: marker, length, precision, height, width, count.
const FRAME: usize = 10;

impl Headers {
    /// Takes marker segments up to a scan header, or to what is none.
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

    /// Takes tables of codes: each has a number, sixteen counts, and as many values as they say (T.81 B.2.4.2).
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

    /// What must stand before a segment of this size, whose data begin so, and how many bytes of the data to skip
    /// because they are a header or a restart marker.
    ///
    /// # Errors
    /// `Malformed` when the segment is larger than any JPEG.
    pub(super) fn before(&self, data: &[u8], size: [u32; 2], at: u64) -> Result<(Vec<u8>, u64)> {
        let mut head = [&START[..], &self.tables].concat();
        let skipped = match data {
            // A stream of its own.
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

    /// A scan header for all components: each has the tables of its place, the last ones share the last tables.
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

/// Reads the headers that lie in tags.
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

    /// Pixels across and down that share one chroma sample.
    fn read_factors(&mut self, components: u16) -> Result<[u8; 2]> {
        let factors = match self.directory.get(tag::YCBCR_SUBSAMPLING) {
            Some(entry) if components == 3 => self.file.numbers(entry, 2, self.budget)?,
            _ if components == 3 => vec![2, 2],
            _ => Vec::new(),
        };
        let factor = |i: usize| factors.get(i).copied().filter(|f| matches!(f, 1 | 2 | 4)).unwrap_or(1) as u8;
        Ok([factor(0), factor(1)])
    }

    /// Where the tables of a kind stand.
    fn places(&mut self, tag: u16, components: u16) -> Result<Vec<u64>> {
        match self.directory.get(tag) {
            Some(entry) => self.file.numbers(entry, MAX_TABLES.min(components.into()), self.budget),
            None => Ok(Vec::new()),
        }
    }

    /// Reads tables of 64 steps each, and returns how many there are.
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

    /// Reads tables of sixteen counts and as many values as they say, and returns how many there are.
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
