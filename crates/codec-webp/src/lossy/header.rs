//! The header of a frame (RFC 6386 §9), at the beginning of the first partition.

use super::arithmetic::Arithmetic;
use super::filter::{FilterKind, Strength};
use super::tables::{DIRECT_FACTORS, OTHER_FACTORS, TOKENS, TokenProbabilities, UPDATES};

/// The number of segments to which macroblocks may belong.
const SEGMENTS: usize = 4;

/// The factors of coefficients: direct, other.
pub(super) type Factors = [i32; 2];

/// What the macroblocks of a segment share.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Segment {
    pub(super) luma: Factors,
    /// Of the block that contains the direct coefficients of luma.
    pub(super) direct: Factors,
    pub(super) chroma: Factors,
    /// The strengths of the filter, for macroblocks predicted whole and in blocks.
    pub(super) filter: [Strength; 2],
}

/// The header of a frame.
pub(super) struct Header {
    /// The probabilities of the tree of segments, if macroblocks state theirs.
    pub(super) segment_tree: Option<[u8; 3]>,
    pub(super) segments: [Segment; SEGMENTS],
    pub(super) filter: FilterKind,
    /// The number of partitions with coefficients, as a power of two.
    pub(super) partitions: u32,
    pub(super) tokens: TokenProbabilities,
    /// The probability that a macroblock has coefficients, if macroblocks state whether they have.
    pub(super) coefficients: Option<u8>,
}

/// The values of segments before they are combined with those of the frame.
struct Segmentation {
    tree: Option<[u8; 3]>,
    is_absolute: bool,
    quantizers: [i32; SEGMENTS],
    levels: [i32; SEGMENTS],
}

/// The level of the filter, and its changes.
struct Levels {
    level: i32,
    sharpness: i32,
    /// Added for intra prediction, and for prediction in blocks.
    added: [i32; 2],
}

impl Header {
    pub(super) fn read(bits: &mut Arithmetic<'_>) -> Self {
        // Colour space and clamping.
        bits.number(2);
        let segmentation = Segmentation::read(bits);
        let is_simple = bits.flag();
        let levels = Levels::read(bits);
        let filter = match (levels.level, is_simple) {
            (0, _) => FilterKind::None,
            (_, true) => FilterKind::Simple,
            (_, false) => FilterKind::Normal,
        };
        let partitions = bits.number(2).into();
        let quantizers = Quantizers::read(bits);
        // Whether the probabilities are kept for later frames.
        bits.flag();
        let mut tokens = TOKENS;
        for (probability, update) in tokens
            .as_flattened_mut()
            .as_flattened_mut()
            .as_flattened_mut()
            .iter_mut()
            .zip(UPDATES.as_flattened().as_flattened().as_flattened())
        {
            if bits.bit(*update) {
                *probability = bits.number(8);
            }
        }
        let coefficients = bits.flag().then(|| bits.number(8));
        let segments = core::array::from_fn(|n| Segment {
            filter: [0, 1]
                .map(|blocks| levels.strength(segmentation.value(n, segmentation.levels, levels.level), blocks)),
            ..quantizers.segment(segmentation.value(n, segmentation.quantizers, quantizers.index))
        });
        Self { segment_tree: segmentation.tree, segments, filter, partitions, tokens, coefficients }
    }
}

impl Segmentation {
    fn read(bits: &mut Arithmetic<'_>) -> Self {
        let mut read = Self { tree: None, is_absolute: false, quantizers: [0; SEGMENTS], levels: [0; SEGMENTS] };
        if !bits.flag() {
            return read;
        }
        let (has_tree, has_values) = (bits.flag(), bits.flag());
        if has_values {
            read.is_absolute = bits.flag();
            read.quantizers = core::array::from_fn(|_| bits.optional(7));
            read.levels = core::array::from_fn(|_| bits.optional(6));
        }
        if has_tree {
            read.tree = Some(core::array::from_fn(|_| if bits.flag() { bits.number(8) } else { 255 }));
        }
        read
    }

    /// Returns a segment's value: its own, or the frame's with an addition.
    fn value(&self, segment: usize, values: [i32; SEGMENTS], frame: i32) -> i32 {
        if self.is_absolute { values[segment] } else { frame + values[segment] }
    }
}

impl Levels {
    fn read(bits: &mut Arithmetic<'_>) -> Self {
        let (level, sharpness) = (bits.number(6).into(), bits.number(3).into());
        let mut added = [0; 2];
        if bits.flag() && bits.flag() {
            let [intra, _, _, _] = [(); 4].map(|()| bits.optional(6));
            let [blocks, _, _, _] = [(); 4].map(|()| bits.optional(6));
            added = [intra, blocks];
        }
        Self { level, sharpness, added }
    }

    /// Returns the strength of the filter (§9.6, §15.2). `blocks` is 1 for macroblocks that are predicted in blocks.
    fn strength(&self, level: i32, blocks: i32) -> Strength {
        let [intra, in_blocks] = self.added;
        let level = (level + intra + in_blocks * blocks).clamp(0, 63);
        let mut interior = match self.sharpness {
            0 => level,
            1..=4 => level >> 1,
            _ => level >> 2,
        };
        if self.sharpness > 0 {
            interior = interior.min(9 - self.sharpness);
        }
        let variance = match level {
            40.. => 2,
            15.. => 1,
            _ => 0,
        };
        Strength { level, interior: interior.max(1), variance }
    }
}

/// The index of a frame's factors, and the additions for kinds of coefficients.
struct Quantizers {
    index: i32,
    luma_direct: i32,
    direct: [i32; 2],
    chroma: [i32; 2],
}

impl Quantizers {
    fn read(bits: &mut Arithmetic<'_>) -> Self {
        let index = bits.number(7).into();
        let [luma_direct, a, b, c, d] = [(); 5].map(|()| bits.optional(4));
        Self { index, luma_direct, direct: [a, b], chroma: [c, d] }
    }

    /// Returns the factors (§14.1) for a segment's index.
    fn segment(&self, index: i32) -> Segment {
        let direct = |added: i32, most: i32| i32::from(DIRECT_FACTORS[(index + added).clamp(0, most) as usize]);
        let other = |added: i32| i32::from(OTHER_FACTORS[(index + added).clamp(0, 127) as usize]);
        Segment {
            luma: [direct(self.luma_direct, 127), other(0)],
            direct: [2 * direct(self.direct[0], 127), (other(self.direct[1]) * 155 / 100).max(8)],
            chroma: [direct(self.chroma[0], 117), other(self.chroma[1])],
            filter: [Strength::default(); 2],
        }
    }
}
