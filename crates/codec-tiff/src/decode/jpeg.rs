//! What a page says about its JPEG streams (TIFF 6.0 §22, technical note 2), and the streams made whole from it.

use raster::{Budget, Result};

use super::grid::Span;
use super::ifd::{Directory, Ifds};
use crate::error::Cause;
use crate::tag;

/// Tables of one kind in a page of the old style.
const MAX_TABLES: u64 = 4;

/// What strips and tiles leave out.
#[derive(Clone, Debug, Default)]
pub(super) struct Jpeg {
    /// Segments of tables behind a start-of-image marker, without an end.
    pub(super) tables: Vec<u8>,
    /// Whether three components are YCbCr that the decoder is to turn to red, green and blue. Of the old style they are
    /// handed out as they are.
    pub(super) is_ycbcr: bool,
    /// The old style: pixels across and down that share one chroma sample.
    pub(super) factors: [u8; 2],
    /// The old style: a whole stream of the page in one place, where there is one.
    pub(super) stream: Option<Span>,
}

impl Jpeg {
    /// The new style: tables in a field of their own, abbreviated streams in the pieces.
    ///
    /// # Errors
    /// `Io`, `Limit`.
    pub(super) fn read(ifds: &mut Ifds<'_>, directory: &Directory, is_ycbcr: bool, budget: &Budget) -> Result<Self> {
        let mut tables = Vec::new();
        if let Some(entry) = directory.get(tag::JPEG_TABLES) {
            tables = ifds.bytes(entry, 1 << 17)?;
            budget.charge(tables.len() as u64)?;
        }
        if tables.ends_with(&[0xFF, 0xD9]) {
            tables.truncate(tables.len() - 2);
        }
        Ok(Self { tables, is_ycbcr, ..Self::default() })
    }

    /// The old style: a stream for the page, or tables one by one and entropy-coded data in the pieces.
    ///
    /// # Errors
    /// `Malformed`, `Io`.
    pub(super) fn read_old(
        ifds: &mut Ifds<'_>,
        directory: &Directory,
        components: u16,
        is_ycbcr: bool,
    ) -> Result<Self> {
        let stream = ifds.number_of(directory, tag::JPEG_INTERCHANGE)?.filter(|&at| at > 0);
        if let Some(at) = stream {
            let len = ifds.number_of(directory, tag::JPEG_INTERCHANGE_LENGTH)?.unwrap_or(0);
            return Ok(Self { stream: Some(Span { at, len }), ..Self::default() });
        }
        let mut old = Old { ifds, directory, bytes: vec![0xFF, 0xD8] };
        old.quantization(components)?;
        old.huffman(tag::JPEG_DC_TABLES, 0x00, components)?;
        old.huffman(tag::JPEG_AC_TABLES, 0x10, components)?;
        if let Some(interval) = old.ifds.number_of(directory, tag::JPEG_RESTART_INTERVAL)?.filter(|&i| i > 0) {
            old.segment(0xDD, &(interval as u16).to_be_bytes());
        }
        let factors = match directory.get(tag::YCBCR_SUBSAMPLING) {
            Some(entry) if is_ycbcr => old.ifds.numbers(entry, 2)?,
            _ if is_ycbcr => vec![2, 2],
            _ => Vec::new(),
        };
        let factor = |i: usize| factors.get(i).copied().filter(|f| matches!(f, 1 | 2 | 4)).unwrap_or(1) as u8;
        Ok(Self { tables: old.bytes, factors: [factor(0), factor(1)], ..Self::default() })
    }

    /// Appends the frame and scan headers that pieces of the old style lack, for `size` pixels and luma sampled by
    /// `factors`.
    pub(super) fn headers(&self, [width, height]: [u16; 2], components: u8, factors: [u8; 2], into: &mut Vec<u8>) {
        let mut frame = vec![8];
        frame.extend(height.to_be_bytes());
        frame.extend(width.to_be_bytes());
        frame.push(components);
        let mut scan = vec![components];
        for i in 0..components {
            let sampling = if i == 0 { factors[0] << 4 | factors[1] } else { 0x11 };
            frame.extend([i + 1, sampling, i]);
            scan.extend([i + 1, i << 4 | i]);
        }
        scan.extend([0, 63, 0]);
        segment(into, 0xC0, &frame);
        segment(into, 0xDA, &scan);
    }
}

fn segment(into: &mut Vec<u8>, code: u8, payload: &[u8]) {
    into.extend([0xFF, code]);
    into.extend((payload.len() as u16 + 2).to_be_bytes());
    into.extend(payload);
}

/// Tables of the old style on their way into segments.
struct Old<'t, 'a> {
    ifds: &'t mut Ifds<'a>,
    directory: &'t Directory,
    bytes: Vec<u8>,
}

impl Old<'_, '_> {
    fn segment(&mut self, code: u8, payload: &[u8]) {
        segment(&mut self.bytes, code, payload);
    }

    /// Where the tables of a kind stand.
    fn places(&mut self, tag: u16, components: u16) -> Result<Vec<u64>> {
        match self.directory.get(tag) {
            Some(entry) => self.ifds.numbers(entry, MAX_TABLES.min(components.into())),
            None => Ok(Vec::new()),
        }
    }

    fn cut(&self, at: u64) -> raster::Error {
        Cause::Data("a JPEG table is cut".into()).at(at)
    }

    fn quantization(&mut self, components: u16) -> Result<()> {
        for (i, at) in self.places(tag::JPEG_Q_TABLES, components)?.into_iter().enumerate() {
            let steps = self.ifds.bytes_at(at, 64)?;
            if steps.len() < 64 {
                return Err(self.cut(at));
            }
            self.segment(0xDB, &[&[i as u8], &steps[..]].concat());
        }
        Ok(())
    }

    /// Sixteen counts, then as many values as they say.
    fn huffman(&mut self, tag: u16, class: u8, components: u16) -> Result<()> {
        for (i, at) in self.places(tag, components)?.into_iter().enumerate() {
            let counts = self.ifds.bytes_at(at, 16)?;
            let values: u64 = counts.iter().map(|&count| u64::from(count)).sum();
            let table = self.ifds.bytes_at(at, 16 + values)?;
            if counts.len() < 16 || (table.len() as u64) < 16 + values {
                return Err(self.cut(at));
            }
            self.segment(0xC4, &[&[class | i as u8], &table[..]].concat());
        }
        Ok(())
    }
}
