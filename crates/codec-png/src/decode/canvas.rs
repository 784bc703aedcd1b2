//! What is seen of an animation: frames are laid on a canvas, and taken from it once their time is over (§11.3.6.2).

use core::ops::Range;

use raster::{Budget, Channels, Depth, Error, PixelFormat, Rect, Result, Size};

use super::animation::{Blend, Control, Dispose};
use super::planes::Planes;
use crate::error::Cause;

/// All pixels, as rows carry them. Transparent black at first.
pub(crate) struct Canvas {
    size: Size,
    /// Of the canvas; has alpha where that of frames has none and yet not everything is covered.
    pixels: PixelFormat,
    /// Of the frames.
    stored: PixelFormat,
    bytes: Vec<u8>,
    /// A frame's row.
    row: Vec<u8>,
    /// What lay under a frame that is to be taken away again; empty where none is.
    under: Vec<u8>,
    /// What is to be done with the frame that lies on top.
    last: Option<Control>,
    /// Frames drawn.
    pub(crate) drawn: u32,
}

impl Canvas {
    /// Bytes of memory that a canvas holds.
    pub(crate) fn memory(size: Size, pixels: PixelFormat, restores: bool) -> u64 {
        let canvas = pixels.row_bytes(size.width).saturating_mul(size.height.into());
        canvas.saturating_mul(1 + u64::from(restores))
    }

    /// `restores`: some frame is to be taken away and what lay under it shown again.
    pub(crate) fn new(
        size: Size,
        (stored, pixels): (PixelFormat, PixelFormat),
        restores: bool,
        budget: &Budget,
    ) -> Result<Self> {
        let bytes = Self::memory(size, pixels, false);
        Ok(Self {
            size,
            pixels,
            stored,
            bytes: budget.filled(bytes, 0)?,
            row: budget.filled(stored.row_bytes(size.width), 0)?,
            under: budget.filled(if restores { bytes } else { 0 }, 0)?,
            last: None,
            drawn: 0,
        })
    }

    /// Row `y` of what is seen now.
    pub(crate) fn row(&self, y: u32) -> &[u8] {
        &self.bytes[self.place(&Rect::whole(self.size), y)]
    }

    /// Takes away the frame before, as it asked for, and draws the next: `rows` of its region.
    ///
    /// # Errors
    /// `Malformed` when the data break or end before; `Io`. Of the first frame, breaking off after a row is no error: how
    /// many rows are whole is said.
    pub(crate) fn draw(&mut self, control: &Control, rows: &mut Planes<'_>) -> Result<u32> {
        self.dispose();
        // "If the first fcTL uses APNG_DISPOSE_OP_PREVIOUS it should be treated as APNG_DISPOSE_OP_BACKGROUND."
        let dispose = match control.dispose {
            Dispose::Previous if self.drawn == 0 => Dispose::Background,
            dispose => dispose,
        };
        self.last = Some(Control { dispose, ..*control });
        let first = self.drawn == 0;
        self.drawn += 1;
        let mut whole = control.region.height;
        for y in 0..control.region.height {
            let row = &mut self.row[..self.stored.row_bytes(control.region.width) as usize];
            match rows.read(row) {
                Ok(true) => {}
                Ok(false) if first => whole = whole.min(y),
                Ok(false) => return Err(Cause::DataEnds.at(0)),
                Err(Error::Malformed { .. }) if first && y > 0 => return Ok(whole.min(y)),
                Err(error) => return Err(error),
            }
            let place = self.place(&control.region, y);
            if dispose == Dispose::Previous {
                self.under[place.clone()].copy_from_slice(&self.bytes[place.clone()]);
            }
            self.lay(place, control);
        }
        Ok(whole)
    }

    /// Puts the frame's row where it belongs.
    fn lay(&mut self, place: Range<usize>, control: &Control) {
        let row = &self.row[..self.stored.row_bytes(control.region.width) as usize];
        let canvas = &mut self.bytes[place];
        if self.stored != self.pixels {
            widen(row, self.stored.bytes(), canvas, self.pixels.bytes());
        } else if control.blend == Blend::Over && self.pixels.channels.has_alpha() {
            over(self.pixels, row, canvas);
        } else {
            canvas.copy_from_slice(row);
        }
    }

    fn dispose(&mut self) {
        let Some(Control { region, dispose, .. }) = self.last else { return };
        for y in 0..region.height {
            let place = self.place(&region, y);
            match dispose {
                Dispose::None => return,
                Dispose::Background => self.bytes[place].fill(0),
                Dispose::Previous => self.bytes[place.clone()].copy_from_slice(&self.under[place]),
            }
        }
    }

    /// Where row `y` of a region lies.
    fn place(&self, region: &Rect, y: u32) -> Range<usize> {
        let pixel = self.pixels.bytes();
        let row = (region.y + y) as usize * self.size.width as usize;
        let start = (row + region.x as usize) * pixel;
        start..start + region.width as usize * pixel
    }
}

/// Opaque pixels of `stored` bytes get full alpha, and so `wide`.
fn widen(row: &[u8], stored: usize, canvas: &mut [u8], wide: usize) {
    for (pixel, place) in row.chunks_exact(stored).zip(canvas.chunks_exact_mut(wide)) {
        let (color, alpha) = place.split_at_mut(pixel.len());
        color.copy_from_slice(pixel);
        alpha.fill(0xFF);
    }
}

/// §13.16's "over", for straight alpha, rounded to nearest.
fn over(pixels: PixelFormat, row: &[u8], canvas: &mut [u8]) {
    match (pixels.channels, pixels.depth) {
        (Channels::GrayAlpha, Depth::Eight) => over_by::<2, 1>(row, canvas),
        (_, Depth::Eight) => over_by::<4, 1>(row, canvas),
        (Channels::GrayAlpha, Depth::Sixteen) => over_by::<4, 2>(row, canvas),
        (_, Depth::Sixteen) => over_by::<8, 2>(row, canvas),
    }
}

/// Pixels of `N` bytes, samples of `S`.
fn over_by<const N: usize, const S: usize>(row: &[u8], canvas: &mut [u8]) {
    let full = (1_u64 << (8 * S)) - 1;
    for (from, to) in row.as_chunks::<N>().0.iter().zip(canvas.as_chunks_mut::<N>().0) {
        let (alpha, below) = (sample(&from[N - S..]), sample(&to[N - S..]));
        if alpha == 0 {
            continue;
        }
        if alpha == full || below == 0 {
            *to = *from;
            continue;
        }
        // Weights of the two colours, and so, in units of `full`², the alpha of both together.
        let (above, below) = (alpha * full, below * (full - alpha));
        let both = above + below;
        for (to, from) in to[..N - S].chunks_exact_mut(S).zip(from.chunks_exact(S)) {
            let mixed = (sample(from) * above + sample(to) * below + both / 2) / both;
            to.copy_from_slice(&mixed.to_le_bytes()[..S]);
        }
        to[N - S..].copy_from_slice(&((both + full / 2) / full).to_le_bytes()[..S]);
    }
}

fn sample(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |sample, byte| sample << 8 | u64::from(*byte))
}
