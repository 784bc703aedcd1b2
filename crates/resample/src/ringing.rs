//! The limit of ringing. The negative lobes of a kernel carry a result beyond the values that it is made of: dark and
//! bright lines along hard edges. Clamping each result to the range of the source pixels under its spans removes them,
//! and keeps the slope of the edge.
//!
//! Each channel is clamped alone, once, behind both passes. The passes find the smallest and the largest samples as
//! they find the sums: first of the columns, then of the rows. A turned picture thus gives the turned result.

use simd::F32x4;

use crate::kernel::Kernel;
use crate::strip::STRIP;
use crate::tile::{EMPTY, Tile};
use crate::weights::Span;

raster::choices! {
    /// The handling of ringing, the lines that a kernel with negative lobes draws along hard edges.
    pub enum Ringing: default Kept {
        /// Results are what the kernel gives.
        Kept = "kept",
        /// Each result is clamped to the range of the source pixels that it is made of.
        Limited = "limited",
    }
}

/// The function that makes a target pixel of source pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    /// The weights.
    pub kernel: Kernel,
    /// The handling of ringing.
    pub ringing: Ringing,
}

impl From<Kernel> for Filter {
    /// Returns the filter that keeps the kernel's ringing.
    fn from(kernel: Kernel) -> Self {
        Self { kernel, ringing: Ringing::Kept }
    }
}

impl Filter {
    /// Whether results are clamped. Without negative weights they are in the range already.
    pub(crate) fn is_clamped(self) -> bool {
        self.ringing == Ringing::Limited && self.kernel.has_negative_lobes()
    }
}

/// The smallest and the largest samples under the horizontal spans of a tile.
#[derive(Clone, Copy)]
pub(crate) struct Extremes {
    pub(crate) least: Tile,
    pub(crate) most: Tile,
}

impl Extremes {
    /// The value before it is computed.
    pub(crate) const UNSET: Self = Self { least: EMPTY, most: EMPTY };
}

/// The range of four samples each.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    least: [f32; 4],
    most: [f32; 4],
}

impl Limits {
    /// The value before a first row sets it.
    pub(crate) const UNSET: Self = Self { least: [0.0; 4], most: [0.0; 4] };
}

/// Widens the limits of a target row by the rows of a strip under its span. The strip begins at source row `base`. The
/// first row under the span sets the limits.
pub(crate) fn widen(span: Span<'_>, base: usize, strip: &Extremes, limits: &mut [Limits]) {
    let (first, end) = (span.start.max(base), span.end().min(base + STRIP));
    for row in first..end {
        let samples = strip.least[row - base].iter().zip(&strip.most[row - base]);
        for (limits, (&least, &most)) in limits.iter_mut().zip(samples) {
            if row == span.start {
                *limits = Limits { least, most };
            } else {
                F32x4::load(&least).min(F32x4::load(&limits.least)).store(&mut limits.least);
                F32x4::load(&most).max(F32x4::load(&limits.most)).store(&mut limits.most);
            }
        }
    }
}

/// Clamps a target row to its limits.
pub(crate) fn clamp(row: &mut [[f32; 4]], limits: &[Limits]) {
    for (samples, Limits { least, most }) in row.iter_mut().zip(limits) {
        F32x4::load(samples).clamp(F32x4::load(least), F32x4::load(most)).store(samples);
    }
}
