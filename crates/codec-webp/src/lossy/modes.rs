//! The modes of prediction (RFC 6386 §11): of whole macroblocks, or of blocks of 4 × 4 pixels.

use raster::{Budget, Result};

use super::arithmetic::Arithmetic;
use super::header::Header;
use super::tables::MODES;

/// A mode for a whole macroblock, of luma or chroma.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whole {
    Mean,
    Above,
    Left,
    /// Left + above − above left.
    Gradient,
}

/// A mode for a block of 4 × 4 pixels, in the order of the tables of probabilities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Block {
    #[default]
    Mean,
    /// Left + above − above left.
    Gradient,
    Above,
    Left,
    LeftDown,
    RightDown,
    VerticalRight,
    VerticalLeft,
    HorizontalDown,
    HorizontalUp,
}

/// The modes of a macroblock's luma.
#[derive(Clone, Copy, Debug)]
pub(super) enum Luma {
    Whole(Whole),
    Blocks([Block; 16]),
}

/// A macroblock without its coefficients.
#[derive(Clone, Copy, Debug)]
pub(super) struct Macroblock {
    pub(super) segment: usize,
    pub(super) has_coefficients: bool,
    pub(super) luma: Luma,
    pub(super) chroma: Whole,
}

/// The modes of the blocks above and to the left of the next macroblock.
pub(super) struct Neighbours {
    above: Vec<[Block; 4]>,
    left: [Block; 4],
}

impl Neighbours {
    /// Creates the neighbours of the first macroblock; a row has `columns`.
    pub(super) fn new(columns: u64, budget: &Budget) -> Result<Self> {
        Ok(Self { above: budget.filled(columns, Default::default())?, left: Default::default() })
    }

    /// Begins a row of macroblocks.
    pub(super) fn begin_row(&mut self) {
        self.left = Default::default();
    }

    /// Reads the macroblock in column `x`.
    pub(super) fn read(&mut self, bits: &mut Arithmetic<'_>, header: &Header, x: usize) -> Macroblock {
        let segment = header.segment_tree.map_or(0, |[first, low, high]| {
            if bits.bit(first) { 2 + usize::from(bits.bit(high)) } else { bits.bit(low).into() }
        });
        let has_coefficients = header.coefficients.is_none_or(|probability| !bits.bit(probability));
        let luma = if bits.bit(145) {
            let mode = match bits.bit(156) {
                true if bits.bit(128) => Whole::Gradient,
                true => Whole::Left,
                false if bits.bit(163) => Whole::Above,
                false => Whole::Mean,
            };
            self.left = [mode.as_block(); 4];
            self.above[x] = self.left;
            Luma::Whole(mode)
        } else {
            Luma::Blocks(self.read_blocks(bits, x))
        };
        let chroma = match () {
            () if !bits.bit(142) => Whole::Mean,
            () if !bits.bit(114) => Whole::Above,
            () if bits.bit(183) => Whole::Gradient,
            () => Whole::Left,
        };
        Macroblock { segment, has_coefficients, luma, chroma }
    }

    fn read_blocks(&mut self, bits: &mut Arithmetic<'_>, x: usize) -> [Block; 16] {
        let mut modes = [Block::default(); 16];
        for (row, left) in modes.chunks_exact_mut(4).zip(&mut self.left) {
            for (mode, above) in row.iter_mut().zip(&mut self.above[x]) {
                *mode = Block::read(bits, &MODES[*above as usize][*left as usize]);
                (*left, *above) = (*mode, *mode);
            }
        }
        modes
    }
}

impl Whole {
    /// Returns the mode that the blocks of the macroblock have for their neighbours.
    const fn as_block(self) -> Block {
        match self {
            Self::Mean => Block::Mean,
            Self::Above => Block::Above,
            Self::Left => Block::Left,
            Self::Gradient => Block::Gradient,
        }
    }
}

impl Block {
    /// Reads a mode from the tree of modes (§8.1, §11.2).
    fn read(bits: &mut Arithmetic<'_>, probabilities: &[u8; 9]) -> Self {
        let mut bit = |n: usize| bits.bit(probabilities[n]);
        match () {
            () if !bit(0) => Self::Mean,
            () if !bit(1) => Self::Gradient,
            () if !bit(2) => Self::Above,
            () if bit(3) => match () {
                () if !bit(6) => Self::LeftDown,
                () if !bit(7) => Self::VerticalLeft,
                () if bit(8) => Self::HorizontalUp,
                () => Self::HorizontalDown,
            },
            () if !bit(4) => Self::Left,
            () if bit(5) => Self::VerticalRight,
            () => Self::RightDown,
        }
    }
}
