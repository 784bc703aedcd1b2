//! The canvas on which frames are drawn and from which they are removed at the end of their time.

use core::ops::Range;

use raster::{Budget, PixelFormat, Rect, Result, Size};

use crate::over::over;
use crate::placement::{Blending, Disposal, Placement};

/// Pixels that are compared with the transparent index at once.
const PIECE: usize = 16;

/// All pixels of the canvas, as stored rows. All pixels are transparent black at first.
///
/// For each frame call [`begin`](Self::begin), then [`draw_row`](Self::draw_row) for each row of its region; then
/// [`row`](Self::row) returns what is visible.
pub struct Canvas {
    size: Size,
    /// The format of the canvas. It has alpha when the frames have none and do not cover the whole canvas.
    pixels: PixelFormat,
    frame_pixels: PixelFormat,
    bytes: Vec<u8>,
    /// The earlier content of the current frame's region; empty when no frame has [`Disposal::Restore`].
    backup: Vec<u8>,
    /// The frame that was drawn last.
    current: Option<Placement>,
    /// The next row of the current frame's region.
    next: u32,
    /// The number of frames begun.
    frames: u32,
    /// The pixels that can differ from what was visible before the current frame.
    changed: Rect,
}

impl Canvas {
    /// Returns the bytes of memory of a canvas. `restores`: some frame has [`Disposal::Restore`].
    #[must_use]
    pub fn memory(size: Size, pixels: PixelFormat, restores: bool) -> u64 {
        let canvas = pixels.row_bytes(size.width).saturating_mul(size.height.into());
        canvas.saturating_mul(1 + u64::from(restores))
    }

    /// Creates a transparent canvas of `pixels` for frames of `frame_pixels`, which is the same format or the one
    /// without alpha. `restores`: some frame has [`Disposal::Restore`].
    ///
    /// # Errors
    /// `Limit` when the budget is too small for [`Canvas::memory`].
    pub fn new(
        size: Size,
        frame_pixels: PixelFormat,
        pixels: PixelFormat,
        restores: bool,
        budget: &Budget,
    ) -> Result<Self> {
        let bytes = Self::memory(size, pixels, false);
        Ok(Self {
            size,
            pixels,
            frame_pixels,
            bytes: budget.filled(bytes, 0)?,
            backup: budget.filled(if restores { bytes } else { 0 }, 0)?,
            current: None,
            next: 0,
            frames: 0,
            changed: Rect::whole(size),
        })
    }

    /// Returns the number of frames begun.
    #[must_use]
    pub const fn frames(&self) -> u32 {
        self.frames
    }

    /// Returns the pixels that can differ between the frame before the current one and the current one.
    #[must_use]
    pub const fn changed(&self) -> Rect {
        self.changed
    }

    /// Returns the pixel format of the rows for [`draw_row`](Self::draw_row).
    #[must_use]
    pub const fn frame_pixels(&self) -> PixelFormat {
        self.frame_pixels
    }

    /// Returns row `y` of what is visible now.
    #[must_use]
    pub fn row(&self, y: u32) -> &[u8] {
        &self.bytes[self.range(&Rect::whole(self.size), y)]
    }

    /// Removes the previous frame as its disposal requires, and prepares for the next frame.
    pub fn begin(&mut self, placement: Placement) {
        self.dispose();
        // Before the first frame the canvas was empty.
        let disposal = match placement.disposal {
            Disposal::Restore if self.frames == 0 => Disposal::Clear,
            disposal => disposal,
        };
        self.changed = match self.current {
            None => Rect::whole(self.size),
            Some(Placement { disposal: Disposal::Keep, .. }) => placement.region,
            Some(last) => last.region.union(placement.region),
        };
        let Rect { x, y, width, height } = placement.region;
        debug_assert!(u64::from(x) + u64::from(width) <= self.size.width.into(), "beyond the canvas");
        debug_assert!(u64::from(y) + u64::from(height) <= self.size.height.into(), "beyond the canvas");
        self.current = Some(Placement { disposal, ..placement });
        self.next = 0;
        self.frames += 1;
    }

    /// Draws the next row of the current frame's region. Rows beyond the end of the region are ignored.
    pub fn draw_row(&mut self, row: &[u8]) {
        let Some((blending, range)) = self.next_row() else { return };
        let canvas = &mut self.bytes[range];
        if self.frame_pixels != self.pixels {
            add_alpha(row, self.frame_pixels.bytes(), canvas, self.pixels.bytes());
        } else if blending == Blending::Over && self.pixels.channels.has_alpha() {
            over(self.pixels, row, canvas);
        } else {
            canvas.copy_from_slice(row);
        }
    }

    /// Draws the next row of a frame with [`Blending::Over`] on a canvas of four bytes a pixel. Colours are opaque, but
    /// the index `transparent`, if there is one, leaves the canvas as it is, and so do pixels without an index.
    pub fn draw_indices(&mut self, indices: &[u8], colors: &[[u8; 4]; 256], transparent: Option<u8>) {
        debug_assert!(self.pixels == PixelFormat::RGBA8 && self.frame_pixels == self.pixels);
        let Some((blending, range)) = self.next_row() else { return };
        debug_assert!(blending == Blending::Over);
        let pixels = self.bytes[range].as_chunks_mut::<4>().0;
        let Some(transparent) = transparent else {
            let pixels = pixels.iter_mut().zip(indices);
            pixels.for_each(|(pixel, &index)| *pixel = colors[usize::from(index)]);
            return;
        };
        for (pixels, indices) in pixels.chunks_mut(PIECE).zip(indices.chunks(PIECE)) {
            // Most pieces are transparent as a whole.
            if indices.iter().all(|&index| index == transparent) {
                continue;
            }
            for (pixel, &index) in pixels.iter_mut().zip(indices) {
                *pixel = if index == transparent { *pixel } else { colors[usize::from(index)] };
            }
        }
    }

    /// Returns the place of the next row of the current frame's region, and how it is drawn. Its content is kept if it
    /// comes back later.
    fn next_row(&mut self) -> Option<(Blending, Range<usize>)> {
        let placement = self.current.filter(|placement| self.next < placement.region.height)?;
        let range = self.range(&placement.region, self.next);
        self.next += 1;
        if placement.disposal == Disposal::Restore {
            self.backup[range.clone()].copy_from_slice(&self.bytes[range.clone()]);
        }
        Some((placement.blending, range))
    }

    fn dispose(&mut self) {
        let Some(Placement { region, disposal, .. }) = self.current else { return };
        // Rows that were not drawn have no backup and still show the earlier content.
        let rows = if disposal == Disposal::Restore { self.next } else { region.height };
        for y in 0..rows {
            let range = self.range(&region, y);
            match disposal {
                Disposal::Keep => return,
                Disposal::Clear => self.bytes[range].fill(0),
                Disposal::Restore => self.bytes[range.clone()].copy_from_slice(&self.backup[range]),
            }
        }
    }

    /// Returns the bytes of row `y` of a region.
    fn range(&self, region: &Rect, y: u32) -> Range<usize> {
        let pixel = self.pixels.bytes();
        let row = (region.y + y) as usize * self.size.width as usize;
        let start = (row + region.x as usize) * pixel;
        start..start + region.width as usize * pixel
    }
}

/// Copies opaque pixels of `pixel` bytes to a canvas with `canvas_pixel` bytes a pixel and sets full alpha.
fn add_alpha(row: &[u8], pixel: usize, canvas: &mut [u8], canvas_pixel: usize) {
    for (from, to) in row.chunks_exact(pixel).zip(canvas.chunks_exact_mut(canvas_pixel)) {
        let (color, alpha) = to.split_at_mut(pixel);
        color.copy_from_slice(from);
        alpha.fill(0xFF);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::{Channels, Depth, Limits};
    use testkit::generate::Lcg;

    /// The slow reference implementation: whole pictures of f64 samples from 0 to 1, and one copy for each restored
    /// frame.
    struct Reference {
        width: usize,
        has_alpha: bool,
        pixels: Vec<Vec<f64>>,
        before: Vec<Vec<f64>>,
        last: Option<Placement>,
    }

    fn places(region: Rect, width: usize) -> impl Iterator<Item = usize> {
        (0..region.height).flat_map(move |y| {
            (0..region.width).map(move |x| (region.y + y) as usize * width + (region.x + x) as usize)
        })
    }

    impl Reference {
        fn draw(&mut self, placement: Placement, frame: &[Vec<f64>], max: f64) {
            if let Some(Placement { region, disposal, .. }) = self.last {
                match disposal {
                    Disposal::Keep => {}
                    Disposal::Clear => places(region, self.width).for_each(|at| self.pixels[at].fill(0.0)),
                    Disposal::Restore => self.pixels = self.before.clone(),
                }
            }
            self.before = self.pixels.clone();
            for (from, at) in frame.iter().zip(places(placement.region, self.width)) {
                let to = &mut self.pixels[at];
                *to = match placement.blending {
                    Blending::Over if self.has_alpha && from.len() == to.len() => blend(from, to, max),
                    _ => from.iter().copied().chain([1.0]).take(to.len()).collect(),
                };
            }
            self.last = Some(placement);
        }
    }

    /// Blends by W3C Compositing, §9.1.4, without premultiplication, and rounds to samples.
    fn blend(source: &[f64], backdrop: &[f64], max: f64) -> Vec<f64> {
        let ([source_color @ .., a], [backdrop_color @ .., b]) = (source, backdrop) else { return source.to_vec() };
        let alpha = a + b * (1.0 - a);
        if *a == 0.0 {
            return backdrop.to_vec();
        }
        let mix = |(s, t): (&f64, &f64)| (s * a + t * b * (1.0 - a)) / alpha;
        let color = source_color.iter().zip(backdrop_color).map(mix);
        color.chain([alpha]).map(|value| (value * max + 0.5).floor() / max).collect()
    }

    fn unpack(bytes: &[u8], format: PixelFormat) -> Vec<Vec<f64>> {
        let samples: Vec<f64> = match format.depth {
            Depth::Eight => bytes.iter().map(|&byte| f64::from(byte) / 255.0).collect(),
            Depth::Sixteen => {
                bytes.as_chunks::<2>().0.iter().map(|&s| f64::from(u16::from_le_bytes(s)) / 65_535.0).collect()
            }
        };
        samples.chunks(format.channels.count()).map(<[f64]>::to_vec).collect()
    }

    fn random_placement(random: &mut Lcg, size: Size) -> Placement {
        let mut below = |n: u32| u32::from(random.next_byte()) % n;
        let (x, y) = (below(size.width), below(size.height));
        Placement {
            region: Rect { x, y, width: 1 + below(size.width - x), height: 1 + below(size.height - y) },
            disposal: [Disposal::Keep, Disposal::Clear, Disposal::Restore][below(3) as usize],
            blending: [Blending::Replace, Blending::Over][below(2) as usize],
        }
    }

    #[test]
    fn random_frames_give_the_pixels_of_the_slow_reference() {
        let size = Size::new(7, 5);
        let with_alpha = |color, depth| PixelFormat::new(Channels::new(color, true), depth);
        let plain = |color, depth| PixelFormat::new(Channels::new(color, false), depth);
        for (color, depth) in [false, true].into_iter().flat_map(|c| [(c, Depth::Eight), (c, Depth::Sixteen)]) {
            let (alpha, opaque) = (with_alpha(color, depth), plain(color, depth));
            for (frames, pixels) in [(alpha, alpha), (opaque, alpha), (opaque, opaque)] {
                compare(size, frames, pixels);
            }
        }
    }

    fn compare(size: Size, frame_pixels: PixelFormat, pixels: PixelFormat) {
        let budget = Budget::new(&Limits::default());
        let mut random = Lcg::new(17);
        let mut canvas = Canvas::new(size, frame_pixels, pixels, true, &budget).unwrap();
        assert_eq!(budget.used(), Canvas::memory(size, pixels, true));
        let blank = vec![vec![0.0; pixels.channels.count()]; size.area() as usize];
        let mut reference = Reference {
            width: size.width as usize,
            has_alpha: pixels.channels.has_alpha(),
            pixels: blank.clone(),
            before: blank,
            last: None,
        };
        let max = f64::from(pixels.depth.max());
        for frame in 1..=60 {
            let placement = random_placement(&mut random, size);
            let row_bytes = frame_pixels.row_bytes(placement.region.width) as usize;
            // The bytes have few levels, which makes opaque and transparent pixels frequent.
            let bytes: Vec<u8> = (0..row_bytes * placement.region.height as usize)
                .map(|_| [0, 255, 255, 90, random.next_byte()][usize::from(random.next_byte() % 5)])
                .collect();
            canvas.begin(placement);
            bytes.chunks(row_bytes).for_each(|row| canvas.draw_row(row));
            reference.draw(placement, &unpack(&bytes, frame_pixels), max);
            assert_eq!(canvas.frames(), frame);
            let seen: Vec<u8> = (0..size.height).flat_map(|y| canvas.row(y)).copied().collect();
            for (ours, want) in unpack(&seen, pixels).concat().iter().zip(reference.pixels.concat()) {
                assert_eq!((ours * max).round(), (want * max).round(), "{frame_pixels:?} {pixels:?}, frame {frame}");
            }
        }
    }

    /// The slow reference of indices is the row of their colours.
    #[test]
    fn indices_give_the_pixels_of_their_colors() {
        let (budget, size) = (Budget::new(&Limits::default()), Size::new(40, 5));
        let mut random = Lcg::new(23);
        let canvas = || Canvas::new(size, PixelFormat::RGBA8, PixelFormat::RGBA8, true, &budget).unwrap();
        let (mut fast, mut slow) = (canvas(), canvas());
        let mut colors = [[0, 0, 7, 255]; 256];
        colors.iter_mut().for_each(|color| color[..2].fill_with(|| random.next_byte()));
        for _ in 0..60 {
            let placement = Placement { blending: Blending::Over, ..random_placement(&mut random, size) };
            fast.begin(placement);
            slow.begin(placement);
            for _ in 0..placement.region.height {
                let width = placement.region.width as usize;
                let known = width - usize::from(random.next_byte() % 2);
                let indices: Vec<u8> = (0..known).map(|_| random.next_byte() % 4).collect();
                let transparent = [None, Some(1), Some(200)][usize::from(random.next_byte() % 3)];
                let color = |&index: &u8| if transparent == Some(index) { [0; 4] } else { colors[usize::from(index)] };
                let mut row: Vec<u8> = indices.iter().flat_map(color).collect();
                row.resize(4 * width, 0);
                fast.draw_indices(&indices, &colors, transparent);
                slow.draw_row(&row);
            }
            assert_eq!(fast.bytes, slow.bytes);
        }
    }

    #[test]
    fn an_incomplete_frame_is_removed_as_far_as_it_was_drawn() {
        let budget = Budget::new(&Limits::default());
        let size = Size::new(1, 3);
        let mut canvas = Canvas::new(size, PixelFormat::GRAY8, PixelFormat::GRAY8, true, &budget).unwrap();
        let place = |disposal| Placement { region: Rect::whole(size), disposal, blending: Blending::Replace };
        canvas.begin(place(Disposal::Keep));
        (1..=4).for_each(|level| canvas.draw_row(&[level]));
        canvas.begin(place(Disposal::Restore));
        canvas.draw_row(&[9]);
        canvas.begin(place(Disposal::Keep));
        assert_eq!([0, 1, 2].map(|y| canvas.row(y)[0]), [1, 2, 3]);
    }
}
