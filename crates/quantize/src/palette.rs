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
    /// The last answers, at places that follow from the colour that was asked for. A place without one has the answer
    /// for black, which belongs to the first.
    answers: Vec<Nearest>,
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
        let black = Nearest::new([0; 3], &oklab, &search);
        Self { colors, labs, search, oklab, answers: vec![black; REMEMBERED], similar }
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
        if answer.wanted != wanted {
            *answer = Nearest::new(wanted, &self.oklab, &self.search);
        }
        *answer
    }

    /// The square of the distance of the colour that was wanted and another.
    #[inline]
    pub(crate) fn apart(&mut self, wanted: &Nearest, other: [u8; 3]) -> f32 {
        if wanted.wanted == other { 0.0 } else { distance(wanted.lab, self.find(other).lab) }
    }

    /// Another colour that is further from the wanted one than the nearest and for which `holds` is true, or nothing.
    /// The squares of both distances differ by at most `tolerance`.
    pub(crate) fn similar(&mut self, nearest: &Nearest, tolerance: f32, holds: impl Fn(u8) -> bool) -> Option<u8> {
        let (labs, search, index) = (&self.labs, &self.search, nearest.index);
        let others = *self.similar[usize::from(index)].get_or_insert_with(|| closest(labs, search, index));
        let (wanted, most) = (nearest.lab, nearest.apart + tolerance);
        let is_close = |other: u8| distance(wanted, labs[usize::from(other)]) <= most;
        others.into_iter().find(|&other| other != index && holds(other) && is_close(other))
    }
}

impl Nearest {
    #[cold]
    fn new(wanted: [u8; 3], oklab: &Oklab, search: &Search<3>) -> Self {
        let lab = oklab.of(wanted);
        let (index, apart) = search.nearest(lab);
        Self { wanted, lab, index, apart }
    }
}

/// The colours that are nearest to one of them; that colour itself in the places that are left. Of colours at the same
/// distance the first come first.
fn closest(labs: &[Lab], search: &Search<3>, index: u8) -> [u8; SIMILAR] {
    let mut found = [(f32::INFINITY, index); SIMILAR];
    search.around(labs[usize::from(index)], |other, apart| {
        if other != index && (apart, other) < found[SIMILAR - 1] {
            let place = found.partition_point(|&known| known <= (apart, other));
            found[place..].rotate_right(1);
            found[place] = (apart, other);
        }
        found[SIMILAR - 1].0
    });
    found.map(|(_, other)| other)
}
