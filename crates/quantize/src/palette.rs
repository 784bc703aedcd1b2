//! A palette to which pixels are mapped.

use crate::oklab::{Lab, Oklab, distance};
use crate::search::Search;

/// Answers that are remembered: a power of two.
const REMEMBERED: usize = 1 << 13;

/// Up to 256 colours, and the nearest of them to any other.
pub struct Palette {
    colors: Vec<[u8; 3]>,
    search: Search,
    oklab: Oklab,
    /// The last answers, at places that follow from the colour that was asked for.
    answers: Vec<Option<Nearest>>,
}

/// A colour of the palette that is the nearest to another.
#[derive(Clone, Copy)]
pub(crate) struct Nearest {
    wanted: [u8; 3],
    pub(crate) index: u8,
    /// The square of its distance.
    pub(crate) apart: f32,
}

impl Palette {
    /// A palette of 1 to 256 colours; more are left out.
    #[must_use]
    pub fn new(colors: &[[u8; 3]]) -> Self {
        let oklab = Oklab::new();
        let mut colors = colors.to_vec();
        colors.truncate(256);
        if colors.is_empty() {
            colors.push([0; 3]);
        }
        let labs: Vec<Lab> = colors.iter().map(|&color| oklab.of(color)).collect();
        Self { colors, search: Search::new(&labs), oklab, answers: vec![None; REMEMBERED] }
    }

    /// The colours, by index.
    #[must_use]
    pub fn colors(&self) -> &[[u8; 3]] {
        &self.colors
    }

    /// The index of the colour that is nearest.
    pub fn nearest(&mut self, wanted: [u8; 3]) -> u8 {
        self.find(wanted).index
    }

    #[inline]
    pub(crate) fn find(&mut self, wanted: [u8; 3]) -> Nearest {
        let [r, g, b] = wanted.map(u32::from);
        let hash = (r << 16 | g << 8 | b).wrapping_mul(0x9E37_79B1) >> (u32::BITS - REMEMBERED.ilog2());
        let answer = &mut self.answers[hash as usize];
        match answer {
            Some(nearest) if nearest.wanted == wanted => *nearest,
            _ => {
                let (index, apart) = self.search.nearest(self.oklab.of(wanted));
                *answer.insert(Nearest { wanted, index, apart })
            }
        }
    }

    /// The square of the distance of two colours.
    pub(crate) fn apart(&self, a: [u8; 3], b: [u8; 3]) -> f32 {
        if a == b { 0.0 } else { distance(self.oklab.of(a), self.oklab.of(b)) }
    }
}
