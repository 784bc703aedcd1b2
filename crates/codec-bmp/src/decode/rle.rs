//! Run-length codes: RLE8, RLE4 and OS/2's RLE24.
//!
//! A row of the picture can begin anywhere in the code, and a delta may enter it at any column. One pass at opening
//! stores where each row begins, so that a bottom-up picture can be read from its last row backwards. Pixels that the
//! code skips are black, as in Chromium 156. (Other readers use the first colour of the palette, or transparency.)

use raster::{Budget, Result, Window};

use super::header::RunLength;
use super::palette::Palette;

impl RunLength {
    /// Returns the bytes of a run's value.
    const fn value_len(self) -> usize {
        if matches!(self, Self::Rle24) { 3 } else { 1 }
    }

    /// Returns the bytes of `count` literal pixels, padded to 16 bits.
    fn literal_len(self, count: u8) -> usize {
        let bytes = match self {
            Self::Rle4 => usize::from(count).div_ceil(2),
            Self::Rle8 => count.into(),
            Self::Rle24 => usize::from(count) * 3,
        };
        bytes.next_multiple_of(2)
    }

    /// Returns pixel `i` of a run (`literal` false) or of literal pixels.
    #[inline]
    fn color(self, palette: &Palette, values: &[u8], i: usize, literal: bool) -> [u8; 4] {
        let step = if literal { i } else { 0 };
        match self {
            Self::Rle8 => palette.0[usize::from(values[step])],
            // Each byte has two indices, the left pixel's in the upper half. A run alternates between both.
            Self::Rle4 => palette.0[usize::from(values[step / 2] >> (4 * (1 - i % 2)) & 15)],
            Self::Rle24 => [values[3 * step + 2], values[3 * step + 1], values[3 * step], 255],
        }
    }
}

/// One instruction of the code.
#[derive(Clone, Copy, Debug)]
enum Instruction {
    /// A run of pixels of one value; in RLE4 of two alternating values.
    Run(u8, [u8; 3]),
    /// A number of pixels, and the offset of their values.
    Literal(u8, u64),
    EndOfRow,
    EndOfPicture,
    /// The number of pixels and of rows to skip, in the order of the file.
    Delta(u8, u8),
}

/// A reader of the code's instructions.
struct Instructions<'w, 'a> {
    window: &'w mut Window<'a>,
    code: RunLength,
    at: u64,
}

impl Instructions<'_, '_> {
    /// Returns the next instruction, or `None` when the file ends before or inside it.
    fn next(&mut self) -> Result<Option<Instruction>> {
        let Some(&[count, value]) = self.take(2)?.and_then(|bytes| bytes.first_chunk()) else { return Ok(None) };
        Ok(match (count, value) {
            (0, 0) => Some(Instruction::EndOfRow),
            (0, 1) => Some(Instruction::EndOfPicture),
            (0, 2) => self.take(2)?.map(|delta| Instruction::Delta(delta[0], delta[1])),
            (0, count) => {
                let (at, len) = (self.at, self.code.literal_len(count));
                self.take(len)?.map(|_| Instruction::Literal(count, at))
            }
            (count, value) => {
                let mut values = [value, 0, 0];
                let more = self.code.value_len() - 1;
                self.take(more)?.map(|bytes| {
                    values[1..=more].copy_from_slice(bytes);
                    Instruction::Run(count, values)
                })
            }
        })
    }

    fn take(&mut self, len: usize) -> Result<Option<&[u8]>> {
        let at = self.at;
        if at + len as u64 > self.window.file_len() {
            return Ok(None);
        }
        self.at += len as u64;
        self.window.bytes(at, len).map(Some)
    }
}

/// The start of a row: 16 bytes for each row of the picture.
#[derive(Clone, Copy, Debug)]
struct RowStart {
    /// The offset of its first instruction; 0 for a row without any.
    at: u64,
    /// The number of pixels to its left that a delta skipped.
    x: u32,
}

/// The rows of a run-length coded file.
pub(super) struct RleRows<'a> {
    window: Window<'a>,
    code: RunLength,
    palette: Palette,
    starts: Vec<RowStart>,
    /// The offset behind the last instruction.
    end: u64,
    /// The number of complete rows, in the order of the file, when the file ends before its code.
    cut: Option<u32>,
}

/// The size of the picture and the position of its code; rows count in the order of the file.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) code: RunLength,
    pub(super) width: u32,
    pub(super) height: u32,
    /// The offset of the first instruction.
    pub(super) at: u64,
}

impl<'a> RleRows<'a> {
    /// Reads the whole code once. Each instruction has at least two bytes, so the loop ends with the file.
    pub(super) fn index(window: Window<'a>, shape: Shape, palette: Palette, budget: &Budget) -> Result<Self> {
        let Shape { code, width, height, at } = shape;
        let starts = budget.filled(height.into(), RowStart { at: 0, x: 0 })?;
        let mut rows = Self { window, code, palette, starts, end: at, cut: None };
        let mut steps = Instructions { window: &mut rows.window, code, at };
        let (mut x, mut y) = (0u32, 0u32);
        rows.starts[0] = RowStart { at, x };
        loop {
            let (right, down) = match steps.next()? {
                Some(Instruction::Run(count, _) | Instruction::Literal(count, _)) => {
                    // Some writers let a run extend beyond the row; its rest is ignored.
                    x = x.saturating_add(count.into()).min(width);
                    continue;
                }
                Some(Instruction::EndOfRow) => {
                    x = 0;
                    (0, 1)
                }
                Some(Instruction::Delta(right, down)) => (right, down),
                Some(Instruction::EndOfPicture) => break,
                None => {
                    rows.cut = Some(y + u32::from(x == width));
                    break;
                }
            };
            x = x.saturating_add(right.into()).min(width);
            y = y.saturating_add(down.into());
            if y >= height {
                break;
            }
            if down > 0 {
                rows.starts[y as usize] = RowStart { at: steps.at, x };
            }
        }
        rows.end = steps.at;
        rows.cut = rows.cut.filter(|&complete| complete < height);
        Ok(rows)
    }

    pub(super) const fn cut(&self) -> Option<u32> {
        self.cut
    }

    pub(super) fn palette_is_gray(&self) -> bool {
        self.code != RunLength::Rle24 && self.palette.is_gray()
    }

    /// Reads row `y` in the order of the file as pixels of `pixel_bytes` bytes: 1 for grey, 3 for colour.
    pub(super) fn read(&mut self, y: u32, row: &mut [u8], pixel_bytes: usize) -> Result<()> {
        row.fill(0);
        let [RowStart { at, x }, later @ ..] = &self.starts[y as usize..] else { return Ok(()) };
        if *at == 0 {
            return Ok(());
        }
        let end = later.iter().find(|start| start.at != 0).map_or(self.end, |start| start.at);
        let mut left = row.get_mut(*x as usize * pixel_bytes..).unwrap_or_default();
        self.window.hold(*at, end)?;
        let mut steps = Instructions { window: &mut self.window, code: self.code, at: *at };
        while !left.is_empty() {
            let (count, values, literal): (u8, &[u8], bool) = match steps.next()? {
                Some(Instruction::Run(count, ref values)) => (count, &{ *values }, false),
                Some(Instruction::Literal(count, at)) => {
                    (count, steps.window.bytes(at, self.code.literal_len(count))?, true)
                }
                Some(Instruction::Delta(right, 0)) => {
                    left = left.split_at_mut((usize::from(right) * pixel_bytes).min(left.len())).1;
                    continue;
                }
                _ => break,
            };
            let (now, rest) = left.split_at_mut((usize::from(count) * pixel_bytes).min(left.len()));
            for (i, pixel) in now.chunks_exact_mut(pixel_bytes).enumerate() {
                pixel.copy_from_slice(&self.code.color(&self.palette, values, i, literal)[..pixel_bytes]);
            }
            left = rest;
        }
        Ok(())
    }
}
