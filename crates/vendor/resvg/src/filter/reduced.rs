// Added to resvg; see vendor/README.md.

use rgb::{FromSlice, RGBA8};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use tiny_skia::{Pixmap, Rows, Transform};
use usvg::filter::Kind;

use super::{ImageRefMut, box_blur};

/// The deviation, in pixels, from which on a blur is computed from a smaller picture.
const LARGE: f32 = 32.0;

/// The least deviation in the smaller picture. Then interpolation is off by less than half a level of 8 bits.
const LEAST: f32 = 4.0;

/// The most pixels that become one, on each axis.
const MOST: u32 = 1024;

/// Pixels of the rows that are drawn at once to make the smaller picture.
const CHUNK: u32 = 1 << 20;

/// Returns how many pixels become one on each axis before a primitive blurs them, or `None` for all other primitives
/// and for blurs that look at few rows.
pub fn factors(kind: &Kind, ts: Transform) -> Option<(u32, u32)> {
    let (sx, sy) = deviations(kind, ts)?;
    (sy >= LARGE).then(|| (factor(sx), factor(sy)))
}

fn deviations(kind: &Kind, ts: Transform) -> Option<(f32, f32)> {
    let (x, y) = match kind {
        Kind::GaussianBlur(fe) => (fe.std_dev_x(), fe.std_dev_y()),
        Kind::DropShadow(fe) => (fe.std_dev_x(), fe.std_dev_y()),
        _ => return None,
    };
    let (sx, sy) = ts.get_scale();
    Some((x.get() * sx, y.get() * sy))
}

fn factor(std_dev: f32) -> u32 {
    let mut factor = 1;
    while std_dev >= LARGE && factor < MOST && std_dev / (2 * factor) as f32 >= LEAST {
        factor *= 2;
    }
    factor
}

/// Returns the rows that are drawn at once to make the smaller picture.
pub fn chunk_rows(width: u32) -> u32 {
    (CHUNK / width.max(1)).max(16)
}

/// The smaller pictures of the large blurs of a drawing.
///
/// A canvas that stores some of its rows can have those of the canvas before it. All must be of the same tree, which
/// must live as long.
#[derive(Default)]
pub struct Blurs(RefCell<BTreeMap<Key, Rc<Reduced>>>);

/// Group, filter, primitive, place and size of a blur.
pub type Key = (usize, usize, usize, [u32; 6], [u32; 2]);

impl Blurs {
    pub(super) fn get(&self, key: &Key) -> Option<Rc<Reduced>> {
        self.0.borrow().get(key).cloned()
    }

    pub(super) fn insert(&self, key: Key, blur: Reduced) -> Rc<Reduced> {
        let blur = Rc::new(blur);
        self.0.borrow_mut().insert(key, Rc::clone(&blur));
        blur
    }
}

/// A blurred picture with fewer pixels.
pub struct Reduced {
    pixmap: Pixmap,
    factors: (u32, u32),
    size: (u32, u32),
}

impl Reduced {
    /// Enlarges some rows to all pixels, with linear interpolation.
    pub fn rows(&self, rows: Rows) -> Option<Pixmap> {
        let mut pixmap = Pixmap::with_rows(self.size.0, self.size.1, rows)?;
        let width = self.pixmap.width();
        let cells = self.pixmap.data().as_rgba();
        let columns: Vec<Between> =
            (0..self.size.0).map(|x| Between::new(x, self.factors.0, width)).collect();
        let rounding = 2 * self.factors.0 * self.factors.1;
        let shift = (4 * self.factors.0 * self.factors.1).trailing_zeros();
        let mut line = vec![[0; 4]; width as usize];
        let height = self.pixmap.height();
        for (y, out) in (rows.top()..).zip(pixmap.data_mut().as_rgba_mut().chunks_exact_mut(self.size.0 as usize)) {
            let row = Between::new(y, self.factors.1, height);
            let cells_of = |index: usize| &cells[index * width as usize..][..width as usize];
            for ((cell, a), b) in line.iter_mut().zip(cells_of(row.first)).zip(cells_of(row.second)) {
                *cell = row.mix(channels(*a), channels(*b));
            }
            for (pixel, column) in out.iter_mut().zip(&columns) {
                let sum = column.mix(line[column.first], line[column.second]);
                let [r, g, b, a] = sum.map(|value| ((value + rounding) >> shift) as u8);
                *pixel = RGBA8 { r, g, b, a };
            }
        }
        Some(pixmap)
    }
}

fn channels(pixel: RGBA8) -> [u32; 4] {
    [pixel.r, pixel.g, pixel.b, pixel.a].map(u32::from)
}

/// The two cells between whose centers a pixel lies, and their weights.
struct Between {
    first: usize,
    second: usize,
    weights: (u32, u32),
}

impl Between {
    /// For the pixel `at` of cells of `factor` pixels. Pixels at the borders have one cell.
    fn new(at: u32, factor: u32, cells: u32) -> Self {
        let place = i64::from(2 * at + 1) - i64::from(factor);
        let period = i64::from(2 * factor);
        let second = place.rem_euclid(period) as u32;
        let cell = |index: i64| index.clamp(0, i64::from(cells) - 1) as usize;
        let first = place.div_euclid(period);
        Between {
            first: cell(first),
            second: cell(first + 1),
            weights: (2 * factor - second, second),
        }
    }

    fn mix(&self, a: [u32; 4], b: [u32; 4]) -> [u32; 4] {
        core::array::from_fn(|i| a[i] * self.weights.0 + b[i] * self.weights.1)
    }
}

/// Makes a smaller picture, from the first row to the last.
pub struct Reducer {
    pixmap: Pixmap,
    factors: (u32, u32),
    size: (u32, u32),
    /// The sums of the cells of the row under way.
    sums: Vec<[u32; 4]>,
    next: u32,
}

impl Reducer {
    pub fn new(width: u32, height: u32, factors: (u32, u32)) -> Option<Self> {
        let pixmap = Pixmap::new(width.div_ceil(factors.0), height.div_ceil(factors.1))?;
        Some(Reducer {
            sums: vec![[0; 4]; pixmap.width() as usize],
            pixmap,
            factors,
            size: (width, height),
            next: 0,
        })
    }

    /// Adds the next rows.
    pub fn add(&mut self, rows: &Pixmap) {
        for row in rows.data().as_rgba().chunks_exact(self.size.0 as usize) {
            for (sum, cell) in self.sums.iter_mut().zip(row.chunks(self.factors.0 as usize)) {
                let [mut r, mut g, mut b, mut a] = *sum;
                for pixel in cell {
                    r += u32::from(pixel.r);
                    g += u32::from(pixel.g);
                    b += u32::from(pixel.b);
                    a += u32::from(pixel.a);
                }
                *sum = [r, g, b, a];
            }
            self.next += 1;
            if self.next.is_multiple_of(self.factors.1) || self.next == self.size.1 {
                self.finish_row();
            }
        }
    }

    /// Writes the means of a row of cells. Pixels beyond the borders are transparent.
    fn finish_row(&mut self) {
        let width = self.pixmap.width() as usize;
        let row = ((self.next - 1) / self.factors.1) as usize;
        let area = self.factors.0 * self.factors.1;
        let cells = &mut self.pixmap.data_mut().as_rgba_mut()[row * width..][..width];
        for (cell, sum) in cells.iter_mut().zip(&mut self.sums) {
            let [r, g, b, a] = sum.map(|value| ((value + area / 2) / area) as u8);
            *cell = RGBA8 { r, g, b, a };
            *sum = [0; 4];
        }
    }

    /// Blurs the picture by a primitive. `ts` is the transform of the filtered group.
    pub fn finish(mut self, kind: &Kind, ts: Transform) -> Option<Reduced> {
        let (sx, sy) = deviations(kind, ts)?;
        let (sx, sy) = (remaining(sx, self.factors.0), remaining(sy, self.factors.1));
        let (width, height) = (self.pixmap.width(), self.pixmap.height());
        let pixels = ImageRefMut::new(width, height, self.pixmap.data_mut().as_rgba_mut());
        box_blur::apply(sx, sy, pixels);
        Some(Reduced {
            pixmap: self.pixmap,
            factors: self.factors,
            size: self.size,
        })
    }
}

/// The deviation in the smaller picture. Means and linear interpolation blur, too: together by the variance 1 / 4.
fn remaining(std_dev: f32, factor: u32) -> f64 {
    let std_dev = f64::from(std_dev) / f64::from(factor);
    if factor == 1 {
        std_dev
    } else {
        (std_dev * std_dev - 0.25).sqrt()
    }
}
