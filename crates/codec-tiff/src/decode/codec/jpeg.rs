//! JPEG: each piece is decoded whole, through codec-jpeg's door for abbreviated streams.

use codec_jpeg::{Abbreviated, StreamRows};
use raster::{Budget, ByteSource, Limits, Result};

use super::{Decompress, Input, Piece};
use crate::decode::jpeg::Jpeg;
use crate::error::{Cause, unsupported};

/// How pieces and streams belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Each piece is a stream but for its tables.
    New,
    /// One stream for all pieces, which are strips, in order.
    OldWhole,
    /// Each piece has entropy-coded data alone; luma is sampled by these factors.
    OldPieces { factors: [u8; 2] },
}

pub(super) struct JpegPieces<'a> {
    source: &'a dyn ByteSource,
    input: Input<'a>,
    setup: Jpeg,
    style: Style,
    components: usize,
    budget: Budget,
    charged: u64,
    /// The stream, made whole.
    stream: Vec<u8>,
    rows: Option<StreamRows>,
}

impl<'a> JpegPieces<'a> {
    pub(super) fn new(
        source: &'a dyn ByteSource,
        input: Input<'a>,
        setup: Jpeg,
        (style, components): (Style, u16),
        budget: &Budget,
    ) -> Self {
        Self {
            source,
            input,
            setup,
            style,
            components: components.into(),
            budget: budget.clone(),
            charged: 0,
            stream: Vec::new(),
            rows: None,
        }
    }

    fn charge(&mut self, need: u64) -> Result<()> {
        self.budget.charge(need.saturating_sub(self.charged))?;
        self.charged = self.charged.max(need);
        Ok(())
    }

    /// Puts the piece's stream together.
    fn collect(&mut self, piece: &Piece) -> Result<()> {
        self.stream.clear();
        self.stream.extend(&self.setup.tables);
        let at =
            if self.style == Style::OldWhole { self.setup.stream.map_or(0, |span| span.at) } else { piece.span.at };
        if let Style::OldPieces { factors } = self.style {
            let side =
                |pixels: u32| u16::try_from(pixels).map_err(|_| Cause::Clash("the sizes of JPEG and TIFF").at(at));
            let sides = [side(piece.width)?, side(piece.rows)?];
            self.setup.headers(sides, self.components as u8, factors, &mut self.stream);
        }
        // A page's stream may go on behind the length it gives; its own end is what counts.
        let len = if self.style == Style::OldWhole { u64::MAX } else { piece.span.len };
        self.input.begin(at, len);
        let len = self.input.left();
        self.charge(self.stream.len() as u64 + len)?;
        let head = self.stream.len();
        self.stream.resize(head + len as usize, 0);
        let there = self.source.read_full_at(at, &mut self.stream[head..])?;
        self.stream.truncate(head + there);
        Ok(())
    }
}

impl Decompress for JpegPieces<'_> {
    fn begin(&mut self, piece: &Piece) -> Result<()> {
        if self.style == Style::OldWhole && self.rows.is_some() {
            return Ok(());
        }
        self.rows = None;
        self.collect(piece)?;
        let jpeg = Abbreviated::open(&self.stream, self.setup.is_ycbcr)?;
        let at = piece.span.at;
        let (size, need) = (jpeg.size(), jpeg.memory());
        let rows = if self.style == Style::OldWhole { 1 } else { piece.rows };
        // Streams may be filled up to whole blocks, no further.
        let is_far_off = size.width < piece.width || size.width > piece.width + 64;
        if is_far_off || (self.style != Style::OldWhole && size.height > rows + 64) {
            return Err(Cause::Clash("the sizes of JPEG and TIFF").at(at));
        }
        if jpeg.components() != self.components {
            return Err(unsupported("JPEG streams of other components than the page's"));
        }
        let held = self.stream.len() as u64;
        self.budget.charge((held + need).saturating_sub(self.charged))?;
        self.charged = self.charged.max(held + need);
        self.rows = Some(jpeg.decode(&Budget::new(&Limits { memory: need }))?);
        Ok(())
    }

    fn fill(&mut self, line: &mut [u8]) -> Result<()> {
        if !self.rows.as_mut().is_some_and(|rows| rows.read_row(line)) {
            return Err(Cause::DataEnds.at(self.input.position()));
        }
        Ok(())
    }
}
