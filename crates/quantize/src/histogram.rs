//! The colours of a picture with their frequency, and the palette that stands for them.

use core::cell::OnceCell;

use raster::palette::ColorTable;
use raster::{Budget, Result, fibonacci_slot};

use crate::clusters::{Point, clusters};
use crate::oklab::{Lab, Oklab};
use crate::search::Search;

/// Bits of each channel that tell two cells apart.
const BITS: u32 = 5;

/// Cells of the histogram.
const CELLS: usize = 1 << (3 * BITS);

/// Slots for colours that repeat, a power of two.
const SLOTS: usize = 1 << 10;

/// Slots in which a colour that repeats is looked for.
const TRIES: usize = 8;

/// Pixels of a cell that are counted at most, so that sums of codes fit.
const MOST: u32 = u32::MAX / 255;

/// Colours that are close to each other, counted together.
#[derive(Clone, Copy, Default)]
struct Cell {
    count: u32,
    sums: [u32; 3],
}

/// Counts the colours of a picture, in memory that does not depend on its size.
pub struct Histogram {
    cells: Vec<Cell>,
    /// The cells with pixels.
    used: Vec<u16>,
    /// Colours that the pixel before had, too, with their number. They are those of flat areas, and are not mixed with
    /// others of their cell. A slot is free while its number is 0.
    repeated: Vec<([u8; 3], u32)>,
    /// All colours exactly, as long as a palette holds them.
    exact: Option<ColorTable>,
    last: Option<[u8; 3]>,
    /// The slot of that colour, if it repeats already.
    last_slot: Option<usize>,
    oklab: Oklab,
    /// The cells and the colours that repeat, in Oklab, once they were asked for.
    points: OnceCell<Vec<Point<3>>>,
}

impl Histogram {
    /// Nothing counted yet.
    ///
    /// # Errors
    /// `Limit` when the budget does not pay for two megabytes: the cells, and two lists of their colours.
    pub fn new(budget: &Budget) -> Result<Self> {
        budget.charge((CELLS + SLOTS) as u64 * 2 * size_of::<Point<3>>() as u64)?;
        budget.charge(CELLS as u64 * size_of::<u16>() as u64)?;
        Ok(Self {
            cells: budget.filled(CELLS as u64, Cell::default())?,
            used: budget.reserved(CELLS as u64)?,
            repeated: budget.filled(SLOTS as u64, ([0; 3], 0))?,
            exact: Some(ColorTable::default()),
            last: None,
            last_slot: None,
            oklab: Oklab::new(),
            points: OnceCell::new(),
        })
    }

    /// Forgets all colours.
    pub fn clear(&mut self) {
        for cell in self.used.drain(..) {
            self.cells[usize::from(cell)] = Cell::default();
        }
        self.points.take();
        self.repeated.fill(([0; 3], 0));
        self.exact = Some(ColorTable::default());
        (self.last, self.last_slot) = (None, None);
    }

    /// Counts a pixel.
    #[inline]
    pub fn add(&mut self, color: [u8; 3]) {
        let repeats = self.last == Some(color);
        if repeats && self.repeat(color) {
            return;
        }
        let [r, g, b] = color.map(|code| usize::from(code >> (8 - BITS)));
        let number = r << (2 * BITS) | g << BITS | b;
        let cell = &mut self.cells[number];
        if cell.count == 0 {
            self.used.push(number as u16);
        }
        if cell.count < MOST {
            cell.count += 1;
            for (sum, code) in cell.sums.iter_mut().zip(color) {
                *sum += u32::from(code);
            }
        }
        if !repeats {
            (self.last, self.last_slot) = (Some(color), None);
            self.note(color);
        }
    }

    /// Counts a colour that repeats. Returns whether there is room for it.
    #[inline]
    fn repeat(&mut self, color: [u8; 3]) -> bool {
        self.last_slot = self.last_slot.or_else(|| self.slot(color));
        let Some(slot) = self.last_slot else { return false };
        let (_, count) = &mut self.repeated[slot];
        *count = count.saturating_add(1);
        true
    }

    /// The slot of a colour that repeats, which it takes if it has none. Nothing if there is no room.
    fn slot(&mut self, color: [u8; 3]) -> Option<usize> {
        let [r, g, b] = color.map(u32::from);
        let first = fibonacci_slot(r << 16 | g << 8 | b, SLOTS);
        let mut slots = (0..TRIES).map(|next| (first + next) % SLOTS);
        let slot = slots.find(|&slot| self.repeated[slot].1 == 0 || self.repeated[slot].0 == color)?;
        self.repeated[slot].0 = color;
        Some(slot)
    }

    fn note(&mut self, [r, g, b]: [u8; 3]) {
        if let Some(exact) = &mut self.exact
            && exact.insert([r, g, b, 255]).is_none()
        {
            self.exact = None;
        }
    }

    /// The number of colours counted, if a palette holds them all.
    #[must_use]
    pub fn exact(&self) -> Option<usize> {
        self.exact.as_ref().map(|exact| exact.colors().len())
    }

    /// At most `most` colours, at least one, that are close to those counted; exactly those counted if they are as few.
    #[must_use]
    pub fn palette(&self, most: usize) -> Vec<[u8; 3]> {
        if let Some(exact) = self.exact.as_ref().filter(|exact| exact.colors().len() <= most) {
            let colors: Vec<[u8; 3]> = exact.colors().iter().map(|&[r, g, b, _]| [r, g, b]).collect();
            return if colors.is_empty() { vec![[0; 3]] } else { colors };
        }
        clusters(&mut self.points().to_vec(), most.max(1)).into_iter().map(Oklab::to_color).collect()
    }

    /// The mean of the squared distances of the pixels to the nearest of these colours.
    #[must_use]
    pub fn error(&self, colors: &[[u8; 3]]) -> f64 {
        let colors: Vec<Lab> = colors.iter().map(|&color| self.oklab.of(color)).collect();
        let search = Search::new(&colors);
        let (mut sum, mut weight) = (0.0, 0.0);
        for point in self.points() {
            sum += f64::from(search.nearest(point.color).1) * f64::from(point.weight);
            weight += f64::from(point.weight);
        }
        if weight > 0.0 { sum / weight } else { 0.0 }
    }

    fn points(&self) -> &[Point<3>] {
        self.points.get_or_init(|| self.all_points())
    }

    fn all_points(&self) -> Vec<Point<3>> {
        let mut used = self.used.clone();
        used.sort_unstable();
        let used = used.iter().map(|&number| &self.cells[usize::from(number)]);
        let point = |cell: &Cell| {
            let mean =
                cell.sums.map(|sum| ((u64::from(sum) + u64::from(cell.count / 2)) / u64::from(cell.count)) as u8);
            Point { color: self.oklab.of(mean), weight: cell.count as f32 }
        };
        let repeated = self.repeated.iter().filter(|(_, count)| *count > 0);
        let flat = |&(color, count): &([u8; 3], u32)| Point { color: self.oklab.of(color), weight: count as f32 };
        used.map(point).chain(repeated.map(flat)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::{Limits, PixelFormat, Size};
    use testkit::generate;

    fn histogram(colors: impl IntoIterator<Item = [u8; 3]>) -> Histogram {
        let mut histogram = Histogram::new(&Budget::new(&Limits::default())).unwrap();
        colors.into_iter().for_each(|color| histogram.add(color));
        histogram
    }

    #[test]
    fn few_colors_come_back_exactly_in_their_order() {
        let colors: Vec<[u8; 3]> = (0..=255).map(|i| [i, i / 2, 255 - i]).collect();
        let mut counted = histogram(colors.iter().copied().chain(colors.iter().copied()));
        assert_eq!(counted.palette(256), colors);
        assert!(counted.palette(255).len() <= 255);
        assert_eq!(counted.error(&colors[..]), counted.error(&counted.palette(256)));
        counted.clear();
        assert_eq!(counted.palette(256), [[0; 3]]);
    }

    /// White and a grey that is almost white are in one cell of the histogram.
    #[test]
    fn colors_of_flat_areas_are_kept_exactly() {
        let picture = generate::noise(Size::new(64, 64), PixelFormat::RGB8, 3);
        let flat = [[255; 3], [248, 250, 252], [30, 41, 59]];
        let areas = flat.into_iter().flat_map(|color| [color; 2000]);
        let palette = histogram(areas.chain(picture.rows.as_chunks::<3>().0.iter().copied())).palette(64);
        assert!(flat.iter().all(|color| palette.contains(color)), "{palette:?}");
    }

    #[test]
    fn more_colors_are_closer_and_equal_pictures_have_equal_palettes() {
        let picture = generate::gradient(Size::new(160, 120), PixelFormat::RGB8);
        let counted = histogram(picture.rows.as_chunks::<3>().0.iter().copied());
        let errors: Vec<f64> = [2, 8, 32, 128, 256]
            .map(|most| {
                let palette = counted.palette(most);
                assert!((1..=most).contains(&palette.len()));
                assert_eq!(palette, counted.palette(most));
                counted.error(&palette)
            })
            .into();
        assert!(errors.is_sorted_by(|more, fewer| more > fewer), "{errors:?}");
        assert!(errors[4] < 0.0004, "{errors:?}");
    }
}
