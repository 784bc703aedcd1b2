//! Drawing at any size, in bands: pieces of some rows, so that memory grows with the width of the picture.

use raster::{Budget, Error, Limit, Rect, Result, Size};
use resvg::Blurs;
use resvg::tiny_skia::{PixmapMut, PremultipliedColorU8, Rows, Transform};
use resvg::usvg::Tree;

use crate::cost::{Cost, Counter};

/// Pictures of at most that many pixels are drawn in one piece.
const WHOLE: u64 = 2048 * 2048;

/// The memory that a band and its layers may take beyond that of the lowest band.
const BAND: f64 = (40 << 20) as f64;

/// The lowest band.
const MIN_ROWS: u32 = 16;

/// Operations on pixels that any picture may take, and per pixel of the picture: enough for dozens of layers.
const WORK: f64 = 4e9;
const WORK_PER_PIXEL: f64 = 2000.0;

/// The part of a drawing to draw, and the size that it gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// In pixels of the document's own size.
    pub crop: Rect,
    /// In pixels of the picture.
    pub target: Size,
}

/// A picture that is drawn from the top to the bottom.
pub(crate) struct Bands {
    transform: Transform,
    target: Size,
    /// Rows of a band.
    rows: u32,
    /// The pixels of the band, premultiplied.
    pixels: Vec<u8>,
    /// What later bands have from the first.
    blurs: Blurs,
    /// The row of the picture that comes next.
    next: u32,
    /// Pays for the band as long as it is there.
    _budget: Budget,
}

impl Bands {
    /// Plans the bands of a view. `rows` overrides the height of a band.
    ///
    /// # Errors
    /// `Limit` where the budget does not pay for a band, or where drawing would take too long.
    pub(crate) fn new(tree: &Tree, size: Size, view: View, rows: Option<u32>, budget: &Budget) -> Result<Self> {
        let View { target, .. } = view;
        let transform = transform(tree, size, view);
        let rows = rows.map_or_else(|| plan(tree, transform, target), Ok)?.min(target.height);
        let cost = cost(tree, transform, target, rows)?;
        check_work(&cost, target, rows)?;
        budget.charge((cost.memory + cost.kept) as u64)?;
        let pixels = budget.filled(u64::from(target.width) * u64::from(rows) * 4, 0)?;
        Ok(Self { transform, target, rows, pixels, blurs: Blurs::default(), next: 0, _budget: budget.clone() })
    }

    /// Writes the next row with straight alpha.
    ///
    /// # Errors
    /// Those of drawing a band.
    pub(crate) fn read_row(&mut self, tree: &Tree, row: &mut [u8]) -> Result<()> {
        if self.next.is_multiple_of(self.rows) {
            self.draw(tree)?;
        }
        let row_bytes = self.target.width as usize * 4;
        let drawn = &self.pixels[(self.next % self.rows) as usize * row_bytes..][..row_bytes];
        let (drawn, _) = drawn.as_chunks::<4>();
        let (row, _) = row.as_chunks_mut::<4>();
        for (&[r, g, b, a], pixel) in drawn.iter().zip(row) {
            *pixel = straight(r, g, b, a);
        }
        self.next += 1;
        Ok(())
    }

    /// Draws the band that begins with the next row.
    fn draw(&mut self, tree: &Tree) -> Result<()> {
        let Size { width, height } = self.target;
        let rows = Rows::new(self.next, height.min(self.next + self.rows));
        self.pixels.fill(0);
        let canvas = PixmapMut::from_rows(&mut self.pixels, width, height, rows);
        let mut canvas = canvas.ok_or(Error::Contradiction("a band without pixels"))?;
        resvg::render_with(tree, self.transform, &mut canvas, &self.blurs);
        Ok(())
    }
}

/// A pixel with straight alpha.
fn straight(r: u8, g: u8, b: u8, a: u8) -> [u8; 4] {
    match PremultipliedColorU8::from_rgba(r, g, b, a) {
        Some(color) if a < 255 => {
            let color = color.demultiply();
            [color.red(), color.green(), color.blue(), a]
        }
        _ => [r, g, b, a],
    }
}

/// From the tree to the picture. The tree's own size is that of the document before it was rounded to pixels.
fn transform(tree: &Tree, size: Size, view: View) -> Transform {
    let View { crop, target } = view;
    let ratio = |a: f64, b: f64| (a / b) as f32;
    let (tree_width, tree_height) = (f64::from(tree.size().width()), f64::from(tree.size().height()));
    let across = f64::from(target.width) / f64::from(crop.width);
    let down = f64::from(target.height) / f64::from(crop.height);
    let scale_x = ratio(f64::from(size.width) * across, tree_width);
    let scale_y = ratio(f64::from(size.height) * down, tree_height);
    let (x, y) = (f64::from(crop.x) * across, f64::from(crop.y) * down);
    Transform::from_row(scale_x, 0.0, 0.0, scale_y, -x as f32, -y as f32)
}

/// The rows of a band: all where the memory for a band pays for them, else fewer. The parts of a picture that are drawn
/// whole for each band cost memory in any case.
fn plan(tree: &Tree, transform: Transform, target: Size) -> Result<u32> {
    let mut rows = target.height;
    if target.area() <= WHOLE {
        return Ok(rows);
    }
    let memory = |rows: u32| -> Result<f64> {
        Ok(cost(tree, transform, target, rows)?.memory + f64::from(target.width) * f64::from(rows) * 4.0)
    };
    let least = memory(MIN_ROWS.min(rows))?;
    while rows > MIN_ROWS && memory(rows)? > least + BAND {
        rows = rows.div_ceil(2);
    }
    Ok(rows)
}

fn cost(tree: &Tree, transform: Transform, target: Size, rows: u32) -> Result<Cost> {
    let cost = Counter::new(target, rows).tree(tree.root(), transform);
    cost.ok_or(Limit::Parts("drawing steps").into())
}

/// Refuses a picture that would take minutes.
fn check_work(cost: &Cost, target: Size, rows: u32) -> Result<()> {
    let bands = f64::from(target.height.div_ceil(rows));
    if cost.work * bands + cost.once > WORK.max(WORK_PER_PIXEL * target.area() as f64) {
        return Err(Limit::Parts("drawing steps").into());
    }
    Ok(())
}
