//! Palettes of still pictures, whose pixels may have any alpha.
//!
//! Flat areas stay flat: a colour that the palette contains is never changed by error diffusion. Opaque pixels stay
//! opaque, transparent ones stay transparent, and others stay between.

use raster::{Budget, Result, fibonacci_slot};

use crate::clusters::{Point, clusters};
use crate::diffusion::{Errors, rounded};
use crate::oklab::Oklab;
use crate::search::Search;

/// Red, green, blue and straight alpha.
type Color = [u8; 4];

/// A colour as a point. On a grey background, alpha α changes the lightness L to αL + (1 - α)B, where B is the
/// background's. The mean over all backgrounds of the squared difference of two such colours is the squared distance of
/// their points (α(L - ½), αa, αb, α/√12).
type Place = [f32; 4];

/// The length of the fourth axis: 1/√12.
const ALPHA: f32 = 0.288_675_13;

/// The fourth coordinate of opaque colours, and the negative one of transparent colours. It is far from all others, so
/// that neither shares an entry with other colours.
const FAR: f32 = 1.9;

/// The slots of the table, a power of two, and the largest number of cells in it.
const SLOTS: usize = 1 << 16;
const MOST_CELLS: usize = SLOTS / 2;

/// The largest number of pixels that a cell counts, so that sums of codes fit.
const MOST_PIXELS: u32 = u32::MAX / 255;

/// The number of answers that are remembered, a power of two.
const REMEMBERED: usize = 1 << 13;

/// Returns the slot of a colour in a table.
fn slot(color: Color, slots: usize) -> usize {
    fibonacci_slot(u32::from_le_bytes(color), slots)
}

/// Colours that are close to each other, counted together.
#[derive(Clone, Copy, Default)]
struct Cell {
    key: Color,
    /// The number of pixels; 0 for a free cell.
    count: u32,
    sums: [u32; 4],
}

impl Cell {
    fn add(&mut self, other: &Self) {
        if self.count.saturating_add(other.count) <= MOST_PIXELS {
            self.count += other.count;
            self.sums.iter_mut().zip(other.sums).for_each(|(sum, more)| *sum += more);
        }
    }

    fn mean(&self) -> Color {
        self.sums.map(|sum| ((u64::from(sum) + u64::from(self.count / 2)) / u64::from(self.count.max(1))) as u8)
    }
}

/// Counts the colours of a picture: each by itself, or in cells if they are many.
pub struct AlphaHistogram {
    cells: Vec<Cell>,
    used: usize,
    /// The number of low bits that colours of one cell need not share. It grows whenever the table is full.
    coarseness: u32,
    /// The colour of the last pixel and its cell.
    last: Option<(Color, usize)>,
    oklab: Oklab,
}

impl AlphaHistogram {
    /// Creates an empty histogram.
    ///
    /// # Errors
    /// `Limit` when the budget is too small for the table, 1.5 MiB, and the points made of it.
    pub fn new(budget: &Budget) -> Result<Self> {
        budget.charge(MOST_CELLS as u64 * 2 * size_of::<Point<4>>() as u64)?;
        let cells = budget.filled(SLOTS as u64, Cell::default())?;
        Ok(Self { cells, used: 0, coarseness: 0, last: None, oklab: Oklab::new() })
    }

    /// Counts a pixel.
    #[inline]
    pub fn add(&mut self, color: Color) {
        let one = Cell { key: color, count: 1, sums: color.map(u32::from) };
        match self.last {
            Some((last, at)) if last == color => self.cells[at].add(&one),
            _ => {
                let at = self.insert(&one);
                self.last = Some((color, at));
            }
        }
    }

    /// Adds a cell to the one with the same key, and returns the slot of that.
    fn insert(&mut self, cell: &Cell) -> usize {
        loop {
            let key = self.key(cell.key);
            let mut at = slot(key, SLOTS);
            while self.cells[at].count > 0 && self.cells[at].key != key {
                at = (at + 1) % SLOTS;
            }
            if self.cells[at].count == 0 {
                if self.used == MOST_CELLS {
                    self.coarsen();
                    continue;
                }
                self.used += 1;
                self.cells[at].key = key;
            }
            self.cells[at].add(cell);
            return at;
        }
    }

    /// Returns the key of a colour's cell. Opaque and transparent colours share no cell with others.
    fn key(&self, [r, g, b, alpha]: Color) -> Color {
        let cut = |code: u8| code >> self.coarseness << self.coarseness;
        let alpha = if matches!(alpha, 0 | 255) { alpha } else { cut(alpha).max(1) };
        [cut(r), cut(g), cut(b), alpha]
    }

    /// Makes cells of twice the width.
    fn coarsen(&mut self) {
        self.coarseness += 1;
        let mut kept: Vec<Cell> = self.counted().copied().collect();
        self.cells.fill(Cell::default());
        self.used = 0;
        for cell in kept.drain(..) {
            self.insert(&cell);
        }
    }

    fn counted(&self) -> impl Iterator<Item = &Cell> {
        self.cells.iter().filter(|cell| cell.count > 0)
    }

    /// Returns at most `most` colours, at least three, that are close to those counted. A colour of a flat area is
    /// contained exactly.
    #[must_use]
    pub fn palette(&self, most: usize) -> Vec<Color> {
        let point = |cell: &Cell| Point { color: place(&self.oklab, cell.mean()), weight: cell.count as f32 };
        let centers = clusters(&mut self.counted().map(point).collect::<Vec<_>>(), most.max(3));
        let search = Search::new(&centers);
        // For each cluster the number of its pixels, and the cell with most of them.
        let mut shares = vec![(0_u64, Cell::default()); centers.len()];
        for cell in self.counted() {
            let (all, largest) = &mut shares[usize::from(search.nearest(place(&self.oklab, cell.mean())).0)];
            *all += u64::from(cell.count);
            if cell.count > largest.count {
                *largest = *cell;
            }
        }
        let color = |(center, (all, largest)): (&Place, &(u64, Cell))| match u64::from(largest.count) * 2 > *all {
            true => largest.mean(),
            false => color(*center),
        };
        centers.iter().zip(&shares).map(color).collect()
    }
}

fn place(oklab: &Oklab, [r, g, b, alpha]: Color) -> Place {
    match alpha {
        0 => [0.0, 0.0, 0.0, -FAR],
        _ => {
            let [lightness, x, y] = oklab.of([r, g, b]);
            let opacity = f32::from(alpha) / 255.0;
            let last = if alpha == 255 { FAR } else { opacity * ALPHA };
            [opacity * (lightness - 0.5), opacity * x, opacity * y, last]
        }
    }
}

/// Returns the colour of a point.
fn color([lightness, x, y, last]: Place) -> Color {
    if last < 0.0 {
        return [0; 4];
    }
    let is_opaque = last > 1.0;
    let opacity = if is_opaque { 1.0 } else { (last / ALPHA).clamp(1.0 / 255.0, 254.0 / 255.0) };
    let [r, g, b] = Oklab::to_color([lightness / opacity + 0.5, x / opacity, y / opacity]);
    [r, g, b, (opacity * 255.0 + 0.5) as u8]
}

/// Maps the rows of a picture to a palette, top to bottom.
pub struct AlphaPalette {
    colors: Vec<Color>,
    search: Search<4>,
    oklab: Oklab,
    /// The last answers, at places that follow from the colour.
    answers: Vec<Option<(Color, u8)>>,
    errors: Errors,
}

impl AlphaPalette {
    /// Creates a palette of 1 to 256 colours for rows of `width` pixels. Further colours are ignored.
    ///
    /// # Errors
    /// `Limit` when the budget is too small for two rows of errors.
    pub fn new(colors: &[Color], width: u32, budget: &Budget) -> Result<Self> {
        let oklab = Oklab::new();
        let colors = match colors.len() {
            0 => vec![[0; 4]],
            count => colors[..count.min(256)].to_vec(),
        };
        let places: Vec<Place> = colors.iter().map(|color| place(&oklab, *color)).collect();
        let (search, answers) = (Search::new(&places), vec![None; REMEMBERED]);
        Ok(Self { colors, search, oklab, answers, errors: Errors::new(width, budget)? })
    }

    /// Replaces the pixels of a row by colours of the palette. The difference of an opaque pixel is added to its
    /// neighbours, unless the palette contains their colours.
    pub fn map(&mut self, row: &mut [Color]) {
        let mut errors = core::mem::take(&mut self.errors);
        let mut wave = errors.start();
        for pixel in row {
            let mut chosen = self.nearest(*pixel);
            if chosen != *pixel && pixel[3] == 255 {
                let target = wave.target([pixel[0], pixel[1], pixel[2], 0]);
                let [r, g, b, _] = rounded(target);
                chosen = self.nearest([r, g, b, 255]);
                wave.hand_on(target, [chosen[0], chosen[1], chosen[2], 0]);
            } else {
                wave.skip();
            }
            *pixel = chosen;
        }
        wave.end();
        self.errors = errors;
    }

    fn nearest(&mut self, wanted: Color) -> Color {
        let answer = &mut self.answers[slot(wanted, REMEMBERED)];
        let index = match answer {
            Some((color, index)) if *color == wanted => *index,
            _ => {
                let (index, _) = self.search.nearest(place(&self.oklab, wanted));
                *answer = Some((wanted, index));
                index
            }
        };
        self.colors[usize::from(index)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::Limits;
    use testkit::generate::Lcg;

    fn palette(colors: impl IntoIterator<Item = Color>, most: usize) -> Vec<Color> {
        let mut histogram = AlphaHistogram::new(&Budget::new(&Limits::default())).unwrap();
        colors.into_iter().for_each(|color| histogram.add(color));
        histogram.palette(most)
    }

    fn mapped(colors: &[Color], palette: &[Color]) -> Vec<Color> {
        let budget = Budget::new(&Limits::default());
        let mut row = colors.to_vec();
        AlphaPalette::new(palette, row.len() as u32, &budget).unwrap().map(&mut row);
        row
    }

    fn noise(count: usize, alpha: impl Fn(u8) -> u8) -> Vec<Color> {
        let mut random = Lcg::new(3);
        (0..count).map(|_| [0; 4].map(|_: u8| random.next_byte())).map(|[r, g, b, a]| [r, g, b, alpha(a)]).collect()
    }

    #[test]
    fn every_color_comes_back_from_its_point() {
        let oklab = Oklab::new();
        for wanted in noise(1000, |alpha| alpha | 128) {
            assert_eq!(color(place(&oklab, wanted)), wanted);
        }
        assert_eq!(color(place(&oklab, [9, 9, 9, 0])), [0; 4]);
    }

    /// 200,000 colours are too many for the table.
    #[test]
    fn opaque_and_transparent_pixels_stay_so_and_others_stay_between() {
        let pixels = noise(200_000, |alpha| if alpha < 20 { 0 } else { alpha.saturating_add(9) });
        let palette = palette(pixels.iter().copied(), 256);
        assert_eq!(palette.len(), 256);
        let kind = |color: &Color| (color[3] == 0, color[3] == 255);
        for (pixel, shown) in pixels.iter().zip(mapped(&pixels, &palette)) {
            assert_eq!(kind(pixel), kind(&shown), "{pixel:?} became {shown:?}");
        }
    }

    /// The largest picture that codecs hold has 11 million pixels.
    #[test]
    fn one_pixel_that_is_almost_opaque_keeps_its_alpha() {
        let pixels = std::iter::repeat_n([200, 30, 30, 255], 12_000_000).chain([[200, 30, 30, 254], [0; 4]]);
        assert_eq!(palette(pixels, 256).len(), 3);
    }

    #[test]
    fn flat_areas_keep_their_colors_and_get_no_errors_of_their_neighbours() {
        let flat = [[255; 4], [248, 250, 252, 255], [30, 41, 59, 255], [30, 41, 59, 100]];
        let mut pixels: Vec<Color> = flat.into_iter().flat_map(|color| [color; 3000]).collect();
        pixels.extend(noise(5000, |_| 255));
        pixels.extend([flat[1]; 100]);
        let palette = palette(pixels.iter().copied(), 256);
        assert!(flat.iter().all(|color| palette.contains(color)), "{palette:?}");
        let shown = mapped(&pixels, &palette);
        assert_eq!(shown[..12_000], pixels[..12_000]);
        assert_eq!(shown[17_000..], pixels[17_000..]);
    }

    /// A black shadow needs no more than one entry for each alpha.
    #[test]
    fn a_soft_shadow_keeps_all_levels_of_alpha() {
        let shadow: Vec<Color> = (0..=250_u8).flat_map(|alpha| [[0, 0, 0, alpha]; 9]).collect();
        let palette = palette(shadow.iter().copied(), 256);
        assert_eq!(mapped(&shadow, &palette), shadow);
    }
}
