//! The planes of a picture that is stored as a grid of tiles. A picture without a grid has one tile.

use isobmff::{Container, Extent, Grid, Item};
use raster::{Budget, ByteSource, Error, IoError, Result, Size};
use yuv::Sampling;

use crate::{Cause, Codec, Coded, Decoder, Description, Device, DevicePicture, HEAD, Options, Planes, State};

/// The file of a picture.
#[derive(Clone, Copy)]
pub(crate) struct File<'a> {
    pub(crate) source: &'a dyn ByteSource,
    pub(crate) device: Option<&'a dyn Device>,
    pub(crate) container: &'a Container,
    pub(crate) codec: &'a Codec,
}

impl File<'_> {
    /// Returns the error of a damaged picture.
    pub(crate) fn refusal(&self, cause: impl Into<raster::Cause>) -> Error {
        Error::malformed(self.codec.format, 0, cause)
    }

    /// Describes a picture by its configuration and the start of its data.
    pub(crate) fn describe(&self, configuration: &[u8], extents: &[Extent]) -> Result<Description> {
        let mut head = [0; HEAD as usize];
        let first = extents.first().ok_or_else(|| self.refusal(Cause::Header))?;
        let len = first.len.unwrap_or(HEAD).min(HEAD) as usize;
        let filled = self.source.read_full_at(first.at, &mut head[..len])?;
        (self.codec.describe)(configuration, &head[..filled]).ok_or_else(|| self.refusal(Cause::Header))
    }
}

/// A grid of tiles, of which a row at most is decoded.
pub(crate) struct Tiles {
    grid: Grid,
    /// The size of each tile.
    tile: Size,
    pub(crate) description: Description,
    options: Options,
    /// The decoded row of tiles, and its number.
    decoded: Option<(u32, Vec<Box<dyn Planes>>)>,
    /// The row of tiles that the device decodes, and its number.
    under_way: Option<(u32, Vec<Box<dyn DevicePicture>>)>,
    /// Whether the device has refused a tile. It is not asked again.
    is_refused: bool,
    /// Counts the memory of `decoded`.
    paid: Option<Budget>,
}

impl Tiles {
    /// Reads the arrangement of an item.
    pub(crate) fn of_item(file: &File<'_>, item: &Item, budget: &Budget) -> Result<Self> {
        let Codec { kind, format, .. } = *file.codec;
        let stated = file.container.size(item);
        let grid = match &item.kind {
            found if *found == kind => {
                let size = stated.unwrap_or(Size::new(0, 0));
                Grid { columns: 1, rows: 1, size, tiles: vec![item.id] }
            }
            b"grid" => file.container.tile_grid(file.source, item, budget)?,
            _ => return Err(Error::Unsupported { format, feature: "a picture that is derived from others" }),
        };
        let first = grid.tiles.first().and_then(|&id| file.container.item(id));
        let first = first.ok_or_else(|| file.refusal(Cause::Layout))?;
        let configuration = file.container.configuration(first).unwrap_or_default();
        let mut description = file.describe(configuration, file.container.extents(first)?)?;
        description.code_points = file.container.code_points(first).unwrap_or(description.code_points);
        let tile = file.container.size(first).unwrap_or(description.size);
        let size = if grid.size.is_empty() { tile } else { grid.size };
        let (grid, coded) = (Grid { size, ..grid }, stated.unwrap_or(size));
        let operating_point = file.container.operating_point(first);
        let tiles = Self {
            grid,
            tile,
            description,
            options: Options { operating_point, most_pixels: tile.area() },
            decoded: None,
            under_way: None,
            is_refused: false,
            paid: None,
        };
        if tiles.is_covering(coded) { Ok(tiles) } else { Err(file.refusal(Cause::Layout)) }
    }

    /// Returns the size of the whole picture.
    pub(crate) const fn size(&self) -> Size {
        self.grid.size
    }

    /// Creates the arrangement of the frames of a track.
    pub(crate) fn of_frames(description: Description, size: Size) -> Self {
        let grid = Grid { columns: 1, rows: 1, size, tiles: Vec::new() };
        Self {
            grid,
            tile: size,
            description,
            options: Options::default(),
            decoded: None,
            under_way: None,
            is_refused: true,
            paid: None,
        }
    }

    /// Whether the tiles cover the picture, the last ones with a part at least, and chroma is not split between them.
    fn is_covering(&self, coded: Size) -> bool {
        let Self { grid, tile, description, .. } = self;
        let covers = |count: u32, side: u32, all: u32| {
            let whole = u64::from(count) * u64::from(side);
            whole >= all.into() && whole - u64::from(side) < all.into()
        };
        let (is_wide, is_high) = match description.sampling {
            Sampling::Half => (true, true),
            Sampling::Columns => (true, false),
            Sampling::Full | Sampling::Gray => (false, false),
        };
        let splits = |is_shared: bool, count: u32, side: u32| is_shared && count > 1 && side % 2 == 1;
        grid.size == coded
            && covers(grid.columns, tile.width, coded.width)
            && covers(grid.rows, tile.height, coded.height)
            && !splits(is_wide, grid.columns, tile.width)
            && !splits(is_high, grid.rows, tile.height)
    }

    /// Returns the bytes of memory that a row of tiles takes, while its last one is decoded.
    pub(crate) fn working_set(&self, codec: &Codec, is_sequence: bool) -> u64 {
        let one = (codec.working_set)(&self.description, self.tile, is_sequence);
        one.saturating_mul(self.grid.columns.into())
    }

    /// Copies row `y` of a plane of the whole picture. After `NotYet` the same call can be repeated.
    pub(crate) fn copy_row(
        &mut self,
        file: &File<'_>,
        (plane, y): (usize, u32),
        budget: &Budget,
        row: &mut [u16],
    ) -> Result<()> {
        let sampling = if plane == 0 { Sampling::Full } else { self.description.sampling };
        let [width, height] = [sampling.width(self.tile.width), sampling.height(self.tile.height)];
        let planes = self.row_of_tiles(file, y / height, budget)?;
        for (planes, part) in planes.iter().zip(row.chunks_mut(width as usize)) {
            planes.copy_row(plane, y % height, part);
        }
        Ok(())
    }

    /// Returns the planes of a row of tiles, and decodes them if another row is in memory.
    fn row_of_tiles(&mut self, file: &File<'_>, number: u32, budget: &Budget) -> Result<&[Box<dyn Planes>]> {
        if self.decoded.as_ref().is_none_or(|(decoded, _)| *decoded != number) {
            let by_device = match file.device.filter(|_| !self.is_refused) {
                Some(device) => self.decode_on_device(file, device, number, budget)?,
                None => None,
            };
            let row = match by_device {
                Some(row) => row,
                None => self.decode(file, number, budget)?,
            };
            self.decoded = Some((number, row));
        }
        Ok(self.decoded.as_ref().map_or(&[], |(_, row)| row))
    }

    /// Returns the items and the data of a row of tiles. All are read before one is decoded, because reading may stop
    /// and be repeated.
    fn data<'a>(&self, file: &File<'a>, number: u32, budget: &Budget) -> Result<Vec<(&'a Item, Vec<u8>)>> {
        let start = (number * self.grid.columns) as usize;
        let ids = self.grid.tiles.get(start..start + self.grid.columns as usize);
        let data = ids.unwrap_or_default().iter().map(|&id| {
            let item = file.container.item(id).ok_or_else(|| file.refusal(Cause::Layout))?;
            Ok((item, file.container.bytes(file.source, item, budget)?))
        });
        data.collect()
    }

    /// Decodes a row of tiles by the codec.
    fn decode(&mut self, file: &File<'_>, number: u32, budget: &Budget) -> Result<Vec<Box<dyn Planes>>> {
        let (scope, mut row) = (budget.scope(), Vec::new());
        let data = self.data(file, number, &scope)?;
        (self.decoded, self.paid) = (None, None);
        scope.charge(self.working_set(file.codec, false))?;
        for (item, bytes) in data {
            let configuration = file.container.configuration(item).unwrap_or_default();
            let mut decoder = (file.codec.decoder)(configuration, &self.options)?;
            row.push(self.checked(file, decoder.decode(bytes))?);
        }
        self.paid = Some(scope);
        Ok(row)
    }

    /// Lets the device decode a row of tiles; `NotYet` while it does. Returns `None` if it refuses one of them.
    ///
    /// The row before it stays in memory, because the call for the last row of pixels in it is repeated. The device's
    /// planes have half of the bytes that the codec's take, so that two rows are paid for with one.
    fn decode_on_device(
        &mut self,
        file: &File<'_>,
        device: &dyn Device,
        number: u32,
        budget: &Budget,
    ) -> Result<Option<Vec<Box<dyn Planes>>>> {
        if self.under_way.as_ref().is_none_or(|(started, _)| *started != number) {
            let data = self.data(file, number, &budget.scope())?;
            if self.paid.is_none() {
                let scope = budget.scope();
                scope.charge(self.working_set(file.codec, false))?;
                self.paid = Some(scope);
            }
            let pictures = data.iter().map(|(item, data)| {
                let configuration = file.container.configuration(item)?;
                let codec = (file.codec.name)(configuration)?;
                Some(device.decode(&Coded { codec: &codec, configuration, size: self.tile, data }))
            });
            self.under_way = pictures.collect::<Option<Vec<_>>>().map(|pictures| (number, pictures));
        }
        let states = self.under_way.iter().flat_map(|(_, pictures)| pictures).map(|picture| picture.state());
        if states.into_iter().any(|state| state == State::UnderWay) {
            return Err(IoError::NotYet.into());
        }
        let pictures = self.under_way.take().map_or_else(Vec::new, |(_, pictures)| pictures);
        let is_right = |picture: &dyn DevicePicture| picture.state() == State::Decoded && self.is_right(picture);
        self.is_refused = pictures.is_empty() || !pictures.iter().all(|picture| is_right(&**picture));
        Ok((!self.is_refused).then(|| pictures.into_iter().map(|picture| picture as Box<dyn Planes>).collect()))
    }

    /// Decodes the row of tiles with row `y`.
    pub(crate) fn begin(&mut self, file: &File<'_>, y: u32, budget: &Budget) -> Result<()> {
        self.row_of_tiles(file, y / self.tile.height, budget).map(|_| ())
    }

    /// Puts a frame in the place of the one before it.
    pub(crate) fn show(&mut self, file: &File<'_>, decoder: &mut dyn Decoder, data: Vec<u8>) -> Result<()> {
        self.decoded = None;
        let planes = self.checked(file, decoder.decode(data))?;
        self.decoded = Some((0, vec![planes]));
        Ok(())
    }

    fn checked(&self, file: &File<'_>, outcome: Result<Box<dyn Planes>, raster::Cause>) -> Result<Box<dyn Planes>> {
        let planes = outcome.map_err(|error| file.refusal(error))?;
        if self.is_right(&*planes) { Ok(planes) } else { Err(file.refusal(Cause::Layout)) }
    }

    /// Whether a tile has the size and the samples that the file says. Of a grey picture only luma is read.
    fn is_right<P: Planes + ?Sized>(&self, planes: &P) -> bool {
        let Description { depth, sampling, .. } = self.description;
        let (found_depth, found) = planes.layout();
        planes.size() == self.tile && found_depth == depth && (found == sampling || sampling == Sampling::Gray)
    }
}
