//! The header of a scan (T.81 B.2.3).

use super::frame::FrameHead;
use crate::error::Cause;

/// The header of a scan.
pub(super) struct ScanHead {
    pub(super) selectors: Vec<Selector>,
    /// The first and the last coefficient in zigzag order; in lossless pictures the number of the prediction, and 0.
    pub(super) band: [u8; 2],
    /// The number of low bits that the previous scan of these coefficients left out, and that this one leaves out.
    pub(super) approximation: [u8; 2],
}

/// A component of a scan and its tables.
pub(super) struct Selector {
    /// Its place in the frame.
    pub(super) component: usize,
    pub(super) dc_table: u8,
    pub(super) ac_table: u8,
}

impl ScanHead {
    /// Parses the payload of an SOS segment.
    ///
    /// # Errors
    /// The defect of the header.
    pub(super) fn parse(payload: &[u8], frame: &FrameHead) -> Result<Self, Cause> {
        const WRONG: Cause = Cause::Segment("scan header");
        let (&count, rest) = payload.split_first().ok_or(WRONG)?;
        let (named, rest) = rest.split_at_checked(2 * usize::from(count)).ok_or(WRONG)?;
        let (1..=4, &[first, last, bits, ..]) = (count, rest) else { return Err(WRONG) };
        let mut selectors: Vec<Selector> = Vec::new();
        for &[id, tables] in named.as_chunks().0 {
            let is_new = |place: &usize| selectors.iter().all(|selector| selector.component != *place);
            let mut places = (0..frame.components.len()).filter(|&place| frame.components[place].id == id);
            let component = places.find(is_new).ok_or(Cause::Missing("a component of the scan"))?;
            selectors.push(Selector { component, dc_table: tables >> 4, ac_table: tables & 15 });
        }
        Ok(Self { selectors, band: [first, last], approximation: [bits >> 4, bits & 15] })
    }
}

/// The kind of a scan. `low` is the number of low bits that it leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// All of all coefficients, as in sequential pictures.
    Sequential,
    /// Differences from a prediction, 1 to 7, as in lossless pictures.
    Lossless { predictor: u8, low: u32 },
    /// The high bits of the first coefficient.
    DcFirst { low: u32 },
    /// The next bit of the first coefficient.
    DcRefinement { low: u32 },
    /// The high bits of a band of other coefficients.
    AcFirst { band: Band, low: u32 },
    /// The next bit of such a band.
    AcRefinement { band: Band, low: u32 },
}

/// The numbers of the first and the last coefficient of a band in zigzag order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Band {
    pub(super) first: usize,
    pub(super) last: usize,
}

impl Band {
    /// Returns the numbers of its coefficients as bits; none if the last one stands before the first one.
    #[inline(always)]
    pub(super) const fn numbers(self) -> u64 {
        if self.first > self.last { 0 } else { u64::MAX >> (63 - self.last) & u64::MAX << self.first }
    }
}

impl Pass {
    /// Returns the kind of a progressive scan (G.1.1.1.1).
    ///
    /// # Errors
    /// The defect of its header.
    pub(super) fn new(head: &ScanHead) -> Result<Self, Cause> {
        let ([first, last], [high, low]) = (head.band, head.approximation);
        let is_band = first <= last && last < 64 && head.selectors.len() == 1;
        let is_sound = if first == 0 { last == 0 } else { is_band };
        if !is_sound || low > 13 || (high != 0 && high - 1 != low) {
            return Err(Cause::Range("the progression of a scan"));
        }
        let band = Band { first: first.into(), last: last.into() };
        let low = low.into();
        Ok(match (first, high) {
            (0, 0) => Self::DcFirst { low },
            (0, _) => Self::DcRefinement { low },
            (_, 0) => Self::AcFirst { band, low },
            _ => Self::AcRefinement { band, low },
        })
    }

    /// Returns the kind of a lossless scan (H.1.2) of samples of `precision` bits.
    ///
    /// # Errors
    /// The defect of its header.
    pub(super) fn lossless(head: &ScanHead, precision: u8) -> Result<Self, Cause> {
        let ([predictor, _], [_, low]) = (head.band, head.approximation);
        if !(1..=7).contains(&predictor) || low >= precision {
            return Err(Cause::Range("the prediction of a scan"));
        }
        Ok(Self::Lossless { predictor, low: low.into() })
    }

    /// Returns the coefficients that are known to their last bit after this scan, the first one as the lowest bit.
    pub(super) const fn completed(self) -> u64 {
        match self {
            Self::Sequential | Self::Lossless { .. } => u64::MAX,
            Self::DcFirst { low: 0 } | Self::DcRefinement { low: 0 } => 1,
            Self::AcFirst { band, low: 0 } | Self::AcRefinement { band, low: 0 } => band.numbers(),
            _ => 0,
        }
    }

    /// Whether the scan has codes for first coefficients, or for differences.
    pub(super) const fn has_dc_codes(self) -> bool {
        matches!(self, Self::Sequential | Self::Lossless { .. } | Self::DcFirst { .. })
    }

    /// Whether the scan has no bits of first coefficients.
    pub(super) const fn has_no_first(self) -> bool {
        matches!(self, Self::AcFirst { .. } | Self::AcRefinement { .. })
    }

    /// Whether the scan has codes for other coefficients.
    pub(super) const fn has_ac_codes(self) -> bool {
        matches!(self, Self::Sequential | Self::AcFirst { .. } | Self::AcRefinement { .. })
    }
}
