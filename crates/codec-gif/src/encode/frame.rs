//! One frame out: the rectangle that changed, a palette, indices, and LZW.

use animation::Disposal;
use quantize::{Diffusion, Histogram, Palette, Row};
use raster::palette::MAX_COLORS;
use raster::{Budget, ByteSink, ImageSpec, Rect, Result, Size};

use super::lzw::Lzw;
use super::pieces::{Moment, Pixel, Shown, fill_new};
use crate::blocks::{EXTENSION, GRAPHIC_CONTROL, HAS_PALETTE, HAS_TRANSPARENT, IMAGE};

/// What each byte of a palette must gain: so much less in the sum of the squared distances of the pixels.
const WORTH: f64 = 0.001;

/// Pixels for each colour of a palette of its own, at least: small changes get small palettes.
const PIXELS_PER_COLOR: u64 = 64;

/// Pixels for each colour, at least, of a drawing, whose colours are kept exactly.
const PIXELS_PER_FLAT_COLOR: u64 = 8;

/// The distance in Oklab by which a pixel may be worse if that makes the file smaller. A difference of 0.02 can just be
/// seen between two large areas.
const TOLERANCE: f32 = 0.015;

/// Writes frames one after the other.
pub(crate) struct FrameWriter {
    size: Size,
    /// Colours of a palette, the transparent one included.
    most: usize,
    /// The first frame says that it has a transparent colour, whether it uses it or not.
    has_alpha: bool,
    /// A frame gets all of its colours if a palette holds them.
    keeps_palette: bool,
    shown: Shown,
    histogram: Histogram,
    lzw: Lzw,
    /// The palette of the first frame, which later frames may use.
    pub(crate) global: Vec<[u8; 3]>,
    /// The palette of the last frame, with the answers that it remembers.
    palette: Palette,
    budget: Budget,
}

/// What is to be written of a frame.
struct Changes {
    region: Rect,
    disposal: Disposal,
    /// Pixels that have to be written.
    new: u64,
    /// Other pixels of the region stay what they are.
    keeps: bool,
}

/// The colours of a frame.
struct Colors {
    colors: Vec<[u8; 3]>,
    is_global: bool,
    /// How much worse a pixel may be.
    tolerance: f32,
    /// The index of pixels that stay what they are.
    keep: Option<u8>,
}

impl FrameWriter {
    /// For the pictures of that file with palettes of `most` colours.
    ///
    /// # Errors
    /// `Limit` when the budget does not pay for the buffers.
    pub(crate) fn new(spec: &ImageSpec<'_>, most: u16) -> Result<Self> {
        let budget = spec.budget;
        budget.charge(Lzw::MEMORY)?;
        let is_animation = spec.frames > 1;
        Ok(Self {
            size: spec.size,
            most: usize::from(most).clamp(2, MAX_COLORS),
            has_alpha: spec.pixels.channels.has_alpha(),
            keeps_palette: spec.keeps_palette,
            shown: Shown {
                pixels: budget.filled(if is_animation { spec.size.area() } else { 0 }, [0; 4])?,
                was_cleared: false,
            },
            histogram: Histogram::new(budget)?,
            lzw: Lzw::new(),
            global: Vec::new(),
            palette: Palette::new(&[]),
            budget: budget.clone(),
        })
    }

    /// Chooses the palette of the first frame, which the file's header needs. Returns its bits.
    pub(crate) fn prepare(&mut self, frame: &[Pixel]) -> u8 {
        let mut needs_keep = self.has_alpha;
        self.histogram.clear();
        for &[r, g, b, alpha] in frame {
            match alpha {
                0 => needs_keep = true,
                _ => self.histogram.add([r, g, b]),
            }
        }
        // Later frames of an animation use this palette, too, if it has an index for pixels that stay.
        let is_full = self.histogram.exact() == Some(self.most);
        needs_keep |= !self.shown.pixels.is_empty() && !is_full;
        self.global = self.histogram.palette(self.most - usize::from(needs_keep));
        bits(self.global.len() + usize::from(needs_keep || !self.shown.pixels.is_empty()))
    }

    /// Writes a frame. `before` and `after` are what the pixels are compared with.
    ///
    /// # Errors
    /// `Io` when the sink fails, `Limit` when the budget does not pay for a few rows.
    pub(crate) fn write(&mut self, sink: &mut dyn ByteSink, moment: Moment<'_>) -> Result<()> {
        let changes = self.changes(&moment);
        let colors = self.colors(&moment, &changes);
        let table_bits = match colors.is_global {
            true => bits(self.global.len() + usize::from(colors.keep.is_some())),
            false => bits(colors.colors.len() + usize::from(colors.keep.is_some())),
        };
        self.lzw.start(table_bits.max(2));
        self.compress(&moment, &changes, &colors)?;
        write_control(sink, &moment, &changes, colors.keep)?;
        write_descriptor(sink, changes.region, (!colors.is_global).then_some((&colors.colors[..], table_bits)))?;
        sink.write(&[table_bits.max(2)])?;
        for block in self.lzw.finish().chunks(255) {
            sink.write(&[block.len() as u8])?;
            sink.write(block)?;
        }
        sink.write(&[0])?;
        self.shown.was_cleared = changes.disposal == Disposal::Clear;
        if self.shown.was_cleared {
            for y in changes.region.y..changes.region.y + changes.region.height {
                let start = y as usize * self.size.width as usize + changes.region.x as usize;
                self.shown.pixels[start..start + changes.region.width as usize].fill([0; 4]);
            }
        }
        Ok(())
    }

    /// The smallest rectangle with all pixels that are new or have to vanish before the next frame. Counts the new
    /// colours.
    fn changes(&mut self, moment: &Moment<'_>) -> Changes {
        let width = self.size.width as usize;
        let (mut left, mut right, mut top, mut bottom) = (width, 0, usize::MAX, 0);
        let (mut new, mut clears) = (0_u64, false);
        self.histogram.clear();
        for y in 0..self.size.height as usize {
            for (first, piece) in self.shown.pieces(moment, y * width..(y + 1) * width) {
                if piece.is_still(self.shown.was_cleared) {
                    continue;
                }
                let (mut marked, vanishing) = piece.marks();
                clears |= vanishing != 0;
                let both = marked | vanishing;
                if both != 0 {
                    left = left.min(first + both.trailing_zeros() as usize);
                    right = right.max(first + both.ilog2() as usize);
                    (top, bottom) = (top.min(y), y);
                }
                new += u64::from(marked.count_ones());
                while marked != 0 {
                    let [r, g, b, _] = piece.frame[marked.trailing_zeros() as usize];
                    self.histogram.add([r, g, b]);
                    marked &= marked - 1;
                }
            }
        }
        let region = match top {
            usize::MAX => Rect { x: 0, y: 0, width: 1, height: 1 },
            _ => Rect {
                x: left as u32,
                y: top as u32,
                width: (right + 1 - left) as u32,
                height: (bottom + 1 - top) as u32,
            },
        };
        let disposal = if clears { Disposal::Clear } else { Disposal::Keep };
        Changes { region, disposal, new, keeps: new < region.size().area() }
    }

    /// The palette for the new colours: the global one, or their own where that is worth its bytes.
    fn colors(&self, moment: &Moment<'_>, changes: &Changes) -> Colors {
        let own = |colors: Vec<[u8; 3]>, has_keep: bool| {
            let is_exact = self.histogram.exact().is_some_and(|count| count <= colors.len());
            let keep = has_keep.then_some(colors.len() as u8);
            Colors { colors, is_global: false, tolerance: if is_exact { 0.0 } else { TOLERANCE }, keep }
        };
        let global = |tolerance, has_keep: bool| {
            let keep = has_keep.then_some(self.global.len() as u8);
            Colors { colors: self.global.clone(), is_global: true, tolerance, keep }
        };
        // Of the first frame the most is seen for the longest time.
        if moment.before.is_none() {
            return global(0.0, changes.keeps || self.has_alpha);
        }
        // All entries are needed for colours, and none for pixels that stay.
        if !changes.keeps && self.histogram.exact() == Some(self.most) {
            return own(self.histogram.palette(self.most), false);
        }
        let size = self.own_size(changes);
        let can_be_global = self.global.len() < self.most;
        let error = if can_be_global { self.histogram.error(&self.global) } else { 0.0 };
        let is_worth = |gain: f64, colors: usize| gain * changes.new as f64 > WORTH * f64::from(3 << bits(colors + 1));
        let is_exact = self.histogram.exact().is_some_and(|count| count <= size);
        // Mostly, not even colours without an error would gain enough.
        if !can_be_global || is_exact || is_worth(error, size) {
            let new = own(self.histogram.palette(size), true);
            let gain = || error - self.histogram.error(&new.colors);
            if !can_be_global || if is_exact { error > 0.0 } else { is_worth(gain(), new.colors.len()) } {
                return new;
            }
        }
        global(if error > 0.0 { TOLERANCE } else { 0.0 }, true)
    }

    /// Colours of a palette that serves only this frame, beside the transparent one.
    fn own_size(&self, changes: &Changes) -> usize {
        let is_drawing = |colors: usize| colors as u64 * PIXELS_PER_FLAT_COLOR <= changes.new;
        let exact = self.histogram.exact().filter(|&colors| self.keeps_palette || is_drawing(colors)).unwrap_or(0);
        let few = (changes.new / PIXELS_PER_COLOR).next_power_of_two().min(MAX_COLORS as u64) as usize;
        (few.max(8) - 1).max(exact).min(self.most - 1)
    }

    /// Maps the region to the palette and compresses it; what is shown then is what it looks like.
    fn compress(&mut self, moment: &Moment<'_>, changes: &Changes, colors: &Colors) -> Result<()> {
        let Rect { x, y, width, height } = changes.region;
        let scope = self.budget.scope();
        let mut wanted = scope.filled(width.into(), [0; 4])?;
        let mut indices = scope.filled(width.into(), 0)?;
        let nothing = scope.filled(width.into(), [0; 4])?;
        if self.palette.colors() != colors.colors {
            self.palette = Palette::new(&colors.colors);
        }
        let mut diffusion = Diffusion::new(width, colors.tolerance, &scope)?;
        // Without an index for pixels that stay, all are new.
        let keep = colors.keep.unwrap_or(0);
        let can_keep = colors.keep.is_some() && !self.shown.pixels.is_empty();
        let pixels = colors.pixels();
        for row in y..y + height {
            let start = row as usize * self.size.width as usize + x as usize;
            let range = start..start + width as usize;
            fill_new(&mut wanted, moment, &self.shown, range.clone());
            let shown = if can_keep { &self.shown.pixels[range.clone()] } else { &nothing };
            let row = Row { wanted: &wanted, shown, keep, indices: &mut indices };
            diffusion.row(&mut self.palette, row, &mut self.lzw);
            self.lzw.end_row(width);
            if let Some(shown) = self.shown.pixels.get_mut(range) {
                let is_kept = |index: u8| colors.keep == Some(index);
                let indices = indices.iter().zip(shown).filter(|(index, _)| !is_kept(**index));
                indices.for_each(|(index, shown)| *shown = pixels[usize::from(*index)]);
            }
        }
        Ok(())
    }
}

impl Colors {
    /// The pixels of all indices.
    fn pixels(&self) -> [Pixel; MAX_COLORS] {
        let mut pixels = [[0; 4]; MAX_COLORS];
        for (pixel, &[r, g, b]) in pixels.iter_mut().zip(&self.colors) {
            *pixel = [r, g, b, 255];
        }
        pixels
    }
}

/// Bits of the indices of so many colours, 1 to 8.
fn bits(colors: usize) -> u8 {
    colors.next_power_of_two().ilog2().clamp(1, 8) as u8
}

/// Writes how a frame is shown, unless there is nothing to say.
fn write_control(sink: &mut dyn ByteSink, moment: &Moment<'_>, changes: &Changes, keep: Option<u8>) -> Result<()> {
    if moment.delay.is_none() && keep.is_none() {
        return Ok(());
    }
    let disposal = match changes.disposal {
        Disposal::Clear => 2,
        Disposal::Restore => 3,
        Disposal::Keep => 1,
    };
    let flags = disposal << 2 | if keep.is_some() { HAS_TRANSPARENT } else { 0 };
    let [low, high] = moment.delay.unwrap_or(0).to_le_bytes();
    sink.write(&[EXTENSION, GRAPHIC_CONTROL, 4, flags, low, high, keep.unwrap_or(0), 0])
}

/// Writes the place of a frame, and its own palette with the bits of its indices.
fn write_descriptor(sink: &mut dyn ByteSink, region: Rect, own: Option<(&[[u8; 3]], u8)>) -> Result<()> {
    let mut bytes = vec![IMAGE];
    for value in [region.x, region.y, region.width, region.height] {
        bytes.extend((value as u16).to_le_bytes());
    }
    bytes.push(own.map_or(0, |(_, bits)| HAS_PALETTE | (bits - 1)));
    sink.write(&bytes)?;
    own.map_or(Ok(()), |(colors, bits)| write_palette(sink, colors, bits))
}

/// Writes a palette for indices of so many bits; entries that are not used are black.
pub(crate) fn write_palette(sink: &mut dyn ByteSink, colors: &[[u8; 3]], bits: u8) -> Result<()> {
    let mut bytes = colors.as_flattened().to_vec();
    bytes.resize(3 << bits, 0);
    sink.write(&bytes)
}
