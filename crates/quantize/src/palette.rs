//! A palette to which pixels are mapped.

use raster::fibonacci_slot;

use crate::coder::{Coder, candidate};
use crate::oklab::{Lab, Oklab, distance};
use crate::search::Search;

/// Answers that are remembered: a power of two.
const REMEMBERED: usize = 1 << 13;

/// Similar colours that are remembered for each colour. With twelve instead of six, files are 0.5 % smaller at most.
const SIMILAR: usize = 6;

/// Red, green, blue and a fourth byte, which is 0.
pub(crate) type Rgb0 = [u8; 4];

/// Up to 256 colours, and the nearest of them to any other.
pub struct Palette {
    colors: Vec<[u8; 3]>,
    /// The same colours, and black ones behind them.
    padded: Box<[Rgb0; 256]>,
    labs: Vec<Lab>,
    search: Search<3>,
    oklab: Oklab,
    /// The last answers, at slots that follow from the colour that was asked for: that colour, and the index in the
    /// highest byte. A slot without one has the answer for black, which belongs to the first.
    answers: Box<[u32; REMEMBERED]>,
    /// The places of these colours.
    places: Box<[Place; REMEMBERED]>,
    /// For each colour those that are nearest to it, once they were asked for.
    similar: Box<[Option<Similar>; 256]>,
}

/// Where a colour is, and the square of its distance from the nearest one of the palette.
#[derive(Clone, Copy)]
struct Place {
    lab: Lab,
    apart: f32,
}

/// A colour of the palette that is the nearest to another.
#[derive(Clone, Copy)]
pub(crate) struct Nearest {
    /// The place of the other colour.
    pub(crate) lab: Lab,
    pub(crate) index: u8,
    /// The square of its distance.
    pub(crate) apart: f32,
}

/// The colours that are nearest to one of the palette.
#[derive(Clone, Copy)]
struct Similar {
    /// Their indices, nearest first; the colour's own in the places that are left.
    others: [u8; SIMILAR],
    /// The bits of the others, as in [`Coder::candidates`].
    candidates: u64,
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
        let mut padded = Box::new([[0; 4]; 256]);
        padded.iter_mut().zip(&colors).for_each(|(padded, &[r, g, b])| *padded = [r, g, b, 0]);
        let labs: Vec<Lab> = colors.iter().map(|&color| oklab.of(color)).collect();
        let search = Search::new(&labs);
        let lab = oklab.of([0; 3]);
        let (index, apart) = search.nearest(lab);
        Self {
            colors,
            padded,
            labs,
            search,
            oklab,
            answers: Box::new([u32::from(index) << 24; REMEMBERED]),
            places: Box::new([Place { lab, apart }; REMEMBERED]),
            similar: Box::new([None; 256]),
        }
    }

    /// The colours, by index.
    #[must_use]
    pub fn colors(&self) -> &[[u8; 3]] {
        &self.colors
    }

    #[inline(always)]
    pub(crate) fn color(&self, index: u8) -> Rgb0 {
        self.padded[usize::from(index)]
    }

    /// The index of the colour that is nearest.
    pub fn nearest(&mut self, [r, g, b]: [u8; 3]) -> u8 {
        self.find([r, g, b, 0]).index
    }

    #[inline(always)]
    pub(crate) fn find(&mut self, wanted: Rgb0) -> Nearest {
        let key = u32::from_le_bytes(wanted);
        let slot = fibonacci_slot(key, REMEMBERED);
        if self.answers[slot] & 0xFF_FFFF != key {
            self.answer(wanted, slot);
        }
        let (index, Place { lab, apart }) = ((self.answers[slot] >> 24) as u8, self.places[slot]);
        Nearest { lab, index, apart }
    }

    /// Finds the answer for a colour.
    #[cold]
    fn answer(&mut self, [r, g, b, _]: Rgb0, slot: usize) {
        let lab = self.oklab.of([r, g, b]);
        let (index, apart) = self.search.nearest(lab);
        self.answers[slot % REMEMBERED] = u32::from_le_bytes([r, g, b, index]);
        self.places[slot % REMEMBERED] = Place { lab, apart };
    }

    /// Gives the coder another colour that is further from the wanted one than the nearest and which continues the
    /// coder's string, and returns its index, or nothing. The squares of both distances differ by at most `tolerance`.
    #[inline]
    pub(crate) fn similar(&mut self, nearest: &Nearest, tolerance: f32, coder: &mut impl Coder) -> Option<u8> {
        let (labs, search, index) = (&self.labs, &self.search, nearest.index);
        let known = &mut self.similar[usize::from(index)];
        let Similar { others, candidates } = *known.get_or_insert_with(|| Similar::new(labs, search, index));
        let candidates = candidates & coder.candidates();
        if candidates == 0 {
            return None;
        }
        let (wanted, most) = (nearest.lab, nearest.apart + tolerance);
        let is_close = |other: u8| distance(wanted, labs[usize::from(other)]) <= most;
        let may_follow = |other: u8| other != index && candidates & candidate(other) != 0;
        others.into_iter().find(|&other| may_follow(other) && is_close(other) && coder.extend(other))
    }
}

impl Similar {
    #[cold]
    fn new(labs: &[Lab], search: &Search<3>, index: u8) -> Self {
        let others = closest(labs, search, index);
        let bits = others.iter().filter(|&&other| other != index).map(|&other| candidate(other));
        Self { others, candidates: bits.fold(0, |all, one| all | one) }
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
