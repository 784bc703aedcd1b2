//! Pictures on a canvas (`iovl`, ISO/IEC 23008-12 §6.6.2.2), put together row by row.
//!
//! Each picture has a reader of its own, which begins with the first row of the canvas that shows it and ends with the
//! last. So a row of tiles at most is in memory of each picture that the current row crosses. The colours of the
//! pictures are taken as they are, as libheif does; the profile and the code points are those of the canvas, or else of
//! the lowest picture.

use std::rc::Rc;

use isobmff::{Geometry, Placed};
use raster::{
    Budget, Channels, Depth, Error, Frame, FrameInfo, ImageInfo, ImageReader, Notes, Orientation, PixelFormat, Result,
    RowReader, Size, Stored, Wanted, Warning, limits,
};

use crate::gain_map::has_gain_map;
use crate::reader::{Opened, Reader, profile};
use crate::{Cause, colors};

const KIND: [u8; 4] = *b"iovl";

/// Whether a file shows pictures on a canvas.
pub(crate) fn is_overlay(opened: &Opened<'_>) -> bool {
    let container = &opened.container;
    let is_sequence = container.sequence(opened.codec.sequence_brand, opened.codec.kind).is_some();
    !is_sequence && container.primary().is_ok_and(|item| item.kind == KIND)
}

/// The reader of a canvas.
pub(crate) struct Canvas<'a> {
    opened: Opened<'a>,
    budget: Budget,
    notes: Notes,
    info: ImageInfo,
    geometry: Geometry,
    pixels: PixelFormat,
    /// A row of the empty canvas.
    empty: Vec<u8>,
    layers: Vec<Layer<'a>>,
    /// The row that is put together.
    whole: Vec<u8>,
    /// Whether the frame was given out.
    is_begun: bool,
    /// Rows that were given out.
    row: u32,
    /// Whether the rest of the picture is missing.
    is_cut: bool,
}

/// A picture on the canvas.
struct Layer<'a> {
    placed: Placed,
    /// The size of the picture, as it is shown.
    size: Size,
    pixels: PixelFormat,
    /// Opened for the first row and dropped behind the last one.
    reader: Option<Reader<'a>>,
    row: Vec<u8>,
    /// The rows that were read; the last of them is in `row`.
    read: u32,
    /// Counts the memory of the reader and of the row.
    paid: Option<Budget>,
}

impl<'a> Canvas<'a> {
    pub(crate) fn open(opened: &Opened<'a>, budget: &Budget, notes: &Notes) -> Result<Self> {
        let container = &opened.container;
        let item = container.primary()?;
        let overlay = container.overlay(opened.source, item, budget)?;
        limits::check_size(overlay.size, limits::MAX_SIDE)?;
        let geometry = container.geometry(item, overlay.size);
        if geometry.is_crop_broken {
            notes.warn(Warning::Skipped("crop"));
        }
        if container.alpha(item.id).is_some() {
            notes.warn(Warning::Skipped("alpha"));
        }
        let (mut layers, mut lowest, mut depth, mut working_set) = (Vec::new(), None, 8, 0_u64);
        for placed in overlay.layers {
            // Headers are read one after the other. Rows are read by a reader of their own.
            let (scope, held) = (budget.scope(), budget.used());
            let reader = Reader::layer(opened, placed.id, &scope, notes)?;
            let info = reader.info();
            lowest = lowest.or(Some((placed.id, reader.code_points())));
            depth = depth.max(info.stored.depth);
            let layer = Layer::new(opened, placed, info)?;
            if layer.is_on(overlay.size) {
                working_set = working_set.saturating_add(info.working_set.saturating_sub(held));
                layers.push(layer);
            }
        }
        let channels = Channels::new(true, overlay.fill[3] < u16::MAX);
        let pixels = PixelFormat::new(channels, if depth > 8 { Depth::Sixteen } else { Depth::Eight });
        let row_bytes = pixels.row_bytes(overlay.size.width);
        let mut empty = budget.filled(row_bytes, 0)?;
        empty.chunks_exact_mut(pixels.bytes()).for_each(|pixel| put(pixel, pixels, overlay.fill));
        let whole = budget.filled(row_bytes, 0)?;
        let lowest = lowest.and_then(|(id, points)| Some((container.item(id)?, points)));
        let (lowest, points) = lowest.ok_or_else(|| opened.file().refusal(Cause::Layout))?;
        let points = container.code_points(item).unwrap_or(points);
        let icc = container.profile(item).or_else(|| profile(container, lowest));
        let mut metadata = container.metadata(opened.source, item.id, budget, notes)?;
        colors::describe(icc, &points, true, &mut metadata, notes);
        budget.charge(metadata.icc.as_ref().map_or(0, |icc| icc.len() as u64))?;
        let shown = geometry.shown;
        let info = ImageInfo {
            stored: Stored { depth, channels: channels.count() as u8 },
            orientation: geometry.orientation,
            metadata: Rc::new(metadata),
            working_set: working_set.saturating_add(budget.used()),
            gain_map: has_gain_map(container),
            ..ImageInfo::still(opened.codec.format, Size::new(shown.width, shown.height), pixels.into())
        };
        let (opened, budget, notes) = (opened.clone(), budget.clone(), notes.clone());
        let (is_begun, row, is_cut) = (false, 0, false);
        Ok(Self { opened, budget, notes, info, geometry, pixels, empty, layers, whole, is_begun, row, is_cut })
    }

    /// Puts row `y` of the canvas together. After `NotYet` the same call can be repeated.
    fn compose(&mut self, y: u32) -> Result<()> {
        for layer in &mut self.layers {
            layer.read(&self.opened, y, &self.budget, &self.notes)?;
        }
        self.whole.copy_from_slice(&self.empty);
        for layer in &self.layers {
            layer.draw(y, self.pixels, &mut self.whole);
        }
        self.layers.iter_mut().for_each(|layer| layer.end(y));
        Ok(())
    }
}

impl<'a> Layer<'a> {
    fn new(opened: &Opened<'_>, placed: Placed, info: &ImageInfo) -> Result<Self> {
        if info.orientation != Orientation::Upright {
            let feature = "a turned picture on a canvas";
            return Err(Error::Unsupported { format: opened.codec.format, feature });
        }
        let pixels = info.row_format.in_colors();
        Ok(Self { placed, size: info.size, pixels, reader: None, row: Vec::new(), read: 0, paid: None })
    }

    /// Whether a part of the picture is on a canvas of that size.
    fn is_on(&self, size: Size) -> bool {
        let (y, height) = (i64::from(self.placed.y), i64::from(self.size.height));
        !self.columns(size.width).0.is_empty() && y < size.height.into() && y + height > 0
    }

    /// Returns the row of the picture in row `y` of the canvas.
    fn row_at(&self, y: u32) -> Option<u32> {
        let row = i64::from(y) - i64::from(self.placed.y);
        u32::try_from(row).ok().filter(|&row| row < self.size.height)
    }

    /// Returns the columns of the canvas that the picture covers, and its own first column there.
    fn columns(&self, width: u32) -> (core::ops::Range<usize>, usize) {
        let (x, width) = (i64::from(self.placed.x), i64::from(width));
        let (start, end) = (x.clamp(0, width), (x + i64::from(self.size.width)).clamp(0, width));
        (start as usize..end as usize, (start - x) as usize)
    }

    /// Reads the picture up to its row in row `y` of the canvas.
    fn read(&mut self, opened: &Opened<'a>, y: u32, budget: &Budget, notes: &Notes) -> Result<()> {
        let Some(row) = self.row_at(y) else { return Ok(()) };
        let reader = match &mut self.reader {
            Some(reader) => reader,
            none => {
                let scope = budget.scope();
                self.row = scope.filled(self.pixels.row_bytes(self.size.width), 0)?;
                let reader = Reader::layer(opened, self.placed.id, &scope, notes)?;
                self.paid = Some(scope);
                none.insert(reader)
            }
        };
        while self.read <= row {
            reader.read_row(&mut self.row)?;
            self.read += 1;
        }
        Ok(())
    }

    /// Draws the row that was read over a row of the canvas.
    fn draw(&self, y: u32, pixels: PixelFormat, canvas: &mut [u8]) {
        if self.row_at(y).is_none() {
            return;
        }
        let (len, own) = (pixels.bytes(), self.pixels.bytes());
        let (columns, first) = self.columns((canvas.len() / len) as u32);
        let below = canvas[columns.start * len..columns.end * len].chunks_exact_mut(len);
        for (below, above) in below.zip(self.row[first * own..].chunks_exact(own)) {
            let above = rgba(above, self.pixels);
            let all = if above[3] == u16::MAX { above } else { over(above, rgba(below, pixels)) };
            put(below, pixels, all);
        }
    }

    /// Releases the picture behind its last row.
    fn end(&mut self, y: u32) {
        if self.row_at(y).is_some_and(|row| row + 1 == self.size.height) {
            (self.reader, self.row, self.paid) = (None, Vec::new(), None);
        }
    }
}

/// Returns a pixel as red, green, blue and straight alpha of 16 bits.
fn rgba(pixel: &[u8], pixels: PixelFormat) -> [u16; 4] {
    let sample = |index: usize| match pixels.depth {
        Depth::Eight => u16::from(pixel[index]) * 257,
        Depth::Sixteen => u16::from_le_bytes([pixel[2 * index], pixel[2 * index + 1]]),
    };
    let [red, green, blue] = if pixels.channels.has_color() { [0, 1, 2] } else { [0; 3] }.map(sample);
    let alpha = if pixels.channels.has_alpha() { sample(pixels.channels.count() - 1) } else { u16::MAX };
    [red, green, blue, alpha]
}

/// Writes a pixel of colour.
fn put(pixel: &mut [u8], pixels: PixelFormat, rgba: [u16; 4]) {
    match pixels.depth {
        Depth::Eight => {
            let narrow = |sample: u16| ((u32::from(sample) * 255 + 32_767) / 65_535) as u8;
            pixel.iter_mut().zip(rgba).for_each(|(out, sample)| *out = narrow(sample));
        }
        Depth::Sixteen => {
            let (out, _) = pixel.as_chunks_mut::<2>();
            out.iter_mut().zip(rgba).for_each(|(out, sample)| *out = sample.to_le_bytes());
        }
    }
}

/// Returns what is seen of two pixels of straight alpha, one over the other.
fn over(above: [u16; 4], below: [u16; 4]) -> [u16; 4] {
    const MOST: u64 = u16::MAX as u64;
    let [a, b] = [above[3], below[3]].map(u64::from);
    // Parts of MOST × MOST.
    let (part, rest) = (a * MOST, b * (MOST - a));
    let sum = part + rest;
    if sum == 0 {
        return [0; 4];
    }
    let mix = |channel: usize| {
        let [a, b] = [above[channel], below[channel]].map(u64::from);
        ((a * part + b * rest + sum / 2) / sum) as u16
    };
    [mix(0), mix(1), mix(2), ((sum + MOST / 2) / MOST) as u16]
}

impl ImageReader for Canvas<'_> {
    fn info(&self) -> &ImageInfo {
        &self.info
    }

    fn next_frame(&mut self, _: &Wanted) -> Result<Option<Frame<'_>>> {
        if self.is_begun {
            return Ok(None);
        }
        self.compose(self.geometry.shown.y)?;
        self.is_begun = true;
        let ImageInfo { size, row_format, orientation, .. } = self.info;
        let info = FrameInfo { orientation, ..FrameInfo::new(size, row_format) };
        Ok(Some(Frame::new(info, Rc::clone(&self.info.metadata), self)))
    }
}

impl RowReader for Canvas<'_> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        // The first row was put together with the frame.
        if self.row > 0 && !self.is_cut {
            match self.compose(self.geometry.shown.y + self.row) {
                Err(Error::Malformed { .. }) => {
                    self.is_cut = true;
                    self.notes.warn(Warning::Truncated { rows: self.row, of: self.info.size.height });
                    self.whole.fill(0);
                }
                outcome => outcome?,
            }
        }
        let start = self.geometry.shown.x as usize * self.pixels.bytes();
        row.copy_from_slice(&self.whole[start..start + row.len()]);
        self.row += 1;
        Ok(())
    }
}
