//! VP8, the lossy bitstream (RFC 6386), decoded one row of macroblocks after the other. The pixels are those of
//! libwebp, byte for byte.
//!
//! A macroblock is predicted from the pixels above and to its left before they are filtered, so the last row of each
//! row of macroblocks is kept unfiltered. The filter changes up to three rows above a row of macroblocks, and chroma is
//! interpolated between rows; therefore rows are returned half a row of macroblocks late.

mod arithmetic;
mod color;
mod filter;
mod header;
mod modes;
mod partitions;
mod predict;
mod residual;
mod tables;
mod tokens;
mod transform;

use raster::bytes::WINDOW;
use raster::{Budget, ByteSource, Result, Size};

use crate::chunk::{Chunk, uint24};
use crate::error::Cause;
use arithmetic::Arithmetic;
use filter::{FilterKind, Filtered, Plane, filter_normal, filter_simple};
use header::Header;
use modes::{Block, Luma, Macroblock, Neighbours};
use predict::{ABOVE_PICTURE, Area, LEFT, LEFT_OF_PICTURE, Place, predict_block, predict_whole};
use residual::{Context, Residual, ResidualReader};
use tokens::Tokens;
use transform::add_inverse_dct;

/// The bytes before the first partition.
const HEADER_LEN: u64 = 10;
/// The sides of a macroblock in the three planes.
const SIDES: [usize; 3] = [16, 8, 8];
/// The rows of luma that are returned late.
const LATE: usize = 8;

/// A decoder of one picture.
pub(crate) struct Decoder<'a> {
    size: Size,
    /// The number of macroblocks in a row.
    columns: usize,
    header: Header,
    tokens: Tokens,
    first: Arithmetic<'a>,
    partitions: Vec<Arithmetic<'a>>,
    neighbours: Neighbours,
    /// Whether the blocks above and to the left have coefficients.
    above: Vec<Context>,
    left: Context,
    planes: [Strip; 3],
    filtered: Vec<Filtered>,
    /// A row of chroma with the columns of luma.
    interpolated: [Vec<u8>; 2],
    /// The number of rows of macroblocks decoded.
    decoded: usize,
    /// The number of rows returned.
    next: usize,
    /// The offset of the data.
    at: u64,
}

/// The rows of a plane that are being decoded: those of the macroblocks before, and those of the current ones.
struct Strip {
    /// The side of a macroblock, and the number of rows of each half.
    side: usize,
    stride: usize,
    pixels: Vec<u8>,
    /// The last row before, not filtered.
    above: Vec<u8>,
    /// The current macroblock with its neighbours.
    area: Area,
}

impl<'a> Decoder<'a> {
    /// Reads the header of the bitstream in a `VP8 ` chunk.
    ///
    /// # Errors
    /// `Malformed` when it is damaged, `Limit` when the budget is too small for [`Decoder::memory`], `Io`.
    pub(crate) fn new(source: &'a dyn ByteSource, data: Chunk, size: Size, budget: &Budget) -> Result<Self> {
        let mut tag = [0; 3];
        source.read_full_at(data.at, &mut tag)?;
        let first_at = data.at + HEADER_LEN;
        let first_len = u64::from(uint24(tag) >> 5);
        let end = (data.at + u64::from(data.len)).min(source.byte_len());
        let lengths_at = first_at + first_len;
        if lengths_at > end {
            return Err(Cause::Data("the first partition ends early").at(data.at));
        }
        budget.charge(WINDOW as u64)?;
        let mut first = Arithmetic::new(source, first_at, first_len);
        let header = Header::read(&mut first);
        if !first.check()? {
            return Err(Cause::Data("the first partition ends early").at(data.at));
        }
        let columns = size.width.div_ceil(16);
        let plane = |side: usize| Strip::new(side, columns as usize, budget);
        let interpolated = || budget.filled(size.width.next_multiple_of(2).into(), 0);
        Ok(Self {
            size,
            columns: columns as usize,
            tokens: Tokens::new(&header.tokens),
            partitions: partitions::read(source, lengths_at..end, header.partitions, budget)?,
            header,
            first,
            neighbours: Neighbours::new(columns.into(), budget)?,
            above: budget.filled(columns.into(), Context::default())?,
            left: Context::default(),
            planes: [plane(SIDES[0])?, plane(SIDES[1])?, plane(SIDES[2])?],
            filtered: budget.filled(columns.into(), Filtered::default())?,
            interpolated: [interpolated()?, interpolated()?],
            decoded: 0,
            next: 0,
            at: data.at,
        })
    }

    /// Returns the bytes that a decoder holds at most: the rows, and the windows over up to nine partitions.
    pub(crate) fn memory(size: Size) -> u64 {
        u64::from(size.width.div_ceil(16)) * 1024 + 9 * WINDOW as u64
    }

    /// Writes the next row as RGB.
    ///
    /// # Errors
    /// `Malformed` when the data are damaged or end early, `Io`.
    pub(crate) fn next_row(&mut self, into: &mut [u8]) -> Result<()> {
        let height = self.size.height as usize;
        while self.next + LATE >= 16 * self.decoded && 16 * self.decoded < height {
            self.decode_macroblocks()?;
        }
        let row = self.next;
        self.next += 1;
        let [luma, chroma @ ..] = &self.planes;
        let base = self.decoded - 1;
        let last = height.div_ceil(2) - 1;
        let near = row / 2;
        let far = if row.is_multiple_of(2) { near.saturating_sub(1) } else { (near + 1).min(last) };
        let width = self.size.width as usize;
        let samples = width.div_ceil(2);
        for (plane, into) in chroma.iter().zip(&mut self.interpolated) {
            color::interpolate(&plane.row(near, base)[..samples], &plane.row(far, base)[..samples], into);
        }
        color::convert(&luma.row(row, base)[..width], self.interpolated.each_ref().map(Vec::as_slice), into);
        Ok(())
    }

    /// Decodes and filters the next row of macroblocks.
    fn decode_macroblocks(&mut self) -> Result<()> {
        let y = self.decoded;
        self.planes.iter_mut().for_each(|plane| plane.begin_row(y > 0));
        self.neighbours.begin_row();
        self.left = Context::default();
        for x in 0..self.columns {
            let macroblock = self.neighbours.read(&mut self.first, &self.header, x);
            let residual = self.read_residual(&macroblock, x);
            let in_blocks = matches!(macroblock.luma, Luma::Blocks(_));
            self.filtered[x] = Filtered {
                strength: self.header.segments[macroblock.segment].filter[usize::from(in_blocks)],
                inside: in_blocks || residual.is_some(),
            };
            self.reconstruct(&macroblock, residual.as_ref(), Place { has_above: y > 0, has_left: x > 0 }, x);
        }
        let partition = y % self.partitions.len();
        if !self.first.check()? || !self.partitions[partition].check()? {
            return Err(Cause::Data("a partition ends early").at(self.at));
        }
        self.planes.iter_mut().for_each(Strip::keep_last_row);
        self.filter(y > 0);
        self.decoded += 1;
        Ok(())
    }

    /// Reads the coefficients of a macroblock, if it has any that are not 0.
    fn read_residual(&mut self, macroblock: &Macroblock, x: usize) -> Option<Residual> {
        let in_blocks = matches!(macroblock.luma, Luma::Blocks(_));
        let above = &mut self.above[x];
        if !macroblock.has_coefficients {
            let keep = |context: &Context| Context { direct: in_blocks && context.direct, ..Context::default() };
            (*above, self.left) = (keep(above), keep(&self.left));
            return None;
        }
        let partition = self.decoded % self.partitions.len();
        let segment = &self.header.segments[macroblock.segment];
        let reader = ResidualReader { tokens: &self.tokens, bits: &mut self.partitions[partition], segment };
        let residual = reader.read(in_blocks, above, &mut self.left);
        residual.is_set.contains(&true).then_some(residual)
    }

    /// Predicts a macroblock, adds its coefficients, and puts it into the strips.
    fn reconstruct(&mut self, macroblock: &Macroblock, residual: Option<&Residual>, place: Place, x: usize) {
        let [luma, chroma @ ..] = &mut self.planes;
        luma.begin_macroblock(place, x, self.columns);
        match &macroblock.luma {
            Luma::Whole(mode) => {
                predict_whole::<16>(&mut luma.area, *mode, place);
                (0..16).for_each(|n| add_block(&mut luma.area, n, 4, residual.map(|residual| (residual, n))));
            }
            Luma::Blocks(modes) => predict_in_blocks(&mut luma.area, modes, residual),
        }
        luma.end_macroblock(x);
        for (plane, first) in chroma.iter_mut().zip([16, 20]) {
            plane.begin_macroblock(place, x, self.columns);
            predict_whole::<8>(&mut plane.area, macroblock.chroma, place);
            (0..4).for_each(|n| add_block(&mut plane.area, n, 2, residual.map(|residual| (residual, first + n))));
            plane.end_macroblock(x);
        }
    }

    /// Filters the current row of macroblocks.
    fn filter(&mut self, has_above: bool) {
        if self.header.filter == FilterKind::None {
            return;
        }
        for (x, &filtered) in self.filtered.iter().enumerate().filter(|(_, filtered)| filtered.strength.level > 0) {
            let has = [x > 0, has_above];
            let [luma, chroma @ ..] = &mut self.planes;
            let start = luma.start(x);
            if self.header.filter == FilterKind::Simple {
                filter_simple(&mut luma.plane(), start, has, filtered);
                continue;
            }
            filter_normal::<16>(&mut luma.plane(), start, has, filtered);
            for plane in chroma {
                let start = plane.start(x);
                filter_normal::<8>(&mut plane.plane(), start, has, filtered);
            }
        }
    }
}

/// Adds the coefficients of block number `n` of a macroblock with so many blocks in a row.
fn add_block(area: &mut Area, n: usize, in_row: usize, residual: Option<(&Residual, usize)>) {
    if let Some((residual, number)) = residual.filter(|(residual, number)| residual.is_set[*number]) {
        add_inverse_dct(&residual.blocks[number], area, 4 * (n % in_row), 4 * (n / in_row));
    }
}

/// Predicts block by block. The blocks at the right edge have the pixels above and to the right of the macroblock.
fn predict_in_blocks(area: &mut Area, modes: &[Block; 16], residual: Option<&Residual>) {
    for y in [4, 8, 12] {
        let (above, rows) = area.split_at_mut(1);
        rows[y - 1][LEFT + 16..][..4].copy_from_slice(&above[0][LEFT + 16..][..4]);
    }
    for (n, &mode) in modes.iter().enumerate() {
        predict_block(area, 4 * (n % 4), 4 * (n / 4), mode);
        add_block(area, n, 4, residual.map(|residual| (residual, n)));
    }
}

impl Strip {
    fn new(side: usize, columns: usize, budget: &Budget) -> Result<Self> {
        let stride = side * columns;
        let pixels = budget.filled((2 * side * stride) as u64, 0)?;
        let above = budget.filled(stride as u64, ABOVE_PICTURE)?;
        Ok(Self { side, stride, pixels, above, area: [[0; 32]; 17] })
    }

    /// Returns a row of the plane, when `base` is the number of the current row of macroblocks.
    fn row(&self, y: usize, base: usize) -> &[u8] {
        &self.pixels[(y + self.side - self.side * base) * self.stride..][..self.stride]
    }

    /// Returns the index of the first pixel of the macroblock in column `x`.
    const fn start(&self, x: usize) -> usize {
        self.side * (self.stride + x)
    }

    fn plane(&mut self) -> Plane<'_> {
        Plane { pixels: &mut self.pixels, stride: self.stride }
    }

    /// Makes the current rows those before.
    fn begin_row(&mut self, has_above: bool) {
        self.pixels.copy_within(self.side * self.stride.., 0);
        let corner = if has_above { LEFT_OF_PICTURE } else { ABOVE_PICTURE };
        self.area.iter_mut().for_each(|row| row[LEFT - 1] = LEFT_OF_PICTURE);
        self.area[0][LEFT - 1] = corner;
    }

    /// Puts the pixels around a macroblock into the area.
    fn begin_macroblock(&mut self, place: Place, x: usize, columns: usize) {
        let side = self.side;
        if place.has_left {
            for row in &mut self.area[..=side] {
                row[LEFT - 1] = row[LEFT + side - 1];
            }
        }
        let start = side * x;
        self.area[0][LEFT..][..side].copy_from_slice(&self.above[start..][..side]);
        let right = &mut self.area[0][LEFT + side..][..4];
        if x + 1 < columns {
            right.copy_from_slice(&self.above[start + side..][..4]);
        } else {
            right.fill(self.above[start + side - 1]);
        }
    }

    /// Copies the macroblock from the area.
    fn end_macroblock(&mut self, x: usize) {
        let start = self.start(x);
        for (row, into) in self.area[1..].iter().zip(self.pixels[start..].chunks_mut(self.stride)).take(self.side) {
            into[..self.side].copy_from_slice(&row[LEFT..][..self.side]);
        }
    }

    /// Keeps the last row before it is filtered.
    fn keep_last_row(&mut self) {
        let last = self.pixels.len() - self.stride;
        self.above.copy_from_slice(&self.pixels[last..]);
    }
}
