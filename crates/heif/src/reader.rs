//! Reading: the boxes first, then planes, whose rows become pixels.

use std::rc::Rc;

use isobmff::{CodePoints, Container, Geometry, Item, Plays, Track};
use raster::{
    Budget, ByteSource, Channels, Delay, Depth, Error, Frame, FrameInfo, ImageInfo, ImageReader, Metadata, Notes,
    PixelFormat, Result, RowReader, Sequence, Size, Stored, Wanted, Warning, limits,
};
use yuv::{Coding, Converter, Matrix, Rows, Sampling};

use crate::gain_map::has_gain_map;
use crate::layer::Layer;
use crate::tiles::File;
use crate::{Cause, Codec, Description, Device, colors};

/// The file that readers share.
#[derive(Clone)]
pub(crate) struct Opened<'a> {
    pub(crate) source: &'a dyn ByteSource,
    pub(crate) device: Option<&'a dyn Device>,
    pub(crate) codec: Codec,
    pub(crate) container: Rc<Container>,
}

impl Opened<'_> {
    pub(crate) fn file(&self) -> File<'_> {
        File { source: self.source, device: self.device, container: &self.container, codec: &self.codec }
    }
}

pub(crate) struct Reader<'a> {
    opened: Opened<'a>,
    budget: Budget,
    notes: Notes,
    info: ImageInfo,
    parts: Parts,
    pixels: PixelFormat,
    converter: Converter,
    buffers: Buffers,
    /// Frames that were begun.
    frame: u32,
    /// Rows of the current frame that were given out.
    row: u32,
    /// Whether the rest of the frame is missing.
    is_cut: bool,
}

/// Rows of planes in memory.
struct Buffers {
    luma: Vec<u16>,
    /// Two rows of both planes of chroma, and their numbers.
    chroma: [[Vec<u16>; 2]; 2],
    held: [Option<u32>; 2],
    alpha: Vec<u16>,
    /// The whole row of which a part is shown; empty if all of it is.
    whole: Vec<u8>,
}

/// The parts of a file that make its pictures.
struct Parts {
    geometry: Geometry,
    colors: Layer,
    alpha: Option<Layer>,
    /// Whether colours are multiplied by alpha.
    is_premultiplied: bool,
    /// What the colours mean, by the container or else by the codec.
    code_points: CodePoints,
    /// The profile.
    icc: Option<Vec<u8>>,
    /// The times of the frames; empty for a still picture.
    delays: Vec<Delay>,
    sequence: Sequence,
}

impl<'a> Reader<'a> {
    /// Opens the animation of a file, or its picture.
    pub(crate) fn open(opened: &Opened<'a>, budget: &Budget, notes: &Notes) -> Result<Self> {
        let file = opened.file();
        let Codec { sequence_brand, kind, .. } = opened.codec;
        let parts = match file.container.sequence(sequence_brand, kind) {
            Some((track, alpha)) => Parts::of_tracks(&file, track, alpha, budget, notes)?,
            None => Parts::of_item(&file, file.container.primary()?, budget, notes)?,
        };
        let metadata = parts.metadata(&file, budget, notes)?;
        Self::of_parts(opened, parts, metadata, budget, notes)
    }

    /// Opens a picture that is a part of another, without its metadata.
    pub(crate) fn layer(opened: &Opened<'a>, id: u32, budget: &Budget, notes: &Notes) -> Result<Self> {
        let file = opened.file();
        let parts = Parts::of_item(&file, file.container.picture(id)?, budget, notes)?;
        Self::of_parts(opened, parts, Metadata::default(), budget, notes)
    }

    fn of_parts(opened: &Opened<'a>, parts: Parts, metadata: Metadata, budget: &Budget, notes: &Notes) -> Result<Self> {
        let coding = parts.coding(&opened.codec)?;
        let coded = parts.geometry.coded;
        let pixels = parts.pixels();
        let converter = Converter::new(coding, coded.width, coded.height, budget)?;
        let buffers = Buffers::new(&parts.geometry, pixels, coding.sampling, budget)?;
        let info = parts.info(&opened.file(), metadata, budget.used());
        let (opened, budget, notes) = (opened.clone(), budget.clone(), notes.clone());
        let (frame, row, is_cut) = (0, 0, false);
        Ok(Self { opened, budget, notes, info, parts, pixels, converter, buffers, frame, row, is_cut })
    }

    /// Returns what the colours mean.
    pub(crate) const fn code_points(&self) -> CodePoints {
        self.parts.code_points
    }

    /// Reads the rows of all planes and converts them to pixels.
    fn convert(&mut self, row: &mut [u8]) -> Result<()> {
        let file = self.opened.file();
        let y = self.parts.geometry.shown.y + self.row;
        let buffers = &mut self.buffers;
        buffers.read(&file, &mut self.parts.colors, (y, self.converter.chroma_rows(y)), &self.budget)?;
        if let Some(alpha) = &mut self.parts.alpha {
            alpha.tiles.copy_row(&file, (0, y), &self.budget, &mut buffers.alpha)?;
        }
        let Buffers { luma, chroma, alpha, whole, .. } = buffers;
        let [blue, red] = chroma.each_ref().map(|rows| rows.each_ref().map(Vec::as_slice));
        let rows = Rows { luma, blue, red };
        let pixels = self.pixels;
        let target = if whole.is_empty() { &mut *row } else { &mut **whole };
        self.converter.convert(y, &rows, pixels.channels.count(), target);
        if let Some(layer) = &self.parts.alpha {
            let Description { depth, code_points, .. } = layer.tiles.description;
            yuv::put_alpha(alpha, depth, code_points.is_full_range, pixels, target);
            if self.parts.is_premultiplied {
                yuv::unpremultiply(pixels, target);
            }
        }
        if !whole.is_empty() {
            let start = self.parts.geometry.shown.x as usize * pixels.bytes();
            row.copy_from_slice(&whole[start..start + row.len()]);
        }
        Ok(())
    }

    /// Decodes the next frame, or the first row of tiles. After `NotYet` the same call can be repeated.
    fn begin(&mut self) -> Result<()> {
        let file = self.opened.file();
        let y = self.parts.geometry.shown.y;
        self.parts.colors.begin(&file, y, &self.budget)?;
        if let Some(alpha) = &mut self.parts.alpha {
            alpha.begin(&file, y, &self.budget)?;
        }
        self.buffers.held = [None; 2];
        Ok(())
    }
}

impl ImageReader for Reader<'_> {
    fn info(&self) -> &ImageInfo {
        &self.info
    }

    fn next_frame(&mut self, _: &Wanted) -> Result<Option<Frame<'_>>> {
        if self.frame == self.info.frames {
            return Ok(None);
        }
        match self.begin() {
            Err(error) if error.is_not_yet() => return Err(error),
            outcome => {
                self.frame += 1;
                outcome?;
            }
        }
        (self.row, self.is_cut) = (0, false);
        let ImageInfo { size, row_format, orientation, .. } = self.info;
        let delay = self.parts.delays.get(self.frame as usize - 1).filter(|_| self.info.frames > 1).copied();
        let info = FrameInfo { delay, orientation, ..FrameInfo::new(size, row_format) };
        Ok(Some(Frame::new(info, Rc::clone(&self.info.metadata), self)))
    }
}

impl RowReader for Reader<'_> {
    fn read_row(&mut self, row: &mut [u8]) -> Result<()> {
        if !self.is_cut {
            match self.convert(row) {
                // A row of tiles behind the first one is missing or damaged.
                Err(Error::Malformed { .. }) if self.row > 0 => {
                    self.is_cut = true;
                    self.notes.warn(Warning::Truncated { rows: self.row, of: self.info.size.height });
                }
                outcome => outcome?,
            }
        }
        if self.is_cut {
            row.fill(0);
        }
        self.row += 1;
        Ok(())
    }
}

/// Reads the description of a file with one picture. Less code is linked than by [`Reader::open`].
pub(crate) fn header(codec: Codec, source: &dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<ImageInfo> {
    let container = Container::read(source, codec.format, budget)?;
    let file = File { source, device: None, container: &container, codec: &codec };
    let parts = Parts::of_item(&file, container.primary()?, budget, notes)?;
    let metadata = parts.metadata(&file, budget, notes)?;
    Ok(parts.info(&file, metadata, budget.used()))
}

impl Parts {
    fn of_item(file: &File<'_>, item: &Item, budget: &Budget, notes: &Notes) -> Result<Self> {
        let container = file.container;
        let colors = Layer::of_item(file, item, budget)?;
        let geometry = container.geometry(item, colors.tiles.size());
        limits::check_size(geometry.coded, limits::MAX_SIDE)?;
        if geometry.is_crop_broken {
            notes.warn(Warning::Skipped("crop"));
        }
        let alpha_item = container.alpha(item.id);
        let alpha = alpha_item.map(|alpha| Layer::of_item(file, alpha, budget)).transpose()?;
        let is_as_large = |alpha: &Layer| alpha.tiles.size() == geometry.coded;
        if alpha.as_ref().is_some_and(|alpha| !is_as_large(alpha)) {
            notes.warn(Warning::Skipped("alpha"));
        }
        let alpha = alpha.filter(is_as_large);
        let is_premultiplied = alpha_item.is_some_and(|alpha| container.is_premultiplied(item.id, alpha.id));
        let code_points = container.code_points(item).unwrap_or(colors.tiles.description.code_points);
        let icc = profile(container, item).map(<[u8]>::to_vec);
        let (delays, sequence) = (Vec::new(), Sequence::Single);
        Ok(Self { geometry, colors, alpha, is_premultiplied, code_points, icc, delays, sequence })
    }

    fn of_tracks(
        file: &File<'_>,
        track: &Track,
        alpha: Option<&Track>,
        budget: &Budget,
        notes: &Notes,
    ) -> Result<Self> {
        let size = track.size.ok_or_else(|| file.refusal(Cause::Layout))?;
        limits::check_size(size, limits::MAX_SIDE)?;
        let colors = Layer::of_track(file, track, size, budget)?;
        let has_all = |alpha: &&Track| alpha.size == Some(size) && alpha.samples.len() >= track.samples.len();
        if alpha.is_some_and(|alpha| !has_all(&alpha)) {
            notes.warn(Warning::Skipped("alpha"));
        }
        let alpha = alpha.filter(has_all);
        let is_premultiplied = alpha.is_some_and(|alpha| track.premultiplied_by == Some(alpha.id));
        let alpha = alpha.map(|alpha| Layer::of_track(file, alpha, size, budget)).transpose()?;
        let delay =
            |sample: &isobmff::Sample| Delay { numerator: sample.duration, denominator: track.timescale.max(1) };
        let mut delays = budget.reserved(track.samples.len() as u64)?;
        delays.extend(track.samples.iter().map(delay));
        let plays = match track.plays {
            Plays::Unknown | Plays::Forever => 0,
            Plays::Times(times) => times,
        };
        let is_animation = delays.len() > 1;
        let sequence = if is_animation { Sequence::Animation { plays } } else { Sequence::Single };
        let code_points = colors.tiles.description.code_points;
        let icc = track.profile().map(<[u8]>::to_vec);
        let geometry = Geometry::new(size, track.properties.iter());
        Ok(Self { geometry, colors, alpha, is_premultiplied, code_points, icc, delays, sequence })
    }

    /// Returns the format of rows.
    fn pixels(&self) -> PixelFormat {
        let Description { depth, sampling, .. } = self.colors.tiles.description;
        let channels = Channels::new(sampling != Sampling::Gray, self.alpha.is_some());
        PixelFormat::new(channels, if depth > 8 { Depth::Sixteen } else { Depth::Eight })
    }

    /// Returns the meaning of samples.
    fn coding(&self, codec: &Codec) -> Result<Coding> {
        let (Description { depth, sampling, siting, .. }, points) = (self.colors.tiles.description, self.code_points);
        let is_complete = |matrix: &Matrix| *matrix != Matrix::Identity || sampling == Sampling::Full;
        let matrix = match Matrix::new(points.matrix, points.primaries).filter(is_complete) {
            Some(matrix) => matrix,
            None if sampling == Sampling::Gray => Matrix::BT_601,
            None => return Err(Error::Unsupported { format: codec.format, feature: "this matrix of colours" }),
        };
        Ok(Coding { depth, sampling, siting, matrix, is_full_range: points.is_full_range })
    }

    fn metadata(&self, file: &File<'_>, budget: &Budget, notes: &Notes) -> Result<Metadata> {
        let mut metadata = match file.container.primary() {
            Ok(item) => file.container.metadata(file.source, item.id, budget, notes)?,
            Err(_) => Metadata::default(),
        };
        let has_color = self.pixels().channels.has_color();
        colors::describe(self.icc.as_deref(), &self.code_points, has_color, &mut metadata, notes);
        budget.charge(metadata.icc.as_ref().map_or(0, |icc| icc.len() as u64))?;
        Ok(metadata)
    }

    /// Returns the description of the file. `held`: the bytes that are in memory already.
    fn info(&self, file: &File<'_>, metadata: Metadata, held: u64) -> ImageInfo {
        let (shown, pixels) = (self.geometry.shown, self.pixels());
        let layers = [Some(&self.colors), self.alpha.as_ref()].into_iter().flatten();
        ImageInfo {
            frames: self.delays.len().max(1) as u32,
            sequence: self.sequence,
            stored: Stored { depth: self.colors.tiles.description.depth, channels: pixels.channels.count() as u8 },
            orientation: self.geometry.orientation,
            metadata: Rc::new(metadata),
            working_set: layers.map(|layer| layer.working_set(file)).fold(held, u64::saturating_add),
            gain_map: has_gain_map(file.container),
            ..ImageInfo::still(file.codec.format, Size::new(shown.width, shown.height), pixels.into())
        }
    }
}

/// Returns the profile of a picture. Some encoders describe only the tiles of a grid.
pub(crate) fn profile<'a>(container: &'a Container, item: &'a Item) -> Option<&'a [u8]> {
    let part = || container.profile(container.item(*container.referred(*b"dimg", item.id).first()?)?);
    container.profile(item).or_else(part)
}

impl Buffers {
    fn new(geometry: &Geometry, pixels: PixelFormat, sampling: Sampling, budget: &Budget) -> Result<Self> {
        let width = geometry.coded.width;
        let chroma = || budget.filled(sampling.width(width).into(), 0);
        let alpha = if pixels.channels.has_alpha() { width } else { 0 };
        let whole = if geometry.shown.width == width { 0 } else { pixels.row_bytes(width) };
        Ok(Self {
            luma: budget.filled(width.into(), 0)?,
            chroma: [[chroma()?, chroma()?], [chroma()?, chroma()?]],
            held: [None; 2],
            alpha: budget.filled(alpha.into(), 0)?,
            whole: budget.filled(whole, 0)?,
        })
    }

    /// Reads row `y` of luma and these rows of chroma, in the order of the file, so that a row of tiles is never
    /// decoded twice.
    fn read(&mut self, file: &File<'_>, colors: &mut Layer, (y, rows): (u32, [u32; 2]), budget: &Budget) -> Result<()> {
        colors.tiles.copy_row(file, (0, y), budget, &mut self.luma)?;
        if self.chroma[0][0].is_empty() {
            return Ok(());
        }
        if self.held[1] == Some(rows[0]) {
            self.held.swap(0, 1);
            self.chroma.iter_mut().for_each(|plane| plane.swap(0, 1));
        }
        for (slot, number) in rows.into_iter().enumerate() {
            if self.held[slot] == Some(number) {
                continue;
            }
            self.held[slot] = None;
            for (plane, rows) in (1..).zip(&mut self.chroma) {
                colors.tiles.copy_row(file, (plane, number), budget, &mut rows[slot])?;
            }
            self.held[slot] = Some(number);
        }
        Ok(())
    }
}
