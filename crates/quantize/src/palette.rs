//! A palette to which pixels are mapped.

use raster::fibonacci_slot;

use crate::oklab::{Lab, Oklab, distance};
use crate::search::Search;

/// Answers that are remembered: a power of two.
const REMEMBERED: usize = 1 << 13;

/// Similar colours that are remembered for each colour. With twelve instead of six, files are 0.5 % smaller at most.
const SIMILAR: usize = 6;

/// Up to 256 colours, and the nearest of them to any other.
pub struct Palette {
    colors: Vec<[u8; 3]>,
    labs: Vec<Lab>,
    search: Search<3>,
    oklab: Oklab,
    /// The last answers, at places that follow from the colour that was asked for.
    answers: Vec<Option<Nearest>>,
    /// For each colour the indices of those that are nearest to it, nearest first, once they were asked for.
    similar: Vec<Option<[u8; SIMILAR]>>,
}

/// A colour of the palette that is the nearest to another.
#[derive(Clone, Copy)]
pub(crate) struct Nearest {
    wanted: [u8; 3],
    lab: Lab,
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
        let (search, similar) = (Search::new(&labs), vec![None; labs.len()]);
        Self { colors, labs, search, oklab, answers: vec![None; REMEMBERED], similar }
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
        let answer = &mut self.answers[fibonacci_slot(r << 16 | g << 8 | b, REMEMBERED)];
        match answer {
            Some(nearest) if nearest.wanted == wanted => *nearest,
            _ => {
                let lab = self.oklab.of(wanted);
                let (index, apart) = self.search.nearest(lab);
                *answer.insert(Nearest { wanted, lab, index, apart })
            }
        }
    }

    /// The square of the distance of the colour that was wanted and another.
    #[inline]
    pub(crate) fn apart(&mut self, wanted: &Nearest, other: [u8; 3]) -> f32 {
        if wanted.wanted == other { 0.0 } else { distance(wanted.lab, self.find(other).lab) }
    }

    /// Other colours that are further from the wanted one than the nearest. The squares of both distances differ by at
    /// most `tolerance`.
    pub(crate) fn similar(&mut self, nearest: &Nearest, tolerance: f32) -> impl Iterator<Item = u8> {
        let (labs, index) = (&self.labs, nearest.index);
        let others = *self.similar[usize::from(index)].get_or_insert_with(|| closest(labs, index));
        let (wanted, most) = (nearest.lab, nearest.apart + tolerance);
        let is_close = move |other: &u8| distance(wanted, labs[usize::from(*other)]) <= most;
        others.into_iter().filter(move |&other| other != index).filter(is_close)
    }
}

/// The colours that are nearest to one of them; that colour itself in the places that are left.
fn closest(labs: &[Lab], index: u8) -> [u8; SIMILAR] {
    let mut found = [(f32::INFINITY, index); SIMILAR];
    for (&lab, other) in labs.iter().zip(0..=255).filter(|(_, other)| *other != index) {
        let apart = distance(labs[usize::from(index)], lab);
        let place = found.partition_point(|&(distance, _)| distance <= apart);
        if place < SIMILAR {
            found[place..].rotate_right(1);
            found[place] = (apart, other);
        }
    }
    found.map(|(_, other)| other)
}
