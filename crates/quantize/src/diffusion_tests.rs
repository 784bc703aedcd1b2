//! Error diffusion compared with its slow reference.

use std::collections::BTreeSet;

use super::*;
use crate::coder::candidate;
use raster::Limits;
use testkit::generate::Lcg;

/// A compressor that knows only strings of one index.
struct Only(u8);

impl Coder for Only {
    fn candidates(&self) -> u64 {
        candidate(self.0)
    }

    fn extend(&mut self, index: u8) -> bool {
        index == self.0
    }

    fn restart(&mut self, _index: u8) {}
}

/// A compressor that keeps its strings as they are.
#[derive(Default)]
struct Strings {
    known: BTreeSet<Vec<u8>>,
    current: Vec<u8>,
}

impl Strings {
    fn with(&self, index: u8) -> Vec<u8> {
        [&self.current[..], &[index]].concat()
    }

    fn continues(&self, index: u8) -> bool {
        self.known.contains(&self.with(index))
    }
}

impl Coder for Strings {
    fn candidates(&self) -> u64 {
        (0..=255).filter(|&index| self.continues(index)).map(candidate).fold(0, |all, one| all | one)
    }

    fn extend(&mut self, index: u8) -> bool {
        let continues = self.continues(index);
        if continues {
            self.current.push(index);
        }
        continues
    }

    fn restart(&mut self, index: u8) {
        assert!(!self.continues(index));
        self.known.insert(self.with(index));
        self.current = vec![index];
    }
}

/// The slow reference: two rows of errors, and every decision by itself.
struct Slow {
    current: Vec<[i32; 3]>,
    below: Vec<[i32; 3]>,
    tolerance: f32,
}

impl Slow {
    fn row(&mut self, palette: &mut Palette, wanted: &[[u8; 4]], shown: &[[u8; 4]], coder: &mut Strings) -> Vec<u8> {
        let mut indices = Vec::new();
        for (x, (pixel, &[r, g, b, seen])) in wanted.iter().zip(shown).enumerate() {
            let shows = [r, g, b, 0];
            let keep = palette.colors().len() as u8;
            let choices = match pixel[3] {
                0 => {
                    let is_same = |index: &u8| seen != 0 && palette.color(*index) == shows;
                    [keep].into_iter().chain((0..keep).filter(is_same)).collect()
                }
                _ => self.choices(palette, self.target(x, *pixel), (shows, seen != 0)),
            };
            let taken = choices.iter().copied().find(|&index| coder.extend(index));
            let index = taken.unwrap_or(choices[0]);
            if taken.is_none() {
                coder.restart(index);
            }
            if pixel[3] != 0 {
                self.hand_on(x, self.target(x, *pixel), if index == keep { shows } else { palette.color(index) });
            }
            indices.push(index);
        }
        self.current = std::mem::replace(&mut self.below, vec![[0; 3]; wanted.len() + 2]);
        indices
    }

    fn target(&self, x: usize, pixel: [u8; 4]) -> [i32; 3] {
        std::array::from_fn(|i| (i32::from(pixel[i]) * 256 + self.current[x + 1][i]).clamp(0, 65_280))
    }

    /// Returns the best index, and those that are taken instead if they continue a string.
    fn choices(&self, palette: &mut Palette, target: [i32; 3], (shows, is_seen): (Rgb0, bool)) -> Vec<u8> {
        let keep = palette.colors().len() as u8;
        let [r, g, b] = target.map(|value| ((value + 128) / 256) as u8);
        let nearest = palette.find([r, g, b, 0]);
        let most = nearest.apart + self.tolerance * self.tolerance;
        let mut apart = |color: Rgb0| distance(nearest.lab, palette.find(color).lab);
        let best = if is_seen && apart(shows) <= most { keep } else { nearest.index };
        let labs: Vec<_> = (0..keep).map(|index| palette.find(palette.color(index)).lab).collect();
        let from_nearest = |&index: &u8| distance(labs[usize::from(nearest.index)], labs[usize::from(index)]);
        let mut others: Vec<u8> = (0..keep).filter(|&other| other != nearest.index).collect();
        others.sort_by(|a, b| from_nearest(a).total_cmp(&from_nearest(b)));
        let may_be = |&other: &u8| self.tolerance > 0.0 && distance(nearest.lab, labs[usize::from(other)]) <= most;
        [best].into_iter().chain(others.into_iter().take(6).filter(may_be)).collect()
    }

    fn hand_on(&mut self, x: usize, target: [i32; 3], chosen: Rgb0) {
        for i in 0..3 {
            let error = (target[i] - i32::from(chosen[i]) * 256) * 10 / 16;
            self.current[x + 2][i] += error * 7 / 16;
            self.below[x][i] += error * 3 / 16;
            self.below[x + 1][i] += error * 5 / 16;
            self.below[x + 2][i] += error / 16;
        }
    }
}

#[test]
fn random_rows_give_the_indices_of_the_slow_reference() {
    let mut random = Lcg::new(11);
    let width = 60;
    for (colors, tolerance) in [(2, 0.0), (5, 0.03), (40, 0.015), (200, 0.02)] {
        let mut color = || [0; 3].map(|_: u8| random.next_byte() / 3 + 90);
        let mut palette = Palette::new(&(0..colors).map(|_| color()).collect::<Vec<_>>());
        let mut fast = Diffusion::new(width as u32, tolerance, &Budget::new(&Limits::default())).unwrap();
        let zeros = || vec![[0; 3]; width + 2];
        let mut slow = Slow { current: zeros(), below: zeros(), tolerance };
        let (mut one, mut other) = (Strings::default(), Strings::default());
        for _ in 0..25 {
            // Flat areas, pixels that stay, and pixels with nothing or a colour of the palette below them.
            let mut wanted = vec![[120, 130, 140, 255]; width];
            let mut shown = vec![[0; 4]; width];
            for (wanted, shown) in wanted.iter_mut().zip(&mut shown) {
                let [r, g, b] = [0; 3].map(|_: u8| random.next_byte() / 3 + 90);
                match random.next_byte() % 4 {
                    0 => *wanted = [0; 4],
                    1 | 2 => *wanted = [r, g, b, 255],
                    _ => {}
                }
                let [r, g, b, _] = palette.color(random.next_byte() % palette.colors().len() as u8);
                if random.next_byte() < 150 {
                    *shown = [r, g, b, 255];
                }
            }
            let mut indices = vec![0; width];
            let row = Row { wanted: &wanted, shown: &shown, keep: colors, indices: &mut indices };
            fast.row(&mut palette, row, &mut one);
            assert_eq!(indices, slow.row(&mut palette, &wanted, &shown, &mut other));
        }
    }
}

fn indices(wanted: u8, shown: [u8; 4], tolerance: f32, known: u8) -> u8 {
    let mut palette = Palette::new(&[[100; 3], [103; 3], [200; 3]]);
    let mut indices = [0];
    let row = Row { wanted: &[[wanted, wanted, wanted, 255]], shown: &[shown], keep: 3, indices: &mut indices };
    let mut diffusion = Diffusion::new(1, tolerance, &Budget::new(&Limits::default())).unwrap();
    diffusion.row(&mut palette, row, &mut Only(known));
    indices[0]
}

#[test]
fn a_similar_color_is_taken_where_it_needs_no_code() {
    assert_eq!(indices(100, [0; 4], 0.02, 1), 1);
    assert_eq!(indices(100, [0; 4], 0.02, 2), 0, "too far away");
    assert_eq!(indices(100, [0; 4], 0.0, 1), 0, "no tolerance");
    assert_eq!(indices(100, [0; 4], 0.02, 0), 0, "the nearest is known, too");
}

#[test]
fn a_pixel_stays_where_it_is_close_enough() {
    let shown = |code: u8| [code, code, code, 255];
    assert_eq!(indices(100, shown(102), 0.02, 3), 3);
    assert_eq!(indices(100, shown(102), 0.0, 3), 0);
    assert_eq!(indices(101, shown(101), 0.0, 2), 3, "closer than the palette");
    assert_eq!(indices(100, [102, 102, 102, 0], 0.02, 3), 0, "nothing is shown");
}
