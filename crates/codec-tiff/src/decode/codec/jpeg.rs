//! JPEG: each segment is decoded through codec-jpeg's interface for abbreviated streams.

use codec_jpeg::{Abbreviated, StreamRows};
use raster::{Budget, ByteSource, Result, Size, Spliced};

use super::decompress::{Decompress, Segment};
use crate::decode::grid::Span;
use crate::decode::jpeg::Streams;
use crate::error::{Cause, unsupported};

/// An end-of-image marker.
const END: [u8; 2] = [0xFF, 0xD9];

/// The number of pixels by which a stream may exceed its segment: encoders pad to whole blocks.
const PADDING: u32 = 64;

pub(super) struct JpegSegments<'a> {
    source: &'a dyn ByteSource,
    streams: Streams,
    /// The number of samples in a pixel, and of bits in a sample.
    samples: (usize, u16),
    budget: Budget,
    decoded: Option<Decoded<'a>>,
    /// The position of the current stream.
    at: u64,
}

/// A decoded stream.
struct Decoded<'a> {
    rows: StreamRows<'a>,
    /// The budget that is charged for the samples as long as they are held.
    _memory: Budget,
}

impl<'a> JpegSegments<'a> {
    pub(super) fn new(source: &'a dyn ByteSource, streams: Streams, samples: (usize, u16), budget: &Budget) -> Self {
        let budget = budget.clone();
        Self { source, streams, samples, budget, decoded: None, at: 0 }
    }

    /// Returns the segment's stream: the common tables of the page, then the data of the segment.
    fn stream(&self, segment: &Segment) -> Result<Spliced<'a>> {
        let Span { at, len } = segment.span;
        match &self.streams {
            Streams::Abbreviated { tables, .. } => Ok(Spliced::new(tables.clone(), self.source, at, len)),
            // The length in the page's tags may be wrong; the end marker of the stream decides.
            Streams::Whole { at } => Ok(Spliced::new(Vec::new(), self.source, *at, u64::MAX)),
            Streams::Scans(headers) => {
                let mut start = [0; 16];
                let there = self.source.read_full_at(at, &mut start[..len.min(16) as usize])?;
                let (head, skipped) = headers.before(&start[..there], [segment.width, segment.rows], at)?;
                let data = Spliced::new(head, self.source, at + skipped, len.saturating_sub(skipped));
                // Without an end marker the decoder would treat a strip that ends in flat rows as truncated.
                Ok(data.followed_by(END.to_vec()))
            }
        }
    }

    /// Refuses a stream whose size or samples differ from the segment's.
    fn check(&self, segment: &Segment, size: Size, samples: (usize, u16)) -> Result<()> {
        let fits = |stream: u32, wanted: u32| stream <= wanted.saturating_add(PADDING);
        let is_whole_page = matches!(self.streams, Streams::Whole { .. });
        let is_high = !is_whole_page && !fits(size.height, segment.rows);
        if size.width < segment.width || !fits(size.width, segment.width) || is_high {
            return Err(Cause::Clash("the sizes of JPEG and TIFF").at(segment.span.at));
        }
        if samples != self.samples {
            return Err(unsupported("JPEG streams of other samples than the page's"));
        }
        Ok(())
    }
}

impl Decompress for JpegSegments<'_> {
    fn begin(&mut self, segment: &Segment) -> Result<()> {
        if matches!(self.streams, Streams::Whole { .. }) && self.decoded.is_some() {
            return Ok(());
        }
        (self.decoded, self.at) = (None, segment.span.at);
        let stream = self.stream(segment)?;
        let converts = matches!(self.streams, Streams::Abbreviated { is_ycbcr: true, .. });
        let jpeg = Abbreviated::open(stream, converts)?;
        self.check(segment, jpeg.size(), (jpeg.components(), jpeg.row_bits().into()))?;
        let memory = self.budget.scope();
        let rows = jpeg.decode(&memory)?;
        self.decoded = Some(Decoded { rows, _memory: memory });
        Ok(())
    }

    fn fill(&mut self, line: &mut [u8]) -> Result<()> {
        let Some(decoded) = &mut self.decoded else { return Err(Cause::DataEnds.at(self.at)) };
        if decoded.rows.read_row(line)? { Ok(()) } else { Err(Cause::DataEnds.at(self.at)) }
    }
}
