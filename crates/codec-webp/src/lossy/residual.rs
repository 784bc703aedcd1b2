//! The coefficients of a macroblock, read from its partition.

use super::arithmetic::Arithmetic;
use super::header::Segment;
use super::tokens::{Block, Coefficients, Kind, Tokens};
use super::transform::inverse_walsh;

/// Which blocks at the edge of a macroblock have coefficients: of luma, of both chroma planes, and the block of direct
/// coefficients.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Context {
    pub(super) luma: [bool; 4],
    pub(super) chroma: [[bool; 2]; 2],
    pub(super) direct: bool,
}

/// The coefficients of a macroblock, and which blocks have any.
pub(super) struct Residual {
    pub(super) blocks: [Coefficients; 24],
    pub(super) is_set: [bool; 24],
}

/// Reads the coefficients of one macroblock.
pub(super) struct ResidualReader<'a, 'b> {
    pub(super) tokens: &'a Tokens,
    pub(super) bits: &'a mut Arithmetic<'b>,
    pub(super) segment: &'a Segment,
}

impl ResidualReader<'_, '_> {
    pub(super) fn read(mut self, in_blocks: bool, above: &mut Context, left: &mut Context) -> Residual {
        let mut residual = Residual { blocks: [[0; 16]; 24], is_set: [false; 24] };
        let kind = if in_blocks { Kind::Luma } else { self.read_direct(above, left, &mut residual) };
        let (luma, chroma) = residual.blocks.split_at_mut(16);
        let (luma_set, chroma_set) = residual.is_set.split_at_mut(16);
        self.read_blocks(kind, (&mut above.luma, &mut left.luma), luma, luma_set);
        for plane in 0..2 {
            let (blocks, set) = (&mut chroma[4 * plane..][..4], &mut chroma_set[4 * plane..][..4]);
            self.read_blocks(Kind::Chroma, (&mut above.chroma[plane], &mut left.chroma[plane]), blocks, set);
        }
        residual
    }

    /// Reads the direct coefficients of luma into its blocks. Returns the kind of these blocks.
    fn read_direct(&mut self, above: &mut Context, left: &mut Context, residual: &mut Residual) -> Kind {
        let mut direct = [0; 16];
        let context = usize::from(above.direct) + usize::from(left.direct);
        let block = Block { kind: Kind::Direct, context, factors: self.segment.direct };
        let end = self.tokens.read(self.bits, &block, &mut direct);
        (above.direct, left.direct) = (end > 0, end > 0);
        for (block, direct) in residual.blocks.iter_mut().zip(inverse_walsh(&direct)) {
            block[0] = direct;
        }
        Kind::LumaRest
    }

    /// Reads `SIDE` × `SIDE` blocks.
    fn read_blocks<const SIDE: usize>(
        &mut self,
        kind: Kind,
        (above, left): (&mut [bool; SIDE], &mut [bool; SIDE]),
        blocks: &mut [Coefficients],
        set: &mut [bool],
    ) {
        let factors = if matches!(kind, Kind::Chroma) { self.segment.chroma } else { self.segment.luma };
        for (n, (coefficients, is_set)) in blocks.iter_mut().zip(set).enumerate() {
            let (above, left) = (&mut above[n % SIDE], &mut left[n / SIDE]);
            let context = usize::from(*above) + usize::from(*left);
            let end = self.tokens.read(self.bits, &Block { kind, context, factors }, coefficients);
            let has_any = end > kind.first();
            (*above, *left) = (has_any, has_any);
            *is_set = end > 1 || coefficients[0] != 0;
        }
    }
}
